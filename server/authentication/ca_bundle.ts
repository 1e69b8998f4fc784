/** Authorities from a PEM text that may be replaced while the server runs. */
import { type Certificate, parseBundle } from "../pki/mod.ts";

/** A set of authorities. What was verified against an earlier set is verified again, as {@linkcode current} gives another array. */
export class CaBundle {
  #roots: readonly Certificate[];

  /** @throws Error when the text holds no certificate, or one does not parse */
  constructor(pem: string) {
    this.#roots = parseBundle(pem);
  }

  /** The authorities now. The same array until the next {@linkcode replace}. */
  readonly current = (): readonly Certificate[] => this.#roots;

  /** Takes a new text. @throws Error as the constructor; the old authorities stay then */
  replace(pem: string): void {
    this.#roots = parseBundle(pem);
  }
}
