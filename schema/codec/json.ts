/**
 * JSON: text ↔ tree. V8's own parser does the work; what it lacks is added only where a text needs it: whole numbers beyond
 * 2^53, half surrogates, a bound on depth, and, when asked, duplicate fields.
 */
import type { Json } from "../model/types.ts";
import { ValueError } from "../values/error.ts";
import { mergeDuplicates } from "./_json_merge.ts";
import { duplicateFields, jsonProblem } from "./_json_scan.ts";
import { writeJson } from "./_json_write.ts";

/** A parsed document. */
export interface Parsed {
  tree: Json;
  /** `duplicate field "spec.x[0].y"`, each place once, in order; empty unless asked for. */
  duplicates: string[];
  /** A whole number was written as a float, in an encoding that tells the two. */
  wholeFloats?: boolean;
  /** What was parsed, of JSON. */
  text?: string;
}

/** What a parser is to look for. */
export interface ParseOptions {
  /** Report duplicate fields. Costs about as much again as the parse. The last one of them wins in either case. */
  duplicates?: boolean;
  /** Of an object that stands twice the last one counts whole. Default: both are put together, as a typed decoder does. */
  whole?: boolean;
}

/**
 * Deepest nesting. The public server stops at 10,000; walkers of the tree in this runtime overflow their stack from about
 * 4,000 on, and no honest object has a tenth of this.
 */
export const MAX_DEPTH = 1000;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/** Outside of quotes, a whole number of 16 digits or an exponent of 3 (or text that looks so: then only speed is lost). */
const UNUSUAL_NUMBER = /(?:^|[:,[\s])-?(?:\d{16}|[\d.]+[eE]\+?\d{3})/;
/** The same wherever it stands: a third of the time, so it goes first. */
const UNUSUAL_DIGITS = /\d{16}|\d[eE]\+?\d{3}/;
const HALF_SURROGATE = /\\u[dD][89a-fA-F]/;
/** So many openers that the depth is worth a look. */
const MANY_OPENERS = new RegExp(`^[^{[]*(?:[{[][^{[]*){${MAX_DEPTH + 1}}`);
/** Longest text of a 64-bit integer; what is longer stays a float, as the public server reads it. */
const INT64_LENGTH = 20;

/**
 * Parses one document. Bytes that are not UTF-8 are replaced by U+FFFD. Whole numbers outside ±2^53 that 64 bits hold come
 * as bigint. Throws {@linkcode ValueError} on bad syntax, data after the document, numbers that no float holds, or nesting
 * beyond {@linkcode MAX_DEPTH}.
 */
export function parseJson(input: Uint8Array | string, opts?: ParseOptions): Parsed & { text: string } {
  const text = typeof input === "string" ? input : decoder.decode(input);
  let tree: Json;
  try {
    tree = JSON.parse(text);
  } catch {
    throw new ValueError(jsonProblem(text));
  }
  if (text.length > MAX_DEPTH * 2 && MANY_OPENERS.test(text)) checkDepth(tree, MAX_DEPTH);
  if (UNUSUAL_DIGITS.test(text) && UNUSUAL_NUMBER.test(text)) tree = JSON.parse(text, exactNumber);
  const duplicates = opts?.duplicates ? duplicateFields(text) : [];
  if (duplicates.length > 0 && !opts?.whole) tree = mergeDuplicates(text);
  if (text.includes("\\u") && HALF_SURROGATE.test(text)) tree = wellFormed(tree);
  return { tree, duplicates, text };
}

/**
 * JSON text without a line feed at the end. `pretty` indents by two spaces. Takes bigint. The runtime lists keys that are whole
 * numbers first and by their size: objects that have such keys are written with all of theirs in the order of their bytes.
 */
export function stringifyJson(value: Json, pretty = false): string {
  try {
    // With one argument the runtime takes a way that is twice as fast.
    const text = pretty ? JSON.stringify(value, null, 2) : JSON.stringify(value);
    if (!DIGIT_KEY.test(text) || !NUMBER_KEY.test(text)) return text;
  } catch (e) {
    if (!(e instanceof TypeError)) throw e;
  }
  return writeJson(value, pretty ? "  " : undefined);
}

/** The end of a key that ends with a digit: found in a fiftieth of the time that the text takes. */
const DIGIT_KEY = /\d":/;
/** A key that is a whole number (or text that looks so: then only speed is lost). */
const NUMBER_KEY = /"\d+":/;

const UNSAFE = /[<>&\u2028\u2029]/;
const ESCAPES = ["<", ">", "&", "\u2028", "\u2029"].map((c) =>
  [c, "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0")] as const
);

