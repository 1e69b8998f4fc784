/** Notes of commits under way, until the watch brings the changes they belong to. */
import { sameBytes } from "../../../schema/values/bytes.ts";
import type { Change, Committed } from "../backend.ts";

interface Expected {
  value: Uint8Array | null;
  note: unknown;
}

/** A change is told by its key and bytes: its revision is not known before the commit's answer, which may come after it. */
export class Notes {
  readonly #expected = new Map<string, Set<Expected>>();

  /** Expects changes; the function given back forgets those that did not come. */
  expect(changes: readonly Change[]): () => void {
    const mine: [string, Expected][] = [];
    for (const { key, value, note } of changes) {
      if (note === undefined) continue;
      const one = { value, note };
      mine.push([key, one]);
      const there = this.#expected.get(key);
      if (there) there.add(one);
      else this.#expected.set(key, new Set([one]));
    }
    return () => mine.forEach(([key, one]) => this.#forget(key, one));
  }

  /** The changes, with their notes. */
  put(changes: readonly Committed[]): readonly Committed[] {
    return this.#expected.size === 0 ? changes : changes.map((change) => this.#put(change));
  }

  #put(change: Committed): Committed {
    for (const one of this.#expected.get(change.key) ?? []) {
      if (!equal(one.value, change.value)) continue;
      const { note } = one;
      this.#forget(change.key, one);
      return { ...change, note };
    }
    return change;
  }

  #forget(key: string, one: Expected): void {
    const there = this.#expected.get(key);
    there?.delete(one);
    if (there?.size === 0) this.#expected.delete(key);
    // A map's former tables lead on to the one in use, and keep what stood in them until a full collection.
    one.value = null;
    one.note = undefined;
  }
}

function equal(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a && b ? sameBytes(a, b) : a === b;
}
