/** Functions that the API adds to the language: texts, lists, sets, patterns, quantities, addresses, URLs, optionals, formats. */
import { type Cidr, contains, formatIp, inRange, type Ip, tryParseCidr, tryParseIp } from "../values/ip.ts";
import { matcherOf } from "../values/pattern.ts";
import { parseQuantity, Quantity } from "../values/quantity.ts";
import { escapedPath, hostAndPort, isUrl, parseUrl, queryOf, type UrlParts } from "./urls.ts";
import { CelError } from "./ast.ts";
import { charactersBefore, cuts, length, places, unitAt } from "./characters.ts";
import { formatText } from "./format_text.ts";
import { isInt64 } from "./lexer.ts";
import { NAME_FORMATS } from "./name_formats.ts";
import { writtenWhole } from "./quantity_whole.ts";
import { mustFit, tooCostly } from "./room.ts";
import { each, int, ORDERED, patternFor, uint } from "./standard.ts";
import type { Rows, Work } from "./table.ts";
import {
  type CelMap,
  compare,
  EntryMap,
  equal,
  isCelMap,
  isList,
  Opaque,
  Optional,
  Span,
  Time,
  Uint,
  type Value,
} from "./values.ts";

const upTo = (i: bigint, n: number): number => {
  if (i < 0n || i > BigInt(n)) throw new CelError(`index out of range: ${i}`);
  return Number(i);
};

function indexOf(s: string, part: string, from: number): bigint {
  for (const at of places(s, part)) if (at >= from) return BigInt(charactersBefore(s, at));
  return -1n;
}
function lastIndexOf(s: string, part: string, from: number): bigint {
  let last = -1;
  for (const at of places(s, part)) {
    if (at > from) break;
    last = at;
  }
  return BigInt(last < 0 ? last : charactersBefore(s, last));
}
/** Where a text stands, looked for from a place on; an empty one stands everywhere, another nowhere beyond the end. */
function searched(s: string, part: string, from: bigint, search: typeof indexOf): bigint {
  if (part === "") return from;
  if (from < 0n) throw new CelError(`index out of range: ${from}`);
  return from >= BigInt(length(s)) ? -1n : search(s, part, unitAt(s, Number(from)));
}
function charAt(s: string, i: bigint): string {
  const at = unitAt(s, upTo(i, length(s)));
  return at === s.length ? "" : String.fromCodePoint(s.codePointAt(at)!);
}
function substring(s: string, from: bigint, to?: bigint): string {
  const n = length(s), a = upTo(from, n), b = to === undefined ? n : upTo(to, n);
  if (a > b) throw new CelError(`invalid substring range. start: ${from}, end: ${to}`);
  return s.slice(unitAt(s, a), unitAt(s, b));
}
function replace(s: string, old: string, by: string, times: bigint): string {
  const out: string[] = [];
  let from = 0, left = times, size = s.length;
  for (const at of cuts(s, old)) {
    if (left-- === 0n) break;
    out.push(s.slice(from, at), by);
    mustFit(size += by.length - old.length);
    from = at + old.length;
  }
  return out.join("") + s.slice(from);
}
function split(s: string, by: string, times: bigint): string[] {
  if (times === 0n || (s === "" && by === "")) return [];
  const out: string[] = [], most = times < 0n ? Infinity : Number(times);
  let from = 0;
  for (const at of cuts(s, by)) {
    if (out.length + 1 >= most) break;
    // An empty text cuts between characters alone.
    if (by === "" && (at === 0 || at === s.length)) continue;
    out.push(s.slice(from, at));
    from = at + by.length;
  }
  out.push(s.slice(from));
  return out;
}
const ascii = (s: string, range: RegExp, step: number): string =>
  s.replace(range, (c) => String.fromCharCode(c.charCodeAt(0) + step));

