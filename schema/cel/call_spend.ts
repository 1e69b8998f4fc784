/** What a call costs besides its arguments: told of the values that it is called with, before it does anything. */
import type { Cidr, Ip } from "../values/ip.ts";
import { ACCESS, ONE_UNIT, patternCost, selectorCost } from "./cost_calls.ts";
import { isListMeaning } from "./cost_lists.ts";
import { MAKING, PER_CHARACTER, PER_PATTERN_CHARACTER, scaled } from "./cost_size.ts";
import type { Meaning } from "./meaning.ts";
import { FORMAT_PATTERNS } from "./name_formats.ts";
import { MOST_MADE } from "./room.ts";
import { length } from "./characters.ts";
import { isCelMap, isList, Opaque, Optional, type Value } from "./values.ts";

/** `meaning`: undefined where only the values have shown what was meant. */
type Spend = (args: readonly Value[], meaning: Meaning | undefined) => number;

/** Size of a value as costs see it; of what has none, 1. */
function sizeOf(v: Value): number {
  if (typeof v === "string") return length(v);
  if (v instanceof Uint8Array || isList(v)) return v.length;
  if (isCelMap(v)) return v.size;
  if (!(v instanceof Opaque)) return 1;
  if (v.type === "ip") return (v.value as Ip).family === 4 ? 4 : 16;
  return v.type === "cidr" ? Math.ceil((v.value as Cidr).prefix / 8) : 1;
}
/** The same, looking into optional values. */
const innerSize = (v: Value): number => v instanceof Optional && v.value !== undefined ? innerSize(v.value) : sizeOf(v);

const utf8 = new TextEncoder();
/** Cost of going over all that a value holds. */
function walk(v: Value): number {
  if (typeof v === "string") return Math.floor(utf8.encode(v).length * PER_CHARACTER);
  if (v instanceof Uint8Array) return Math.floor(v.length * PER_CHARACTER);
  if (isList(v)) return v.reduce<number>((n, x) => n + walk(x), 0);
  if (isCelMap(v)) return v.keys().reduce<number>((n, k) => n + walk(k) + walk(v.get(k) ?? null), 0);
  return 1;
}

const read = (v: Value, factor = 1): number => scaled(sizeOf(v), factor * PER_CHARACTER);
const matched = (text: Value, pattern: number): number => patternCost(sizeOf(text), pattern);
const made = (size: number, factor: number): number => Math.floor(size * factor) + 1 + MAKING.list;
const one: Spend = () => 1;

function compared(list: Value): number {
  if (!isList(list) || list.length === 0) return made(0, 0);
  const texts = typeof list[0] === "string" || list[0] instanceof Uint8Array;
  return made(list.length ** 2, texts ? 2 + PER_CHARACTER : 2);
}

function within([a, b]: readonly Value[], meaning: Meaning | undefined): number {
  return scaled(2 * sizeOf(a!), PER_CHARACTER) + (meaning === "cidrAndText" ? read(b!) : 0);
}

const READ_ONCE =
  ("url lowerAscii upperAscii substring trim jsonpatch.escapeKey cidr isIP isCIDR quantity isQuantity " +
    "semver isSemver").split(" ");
const OVER_ITEMS = ["isSorted", "sum", "max", "min", "indexOf", "lastIndexOf"];
const each = (names: readonly string[], s: Spend): [string, Spend][] => names.map((n) => [n, s]);

const NAMED: ReadonlyMap<string, Spend> = new Map<string, Spend>([
  ...each(ONE_UNIT, one),
  ...each(READ_ONCE, ([a]) => read(a!)),
  ...each(OVER_ITEMS, ([a]) => walk(a!)),
  ...each(["fieldSelector", "labelSelector"], ([, text]) => selectorCost(sizeOf(text!))),
  ...each(["replace", "split"], ([a]) => read(a!, 2)),
  ...each(["find", "findAll"], ([a, p]) => matched(a!, sizeOf(p!))),
  ["check", () => ACCESS],
  ["join", ([list, by]) => scaled(joinedSize(list!, by ?? ""), 2 * PER_CHARACTER)],
  ["ip", ([a], meaning) => meaning === "ofCidr" ? 1 : read(a!)],
  ["ip.isCanonical", ([a]) => read(a!, 2)],
  ["containsIP", within],
  ["containsCIDR", (args, meaning) => within(args, meaning) + read(args[0]!) + 1],
  ["validate", ([f, a]) => f instanceof Opaque ? matched(a!, FORMAT_PATTERNS[f.value as string]!) : 1],
  ["==", (args, meaning) => args[0] instanceof Opaque ? 1 : smaller(args, meaning)],
]);

