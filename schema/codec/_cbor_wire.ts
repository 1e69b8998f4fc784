/** What the reader and the writer of CBOR have in common: heads, tags, halves. */
import { ValueError } from "../values/error.ts";

/** Head of tag 55799: every body begins with it. */
export const SELF_DESCRIBED = [0xd9, 0xd9, 0xf7] as const;

/** Major types, in the upper three bits of a head. */
export const UINT = 0, NEGATIVE = 1, BYTES = 2, TEXT = 3, LIST = 4, MAP = 5, TAG = 6;
/** Ends what is of indefinite length. */
export const BREAK = 0xff;
/** Heads of major type 7. */
export const FALSE = 0xf4, TRUE = 0xf5, NULL = 0xf6, HALF = 0xf9, SINGLE = 0xfa, DOUBLE = 0xfb;
/** Lower five bits of a head without a length. */
export const INDEFINITE = 31;
/** Tags that mean something here. Bignums are refused; all others are read through. */
export const DATE_TEXT = 0, DATE_NUMBER = 1, BIG = 2, BIG_NEGATIVE = 3, BASE64URL = 21, BASE64 = 22, BASE16 = 23;

/** Up to here a loop over ASCII beats the decoder's call. */
export const SHORT = 20;

/** What stands deeper than any honest body. */
export const tooDeep = (): ValueError => new ValueError("cbor: exceeded max depth");

/** The number of a 16-bit float. */
export function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1, exponent = bits >> 10 & 31, fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}
