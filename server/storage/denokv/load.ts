/** Makes a {@linkcode State} from what is on disk, in one pass over the log. */
import { type Head, KEYS } from "./layout.ts";
import { KIND, type LogRecord, readLog } from "./record.ts";
import type { KvStore } from "./kv.ts";
import { storageError } from "./kv.ts";
import type { Segment } from "./segments.ts";
import { segmentOf, State, whereOf } from "./state.ts";
import { Tail } from "../tail.ts";

/** Log values of one read: 6 MB. */
const BATCH = 100;

/** A record without its bytes. */
interface Seen {
  readonly record: Omit<LogRecord, "payload">;
  readonly segment: Segment;
  readonly bytes: number;
}

/**
 * Reads all log values up to the head's. Moved records come late in the log with early revisions: all are put in the order of
 * revisions first, and of two with one revision the later place counts. Nobody may clean the log meanwhile.
 * @throws StorageError `corrupt`
 */
export function load(store: KvStore, head: Head): Promise<State> {
  return store.patient("read the log", () => once(store, head));
}

async function once(store: KvStore, head: Head): Promise<State> {
  const state = new State();
  const seen: Seen[] = [];
  for await (const [seq, bytes] of logFrom(store, 1, head.seq)) collect(state, seq, bytes, seen);
  seen.sort((a, b) => a.record.revision - b.record.revision || a.segment.seq - b.segment.seq);
  for (const [i, one] of seen.entries()) {
    const later = seen[i + 1]?.record.revision === one.record.revision;
    if (!later) put(state, one);
    else if (one.record.kind !== KIND.delete) state.segments.drop(where(one));
  }
  state.settle(head);
  state.index.compact(state.compacted);
  state.forgotten = state.compacted;
  state.tail = new Tail(head.revision);
  return state;
}

function collect(state: State, seq: number, bytes: Uint8Array, seen: Seen[]): void {
  const records = [...readLog(bytes, seq)];
  const segment = segmentOf(seq, bytes.length, records);
  state.segments.add(segment);
  state.cache.set(seq, bytes);
  for (const record of records) {
    if (record.kind === KIND.free) continue;
    const { payload: _, ...rest } = record;
    seen.push({ record: rest, segment, bytes: whereOf(record, segment).bytes });
  }
}

function where({ record, segment, bytes }: Seen) {
  return { segment, offset: record.offset, bytes };
}

function put(state: State, one: Seen): void {
  const { key, revision, kind, expiresAt } = one.record;
  state.index.set(key, revision, kind === KIND.delete ? null : where(one));
  state.expiry.set(key, revision, expiresAt || undefined);
}

/** Log values from one number to another, in order. */
export async function* logFrom(store: KvStore, from: number, to: number): AsyncGenerator<[number, Uint8Array]> {
  const range = { start: KEYS.log(from), end: KEYS.log(to + 1) };
  try {
    for await (const { key, value } of store.kv.list<Uint8Array>(range, { batchSize: BATCH })) {
      yield [key[1] as number, value];
    }
  } catch (error) {
    throw storageError(error, "read the log");
  }
}
