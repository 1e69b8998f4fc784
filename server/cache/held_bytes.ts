/** Bytes of batches that watchers have in hand, each batch counted once however many share it. */
import type { Window } from "./feed.ts";

/** The sum, and the size that the next batch may have. */
export class HeldBytes {
  #bytes = 0;

  constructor(readonly limit: number) {}

  get bytes(): number {
    return this.#bytes;
  }

  /** Too much is in hand: batches shrink to single events. */
  get pressed(): boolean {
    return this.#bytes > this.limit;
  }

  take(window: Window): void {
    if (window.holders++ === 0) this.#bytes += window.bytes;
  }

  giveBack(window: Window): void {
    if (--window.holders === 0) this.#bytes -= window.bytes;
  }
}
