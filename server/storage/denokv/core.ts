/** What the parts of an open store share: the database, what is known of it, and the way to learn of other processes' commits. */
import { type Committed, type Revision, RevisionError, StorageError } from "../backend.ts";
import { Hub } from "../hub.ts";
import { decodeHead, EMPTY, encodeHead, type Head, KEYS } from "./layout.ts";
import { type KvStore, storageError } from "./kv.ts";
import { Lane } from "./lane.ts";
import { load, logFrom } from "./load.ts";
import { KIND, readRecord } from "./record.ts";
import { readBlob } from "./blob.ts";
import { Tail } from "../tail.ts";
import { standIn } from "../unreadable.ts";
import type { Logged, State } from "./state.ts";
import type { Where } from "./segments.ts";

/** Keeps cleaners of all processes away while it runs `work`. */
export type Guard = <T>(work: () => Promise<T>) => Promise<T>;

/** See the top of the file. Changed only from within its {@linkcode lane}. */
export class Core {
  readonly lane = new Lane();
  readonly hub = new Hub();
  /** No other process can have the database open: what we know is what is. */
  sole = false;
  closed = false;
  /** All is being read again: the lane is held, and waits for who keeps others from cleaning. */
  reloading = false;
  #coming: Promise<void> | undefined;

  /** @param stamp versionstamp of the head that `state` is of; empty after a failed write: not known */
  private constructor(readonly store: KvStore, public state: State, public stamp: string, readonly guard: Guard) {}

  /** Reads the whole log. The caller keeps cleaners away. @throws StorageError */
  static async open(store: KvStore, guard: Guard): Promise<Core> {
    const [head, stamp] = await readHead(store);
    return new Core(store, await load(store, head), stamp, guard);
  }

  /** @throws StorageError `closed` */
  open(): void {
    if (this.closed) throw new StorageError("closed", "the store is closed");
  }

  /** After it, everything is known that anybody had committed when it was called. Calls that wait share one. */
  fresh(): Promise<void> {
    this.#coming ??= this.lane.run(() => {
      this.#coming = undefined;
      // After a failed write even a sole process does not know what the database holds.
      return this.sole && this.stamp !== "" ? Promise.resolve() : this.catchUp();
    });
    return this.#coming;
  }

  /** Learns of commits of other processes. Within the lane only. */
  async catchUp(): Promise<void> {
    this.open();
    const row = await this.store.get(KEYS.head);
    if (row.versionstamp === this.stamp) return;
    const head = decodeHead(row.value);
    const state = this.state;
    const from = state.seq + 1;
    const rows = await this.store.patient("read the log", () => Array.fromAsync(logFrom(this.store, from, head.seq)));
    const since = state.revision;
    if (rows.length !== head.seq - state.seq) return await this.#reload(since);
    let logged: Logged[];
    try {
      logged = rows.flatMap(([seq, bytes]) => state.apply(seq, bytes));
    } catch (error) {
      this.#missed(state, state.revision, error);
      throw error;
    }
    this.stamp = row.versionstamp!;
    state.settle(head);
    const changes: Committed[] = [];
    try {
      for (const change of await Promise.all(logged.map((one) => this.#whole(one)))) {
        if (!change) return await this.#reload(since);
        changes.push(change);
      }
    } catch (error) {
      return this.#missed(state, head.revision, error);
    }
    state.remember(changes);
    this.hub.publish(changes, head.revision);
  }

  /** What is known up to a revision is right; readers of changes, who would miss some, have to read on from the log. */
  #missed(state: State, revision: Revision, error: unknown): void {
    state.tail = new Tail(revision);
    this.hub.fail(error);
  }

  /** We were away so long that values we have not read are cleaned. Readers of changes after `since` have to start again. */
  async #reload(since: Revision): Promise<void> {
    this.reloading = true;
    try {
      await this.guard(async () => {
        const [head, stamp] = await readHead(this.store);
        this.state = await load(this.store, head);
        this.stamp = stamp;
        this.hub.fail(new RevisionError("compacted", since, head.revision));
      });
    } finally {
      this.reloading = false;
    }
  }

  /** The change with its value; undefined when a long one has been replaced and cleaned meanwhile. */
  async #whole({ key, revision, value, blob }: Logged): Promise<Committed | undefined> {
    if (!blob) return { key, revision, value };
    const whole = await this.valueOrGone(blob, key).catch(standIn);
    return whole && { key, revision, value: whole };
  }

  /** The value there. @throws StorageError `corrupt`; undefined when the log value or the blob is not there any more. */
  async valueOrGone(where: Where, key: string): Promise<Uint8Array | undefined> {
    const { seq } = where.segment;
    const bytes = this.state.cache.get(seq) ?? (await this.store.bytes([KEYS.log(seq)]))[0];
    if (!bytes) return undefined;
    this.state.cache.set(seq, bytes);
    return await this.valueIn(bytes, where, key);
  }

  /** The same from the log value's bytes; no promise unless the value is long. */
  valueIn(bytes: Uint8Array, where: Where, key: string): Uint8Array | Promise<Uint8Array | undefined> {
    const view = this.viewIn(bytes, where, key);
    return view instanceof Promise ? view : view.slice();
  }

  /** The same as a part of the log value's bytes: who keeps it keeps all of those. */
  viewIn(bytes: Uint8Array, where: Where, key: string): Uint8Array | Promise<Uint8Array | undefined> {
    const record = readRecord(bytes, where.segment.seq, where.offset, key);
    if (record.key !== key) throw new StorageError("corrupt", `the record of key ${key} is not where it should be`);
    return record.kind === KIND.blob ? readBlob(this.store, record) : record.payload;
  }
}

/** The head and its versionstamp; makes an empty store's where there is none. @throws StorageError */
async function readHead(store: KvStore): Promise<[Head, string]> {
  for (;;) {
    const { value, versionstamp } = await store.get(KEYS.head);
    if (versionstamp !== null) return [decodeHead(value), versionstamp];
    try {
      for await (const { key } of store.kv.list({ prefix: [] }, { limit: 3 })) {
        if (key[0] !== "lease") throw new StorageError("format", "the database holds something else than a store");
      }
    } catch (error) {
      throw storageError(error, "open the store");
    }
    await store.atomic((a) => a.check({ key: KEYS.head, versionstamp: null }).set(KEYS.head, encodeHead(EMPTY)));
  }
}
