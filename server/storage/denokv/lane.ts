/** One thing at a time, in the order asked for. */
export class Lane {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs when all before it have ended, whatever became of them. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work, work);
    this.#last = result.catch(() => {});
    return result;
  }

  /** Resolves when everything asked for so far has ended. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
