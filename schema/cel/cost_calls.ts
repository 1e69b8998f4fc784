/** Estimated costs of calls: of functions that the API adds, by their names, then of those of the language itself. */
import type { Meaning } from "./meaning.ts";
import type { CallCost, Called } from "./cost_called.ts";
import { listCall } from "./cost_lists.ts";
import {
  BOUNDLESS,
  MAKING,
  PER_CHARACTER,
  PER_PATTERN_CHARACTER,
  plus,
  plusSize,
  scaled,
  type Size,
  sizeOf,
  times,
  timesSize,
} from "./cost_size.ts";

type Estimate = (c: Called) => CallCost | undefined;

const fixed = (cost: number): Estimate => () => ({ cost });
const one = fixed(1);
const read = (n: number): number => scaled(n, PER_CHARACTER);
/** Goes once over the first argument. */
const reads: Estimate = ({ args: [a] }) => a && { cost: read(a.size.most) };
const readsOwn: Estimate = ({ on }) => on && { cost: read(on.size.most), size: on.size };

/** A question of access: two of them are allowed to an expression. */
export const ACCESS = 350_000;

function selector({ args }: Called): CallCost | undefined {
  return args.length === 1 ? { cost: selectorCost(args[0]!.size.most) } : undefined;
}

/** Cost of reading a selector of a length. */
export function selectorCost(length: number): number {
  const requirements = scaled(scaled(length, 0.5), MAKING.list + MAKING.make);
  return plus(plus(MAKING.list, read(length)), requirements);
}

function compared({ on, items }: Called): CallCost | undefined {
  if (!on) return undefined;
  const item = items();
  if (!item) return { cost: read(on.size.most) };
  const texts = item.type.k === "string" || item.type.k === "bytes";
  return { cost: times(on.size.most, texts ? plus(1, read(item.size.most)) : 1) };
}

/** What one replacement leaves at most and at least. */
function replaced({ on, args: [old, by] }: Called): CallCost | undefined {
  if (!on || !old || !by) return undefined;
  const most = longest(on.size.most, old.size.least, by.size.most);
  const least = shortest(on.size.least, old.size.most, by.size.least);
  const size = {
    least: plus(times(least.count, by.size.least), least.kept),
    most: plus(times(most.count, by.size.most), most.kept),
  };
  return { cost: scaled(on.size.most, 2 * PER_CHARACTER), size };
}
function longest(text: number, old: number, by: number): { count: number; kept: number } {
  if (old === 0) return { count: plus(text, 1), kept: text };
  return by <= old ? { count: 0, kept: text } : { count: Math.ceil(text / old), kept: 0 };
}
function shortest(text: number, old: number, by: number): { count: number; kept: number } {
  if (old === 0) return { count: plus(text, 1), kept: text };
  return old <= by ? { count: 0, kept: text } : { count: Math.ceil(text / old), kept: 0 };
}

function split({ on, args }: Called): CallCost | undefined {
  if (!on) return undefined;
  const count = args[1]?.node,
    given = count?.k === "const" && typeof count.value === "bigint" ? count.value : undefined;
  const most = given === undefined ? on.size.most : Number(BigInt.asUintN(64, given));
  return { cost: scaled(on.size.most, 2 * PER_CHARACTER), size: { least: 0, most } };
}

function join({ on, args: [by], items }: Called): CallCost | undefined {
  if (!on) return undefined;
  const item = items(), less = (n: number) => Math.max(0, n - 1);
  let size = item ? timesSize(on.size, item.size) : sizeOf(0);
  if (by) size = plusSize(size, timesSize(by.size, { least: less(on.size.least), most: less(on.size.most) }));
  return { cost: read(size.most), size };
}

/** Cost of matching a pattern of some length with a text of some length. */
export const patternCost = (text: number, pattern: number): number =>
  times(read(plus(text, 1)), scaled(pattern, PER_PATTERN_CHARACTER));

function find({ on, args: [pattern] }: Called): CallCost | undefined {
  if (!on || !pattern) return undefined;
  return { cost: patternCost(on.size.most, pattern.size.most), size: { least: 0, most: on.size.most } };
}

/** Bytes of the longest address. */
const ADDRESS = 16;
const within = (more: number): Estimate => ({ meaning, args: [a] }) => {
  if (!a) return undefined;
  return { cost: plus(read(2 * ADDRESS) + more, meaning === "cidrAndText" ? read(a.size.most) : 0) };
};

/** Longest pattern that a named format is taken to have; longest name of one. */
const FORMAT_PATTERN = 128, FORMAT_NAME = 64;

