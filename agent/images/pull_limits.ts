/** How often a pull begins. */

/** Tokens that come back with time: `qps` a second, `burst` at most. */
export class Bucket {
  #tokens: number;
  #at: number;

  /** @param qps 0: no limit */
  constructor(readonly qps: number, readonly burst: number, now: number) {
    this.#tokens = burst;
    this.#at = now;
  }

  /** Takes one; false: there is none. */
  take(now: number): boolean {
    if (this.qps === 0) return true;
    this.#tokens = Math.min(this.burst, this.#tokens + Math.max(0, now - this.#at) / 1000 * this.qps);
    this.#at = now;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}
