/** How often and when keys of services were used, of the latest hundred: a service may change its key as often as it likes. */

/** One key as one service uses it in one direction. */
export interface KeyUse {
  readonly labels: Readonly<Record<string, string>>;
  n: number;
  /** Seconds since the epoch. */
  at: number;
}

const HELD = 100;

/** See the top of the file. */
export class KeyUses {
  readonly #uses = new Map<string, KeyUse>();

  /** Counts one; `key` tells the labels apart. */
  add(key: string, labels: () => Record<string, string>, at: number): void {
    let use = this.#uses.get(key);
    if (use) this.#uses.delete(key);
    else use = { labels: labels(), n: 0, at };
    use.n++;
    use.at = at;
    this.#uses.set(key, use);
    if (this.#uses.size > HELD) this.#uses.delete(this.#uses.keys().next().value!);
  }

  /** All that are held. */
  values(): Iterable<KeyUse> {
    return this.#uses.values();
  }
}
