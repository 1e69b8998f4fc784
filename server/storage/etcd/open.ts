/**
 * The store on etcd's v3 API. A commit is one transaction and has one revision. Objects lie where the public server has them
 * (`<prefix>/…`). One watch follows everything under the prefix; readers share it.
 *
 * What members before 3.4.31 and 3.5.13, and gRPC-web, lack is progress on request. There, when the newest revision is of
 * something that is not under the prefix, a mark is written under it to show that the watch has come so far.
 */
import { concat } from "../../../schema/values/bytes.ts";
import {
  type Backend,
  type Change,
  type ChangeBatch,
  checkChanges,
  type CommitResult,
  type Committed,
  type MetaWrite,
  type RangePage,
  type RangeRead,
  type Revision,
  RevisionError,
  StorageError,
  type Stored,
} from "../backend.ts";
import { Hub } from "../hub.ts";
import { Tail } from "../tail.ts";
import type { Dial } from "../../grpc/reach.ts";
import { Cluster, type TlsSource } from "./cluster.ts";
import { compactedTo } from "./compacted.ts";
import { judge, storageError } from "./errors.ts";
import { type Events, Feed } from "./feed.ts";
import { Keys } from "./keys.ts";
import { type LeaseOptions, Leases } from "./leases.ts";
import { type Compare, RPC } from "./messages.ts";
import { Notes } from "./notes.ts";
import { replay } from "./replay.ts";
import { Shared } from "./shared.ts";
import { stored, Transactions } from "./txn.ts";

/** Options of {@linkcode openEtcd}. */
export interface EtcdOptions {
  /** `http(s)://host:port`, `host:port`, `unix:///path`, `grpc-web+http(s)://host:port/path`; all of one cluster. */
  readonly endpoints: readonly string[];
  /** Where the store lies: `/registry`. */
  readonly prefix: string;
  /** What keys start with, for which `prefix` stands in etcd. Without: nothing, a key follows the prefix whole. */
  readonly root?: string;
  readonly tls?: TlsSource;
  /** Connects with members that are reached through a proxy. */
  readonly dial?: Dial;
  readonly leases?: LeaseOptions;
  /** Longest wait for a member at the start, ms; 15 s without. */
  readonly openWithin?: number;
  /** ms since the epoch; for leases. */
  readonly now?: () => number;
  /** 0 to 1; for pauses. */
  readonly random?: () => number;
}

/** Most keys of a page of a range; keys of its first page, whose values may be of any length; bytes that a page should have. */
const PAGE = 1_000;
const FIRST_PAGE = 50;
const PAGE_BYTES = 4 << 20;
const TRIES = 5;
/** Names of facts that the store keeps itself. */
const COMPACTED = "compacted";
const MARK = "mark";
const NONE = new Uint8Array(0);

/** Opens a store; waits until a member answers. @throws StorageError */
export async function openEtcd(options: EtcdOptions): Promise<EtcdBackend> {
  const cluster = await Cluster.open(options.endpoints, options.tls ?? {}, options.random ?? Math.random, options.dial);
  const keys = new Keys(options.prefix, options.root ?? "");
  try {
    const within = options.openWithin === undefined ? {} : { within: options.openWithin };
    const doing = { doing: "open the store", repeatable: true, ...within };
    const { header, kvs: [compacted] } = await cluster.call(RPC.range, { key: keys.meta(COMPACTED) }, doing);
    const backend = new EtcdBackend(cluster, keys, options, header.revision);
    backend.learnCompacted(compacted?.value);
    // Whoever else uses the cluster may have compacted it.
    await backend.readMeta(MARK, backend.compacted()).catch((e) => e instanceof RevisionError || Promise.reject(e));
    await backend.mustFollow();
    return backend;
  } catch (error) {
    cluster.close();
    throw storageError(error, "open the store", keys.span);
  }
}

/** See {@linkcode openEtcd}. */
export class EtcdBackend implements Backend {
  readonly name = "etcd3";
  readonly #hub = new Hub();
  readonly #notes = new Notes();
  readonly #txn: Transactions;
  readonly #newest: Shared<Revision>;
  #feed: Feed;
  #tail: Tail;
  #compacted: Revision = 1;
  #learning: Promise<Revision | undefined> | undefined;
  #restarting: Promise<void> | undefined;
  readonly now: () => number;

  /** @param revision where following starts */
  constructor(readonly cluster: Cluster, readonly keys: Keys, options: EtcdOptions, revision: Revision) {
    this.now = options.now ?? Date.now;
    this.#txn = new Transactions(cluster, keys, new Leases(cluster, options.leases ?? {}, this.now));
    this.#newest = new Shared(() => this.#ask());
    this.#tail = new Tail(revision);
    this.#feed = this.#follow(revision);
  }

