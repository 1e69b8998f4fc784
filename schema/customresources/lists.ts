/** Lists that are sets or maps: no item twice (specification, "Versioning": custom resources). */
import { isMap } from "../model/members.ts";
import type { Json, JsonMap } from "../model/types.ts";
import type { ErrorList } from "../rules/errors.ts";
import { Path } from "../rules/path.ts";
import { propertyOf, type Schema, valuesOf } from "./schema.ts";

/** Checks all lists of an object. */
export function validateLists(object: JsonMap, schema: Schema, errors: ErrorList): void {
  visitMap(object, schema, undefined, errors);
}

function visitMap(v: JsonMap, s: Schema, path: Path | undefined, errors: ErrorList): void {
  for (const name of Object.keys(v)) {
    const own = propertyOf(s, name);
    const at = !path ? Path.of(name) : own ? path.child(name) : path.key(name);
    visit(v[name]!, own ?? valuesOf(s), at, errors);
  }
}

function visit(v: Json, s: Schema | undefined, path: Path, errors: ErrorList): void {
  if (!s) return;
  if (isMap(v)) return visitMap(v, s, path, errors);
  if (!Array.isArray(v)) return;
  const type = s["x-kubernetes-list-type"];
  if (type === "set") unique(v, path, errors);
  else if (type === "map") keyed(v, s["x-kubernetes-list-map-keys"] ?? [], path, errors);
  v.forEach((item, i) => visit(item, s.items, path.index(i), errors));
}

function keyed(v: Json[], keys: readonly string[], path: Path, errors: ErrorList): void {
  const bad = v.findIndex((item) => item !== null && !isMap(item));
  if (bad >= 0) return errors.invalid(path.index(bad), v[bad], "must be an object for an array of list-type map");
  unique(v.map((item) => keysOf(item as JsonMap | null, keys)), path, errors);
}

const keysOf = (item: JsonMap | null, keys: readonly string[]): JsonMap =>
  Object.fromEntries(keys.flatMap((k) => item && Object.hasOwn(item, k) ? [[k, item[k]!]] : []));

/** Each value that comes again is told once, where it comes the second time. */
function unique(v: readonly Json[], path: Path, errors: ErrorList): void {
  const seen = new Map<string, number>();
  v.forEach((item, i) => {
    const text = textOf(item);
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    if (times === 2) errors.duplicate(path.index(i), item);
  });
}

/** Text of a value with its members sorted. */
function textOf(v: Json): string {
  return JSON.stringify(v, (_k, x) => {
    if (typeof x === "bigint") return { "": String(x) };
    return isMap(x) ? Object.fromEntries(Object.entries(x).sort(([a], [b]) => a < b ? -1 : 1)) : x;
  });
}
