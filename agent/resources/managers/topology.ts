/** How the machine's processors and memory lie to one another. */
import { textAt } from "../hierarchy.ts";
import { type HugePages, type Machine, parseCpuList, readHugePages } from "../machine.ts";

/** Processors by number. */
export type Cpus = ReadonlySet<number>;

/** Where a processor lies. A core and a cache bear the number of their first processor. */
export interface Cpu {
  readonly id: number;
  readonly core: number;
  readonly cache: number;
  readonly socket: number;
  readonly node: number;
}

/** What groups processors. */
export type Level = "core" | "cache" | "socket" | "node";

/** A NUMA node's memory. */
export interface MemoryNode {
  readonly id: number;
  /** Bytes. */
  readonly memory: number;
  readonly hugePages: readonly HugePages[];
  /** To each node, in their order; undefined: not told. */
  readonly distances: readonly number[] | undefined;
}

const ascending = (a: number, b: number) => a - b;

/** See the top of the file. Immutable. */
export class Topology {
  readonly #cpus: ReadonlyMap<number, Cpu>;
  /** All processors. */
  readonly all: Cpus;

  constructor(cpus: readonly Cpu[], readonly nodes: readonly MemoryNode[]) {
    this.#cpus = new Map(cpus.map((cpu) => [cpu.id, cpu]));
    this.all = new Set(this.#cpus.keys());
  }

  /** Of a processor that is there. */
  of(cpu: number, level: Level): number {
    return this.#cpus.get(cpu)![level];
  }

  /** Numbers of the groups that processors lie in, ascending. */
  groups(level: Level, among: Cpus = this.all): readonly number[] {
    return [...new Set([...among].map((cpu) => this.of(cpu, level)))].sort(ascending);
  }

  /** Those processors that lie in certain groups. */
  within(level: Level, ids: readonly number[], among: Cpus = this.all): Cpus {
    return new Set([...among].filter((cpu) => ids.includes(this.of(cpu, level))));
  }

  /** Processors to a group, where all are alike. */
  size(level: Level): number {
    return Math.max(1, Math.floor(this.all.size / Math.max(1, this.groups(level).length)));
  }
}

/** Reads it. A machine that tells of no nodes is one. @param sys usually /sys. @throws Error */
export async function readTopology(sys: string, machine: Machine): Promise<Topology> {
  const nodes = await readNodes(`${sys}/devices/system/node`, machine);
  const nodeOf = new Map(nodes.flatMap(({ node, cpus }) => cpus.map((cpu) => [cpu, node.id] as const)));
  const cpus = await Promise.all(machine.cpus.map(async (id): Promise<Cpu> => {
    const at = `${sys}/devices/system/cpu/cpu${id}`;
    const first = async (file: string) => {
      const text = await textAt(`${at}/${file}`);
      return text ? parseCpuList(text)[0] : undefined;
    };
    const socket = Number(await textAt(`${at}/topology/physical_package_id`) ?? 0);
    const core = await first("topology/core_cpus_list") ?? await first("topology/thread_siblings_list") ?? id;
    const node = nodeOf.get(id) ?? 0;
    return { id, core, socket: Math.max(socket, 0), node, cache: await first("cache/index3/shared_cpu_list") ?? node };
  }));
  return new Topology(cpus, nodes.map(({ node }) => node));
}

async function readNodes(directory: string, machine: Machine) {
  const ids = parseCpuList(await textAt(`${directory}/online`) ?? "");
  const there = (await Promise.all(ids.map((id) => textAt(`${directory}/node${id}/cpulist`)))).map((t) =>
    t !== undefined
  );
  if (!there.some(Boolean)) {
    const { memory, hugePages } = machine;
    return [{ node: { id: 0, memory, hugePages, distances: [10] }, cpus: machine.cpus }];
  }
  return await Promise.all(
    ids.filter((_, i) => there[i]).map(async (id) => {
      const at = `${directory}/node${id}`;
      const total = /MemTotal:\s+(\d+) kB/.exec(await textAt(`${at}/meminfo`) ?? "")?.[1];
      const distances = (await textAt(`${at}/distance`))?.split(/\s+/).map(Number);
      return {
        node: { id, memory: Number(total ?? 0) * 1024, hugePages: await readHugePages(`${at}/hugepages`), distances },
        cpus: parseCpuList(await textAt(`${at}/cpulist`) ?? "").filter((cpu) => machine.cpus.includes(cpu)),
      };
    }),
  );
}
