/** A check whose outcome stands for a while: health endpoints may ask as often as they like. */

/** How long an outcome stands, ms. */
const GOOD_MS = 20_000;
const BAD_MS = 3_000;

/** See the top of the file. Those who ask at the same time share one run. */
export class Checked {
  #until = -Infinity;
  #failure: Error | undefined;
  #running: Promise<void> | undefined;

  /** `run` throws what is wrong. `now`: ms, never going back. */
  constructor(readonly now: () => number, readonly run: () => Promise<void>) {}

  /** @throws Error that the last run threw */
  async check(): Promise<void> {
    if (this.#running) return await this.#running;
    if (this.now() < this.#until) {
      if (this.#failure) throw this.#failure;
      return;
    }
    this.#running = this.#once();
    try {
      await this.#running;
    } finally {
      this.#running = undefined;
    }
  }

  async #once(): Promise<void> {
    try {
      await this.run();
      this.#failure = undefined;
      this.#until = this.now() + GOOD_MS;
    } catch (e) {
      this.#failure = e instanceof Error ? e : new Error(String(e));
      this.#until = this.now() + BAD_MS;
      throw this.#failure;
    }
  }
}
