/** Memory of NUMA nodes: what there is, and what is given. */
import { isHugePages } from "../../../schema/rules/checks/resources.ts";
import { quantityOf } from "../../../schema/values/quantity.ts";
import { amount, type Amounts } from "../amounts.ts";
import type { Nodes } from "./hints.ts";
import type { MemoryNode } from "./topology.ts";

/** What a container has. */
export interface Block {
  readonly numaAffinity: Nodes;
  readonly type: string;
  readonly size: number;
}

/** A resource of a node, bytes. */
export interface Table {
  readonly total: number;
  readonly systemReserved: number;
  readonly allocatable: number;
  reserved: number;
  free: number;
}

/** A node. `cells`: the nodes that it serves together with. */
export interface NodeState {
  numberOfAssignments: number;
  readonly memoryMap: Record<string, Table>;
  cells: Nodes;
}

/** `--reserved-memory`: amounts by node. */
export type ReservedMemory = ReadonlyMap<number, Amounts>;

/** Whether a resource is memory of some kind. */
export const isMemory = (resource: string): boolean => resource === "memory" || isHugePages(resource);
/** Whether two choices are of the same nodes. */
export const equal = (a: Nodes, b: Nodes): boolean => a.length === b.length && a.every((node) => b.includes(node));

/** What is reserved by node must be what is reserved at all. @throws Error in the public agent's words */
export function checkReserved(reserved: ReservedMemory, nodes: readonly MemoryNode[], kept: Amounts): void {
  const strange = [...reserved.keys()].find((id) => !nodes.some((node) => node.id === id));
  if (strange !== undefined) {
    throw new Error(
      `the reserved memory configuration references a NUMA node ${strange} that does not exist on this machine`,
    );
  }
  const lists = [...reserved.values()];
  for (const type of new Set([...lists.flatMap((list) => [...list.keys()]), ...[...kept.keys()].filter(isMemory)])) {
    const sum = lists.reduce((total, list) => total.add(amount(list, type)), amount(new Map(), type));
    if (sum.cmp(amount(kept, type)) === 0) continue;
    throw new Error(
      `the total amount "${sum}" of type "${type}" is not equal to the value "${
        amount(kept, type)
      }" determined by Node Allocatable feature`,
    );
  }
  if (!lists.some((list) => !amount(list, "memory").isZero())) {
    throw new Error("[memorymanager] you should specify the system reserved memory");
  }
}

/** See the top of the file. */
export class MemoryNodes {
  readonly states: ReadonlyMap<number, NodeState>;

  /** All free. */
  constructor(readonly memory: readonly MemoryNode[], readonly reserved: ReservedMemory) {
    this.states = new Map(memory.map((node) => {
      const table = (type: string, total: number, taken: number): Table => {
        const systemReserved = Number(amount(this.reserved.get(node.id) ?? new Map(), type).value());
        const allocatable = Math.max(total - systemReserved - taken, 0);
        return { total, systemReserved, allocatable, reserved: 0, free: allocatable };
      };
      const pages = node.hugePages.map(({ size, count }) =>
        [`hugepages-${quantityOf(size, "BinarySI")}`, size * count] as const
      );
      const inPages = pages.reduce((sum, [, bytes]) => sum + bytes, 0);
      const memoryMap = Object.fromEntries([
        ...pages.map(([type, bytes]) => [type, table(type, bytes, 0)] as const),
        ["memory", table("memory", node.memory, inPages)] as const,
      ]);
      return [node.id, { numberOfAssignments: 0, memoryMap, cells: [node.id] }];
    }));
  }

  /** Sum of what nodes have of a resource. */
  sum(nodes: Nodes, type: string, what: "allocatable" | "free"): number {
    return nodes.reduce((n, id) => n + (this.states.get(id)!.memoryMap[type]?.[what] ?? 0), 0);
  }

  /** Gives so much of nodes, the first of them first. */
  reserve(nodes: Nodes, type: string, bytes: number): void {
    let left = bytes;
    for (const id of nodes) {
      const node = this.states.get(id)!, table = node.memoryMap[type]!;
      node.numberOfAssignments++;
      node.cells = nodes;
      const here = Math.min(left, table.free);
      table.free -= here;
      table.reserved += here;
      left -= here;
    }
  }

  /** A node serves alone, or always with the same others. */
  clashes(choice: Nodes): boolean {
    return choice.length > 1 && choice.some((id) => {
      const { numberOfAssignments, cells } = this.states.get(id)!;
      return numberOfAssignments > 0 && !equal(cells, choice);
    });
  }
}
