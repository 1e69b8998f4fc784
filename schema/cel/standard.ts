/** Operators and functions of the language itself. */
import type { RE2JS } from "re2js";
import { concat } from "../values/bytes.ts";
import { doubleText } from "../values/double.ts";
import { durationToNanos } from "../values/duration.ts";
import { CelError } from "./ast.ts";
import { length } from "./characters.ts";
import { isInt64, isUint64 } from "./lexer.ts";
import { mustFit, tooCostly } from "./room.ts";
import type { Rows, Work } from "./table.ts";
import { type CelMap, compare, equal, LooseList, Span, Time, typeOf, TypeValue, Uint, type Value } from "./values.ts";
import { hasMatch, isCostly, patternOf } from "../values/pattern.ts";
import { clockOf } from "../values/time_zone.ts";

/** @throws CelError outside of 64 bits */
export function int(v: bigint): bigint {
  if (!isInt64(v)) throw new CelError("integer overflow");
  return v;
}
/** An unsigned one. @throws CelError outside of 64 bits */
export function uint(v: bigint): Uint {
  if (!isUint64(v)) throw new CelError("unsigned integer overflow");
  return new Uint(v);
}
const nonZero = <T>(v: T, zero: T, what: string): T => {
  if (v === zero) throw new CelError(what);
  return v;
};
const DIVIDE = "division by zero", MODULUS = "modulus by zero";
type U = Uint;

/** What is left of a division, which must have a result itself. */
function remainder(a: bigint, b: bigint): bigint {
  int(a / b);
  return a % b;
}

/** The same work for several types. */
export const each = (types: readonly string[], signature: (type: string) => string, work: Work): Rows =>
  Object.fromEntries(types.map((t) => [signature(t), work]));

/** Types whose values have an order. */
export const ORDERED = ["int", "uint", "double", "string", "bytes", "bool", "timestamp", "duration"];
const CROSSED = ["int, uint", "uint, int", "int, double", "double, int", "uint, double", "double, uint"];

function ordering(sign: string, holds: (order: number) => boolean): Rows {
  const work: Work = (a: Value, b: Value) => holds(compare(a, b));
  return {
    ...each(ORDERED, (t) => `${sign}(${t}, ${t}) bool`, work),
    ...each(CROSSED, (pair) => `${sign}(${pair}) bool`, work),
  };
}

const utf8 = new TextEncoder();
/** The text that bytes are. @throws CelError */
export function bytesText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CelError("invalid UTF-8 in bytes, cannot convert to string");
  }
}

function joined(a: readonly Value[], b: readonly Value[]): readonly Value[] {
  mustFit(a.length + b.length);
  return a instanceof LooseList ? a.merged(b) : [...a, ...b];
}

const ARITHMETIC: Rows = {
  "+(int, int) int": (a: bigint, b: bigint) => int(a + b),
  "+(uint, uint) uint": (a: U, b: U) => uint(a.value + b.value),
  "+(double, double) double": (a: number, b: number) => a + b,
  "+(string, string) string": (a: string, b: string) => a + b,
  "+(bytes, bytes) bytes": (a: Uint8Array, b: Uint8Array) => concat([a, b]),
  "+(list<A>, list<A>) list<A>": joined,
  "+(timestamp, duration) timestamp": (a: Time, b: Span) => timeAt(a.ns + b.ns, a.offset),
  "+(duration, timestamp) timestamp": (a: Span, b: Time) => timeAt(a.ns + b.ns, b.offset),
  "+(duration, duration) duration": (a: Span, b: Span) => new Span(int(a.ns + b.ns)),
  "-(int, int) int": (a: bigint, b: bigint) => int(a - b),
  "-(uint, uint) uint": (a: U, b: U) => uint(a.value - b.value),
  "-(double, double) double": (a: number, b: number) => a - b,
  "-(timestamp, timestamp) duration": (a: Time, b: Time) => new Span(int(a.ns - b.ns)),
  "-(timestamp, duration) timestamp": (a: Time, b: Span) => timeAt(a.ns - b.ns, a.offset),
  "-(duration, duration) duration": (a: Span, b: Span) => new Span(int(a.ns - b.ns)),
  "*(int, int) int": (a: bigint, b: bigint) => int(a * b),
  "*(uint, uint) uint": (a: U, b: U) => uint(a.value * b.value),
  "*(double, double) double": (a: number, b: number) => a * b,
  "/(int, int) int": (a: bigint, b: bigint) => int(a / nonZero(b, 0n, DIVIDE)),
  "/(uint, uint) uint": (a: U, b: U) => uint(a.value / nonZero(b.value, 0n, DIVIDE)),
  "/(double, double) double": (a: number, b: number) => a / b,
  "%(int, int) int": (a: bigint, b: bigint) => remainder(a, nonZero(b, 0n, MODULUS)),
  "%(uint, uint) uint": (a: U, b: U) => uint(a.value % nonZero(b.value, 0n, MODULUS)),
  "-_(int) int": (a: bigint) => int(-a),
  "-_(double) double": (a: number) => -a,
  "!(bool) bool": (a: boolean) => !a,
};

