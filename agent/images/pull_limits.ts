/** How many images are pulled at a time, and how often a pull begins. */

/** Lets so many run at a time, the others in the order in which they came. */
export class Lanes {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(readonly most: number) {}

  /** Runs the work when its turn comes. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.most) await new Promise<void>((go) => this.#waiting.push(go));
    else this.#running++;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}

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
