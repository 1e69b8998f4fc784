/** The time of this machine. */
import type { Clock } from "./types.ts";

/** See the top of the file. */
export const CLOCK: Clock = {
  now: () => Date.now(),
  ticks: () => performance.now(),
  wait: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, Math.min(Math.max(ms, 0), LONGEST));
      signal?.addEventListener("abort", end, { once: true });
    }),
};

/** Timers know no longer ones, ms. */
const LONGEST = 2 ** 31 - 1;
