/** Which resource a store key belongs to: the longest of the prefixes that it starts with. */

/** Prefixes end in a slash. Looking one up costs one map look-up a depth in use. */
export class Routes<T> {
  readonly #byPrefix = new Map<string, T>();
  /** How many prefixes have so many slashes. */
  readonly #counts = new Map<number, number>();
  /** Numbers of slashes that prefixes have, the most first. */
  #depths: number[] = [];

  set(prefix: string, target: T): void {
    if (!this.#byPrefix.has(prefix)) this.#count(prefix, 1);
    this.#byPrefix.set(prefix, target);
  }

  delete(prefix: string): void {
    if (this.#byPrefix.delete(prefix)) this.#count(prefix, -1);
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

  #count(prefix: string, more: 1 | -1): void {
    const depth = prefix.split("/").length - 1, before = this.#counts.get(depth) ?? 0;
    this.#counts.set(depth, before + more);
    if (before === 0) this.#depths = [...this.#depths, depth].sort((a, b) => b - a);
    else if (before + more === 0) this.#depths = this.#depths.filter((d) => d !== depth);
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
