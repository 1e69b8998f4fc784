/** Which labels have an index: those that lists select by again and again. A list by one costs what it gives, not what there is. */

/** A label that is asked for twice within this time gets an index, ms. */
const AGAIN_MS = 60_000;
/** Its index is forgotten when it was not asked for so long, ms. */
const FORGET_MS = 5 * 60_000;
/** Indexes of one resource at once: who asks for many labels in turns has no more built. Each costs some 130 bytes an object that carries the label. */
const MOST_INDEXES = 2;
/** Labels that are remembered as asked for. */
const MOST_ASKED = 16;

/** The labels of one resource. Times are in ms. */
export class LabelIndexes {
  /** When each label was asked for last, the latest at the end. */
  readonly #asked = new Map<string, number>();
  readonly #indexed = new Set<string>();

  /** A list selects by a label; whether it has just become worth an index. */
  ask(name: string, now: number): boolean {
    const last = this.#asked.get(name);
    this.#asked.delete(name);
    this.#asked.set(name, now);
    if (this.#asked.size > MOST_ASKED) this.#asked.delete(this.#asked.keys().next().value!);
    const again = last !== undefined && now - last <= AGAIN_MS;
    if (!again || this.#indexed.has(name) || this.#indexed.size >= MOST_INDEXES) return false;
    this.#indexed.add(name);
    return true;
  }

  /** Takes out the labels whose indexes are to go, and returns them: others can have one then. */
  idle(now: number): string[] {
    const gone = [...this.#indexed].filter((name) => now - (this.#asked.get(name) ?? -Infinity) > FORGET_MS);
    for (const name of gone) this.#indexed.delete(name);
    return gone;
  }
}
