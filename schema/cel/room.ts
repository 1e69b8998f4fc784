/** How much calls may make: costs are told of what calls are given, and little can be made into much. */

/** Most items or characters that one call makes, and all calls of one evaluation: to read as many costs all that there is. */
export const MOST_MADE = 10_000_000;

/** Ends an evaluation; no other side of an expression makes it good. @throws RangeError always */
export function tooCostly(): never {
  throw new RangeError("operation cancelled: actual cost limit exceeded");
}

/** @throws RangeError where something would be larger than that */
export function mustFit(size: number): void {
  if (size > MOST_MADE) tooCostly();
}
