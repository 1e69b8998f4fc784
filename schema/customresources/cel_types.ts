/** Schemas as types of expressions, and values of objects as values there. */
import {
  BOOL,
  BYTES,
  type CelMap,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  isCelMap,
  listOf,
  LooseList,
  mapOf,
  readSpan,
  readTime,
  STRING,
  TIMESTAMP,
  type Type,
  type Value,
} from "../cel/mod.ts";
import type { Json, JsonMap } from "../model/types.ts";
import { isEmbedded, isIntOrString, propertyOf, type Schema, valuesOf } from "./schema.ts";

const TEXTS: Readonly<Record<string, Type>> = {
  byte: BYTES,
  duration: DURATION,
  date: TIMESTAMP,
  "date-time": TIMESTAMP,
};
const SCALARS: Readonly<Record<string, Type>> = { boolean: BOOL, integer: INT, number: DOUBLE };

/** Longest names of objects, bytes; of what names are made of one is left. */
const NAME = 253, STEM = NAME - 1;
/** What expressions see of metadata. */
const metadataOf = (name: number, generateName: number): Schema => ({
  type: "object",
  properties: { name: { type: "string", maxLength: name }, generateName: { type: "string", maxLength: generateName } },
});
const TYPED: Readonly<Record<string, Schema>> = {
  apiVersion: { type: "string" },
  kind: { type: "string" },
  metadata: metadataOf(NAME, STEM),
};

/** A schema with what each object with a type has, unless it says all of it already. */
export function typedSchema(s: Schema): Schema {
  const { kind, apiVersion, metadata } = s.properties ?? {}, { name, generateName } = metadata?.properties ?? {};
  if (metadata?.type === "object" && [kind, apiVersion, name, generateName].every((p) => p?.type === "string")) {
    return s;
  }
  const least = (part: Schema | undefined, most: number) => Math.min(Number(part?.maxLength ?? most), most);
  const own = name || generateName ? { metadata: metadataOf(least(name, NAME), least(generateName, STEM)) } : undefined;
  return { ...s, properties: { ...s.properties, ...TYPED, ...own } };
}

/** The type of a schema's values; undefined where expressions cannot look. `at` names it. */
export function celType(s: Schema, at: string): Type | undefined {
  if (isIntOrString(s)) return DYN;
  if (s.type === "array") {
    const of = s.items && celType(s.items, `${at}.@idx`);
    return of && listOf(of);
  }
  if (s.type === "object") return objectType(isEmbedded(s) ? typedSchema(s) : s, at);
  if (s.type === "string") return TEXTS[s.format ?? ""] ?? STRING;
  return SCALARS[s.type ?? ""];
}

function objectType(s: Schema, at: string): Type | undefined {
  const values = valuesOf(s);
  if (values) {
    const of = celType(values, `${at}.@elem`);
    return of && mapOf(STRING, of);
  }
  const fields = new Map<string, Type>();
  for (const [name, part] of Object.entries(s.properties ?? {})) {
    const escaped = escapeName(name), type = celType(part, `${at}.${name}`);
    if (escaped !== undefined && type) fields.set(escaped, type);
  }
  return { k: "object", name: at, fields };
}

const RESERVED = new Set(
  ("true false null in as break const continue else for function if import let loop package namespace return var void " +
    "while").split(" "),
);
const SIGNS: Readonly<Record<string, string>> = { ".": "__dot__", "-": "__dash__", "/": "__slash__" };

/** A member's name as expressions write it; undefined: it cannot be written. */
export function escapeName(name: string): string | undefined {
  if (RESERVED.has(name)) return `__${name}__`;
  const escaped = name.replaceAll("__", "__underscores__").replace(/[.\-/]/g, (c) => SIGNS[c]!);
  return /^[a-zA-Z_][a-zA-Z0-9_]*$/.test(escaped) ? escaped : undefined;
}

/** A value as expressions see it. Without a schema it is taken as it is. */
export function celValue(v: Json, s: Schema | undefined): Value {
  if (v === null || typeof v === "boolean") return v;
  if (typeof v === "bigint") return s?.type === "number" ? Number(v) : v;
  if (typeof v === "number") return s?.type === "number" || !Number.isSafeInteger(v) ? v : BigInt(v);
  if (typeof v === "string") return textValue(v, s);
  if (Array.isArray(v)) return listValue(v.map((item) => celValue(item, s?.items)), s);
  return new JsonValue(v, s && isEmbedded(s) ? typedSchema(s) : s);
}

/** Lists that are sets or maps are the same in any order. */
function listValue(items: Value[], s: Schema | undefined): Value {
  const type = s?.["x-kubernetes-list-type"], keys = s?.["x-kubernetes-list-map-keys"] ?? [];
  if (type === "set") return LooseList.holding(items, (item) => item);
  if (type !== "map") return items;
  return LooseList.holding(
    items,
    (item) => isCelMap(item) ? keys.map((k) => item.get(escapeName(k) ?? k) ?? null) : item,
  );
}

const base64 = (s: string): Uint8Array => Uint8Array.fromBase64(s);
const READERS: Readonly<Record<string, (s: string) => Value>> = {
  byte: base64,
  duration: readSpan,
  date: (s) => readTime(`${s}T00:00:00Z`),
  "date-time": readTime,
};

/** A text that has not its format stays a text: the schema has told so. */
function textValue(v: string, s: Schema | undefined): Value {
  const read = s?.type === "string" ? READERS[s.format ?? ""] : undefined;
  if (!read) return v;
  try {
    return read(v);
  } catch {
    return v;
  }
}

/** The JSON object that a value shows as it is; undefined: it shows none, or not all of one. */
export const treeBehind = (v: Value): JsonMap | undefined => v instanceof JsonValue && !v.schema ? v.tree : undefined;

/** An object; its members become values when they are asked for. */
class JsonValue implements CelMap {
  readonly isMap = true;
  readonly #names: ReadonlyMap<string, string> | undefined;
  /** What was asked for: loops ask again and again, and lists are made whole. */
  readonly #members = new Map<string, Value>();
  #keys: readonly string[] | undefined;

  constructor(readonly tree: JsonMap, readonly schema: Schema | undefined) {
    const fields = schema?.properties && !valuesOf(schema) ? Object.keys(schema.properties) : undefined;
    const escaped = fields?.filter((n) => escapeName(n) !== n);
    if (escaped?.length) this.#names = new Map(escaped.map((n) => [escapeName(n) ?? n, n]));
  }
  get(key: Value): Value | undefined {
    if (typeof key !== "string") return undefined;
    const name = this.#names?.get(key) ?? key;
    if (!Object.hasOwn(this.tree, name)) return undefined;
    const known = this.#members.get(name);
    if (known !== undefined) return known;
    const { schema } = this;
    // A member that is null is as good as absent; an entry of a map is there.
    if (this.tree[name] === null && schema?.properties && !valuesOf(schema)) return undefined;
    const v = celValue(this.tree[name]!, schema && (propertyOf(schema, name) ?? valuesOf(schema)));
    if (typeof v === "object") this.#members.set(name, v);
    return v;
  }
  keys(): readonly string[] {
    return this.#keys ??= Object.keys(this.tree);
  }
  get size(): number {
    return this.keys().length;
  }
}
