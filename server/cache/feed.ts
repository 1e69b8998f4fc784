/**
 * Events for watchers that select the same: filtered once, cut into batches once.
 *
 * A feed keeps no copy: its tail refers to events of the history, only as far back as its slowest watcher, and never
 * further than the history reaches.
 */
import type { CachedEntry } from "./entry.ts";
import type { HistoryEvent } from "./history.ts";
import type { FieldMatch, WatchBatch, WatchEvent } from "./types.ts";

/** What a feed's watchers select. */
export interface Selection {
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly field: FieldMatch | undefined;
  readonly matches: ((entry: CachedEntry) => boolean) | undefined;
}

/** A watcher as its feed sees it. */
export interface FeedReader {
  /** Next event of the feed that it has not taken. */
  position: number;
  /** Where it sits among the feed's readers; kept by the feed. */
  seat: number;
  /** There is something to take. */
  wake(): void;
  /** Its position was dropped. */
  fallOut(): void;
}

/** A batch, and the position after it. */
export interface Window {
  readonly batch: WatchBatch;
  readonly end: number;
  /** Estimate of the batch on the wire. */
  readonly bytes: number;
  /** Watchers that have it in hand; kept by {@linkcode HeldBytes}. */
  holders: number;
}

/** The tail of feeds that have none; never written to. */
const nothing: WatchEvent[] = [];

/** Bytes on the wire beside the object. */
const framing = 64;

/** See the top of the file. */
export class Feed {
  /** An array, since most feeds have one reader and a set takes 200 bytes. */
  readonly #readers: FeedReader[] = [];
  /** Events came and readers were not woken yet. */
  dirty = false;
  readonly selects: (entry: CachedEntry) => boolean;
  #tail: WatchEvent[] = nothing;
  #start = 0;
  #windows: Map<string, Window> | undefined;

  constructor(readonly group: string | undefined, readonly selection: Selection) {
    this.selects = selector(selection);
  }

  get readers(): readonly FeedReader[] {
    return this.#readers;
  }

  add(reader: FeedReader): void {
    reader.seat = this.#readers.push(reader) - 1;
  }

  remove(reader: FeedReader): void {
    if (this.#readers[reader.seat] !== reader) return;
    const last = this.#readers.pop()!;
    if (last === reader) return;
    this.#readers[reader.seat] = last;
    last.seat = reader.seat;
  }

  /** Position of the next event to come. */
  get end(): number {
    return this.#start + this.#tail.length;
  }

  /** Revision of the oldest event kept. */
  get oldest(): number | undefined {
    return this.#tail[0]?.revision;
  }

  /** Takes an event in, if it concerns this feed. */
  offer(event: HistoryEvent): boolean {
    const seen = event.as(this.selects);
    if (seen === undefined) return false;
    if (this.#tail === nothing) this.#tail = [];
    this.#tail.push(seen);
    this.#windows = undefined;
    return true;
  }

  /** The events from a position on, as many as fit; one batch for all who ask from there. */
  window(position: number, limit: number): Window {
    const key = `${position}/${limit}`;
    const known = this.#windows?.get(key);
    if (known !== undefined) return known;
    const window = this.#cut(position, limit);
    (this.#windows ??= new Map()).set(key, window);
    return window;
  }

  /** Forgets what every reader has taken. */
  trim(): void {
    let least = this.end;
    for (const reader of this.#readers) least = Math.min(least, reader.position);
    this.#dropUntil(least);
  }

  /** The history forgot events up to a revision: so does the feed, and readers that still needed them end. */
  forget(floor: number): void {
    const kept = this.#tail.findIndex((event) => event.revision > floor);
    this.#dropUntil(kept < 0 ? this.end : this.#start + kept);
    for (const reader of [...this.#readers]) if (reader.position < this.#start) reader.fallOut();
  }

  #cut(position: number, limit: number): Window {
    const first = position - this.#start;
    let end = first;
    let bytes = 0;
    for (; end < this.#tail.length; end++) {
      const size = sizeOf(this.#tail[end]!);
      if (end > first && bytes + size > limit) break;
      bytes += size;
    }
    return { batch: { events: this.#tail.slice(first, end) }, end: this.#start + end, bytes, holders: 0 };
  }

  #dropUntil(position: number): void {
    const count = position - this.#start;
    if (count <= 0) return;
    if (count === this.#tail.length) this.#tail = nothing;
    else this.#tail.splice(0, count);
    this.#start = position;
    this.#windows = undefined;
  }
}

/** Estimate of an event's bytes on the wire: JSON is about half as long again as what is stored. */
export function sizeOf(event: WatchEvent): number {
  return framing + (event.entry === undefined ? 0 : event.entry.size * 1.5);
}

/** The selection as one predicate. */
export function selector(selection: Selection): (entry: CachedEntry) => boolean {
  const { namespace, name, field, matches } = selection;
  if (namespace === undefined && name === undefined && field === undefined) return matches ?? everything;
  return (entry) =>
    (namespace === undefined || entry.namespace === namespace) &&
    (name === undefined || entry.name === name) &&
    (field === undefined || (entry.fields[field.name] ?? "") === field.value) &&
    (matches === undefined || matches(entry));
}

function everything(): boolean {
  return true;
}