const contains = (list: readonly Value[], v: Value) => list.some((x) => equal(x, v));

const RELATIONS: Rows = {
  "==(A, A) bool": (a: Value, b: Value) => equal(a, b),
  "!=(A, A) bool": (a: Value, b: Value) => !equal(a, b),
  ...ordering("<", (o) => o < 0),
  ...ordering("<=", (o) => o <= 0),
  ...ordering(">", (o) => o > 0),
  ...ordering(">=", (o) => o >= 0),
  "in(A, list<A>) bool": (v: Value, list: Value[]) => contains(list, v),
  "in(K, map<K, V>) bool": (k: Value, map: CelMap) => map.get(k) !== undefined,
};

const SIZES: Rows = {
  ...each(["", "M."], (m) => m ? "string.size() int" : "size(string) int", (s: string) => BigInt(length(s))),
  ...each(["", "M."], (m) => m ? "bytes.size() int" : "size(bytes) int", (b: Uint8Array) => BigInt(b.length)),
  ...each(["", "M."], (m) => m ? "list<A>.size() int" : "size(list<A>) int", (l: Value[]) => BigInt(l.length)),
  ...each(["", "M."], (m) => m ? "map<K, V>.size() int" : "size(map<K, V>) int", (m: CelMap) => BigInt(m.size)),
};

/** A pattern, compiled. @throws CelError */
function pattern(source: string): RE2JS {
  try {
    return patternOf(source);
  } catch (e) {
    throw new CelError(e instanceof Error ? e.message : `error parsing regexp: ${source}`);
  }
}
const matches: Work = (s: string, p: string) => hasMatch(patternFor(p, s), s);

/** A pattern, compiled, for a text. @throws CelError, and RangeError where the search may take too long */
export function patternFor(source: string, text: string): RE2JS {
  const found = pattern(source);
  if (isCostly(found, text)) tooCostly();
  return found;
}

const TEXTS: Rows = {
  "string.contains(string) bool": (s: string, t: string) => s.includes(t),
  "string.startsWith(string) bool": (s: string, t: string) => s.startsWith(t),
  "string.endsWith(string) bool": (s: string, t: string) => s.endsWith(t),
  "string.matches(string) bool": matches,
  "matches(string, string) bool": matches,
};

/** A double as a whole number; it must lie between the two, neither of which is. */
function truncated(v: number, above: number, below: number, overflow: string): bigint {
  if (!(v > above && v < below)) throw new CelError(overflow);
  return BigInt(Math.trunc(v));
}
function parsed<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (e) {
    if (e instanceof CelError) throw e;
    throw new CelError(`type conversion error from 'string' to '${what}'`);
  }
}
/** No zero of many is taken for a digit that counts: each would be tried as the first one of those. */
const DECIMAL = /^([+-]?)(?=\d)0*(?!0)(\d*)$/, DIGITS = /^()(?=\d)0*(?!0)(\d*)$/;
/** With more digits a number is too large for 64 bits, whatever follows. */
export const MOST_DIGITS = 21;
function wholeNumber(s: string, type: "int" | "uint"): bigint {
  const [, sign, digits] = (type === "int" ? DECIMAL : DIGITS).exec(s) ?? [];
  if (digits === undefined) throw new CelError(`type conversion error from 'string' to '${type}'`);
  const n = BigInt(digits.slice(0, MOST_DIGITS));
  return sign === "-" ? -n : n;
}
const same: Work = (v: Value) => v;

const BOOLEANS: Readonly<Record<string, boolean>> = {
  "1": true,
  t: true,
  T: true,
  true: true,
  TRUE: true,
  True: true,
  "0": false,
  f: false,
  F: false,
  false: false,
  FALSE: false,
  False: false,
};

const DOUBLE_DIGITS = "\\d+(?:_\\d+)*";
const DOUBLE_TEXT = new RegExp(
  `^[+-]?(?:${DOUBLE_DIGITS}(?:\\.(?:${DOUBLE_DIGITS})?)?|\\.${DOUBLE_DIGITS})(?:[eE][+-]?${DOUBLE_DIGITS})?$`,
);
const DOUBLE_WORD = /^(?:([+-]?)inf(?:inity)?|(nan))$/i;

