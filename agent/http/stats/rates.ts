/** Use of processors over the last while, from how much it was at two times. */

/** A measure: nanoseconds of processors up to a time, which is in nanoseconds too. */
interface Measure {
  readonly time: bigint;
  readonly usage: bigint;
}

/** Measures that lie nearer say little. */
const LEAST_NS = 1_000_000_000n;
/** Who is not asked for so long is forgotten, ns. */
const FORGET_NS = 600n * 1_000_000_000n;

/** See the top of the file. Bounded by what is measured within ten minutes. */
export class Rates {
  readonly #known = new Map<string, { from: Measure; rate: bigint | undefined }>();

  /** Nanocores of somebody; undefined until there are two measures. */
  of(name: string, time: bigint, usage: bigint): bigint | undefined {
    const known = this.#known.get(name);
    // One that counts from nothing again is another one.
    if (!known || usage < known.from.usage) {
      this.#forget(time);
      this.#known.set(name, { from: { time, usage }, rate: undefined });
      return undefined;
    }
    const passed = time - known.from.time;
    if (passed < LEAST_NS) return known.rate;
    known.rate = (usage - known.from.usage) * 1_000_000_000n / passed;
    known.from = { time, usage };
    return known.rate;
  }

  #forget(now: bigint): void {
    for (const [name, { from }] of this.#known) if (now - from.time > FORGET_NS) this.#known.delete(name);
  }
}
