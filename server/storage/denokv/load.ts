/** Makes a {@linkcode State} from what is on disk, in one pass over the log. */
import { type Head, KEYS } from "./layout.ts";
import { KIND, readLog } from "./record.ts";
import { type KvStore, storageError } from "./kv.ts";
import type { Revision } from "../backend.ts";
import type { Where } from "./segments.ts";
import { segmentOf, State, whereOf } from "./state.ts";
import { Tail } from "../tail.ts";

/** Log values of one read: 6 MB. */
const BATCH = 100;

/** A record without its bytes. */
interface Seen {
  readonly key: string;
  readonly revision: Revision;
  readonly expiresAt: number;
  readonly seq: number;
  /** Undefined for a deletion. */
  readonly where: Where | null;
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
  seen.sort((a, b) => a.revision - b.revision || a.seq - b.seq);
  for (let i = 0; i < seen.length; i++) {
    const { key, revision, expiresAt, where } = seen[i]!;
    if (seen[i + 1]?.revision === revision) {
      if (where) state.segments.drop(where);
      continue;
    }
    state.index.set(key, revision, where);
    state.expiry.set(key, revision, expiresAt || undefined);
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
    const { key, revision, expiresAt, kind } = record;
    seen.push({ key, revision, expiresAt, seq, where: kind === KIND.delete ? null : whereOf(record, segment) });
  }
}

/** Log values from one number to another, both included, in order. @throws StorageError when the store cannot be read */
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