/** Unicode's: U+0085 is one, U+FEFF is none, other than the language's own has it. */
const SPACE = /\p{White_Space}/u;
function trim(s: string): string {
  let from = 0, to = s.length;
  while (from < to && SPACE.test(s[from]!)) from++;
  while (from < to && SPACE.test(s[to - 1]!)) to--;
  return s.slice(from, to);
}
const ESCAPES: Readonly<Record<string, string>> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r",
  '"': '\\"',
  "\\": "\\\\",
};

const STRINGS: Rows = {
  "string.charAt(int) string": charAt,
  "string.indexOf(string) int": (s: string, t: string) => t === "" ? 0n : indexOf(s, t, 0),
  "string.indexOf(string, int) int": (s: string, t: string, i: bigint) => searched(s, t, i, indexOf),
  "string.lastIndexOf(string) int": (s: string, t: string) =>
    t === "" ? BigInt(length(s)) : lastIndexOf(s, t, Infinity),
  "string.lastIndexOf(string, int) int": (s: string, t: string, i: bigint) => searched(s, t, i, lastIndexOf),
  "string.lowerAscii() string": (s: string) => ascii(s, /[A-Z]/g, 32),
  "string.upperAscii() string": (s: string) => ascii(s, /[a-z]/g, -32),
  "string.replace(string, string) string": (s: string, a: string, b: string) => replace(s, a, b, -1n),
  "string.replace(string, string, int) string": replace,
  "string.split(string) list<string>": (s: string, by: string) => split(s, by, -1n),
  "string.split(string, int) list<string>": split,
  "string.substring(int) string": substring,
  "string.substring(int, int) string": substring,
  "string.trim() string": trim,
  "list<string>.join() string": (l: string[]) => l.join(""),
  "list<string>.join(string) string": (l: string[], by: string) => l.join(by),
  "string.format(list<dyn>) string": formatText,
  "strings::quote(string) string": (s: string) => `"${Array.from(s, (c) => ESCAPES[c] ?? c).join("")}"`,
  "string.find(string) string": (s: string, p: string) => found(s, p, 1)[0] ?? "",
  "string.findAll(string) list<string>": (s: string, p: string) => found(s, p, Infinity),
  "string.findAll(string, int) list<string>": (s: string, p: string, n: bigint) =>
    found(s, p, n < 0n ? Infinity : Number(n)),
};

function found(s: string, source: string, most: number): string[] {
  const matcher = matcherOf(patternFor(source, s), s, tooCostly), out: string[] = [];
  while (out.length < most && matcher.find()) out.push(matcher.group() ?? "");
  return out;
}

function extreme(list: readonly Value[], sign: number, name: string): Value {
  if (list.length === 0) throw new CelError(`${name} called on empty list`);
  return list.reduce((best, v) => compare(v, best) * sign > 0 ? v : best);
}
function sum(zero: Value, add: (a: Value, b: Value) => Value): Work {
  return (list: Value[]) => list.reduce(add, zero);
}
function find(list: readonly Value[], v: Value, last: boolean): bigint {
  return BigInt(last ? list.findLastIndex((x) => equal(x, v)) : list.findIndex((x) => equal(x, v)));
}
function flat(list: readonly Value[], depth: bigint, out: Value[] = []): Value[] {
  if (depth < 0n) throw new CelError("level must be non-negative");
  for (const v of list) {
    if (isList(v) && depth > 0n) flat(v, depth - 1n, out);
    else mustFit(out.push(v));
  }
  return out;
}
function sliced(list: readonly Value[], from: bigint, to: bigint): Value[] {
  const fail = (why: string) => new CelError(`cannot slice(${from}, ${to}): ${why}`);
  if (from < 0n || to < 0n) throw fail("an index is negative");
  if (from > to) throw fail("the start is behind the end");
  if (to > BigInt(list.length)) throw fail(`the list has ${list.length} items`);
  return list.slice(Number(from), Number(to));
}

function range(size: bigint): Value[] {
  if (size < 0n) throw new CelError(`lists.range: size must be non-negative, got ${size}`);
  return Array.from({ length: Number(size) }, (_, i) => BigInt(i));
}

/** What lists can do whose items have an order. */
const ordered = (name: string, result: (type: string) => string, work: Work): Rows =>
  each(ORDERED, (t) => `list<${t}>.${name}() ${result(t)}`, work);

