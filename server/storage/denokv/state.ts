/** Everything a process knows of the store: made by one pass over the log, then kept up by each log value that follows. */
import type { Committed, Revision } from "../backend.ts";
import { ExpiryIndex } from "../expiry.ts";
import { Tail } from "../tail.ts";
import { VersionIndex } from "../versions.ts";
import type { Head } from "./layout.ts";
import { decodeBlobRef, freedSeqs, KIND, type LogRecord, readLog } from "./record.ts";
import { LogCache, type Segment, Segments, type Where } from "./segments.ts";

/** Bytes of log values kept for reads. */
const CACHE_BYTES = 8 << 20;

/** A change as a log record tells it; a blob's value has still to be read. */
export interface Logged {
  readonly key: string;
  readonly revision: Revision;
  readonly value: Uint8Array | null;
  readonly blob?: Where;
}

/** See the top of the file. */
export class State {
  readonly segments = new Segments();
  readonly index = new VersionIndex<Where>((where) => this.segments.drop(where));
  readonly expiry = new ExpiryIndex();
  readonly cache = new LogCache(CACHE_BYTES);
  tail = new Tail(1);
  revision: Revision = 1;
  compacted: Revision = 1;
  /** The index holds nothing any more that compaction to here allows to drop. */
  forgotten: Revision = 1;
  seq = 0;

  /** Takes in a log value. Gives the changes first logged in it. */
  apply(seq: number, bytes: Uint8Array): Logged[] {
    const records = [...readLog(bytes, seq)];
    const segment = segmentOf(seq, bytes.length, records);
    this.segments.add(segment);
    const logged: Logged[] = [];
    for (const record of records) {
      if (record.kind === KIND.free) { for (const gone of freedSeqs(record.payload)) this.forget(gone); }
      else this.#place(record, segment, logged);
    }
    this.seq = seq;
    return logged;
  }

  #place(record: LogRecord, segment: Segment, logged: Logged[]): void {
    const { key, revision, expiresAt } = record;
    const where = record.kind === KIND.delete ? null : whereOf(record, segment);
    if (record.moved) {
      if (where && !this.index.move(key, revision, where)) this.segments.drop(where);
      return;
    }
    this.index.set(key, revision, where);
    this.expiry.set(key, revision, expiresAt || undefined);
    this.revision = revision;
    logged.push(loggedOf(record, where));
  }

  /** A log value is gone from disk. */
  forget(seq: number): void {
    this.segments.remove(seq);
    this.cache.delete(seq);
  }

  /** The head says more than log values do. */
  settle(head: Head): void {
    this.revision = head.revision;
    this.seq = head.seq;
    this.compacted = Math.max(this.compacted, head.compacted);
  }

  /** The changes were made: for readers that start a little back. */
  remember(changes: readonly Committed[]): void {
    this.tail.push(changes);
  }
}

/** A log value's facts from its records. */
export function segmentOf(seq: number, bytes: number, records: readonly LogRecord[]): Segment {
  let total = 0;
  let pure = true;
  let last = 0;
  for (const record of records) {
    if (record.kind === KIND.put || record.kind === KIND.blob) total += diskBytes(record);
    else pure = false;
    if (!record.moved) last = Math.max(last, record.revision);
  }
  return { seq, bytes, last, live: total, total, pure };
}

/** The place of a record with a value. */
export function whereOf(record: LogRecord, segment: Segment): Where {
  return { segment, offset: record.offset, bytes: diskBytes(record) };
}

/** A record as a change. Values are copied: a view would keep the whole log value in memory. */
export function loggedOf(record: LogRecord, where: Where | null): Logged {
  const { key, revision } = record;
  if (record.kind === KIND.blob && where) return { key, revision, value: null, blob: where };
  return { key, revision, value: where ? record.payload.slice() : null };
}

function diskBytes(record: LogRecord): number {
  return record.length + (record.kind === KIND.blob ? decodeBlobRef(record.payload).length : 0);
}
