/** How long what is deleted may take to end. */

/** A grace in milliseconds: the public server counts nanoseconds in 64 bits, and a grace of centuries wraps. */
export const graceMs = (seconds: number | bigint): number =>
  Number(BigInt.asIntN(64, BigInt(seconds) * 1_000_000_000n) / 1_000_000n);