const LISTS: Rows = {
  ...ordered("isSorted", () => "bool", (l: Value[]) => l.every((v, i) => i === 0 || compare(l[i - 1]!, v) <= 0)),
  "list<int>.sum() int": sum(0n, (a, b) => int((a as bigint) + (b as bigint))),
  "list<double>.sum() double": sum(0, (a, b) => (a as number) + (b as number)),
  "list<uint>.sum() uint": sum(new Uint(0n), (a, b) => uint((a as Uint).value + (b as Uint).value)),
  "list<duration>.sum() duration": sum(new Span(0n), (a, b) => new Span(int((a as Span).ns + (b as Span).ns))),
  ...ordered("min", (t) => t, (l: Value[]) => extreme(l, -1, "min")),
  ...ordered("max", (t) => t, (l: Value[]) => extreme(l, 1, "max")),
  "list<A>.indexOf(A) int": (l: Value[], v: Value) => find(l, v, false),
  "list<A>.lastIndexOf(A) int": (l: Value[], v: Value) => find(l, v, true),
  "list<A>.slice(int, int) list<A>": sliced,
  "list<list<A>>.flatten() list<A>": (l: Value[]) => flat(l, 1n),
  "list<A>.flatten(int) list<dyn>": (l: Value[], depth: bigint) => flat(l, depth),
  "list<A>.distinct() list<A>": (l: Value[]) => l.filter((v, i) => l.findIndex((x) => equal(x, v)) === i),
  ...ordered("sort", (t) => `list<${t}>`, (l: Value[]) => [...l].sort(compare)),
  "list<A>.reverse() list<A>": (l: Value[]) => [...l].reverse(),
  "list<A>.first() optional<A>": (l: Value[]) => new Optional(l[0]),
  "list<A>.last() optional<A>": (l: Value[]) => new Optional(l.at(-1)),
  "lists::range(int) list<int>": range,
  "sets::contains(list<A>, list<A>) bool": (a: Value[], b: Value[]) => b.every((v) => a.some((x) => equal(x, v))),
  "sets::intersects(list<A>, list<A>) bool": (a: Value[], b: Value[]) => b.some((v) => a.some((x) => equal(x, v))),
  "sets::equivalent(list<A>, list<A>) bool": (a: Value[], b: Value[]) =>
    b.every((v) => a.some((x) => equal(x, v))) && a.every((v) => b.some((x) => equal(x, v))),
};

const isZero = (v: Value): boolean =>
  v === null || v === "" || v === 0n || v === 0 || v === false || (isList(v) && v.length === 0) ||
  (isCelMap(v) && v.size === 0) || (v instanceof Uint && v.value === 0n) ||
  (v instanceof Span && v.ns === 0n) || (v instanceof Uint8Array && v.length === 0) ||
  (v instanceof Time && v.ns === YEAR_ONE);
/** The moment that stands for none. */
const YEAR_ONE = -62_135_596_800_000_000_000n;

const unwrapped = (list: readonly Optional[]): Value[] => list.flatMap((o) => o.value === undefined ? [] : [o.value]);

const OPTIONALS: Rows = {
  "optional::of(A) optional<A>": (v: Value) => new Optional(v),
  "optional::ofNonZeroValue(A) optional<A>": (v: Value) => new Optional(isZero(v) ? undefined : v),
  "optional::unwrap(list<optional<A>>) list<A>": unwrapped,
  "list<optional<A>>.unwrapOpt() list<A>": unwrapped,
  "optional::none() optional<?>": () => new Optional(undefined),
  "optional<A>.hasValue() bool": (o: Optional) => o.value !== undefined,
  "optional<A>.value() A": (o: Optional) => {
    if (o.value === undefined) throw new CelError("optional.none() dereference");
    return o.value;
  },
  "optional<A>.or(optional<A>) optional<A>": (o: Optional, other: Optional) => o.value === undefined ? other : o,
  "optional<A>.orValue(A) A": (o: Optional, other: Value) => o.value ?? (o.value === null ? null : other),
};