  /** One read of the cluster, shared by all who ask before it starts. */
  async revision(): Promise<Revision> {
    this.#open();
    const feed = this.#feed, told = feed.revision;
    const revision = await this.#newest.get();
    if (revision < told) throw await this.#putBack(feed, told, revision);
    if (revision > this.#feed.revision) this.#feed.prove(revision);
    return revision;
  }

  compacted(): Revision {
    return this.#compacted;
  }

  async get(key: string, at?: Revision): Promise<Stored | undefined> {
    const request = { key: this.keys.object(key), ...at !== undefined && { revision: at } };
    const response = await this.#read(request, at, `get ${key}`);
    return stored(key, response.kvs[0]);
  }

  async range(prefix: string, page: RangePage = {}): Promise<RangeRead> {
    this.#open();
    for (let i = 0;; i++) {
      try {
        return await this.#range(prefix, page);
      } catch (error) {
        // Compacted while it was read: who did not ask for that revision gets a newer one.
        if (page.at !== undefined || i >= TRIES || !(error instanceof RevisionError)) throw error;
      }
    }
  }

  async #range(prefix: string, page: RangePage): Promise<RangeRead> {
    const items: Stored[] = [];
    let last: RangeRead | undefined;
    for await (last of this.#pages(prefix, page)) items.push(...last.items);
    return { ...last!, items };
  }

  async scan(
    prefix: string,
    take: (items: readonly Stored[]) => void | Promise<void>,
    at?: Revision,
  ): Promise<Revision> {
    this.#open();
    let revision = 0;
    for await (const page of this.#pages(prefix, at === undefined ? {} : { at })) {
      revision = page.revision;
      await take(page.items);
    }
    return revision;
  }

  /** The pages of a range, one at least: a few keys first, then as many as are not too long by those before. */
  async *#pages(prefix: string, page: RangePage): AsyncGenerator<RangeRead> {
    let { at, limit: left = Infinity } = page;
    const range = this.keys.range(prefix, page.after);
    const told = (more: number) => page.count ? { left: more } : {};
    if (!range) return yield { revision: at ?? await this.revision(), items: [], more: false, ...told(0) };
    let [key, rangeEnd] = range;
    for (let next = FIRST_PAGE;;) {
      const limit = Math.min(next, left);
      const request = { key, rangeEnd, limit, ...at !== undefined && { revision: at } };
      const { kvs, header, more = false, count = 0 } = await this.#read(request, at, `list ${prefix}`);
      at ??= header.revision;
      const items = kvs.flatMap((kv) => {
        const name = this.keys.read(kv.key);
        return name && "object" in name ? [stored(name.object, kv)!] : [];
      });
      left -= items.length;
      yield { revision: at, items, more, ...told(count - kvs.length) };
      if (!more || left <= 0) return;
      // By its bytes: a key that is no text of ours is passed by too.
      key = concat([kvs.at(-1)!.key, Uint8Array.of(0)]);
      const bytes = kvs.reduce((sum, kv) => sum + kv.key.length + (kv.value?.length ?? 0), 0);
      next = Math.max(1, Math.min(PAGE, next * 10, Math.floor(PAGE_BYTES * kvs.length / bytes)));
    }
  }

  async #read(request: Parameters<typeof RPC.range.encode>[0], at: Revision | undefined, doing: string) {
    this.#open();
    if (at !== undefined && at < this.#compacted) throw new RevisionError("compacted", at, this.#feed.revision);
    try {
      return await this.cluster.call(RPC.range, request, { doing, repeatable: true });
    } catch (error) {
      if (at !== undefined && judge(error).kind === "compacted") await this.#learn(at);
      throw this.#failure(error, doing, at);
    }
  }

