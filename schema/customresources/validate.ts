/**
 * Values against schemas. Faults come as causes of a 422, in the kinds and at the places that clients of the public API
 * know: a member by its path, and what is said of alternatives at no place of its own.
 *
 * On update a value that is as it was keeps its faults (ratcheting): a schema may become stricter than what is stored.
 */
import { isMap } from "../model/members.ts";
import type { Json, JsonMap } from "../model/types.ts";
import { atMost, type ErrorList, type ErrorType, notLonger } from "../rules/errors.ts";
import { doubleText, numberText } from "../values/double.ts";
import { quote } from "../values/quote.ts";
import { hasFormat, isKnownFormat } from "./formats.ts";
import { itemBefore, NOTHING, type Old, sameJson, unchanged } from "./before.ts";
import { matches } from "./patterns.ts";
import { isIntOrString, propertyOf, type Schema, valuesOf } from "./schema.ts";

/** One thing that is wrong. `path` undefined: it is said of the whole. */
interface Fault {
  readonly reason: ErrorType;
  readonly path: string | undefined;
  readonly value: Json | undefined;
  readonly text: string;
}

/** Characters of what is said of a fault from which on it is no part of a key. */
const LONG_TEXT = 500;

/**
 * Faults of one check, each once (alternatives may say the same), and how many checks were made: of several alternatives,
 * the one with most tells its faults.
 */
class Outcome {
  /** In the order found, and by place and text. Made with the first one: most checks find none. */
  #faults: Fault[] | undefined;
  #told: Map<string, Fault[]> | undefined;
  checks = 0;

  add(reason: ErrorType, path: string | undefined, value: Json | undefined, text: string): void {
    this.#keep({ reason, path, value, text });
  }
  merge(other: Outcome): void {
    for (const fault of other.faults) this.#keep(fault);
    this.checks += other.checks;
  }
  #keep(fault: Fault): void {
    const { path = "", text } = fault;
    this.#told ??= new Map();
    // All that is supported is shared by the faults that tell it; in each key it would stand anew.
    const key = `${path}\n${text.length > LONG_TEXT ? text.length : text}`, alike = this.#told.get(key);
    if (alike?.some((other) => other.text === text)) return;
    if (alike) alike.push(fault);
    else this.#told.set(key, [fault]);
    (this.#faults ??= []).push(fault);
  }
  get faults(): readonly Fault[] {
    return this.#faults ?? [];
  }
  get valid(): boolean {
    return this.#faults === undefined;
  }
}

/** What is known of an update. */
export interface Before {
  readonly value: Json | undefined;
}

/**
 * Checks a value. `at` stands before every place: `""` for a whole object, `status` for a part. `before`: what it was,
 * on update.
 */
export function validateSchema(value: Json, schema: Schema, at: string, errors: ErrorList, before?: Before): void {
  const out = check(value, schema, "", before ? before.value : NOTHING);
  for (const { reason, path, value: shown, text } of out.faults) {
    const inner = bare(path ?? "");
    const field = path === undefined ? at || "<nil>" : at && inner ? `${at}.${inner}` : at || inner || "<nil>";
    errors.add(reason, field, errors.full ? "" : textOf(reason, shown, text));
  }
}

const TEXTS: Partial<Record<ErrorType, (value: string, text: string) => string>> = {
  FieldValueRequired: () => "Required value",
  FieldValueNotSupported: (v, t) => `Unsupported value: ${v}: ${t}`,
  FieldValueTooLong: (_v, t) => `Too long: ${t}`,
  FieldValueTooMany: (_v, t) => `Too many: ${t}`,
};

function textOf(reason: ErrorType, value: Json | undefined, text: string): string {
  const shown = isNumber(value) ? numberText(value) : show(value === undefined ? "" : value);
  return TEXTS[reason]?.(shown, text) ?? `Invalid value: ${shown}: ${text}`;
}

const isNumber = (v: Json | undefined): v is number | bigint => typeof v === "number" || typeof v === "bigint";

/** As values that are supported are told: what is no text by its JSON. */
const quoted = (v: Json): string => show(typeof v === "string" ? v : show(v));

const show = (v: Json): string =>
  typeof v === "string" ? quote(v) : JSON.stringify(v, (_k, x) => typeof x === "bigint" ? Number(x) : x);

const jsonType = (v: Json): string => {
  if (v === null) return "null";
  if (Array.isArray(v)) return "array";
  // A whole number that is too large for a float to tell it from the next comes as one only where it was written as one.
  if (typeof v === "number") return Number.isSafeInteger(v) ? "integer" : "number";
  if (typeof v === "bigint") return isInt64(v) ? "integer" : "number";
  return typeof v;
};

