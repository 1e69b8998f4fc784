/** The longest that the runtime's timers wait, ms (25 days): one set to more goes off at once. */
export const LONGEST_MS = 2 ** 31 - 1;

/** Waits, or until the signal aborts. Never rejects. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done, { once: true });
  });
}

/** What the work gives; `slow` hears when that takes more than so many ms. */
export async function toldWhenSlow<T>(work: Promise<T>, ms: number, slow: () => void): Promise<T> {
  const timer = setTimeout(slow, ms);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}

/** Does all the work at once and waits for so many ms at most; `failed` hears of what throws. */
export async function allWithin(
  ms: number,
  works: readonly (() => Promise<void>)[],
  failed: (error: unknown) => void,
): Promise<void> {
  const enough = new AbortController();
  const done = Promise.all(works.map((work) => work().catch(failed)));
  await Promise.race([done, pause(ms, enough.signal)]);
  enough.abort();
}