const smaller: Spend = ([a, b]) => scaled(Math.min(innerSize(a!), innerSize(b!)), PER_CHARACTER);
const first: Spend = ([a]) => scaled(innerSize(a!), PER_CHARACTER);
const sets = (factor: number): Spend => ([a, b]) => 1 + Math.floor(sizeOf(a!) * sizeOf(b!) * factor);
/** A list of so many items is made; where none is, what is wrong counts as one. */
const making = (n: number): number => made(n >= 0 ? n : 1, 1);
const whole = (v: Value | undefined): number => typeof v === "bigint" ? Number(v) : NaN;
const cutSize = (list: Value, from: number, to: number): number =>
  isList(list) && from >= 0 && to <= list.length ? to - from : NaN;

/** Characters of items that are put together; what is too dear anyway is not counted to its end. */
function joinedSize(list: Value, by: Value): number {
  if (!isList(list) || typeof by !== "string") return 1;
  let n = Math.max(0, list.length - 1) * length(by);
  for (const item of list) {
    if (typeof item !== "string") return 1;
    if ((n += length(item)) > MOST_MADE) break;
  }
  return n;
}

const MEANT: Readonly<Partial<Record<Meaning, Spend>>> = {
  startsWith: ([, part]) => scaled(innerSize(part!), PER_CHARACTER),
  textToBytes: first,
  bytesToText: first,
  quote: first,
  format: first,
  inList: ([, list]) => innerSize(list!),
  order: smaller,
  equal: smaller,
  joinTexts: ([a, b]) => scaled(innerSize(a!) + innerSize(b!), PER_CHARACTER),
  matches: ([a, p]) => scaled(1 + innerSize(a!), PER_CHARACTER) * scaled(innerSize(p!), PER_PATTERN_CHARACTER),
  contains: ([a, b]) => scaled(innerSize(a!), PER_CHARACTER) * scaled(innerSize(b!), PER_CHARACTER),
  slice: ([list, from, to]) => making(cutSize(list!, whole(from), whole(to))),
  range: ([n]) => making(whole(n)),
  reverse: ([list]) => making(isList(list!) ? list.length : NaN),
  flatten: ([list, depth]) => made(sizeOf(list!), depth === undefined ? 1 : Number(depth)),
  distinct: ([list]) => compared(list!),
  sort: ([list]) => compared(list!),
  sortTexts: ([list]) => compared(list!),
  sortBy: ([, keys]) => compared(keys!),
  setContains: sets(1),
  setEquivalent: sets(2),
};

/** What a call costs. `meanings`: what it might have meant before its values were there. */
export function spentOn(name: string, meanings: readonly Meaning[], args: readonly Value[]): number {
  // What is meant by functions on lists goes before functions of the same name.
  const only = meanings.length === 1 || name === "!=" ? meanings[0] : undefined;
  const meant = only && MEANT[only];
  if (meant && isListMeaning(only)) return meant(args, only);
  return (NAMED.get(name) ?? meant ?? one)(args, only);
}

/** Functions that can make much of what costs little. */
const MULTIPLY: ReadonlySet<string> = new Set(["+", "flatten", "replace", "format"]);
/** Of how much it is to be counted what a call has made: texts put together are paid for. */
export function madeBy(name: string, result: Value): number {
  if (!MULTIPLY.has(name)) return 0;
  return isList(result) || (name !== "+" && typeof result === "string") ? result.length : 0;
}