/** Formats of numbers by their types. */
const FORMATS: Readonly<Record<string, string>> = { integer: "int64", number: "float64" };

const MAX_INT64 = 2n ** 63n - 1n;
const MAX_INT32 = 2 ** 31 - 1;
const MAX_FLOAT32 = 3.4028234663852886e38;

const isInt64 = (v: number | bigint): boolean => {
  if (typeof v === "number") return Number.isInteger(v) && Math.abs(v) < 2 ** 63;
  return v <= MAX_INT64 && v >= -MAX_INT64 - 1n;
};

const typesOf = (s: Schema): readonly string[] => isIntOrString(s) ? ["integer", "string"] : s.type ? [s.type] : [];
const formatOf = (s: Schema): string => {
  const types = typesOf(s);
  return s.format && isKnownFormat(types.length === 1 ? types[0]! : "", s.format) ? s.format : "";
};

function check(v: Json, s: Schema, path: string, old: Old): Outcome {
  const out = new Outcome();
  checkType(v, s, path, out);
  if (v !== null) {
    checkAlternatives(v, s, path, out);
    if (typeof v === "string") checkText(v, s, path, out);
    if (typeof v === "number" || typeof v === "bigint") checkNumber(v, s, path, out);
    if (Array.isArray(v)) checkList(v, s, path, old, out);
    out.checks += 2;
  }
  // Null is never one of them, even where it is allowed and named.
  if (s.enum?.length && (v === null || !isNamed(v, s.enum))) {
    out.add("FieldValueNotSupported", path, v, supported(s.enum).text);
  }
  if (isMap(v)) checkMap(v, s, path, old, out);
  const kept = !out.valid && old !== NOTHING && old !== undefined && unchanged(v, old, s);
  return kept ? new Outcome() : out;
}

/** What is asked of a list of values for each item of a list, made once. */
interface Supported {
  readonly texts: ReadonlySet<Json>;
  readonly text: string;
}
const SUPPORTED = new WeakMap<readonly Json[], Supported>();

function supported(values: readonly Json[]): Supported {
  let known = SUPPORTED.get(values);
  if (!known) {
    const text = `supported values: ${values.map(quoted).join(", ")}`;
    SUPPORTED.set(values, known = { texts: new Set(values.filter((v) => typeof v === "string")), text });
  }
  return known;
}

const isNamed = (v: Json, values: readonly Json[]): boolean =>
  typeof v === "string" ? supported(values).texts.has(v) : values.some((e) => isOneOf(v, e));

/** Whether a value is the one named; it is brought to the type of that first. */
function isOneOf(v: Json, named: Json): boolean {
  if (typeof v === "number" || typeof v === "bigint") {
    if (typeof named === "string") return isInt64(v) && named === character(v);
    if ((typeof named === "number" || typeof named === "bigint") && isInt64(named)) {
      return sameJson(typeof v === "number" ? Math.trunc(v) : v, named);
    }
  }
  return sameJson(v, named);
}

/** The character of a number. */
function character(n: number | bigint): string {
  const code = Number(n);
  return code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : "\ufffd";
}

function checkType(v: Json, s: Schema, path: string, out: Outcome): void {
  const types = typesOf(s), format = formatOf(s);
  if (v !== null && types.length === 0 && format === "") return;
  if (v !== null) out.checks++;
  const own = jsonType(v);
  if (hasType(v, own, types, format, s)) {
    out.checks++;
    return;
  }
  // Where the schema has a format, values that are no text and no list are told by theirs.
  const byFormat = format !== "" && v !== null && typeof v !== "string" && !Array.isArray(v);
  const [wanted, found] = byFormat ? [format, FORMATS[own] ?? ""] : [types.join(",") || format, own];
  out.add("FieldValueTypeInvalid", path, found, `${place(path)} must be of type ${wanted}: "${found}"`);
}

function hasType(v: Json, own: string, types: readonly string[], format: string, s: Schema): boolean {
  if (v === null) return s.nullable === true || types.length === 0;
  const numeric = types.includes("number") || types.includes("integer");
  if (!numeric && format !== "" && (typeof v === "string" || Array.isArray(v))) return true;
  return types.includes(own) || (own === "integer" && types.includes("number"));
}

const bare = (path: string): string => path.replace(/^\./, "");
const place = (path: string): string => `${path} in body`;
const inside = (path: string, name: string): string => path === "" ? name : `${path}.${name}`;

