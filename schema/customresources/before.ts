/** What values were before an update, and whether they are still the same. */
import { isMap } from "../model/members.ts";
import type { Json, JsonMap } from "../model/types.ts";
import { propertyOf, type Schema, valuesOf } from "./schema.ts";

/** What stands for "there was nothing to compare with". */
export const NOTHING: unique symbol = Symbol("no old value");
/** What a value was. */
export type Old = Json | undefined | typeof NOTHING;

/** What an item was: items can be told again by their keys only. */
export function itemBefore(old: Old, s: Schema, item: Json): Old {
  const keys = s["x-kubernetes-list-map-keys"];
  if (!Array.isArray(old) || s["x-kubernetes-list-type"] !== "map" || !keys || !isMap(item)) return NOTHING;
  const alike = old.length > INDEXED_FROM ? indexOf(old, s, keys).get(textOf(item, s, keys)) ?? [] : old;
  const found = alike.find((o) => isMap(o) && keys.every((k) => sameJson(keyOf(o, s, k), keyOf(item, s, k))));
  return found ?? NOTHING;
}

/** Items of lists that are longer are found by an index: looking at all for each would hold the process. */
const INDEXED_FROM = 16;

/** The items of a list by the text of their keys; items whose keys are equal have the same text, in the order of the list. */
type Index = ReadonlyMap<string, readonly Json[]>;
const INDEXES = new WeakMap<readonly Json[], { readonly s: Schema; readonly index: Index }>();

function indexOf(old: readonly Json[], s: Schema, keys: readonly string[]): Index {
  const known = INDEXES.get(old);
  if (known?.s === s) return known.index;
  const index = Map.groupBy(old.filter((o) => isMap(o)), (o) => textOf(o, s, keys));
  INDEXES.set(old, { s, index });
  return index;
}

const textOf = (item: JsonMap, s: Schema, keys: readonly string[]): string =>
  keys.map((k) => {
    const v = keyOf(item, s, k);
    return v === null || typeof v !== "object" ? String(typeof v === "bigint" ? Number(v) : v) : "{}";
  }).join("\n");

const keyOf = (item: JsonMap, s: Schema, key: string): Json => item[key] ?? s.items?.properties?.[key]?.default ?? null;

/** Equality of JSON values; numbers by their value. */
export function sameJson(a: Json | undefined | symbol, b: Json | undefined): boolean {
  if ((typeof a === "number" || typeof a === "bigint") && (typeof b === "number" || typeof b === "bigint")) {
    return a == b;
  }
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return a === b;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((x, i) => sameJson(x, b[i]));
  }
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((n) => Object.hasOwn(b, n) && sameJson(a[n], b[n]));
}

/**
 * Whether a value is what it was, as far as the schema can tell: lists with keys may change their order, and what the
 * schema does not speak of counts as changed.
 */
export function unchanged(v: Json, old: Old, s: Schema): boolean {
  if (old === NOTHING || old === undefined || v === null || old === null) return v === old;
  if (Array.isArray(v) || Array.isArray(old)) {
    return Array.isArray(v) && Array.isArray(old) && v.length === old.length && unchangedList(v, old, s);
  }
  if (!isMap(v) || !isMap(old)) return sameJson(v, old);
  const names = Object.keys(v);
  return names.length === Object.keys(old).length && names.every((name) => {
    const by = propertyOf(s, name) ?? valuesOf(s);
    return by !== undefined && Object.hasOwn(old, name) && unchanged(v[name]!, old[name]!, by);
  });
}

function unchangedList(v: readonly Json[], old: Json[], s: Schema): boolean {
  if (s["x-kubernetes-list-type"] !== "map" || !s.items) return sameJson(v as Json[], old);
  return v.every((item) => {
    const was = itemBefore(old, s, item);
    return was !== NOTHING && unchanged(item, was, s.items!);
  });
}
