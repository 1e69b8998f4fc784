/** How far the log has been applied, and who waits for it to come further. */

interface Waiter {
  readonly revision: number;
  done(reached: boolean): void;
}

/** See the top of the file. */
export class Progress {
  #revision = 0;
  readonly #waiters = new Set<Waiter>();

  /** Everything up to here is applied. */
  get revision(): number {
    return this.#revision;
  }

  advance(revision: number): void {
    if (revision > this.#revision) this.reset(revision);
  }

  /** Sets the revision, be it an earlier one: a store may have been restored. */
  reset(revision: number): void {
    this.#revision = revision;
    for (const waiter of this.#waiters) if (waiter.revision <= revision) waiter.done(true);
  }

  /** Whether the revision was reached within the time and before the signal. */
  waitFor(revision: number, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    if (revision <= this.#revision) return Promise.resolve(true);
    if (timeoutMs <= 0 || signal?.aborted === true) return Promise.resolve(false);
    return new Promise((resolve) => {
      const waiter: Waiter = {
        revision,
        done: (reached) => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", stop);
          this.#waiters.delete(waiter);
          resolve(reached);
        },
      };
      const stop = () => waiter.done(false);
      const timer = setTimeout(stop, timeoutMs);
      signal?.addEventListener("abort", stop, { once: true });
      this.#waiters.add(waiter);
    });
  }
}
