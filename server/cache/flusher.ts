/**
 * When watchers are woken: at once while little happens, otherwise joined, so that many watchers are written to at most
 * every `joinMs`. The wait grows with the number of watchers to wake, since the number of writes is what costs.
 */
import type { Feed } from "./feed.ts";

/** Processor time of one write to one watcher (ms): 10 to 20 µs measured, with room for the rest of the server. */
const writeMs = 0.025;

/** Up to so many watchers are woken inside the commit that brought the event; more would hold the writer's answer. */
const atOnce = 32;

/** See the top of the file. */
export class Flusher {
  #dirty: Feed[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last = -Infinity;

  constructor(readonly joinMs: number, readonly now: () => number, readonly flushed: (feed: Feed) => void) {}

  /** The feed has events that its readers were not told of. */
  add(feed: Feed): void {
    if (feed.dirty) return;
    feed.dirty = true;
    this.#dirty.push(feed);
  }

  /** Wakes now or soon. Called once a batch of changes. */
  schedule(): void {
    if (this.#dirty.length === 0 || this.#timer !== undefined) return;
    let readers = 0;
    for (const feed of this.#dirty) readers += feed.readers.length;
    const since = this.now() - this.#last;
    const wait = Math.min(this.joinMs, readers * writeMs);
    if (since < 0 || since >= wait) {
      if (readers <= atOnce) this.flush();
      else this.#timer = setTimeout(this.#run, 0);
    } else this.#timer = setTimeout(this.#run, wait - since);
  }

  /** Wakes all readers that wait. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#last = this.now();
    const feeds = this.#dirty;
    this.#dirty = [];
    for (const feed of feeds) feed.dirty = false;
    for (const feed of feeds) {
      for (const reader of feed.readers.slice()) reader.wake();
      this.flushed(feed);
    }
  }

  readonly #run = (): void => this.flush();
}