function quantity(text: string): Quantity | undefined {
  try {
    return parseQuantity(text);
  } catch {
    return undefined;
  }
}
const must = <T>(v: T | undefined, why: string): T => {
  if (v === undefined) throw new CelError(why);
  return v;
};
const Q = (o: Opaque): Quantity => o.value as Quantity;
/** A quantity of an expression. `written`: it is kept as whole numbers are. */
class Amount extends Opaque {
  constructor(q: Quantity, readonly written: boolean) {
    super("quantity", q);
  }
}
const isWritten = (o: Opaque): boolean => o instanceof Amount && o.written;
const shifted = (first: Opaque, second: Opaque, sign: bigint): Opaque => {
  const a = Q(first), b = Q(second), e = Math.min(a.exponent, b.exponent);
  const at = (q: Quantity) => q.mantissa * 10n ** BigInt(q.exponent - e);
  // What is nothing leaves the other as it is.
  const written = (isWritten(first) || a.isZero()) && (isWritten(second) || b.isZero());
  return new Amount(new Quantity(at(a) + sign * at(b), e, a.format), written);
};
const counted = (n: bigint): Opaque => new Amount(new Quantity(n, 0, "DecimalSI"), true);
const whole = (o: Opaque): bigint | undefined => {
  const n = isWritten(o) ? units(Q(o)) : undefined;
  return n !== undefined && isInt64(n) ? n : undefined;
};
const units = (q: Quantity): bigint | undefined => {
  if (q.exponent >= 0) return q.mantissa * 10n ** BigInt(q.exponent);
  const unit = 10n ** BigInt(-q.exponent);
  return q.mantissa % unit === 0n ? q.mantissa / unit : undefined;
};

const QUANTITIES: Rows = {
  "quantity(string) quantity": (s: string) =>
    new Amount(must(quantity(s), `quantities must match the expected form: ${s}`), writtenWhole(s)),
  "isQuantity(string) bool": (s: string) => quantity(s) !== undefined,
  "sign(quantity) int": (o: Opaque) => Q(o).mantissa < 0n ? -1n : Q(o).mantissa > 0n ? 1n : 0n,
  "quantity.isInteger() bool": (o: Opaque) => whole(o) !== undefined,
  "quantity.asInteger() int": (o: Opaque) => must(whole(o), "cannot convert value to integer"),
  "quantity.asApproximateFloat() double": (o: Opaque) => Number(Q(o).mantissa) * 10 ** Q(o).exponent,
  "quantity.add(quantity) quantity": (a: Opaque, b: Opaque) => shifted(a, b, 1n),
  "quantity.add(int) quantity": (a: Opaque, b: bigint) => shifted(a, counted(b), 1n),
  "quantity.sub(quantity) quantity": (a: Opaque, b: Opaque) => shifted(a, b, -1n),
  "quantity.sub(int) quantity": (a: Opaque, b: bigint) => shifted(a, counted(b), -1n),
  "quantity.isLessThan(quantity) bool": (a: Opaque, b: Opaque) => Q(a).cmp(Q(b)) < 0,
  "quantity.isGreaterThan(quantity) bool": (a: Opaque, b: Opaque) => Q(a).cmp(Q(b)) > 0,
  "quantity.compareTo(quantity) int": (a: Opaque, b: Opaque) => BigInt(Q(a).cmp(Q(b))),
};

const ip = (s: string): Ip | undefined => {
  const found = tryParseIp(s);
  return found?.mapped ? undefined : found;
};
const ipOf = (o: Opaque): Ip => o.value as Ip;
const cidrOf = (o: Opaque): Cidr => o.value as Cidr;
const cidr = (s: string): Cidr | undefined => {
  const found = tryParseCidr(s);
  return found?.address.mapped ? undefined : found;
};
const holdsBlock = (a: Cidr, b: Cidr): boolean =>
  a.prefix <= b.prefix && contains(a, { family: b.family, bits: b.first });
