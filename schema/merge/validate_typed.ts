/** Whether a value fits its descriptor, as an applied configuration must. */
import { isMap } from "../model/members.ts";
import type { Json, JsonMap } from "../model/types.ts";
import type { Atom, ListAtom, MapAtom, ScalarKind } from "./atoms.ts";
import { indexElement, type PathElement, pathText } from "./fieldpath.ts";
import { firstShape, itemElement, shapeOf, TypedError } from "./walk.ts";

/** Most errors that one value reports. */
const MAX_ERRORS = 20;

/**
 * All that does not fit, as texts `.spec.replicas: expected number`; empty when the value fits. `twice`: an item may stand
 * twice in its list.
 */
export function typedErrors(atom: Atom, value: Json, twice = false): string[] {
  const check = new Check(twice);
  check.value(atom, value, []);
  return check.errors;
}

/** True for a scalar of the kind, and for null. */
export function isScalarOf(kind: ScalarKind, v: Json): boolean {
  if (v === null) return true;
  const type = typeof v === "bigint" ? "number" : typeof v;
  return kind === "any" ? type !== "object" : type === kind;
}

class Check {
  readonly errors: string[] = [];

  constructor(readonly twice: boolean) {}

  #report(path: readonly PathElement[], why: string): void {
    if (this.errors.length < MAX_ERRORS) this.errors.push(`${pathText(path)}: ${why}`);
  }

  value(atom: Atom, v: Json, path: PathElement[]): void {
    switch (shapeOf(atom, v) ?? firstShape(atom)) {
      case "scalar":
        if (!isScalarOf(atom.scalar!, v)) {
          this.#report(path, `expected ${atom.scalar === "any" ? "a scalar" : atom.scalar}, got ${typeName(v)}`);
        }
        return;
      case "list":
        if (Array.isArray(v)) this.#items(atom.list!, v, path);
        else if (v !== null) this.#report(path, `expected list, got ${typeName(v)}`);
        return;
      case "map":
        if (isMap(v)) this.#members(atom.map!, v, path);
        else if (v !== null) this.#report(path, `expected map, got ${typeName(v)}`);
    }
  }

  #members(map: MapAtom, v: JsonMap, path: PathElement[]): void {
    for (const name of Object.keys(v)) {
      path.push("f:" + name);
      const atom = map.member(name);
      if (atom) this.value(atom, v[name]!, path);
      else this.#report(path, "field not declared in schema");
      path.pop();
    }
  }

  #items(list: ListAtom, v: Json[], path: PathElement[]): void {
    const seen = new Set<PathElement>();
    for (let i = 0; i < v.length; i++) {
      const element = list.atomic ? indexElement(i) : this.#element(list, v[i]!, path);
      if (element === undefined) return;
      path.push(element);
      if (seen.has(element) && !this.twice) this.#report(path, "duplicate entries for this key");
      seen.add(element);
      this.value(list.element, v[i]!, path);
      path.pop();
    }
  }

  #element(list: ListAtom, item: Json, path: PathElement[]): PathElement | undefined {
    try {
      return itemElement(list, item, path);
    } catch (e) {
      if (!(e instanceof TypedError)) throw e;
      this.#report(path, e.why);
      return undefined;
    }
  }
}

function typeName(v: Json): string {
  if (v === null) return "null";
  if (Array.isArray(v)) return "list";
  return typeof v === "object" ? "map" : typeof v;
}
