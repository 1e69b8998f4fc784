/** NUMA nodes for the memory of containers of the highest class (`--memory-manager-policy=Static`). */
import type { Container, Pod } from "../../../schema/api/core_v1.ts";
import { amountsOf, type Gate, hasPodLevel, isSidecar } from "../amounts.ts";
import { qosOf } from "../qos.ts";
import { type Hint, type Hints, isNarrower, nodeChoices, type Nodes } from "./hints.ts";
import { type Block, equal, isMemory, MemoryNodes, type NodeState, type ReservedMemory } from "./memory_nodes.ts";
import type { MemoryNode } from "./topology.ts";

/** Bytes by resource. */
type Bytes = ReadonlyMap<string, number>;

/** Who has what, by uid and container's name. */
export type Blocks = ReadonlyMap<string, ReadonlyMap<string, readonly Block[]>>;

/** See the top of the file. */
export class StaticMemory {
  #nodes: MemoryNodes;
  #blocks = new Map<string, Map<string, readonly Block[]>>();
  /** By uid, what init containers have, by node choice and resource: what comes after them may have it too. */
  readonly #reusable = new Map<string, Map<string, number>>();

  constructor(readonly memory: readonly MemoryNode[], readonly reserved: ReservedMemory, readonly gate: Gate) {
    this.#nodes = new MemoryNodes(this.memory, this.reserved);
  }

  get nodes(): ReadonlyMap<number, NodeState> {
    return this.#nodes.states;
  }

  get blocks(): Blocks {
    return this.#blocks;
  }

  /** Takes over what was kept. @throws Error: it does not fit this machine or these reservations */
  restore(nodes: ReadonlyMap<number, Pick<NodeState, "memoryMap">>, blocks: Blocks): void {
    if (nodes.size === 0 && blocks.size > 0) {
      throw new Error("[memorymanager] machine state can not be empty when it has memory assignments");
    }
    for (const [id, { memoryMap }] of this.#nodes.states) {
      for (const type of nodes.size === 0 ? [] : Object.keys(memoryMap)) {
        const mine = memoryMap[type]!, kept = nodes.get(id)?.memoryMap[type];
        const alike = kept && nodes.size === this.#nodes.states.size && kept.total === mine.total &&
          kept.systemReserved === mine.systemReserved && kept.allocatable === mine.allocatable;
        if (!alike) throw new Error("[memorymanager] the expected machine state is different from the real one");
      }
    }
    this.#rebuild(blocks);
  }

