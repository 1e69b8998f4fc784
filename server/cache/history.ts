/** The last changes of a resource, in order: a ring that watches read by position. */
import { type CachedEntry, entryOverhead } from "./entry.ts";
import type { CacheLimits } from "./limits.ts";
import type { Contents } from "./contents.ts";
import type { WatchEvent } from "./types.ts";

/** One change of one object. */
export class HistoryEvent {
  /** For watchers to whom the object newly matches, or no longer does. */
  #arrived: WatchEvent | undefined;
  #departed: CachedEntry | undefined;
  #left: WatchEvent | undefined;

  constructor(
    /** As seen by watchers that select the object before and after. */
    readonly seen: WatchEvent,
    /** The new state; of a deletion the last one, at the deletion's revision. */
    readonly entry: CachedEntry,
    /** The state before; undefined for a creation. */
    readonly previous: CachedEntry | undefined,
    /** When it came (ms, by the cache's clock). */
    readonly at: number,
    /** Contents of the resource just before this event, at some of the events: where undoing can start. */
    readonly before: Contents | undefined,
  ) {}

  get revision(): number {
    return this.seen.revision;
  }

  /** Bytes that only the history holds. */
  get bytes(): number {
    return entryOverhead + (this.previous?.length ?? 0);
  }

  /** The event for watchers that select the object by `selects`; undefined if they have nothing to see. */
  as(selects: (entry: CachedEntry) => boolean): WatchEvent | undefined {
    const before = this.previous !== undefined && selects(this.previous);
    if (this.seen.type === "DELETED") return before ? this.seen : undefined;
    const after = selects(this.entry);
    if (after) return before || this.previous === undefined ? this.seen : this.#arrive();
    return before ? this.#leave() : undefined;
  }

  /** Gives back what only the history needs. */
  release(): void {
    this.previous?.release();
    this.#departed?.release();
    if (this.seen.type === "DELETED") this.entry.release();
  }

  #arrive(): WatchEvent {
    return this.#arrived ??= { type: "ADDED", revision: this.revision, entry: this.entry };
  }

  #leave(): WatchEvent {
    const entry = this.#departed ??= this.previous!.at(this.revision);
    return this.#left ??= { type: "DELETED", revision: this.revision, entry };
  }
}

/** The ring. Positions count events since the start and never repeat. */
export class History {
  #ring: (HistoryEvent | undefined)[] = [];
  #first = 0;
  #end = 0;
  #bytes = 0;
  #floor: number;

  constructor(readonly limits: CacheLimits, floor: number) {
    this.#floor = floor;
  }

  /** Position of the oldest event held. */
  get first(): number {
    return this.#first;
  }

  /** Position of the next event to come. */
  get end(): number {
    return this.#end;
  }

  get size(): number {
    return this.#end - this.#first;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Oldest revision since which every event is held. */
  get floor(): number {
    return this.#floor;
  }

  /** The event at a position that is held. */
  at(position: number): HistoryEvent {
    return this.#ring[position & (this.#ring.length - 1)]!;
  }

  push(event: HistoryEvent): void {
    if (this.size === this.#ring.length) this.#resize(Math.max(8, this.#ring.length * 2));
    this.#ring[this.#end++ & (this.#ring.length - 1)] = event;
    this.#bytes += event.bytes;
    this.trim(event.at);
  }

  /** Position of the first event after a revision. */
  after(revision: number): number {
    let low = this.#first;
    let high = this.#end;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.at(middle).revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Drops what is too old or too much. */
  trim(now: number): void {
    while (this.size > 0 && this.#mustGo(now - this.at(this.#first).at)) this.#drop();
    if (this.#ring.length > 64 && this.size < this.#ring.length / 8) this.#resize(this.#ring.length / 4);
  }

  /** Forgets all events: history starts at `floor`. */
  clear(floor: number): void {
    while (this.size > 0) this.#drop();
    this.#ring = [];
    this.#floor = floor;
  }

  #mustGo(age: number): boolean {
    const { limits, size } = this;
    if (age > limits.historyMaxMs || size > limits.hardCount || this.#bytes > limits.hardBytes) return true;
    return age > limits.historyMinMs && (size > limits.softCount || this.#bytes > limits.softBytes);
  }

  #drop(): void {
    const slot = this.#first++ & (this.#ring.length - 1);
    const event = this.#ring[slot]!;
    this.#ring[slot] = undefined;
    this.#bytes -= event.bytes;
    this.#floor = event.revision;
    event.release();
  }

  #resize(length: number): void {
    const ring = new Array<HistoryEvent | undefined>(length).fill(undefined);
    for (let position = this.#first; position < this.#end; position++) {
      ring[position & (length - 1)] = this.at(position);
    }
    this.#ring = ring;
  }
}
