/** The shape of conversion tables. */
import type { Steps } from "../codec/emptied.ts";
import { isMap } from "../model/members.ts";
import type { Json, JsonMap } from "../model/types.ts";
import type { Product } from "../product.ts";

/** Reshapes an object, or an item of a list, given and returned without `apiVersion` and `kind`. Never changes its argument. */
export type Reshape = (object: JsonMap, product: Product) => JsonMap;

/** How one version's shape differs from the hub's, the shape of the stored version. */
export interface VersionShape {
  /** From this version to the hub. */
  readonly toHub: Reshape;
  readonly fromHub: Reshape;
  /** Where a place of this version stands in the hub. Default: where it stood. */
  readonly placeInHub?: (path: Steps) => Steps;
}

/** Shapes by `<public group>/<version> <kind>`. */
export type ShapeTable = Readonly<Record<string, VersionShape>>;

/** The object with another value at a path; `*` steps into each item of a list. What is not there stays away. */
export function edit(object: JsonMap, path: readonly string[], change: (value: JsonMap) => JsonMap): JsonMap {
  const [step, ...rest] = path;
  if (step === undefined) return change(object);
  const value = object[step];
  if (rest[0] === "*") {
    if (!Array.isArray(value)) return object;
    return { ...object, [step]: value.map((x) => isMap(x) ? edit(x, rest.slice(1), change) : x) };
  }
  return isMap(value) ? { ...object, [step]: edit(value, rest, change) } : object;
}

/** The object with members renamed; `undefined` values are left out. */
export function rename(object: JsonMap, names: Readonly<Record<string, string>>): JsonMap {
  return Object.fromEntries(Object.entries(object).map(([k, v]) => [Object.hasOwn(names, k) ? names[k]! : k, v]));
}

/** The names the other way round. */
export function inverse(names: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(names).map(([a, b]) => [b, a]));
}

/** A shape that differs from the hub's by names of members at a path. */
export function renamed(path: readonly string[], toHub: Readonly<Record<string, string>>): VersionShape {
  const back = inverse(toHub);
  return {
    toHub: (o) => edit(o, path, (m) => rename(m, toHub)),
    fromHub: (o) => edit(o, path, (m) => rename(m, back)),
  };
}

/** An object of the entries that are there. */
export function present(entries: Record<string, Json | undefined>): JsonMap {
  return Object.fromEntries(Object.entries(entries).filter(([, v]) => v !== undefined && v !== null)) as JsonMap;
}
