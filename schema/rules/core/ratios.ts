/** Ratios of amounts, in the floats that the public server reckons in: what is just allowed there is allowed here. */
import type { Quantity } from "../../values/quantity.ts";

/** Whole amounts up to this have thousandths that fit into 64 bits. */
const MOST_WITH_THOUSANDTHS = (2n ** 63n - 1n) / 1000n;

const isSmall = (q: Quantity): boolean => q.value() <= MOST_WITH_THOUSANDTHS;

/** How many times `b` is in `a`: by thousandths, or by whole units where one of these or of `beside` is very large. */
export function ratioOf(a: Quantity, b: Quantity, beside: Quantity): number {
  const scale = [a, b, beside].every(isSmall) ? -3 : 0;
  return Number(a.scaled(scale)) / Number(b.scaled(scale));
}

/** Whether a ratio is beyond the most that it may be. */
export const isSteeper = (ratio: number, most: Quantity): boolean =>
  isSmall(most) ? ratio * 1000 > Number(most.milliValue()) : ratio > Number(most.value());

/** Whether a bound of ratios is beyond what a least and a most amount make possible. */
export function isOutOfReach(
  most: Quantity,
  { min, max }: { readonly min: Quantity; readonly max: Quantity },
): boolean {
  const bound = [most, min, max].every(isSmall) ? Number(most.milliValue()) / 1000 : Number(most.value());
  return bound > ratioOf(max, min, most);
}
