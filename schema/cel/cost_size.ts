/** Sizes and costs that are estimated: whole numbers from 0 up to {@linkcode BOUNDLESS}, where they stay. */

/** What has no bound. */
export const BOUNDLESS = 2 ** 64;

/** Least and most: characters of a text, items of a list, entries of a map. */
export interface Size {
  readonly least: number;
  readonly most: number;
}

/** Cost of going over a text, by character. */
export const PER_CHARACTER = 0.1;
/** Cost of a pattern, by character of its source, for each unit of the text that it is matched with. */
export const PER_PATTERN_CHARACTER = 0.25;
/** Cost of making a list, a map, an object. */
export const MAKING = { list: 10, map: 30, make: 40 } as const;

/** Just so many. */
export const sizeOf = (n: number): Size => ({ least: n, most: n });
/** Nothing is known: from none to as many as there can be. */
export const UNKNOWN: Size = { least: 0, most: BOUNDLESS };

const bounded = (n: number): number => Math.min(n, BOUNDLESS);
/** The sum of two costs or counts, bounded. */
export const plus = (a: number, b: number): number => bounded(a + b);
/** The product of two costs or counts, bounded; nothing of anything is nothing. */
export const times = (a: number, b: number): number => a === 0 || b === 0 ? 0 : bounded(a * b);
/** The next whole number up. */
export const scaled = (n: number, factor: number): number => bounded(Math.ceil(n * factor));

/** As long as one behind the other. */
export const plusSize = (a: Size, b: Size): Size => ({ least: plus(a.least, b.least), most: plus(a.most, b.most) });
/** As long as one for each of the other. */
export const timesSize = (a: Size, b: Size): Size => ({ least: times(a.least, b.least), most: times(a.most, b.most) });
/** Covers both. */
export const union = (a: Size, b: Size): Size => ({
  least: Math.min(a.least, b.least),
  most: Math.max(a.most, b.most),
});