  #rebuild(blocks: Blocks): void {
    const all = [...blocks.values()].flatMap((of) => [...of.values()].flat());
    if (all.some((b) => b.numaAffinity.some((id) => !this.#nodes.states.get(id)?.memoryMap[b.type]))) {
      throw new Error("[memorymanager] a memory assignment uses a NUMA node or a memory resource that does not exist");
    }
    this.#nodes = new MemoryNodes(this.memory, this.reserved);
    this.#blocks = new Map([...blocks].map(([uid, of]) => [uid, new Map(of)]));
    for (const block of all) this.#nodes.reserve(block.numaAffinity, block.type, block.size);
  }

  /** All that containers may have, by node. */
  get allocatable(): readonly Block[] {
    return [...this.#nodes.states].flatMap(([id, { memoryMap }]) =>
      Object.entries(memoryMap).filter(([, table]) => table.allocatable > 0)
        .map(([type, table]) => ({ numaAffinity: [id], type, size: table.allocatable }))
    );
  }

  /** Nodes of a container's memory; empty: any. */
  of(uid: string, container: string): Nodes {
    return [...new Set((this.#blocks.get(uid)?.get(container) ?? []).flatMap((b) => b.numaAffinity))].sort((a, b) =>
      a - b
    );
  }

  #wanted(pod: Pod, container: Container): Bytes {
    if (qosOf(pod, this.gate) !== "Guaranteed" || hasPodLevel(pod, this.gate)) return new Map();
    return new Map(
      [...amountsOf(container.resources?.requests)].filter(([name]) => isMemory(name))
        .map(([name, q]) => [name, Number(q.value())]),
    );
  }

  #wantedByPod(pod: Pod): Bytes {
    const sidecars = new Map<string, number>(), peak = new Map<string, number>(), all = new Map<string, number>();
    for (const container of pod.spec?.initContainers ?? []) {
      for (const [name, n] of this.#wanted(pod, container)) {
        const beside = sidecars.get(name) ?? 0;
        if (isSidecar(pod, container)) sidecars.set(name, beside + n);
        else peak.set(name, Math.max(peak.get(name) ?? 0, beside + n));
      }
    }
    for (const container of pod.spec?.containers ?? []) {
      for (const [name, n] of this.#wanted(pod, container)) {
        all.set(name, (all.get(name) ?? sidecars.get(name) ?? 0) + n);
      }
    }
    return new Map([...all].map(([name, n]) => [name, Math.max(n, peak.get(name) ?? 0)]));
  }

  /** Where a container's memory can be had. */
  hints(pod: Pod, container: Container): Hints {
    const wanted = this.#wanted(pod, container), uid = pod.metadata?.uid ?? "";
    if (wanted.size === 0) return undefined;
    const has = this.#blocks.get(uid)?.get(container.name);
    return has ? again(has, wanted) : byResource(wanted, this.#hints(uid, wanted));
  }

  /** Where that of a whole pod can be had. */
  podHints(pod: Pod): Hints {
    const wanted = this.#wantedByPod(pod), uid = pod.metadata?.uid ?? "";
    if (wanted.size === 0) return undefined;
    const has = this.#blocks.get(uid)?.values().next().value;
    return has ? again(has, wanted) : byResource(wanted, this.#hints(uid, wanted));
  }

  #hints(uid: string, wanted: Bytes): readonly Hint[] {
    const ids = [...this.#nodes.states.keys()].sort((a, b) => a - b);
    let least = ids.length;
    const out: Nodes[] = [];
    for (const choice of nodeChoices(ids)) {
      if ([...wanted].some(([type, n]) => this.#nodes.sum(choice, type, "allocatable") < n)) continue;
      least = Math.min(least, choice.length);
      if (choice.length === 1 ? this.#nodes.states.get(choice[0]!)!.cells.length > 1 : this.#nodes.clashes(choice)) {
        continue;
      }
      if (
        [...wanted].every(([type, n]) =>
          this.#nodes.sum(choice, type, "free") + this.#reusableOf(uid, choice, type) >= n
        )
      ) {
        out.push(choice);
      }
    }
    return out.map((nodes) => ({ nodes, preferred: nodes.length === least }));
  }

  #reusableOf(uid: string, nodes: Nodes, type: string): number {
    return this.#reusable.get(uid)?.get(`${nodes}/${type}`) ?? 0;
  }

  /** Gives a container its memory, on these nodes if it can be had there. @throws Error: it cannot be had */
  allocate(pod: Pod, container: Container, hint: Hint): void {
    const wanted = this.#wanted(pod, container), uid = pod.metadata?.uid ?? "";
    if (wanted.size === 0) return;
    const had = this.#blocks.get(uid)?.get(container.name);
    const nodes = had ? had[0]!.numaAffinity : this.#choose(uid, wanted, hint);
    const blocks = had ?? [...wanted].map(([type, size]): Block => ({ numaAffinity: nodes, type, size }));
    if (!had) {
      for (const { type, size } of blocks) {
        this.#nodes.reserve(nodes, type, Math.max(size - this.#reusableOf(uid, nodes, type), 0));
      }
      this.#blocks.set(uid, (this.#blocks.get(uid) ?? new Map()).set(container.name, blocks));
      this.#shrinkBefore(pod, container, blocks);
    }
    this.#noteReusable(pod, container, blocks);
  }

  #choose(uid: string, wanted: Bytes, hint: Hint): Nodes {
    const all = this.#hints(uid, wanted);
    let { nodes, preferred } = hint;
    if (nodes === undefined) {
      if (all.length === 0) {
        throw new Error(
          "[memorymanager] failed to get the default NUMA affinity, no NUMA nodes with enough memory is available",
        );
      }
      const found = bestOf(all);
      if (!found.preferred && preferred) throw new Error("[memorymanager] failed to find the default preferred hint");
      ({ nodes, preferred } = found);
    }
    if ([...wanted].some(([type, n]) => this.#nodes.sum(nodes!, type, "free") < n)) {
      const wider = all.filter((h) => nodes!.every((id) => h.nodes!.includes(id)));
      if (wider.length === 0) {
        throw new Error("[memorymanager] failed to find NUMA nodes to extend the current topology hint");
      }
      const found = bestOf(wider);
      if (!found.preferred && preferred) throw new Error("[memorymanager] failed to find the extended preferred hint");
      nodes = found.nodes;
    }
    if (this.#nodes.clashes(nodes!)) throw new Error("[memorymanager] preferred hint violates NUMA node allocation");
    return nodes!;
  }

  #noteReusable(pod: Pod, container: Container, blocks: readonly Block[]): void {
    const uid = pod.metadata?.uid ?? "", reusable = this.#reusable.get(uid) ?? new Map<string, number>();
    this.#reusable.set(uid, reusable);
    const passes = (pod.spec?.initContainers ?? []).some((c) => c.name === container.name) &&
      !isSidecar(pod, container);
    for (const { numaAffinity, type, size } of blocks) {
      const key = `${numaAffinity}/${type}`, was = reusable.get(key) ?? 0;
      reusable.set(key, passes ? Math.max(was, size) : Math.max(was - size, 0));
    }
  }

  /** What is had again is no longer counted with the init containers that had it: sums stay what was given. */
  #shrinkBefore(pod: Pod, container: Container, blocks: readonly Block[]): void {
    const of = this.#blocks.get(pod.metadata?.uid ?? "")!;
    for (const { numaAffinity, type, size } of blocks) {
      let left = size;
      for (const before of pod.spec?.initContainers ?? []) {
        if (before.name === container.name) break;
        if (isSidecar(pod, before)) continue;
        of.set(
          before.name,
          (of.get(before.name) ?? []).map((b) => {
            if (b.type !== type || !equal(b.numaAffinity, numaAffinity)) return b;
            const here = Math.min(left, b.size);
            left -= here;
            return { ...b, size: b.size - here };
          }),
        );
        if (of.get(before.name)!.length === 0) of.delete(before.name);
      }
    }
  }

  /** Takes back what containers have that are no more. @param isKept of uid and name */
  release(isKept: (uid: string, container: string) => boolean): void {
    const gone = [...this.#blocks].some(([uid, of]) => [...of.keys()].some((name) => !isKept(uid, name)));
    if (!gone) return;
    const kept = [...this.#blocks].map(([uid, of]) =>
      [uid, new Map([...of].filter(([name]) => isKept(uid, name)))] as const
    );
    this.#rebuild(new Map(kept.filter(([, of]) => of.size > 0)));
    for (const uid of this.#reusable.keys()) if (!this.#blocks.has(uid)) this.#reusable.delete(uid);
  }
}

/** The hints that a container's blocks stand for. */
function again(blocks: readonly Block[], wanted: Bytes): Hints {
  const fits = blocks.length === wanted.size && blocks.every((b) => wanted.get(b.type) === b.size);
  return fits ? new Map(blocks.map((b) => [b.type, [{ nodes: b.numaAffinity, preferred: true }]])) : undefined;
}

// With no nodes that will do the public agent has no preference here, and fails when memory is given.
const byResource = (wanted: Bytes, hints: readonly Hint[]): Hints =>
  hints.length === 0 ? undefined : new Map([...wanted.keys()].map((type) => [type, hints]));

const bestOf = (hints: readonly Hint[]): Hint =>
  hints.reduce((a, b) => a.preferred !== b.preferred ? (a.preferred ? a : b) : isNarrower(b.nodes!, a.nodes!) ? b : a);
