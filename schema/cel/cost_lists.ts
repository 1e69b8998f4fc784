/** Estimated costs of functions that make lists, and of those that compare lists as sets. */
import type { CallCost, Called, Operand } from "./cost_called.ts";
import type { Meaning } from "./meaning.ts";
import { BOUNDLESS, MAKING, PER_CHARACTER, plus, scaled, type Size, sizeOf, times, timesSize } from "./cost_size.ts";

/** A list is made of as many items, at a cost for each. */
function made(size: Size, each: number): CallCost {
  return { cost: plus(scaled(size.most, each), 1 + MAKING.list), size };
}

/** A number that stands there as it is; a negative one counts as none. */
function written({ node }: Operand, otherwise: number): number {
  if (node?.k !== "const" || typeof node.value !== "bigint") return otherwise;
  return Math.max(0, Number(node.value));
}

/** As unsigned numbers go, what falls below nothing is large. */
const unsigned = (n: number): number => n < 0 ? BOUNDLESS + n : n;

const sorted = (each: number) => ({ on }: Called): CallCost | undefined =>
  on && made(timesSize(on.size, on.size), each);
const sortedBy = (each: number) => ({ args: [keys] }: Called): CallCost | undefined =>
  keys && made(timesSize(keys.size, keys.size), each);
const sets = (factor: number) => ({ args: [a, b] }: Called): CallCost | undefined =>
  a && b && { cost: plus(scaled(times(a.size.most, b.size.most), factor), 1) };

const LISTS: Readonly<Partial<Record<Meaning, (c: Called) => CallCost | undefined>>> = {
  slice: ({ on, args: [from, to] }) =>
    on && from && to && made(sizeOf(unsigned(written(to, on.size.most) - written(from, 0))), 1),
  range: ({ args: [n] }) => n && made(sizeOf(written(n, BOUNDLESS)), 1),
  reverse: ({ on }) => on && made(on.size, 1),
  flatten: ({ on, args: [depth] }) => on && made(on.size, depth ? written(depth, BOUNDLESS) : 1),
  distinct: sorted(2),
  sort: sorted(2),
  sortTexts: sorted(2 + PER_CHARACTER),
  sortBy: sortedBy(2),
  sortTextsBy: sortedBy(2 + PER_CHARACTER),
  setContains: sets(1),
  setEquivalent: sets(2),
};

/** What such a call costs besides its arguments; undefined for others. */
export function listCall(c: Called): CallCost | undefined {
  return LISTS[c.meaning]?.(c);
}

/** Whether a call is one of those that make lists or compare them as sets. */
export const isListMeaning = (meaning: Meaning): boolean => Object.hasOwn(LISTS, meaning);