/** Functions that cost one unit whatever they are called with, before and after. */
export const ONE_UNIT: readonly string[] =
  ("serviceAccount path group resource subresource namespace name allowed reason error errored masked " +
    "prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast format.named " +
    "sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch " +
    "getScheme getHostname getHost getPort getEscapedPath getQuery").split(" ");
const READ_ONCE = ["cidr", "isIP", "isCIDR", "quantity", "isQuantity", "semver", "isSemver"];
const OVER_ITEMS = ["isSorted", "sum", "max", "min", "indexOf", "lastIndexOf"];
const each = (names: readonly string[], e: Estimate): [string, Estimate][] => names.map((n) => [n, e]);

const NAMED: ReadonlyMap<string, Estimate> = new Map<string, Estimate>([
  ...each(ONE_UNIT, one),
  ...each(READ_ONCE, reads),
  ...each(OVER_ITEMS, compared),
  ...each(["lowerAscii", "upperAscii", "substring", "trim"], readsOwn),
  ...each(["fieldSelector", "labelSelector"], selector),
  ...each(["find", "findAll"], find),
  ...each(["url", "jsonpatch.escapeKey"], ({ args: [a] }) => a && { cost: read(a.size.most), size: a.size }),
  ["check", fixed(ACCESS)],
  ["replace", replaced],
  ["split", split],
  ["join", join],
  ["ip", (c) => c.meaning === "ofCidr" ? { cost: 1 } : reads(c)],
  ["ip.isCanonical", ({ args: [a] }) => a && { cost: scaled(a.size.most, 2 * PER_CHARACTER) }],
  ["containsIP", within(0)],
  ["containsCIDR", within(read(ADDRESS) + 1)],
  [
    "validate",
    ({ args: [a] }) => a && { cost: scaled(read(a.size.most), FORMAT_PATTERN * PER_PATTERN_CHARACTER) },
  ],
  ["==", ({ args: [a, b] }) => a && b && a.type.k === b.type.k ? OPAQUE_EQUALITY[a.type.k]?.(b.size) : undefined],
]);

const OPAQUE_EQUALITY: Readonly<Record<string, (size: Size) => CallCost>> = {
  ...Object.fromEntries(
    ["ip", "cidr", "quantity", "authorizer", "pathcheck", "groupcheck", "resourcecheck", "decision", "semver"]
      .map((k) => [k, () => ({ cost: 1 })]),
  ),
  format: () => ({ cost: read(FORMAT_NAME) }),
  // A size that nobody knows counts as one.
  url: (size) => ({ cost: read(size.most >= BOUNDLESS ? 1 : size.most) }),
};

const wrapped = (n: number): number => n % BOUNDLESS;

const MEANT: Readonly<Partial<Record<Meaning, Estimate>>> = {
  format: ({ on }) => on && { cost: read(on.size.most) },
  textToBytes: ({ args: [a] }) =>
    a && {
      cost: read(a.size.most),
      size: { least: a.size.least, most: a.size.most >= BOUNDLESS ? BOUNDLESS : wrapped(a.size.most * 4) },
    },
  bytesToText: ({ args: [a] }) =>
    a && { cost: read(a.size.most), size: { least: Math.floor(a.size.least / 4), most: a.size.most } },
  quote: ({ args: [a] }) =>
    a && { cost: read(a.size.most), size: { least: a.size.least + 2, most: wrapped(a.size.most * 2 + 2) } },
  startsWith: ({ args: [a] }) => a && { cost: read(a.size.most) },
  inList: ({ args: [, list] }) => list && { cost: list.size.most },
  matches: ({ on, args }) => {
    const [text, pattern] = on ? [on, ...args] : args;
    return text && pattern && { cost: patternCost(text.size.most, pattern.size.most) };
  },
  contains: ({ on, args: [t] }) => on && t && { cost: times(read(on.size.most), read(t.size.most)) },
  joinLists: ({ args: [a, b] }) => a && b && { cost: 1, size: plusSize(a.size, b.size) },
  joinTexts: ({ args: [a, b] }) => {
    const size = a && b && plusSize(a.size, b.size);
    return size && { cost: read(size.most), size };
  },
  order: ({ args: [a, b] }) => a && b && { cost: read(Math.min(a.size.most, b.size.most)) },
  equal: ({ args: [a, b] }) => a && b && { cost: read(Math.min(a.size.most, b.size.most)) },
};

/** What a call costs besides its arguments. */
export function callCost(c: Called): CallCost {
  return listCall(c) ?? NAMED.get(c.call.name)?.(c) ?? MEANT[c.meaning]?.(c) ?? { cost: 1 };
}
