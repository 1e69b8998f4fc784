/** What several servers serve, as one aggregated discovery document. */
import { isDeepStrictEqual } from "node:util";
import type { JsonMap } from "../../schema/model/types.ts";
import { mergedOrder } from "./order.ts";

/** Something with parts that are found by their names: a document and its groups, a group and its versions, … */
interface Level {
  name(part: JsonMap): string;
  /** Two parts of the same name as one; the first itself where the second adds nothing. */
  merge(a: JsonMap, b: JsonMap): JsonMap;
}

/** Parts of two lists as one list; the first itself where the second adds nothing and has the same order. */
function mergeParts(a: readonly JsonMap[], b: readonly JsonMap[], { name, merge }: Level): readonly JsonMap[] {
  const [names, others] = [a.map(name), b.map(name)];
  const parts = new Map(a.map((part) => [name(part), part]));
  let changed = false;
  for (const part of b) {
    const old = parts.get(name(part));
    const merged = old ? merge(old, part) : part;
    if (old && merged !== old) changed = true;
    parts.set(name(part), merged);
  }
  const alike = isDeepStrictEqual(names, others);
  if (alike && !changed) return a;
  return (alike ? names : mergedOrder([names, others])).map((n) => parts.get(n)!);
}

const text = (part: JsonMap, field: string): string => String(part[field] ?? "");
const list = (part: JsonMap, field: string): readonly JsonMap[] => (part[field] ?? []) as JsonMap[];

/** Verbs and subresources of both, in the order of their text. */
function mergeResource(a: JsonMap, b: JsonMap): JsonMap {
  if (isDeepStrictEqual(a, b)) return a;
  const verbs = [...new Set([a, b].flatMap((r) => (r["verbs"] ?? []) as string[]))].sort();
  const byName = new Map([a, b].flatMap((r) => list(r, "subresources")).map((s) => [text(s, "subresource"), s]));
  const subresources = [...byName].sort(([x], [y]) => x < y ? -1 : 1).map(([, s]) => s);
  return { ...a, verbs, ...(subresources.length > 0 ? { subresources } : {}) };
}

/** A part whose own parts are those of both. */
const within = (field: string, level: Level) => (a: JsonMap, b: JsonMap): JsonMap => {
  const own = list(a, field), merged = mergeParts(own, list(b, field), level);
  return merged === own ? a : { ...a, [field]: [...merged] };
};

const RESOURCES: Level = { name: (r) => text(r, "resource"), merge: mergeResource };
const VERSIONS: Level = { name: (v) => text(v, "version"), merge: within("resources", RESOURCES) };
const GROUPS: Level = {
  name: (g) => text((g["metadata"] ?? {}) as JsonMap, "name"),
  merge: within("versions", VERSIONS),
};

/** Groups that a server serves, by its identity. */
export type GroupsOf = ReadonlyMap<string, readonly JsonMap[]>;

/**
 * Groups of a server and of its peers: servers in the order of their identities, so that each of them says the same. The
 * server's own where the others add nothing.
 */
export function mergedGroups(identity: string, own: readonly JsonMap[], peers: GroupsOf): readonly JsonMap[] {
  if (peers.size === 0) return own;
  const all = [...new Map([...peers, [identity, own] as const])].sort(([x], [y]) => x < y ? -1 : 1).map(([, g]) => g);
  const names = own.map(GROUPS.name);
  const parts = new Map<string, JsonMap>();
  let same = true;
  for (const groups of all) {
    for (const group of groups) {
      const old = parts.get(GROUPS.name(group));
      const merged = old ? GROUPS.merge(old, group) : group;
      if (old && merged !== old) same = false;
      parts.set(GROUPS.name(group), merged);
    }
  }
  const lists = all.map((groups) => groups.map(GROUPS.name));
  const alike = lists.every((l) => isDeepStrictEqual(l, names));
  if (alike && same) return own;
  return (alike ? names : mergedOrder(lists)).map((name) => parts.get(name)!);
}
