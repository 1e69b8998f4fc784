/** The watches of one resource: who is told of what, and when. */
import { RevisionError } from "../storage/backend.ts";
import type { CachedEntry } from "./entry.ts";
import type { Feed, Selection } from "./feed.ts";
import { FeedIndex } from "./feed_index.ts";
import { Flusher } from "./flusher.ts";
import type { History, HistoryEvent } from "./history.ts";
import type { Shared } from "./shared.ts";
import { CachedSnapshot } from "./snapshot.ts";
import { type Snapshot, type WatchBatch, WatchEnded, type WatchOptions } from "./types.ts";
import { CacheWatcher, type WatchSource } from "./watcher.ts";

/** See the top of the file. */
export class Watchers {
  readonly #index = new FeedIndex();
  readonly #flusher: Flusher;
  readonly #watchers = new Set<CacheWatcher>();
  /** Feeds that keep events for slow readers. */
  readonly #behind = new Set<Feed>();
  readonly #source: WatchSource;
  #tooSlow = 0;
  #bookmark: { readonly revision: number; readonly batch: WatchBatch } | undefined;

  constructor(readonly id: string, readonly history: History, readonly shared: Shared) {
    this.#flusher = new Flusher(shared.limits.joinMs, shared.now, (feed) => this.#flushed(feed));
    this.#source = this.#watchSource();
  }

  get size(): number {
    return this.#watchers.size;
  }

  /** Watches ended for their slowness, ever. */
  get tooSlow(): number {
    return this.#tooSlow;
  }

  /** Number of different selections. */
  get feeds(): number {
    return this.#index.size;
  }

  /** @throws RevisionError kind `compacted` when the start is older than the history */
  open(options: WatchOptions): CacheWatcher {
    const { since } = options;
    const start = typeof since === "number" ? { revision: since } : initial(since.initial, options);
    const { floor } = this.history;
    if (start.revision < floor) throw new RevisionError("compacted", start.revision, this.shared.progress.revision);
    const watcher = new CacheWatcher(this.#source, selectionOf(options), options, start);
    this.#watchers.add(watcher);
    if (options.signal?.aborted === true) watcher.close();
    return watcher;
  }

  /** An event that the history has just taken. */
  offer(event: HistoryEvent): void {
    this.#index.visit(event, (feed) => this.#offer(feed, event));
  }

  /** After a batch of events: wakes now or soon. */
  applied(): void {
    this.#dropFallenOut();
    this.#flusher.schedule();
  }

  /** About once a second, after the history aged. */
  tick(now: number): void {
    if (this.shared.held.pressed) this.#endStalled(now - this.shared.limits.stalledMs);
    this.#dropFallenOut();
  }

  endAll(error: WatchEnded): void {
    for (const watcher of [...this.#watchers]) watcher.fail(error);
  }

  #offer(feed: Feed, event: HistoryEvent): void {
    try {
      if (feed.offer(event)) this.#flusher.add(feed);
    } catch (error) {
      // A selection that throws must not stop the log; what it would have selected is not known.
      this.shared.onError(error, this.id);
      const end = new WatchEnded("failed", `the watch's selection failed: ${error}`);
      for (const reader of feed.readers.slice()) (reader as CacheWatcher).fail(end);
    }
  }

  /** While too much is in hand, watchers that do not move on give theirs back. */
  #endStalled(since: number): void {
    for (const watcher of [...this.#watchers]) {
      if ((watcher.holdingSince ?? Infinity) > since) continue;
      watcher.fallOut();
      watcher.close();
    }
  }

  #flushed(feed: Feed): void {
    feed.trim();
    if (feed.oldest === undefined) this.#behind.delete(feed);
    else this.#behind.add(feed);
  }

  #dropFallenOut(): void {
    const { floor } = this.history;
    for (const feed of this.#behind) {
      if ((feed.oldest ?? Infinity) <= floor) feed.forget(floor);
      if (feed.oldest === undefined) this.#behind.delete(feed);
    }
  }

  #watchSource(): WatchSource {
    const { shared } = this;
    const revision = () => shared.progress.revision;
    return {
      history: this.history,
      held: shared.held,
      wheel: shared.wheel,
      windowBytes: shared.limits.windowBytes,
      get revision() {
        return revision();
      },
      now: shared.now,
      onReached: (revision, reached) => shared.progress.onReached(revision, reached),
      attach: (selection, group, reader) => {
        const feed = this.#index.open(selection, group);
        feed.add(reader);
        return feed;
      },
      detach: (feed, reader, error) => {
        this.#watchers.delete(reader);
        if (error?.reason === "too-slow") this.#tooSlow++;
        if (feed === undefined) return;
        feed.remove(reader);
        if (feed.readers.length > 0) return;
        this.#index.close(feed);
        this.#behind.delete(feed);
      },
      bookmark: () => this.#bookmarkNow(),
    };
  }

  #bookmarkNow(): WatchBatch {
    const { revision } = this.shared.progress;
    if (this.#bookmark?.revision !== revision) {
      this.#bookmark = { revision, batch: { events: [{ type: "BOOKMARK", revision }] } };
    }
    return this.#bookmark!.batch;
  }
}

function initial(snapshot: Snapshot, options: WatchOptions): { revision: number; entries: Iterator<CachedEntry> } {
  if (!(snapshot instanceof CachedSnapshot)) throw new TypeError("watch from a snapshot that is not of a cache");
  const { namespace, field } = options;
  const entries = snapshot.range({
    ...(namespace === undefined ? {} : { namespace }),
    ...(field === undefined ? {} : { field }),
  });
  return { revision: snapshot.revision, entries: entries[Symbol.iterator]() };
}

function selectionOf({ namespace, name, field, matches }: WatchOptions): Selection {
  return { namespace: namespace === "" ? undefined : namespace, name, field, matches };
}
