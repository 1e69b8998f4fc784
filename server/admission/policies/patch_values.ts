/** Values of expressions that change objects, as JSON. */
import {
  CelError,
  isCelMap,
  Made,
  Opaque,
  Optional,
  Span,
  Time,
  TypeValue,
  Uint,
  type Value,
} from "../../../schema/cel/mod.ts";
import { spanText, timeText } from "../../../schema/cel/standard.ts";
import { treeBehind } from "../../../schema/customresources/cel_types.ts";
import type { Json, JsonMap } from "../../../schema/model/types.ts";

function unfit(v: Value): never {
  const what = v === null ? "null" : v instanceof Opaque ? v.type : v instanceof Made ? v.type : typeof v;
  throw new CelError(`a value that JSON cannot hold here: ${what}`);
}

/** Faults of made objects whose type is not named after the place where they stand. @throws CelError */
function checkNames(v: Value, name: string): void {
  if (v instanceof Made) {
    if (v.type !== name) throw new CelError(`type mismatch: unexpected type name "${v.type}", expected "${name}"`);
    for (const key of v.keys() as string[]) checkNames(v.get(key), `${name}.${key}`);
  } else if (Array.isArray(v)) { for (const item of v) checkNames(item, name); }
  else if (v !== null && isCelMap(v) && !treeBehind(v)) { for (const key of v.keys()) checkNames(v.get(key)!, name); }
}

const number = (v: number): number => Number.isFinite(v) ? v : unfit(v);
const integer = (v: bigint): Json => {
  const n = Number(v);
  return Number.isSafeInteger(n) ? n : v;
};

/** What of objects made by expressions differs between the two ways to use them. */
interface Members {
  /** Bytes and unsigned numbers may be members. */
  readonly more: boolean;
}

/** A member of an object that an expression made, or an item of a list or map in it (`inner`). */
function memberOf(v: Value, how: Members, inner: boolean): Json {
  if (v instanceof Made) return membersOf(v, how);
  if (v instanceof Optional) return v.value === undefined ? null : memberOf(v.value, how, inner);
  if (v instanceof TypeValue) return v.name;
  if (how.more && v instanceof Uint) return integer(v.value);
  if (how.more && v instanceof Uint8Array) return v.toBase64();
  if (Array.isArray(v)) return v.map((item: Value) => memberOf(item, how, true));
  if (v !== null && isCelMap(v)) {
    const tree = treeBehind(v);
    if (tree) return tree;
    // Maps that are written out hold no others, nor do lists.
    if (inner) unfit(v);
    return entriesOf(v.keys(), (key) => memberOf(v.get(key)!, how, true));
  }
  return scalarOf(v);
}

function scalarOf(v: Value): Json {
  switch (typeof v) {
    case "bigint":
      return integer(v);
    case "number":
      return number(v);
    case "string":
    case "boolean":
      return v;
  }
  return unfit(v);
}

function entriesOf(keys: readonly Value[], of: (key: Value) => Json): JsonMap {
  return Object.fromEntries(keys.map((key) => [typeof key === "string" ? key : unfit(key), of(key)]));
}

const membersOf = (v: Made, how: Members): JsonMap => entriesOf(v.keys(), (key) => memberOf(v.get(key), how, false));

/** The part of an object that an expression gives (`Object{…}`). @throws CelError for what JSON cannot hold */
export function partOf(v: Value): JsonMap {
  if (!(v instanceof Made)) return unfit(v);
  checkNames(v, "Object");
  return membersOf(v, { more: false });
}

/** A value of a patch's step. Large integers are texts there. */
function stepValue(v: Value): Json {
  if (v === null) return null;
  if (v instanceof Made) return v.type === "JSONPatch" ? unfit(v) : membersOf(v, { more: true });
  if (typeof v === "bigint") return Number.isSafeInteger(Number(v)) ? Number(v) : String(v);
  if (v instanceof Uint) return stepValue(v.value);
  if (v instanceof Uint8Array) return v.toBase64();
  if (v instanceof Time) return timeText(v);
  if (v instanceof Span) return spanText(v);
  if (v instanceof Optional) return v.value === undefined ? unfit(v) : stepValue(v.value);
  if (Array.isArray(v)) return v.map(stepValue);
  if (isCelMap(v)) return treeBehind(v) ?? entriesOf(v.keys(), (key) => stepValue(v.get(key)!));
  return scalarOf(v);
}

/** The steps that an expression gives (`[JSONPatch{…}]`). @throws CelError for what JSON cannot hold */
export function stepsOf(v: Value): JsonMap[] {
  return (v as readonly Made[]).map((step) => {
    const out: JsonMap = { op: step.get("op") as string, path: step.get("path") as string };
    if (step.has("from")) out["from"] = step.get("from") as string;
    if (!step.has("value")) return out;
    const value = step.get("value");
    if (value instanceof Made) checkNames(value, value.type);
    return { ...out, value: stepValue(value) };
  });
}
