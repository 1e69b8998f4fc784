/** One answer for all who ask before the question is put. */
export class Shared<T> {
  #asked: Promise<T> | undefined;
  #running: Promise<unknown> = Promise.resolve();

  constructor(readonly ask: () => Promise<T>) {}

  /** The answer to a question that is put after this call. */
  get(): Promise<T> {
    return this.#asked ??= this.#next();
  }

  async #next(): Promise<T> {
    await this.#running.catch(() => {});
    this.#asked = undefined;
    const answer = this.ask();
    this.#running = answer;
    return await answer;
  }
}
