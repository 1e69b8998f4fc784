/** What expressions that change objects have beside the rest: types of objects to make, and a function about paths. */
import type { Rows } from "./table.ts";
import { DYN, listOf, STRING, type Type } from "./types.ts";
import { Made, type Value } from "./values.ts";

const part = (name: string): Type => ({ k: "object", name, fields: new Map(), open: true });
const STEP: Type = {
  k: "object",
  name: "JSONPatch",
  fields: new Map([["op", STRING], ["path", STRING], ["from", STRING], ["value", DYN]]),
};

/** The part of an object that an expression gives to be applied. */
export const OBJECT_PART: Type = part("Object");
/** The steps of a JSON patch. */
export const PATCH_STEPS: Type = listOf(STEP);

/** Types by name: `Object` and its parts (`Object.spec.template`), whose fields may be anything, and `JSONPatch`. */
export function patchType(name: string): Type | undefined {
  if (name === "JSONPatch") return STEP;
  return name === "Object" || name.startsWith("Object.") ? part(name) : undefined;
}

/** A step of a JSON patch. Its texts are there even if they are not given, and empty then. */
class Step extends Made {
  constructor(fields: Iterable<readonly [string, Value]>) {
    super("JSONPatch", [["op", ""], ["path", ""], ["from", ""], ...fields]);
  }
  override has(name: string): boolean {
    return super.has(name) && (name === "value" || this.get(name) !== "");
  }
}

/** An object of one of these types. */
export function madeOf(type: string, fields: Iterable<readonly [string, Value]>): Made {
  return type === "JSONPatch" ? new Step(fields) : new Made(type, fields);
}

/** Functions. */
export const PATCH: Rows = {
  "jsonpatch::escapeKey(string) string": (s: string) => s.replaceAll("~", "~0").replaceAll("/", "~1"),
};
