/** Pruning: members that a schema does not specify are dropped (specification, "Versioning": custom resources). */
import { copyTree } from "../values/copy.ts";
import { isMap } from "../model/members.ts";
import type { Json, JsonMap } from "../model/types.ts";
import { isEmbedded, keepsUnknown, propertyOf, type Schema, TYPE_MEMBERS, valuesOf } from "./schema.ts";

/** Most paths that are told, and most characters of them: an object may have a hundred thousand, each long. */
const MAX_PATHS = 1000, MAX_TEXT = 1 << 20;

/** Paths of what was dropped, as far as they are told. */
class Dropped {
  readonly paths: string[] = [];
  #told = 0;
  add(path: string): void {
    if (this.paths.length >= MAX_PATHS || this.#told > MAX_TEXT) return;
    this.#told += path.length;
    this.paths.push(path);
  }
}

/** Drops what the schema does not specify, in place; gives the paths of what was dropped, sorted, at most 1000. */
export function prune(object: JsonMap, schema: Schema): string[] {
  const dropped = new Dropped();
  pruneMap(object, schema, "", dropped, true);
  return dropped.paths.sort();
}

/** Whether a part of an object has members that its schema does not specify. It is left alone. */
export function hasUnknown(value: Json, schema: Schema): boolean {
  const dropped = new Dropped(), copy = copyTree(value);
  if (isMap(copy)) pruneMap(copy, schema, "", dropped, isEmbedded(schema));
  else pruneValue(copy, schema, "", dropped);
  return dropped.paths.length > 0;
}

/** `schema` undefined: nothing is specified here. */
function pruneValue(v: Json, schema: Schema | undefined, path: string, dropped: Dropped): void {
  if (Array.isArray(v)) v.forEach((item, i) => pruneItem(item, schema, `${path}[${i}]`, dropped));
  else if (isMap(v)) pruneMap(v, schema, path, dropped, false);
}

function pruneItem(item: Json, list: Schema | undefined, path: string, dropped: Dropped): void {
  // Of a list whose unknown parts are kept, those of its items are.
  pruneValue(item, list && keepsUnknown(list) ? { ...list.items, ...KEEP } : list?.items, path, dropped);
}

const KEEP = { "x-kubernetes-preserve-unknown-fields": true } as const;

function pruneMap(map: JsonMap, schema: Schema | undefined, path: string, dropped: Dropped, root: boolean): void {
  const typed = root || (schema !== undefined && isEmbedded(schema));
  for (const name of Object.keys(map)) {
    if (typed && TYPE_MEMBERS.has(name)) continue;
    const below = path ? `${path}.${name}` : name;
    const property = schema && propertyOf(schema, name);
    if (property) pruneValue(map[name]!, property, below, dropped);
    else if (schema?.additionalProperties !== undefined) {
      // `true` specifies nothing of the values, so their own members go; what `false` forbids is for validation to refuse.
      pruneValue(map[name]!, valuesOf(schema), below, dropped);
    } else if (!schema || !keepsUnknown(schema)) {
      dropped.add(below);
      delete map[name];
    }
  }
}
