/** Which NUMA nodes a container may use, and how hints of several resources become one. */
import type { MemoryNode } from "./topology.ts";
import { choices } from "./take.ts";

/** Nodes by number, ascending. */
export type Nodes = readonly number[];

/** Nodes on which a resource can be had; undefined: on any. */
export interface Hint {
  readonly nodes: Nodes | undefined;
  /** As few as can be. */
  readonly preferred: boolean;
}

/** Hints by resource; undefined: no preference. An empty list: none will do. */
export type Hints = ReadonlyMap<string, readonly Hint[]> | undefined;

/** `--topology-manager-policy`. */
export const TOPOLOGY_POLICIES = ["none", "best-effort", "restricted", "single-numa-node"] as const;
/** Any of them. */
export type TopologyPolicy = (typeof TOPOLOGY_POLICIES)[number];

const LEAST_MOST_NODES = 8;

/** What `--topology-manager-policy-options` says. */
export interface TopologyOptions {
  readonly closest: boolean;
  readonly mostNodes: number;
}

/** Reads them. @throws Error */
export function parseTopologyOptions(options: Readonly<Record<string, string>>): TopologyOptions {
  const { "prefer-closest-numa-nodes": closest = "false", "max-allowable-numa-nodes": most = "8", ...rest } = options;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw new Error(`unknown Topology Manager Policy option: ${JSON.stringify(unknown)}`);
  const mostNodes = Number(/^\d{1,3}$/.exec(most)?.[0] ?? NaN);
  if (!(mostNodes >= LEAST_MOST_NODES)) {
    throw new Error(`the minimum value of "max-allowable-numa-nodes" should not be less than ${LEAST_MOST_NODES}`);
  }
  return { closest: parseBoolean("prefer-closest-numa-nodes", closest), mostNodes };
}

/** A switch of an option. @throws Error */
export function parseBoolean(name: string, text: string): boolean {
  if (/^(?:1|t|true)$/i.test(text)) return true;
  if (/^(?:0|f|false)$/i.test(text)) return false;
  throw new Error(`bad value for option ${JSON.stringify(name)}: ${JSON.stringify(text)} is neither true nor false`);
}

/** All choices of nodes, few before many. */
export function* nodeChoices(nodes: Nodes): Generator<Nodes> {
  for (let count = 1; count <= nodes.length; count++) yield* choices(nodes, count);
}

const same = (a: Nodes, b: Nodes) => a.length === b.length && a.every((node, i) => node === b[i]);

/** Fewer nodes, or as many of lower numbers. */
export function isNarrower(a: Nodes, b: Nodes): boolean {
  if (a.length !== b.length) return a.length < b.length;
  for (let i = a.length - 1; i >= 0; i--) if (a[i] !== b[i]) return a[i]! < b[i]!;
  return false;
}

/** A policy's verdict. */
export interface Verdict {
  readonly hint: Hint;
  readonly admitted: boolean;
}

/** Joins hints of all resources by a policy. */
export function mergeHints(
  policy: TopologyPolicy,
  nodes: readonly MemoryNode[],
  options: TopologyOptions,
  given: readonly Hints[],
): Verdict {
  const any: readonly Hint[] = [{ nodes: undefined, preferred: true }];
  const none: readonly Hint[] = [{ nodes: undefined, preferred: false }];
  const lists = given.flatMap((hints) =>
    hints === undefined || hints.size === 0 ? [any] : [...hints.values()].map((list) => list.length === 0 ? none : list)
  );
  const all = nodes.map(({ id }) => id);
  if (policy !== "single-numa-node") {
    const hint = best(lists, all, nodes, options.closest);
    return { hint, admitted: policy !== "restricted" || hint.preferred };
  }
  const single = lists.map((list) =>
    list.filter((h) => h.preferred && (h.nodes === undefined || h.nodes.length === 1))
  );
  const hint = best(single, all, nodes, false);
  return { hint: same(hint.nodes!, all) ? { ...hint, nodes: undefined } : hint, admitted: hint.preferred };
}

function* permutations(lists: readonly (readonly Hint[])[], at = 0): Generator<readonly Hint[]> {
  if (at === lists.length) yield [];
  else for (const hint of lists[at]!) for (const rest of permutations(lists, at + 1)) yield [hint, ...rest];
}

function best(lists: readonly (readonly Hint[])[], all: Nodes, memory: readonly MemoryNode[], closest: boolean): Hint {
  // Of hints that are not preferred the one that is about as wide as the widest need is best.
  const aim = Math.max(
    0,
    ...lists.map((list) => Math.min(...list.map((h) => h.nodes?.length ?? Infinity))).filter(isFinite),
  );
  let found: Required<Hint> | undefined;
  for (const hints of permutations(lists)) {
    const masks = hints.map((h) => h.nodes).filter((n) => n !== undefined);
    const nodes = all.filter((node) => masks.every((mask) => mask.includes(node)));
    if (nodes.length === 0) continue;
    const preferred = hints.every((h) => h.preferred) && masks.every((mask) => same(mask, masks[0]!));
    const candidate = { nodes, preferred };
    if (!found || isBetter(candidate, found, aim, closest ? memory : undefined)) found = candidate;
  }
  return found ?? { nodes: all, preferred: false };
}

function isBetter(a: Hint, b: Hint, aim: number, memory: readonly MemoryNode[] | undefined): boolean {
  if (a.preferred !== b.preferred) return a.preferred;
  const x = a.nodes!.length, y = b.nodes!.length;
  if (a.preferred || y > aim || x === y) return isFitter(a.nodes!, b.nodes!, memory);
  return y !== aim && x <= aim && (x === aim || x > y);
}

function isFitter(a: Nodes, b: Nodes, memory: readonly MemoryNode[] | undefined): boolean {
  if (memory && a.length === b.length) {
    const x = meanDistance(a, memory), y = meanDistance(b, memory);
    if (x !== y) return x < y;
  }
  return isNarrower(a, b);
}

function meanDistance(nodes: Nodes, memory: readonly MemoryNode[]): number {
  const index = new Map(memory.map(({ id }, i) => [id, i]));
  const pairs = nodes.flatMap((from) => nodes.map((to) => memory[index.get(from)!]?.distances?.[index.get(to)!] ?? 0));
  return pairs.reduce((a, b) => a + b, 0) / pairs.length;
}
