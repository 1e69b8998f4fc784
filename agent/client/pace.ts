/** How fast requests may follow each other. */
import type { Clock } from "../types.ts";

/** Longest wait for a turn, ms: it bounds how many wait. */
const MAX_WAIT_MS = 60_000;

/** A bucket of tokens, one a request. */
export interface Pace {
  /** Waits for a turn. @throws Error when the signal aborts, or too many wait already */
  turn(signal: AbortSignal): Promise<void>;
}

/** So many requests a second, and so many at once after a quiet time. Not positive `qps`: no limit. */
export function paceOf(qps: number, burst: number, clock: Clock): Pace {
  if (!(qps > 0)) return { turn: async (signal) => signal.throwIfAborted() };
  const each = 1000 / qps;
  /** When the bucket is full again. */
  let full = -Infinity;
  return {
    async turn(signal) {
      signal.throwIfAborted();
      const now = clock.ticks();
      const wait = Math.max(full, now) + each - now - burst * each;
      if (wait > MAX_WAIT_MS) throw new Error("too many requests wait for their turn");
      full = Math.max(full, now) + each;
      if (wait <= 0) return;
      await clock.wait(wait, signal);
      signal.throwIfAborted();
    },
  };
}
