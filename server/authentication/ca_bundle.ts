/** Authorities from a PEM text that may be replaced while the server runs. */
import { type Certificate, parseBundle } from "../../pki/mod.ts";

/** A set of authorities. What was verified against an earlier set is verified again, as {@linkcode current} gives another array. */
export class CaBundle {
  readonly #text: () => string;
  #seen: string;
  #roots: readonly Certificate[];

  /** @param text as it is at the time @throws Error when the text holds no certificate, or one does not parse */
  constructor(text: () => string) {
    this.#text = text;
    this.#seen = text();
    this.#roots = parseBundle(this.#seen);
  }

  /** The authorities now: the same array until there is another text. One that cannot be used changes nothing. */
  readonly current = (): readonly Certificate[] => {
    const text = this.#text();
    if (text === this.#seen) return this.#roots;
    this.#seen = text;
    try {
      this.#roots = parseBundle(text);
    } catch {
      // The old authorities stay.
    }
    return this.#roots;
  };
}
