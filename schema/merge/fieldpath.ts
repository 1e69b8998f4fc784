/**
 * Elements of field paths, in the text form that `fieldsV1` uses: `f:<name>` a member, `k:<keys as JSON>` an item of a
 * list by its keys, `v:<value as JSON>` an item of a set, `i:<number>` an item by place. The text is canonical (keys
 * sorted, compact JSON), so equal elements have equal texts.
 */
import { isMap } from "../model/members.ts";
import type { Json, JsonMap } from "../model/types.ts";
import { compareUtf8 } from "../values/utf8.ts";

/** Canonical text of a path element. */
export type PathElement = string;
/** A path, from the object down. */
export type Path = readonly PathElement[];

/** Thrown for a field set whose JSON is not one. */
export class FieldSetError extends Error {
  override readonly name = "FieldSetError";
}

/** The element of an item of a set. */
export const valueElement = (value: Json): PathElement => "v:" + jsonText(value);
/** The element of an item by place. */
export const indexElement = (i: number): PathElement => "i:" + i;
/** The element of an item by its keys, in any order. */
export function keyElement(keys: JsonMap): PathElement {
  const names = Object.keys(keys).sort(compareUtf8);
  return `k:{${names.map((n) => `${JSON.stringify(n)}:${jsonText(keys[n]!)}`).join(",")}}`;
}

/** JSON as the public encoder writes it: `<`, `>`, `&` and the line separators are escaped in strings. */
export function jsonText(v: Json): string {
  if (typeof v === "string") return escapeText(JSON.stringify(v));
  if (typeof v !== "object") return String(v);
  if (v === null) return "null";
  if (Array.isArray(v)) return `[${v.map(jsonText).join(",")}]`;
  const names = Object.keys(v).sort(compareUtf8);
  return `{${names.map((n) => `${escapeText(JSON.stringify(n))}:${jsonText(v[n]!)}`).join(",")}}`;
}

const SPECIAL = /[<>&\u2028\u2029]|\\b|\\f/;
function escapeText(json: string): string {
  if (!SPECIAL.test(json)) return json;
  return json.replace(/\\[\s\S]|[<>&\u2028\u2029]/g, (c) => {
    if (c === "\\b") return "\\u0008";
    if (c === "\\f") return "\\u000c";
    return c.length > 1 ? c : "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0");
  });
}

/**
 * Reads an element's text as a client wrote it and returns the canonical one; undefined for a type of element that a
 * later version may know.
 *
 * @throws {FieldSetError}
 */
export function parseElement(text: string): PathElement | undefined {
  if (text.length < 2 || text[1] !== ":") {
    throw new FieldSetError(`path element ${quote(text)} must be <type>:<content>`);
  }
  switch (text.charCodeAt(0)) {
    case 102: // f
      return text;
    case 107: // k
      return canonical(text, () => keyElement(parseKeys(text)));
    case 118: // v
      return canonical(text, () => valueElement(parseJson(text)));
    case 105: // i
      if (!/^[+-]?\d{1,15}$/.test(text.slice(2))) {
        throw new FieldSetError(`path element ${quote(text)} must hold a number`);
      }
      return indexElement(Number(text.slice(2)));
    default:
      return undefined;
  }
}

/** Elements read before: the same few keys stand in every object of a kind. Emptied when full; long ones are not kept. */
const CANONICAL = new Map<string, PathElement>();
const MEMO_LIMIT = 8192;
const MEMO_LENGTH = 256;

function canonical(text: string, make: () => PathElement): PathElement {
  if (text.length > MEMO_LENGTH) return make();
  let found = CANONICAL.get(text);
  if (found === undefined) {
    if (CANONICAL.size >= MEMO_LIMIT) CANONICAL.clear();
    CANONICAL.set(text, found = make());
  }
  return found;
}

