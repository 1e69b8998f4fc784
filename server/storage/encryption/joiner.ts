/**
 * Joins what sealed values consist of, many values to one array: memory of its own for each costs more than the copying.
 */
import { concat } from "../../../schema/values/bytes.ts";
import type { Parts } from "./types.ts";

/** Bytes of an array that is shared. */
const ROOM = 64 << 10;
/** Longer values have one of their own. */
const LARGEST = 8 << 10;

/** See the top of the file. What it gives out is never overwritten, and keeps its neighbours alive. */
export class Joiner {
  #room = new Uint8Array(0);
  #used = 0;

  /** The parts one after the other. */
  join(parts: Parts): Uint8Array {
    const length = parts.reduce((n, part) => n + part.length, 0);
    if (length > LARGEST) return concat(parts);
    if (this.#used + length > this.#room.length) {
      this.#room = new Uint8Array(ROOM);
      this.#used = 0;
    }
    const start = this.#used;
    for (const part of parts) {
      this.#room.set(part, this.#used);
      this.#used += part.length;
    }
    return this.#room.subarray(start, this.#used);
  }
}