/** Compact or pretty text with `<`, `>`, `&`, U+2028, U+2029 escaped. */
export function safeText(value: Json, pretty = false): string {
  const text = stringifyJson(value, pretty);
  if (!UNSAFE.test(text)) return text;
  // Split and joined it takes a tenth of the time of replacing, of which a client may ask for millions.
  return ESCAPES.reduce((out, [c, escape]) => out.includes(c) ? out.split(c).join(escape) : out, text);
}

/** The bytes of a body: compact with a line feed at the end, or pretty without; characters as {@linkcode safeText} says. */
export function encodeJson(value: Json, pretty = false): Uint8Array<ArrayBuffer> {
  return encoder.encode(pretty ? safeText(value, true) : safeText(value) + "\n");
}

/** Compact bytes without a line feed, to be put together with others. */
export function encodeJsonBare(value: Json): Uint8Array<ArrayBuffer> {
  return encoder.encode(safeText(value, false));
}

/** Throws {@linkcode ValueError} when a tree nests deeper than `left` levels. For trees of other parsers too. */
export function checkDepth(value: Json, left: number): void {
  if (value === null || typeof value !== "object") return;
  if (left === 0) throw new ValueError("exceeded max depth");
  if (Array.isArray(value)) { for (const item of value) checkDepth(item, left - 1); }
  else for (const key in value) checkDepth(value[key]!, left - 1);
}

/** Whole numbers written with a fraction or an exponent (or text that looks so: then only speed is lost). */
const WHOLE_FLOAT = /[:,[\s]-?\d+(?:\.0+[,\s\]}]|(?:\.\d+)?[eE])/;

/** Part of it that is found faster. */
const FLOAT_END = /\.0+[,\s\]}]|\d[eE]/;

/** A tree in which no whole number stands where a float was written. */
export interface MarkedFloats {
  readonly tree: Json;
  /** Texts of those floats, each once: the one at `i` stands in the tree as `i + 0.5`. */
  readonly texts: readonly string[];
}

/** The tree of a good text with its whole floats (`2.0`, `1e3`) told from whole numbers; undefined when it has none. */
export function markedFloats(text: string): MarkedFloats | undefined {
  const marks = new Map<string, number>();
  if (!FLOAT_END.test(text) || !WHOLE_FLOAT.test(text)) return undefined;
  const tree = JSON.parse(text, (_key, value, context?: { source?: string }) => {
    const source = context?.source;
    if (!Number.isInteger(value) || source === undefined || /^-?\d+$/.test(source)) return value;
    const mark = marks.get(source) ?? marks.size + 0.5;
    marks.set(source, mark);
    return mark;
  });
  return marks.size > 0 ? { tree, texts: [...marks.keys()] } : undefined;
}

/** What is wrong with a marked tree, with the float as it was written. */
export const unmarked = (message: string, texts: readonly string[]): string =>
  message.replace(/number (\d+)\.5/, (all, i) => texts[i] ? `number ${texts[i]}` : all);

function exactNumber(_key: string, value: Json, context?: { source?: string }): Json {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const source = context?.source ?? "";
  if (!Number.isFinite(value)) throw new ValueError(`number ${source.slice(0, 64)} is out of range`);
  return source.length <= INT64_LENGTH && /^-?\d+$/.test(source) ? BigInt(source) : value;
}

/** Half of a surrogate pair, which only an escape can bring in, becomes U+FFFD: no other encoding can hold it. */
function wellFormed(value: Json): Json {
  if (typeof value === "string") return value.toWellFormed();
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [k.toWellFormed(), wellFormed(v)]));
}
