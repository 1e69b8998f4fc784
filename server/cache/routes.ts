/** Which resource a store key belongs to: the longest of the prefixes that it starts with. */

/** Prefixes end in a slash. Looking one up costs one map look-up a depth in use. */
export class Routes<T> {
  readonly #byPrefix = new Map<string, T>();
  /** Numbers of slashes that prefixes have, the most first. */
  #depths: number[] = [];

  set(prefix: string, target: T): void {
    this.#byPrefix.set(prefix, target);
    this.#measure();
  }

  delete(prefix: string): void {
    this.#byPrefix.delete(prefix);
    this.#measure();
  }

  find(key: string): T | undefined {
    for (const depth of this.#depths) {
      const end = nthSlash(key, depth);
      if (end < 0) continue;
      const target = this.#byPrefix.get(key.slice(0, end + 1));
      if (target !== undefined) return target;
    }
    return undefined;
  }

  #measure(): void {
    const depths = new Set([...this.#byPrefix.keys()].map((prefix) => prefix.split("/").length - 1));
    this.#depths = [...depths].sort((a, b) => b - a);
  }
}

function nthSlash(key: string, n: number): number {
  let at = -1;
  for (let i = 0; i < n; i++) {
    at = key.indexOf("/", at + 1);
    if (at < 0) return -1;
  }
  return at;
}
