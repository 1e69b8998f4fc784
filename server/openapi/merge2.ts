/** Documents of version 2 of several servers, as one. */
import { isDeepStrictEqual } from "node:util";
import { member } from "../../schema/model/members.ts";
import type { JsonMap } from "../../schema/model/types.ts";

/** A document of another server, and the beginning of its paths that are taken. */
export interface OtherDocument {
  readonly prefix: string;
  readonly document: JsonMap;
}

/** Parts of a document that others refer to. */
const SHARED = ["definitions", "parameters"] as const;
type Shared = typeof SHARED[number];
const KINDS = "x-kubernetes-group-version-kind";

const map = (value: unknown): JsonMap => (value ?? {}) as JsonMap;

/** Calls back with each reference in a tree; what that gives takes its place. */
function mapReferences(tree: unknown, each: (ref: string) => string): unknown {
  if (Array.isArray(tree)) return tree.map((part) => mapReferences(part, each));
  if (tree === null || typeof tree !== "object") return tree;
  return Object.fromEntries(
    Object.entries(tree).map(([key, value]) => [
      key,
      key === "$ref" && typeof value === "string" ? each(value) : mapReferences(value, each),
    ]),
  );
}

/** `#/definitions/a.b.C`. */
const referenceTo = (shared: Shared, name: string): string => `#/${shared}/${name}`;

/** What a tree refers to, and what that refers to in turn: trees by references. */
function reached(document: JsonMap, tree: unknown): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const visit = (ref: string): string => {
    if (found.has(ref)) return ref;
    const [, shared = "", name = ""] = /^#\/([^/]+)\/(.+)$/.exec(ref) ?? [];
    const target = member(map(document[shared]), name);
    if (target === undefined || !SHARED.includes(shared as Shared)) return ref;
    found.set(ref, target);
    mapReferences(target, visit);
    return ref;
  };
  mapReferences(tree, visit);
  return found;
}

const withoutKinds = (tree: unknown): unknown =>
  tree !== null && typeof tree === "object" && KINDS in tree ? { ...tree, [KINDS]: undefined } : tree;
const alike = (a: unknown, b: unknown): boolean => isDeepStrictEqual(withoutKinds(a), withoutKinds(b));

/** A name that is free in all of the places: the name with a number behind. */
function freeName(name: string, places: readonly JsonMap[]): string {
  for (let n = 2;; n++) {
    const next = `${name}_v${n}`;
    if (places.every((p) => !Object.hasOwn(p, next))) return next;
  }
}

/** New references for those that mean something else in the merged document; found until no more are. */
function renamesFor(merged: JsonMap, document: JsonMap, parts: ReadonlyMap<string, unknown>): Map<string, string> {
  const renames = new Map<string, string>();
  const renamed = (ref: string) => renames.get(ref) ?? ref;
  for (let before = -1; before < renames.size;) {
    before = renames.size;
    for (const [ref, tree] of parts) {
      const [, shared, name] = /^#\/([^/]+)\/(.+)$/.exec(ref) as unknown as [string, Shared, string];
      const there = member(map(merged[shared]), name);
      if (there === undefined || renames.has(ref) || alike(there, mapReferences(tree, renamed))) continue;
      renames.set(ref, referenceTo(shared, freeName(name, [map(merged[shared]), map(document[shared])])));
    }
  }
  return renames;
}

function add(merged: JsonMap, { prefix, document }: OtherDocument): JsonMap {
  const own = map(merged["paths"]);
  const paths = Object.entries(map(document["paths"])).filter(([p]) => p.startsWith(prefix) && !Object.hasOwn(own, p));
  const parts = reached(document, Object.fromEntries(paths));
  const renames = renamesFor(merged, document, parts);
  const renamed = (ref: string) => renames.get(ref) ?? ref;
  const out: JsonMap = {
    ...merged,
    paths: sorted({ ...own, ...map(mapReferences(Object.fromEntries(paths), renamed)) }),
  };
  for (const shared of SHARED) {
    const added: JsonMap = {};
    for (const [ref, tree] of parts) {
      if (!ref.startsWith(`#/${shared}/`)) continue;
      const name = renamed(ref).slice(shared.length + 3), there = member(map(merged[shared]), name);
      added[name] = withKinds(map(mapReferences(tree, renamed)), there);
    }
    if (Object.keys(added).length) out[shared] = sorted({ ...map(merged[shared]), ...added });
  }
  return out;
}

/** A definition with the kinds of both. */
function withKinds(tree: JsonMap, there: unknown): JsonMap {
  if (there === undefined) return tree;
  const kinds = [there, tree].flatMap((t) => (map(t)[KINDS] ?? []) as JsonMap[]);
  const unique = new Map(kinds.map((k) => [JSON.stringify([k["group"], k["version"], k["kind"]]), k]));
  return unique.size ? { ...tree, [KINDS]: [...unique.values()] } : tree;
}

const sorted = (tree: JsonMap): JsonMap =>
  Object.fromEntries(Object.entries(tree).sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0));

/**
 * A document with the paths of others, and what those refer to: by another name where it has something else under that
 * name. Of two of the same path the first stays. One that cannot be merged is left out: clients need the rest.
 */
export function mergedDocument(own: JsonMap, others: readonly OtherDocument[]): JsonMap {
  return others.reduce((merged, other) => {
    try {
      return add(merged, other);
    } catch {
      return merged;
    }
  }, own);
}