function parseKeys(text: string): JsonMap {
  const keys = parseJson(text);
  if (!isMap(keys)) throw new FieldSetError(`path element ${quote(text)} must hold an object`);
  return keys;
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text.slice(2), exactIntegers);
  } catch (cause) {
    throw new FieldSetError(`path element ${quote(text)} must hold JSON`, { cause });
  }
}

function exactIntegers(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  return context?.source && /^-?\d+$/.test(context.source) ? BigInt(context.source) : value;
}

/** A path as messages show it: `.spec.containers[name="a"].args`, `.metadata.finalizers[="x.io/a"]`. */
export function pathText(path: Path): string {
  return path.map(elementText).join("");
}

function elementText(element: PathElement): string {
  const content = element.slice(2);
  switch (element.charCodeAt(0)) {
    case 102:
      return "." + content;
    case 107:
      return `[${Object.entries(parseKeys(element)).map(([k, v]) => `${k}=${valueText(v)}`).join(",")}]`;
    case 118:
      return `[=${valueText(parseJson(element))}]`;
    default:
      return `[${content}]`;
  }
}

const valueText = (v: Json) => (typeof v === "string" ? JSON.stringify(v) : jsonText(v));

const ORDER = new Map([[102, 0], [107, 1], [118, 2], [105, 3]]);

/** Order of elements in an encoded set: members by name, then keys, values and indices by what they hold. */
export function compareElements(a: PathElement, b: PathElement): number {
  if (a === b) return 0;
  const kind = a.charCodeAt(0);
  const other = b.charCodeAt(0);
  if (kind !== other) return ORDER.get(kind)! - ORDER.get(other)!;
  if (kind === 102) return compareUtf8(a, b);
  if (kind === 105) return Number(a.slice(2)) - Number(b.slice(2));
  const [left, right] = [contentOf(a), contentOf(b)];
  return kind === 107 ? compareKeys(left as JsonMap, right as JsonMap) : compareValues(left, right);
}

/** What canonical elements hold, kept for sorting; emptied when full. */
const CONTENT = new Map<PathElement, Json>();

function contentOf(element: PathElement): Json {
  if (element.length > MEMO_LENGTH) return parseJson(element);
  let found = CONTENT.get(element);
  if (found === undefined) {
    if (CONTENT.size >= MEMO_LIMIT) CONTENT.clear();
    CONTENT.set(element, found = parseJson(element));
  }
  return found;
}

function compareKeys(a: JsonMap, b: JsonMap): number {
  const left = Object.keys(a);
  const right = Object.keys(b);
  for (let i = 0; i < left.length && i < right.length; i++) {
    const order = compareUtf8(left[i]!, right[i]!) || compareValues(a[left[i]!]!, b[right[i]!]!);
    if (order) return order;
  }
  return left.length - right.length;
}

/** Numbers, then text, booleans, lists, objects, null; within a type by value. */
function compareValues(a: Json, b: Json): number {
  const rank = rankOf(a) - rankOf(b);
  if (rank) return rank;
  if (typeof a === "string") return compareUtf8(a, b as string);
  if (typeof a !== "object") return a < b! ? -1 : a > b! ? 1 : 0;
  if (a === null) return 0;
  if (!Array.isArray(a)) return compareKeys(sorted(a), sorted(b as JsonMap));
  const other = b as Json[];
  for (let i = 0; i < a.length && i < other.length; i++) {
    const order = compareValues(a[i]!, other[i]!);
    if (order) return order;
  }
  return a.length - other.length;
}

const sorted = (m: JsonMap): JsonMap => Object.fromEntries(Object.entries(m).sort(([a], [b]) => compareUtf8(a, b)));

function rankOf(v: Json): number {
  if (v === null) return 5;
  if (typeof v === "number" || typeof v === "bigint") return 0;
  if (typeof v === "string") return 1;
  if (typeof v === "boolean") return 2;
  return Array.isArray(v) ? 3 : 4;
}

const quote = (s: string) => JSON.stringify(s);
