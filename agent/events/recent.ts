/** What was used last, up to a bound. */
export class Recent<V> {
  readonly #entries = new Map<string, V>();

  constructor(private readonly bound: number) {}

  get(key: string): V | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: string, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.bound) this.#entries.delete(this.#entries.keys().next().value!);
  }
}
