/** Takes processors that lie close to one another. */
import type { Cpus, Level, Topology } from "./topology.ts";

/** How they are taken. */
export interface TakeOptions {
  /** Not more of a core than needed: threads of different cores first. */
  readonly spreadCores: boolean;
  /** Whole caches first, and few of them. */
  readonly alignCaches: boolean;
}

const lacking = (wanted: number, free: Cpus) =>
  new Error(`not enough cpus available to satisfy request: requested=${wanted}, available=${free.size}`);

/** Processors free and taken so far. */
class Taking {
  readonly taken = new Set<number>();
  readonly free: Set<number>;
  /** The larger of socket and node first. */
  readonly levels: readonly Level[];

  constructor(readonly topology: Topology, free: Cpus, public needed: number) {
    this.free = new Set(free);
    const nodeFirst = topology.groups("socket").length >= topology.groups("node").length;
    this.levels = nodeFirst ? ["node", "socket", "core"] : ["socket", "node", "core"];
  }

  get satisfied(): boolean {
    return this.needed < 1;
  }

  take(cpus: Iterable<number>): void {
    for (const cpu of cpus) {
      this.taken.add(cpu);
      this.free.delete(cpu);
      this.needed--;
    }
  }

  /** Those with few free processors first. */
  bySize(level: Level, ids: readonly number[]): readonly number[] {
    const size = new Map(ids.map((id) => [id, this.topology.within(level, [id], this.free).size]));
    return ids.toSorted((a, b) => size.get(a)! - size.get(b)! || a - b);
  }

  /** Groups of a level with free processors: in the order of the groups that they lie in, then by size. */
  sorted(level: Level): readonly number[] {
    const above = level === "cache" ? "node" : this.levels[this.levels.indexOf(level) - 1];
    if (above === undefined) return this.bySize(level, this.topology.groups(level, this.free));
    const parts = this.sorted(above).map((id) => this.topology.within(above, [id], this.free));
    return [...new Set(parts.flatMap((cpus) => this.bySize(level, this.topology.groups(level, cpus))))];
  }

  /** All groups that are wholly free and not too large. */
  takeWhole(level: Level): void {
    for (const id of this.sorted(level)) {
      const cpus = this.topology.within(level, [id]);
      if (cpus.size <= this.needed && cpus.isSubsetOf(this.free)) this.take(cpus);
    }
  }

  takeCaches(): void {
    for (const cache of this.sorted("cache")) {
      if (this.needed >= this.topology.size("cache")) this.takeWhole("cache");
      if (this.satisfied) return;
      this.takePart(cache);
      if (this.satisfied) return;
    }
  }

  /** What is still needed out of one cache, if that is enough. */
  takePart(cache: number): void {
    const { topology } = this, threads = topology.size("core");
    const cores = topology.groups("core", topology.within("cache", [cache], this.free));
    const wanted = cores.slice(0, Math.ceil(this.needed / threads));
    const cpus = [...topology.within("core", wanted, this.free)].sort((a, b) => a - b);
    // Of the last core one thread may be too many.
    if (this.needed % 2 !== 0 && threads > 1 && cpus.length > this.needed) cpus.pop();
    if (cpus.length === this.needed) this.take(cpus);
  }

  takeRest(level: Level): void {
    const order = this.sorted(level).flatMap((id) =>
      [...this.topology.within(level, [id], this.free)].sort((a, b) => a - b)
    );
    this.take(order.slice(0, this.needed));
  }
}

/** So many processors: whole nodes and sockets, whole cores, then single threads of cores that are used in part. @throws Error */
export function takePacked(topology: Topology, free: Cpus, wanted: number, options: TakeOptions): Cpus {
  const t = new Taking(topology, free, wanted);
  if (t.satisfied) return t.taken;
  if (wanted > free.size) throw lacking(wanted, free);
  const steps: readonly (() => void)[] = [
    () => t.takeWhole(t.levels[0]!),
    () => t.takeWhole(t.levels[1]!),
    ...options.alignCaches ? [() => t.takeCaches()] : [],
    ...options.spreadCores ? [() => t.takeRest("socket")] : [() => t.takeWhole("core"), () => t.takeRest("core")],
  ];
  for (const step of steps) {
    step();
    if (t.satisfied) return t.taken;
  }
  throw new Error("failed to allocate cpus");
}

/** All choices of so many out of a list, in its order. */
export function* choices<T>(list: readonly T[], count: number, from = 0): Generator<readonly T[]> {
  if (count === 0) yield [];
  for (let i = from; count > 0 && i <= list.length - count; i++) {
    for (const rest of choices(list, count - 1, i + 1)) yield [list[i]!, ...rest];
  }
}

const thousandth = (n: number) => Math.round(n * 1000) / 1000;