  /** Somebody else has compacted: how far? Without that each next try would fail as well. */
  async #learn(at: Revision): Promise<void> {
    this.#learning ??= compactedTo(this.cluster, this.keys.watched, at).finally(() => this.#learning = undefined);
    this.#compacted = Math.max(this.#compacted, await this.#learning ?? 0);
  }

  #failure(error: unknown, doing: string, at: Revision | undefined): Error {
    const { kind } = judge(error);
    if (kind === "compacted" && at !== undefined) this.#compacted = Math.max(this.#compacted, at + 1);
    if (kind === "compacted" || kind === "future") return new RevisionError(kind, at ?? 0, this.#feed.revision);
    return error instanceof RevisionError ? error : storageError(error, doing);
  }

  async commit(changes: readonly Change[]): Promise<CommitResult> {
    this.#open();
    checkChanges(changes);
    if (changes.length === 0) return { ok: true, revisions: [] };
    const release = this.#notes.expect(changes);
    try {
      const { result, revision, changed } = await this.#txn.run(changes);
      if (changed) await this.#feed.reached(revision);
      return result;
    } finally {
      release();
    }
  }

  async changes(
    prefix: string,
    since: Revision,
    deliver: (batch: ChangeBatch) => void,
    signal: AbortSignal,
  ): Promise<void> {
    await this.#startable(since);
    const feed = this.#feed;
    let cursor = since;
    while (!signal.aborted) {
      if (cursor < this.#tail.start) {
        cursor = await this.#replay(prefix, cursor, deliver, signal);
        continue;
      }
      const from = cursor;
      return await this.#hub.follow(prefix, from, deliver, signal, () => {
        if (from < this.#tail.start || feed !== this.#feed) {
          throw new RevisionError("compacted", from, this.#feed.revision);
        }
        return { changes: this.#tail.after(from), revision: this.#feed.revision };
      });
    }
  }

  async #startable(since: Revision): Promise<void> {
    this.#open();
    const current = since > this.#feed.revision ? await this.revision() : this.#feed.revision;
    if (since < this.#compacted) throw new RevisionError("compacted", since, current);
    if (since > current) throw new RevisionError("future", since, current);
  }

  /** From before what is held in memory: a watch of its own, until it has come to a mark. */
  async #replay(
    prefix: string,
    since: Revision,
    deliver: (batch: ChangeBatch) => void,
    signal: AbortSignal,
  ): Promise<Revision> {
    const end = await this.#mark().catch((e) => {
      throw e instanceof StorageError && e.kind === "full" ? this.#past(since) : e;
    });
    const told = (events: Events, revision: Revision) => {
      const changes = this.#committed(events).filter((change) => change.key.startsWith(prefix));
      deliver({ changes, revision });
    };
    try {
      await replay(this.cluster, this.keys.watched, since, end, told, signal);
    } catch (error) {
      throw this.#failure(error, "follow the log", since);
    }
    await this.#feed.reached(end);
    return end;
  }

  /** A full store takes no mark, and without one nobody knows when all from before has come: readers start later. */
  #past(since: Revision): RevisionError {
    this.#compacted = Math.max(this.#compacted, this.#tail.start);
    return new RevisionError("compacted", since, this.#feed.revision);
  }

  async compact(below: Revision): Promise<void> {
    const current = await this.revision();
    if (below > current) throw new RevisionError("future", below, current);
    if (below <= this.#compacted) return;
    const doing = { doing: "compact", repeatable: true };
    try {
      await this.cluster.call(RPC.compact, { revision: below }, doing);
    } catch (error) {
      // Somebody else has compacted to there, or further.
      if (judge(error).kind !== "compacted") throw storageError(error, "compact");
    }
    this.#compacted = Math.max(this.#compacted, below);
    try {
      await this.#put(COMPACTED, new TextEncoder().encode(String(this.#compacted)));
    } catch (error) {
      // It is done: who is not told finds out by asking for what is gone.
      if (!(error instanceof StorageError) || error.kind !== "full") throw error;
    }
  }

  async health(signal: AbortSignal): Promise<void> {
    this.#open();
    try {
      const key = this.keys.meta(MARK);
      await this.cluster.call(RPC.range, { key, countOnly: true }, { doing: "health", repeatable: true, signal });
      if (this.#feed.denied) throw this.#feed.denied;
    } catch (error) {
      throw storageError(error, "health", this.keys.span);
    }
  }

  /** Single keys may be open to a user who may not watch all of them. @throws what a member refuses the watch with */
  async mustFollow(): Promise<void> {
    await this.#feed.tried;
    if (this.#feed.denied) throw this.#feed.denied;
  }

  /** Bytes of the database of the member that is asked. */
  async size(): Promise<number | undefined> {
    this.#open();
    const status = await this.cluster.status({ doing: "size", repeatable: true }).catch((error) => {
      throw storageError(error, "size");
    });
    return status.dbSize;
  }

  async expiresAt(key: string, at?: Revision): Promise<number | undefined> {
    const request = { key: this.keys.object(key), ...at !== undefined && { revision: at } };
    const { kvs: [kv] } = await this.#read(request, at, `get ${key}`);
    if (!kv?.lease) return undefined;
    const doing = { doing: "ask for a lease", repeatable: true };
    const { ttl } = await this.cluster.call(RPC.leaseTimeToLive, { id: kv.lease }, doing).catch((error) => {
      throw storageError(error, "ask for a lease");
    });
    return this.now() + Math.max(0, ttl ?? 0) * 1_000;
  }

  async readMeta(name: string, at?: Revision): Promise<Uint8Array | undefined> {
    const request = { key: this.keys.meta(`fact/${name}`), ...at !== undefined && { revision: at } };
    const { kvs: [kv] } = await this.#read(request, at, `read ${name}`);
    return kv && (kv.value?.slice() ?? NONE);
  }

  async writeMeta(name: string, value: Uint8Array | null, { first }: MetaWrite = { first: false }): Promise<void> {
    this.#open();
    await this.#put(`fact/${name}`, value, first);
  }

  async #put(name: string, value: Uint8Array | null, first = false): Promise<Revision> {
    const key = this.keys.meta(name);
    const compare: Compare[] = first ? [{ result: 0, target: 2, key, modRevision: 0 }] : [];
    const success = [value === null ? { delete: { key } } : { put: { key, value } }];
    try {
      const doing = { doing: `write ${name}`, repeatable: true };
      return (await this.cluster.call(RPC.txn, { compare, success, failure: [] }, doing)).header.revision;
    } catch (error) {
      throw storageError(error, `write ${name}`);
    }
  }

  /** Writes something that every watch of the store sees. */
  #mark(): Promise<Revision> {
    return this.#put(MARK, NONE);
  }

  async close(): Promise<void> {
    if (this.cluster.closed) return;
    this.#hub.close();
    this.#feed.stop();
    this.cluster.close();
  }

  /** How far is it compacted; a fact in the store tells, kept by whoever compacts. */
  learnCompacted(value: Uint8Array | undefined): void {
    const told = Number(new TextDecoder().decode(value ?? NONE));
    if (Number.isSafeInteger(told)) this.#compacted = Math.max(this.#compacted, told);
  }

  #follow(revision: Revision): Feed {
    return new Feed(this.cluster, this.keys.watched, revision, {
      events: (events, to) => this.#told(events, to),
      compacted: (at) => void this.#restart(this.#feed, at),
      behind: () => void this.#compare(),
    }, async () => void await this.#mark());
  }

  #told(events: Events, revision: Revision): void {
    const changes = this.#committed(events);
    this.#tail.push(changes);
    this.#hub.publish(this.#notes.put(changes), revision);
  }

  #committed(events: Events): Committed[] {
    const changes: Committed[] = [];
    for (const { type, kv } of events) {
      const name = this.keys.read(kv.key);
      if (!name) continue;
      if ("object" in name) {
        const value = type === 1 ? null : kv.value?.slice() ?? NONE;
        changes.push({ key: name.object, revision: kv.modRevision, value });
      } else if (name.meta === COMPACTED) this.learnCompacted(kv.value);
    }
    return changes;
  }

  /** A member has less than was told: has the cluster? */
  async #compare(): Promise<void> {
    const feed = this.#feed;
    while (!this.cluster.closed && feed === this.#feed) {
      if (await this.revision().catch(() => undefined) !== undefined) return;
      await this.cluster.pause(200);
    }
  }

  /** What was told is not there any more: a backup of the cluster took its place. */
  async #putBack(feed: Feed, told: Revision, revision: Revision): Promise<StorageError> {
    await this.#restart(feed);
    return new StorageError(
      "unavailable",
      `etcd was at revision ${told} and is at ${revision}: it was put back, and is read anew`,
    );
  }

  /** What was told leads on to nothing: readers have to start again. `compacted`: we were away for longer than history is kept. */
  async #restart(feed: Feed, compacted?: Revision): Promise<void> {
    this.#restarting ??= this.#again(feed, compacted).finally(() => this.#restarting = undefined);
    await this.#restarting;
  }

  async #again(feed: Feed, compacted: Revision | undefined): Promise<void> {
    if (feed !== this.#feed) return;
    feed.stop();
    const key = this.keys.meta(COMPACTED);
    while (!this.cluster.closed) {
      const read = await this.#read({ key }, undefined, "read the store anew").catch(() => undefined);
      if (read === undefined) {
        await this.cluster.pause(200);
        continue;
      }
      const { revision } = read.header;
      this.#compacted = compacted === undefined ? 1 : Math.max(this.#compacted, compacted);
      this.learnCompacted(read.kvs[0]?.value);
      this.#tail = new Tail(revision);
      this.#feed = this.#follow(revision);
      return this.#hub.fail(new RevisionError("compacted", feed.revision, revision));
    }
  }

  async #ask(): Promise<Revision> {
    const request = { key: this.keys.meta(MARK), countOnly: true };
    return (await this.#read(request, undefined, "ask for the newest revision")).header.revision;
  }

  #open(): void {
    if (this.cluster.closed) throw new StorageError("closed", "the store is closed");
  }
}
