/** Equality and size of JSON values. */
import type { Json } from "../model/types.ts";

/** Equality of JSON values; the order of members does not matter. A `bigint` equals the number of the same value. */
export function jsonEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return scalarEqual(a, b);
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!jsonEqual(a[i], b[i])) return false;
    return true;
  }
  if (Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const k of keys) if (!Object.hasOwn(b, k) || !jsonEqual(a[k], b[k])) return false;
  return true;
}

/** Of the same value, whichever type holds it: `1n` and `1`. */
const scalarEqual = (a: Json | undefined, b: Json | undefined) => isNumber(a) && isNumber(b) && a <= b && b <= a;
const isNumber = (v: unknown): v is number | bigint => typeof v === "number" || typeof v === "bigint";

/** Length in bytes of the value as compact JSON. Exact, but that escapes in strings are counted as one byte each. */
export function jsonSize(v: Json): number {
  if (v === null) return 4;
  switch (typeof v) {
    case "string":
      return textSize(v);
    case "boolean":
      return v ? 4 : 5;
    case "object":
      break;
    default:
      return String(v).length;
  }
  let size = 1;
  if (Array.isArray(v)) {
    for (const item of v) size += jsonSize(item) + 1;
    return v.length === 0 ? 2 : size;
  }
  const keys = Object.keys(v);
  for (const k of keys) size += textSize(k) + 2 + jsonSize(v[k]!);
  return keys.length === 0 ? 2 : size;
}

const utf8 = new TextEncoder();
function textSize(s: string): number {
  return utf8.encode(s).length + 2;
}
