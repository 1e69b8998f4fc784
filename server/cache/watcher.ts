/**
 * One watch: initial objects, then what the history holds since, then the feed. A position moves; nothing is queued here.
 *
 * initial → replay → live → ended, where replay is entered at once for a watch from a revision, and after ahead for one from a
 * revision yet to come.
 */
import type { CachedEntry } from "./entry.ts";
import { type Feed, type FeedReader, type Selection, selector, sizeOf, type Window } from "./feed.ts";
import type { HeldBytes } from "./held_bytes.ts";
import type { History } from "./history.ts";
import { type WatchBatch, WatchEnded, type Watcher, type WatchEvent, type WatchOptions } from "./types.ts";
import type { Turn, Wheel } from "./wheel.ts";

/** What a watcher needs of its resource. */
export interface WatchSource {
  readonly history: History;
  readonly held: HeldBytes;
  readonly wheel: Wheel;
  /** Everything up to here is applied. */
  readonly revision: number;
  readonly windowBytes: number;
  now(): number;
  /** Calls once everything up to a revision is applied, unless cancelled by what this returns. */
  onReached(revision: number, reached: () => void): () => void;
  /** Feed for a selection, the reader in it. */
  attach(selection: Selection, group: string | undefined, reader: CacheWatcher): Feed;
  /** The watcher is over; `error`: before its client wanted. */
  detach(feed: Feed | undefined, reader: CacheWatcher, error: WatchEnded | undefined): void;
  /** A bookmark of the present, the same for all who ask at one revision. */
  bookmark(): WatchBatch;
}

/** Where a watcher stands. */
type Phase =
  | { readonly at: "initial"; readonly entries: Iterator<CachedEntry>; readonly revision: number }
  | { readonly at: "ahead"; readonly revision: number; readonly cancel: () => void }
  | { readonly at: "replay"; position: number }
  | { readonly at: "live"; readonly feed: Feed }
  | { readonly at: "ended"; readonly error: WatchEnded | undefined };

/** Nothing to give now. */
const waiting = Symbol("waiting");
/** The phase changed: look again. */
const again = Symbol("again");

type Step = WatchBatch | undefined | typeof waiting | typeof again;

/** A bookmark comes this long before a watch's end (ms), as clients count on one to resume by. */
const beforeEnd = 2000;

/** See the top of the file. */
export class CacheWatcher implements Watcher, FeedReader, Turn {
  position = 0;
  slot = 0;
  seat = 0;
  readonly selects: (entry: CachedEntry) => boolean;
  #phase: Phase;
  #waiting: ((batch: WatchBatch | undefined) => void) | undefined;
  #window: Window | undefined;
  #bookmarkDue = false;
  readonly #lastBookmark: number;
  #tookAt = 0;

  constructor(
    readonly source: WatchSource,
    readonly selection: Selection,
    readonly options: WatchOptions,
    start: { readonly revision: number; readonly entries?: Iterator<CachedEntry> },
  ) {
    this.selects = selector(selection);
    const { entries, revision } = start;
    this.#phase = entries !== undefined
      ? { at: "initial", entries, revision }
      : revision > source.revision
      ? { at: "ahead", revision, cancel: source.onReached(revision, () => this.wake()) }
      : { at: "replay", position: source.history.after(revision) };
    const now = source.now();
    this.#lastBookmark = now + (options.bookmarks?.lifeMs ?? Infinity) - beforeEnd;
    this.#plan(now);
    options.signal?.addEventListener("abort", this.#abort);
  }

  next(): Promise<WatchBatch | undefined> {
    this.#release();
    const batch = this.#step();
    if (batch !== waiting) return Promise.resolve(batch);
    return new Promise((resolve) => this.#waiting = resolve);
  }

  close(): void {
    this.#end(undefined);
    this.#release();
  }

  /** Ends the watch with a reason for its client. */
  fail(error: WatchEnded): void {
    this.#end(error);
  }

  fallOut(): void {
    this.fail(new WatchEnded("too-slow", "the watch was too slow to read: its position is no longer in the history"));
  }

  wake(): void {
    const resolve = this.#waiting;
    if (resolve === undefined) return;
    const batch = this.#step();
    if (batch === waiting) return;
    this.#waiting = undefined;
    resolve(batch);
  }

  turn(now: number): void {
    this.#bookmarkDue = true;
    this.#plan(now);
    this.wake();
  }

  /** When it took the batch that it has in hand (ms, by its source's clock); undefined without one. */
  get holdingSince(): number | undefined {
    return this.#window === undefined ? undefined : this.#tookAt;
  }

  readonly #abort = (): void => this.close();

  #step(): WatchBatch | undefined | typeof waiting {
    for (;;) {
      const phase = this.#phase;
      const batch = this.#safely(phase);
      if (batch !== again) return batch;
    }
  }

  /** A selection that throws ends its watch, not the log that woke it. */
  #safely(phase: Phase): Step {
    try {
      return this.#stepIn(phase);
    } catch (cause) {
      this.fail(new WatchEnded("failed", `the watch's selection failed: ${cause}`));
      return again;
    }
  }