const mustIp = (s: string): Ip =>
  must(ip(s), `IP Address ${JSON.stringify(s)} parse error during conversion from string`);
const mustCidr = (s: string): Cidr =>
  must(cidr(s), `CIDR ${JSON.stringify(s)} parse error during conversion from string`);

const ADDRESSES: Rows = {
  "ip(string) ip": (s: string) => new Opaque("ip", mustIp(s)),
  "isIP(string) bool": (s: string) => ip(s) !== undefined,
  "ip::isCanonical(string) bool": (s: string) => formatIp(mustIp(s)) === s,
  "ip.family() int": (o: Opaque) => BigInt(ipOf(o).family),
  "ip.isUnspecified() bool": (o: Opaque) => inRange(ipOf(o), "unspecified"),
  "ip.isLoopback() bool": (o: Opaque) => inRange(ipOf(o), "loopback"),
  "ip.isLinkLocalMulticast() bool": (o: Opaque) => inRange(ipOf(o), "linkLocalMulticast"),
  "ip.isLinkLocalUnicast() bool": (o: Opaque) => inRange(ipOf(o), "linkLocalUnicast"),
  "ip.isGlobalUnicast() bool": (o: Opaque) =>
    formatIp(ipOf(o)) !== "255.255.255.255" &&
    !(["unspecified", "loopback", "multicast", "linkLocalUnicast"] as const).some((r) => inRange(ipOf(o), r)),
  "string(ip) string": (o: Opaque) => formatIp(ipOf(o)),
  "cidr(string) cidr": (s: string) => new Opaque("cidr", mustCidr(s)),
  "isCIDR(string) bool": (s: string) => cidr(s) !== undefined,
  "cidr.containsIP(string) bool": (o: Opaque, s: string) => contains(cidrOf(o), mustIp(s)),
  "cidr.containsIP(ip) bool": (o: Opaque, other: Opaque) => contains(cidrOf(o), ipOf(other)),
  "cidr.containsCIDR(string) bool": (o: Opaque, s: string) => holdsBlock(cidrOf(o), mustCidr(s)),
  "cidr.containsCIDR(cidr) bool": (o: Opaque, other: Opaque) => holdsBlock(cidrOf(o), cidrOf(other)),
  "cidr.ip() ip": (o: Opaque) => new Opaque("ip", cidrOf(o).address),
  "cidr.masked() cidr": (o: Opaque) => {
    const { family, first, prefix } = cidrOf(o);
    return new Opaque("cidr", { family, first, prefix, address: { family, bits: first } });
  },
  "cidr.prefixLength() int": (o: Opaque) => BigInt(cidrOf(o).prefix),
  "string(cidr) string": (o: Opaque) => `${formatIp(cidrOf(o).address)}/${cidrOf(o).prefix}`,
};

const U = (o: Opaque): UrlParts => (o.value as { parts: UrlParts }).parts;

function query(u: UrlParts): CelMap {
  const out = new EntryMap();
  for (const [name, values] of queryOf(u.query)) out.set(name, values);
  return out;
}

const URLS: Rows = {
  "url(string) url": (s: string) =>
    new Opaque("url", {
      parts: must(parseUrl(s), `URL parse error during conversion from string: ${s}`),
      text: s.replace(/^[A-Za-z]+:/, (lead) => lead.toLowerCase()),
    }),
  "isURL(string) bool": (s: string) => isUrl(s),
  "url.getScheme() string": (o: Opaque) => U(o).scheme,
  "url.getHost() string": (o: Opaque) => U(o).host,
  "url.getHostname() string": (o: Opaque) => hostAndPort(U(o).host)[0],
  "url.getPort() string": (o: Opaque) => hostAndPort(U(o).host)[1],
  "url.getEscapedPath() string": (o: Opaque) => escapedPath(U(o).path),
  "url.getQuery() map<string, list<string>>": (o: Opaque) => query(U(o)),
};

/** All of them. */
export const LIBRARY: readonly Rows[] = [STRINGS, LISTS, OPTIONALS, QUANTITIES, ADDRESSES, URLS, NAME_FORMATS];
