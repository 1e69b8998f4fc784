/** What is known in memory of the log values on disk, and the bytes of those lately used. */
import type { Revision } from "../backend.ts";
import { rowBytes } from "./layout.ts";

/** One log value. */
export interface Segment {
  readonly seq: number;
  readonly bytes: number;
  /** Newest revision of the changes first logged here; 0 when it holds moved records only. */
  readonly last: Revision;
  /** Bytes of records (with their blobs) that some read may still need. */
  live: number;
  /** Bytes of all records with values, and their blobs. */
  readonly total: number;
  /** No other records than those. */
  readonly pure: boolean;
}

/** The way to a value: a record in a log value. */
export interface Where {
  readonly segment: Segment;
  readonly offset: number;
  /** Bytes on disk that go when this goes. */
  readonly bytes: number;
}

/** All log values, oldest first. */
export class Segments {
  readonly #all = new Map<number, Segment>();
  /** Estimate of what all rows take on disk. */
  disk = 0;
  live = 0;

  get count(): number {
    return this.#all.size;
  }

  add(segment: Segment): void {
    this.#all.set(segment.seq, segment);
    this.disk += rowBytes(segment.bytes) + segment.total - Math.min(segment.total, segment.bytes);
    this.live += segment.live;
  }

  get(seq: number): Segment | undefined {
    return this.#all.get(seq);
  }

  remove(seq: number): void {
    const segment = this.#all.get(seq);
    if (!segment) return;
    this.#all.delete(seq);
    this.disk -= rowBytes(segment.bytes) + segment.total - Math.min(segment.total, segment.bytes);
    this.live -= segment.live;
    segment.live = 0;
  }

  /** A value there is needed no more. */
  drop(where: Where): void {
    if (this.#all.get(where.segment.seq) !== where.segment) return;
    where.segment.live -= where.bytes;
    this.live -= where.bytes;
  }

  /** Oldest first; changes while iterating are seen. */
  [Symbol.iterator](): IterableIterator<Segment> {
    return this.#all.values();
  }
}

/** Bytes of log values lately written or read, at most `bound` bytes. */
export class LogCache {
  readonly #held = new Map<number, Uint8Array>();
  #bytes = 0;

  constructor(readonly bound: number) {}

  get(seq: number): Uint8Array | undefined {
    const bytes = this.#held.get(seq);
    if (!bytes) return undefined;
    this.#held.delete(seq);
    this.#held.set(seq, bytes);
    return bytes;
  }

  set(seq: number, bytes: Uint8Array): void {
    this.delete(seq);
    this.#held.set(seq, bytes);
    this.#bytes += bytes.length;
    for (const oldest of this.#held.keys()) {
      if (this.#bytes <= this.bound) break;
      this.delete(oldest);
    }
  }

  delete(seq: number): void {
    const bytes = this.#held.get(seq);
    if (!bytes) return;
    this.#held.delete(seq);
    this.#bytes -= bytes.length;
  }
}
