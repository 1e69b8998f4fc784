/** Work that ends in time. */
import type { Clock } from "../types.ts";

/** Runs work whose signal aborts after so long, ms, with that text, or as soon as one of the others does. */
export async function within<T>(
  clock: Clock,
  ms: number,
  why: string,
  others: readonly AbortSignal[],
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const follow = others.map((signal) => {
    const end = () => own.abort(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
    return () => signal.removeEventListener("abort", end);
  });
  clock.wait(ms, own.signal).then(() => own.abort(new OutOfTime(why)));
  try {
    return await run(own.signal);
  } finally {
    for (const leave of follow) leave();
    own.abort();
  }
}

/** Time is over. */
export class OutOfTime extends Error {}