/** Reads a double: digits, perhaps with `_` between them, or a word for what is no number. @throws CelError */
function readDouble(s: string): number {
  const word = DOUBLE_WORD.exec(s);
  if (word) return word[2] ? NaN : word[1] === "-" ? -Infinity : Infinity;
  const v = DOUBLE_TEXT.test(s) ? Number(s.replaceAll("_", "")) : NaN;
  if (!Number.isFinite(v)) throw new CelError("type conversion error from 'string' to 'double'");
  return v;
}

const CONVERSIONS: Rows = {
  "int(int) int": same,
  "int(uint) int": (v: U) => int(v.value),
  "int(double) int": (v: number) => truncated(v, -(2 ** 63), 2 ** 63, "integer overflow"),
  "int(string) int": (s: string) => int(wholeNumber(s, "int")),
  "int(timestamp) int": (t: Time) => floorDiv(t.ns, SECOND),
  "int(duration) int": (s: Span) => s.ns,
  "uint(uint) uint": same,
  "uint(int) uint": (v: bigint) => uint(v),
  "uint(double) uint": (v: number) => uint(truncated(v, -Number.MIN_VALUE, 2 ** 64, "unsigned integer overflow")),
  "uint(string) uint": (s: string) => uint(wholeNumber(s, "uint")),
  "double(double) double": same,
  "double(int) double": (v: bigint) => Number(v),
  "double(uint) double": (v: U) => Number(v.value),
  "double(string) double": readDouble,
  "string(string) string": same,
  "string(bool) string": (v: boolean) => String(v),
  "string(int) string": (v: bigint) => String(v),
  "string(uint) string": (v: U) => String(v.value),
  "string(double) string": (v: number) => doubleText(v),
  "string(bytes) string": (v: Uint8Array) => bytesText(v),
  "string(timestamp) string": (v: Time) => timeText(v),
  "string(duration) string": (v: Span) => spanText(v),
  "bytes(bytes) bytes": same,
  "bytes(string) bytes": (s: string) => utf8.encode(s),
  "bool(bool) bool": same,
  "bool(string) bool": (s: string) => {
    if (!Object.hasOwn(BOOLEANS, s)) throw new CelError("type conversion error from 'string' to 'bool'");
    return BOOLEANS[s]!;
  },
  "dyn(A) dyn": same,
  "type(A) type": (v: Value) => new TypeValue(typeOf(v)),
  "timestamp(timestamp) timestamp": same,
  "timestamp(string) timestamp": (s: string) =>
    parsed("google.protobuf.Timestamp", () => readTime(/[tz]/.test(s) ? "" : s)),
  "timestamp(int) timestamp": (v: bigint) => timeAt(v * SECOND),
  "duration(duration) duration": same,
  "duration(string) duration": (s: string) => parsed("google.protobuf.Duration", () => readSpan(s)),
  // Declared, and without a meaning.
  "duration(int) duration": () => {
    throw new CelError("no such overload");
  },
};

const SECOND = 1_000_000_000n, MILLI = 1_000_000n;
const floorDiv = (a: bigint, b: bigint): bigint => a / b - (a % b < 0n ? 1n : 0n);

const TIME = /^(\d{4}-\d\d-\d\d[tT]\d\d:\d\d:\d\d)(?:[.,](\d+))?(?:[zZ]|([+-])(\d\d):(\d\d))$/;
/** The first and the last moment. */
const FIRST = -62_135_596_800n * SECOND, LAST = 253_402_300_800n * SECOND - 1n;

/** A moment that can be told. @throws CelError */
function timeAt(ns: bigint, offset = 0): Time {
  if (ns < FIRST || ns > LAST) throw new CelError("timestamp overflow");
  return new Time(ns, offset);
}

/** Reads RFC 3339. @throws CelError */
export function readTime(s: string): Time {
  const [, whole, part = "", sign, hours, minutes] = TIME.exec(s) ?? [];
  const said = whole?.toUpperCase(), ms = said ? Date.parse(`${said}Z`) : NaN;
  // Days that a month has not, and the hour 24, come out as others.
  const real = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(said!);
  if (!real || Number(hours ?? 0) > 24 || Number(minutes ?? 0) > 60) {
    throw new CelError("type conversion error from 'string' to 'google.protobuf.Timestamp'");
  }
  const ahead = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === "-" ? -1 : 1);
  return timeAt(BigInt(ms - ahead * 60_000) * MILLI + BigInt(part.slice(0, 9).padEnd(9, "0")), ahead);
}