function deviation(numbers: readonly number[]): number {
  const mean = thousandth(numbers.reduce((a, b) => a + b, 0) / numbers.length);
  return thousandth(Math.sqrt(numbers.reduce((sum, n) => sum + (n - mean) ** 2, 0) / numbers.length));
}

/** How processors are spread over nodes. */
interface Spread {
  readonly nodes: readonly number[];
  /** From each node. */
  readonly each: number;
  /** Nodes that give what is left over. */
  readonly rest: readonly number[];
  readonly balance: number;
  readonly oneSocket: boolean;
}

/**
 * So many processors in groups of a size, evenly over as few nodes as can be, so that what is left is even too; packed where that
 * cannot be. @throws Error
 */
export function takeSpread(
  topology: Topology,
  free: Cpus,
  wanted: number,
  group: number,
  bySocket: boolean,
  options: TakeOptions,
): Cpus {
  const packed = () => takePacked(topology, free, wanted, { ...options, alignCaches: false });
  if (wanted < 1 || wanted % group !== 0) return packed();
  if (wanted > free.size) throw lacking(wanted, free);
  const nodes = new Taking(topology, free, wanted).sorted("node");
  const perNode = Math.ceil(Math.ceil(topology.all.size / group) / topology.groups("node").length);
  const groups = Math.ceil(wanted / group);
  for (let k = Math.ceil(groups / perNode); k <= Math.min(groups, nodes.length); k++) {
    const best = bestSpread(topology, free, wanted, group, bySocket, nodes, k);
    if (!best) continue;
    const left = new Set(free), out = new Set<number>();
    const give = (node: number, count: number) => {
      const cpus = takePacked(topology, topology.within("node", [node], left), count, {
        ...options,
        alignCaches: false,
      });
      for (const cpu of cpus) {
        out.add(cpu);
        left.delete(cpu);
      }
    };
    for (const node of best.nodes) give(node, best.each);
    for (let i = 0, idle = 0; out.size < wanted && idle < best.rest.length; i++) {
      const node = best.rest[i % best.rest.length]!;
      const enough = topology.within("node", [node], left).size >= group;
      if (enough) give(node, group);
      idle = enough ? 0 : idle + 1;
    }
    if (out.size === wanted) return out;
    throw new Error(`accounting error, not enough CPUs allocated, remaining: ${wanted - out.size}`);
  }
  return packed();
}

function bestSpread(
  topology: Topology,
  free: Cpus,
  wanted: number,
  group: number,
  bySocket: boolean,
  nodes: readonly number[],
  k: number,
): Spread | undefined {
  const has = new Map(nodes.map((node) => [node, topology.within("node", [node], free).size]));
  const inGroups = (node: number) => Math.floor(has.get(node)! / group) * group;
  let best: Spread | undefined;
  for (const combo of choices(nodes, k)) {
    if (best?.balance === 0 && (!bySocket || best.oneSocket)) break;
    if (combo.reduce((sum, node) => sum + inGroups(node), 0) < wanted) continue;
    const even = Math.floor(wanted / k / group) * group;
    const each = bySocket ? Math.min(even, ...combo.map(inGroups)) : even;
    if (combo.some((node) => has.get(node)! < each)) continue;
    const after = new Map([...has].map(([node, n]) => [node, combo.includes(node) ? n - each : n]));
    const rest = restOf(after, combo.filter((node) => after.get(node)! >= group), wanted - each * k, group);
    if (!rest) continue;
    const oneSocket = bySocket && topology.groups("socket", topology.within("node", combo)).length === 1;
    const better = !best || (oneSocket !== best.oneSocket ? oneSocket : rest.balance < best.balance);
    if (better) best = { nodes: combo, each, rest: rest.nodes, balance: rest.balance, oneSocket };
  }
  return best;
}

/** Which nodes give what is left over, so that afterwards all have as much as can be. */
function restOf(after: ReadonlyMap<number, number>, nodes: readonly number[], rest: number, group: number) {
  if (rest === 0) return { nodes: [], balance: deviation([...after.values()]) };
  let best: { nodes: readonly number[]; balance: number } | undefined;
  for (let k = nodes.length; k >= 1; k--) {
    for (const subset of choices(nodes, k)) {
      const left = new Map(after);
      let open = rest;
      for (let gave = true; open > 0 && gave;) {
        gave = false;
        for (const node of subset) {
          if (open === 0 || left.get(node)! < group) continue;
          left.set(node, left.get(node)! - group);
          open -= group;
          gave = true;
        }
      }
      if (open > 0) continue;
      const balance = deviation([...left.values()]);
      if (!best || balance < best.balance) best = { nodes: subset, balance };
    }
  }
  return best;
}
