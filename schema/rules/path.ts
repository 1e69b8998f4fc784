/** A place in an object, as error causes name it (`spec.containers[0].env[1].name`). Text is made only when asked for. */
export class Path {
  readonly #parent: Path | undefined;
  readonly #step: string | number;
  readonly #kind: "name" | "index" | "key";

  private constructor(parent: Path | undefined, step: string | number, kind: "name" | "index" | "key") {
    this.#parent = parent;
    this.#step = step;
    this.#kind = kind;
  }

  /** A path that starts at a member of the object. */
  static of(...names: string[]): Path {
    return Path.#down(undefined, names);
  }
  /** A member. */
  child(...names: string[]): Path {
    return Path.#down(this, names);
  }
  static #down(from: Path | undefined, names: readonly string[]): Path {
    let p = from;
    for (const n of names) p = new Path(p, n, "name");
    return p!;
  }
  /** A member of the object that holds this one. */
  sibling(name: string): Path {
    return new Path(this.#parent, name, "name");
  }
  /** An item of a list. */
  index(i: number): Path {
    return new Path(this, i, "index");
  }
  /** An entry of a map. */
  key(k: string): Path {
    return new Path(this, k, "key");
  }
  /** `spec.ports[0].name`, `metadata.labels[a/b]`. */
  toString(): string {
    const own = this.#kind === "name" ? String(this.#step) : `[${this.#step}]`;
    if (!this.#parent) return own;
    return this.#kind === "name" ? `${this.#parent}.${own}` : `${this.#parent}${own}`;
  }
}
