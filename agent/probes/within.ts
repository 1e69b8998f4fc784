/** Work that ends in time. */
import type { Clock } from "../types.ts";

/** Runs with a signal that ends with the outer one, after so many seconds (0: never), and when the work is done. */
export async function within<T>(
  clock: Clock,
  seconds: number,
  outer: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const inner = new AbortController();
  const end = () => inner.abort();
  outer.addEventListener("abort", end, { once: true });
  if (outer.aborted) end();
  if (seconds > 0) clock.wait(seconds * 1000, inner.signal).then(end);
  try {
    return await run(inner.signal);
  } finally {
    outer.removeEventListener("abort", end);
    end();
  }
}
