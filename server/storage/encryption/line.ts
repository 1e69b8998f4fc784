/** Batches of one reader of the log, handed on in order: at once, or after what is still being decrypted before them. */
import type { ChangeBatch } from "../backend.ts";

/** See the top of the file. */
export class Line {
  readonly #stop = new AbortController();
  #last: Promise<void> | undefined;
  #failure: Error | undefined;

  constructor(readonly deliver: (batch: ChangeBatch) => void) {}

  /** Aborts when a batch could not be decrypted. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Why the line ended. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Batches wait. */
  get busy(): boolean {
    return this.#last !== undefined;
  }

  /** Resolves when none waits any more. Never rejects. */
  async empty(): Promise<void> {
    while (this.#last) await this.#last;
  }

  /** The next batch. */
  put(batch: ChangeBatch | Promise<ChangeBatch>): void {
    if (this.#failure) return;
    if (!this.#last && !(batch instanceof Promise)) return this.deliver(batch);
    const opened = Promise.resolve(batch);
    // Until its turn comes nobody listens to it.
    opened.catch(() => {});
    const turn: Promise<void> = (this.#last ?? Promise.resolve()).then(() => opened).then(
      (b) => this.#failure || this.deliver(b),
      (e) => this.fail(e),
    ).catch((e) => this.fail(e)).then(() => {
      if (this.#last === turn) this.#last = undefined;
    });
    this.#last = turn;
  }

  /** Ends it: nothing is delivered any more. */
  fail(e: unknown): void {
    this.#failure ??= e instanceof Error ? e : new Error(String(e));
    this.#stop.abort();
  }
}
