/** `text.format([…])`: its clauses, what they take, and how values are shown. */
import { CelError } from "./ast.ts";
import { doubleText } from "../values/double.ts";
import { quote } from "../values/quote.ts";
import { mustFit } from "./room.ts";
import { bytesText, spanText, timeText } from "./standard.ts";
import { type Type, typeText } from "./types.ts";
import { isCelMap, isList, Opaque, Optional, Span, Time, typeOf, TypeValue, Uint, type Value } from "./values.ts";

const CLAUSE = /%(?:\.(\d*))?([\s\S]?)/g;

/** Types that each clause takes. `f` and `e` take text for what is no number. */
const TAKES: Readonly<Record<string, ReadonlySet<string>>> = {
  s: new Set("null bool int uint double string bytes timestamp duration list map type".split(" ")),
  d: new Set(["int", "uint"]),
  f: new Set(["double", "string"]),
  e: new Set(["double", "string"]),
  b: new Set(["int", "uint", "bool"]),
  o: new Set(["int", "uint"]),
  x: new Set(["int", "uint", "string", "bytes"]),
  X: new Set(["int", "uint", "string", "bytes"]),
};

/** A text taken apart: what stands between clauses, and the clauses. @throws CelError for what is no clause */
function clausesOf(text: string): { verb: string; precision: number; at: number; length: number }[] {
  const out = [];
  for (const m of text.matchAll(CLAUSE)) {
    const verb = m[2]!;
    if (verb === "") throw new CelError("unexpected end of string");
    if (m[1] === "") throw new CelError("could not parse formatting clause: a precision was expected");
    if (verb !== "%" && !Object.hasOwn(TAKES, verb)) {
      throw new CelError(`could not parse formatting clause: unrecognized formatting clause "${verb}"`);
    }
    out.push({ verb, precision: m[1] === undefined ? 6 : Number(m[1]), at: m.index, length: m[0].length });
  }
  return out;
}

/**
 * Checks a text and the types of what it is to show, with the places where that stands.
 * @throws CelError when a clause does not take its value, with its place
 */
export function checkFormat(text: string, values: readonly { readonly type: Type; readonly at: number }[]): void {
  const verbs = clausesOf(text).map((c) => c.verb).filter((v) => v !== "%");
  for (const [i, verb] of verbs.entries()) {
    const value = values[i];
    if (!value) throw new CelError(`index ${i} out of range`);
    const { type, at } = value;
    if (type.k !== "dyn" && type.k !== "var" && !TAKES[verb]!.has(type.k)) refuse(verb, typeText(type), at);
  }
  if (verbs.length < values.length) {
    throw new CelError(`too many arguments supplied to string.format (expected ${verbs.length}, got ${values.length})`);
  }
}

function refuse(verb: string, type: string, at?: number): never {
  throw new CelError(`error during formatting: clause "%${verb}" does not take a ${type}`, at);
}

/** The text with its clauses filled in; what no clause takes is passed over. @throws CelError */
export function formatText(text: string, args: readonly Value[]): string {
  let out = "", from = 0, next = 0;
  const room = new Room();
  for (const { verb, precision, at, length } of clausesOf(text)) {
    out += text.slice(from, at);
    from = at + length;
    if (verb === "%") out += "%";
    else if (next >= args.length) throw new CelError("index out of range while formatting");
    else out += verbText(verb, args[next++]!, precision, room);
  }
  return out + text.slice(from);
}