/** Reads `1h30m`. @throws ValueError */
export function readSpan(s: string): Span {
  return new Span(durationToNanos(s));
}

/** RFC 3339, with the part of a second that there is. */
export function timeText(t: Time): string {
  const whole = new Date(Number(floorDiv(t.ns, SECOND)) * 1000 + t.offset * 60_000).toISOString().slice(0, 19);
  const part = String(t.ns - floorDiv(t.ns, SECOND) * SECOND).padStart(9, "0").replace(/0+$/, "");
  return `${whole}${part ? `.${part}` : ""}${zoneText(t.offset)}`;
}

function zoneText(minutes: number): string {
  if (minutes === 0) return "Z";
  const two = (n: number) => String(Math.trunc(n)).padStart(2, "0"), size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${two(size / 60)}:${two(size % 60)}`;
}

/** Seconds, counted in a double: `90s`, `0.5s`. */
export function spanText(s: Span): string {
  const seconds = Number(s.ns / SECOND) + Number(s.ns % SECOND) / 1e9;
  return `${withoutPower(seconds)}s`;
}

/** The digits of a small number, written out. */
function withoutPower(v: number): string {
  const [, sign, digits, power] = /^(-?)([\d.]+)e-(\d+)$/.exec(String(v)) ?? [];
  return power ? `${sign}0.${"0".repeat(Number(power) - 1)}${digits!.replace(".", "")}` : String(v);
}

/** The milliseconds that UTC shows when a clock of a zone shows what it does at a moment. @throws RangeError */
function localTime(zone: string, ms: number): number {
  const shown = clockOf(zone).format(ms);
  const [month, day, year, hour, minute, second] = shown.match(/\d+/g)!.map(Number) as Six;
  const local = new Date(0);
  local.setUTCFullYear(shown.includes("BC") ? 1 - year : year, month - 1, day);
  return local.setUTCHours(hour, minute, second, (ms % 1000 + 1000) % 1000);
}

/** Numbers of `7/10/2024 AD, 14:05:09`. */
type Six = [number, number, number, number, number, number];

/** Parts of a moment in a zone: `UTC` by default, an offset, or a name. */
function parts(t: Time, zone = "UTC"): Date {
  const ms = Number(floorDiv(t.ns, MILLI));
  if (zone === "UTC" || zone === "" || zone === "Local") return new Date(ms);
  const offset = /^([+-]?)(\d{1,2}):(\d\d)$/.exec(zone);
  if (offset) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3]);
    return new Date(ms + (offset[1] === "-" ? -minutes : minutes) * 60_000);
  }
  try {
    return new Date(localTime(zone, ms));
  } catch {
    throw new CelError(`unknown time zone ${zone}`);
  }
}

const dayOfYear = (d: Date): number =>
  Math.floor(
    (Date.UTC(d.getUTCFullYear(), d.getUTCMonth(), d.getUTCDate()) - Date.UTC(d.getUTCFullYear(), 0, 1)) / 864e5,
  );

const PARTS: Readonly<Record<string, (d: Date) => number>> = {
  getFullYear: (d) => d.getUTCFullYear(),
  getMonth: (d) => d.getUTCMonth(),
  getDate: (d) => d.getUTCDate(),
  getDayOfMonth: (d) => d.getUTCDate() - 1,
  getDayOfWeek: (d) => d.getUTCDay(),
  getDayOfYear: dayOfYear,
  getHours: (d) => d.getUTCHours(),
  getMinutes: (d) => d.getUTCMinutes(),
  getSeconds: (d) => d.getUTCSeconds(),
  getMilliseconds: (d) => d.getUTCMilliseconds(),
};

const TIMES: Rows = {
  ...Object.fromEntries(
    Object.entries(PARTS).flatMap(([name, part]): [string, Work][] => [
      [`timestamp.${name}() int`, (t: Time) => BigInt(part(parts(t)))],
      [`timestamp.${name}(string) int`, (t: Time, zone: string) => BigInt(part(parts(t, zone)))],
    ]),
  ),
  "duration.getHours() int": (s: Span) => s.ns / (3600n * SECOND),
  "duration.getMinutes() int": (s: Span) => s.ns / (60n * SECOND),
  "duration.getSeconds() int": (s: Span) => s.ns / SECOND,
  "duration.getMilliseconds() int": (s: Span) => s.ns / MILLI,
};

/** All of them. */
export const STANDARD: readonly Rows[] = [ARITHMETIC, RELATIONS, SIZES, TEXTS, CONVERSIONS, TIMES];
