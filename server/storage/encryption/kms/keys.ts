/** Data keys in use, by what they are encrypted as: the least lately used are dropped. */
import type { Transformer } from "../types.ts";

/** See the top of the file. */
export class DataKeys {
  readonly #held = new Map<string, Transformer>();
  readonly #asked = new Map<string, Promise<Transformer>>();

  /** At most `limit` are held; none below 1. */
  constructor(readonly limit: number) {}

  get size(): number {
    return this.#held.size;
  }

  /** The key, if it is at hand. */
  get(name: string): Transformer | undefined {
    const found = this.#held.get(name);
    if (found) {
      this.#held.delete(name);
      this.#held.set(name, found);
    }
    return found;
  }

  /** Holds a key. */
  set(name: string, key: Transformer): void {
    this.#held.delete(name);
    this.#held.set(name, key);
    if (this.#held.size <= this.limit) return;
    const [oldest] = this.#held.keys();
    this.#held.delete(oldest!);
  }

  /** The key, asked for once however many wait for it. @throws what `ask` throws */
  async ask(name: string, ask: () => Promise<Transformer>): Promise<Transformer> {
    const under = this.#asked.get(name);
    if (under) return await under;
    const asked = ask();
    this.#asked.set(name, asked);
    try {
      const key = await asked;
      this.set(name, key);
      return key;
    } finally {
      this.#asked.delete(name);
    }
  }
}
