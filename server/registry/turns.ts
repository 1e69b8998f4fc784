/**
 * Turns of those who were overtaken in writing one object. All at once, each round would have one winner, and a hundred
 * writers would make five thousand tries, the last of them in vain.
 */
import { pause } from "../pause.ts";

/** How often a write without a version of its own is made again. */
const TRIES = 64;
/** The longest wait, ms. Who waits may be what the one before waits for: a webhook that writes the object it is asked about. */
const LONGEST_WAIT_MS = 1000;

/** One turn a key at a time. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  /** Tries until something comes of it, when those that came before are done or after a second; undefined: in vain. */
  async tryAgain<T>(key: string, work: () => Promise<T | undefined>): Promise<T | undefined> {
    const before = this.#last.get(key), { promise, resolve } = Promise.withResolvers<void>();
    const mine = before ? before.then(() => promise) : promise;
    this.#last.set(key, mine);
    try {
      if (before) await orLong(before);
      for (let i = 1; i < TRIES; i++) {
        const done = await work();
        if (done !== undefined) return done;
      }
      return undefined;
    } finally {
      resolve();
      if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }
}

async function orLong(before: Promise<void>): Promise<void> {
  const over = new AbortController();
  await Promise.race([before, pause(LONGEST_WAIT_MS, over.signal)]);
  over.abort();
}
