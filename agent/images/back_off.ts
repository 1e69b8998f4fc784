/** Pauses after pulls that failed: 10 s, doubled each time, at most five minutes; a pod's image by itself. */

const FIRST = 10_000;
const LONGEST = 300_000;

interface Entry {
  readonly pause: number;
  readonly at: number;
  /** What went wrong. */
  readonly fault: string;
}

/** See the top of the file. What did not fail in twice the longest pause begins anew. */
export class PullBackOff {
  readonly #entries = new Map<string, Entry>();

  /** What went wrong, while the pause lasts; undefined: it may be tried. */
  pausing(key: string, now: number): string | undefined {
    const entry = this.#entries.get(key);
    return entry && now - entry.at < entry.pause ? entry.fault : undefined;
  }

  /** It failed again: the next pause is longer. */
  failed(key: string, fault: string, now: number): void {
    for (const [key, { at }] of this.#entries) if (now - at > 2 * LONGEST) this.#entries.delete(key);
    const before = this.#entries.get(key);
    this.#entries.set(key, { pause: before ? Math.min(before.pause * 2, LONGEST) : FIRST, at: now, fault });
  }
}
