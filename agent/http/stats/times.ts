/** Times of figures. */
import { nowTime, secondsToTime } from "../../../schema/values/time.ts";

/** Of nanoseconds since 1970, to the second. */
export const nanosTime = (nanos: bigint): string => secondsToTime(nanos / 1_000_000_000n);

/** Of ms. */
export const millisTime = nowTime;

/** Nanoseconds of ms. */
export const nanosOf = (ms: number): bigint => BigInt(Math.trunc(ms)) * 1_000_000n;
