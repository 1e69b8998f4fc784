/** How far the log has been applied, and who waits for it to come further. */

interface Waiter {
  readonly revision: number;
  reached(): void;
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
    for (const waiter of this.#waiters) {
      if (waiter.revision > revision) continue;
      this.#waiters.delete(waiter);
      waiter.reached();
    }
  }

  /** Calls once the revision is reached, unless cancelled before by what this returns. */
  onReached(revision: number, reached: () => void): () => void {
    const waiter: Waiter = { revision, reached };
    if (revision <= this.#revision) reached();
    else this.#waiters.add(waiter);
    return () => this.#waiters.delete(waiter);
  }

  /** Whether the revision was reached within the time and before the signal. */
  waitFor(revision: number, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    if (revision <= this.#revision) return Promise.resolve(true);
    if (timeoutMs <= 0 || signal?.aborted === true) return Promise.resolve(false);
    return new Promise((resolve) => {
      const done = (reached: boolean) => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", stop);
        cancel();
        resolve(reached);
      };
      const stop = () => done(false);
      const cancel = this.onReached(revision, () => done(true));
      const timer = setTimeout(stop, timeoutMs);
      signal?.addEventListener("abort", stop, { once: true });
    });
  }
}
