/** Writes that are left out when they come too often: somebody else holds the opposite, and does not give way. */

/** So many of one object are made within {@linkcode WITHIN_MS}. */
const WRITES = 6;
const WITHIN_MS = 60_000;
/** So long at least, and up to two and a half times as long, an object is left to others then. */
const LEFT_MS = 30_000;

/** When which object was written. */
export class RecentWrites {
  readonly #o: { elapsed(): number; random(): number };
  readonly #times = new Map<string, readonly number[]>();

  /** @param o `elapsed` in ms, `random` in [0, 1) */
  constructor(o: { elapsed(): number; random(): number }) {
    this.#o = o;
  }

  /** How long to leave an object to others, ms; undefined: it may be written. */
  pause(name: string): number | undefined {
    const since = this.#o.elapsed() - WITHIN_MS;
    const recent = this.#of(name).filter((at) => at > since);
    this.#times.set(name, recent);
    return recent.length < WRITES ? undefined : LEFT_MS * (1 + 1.5 * this.#o.random());
  }

  /** It has been written. */
  add(name: string): void {
    this.#times.set(name, [...this.#of(name), this.#o.elapsed()]);
  }

  /** It is gone. */
  forget(name: string): void {
    this.#times.delete(name);
  }

  #of(name: string): readonly number[] {
    return this.#times.get(name) ?? [];
  }
}
