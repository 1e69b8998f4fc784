/** Simple paths through an object (`.spec.replicas`), as definitions name replicas, selectors and selectable fields. */
import { isMap } from "../model/members.ts";
import type { Json, JsonMap } from "../model/types.ts";

/** Names of a path's members. */
export function stepsOf(path: string): readonly string[] {
  return path.replace(/^\./, "").split(".");
}

/** The value at a path; undefined when there is none. */
export function valueAt(object: JsonMap, steps: readonly string[]): Json | undefined {
  let v: Json | undefined = object;
  for (const step of steps) {
    if (!isMap(v) || !Object.hasOwn(v, step)) return undefined;
    v = v[step];
  }
  return v;
}

/** A copy of the object with a value at a path; objects on the way are made. */
export function withValueAt(object: JsonMap, steps: readonly string[], value: Json): JsonMap {
  const [first, ...rest] = steps;
  if (first === undefined) return object;
  const old = object[first];
  const below = rest.length === 0 ? value : withValueAt(isMap(old) ? old : {}, rest, value);
  return { ...object, [first]: below };
}
