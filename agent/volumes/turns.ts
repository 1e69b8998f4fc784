/** Work of one thing after the other, and of different things side by side. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Begins when all earlier work for this key has ended, well or not. */
  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(key) ?? Promise.resolve()).then(work, work);
    this.#last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    }
  }
}
