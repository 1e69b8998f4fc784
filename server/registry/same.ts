/** Whether a write would change anything. */
import type { Obj } from "../../schema/model/types.ts";

/** Equal but for `metadata.resourceVersion`. Both are canonical, so their texts can be compared. */
export function sameObject(a: Obj, b: Obj): boolean {
  return same(a, b, true);
}

/** Deep equality of JSON-shaped values, whatever the order of members. */
export function sameTree(a: unknown, b: unknown): boolean {
  return same(a, b, false);
}

function same(a: unknown, b: unknown, top: boolean): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((x, i) => same(x, b[i], false));
  }
  if (Array.isArray(b)) return false;
  const x = a as Record<string, unknown>, y = b as Record<string, unknown>;
  for (const k of Object.keys(x)) if (!same(skip(x, k, top), skip(y, k, top), false)) return false;
  for (const k of Object.keys(y)) if (!Object.hasOwn(x, k) && y[k] !== undefined) return false;
  return true;
}

function skip(o: Record<string, unknown>, key: string, top: boolean): unknown {
  const v = Object.hasOwn(o, key) ? o[key] : undefined;
  if (!top || key !== "metadata" || v === undefined) return v;
  const { resourceVersion: _, ...rest } = v as Record<string, unknown>;
  return rest;
}