/** Counts what is put into a text, before it is put together. */
class Room {
  #used = 0;
  holding(text: string): string {
    mustFit(this.#used += text.length);
    return text;
  }
}

function verbText(verb: string, v: Value, precision: number, room: Room): string {
  return verb === "s" ? shown(v, room) : room.holding(numeralText(verb, v, precision));
}

function numeralText(verb: string, v: Value, precision: number): string {
  if (verb === "f" || verb === "e") return numberText(verb, v, precision);
  const whole = v instanceof Uint ? v.value : typeof v === "boolean" && verb === "b" ? BigInt(v) : v;
  if (verb === "x" || verb === "X") {
    if (typeof v === "string") return cased(verb, hex(new TextEncoder().encode(v)));
    if (v instanceof Uint8Array) return cased(verb, hex(v));
  }
  if (typeof whole !== "bigint") refuse(verb, typeOf(v));
  return cased(verb, whole.toString({ d: 10, b: 2, o: 8, x: 16, X: 16 }[verb]));
}

const WORDS = new Set(["NaN", "Infinity", "-Infinity"]);

function numberText(verb: string, v: Value, precision: number): string {
  const n = typeof v === "string" && WORDS.has(v) ? Number(v) : v;
  if (typeof n !== "number") refuse(verb, typeOf(v));
  if (Number.isNaN(n)) return "NaN";
  if (!Number.isFinite(n)) return n > 0 ? "∞" : "-∞";
  if (verb === "f") return grouped(fixed(n, precision));
  // Six digits, whatever the precision says.
  const [mantissa, power] = n.toExponential(6).split("e");
  const digits = power!.replace(/^[+-]/, "").padStart(2, "0");
  return `${mantissa}×10${power!.startsWith("-") ? "⁻" : ""}${
    [...digits].map((d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(d)]).join("")
  }`;
}

/** With commas between thousands. */
const grouped = (text: string): string => text.replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(?:\d{3})+$)/g, ","));

/** Most digits after the point. */
const MAX_DIGITS = 1000;
/** The smallest double is 2 to the power of minus this: multiplied by its inverse, every one is whole. */
const FINEST = 1074n;

/** So many digits after the point of the exact value; what lies in the middle goes to the even neighbour. */
function fixed(n: number, digits: number): string {
  if (digits > MAX_DIGITS) throw new CelError(`error during formatting: more than ${MAX_DIGITS} digits of precision`);
  const size = unitsOf(Math.abs(n)) * 10n ** BigInt(digits), below = size >> FINEST, rest = size - (below << FINEST);
  const half = 1n << (FINEST - 1n), up = rest > half || (rest === half && below % 2n === 1n);
  const text = String(below + (up ? 1n : 0n)).padStart(digits + 1, "0"), point = text.length - digits;
  return `${n < 0 ? "-" : ""}${text.slice(0, point)}${digits > 0 ? `.${text.slice(point)}` : ""}`;
}

/** How many of the smallest doubles one that is not negative is. */
function unitsOf(n: number): bigint {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, n);
  const all = bits.getBigUint64(0), power = all >> 52n, part = all & (1n << 52n) - 1n;
  return power === 0n ? part : (part | 1n << 52n) << (power - 1n);
}

const cased = (verb: string, s: string): string => verb === "X" ? s.toUpperCase() : s;
const hex = (bytes: Uint8Array): string => bytes.toHex();

function shown(v: Value, room: Room): string {
  if (isList(v)) return `[${v.map((item) => part(item, room)).join(", ")}]`;
  if (isCelMap(v)) {
    return `{${v.keys().map((k) => `${part(k, room)}:${part(v.get(k)!, room)}`).sort().join(", ")}}`;
  }
  return room.holding(scalarText(v));
}

function scalarText(v: Value): string {
  if (typeof v === "number") return doubleText(v);
  if (v instanceof Uint) return String(v.value);
  if (v instanceof Time) return timeText(v);
  if (v instanceof Span) return spanText(v);
  if (v instanceof Uint8Array) return bytesText(v);
  if (v instanceof TypeValue) return v.name;
  if (v instanceof Opaque || v instanceof Optional) refuse("s", typeOf(v));
  return String(v);
}

/** A value within a list or a map. */
function part(v: Value, room: Room): string {
  if (typeof v === "string") return room.holding(quote(v));
  if (typeof v === "number") return room.holding(Number.isFinite(v) ? fixed(v, 6) : quote(doubleText(v)));
  if (v instanceof Uint8Array) return room.holding(`b${quote(bytesText(v))}`);
  if (v instanceof Time) return room.holding(`timestamp("${timeText(v)}")`);
  if (v instanceof Span) return room.holding(`duration("${spanText(v)}")`);
  return shown(v, room);
}
