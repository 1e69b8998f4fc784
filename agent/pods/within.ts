/** Waiting that ends early, and waiting one's turn. */
import type { Clock } from "../types.ts";

/** The promise, or a rejection as soon as the signal ends; what it comes to after that is dropped. @throws AbortError */
export async function within<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const ended = Promise.withResolvers<never>();
  const end = () => ended.reject(new DOMException("interrupted", "AbortError"));
  if (signal.aborted) end();
  signal.addEventListener("abort", end, { once: true });
  try {
    return await Promise.race([promise, ended.promise]);
  } finally {
    signal.removeEventListener("abort", end);
    promise.catch(() => {});
  }
}

/** What it comes to within a time; undefined: time or signal ended first, which its own signal tells it. @throws what it throws */
export async function inTime<T>(
  clock: Clock,
  ms: number,
  signal: AbortSignal,
  what: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const over = new AbortController(), done = new AbortController();
  const end = () => over.abort();
  if (signal.aborted) end();
  signal.addEventListener("abort", end, { once: true });
  clock.wait(ms, done.signal).then(end);
  try {
    return await within(what(over.signal), over.signal);
  } catch (fault) {
    if (over.signal.aborted) return undefined;
    throw fault;
  } finally {
    done.abort();
    signal.removeEventListener("abort", end);
  }
}

/** Lets so many at a time do something, the others in the order in which they came. */
export class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async take<T>(what: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await what();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}
