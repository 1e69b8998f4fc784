/** What the walks over typed values have in common: the shape of a value at a place, the element of a list's item, errors. */
import { isMap, member } from "../model/members.ts";
import type { Json, JsonMap } from "../model/types.ts";
import type { Atom, ListAtom } from "./atoms.ts";
import { jsonText, type PathElement, pathText, valueElement } from "./fieldpath.ts";

/** Thrown where a value does not fit its descriptor. `path` is as messages show it. */
export class TypedError extends Error {
  override readonly name = "TypedError";
  constructor(readonly path: string, readonly why: string, options?: { cause?: unknown }) {
    super(path ? `${path}: ${why}` : why, options);
  }
}

/** Fails at a place. */
export function fail(path: readonly PathElement[], why: string): never {
  throw new TypedError(pathText(path), why);
}

/** The shape that a value takes at a place. */
export type Shape = "scalar" | "list" | "map";

/**
 * The shape of a value among those that a place allows; undefined where the value does not decide (null, or none of
 * them), so that the place's first shape (map, scalar, list) holds.
 */
export function shapeOf(atom: Atom, v: Json): Shape | undefined {
  if (v === null) return undefined;
  if (typeof v !== "object") return atom.scalar && "scalar";
  if (Array.isArray(v)) return atom.list && "list";
  return atom.map && "map";
}

/** The shape that holds where none is decided. */
export function firstShape(atom: Atom): Shape {
  return atom.map ? "map" : atom.scalar ? "scalar" : "list";
}

/**
 * The element of an item of a list that is owned item by item: its keys, absent ones by their defaults; or the item itself.
 *
 * @throws {TypedError} for an item without any key, or that cannot be an item of a set
 */
export function itemElement(list: ListAtom, item: Json, path: readonly PathElement[]): PathElement {
  if (list.keys.length === 0) return setElement(item, path);
  if (!isMap(item)) fail(path, "items of a list with keys must be objects");
  let text = "";
  for (const key of list.keys) {
    const v = member(item, key.name) ?? (Object.hasOwn(item, key.name) ? null : key.default);
    if (v === undefined) continue;
    text += (text ? "," : "") + key.prefix + jsonText(v);
  }
  if (!text) fail(path, `an item has none of the keys ${list.keys.map((k) => JSON.stringify(k.name)).join(", ")}`);
  return `k:{${text}}`;
}

function setElement(item: Json, path: readonly PathElement[]): PathElement {
  if (typeof item === "object") fail(path, "items of a set must be scalars");
  return valueElement(item);
}

/** True for an absent, null or empty list. */
export const noItems = (v: Json | undefined): boolean => !Array.isArray(v) || v.length === 0;
/** True for an absent, null or empty object. */
export const noMembers = (v: Json | undefined): boolean => !isMap(v) || isEmpty(v);

function isEmpty(m: JsonMap): boolean {
  for (const k in m) if (Object.hasOwn(m, k)) return false;
  return true;
}