/** What these say is looked at as of a new value: within them nothing keeps its faults. */
function checkAlternatives(v: Json, s: Schema, path: string, out: Outcome): void {
  if (s.anyOf?.length) checkAny(v, s.anyOf, path, out);
  if (s.oneOf?.length) checkOne(v, s.oneOf, path, out);
  if (s.allOf?.length) checkAll(v, s.allOf, path, out);
  if (s.not && check(v, s.not, path, NOTHING).valid) {
    out.add("FieldValueInvalid", undefined, undefined, `"${path}" must not validate the schema (not)`);
  }
  out.checks += 2;
}

/** The failed outcome with most checks made, the first of equals. */
function closest(outcomes: readonly Outcome[]): Outcome | undefined {
  let best: Outcome | undefined;
  for (const o of outcomes) if (!best || o.checks > best.checks) best = o;
  return best;
}

function checkAny(v: Json, any: readonly Schema[], path: string, out: Outcome): void {
  const failed: Outcome[] = [];
  for (const s of any) {
    const one = check(v, s, path, NOTHING);
    if (one.valid) return out.merge(one);
    failed.push(one);
  }
  out.add("FieldValueInvalid", undefined, undefined, `"${path}" must validate at least one schema (anyOf)`);
  out.merge(closest(failed)!);
}

function checkOne(v: Json, alternatives: readonly Schema[], path: string, out: Outcome): void {
  const all = alternatives.map((s) => check(v, s, path, NOTHING));
  const valid = all.filter((o) => o.valid);
  if (valid.length === 1) return out.merge(valid[0]!);
  const found = valid.length === 0 ? "Found none valid" : `Found ${valid.length} valid alternatives`;
  out.add(
    "FieldValueInvalid",
    undefined,
    undefined,
    `"${path}" must validate one and only one schema (oneOf). ${found}`,
  );
  if (valid.length === 0) out.merge(closest(all)!);
}

function checkAll(v: Json, all: readonly Schema[], path: string, out: Outcome): void {
  const each = all.map((s) => check(v, s, path, NOTHING));
  for (const o of each) out.merge(o);
  const valid = each.filter((o) => o.valid).length;
  if (valid === all.length) return;
  const none = valid === 0 ? ". None validated" : "";
  out.add("FieldValueInvalid", undefined, undefined, `"${path}" must validate all the schemas (allOf)${none}`);
}

function checkText(v: string, s: Schema, path: string, out: Outcome): void {
  out.checks++;
  const fault = textFault(v, s);
  if (fault) {
    out.add(fault.reason, path, v, `${fault.reason === "FieldValueTooLong" ? "" : `${place(path)} `}${fault.text}`);
  }
  const format = formatOf(s);
  if (format === "") return;
  out.checks++;
  if (!hasFormat(v, format)) {
    out.add("FieldValueTypeInvalid", path, v, `${place(path)} must be of type ${format}: ${show(v)}`);
  }
}

/** The first thing wrong with a text; its length counts in characters. */
function textFault(v: string, s: Schema): { reason: ErrorType; text: string } | undefined {
  const bounded = s.maxLength !== undefined || s.minLength !== undefined;
  const length = bounded ? [...v].length : 0;
  if (s.maxLength !== undefined && length > s.maxLength) {
    return { reason: "FieldValueTooLong", text: notLonger(s.maxLength) };
  }
  if (s.minLength !== undefined && length < s.minLength) {
    return { reason: "FieldValueInvalid", text: `should be at least ${s.minLength} chars long` };
  }
  if (s.pattern && !matches(s.pattern, v)) {
    return { reason: "FieldValueInvalid", text: `should match '${s.pattern}'` };
  }
  return undefined;
}

