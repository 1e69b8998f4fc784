/** Walks over schemas of custom resources. */
import { isMap } from "../../model/members.ts";
import type { Path } from "../path.ts";
import { isSet, items, type Tree } from "../tree.ts";

/** Whether a part that may be a flag holds a schema. */
export const isSchema = (v: unknown): v is Tree => isMap(v);

/** Entries of a map of schemas. A list, not a generator: schemas have thousands of parts, and are walked some ten times. */
export function entries(map: Tree | null | undefined): [string, Tree][] {
  const out: [string, Tree][] = [];
  if (map) { for (const k of Object.keys(map)) if (isSchema(map[k])) out.push([k, map[k]]); }
  return out;
}

const LISTS = ["allOf", "anyOf", "oneOf"], MAPS = ["properties", "patternProperties", "definitions", "dependencies"];
const ONES = ["not", "items", "additionalProperties", "additionalItems"];

/** The schemas right below one. */
export function below(s: Tree): Tree[] {
  const out: Tree[] = [];
  for (const m of ONES) if (isSchema(s[m])) out.push(s[m]);
  if (Array.isArray(s["items"])) { for (const v of s["items"]) out.push(v); }
  for (const m of LISTS) for (const v of items(s[m])) out.push(v);
  for (const m of MAPS) for (const [, v] of entries(s[m])) out.push(v);
  return out;
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
