/** Answers kept for a time, at most so many; who asks for the same at the same time waits for one answer. */
import type { Clock } from "../../types.ts";

/** An answer and how long it is kept, ms. */
export interface Kept<T> {
  readonly value: T;
  readonly ms: number;
}

/** See the top of the file. The oldest go first. */
export class AnswerCache<T> {
  readonly #answers = new Map<string, { readonly value: T; readonly until: number }>();
  readonly #asked = new Map<string, Promise<T>>();

  constructor(readonly clock: Pick<Clock, "ticks">, readonly limit: number) {}

  /** What is kept under a key, or what `ask` says now; what it throws is not kept. */
  async get(key: string, ask: () => Promise<Kept<T>>): Promise<T> {
    const known = this.#answers.get(key);
    if (known && known.until > this.clock.ticks()) return known.value;
    const asked = this.#asked.get(key);
    if (asked) return await asked;
    const answer = ask().then(({ value, ms }) => {
      this.#keep(key, value, ms);
      return value;
    }).finally(() => this.#asked.delete(key));
    this.#asked.set(key, answer);
    return await answer;
  }

  #keep(key: string, value: T, ms: number): void {
    this.#answers.delete(key);
    if (ms <= 0) return;
    if (this.#answers.size >= this.limit) this.#answers.delete(this.#answers.keys().next().value!);
    this.#answers.set(key, { value, until: this.clock.ticks() + ms });
  }
}
