/** From the text of an option to its value. Every parser throws an Error that says what the text should be. */
import { formatCidr, tryParseCidr, tryParseIp } from "../values/ip.ts";
import { durationText, parseDuration } from "./duration.ts";
import { headers, nodePairs, numaMemory, taints, thresholds } from "./node_values.ts";
import type { CertKey, OptionRow, OptionType, PortRange, ValueOf, ValueRule } from "./types.ts";

/** Comma lists may quote items, as CSV does. */
function splitList(text: string): string[] {
  if (text === "") return [];
  if (!text.includes('"')) return text.split(",");
  const out: string[] = [];
  for (const m of text.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)) {
    out.push(m[1] !== undefined ? m[1].replaceAll('""', '"') : m[2]!);
  }
  return out;
}

const fail = (what: string): never => {
  throw new Error(what);
};

function bool(text: string): boolean {
  if (/^(1|t|T|true|TRUE|True)$/.test(text)) return true;
  if (/^(0|f|F|false|FALSE|False)$/.test(text)) return false;
  return fail("should be true or false");
}

function int(text: string): number {
  const n = /^[+-]?(\d+|0x[0-9a-fA-F]+)$/.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(n) ? n : fail("should be an integer");
}

function float(text: string): number {
  const n = text.trim() === "" ? NaN : Number(text);
  return Number.isFinite(n) ? n : fail("should be a number");
}

const ip = (text: string): string => (text === "" || tryParseIp(text) ? text : fail("should be an IP address"));

function url(text: string): string {
  if (text !== "" && !URL.canParse(text)) fail("should be a URL");
  return text;
}

/** The range as it is usually written; bits after its prefix are dropped. */
function cidr(text: string): string {
  const read = tryParseCidr(text) ?? fail("should be a range in CIDR notation, such as 10.0.0.0/24");
  return formatCidr(read);
}

function portRange(text: string): PortRange {
  const plus = /^(\d+)\+(\d+)$/.exec(text);
  const m = plus ?? /^(\d+)(?:-(\d+))?$/.exec(text) ?? fail("should be N1-N2");
  const from = Number(m[1]);
  const to = plus ? from + Number(m[2]) : Number(m[2] ?? m[1]);
  if (from > to || to > 65535) fail("should be N1-N2 with N1 ≤ N2 ≤ 65535");
  return { from, to };
}

function certKey(text: string): CertKey {
  const colon = text.indexOf(":"), files = colon < 0 ? text : text.slice(0, colon);
  const [cert, key, ...more] = parts(files);
  const domains = colon < 0 ? [] : parts(text.slice(colon + 1));
  if (!cert || !key || more.length || domains.includes("")) fail("should be cert,key or cert,key:domain,…");
  return { cert: cert!, key: key!, domains };
}

const parts = (list: string): string[] => list.split(",").map((part) => part.trim());

function pair(text: string): [string, string] {
  const at = text.indexOf("=");
  if (at < 0) fail("should be key=value");
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

const keyAlone = (text: string) => pair(text.includes("=") ? text : `${text}=`);
// A single pair keeps its commas.
const pairsOf = (text: string) => text.split("=").length === 2 ? [text.replace(/^"+|"+$/g, "")] : splitList(text);
const pairs = (texts: readonly string[]) => Object.fromEntries(texts.flatMap(pairsOf).map(pair));
const last = (texts: readonly string[]) => texts.at(-1)!;
const quantity = (t: string) =>
  /^(\d+(\.\d*)?|\.\d+)([EPTGMkmun]|[EPTGMK]i|[eE][+-]?\d+)?$/.test(t) || t === "" ? t : fail("should be a quantity");

/** How each type reads the texts given for one option, in order; the last wins for single values. */
const PARSERS: { readonly [T in OptionType]: (texts: readonly string[]) => ValueOf[T] } = {
  bool: (t) => bool(last(t)),
  int: (t) => int(last(t)),
  float: (t) => float(last(t)),
  string: last,
  path: last,
  ip: (t) => ip(last(t)),
  url: (t) => url(last(t)),
  quantity: (t) => quantity(last(t)),
  duration: (t) => parseDuration(last(t)) ?? fail("should be a duration, such as 1m30s"),
  strings: (t) => t.flatMap(splitList).map((s) => s.trim()),
  array: (t) => [...t],
  ints: (t) => t.flatMap(splitList).map(int),
  map: pairs,
  pairs: nodePairs,
  pair: (t) => Object.fromEntries(t.map(pair)),
  switches: (t) => Object.fromEntries(t.flatMap(splitList).filter((item) => item !== "").map(keyAlone)),
  cidrs: (t) => t.flatMap(splitList).map(cidr),
  portRange: (t) => portRange(last(t)),
  certKeys: (t) => t.map(certKey),
  thresholds,
  headers,
  taints,
  numaMemory,
};

const ZEROS: { readonly [T in OptionType]: ValueOf[T] } = {
  bool: false,
  int: 0,
  float: 0,
  string: "",
  path: "",
  ip: "",
  url: "",
  quantity: "",
  duration: 0,
  strings: [],
  array: [],
  ints: [],
  map: {},
  pair: {},
  pairs: {},
  switches: {},
  cidrs: [],
  portRange: { from: 0, to: 0 },
  certKeys: [],
  thresholds: {},
  headers: {},
  taints: [],
  numaMemory: [],
};

/** What of its row's rule a value does not satisfy; undefined when it is good. */
export function ruleFault({ rule, type }: { rule?: ValueRule; type: string }, value: unknown): string | undefined {
  const bound = (n: number) => type === "duration" && n !== 0 ? durationText(n) : n;
  if (!rule) return undefined;
  for (const n of [value].flat().filter((x) => typeof x === "number")) {
    if (rule.min !== undefined && n < rule.min) return `should be at least ${bound(rule.min)}`;
    if (rule.max !== undefined && n > rule.max) return `should be at most ${bound(rule.max)}`;
  }
  if (rule.maxItems !== undefined && (value as readonly unknown[]).length > rule.maxItems) {
    return `should have at most ${rule.maxItems} items`;
  }
  if (!rule.oneOf) return undefined;
  const wrong = (Array.isArray(value) ? value : [value]).filter((v) => !rule.oneOf!.includes(v));
  const allowed = rule.oneOf.filter((v) => v !== "").join(", ");
  return wrong.length ? `${JSON.stringify(wrong[0])} should be one of ${allowed}` : undefined;
}

/** What is wrong with a value, after the value as it was written, unless it begins so itself. */
export const valueFault = (written: string, why: string): string =>
  why.startsWith(`${written} `) ? why : `${written}: ${why}`;

/** The value of an option that was given at least once. @throws Error with the reason alone */
export function valueOf(row: OptionRow, texts: readonly string[]): unknown {
  const value = PARSERS[row.type](texts);
  const why = ruleFault(row, value);
  if (why) throw new Error(why);
  return value;
}

/** The value of an option that was not given. */
export function defaultOf(row: OptionRow, local: (text: string) => string): unknown {
  return row.default === undefined ? ZEROS[row.type] : PARSERS[row.type]([local(row.default)]);
}