  #stepIn(phase: Phase): Step {
    switch (phase.at) {
      case "initial":
        return this.#initial(phase);
      case "ahead":
        return this.#ahead(phase.revision);
      case "replay":
        return this.#replay(phase);
      case "live":
        return this.#live(phase.feed);
      case "ended":
        return this.#over(phase.error);
    }
  }

  #ahead(revision: number): Step {
    const { source } = this;
    if (source.revision < revision) return waiting;
    this.#phase = { at: "replay", position: source.history.after(revision) };
    return again;
  }

  #initial(phase: Phase & { at: "initial" }): WatchBatch | typeof again {
    const events: WatchEvent[] = [];
    const bytes = this.#collect(events, () => this.#nextInitial(phase));
    if (events.length > 0) return this.#private(events, bytes);
    this.#phase = { at: "replay", position: this.source.history.after(phase.revision) };
    if (phase.revision < this.source.history.floor) this.fallOut();
    if (this.options.initialEnd !== true) return again;
    return { events: [{ type: "BOOKMARK", revision: phase.revision, initialEnd: true }] };
  }

  #nextInitial(phase: Phase & { at: "initial" }): WatchEvent | undefined {
    const { selects } = this;
    for (let next = phase.entries.next(); next.done !== true; next = phase.entries.next()) {
      const entry = next.value;
      if (selects(entry)) return { type: "ADDED", revision: entry.revision, entry };
    }
    return undefined;
  }

  #replay(phase: Phase & { at: "replay" }): WatchBatch | typeof again {
    const { history } = this.source;
    if (phase.position < history.first) {
      this.fallOut();
      return again;
    }
    const events: WatchEvent[] = [];
    const { selects } = this;
    const bytes = this.#collect(events, () => {
      while (phase.position < history.end) {
        const seen = history.at(phase.position++).as(selects);
        if (seen !== undefined) return seen;
      }
      return undefined;
    });
    if (phase.position === history.end) this.#goLive();
    return events.length > 0 ? this.#private(events, bytes) : again;
  }

  #goLive(): void {
    const feed = this.source.attach(this.selection, this.options.group, this);
    this.position = feed.end;
    this.#phase = { at: "live", feed };
  }

  #live(feed: Feed): WatchBatch | typeof waiting {
    // Events that wait to be joined are left to wait: taking them now would cut the window that others share.
    if (feed.dirty) return waiting;
    if (this.position < feed.end) {
      const window = feed.window(this.position, this.#room());
      this.position = window.end;
      return this.#hold(window);
    }
    if (!this.#bookmarkDue) return waiting;
    this.#bookmarkDue = false;
    return this.source.bookmark();
  }

  #over(error: WatchEnded | undefined): WatchBatch | undefined {
    this.#phase = { at: "ended", error: undefined };
    return error === undefined ? undefined : { events: [], error };
  }

  /** Takes events while they fit. */
  #collect(events: WatchEvent[], take: () => WatchEvent | undefined): number {
    const room = this.#room();
    let bytes = 0;
    while (bytes < room) {
      const event = take();
      if (event === undefined) break;
      events.push(event);
      bytes += sizeOf(event);
    }
    return bytes;
  }

  #room(): number {
    if (this.source.held.pressed) return 1;
    return this.options.maxBufferedBytes ?? this.source.windowBytes;
  }

  #private(events: readonly WatchEvent[], bytes: number): WatchBatch {
    return this.#hold({ batch: { events }, end: 0, bytes, holders: 0 });
  }

  #hold(window: Window): WatchBatch {
    this.#window = window;
    this.#tookAt = this.source.now();
    this.source.held.take(window);
    return window.batch;
  }

  #release(): void {
    if (this.#window === undefined) return;
    this.source.held.giveBack(this.#window);
    this.#window = undefined;
  }

  #plan(now: number): void {
    const { bookmarks } = this.options, last = this.#lastBookmark;
    if (bookmarks === undefined) return;
    const next = now < last ? Math.min(now + bookmarks.everyMs, last) : now + bookmarks.everyMs;
    this.source.wheel.schedule(this, next);
  }

  #end(error: WatchEnded | undefined): void {
    const phase = this.#phase;
    if (phase.at === "ended") return;
    this.#phase = { at: "ended", error };
    if (phase.at === "ahead") phase.cancel();
    this.options.signal?.removeEventListener("abort", this.#abort);
    this.source.wheel.cancel(this);
    this.source.detach(phase.at === "live" ? phase.feed : undefined, this, error);
    this.wake();
    if (error !== undefined) this.options.onEnded?.(error);
  }
}
