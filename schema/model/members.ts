/** Maps of JSON trees. Their keys come from clients and may be `constructor` or `__proto__`. */
import { compareUtf8, isHigh } from "../values/utf8.ts";
import type { Json, JsonMap } from "./types.ts";

/** True for an object, false for null, a list and a scalar. */
export function isMap(v: unknown): v is JsonMap {
  return typeof v === "object" && v !== null && !Array.isArray(v);
}

/** An own member, else undefined. */
export function member(map: JsonMap, key: string): Json | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Sets an own member, also one called `__proto__`, which plain assignment would not. */
export function setMember(map: JsonMap, key: string, value: Json): void {
  if (key === "__proto__") {
    Object.defineProperty(map, key, { value, enumerable: true, writable: true, configurable: true });
  } else map[key] = value;
}

/** Keys in the order that the JSON form has them: of their UTF-8 bytes. */
export function sortedKeys(map: JsonMap): string[] {
  const keys = Object.keys(map);
  for (let i = 1; i < keys.length; i++) {
    if (keys[i - 1]! >= keys[i]! || isHigh(keys[i]!)) return keys.sort(compareUtf8);
  }
  return keys;
}