function checkNumber(v: number | bigint, s: Schema, path: string, out: Outcome): void {
  const say = (text: string) => out.add("FieldValueInvalid", path, v, `${place(path)} should be ${text}`);
  /** A bound as a value is compared with it: whole numbers with its whole part, where the type can hold the bound. */
  const bound = (b: number | bigint | undefined, name: string) => {
    if (b === undefined) return undefined;
    if (!fits(b, s, `${name} value`, path, out)) return b;
    return isInt64(v) && typeof b === "number" ? Math.trunc(b) : b;
  };
  fits(v, s, "Checked value", path, out);
  const factor = bound(s.multipleOf, "MultipleOf"),
    min = bound(s.minimum, "Minimum boundary"),
    max = bound(s.maximum, "Maximum boundary");
  /** Bounds of whole numbers are told as such. */
  const told = (b: number | bigint) => jsonType(v) === "integer" ? String(b) : doubleText(Number(b));
  if (factor !== undefined && factor <= 0) {
    out.add("FieldValueInvalid", path, factor, `factor MultipleOf declared for ${path} must be positive: ${factor}`);
  } else if (factor !== undefined && !isMultiple(v, factor)) say(`a multiple of ${told(factor)}`);
  if (min !== undefined && (v < min || (s.exclusiveMinimum && v == min))) {
    say(`greater than ${s.exclusiveMinimum ? "" : "or equal to "}${told(min)}`);
  }
  if (max !== undefined && (v > max || (s.exclusiveMaximum && v == max))) {
    say(`less than ${s.exclusiveMaximum ? "" : "or equal to "}${told(max)}`);
  }
  out.checks += 2;
}

/** Whether a number is within its type and format; a fault of the whole when not. */
function fits(v: number | bigint, s: Schema, what: string, path: string, out: Outcome): boolean {
  const type = isIntOrString(s) ? undefined : s.type;
  const whole = type === "integer" && (!isInt64(v) || (s.format === "int32" && !isInt32(v)));
  const real = type === "number" && s.format === "float" && Math.abs(Number(v)) > MAX_FLOAT32;
  if (!whole && !real) return true;
  const format = formatOf(s);
  out.add(
    "FieldValueInvalid",
    undefined,
    undefined,
    `${what} must be of type ${type} ${format ? `with format ${format}` : "(default format)"} in ${path}`,
  );
  return false;
}

const isInt32 = (v: number | bigint): boolean => v <= MAX_INT32 && v >= -MAX_INT32 - 1;

function isMultiple(v: number | bigint, factor: number | bigint): boolean {
  if (isInt64(v) && isInt64(factor)) return BigInt(v) % BigInt(factor) === 0n;
  const times = Number(v) / Number(factor);
  return Math.abs(times) <= Number.MAX_SAFE_INTEGER && Math.abs(times - Math.trunc(times)) <= 1e-9 * Math.abs(times);
}

function checkList(v: Json[], s: Schema, path: string, old: Old, out: Outcome): void {
  const { items } = s;
  if (items) v.forEach((item, i) => out.merge(check(item, items, `${path}[${i}]`, itemBefore(old, s, item))));
  const say = (text: string) => out.add("FieldValueInvalid", path, v.length, `${place(path)} ${text}`);
  if (s.minItems !== undefined && v.length < s.minItems) say(`should have at least ${s.minItems} items`);
  if (s.maxItems !== undefined && v.length > s.maxItems) {
    out.add("FieldValueTooMany", path, undefined, `${v.length}: ${atMost(s.maxItems)}`);
  }
  if (s.uniqueItems && v.some((x, i) => v.slice(0, i).some((y) => sameJson(x, y)))) {
    out.add("FieldValueInvalid", path, undefined, `${place(path)} shouldn't contain duplicates`);
  }
  out.checks += 2;
}

/** What a member was. */
function memberBefore(old: Old, name: string, path: string): Old {
  if (!isMap(old) || !Object.hasOwn(old, name)) return NOTHING;
  return path === "" && (name === "apiVersion" || name === "kind") ? NOTHING : old[name];
}

function checkMap(v: JsonMap, s: Schema, path: string, old: Old, out: Outcome): void {
  const names = Object.keys(v);
  if (s.minProperties !== undefined && names.length < s.minProperties) {
    const text = `${place(path)} should have at least ${s.minProperties} properties`;
    out.add("FieldValueInvalid", path, names.length, text);
  }
  if (s.maxProperties !== undefined && names.length > s.maxProperties) {
    out.add("FieldValueTooMany", path, undefined, `${names.length}: ${atMost(s.maxProperties)}`);
  }
  const values = valuesOf(s);
  for (const name of names) {
    const own = propertyOf(s, name);
    if (!own && s.additionalProperties === false) {
      out.add("FieldValueInvalid", path, name, `${place(path)}.${name} is a forbidden property`);
    }
    const by = own ?? values;
    // Where the whole is a map of values, their places begin with a dot.
    if (by) out.merge(check(v[name]!, by, own ? inside(path, name) : `${path}.${name}`, memberBefore(old, name, path)));
  }
  for (const name of s.required ?? []) {
    if (!Object.hasOwn(v, name)) out.add("FieldValueRequired", inside(path, name), undefined, "");
  }
  out.checks++;
}
