/** The newest changes, in memory: what a reader that lags a little starts from. Bounded by bytes of values and by count. */
import type { Committed, Revision } from "./backend.ts";

const MAX_BYTES = 8 << 20;
const MAX_COUNT = 20_000;

/** Changes after {@linkcode Tail.start}, in order. */
export class Tail {
  #changes: Committed[] = [];
  #head = 0;
  #bytes = 0;

  /** @param start nothing at or before it is held */
  constructor(public start: Revision) {}

  /** The revision of the newest change. */
  get end(): Revision {
    return this.#changes.at(-1)?.revision ?? this.start;
  }

  /** Adds the next changes. */
  push(changes: readonly Committed[]): void {
    for (const change of changes) {
      this.#changes.push(change);
      this.#bytes += weight(change);
    }
    while (this.#bytes > MAX_BYTES || this.#changes.length - this.#head > MAX_COUNT) this.#shift();
    if (this.#head > 1024 && this.#head * 2 > this.#changes.length) {
      this.#changes = this.#changes.slice(this.#head);
      this.#head = 0;
    }
  }

  /** Changes with a revision after `since`, which is at least {@linkcode start}. */
  after(since: Revision): Committed[] {
    let low = this.#head;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#changes[middle]!.revision > since) high = middle;
      else low = middle + 1;
    }
    return this.#changes.slice(low);
  }

  #shift(): void {
    const change = this.#changes[this.#head]!;
    (this.#changes as unknown[])[this.#head++] = undefined;
    this.start = change.revision;
    this.#bytes -= weight(change);
  }
}

/** The value and about what the object around it takes. */
function weight(change: Committed): number {
  return (change.value?.length ?? 0) + 200;
}
