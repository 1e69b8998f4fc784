/** Walks over schemas of custom resources. */
import { isMap } from "../../model/members.ts";
import type { Path } from "../path.ts";
import { isSet, items, type Tree } from "../tree.ts";

/** Whether a part that may be a flag holds a schema. */
export const isSchema = (v: unknown): v is Tree => isMap(v);

/** Entries of a map of schemas. */
export function* entries(map: Tree | null | undefined): Generator<[string, Tree]> {
  for (const k in map) if (isSchema(map[k])) yield [k, map[k]];
}

const LISTS = ["allOf", "anyOf", "oneOf"], MAPS = ["properties", "patternProperties", "definitions", "dependencies"];
const ONES = ["not", "items", "additionalProperties", "additionalItems"];

/** The schemas right below one. */
export function* below(s: Tree): Generator<Tree> {
  for (const m of ONES) if (isSchema(s[m])) yield s[m];
  if (Array.isArray(s["items"])) yield* s["items"];
  for (const m of LISTS) yield* items(s[m]);
  for (const m of MAPS) for (const [, v] of entries(s[m])) yield v;
}

/** Whether a schema or one anywhere below it has some property. */
export function anySchema(s: Tree | null | undefined, is: (s: Tree) => boolean): boolean {
  if (!s) return false;
  if (is(s)) return true;
  for (const b of below(s)) if (anySchema(b, is)) return true;
  return false;
}

/** Whether a schema gives a default. A default of null is none. */
export const hasDefault = (s: Tree): boolean => isSet(s["default"]);

/** A member of `properties`. */
export const property = (path: Path, name: string): Path => path.child("properties").key(name);
