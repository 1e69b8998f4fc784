/** All watch caches of a server: one read of the store, then one log, dispatched by key prefix. */
import {
  type Backend,
  type ChangeBatch,
  type Committed,
  RevisionError,
  StorageError,
  type Stored,
} from "../storage/backend.ts";
import type { StoreTiming } from "../storage/timing.ts";
import { scanAll } from "../storage/scan.ts";
import { laterReason } from "../storage/unreadable.ts";
import type { Contents } from "./contents.ts";
import { FormPool } from "./form_pool.ts";
import { Frames } from "./frames.ts";
import { HeldBytes } from "./held_bytes.ts";
import { type CacheLimits, defaultLimits } from "./limits.ts";
import { pause } from "../pause.ts";
import { Progress } from "./progress.ts";
import { type CachedResource, ResourceCache } from "./resource_cache.ts";
import type { Shared } from "./shared.ts";
import { Routes } from "./routes.ts";
import { Slabs } from "./slabs.ts";
import { type Past, Strays } from "./strays.ts";
import { CacheNotReady } from "./types.ts";
import { Wheel } from "./wheel.ts";

/** What a cacher is made with. All but `now` and `random` have defaults. */
export interface CacherOptions {
  /** Milliseconds since whenever, never going back. */
  readonly now: () => number;
  /** In [0, 1): jitter of retries. */
  readonly random: () => number;
  readonly limits?: Partial<CacheLimits>;
  /** Everything of interest starts so; `/registry/` without. */
  readonly prefix?: string;
  /** Told of what broke and is being retried; `id` is the resource, or empty for the log. */
  readonly onError?: (error: Error, id: string) => void;
  /** Told of reads past the caches. */
  readonly timing?: StoreTiming;
}

/** A resource's cache, and the changes that came while it is read from the store. */
interface Member {
  readonly cache: ResourceCache;
  /** Undefined once loaded. Its identity tells one loading from the next. */
  pending: Committed[] | undefined;
  /** What the first loading begins with, and `pending` follows on; undefined: what is newest then. */
  past?: Past | undefined;
}

/** Longest time that the log may be behind a read of the store (ms). */
const catchUpMs = 30_000;

/** Framed events are forgotten when nobody asked for so long (ms), at most twice that. */
const framesMs = 5_000;

/** See the top of the file. */
export class Cacher {
  readonly #members = new Map<string, Member>();
  readonly #routes = new Routes<Member>();
  readonly #shared: Shared;
  readonly #limits: CacheLimits;
  readonly #prefix: string;
  /** Who waits, by the cache that is waited for; undefined: for all. */
  readonly #readyWaiters = new Map<string | undefined, (() => void)[]>();
  #signal: AbortSignal | undefined;
  /** The log is being followed: changes after {@linkcode revision} will come. */
  #following = false;
  /** The log cannot be followed from {@linkcode revision}: everything must be read first. */
  #gap = true;
  /** Of what is added soon after everything was read. */
  #strays: Strays | undefined;
  #turnedAt = 0;
  #loading = 0;
  /** With the failures so far. */
  readonly #loadQueue: [Member, number][] = [];

  constructor(readonly backend: Backend, resources: Iterable<CachedResource>, readonly options: CacherOptions) {
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#prefix = options.prefix ?? "/registry/";
    this.#shared = {
      backend,
      limits: this.#limits,
      progress: new Progress(),
      pool: new FormPool({ all: this.#limits.formBytes, passing: this.#limits.passingBytes }, new Slabs()),
      frames: new Frames(this.#limits.frameBytes),
      held: new HeldBytes(this.#limits.bufferedBytes),
      wheel: new Wheel(),
      now: options.now,
      timing: options.timing,
      onError: (error, id) => options.onError?.(asError(error), id),
    };
    for (const resource of resources) this.#enter(resource);
  }

  /** Everything up to here is applied to all loaded caches. */
  get revision(): number {
    return this.#shared.progress.revision;
  }

  /** Reads the store and follows its log until the signal aborts; resolves then. Never rejects: failures are retried. */
  async start(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    const timer = setInterval(() => this.tick(), 1000);
    try {
      for (let failures = 0; !signal.aborted;) {
        const reached = this.revision;
        try {
          await this.#run(signal);
        } catch (error) {
          this.#broke(asError(error));
        }
        if (signal.aborted) break;
        failures = this.revision > reached ? 1 : failures + 1;
        await this.#pause(failures, signal);
      }
    } finally {
      clearInterval(timer);
      this.#following = false;
      for (const { cache } of this.#members.values()) cache.move({ type: "close" });
      this.#tellReady(this.#readyWaiters.keys(), true);
    }
  }

  /** The cache of a resource, ready or not; undefined when there is none. */
  cache(id: string): ResourceCache | undefined {
    return this.#members.get(id)?.cache;
  }

  /** The cache of a resource. @throws CacheNotReady when there is none */
  mustHave(id: string): ResourceCache {
    const cache = this.cache(id);
    if (cache === undefined) throw new CacheNotReady(id);
    return cache;
  }

  /** Adds a resource at run time: it becomes ready once its objects are read. A known id is replaced. */
  add(resource: CachedResource): ResourceCache {
    this.remove(resource.id);
    if (this.#routes.find(resource.prefix)) this.#strays?.bar(resource.prefix);
    const member = this.#enter(resource);
    member.past = this.#strays?.of(resource.prefix);
    if (this.#following) this.#load(member);
    return member.cache;
  }

  /** Removes a resource: its watches end. */
  remove(id: string): void {
    const member = this.#members.get(id);
    if (member === undefined) return;
    this.#members.delete(id);
    this.#routes.delete(member.cache.resource.prefix);
    this.#strays?.bar(member.cache.resource.prefix);
    member.cache.move({ type: "close" });
    this.#tellReady([id]);
  }

  /** Readiness of every cache. */
  ready(): { id: string; ready: boolean }[] {
    return [...this.#members.values()].map(({ cache }) => ({ id: cache.id, ready: cache.ready }));
  }

  /** Resolves when every cache is ready, or that of one resource; or when there is none, or the cacher has stopped. */
  whenReady(id?: string): Promise<void> {
    if (this.#isReady(id) || this.#signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const waiters = this.#readyWaiters.get(id);
      if (waiters) waiters.push(resolve);
      else this.#readyWaiters.set(id, [resolve]);
    });
  }

  /** Estimate of all bytes held. */
  memory(): number {
    let bytes = this.#shared.pool.bytes + this.#shared.frames.bytes;
    for (const { cache } of this.#members.values()) bytes += cache.stats.entryBytes + cache.stats.historyBytes;
    return bytes;
  }

  /** What objects as stored, forms and watchers hold, to the byte; for tests. */
  get stats(): CacherStats {
    const { pool, held } = this.#shared;
    return {
      storedBytes: pool.stored.bytes,
      formBytes: pool.bytes,
      forms: pool.count,
      formsDropped: pool.dropped,
      heldBytes: held.bytes,
    };
  }

  #enter(resource: CachedResource): Member {
    const member: Member = { cache: new ResourceCache(resource, this.#shared), pending: [] };
    this.#members.set(resource.id, member);
    this.#routes.set(resource.prefix, member);
    return member;
  }

  /** Not removed, or replaced by another one of its id. */
  #isThere(member: Member): boolean {
    return this.#members.get(member.cache.id) === member;
  }

  /** Follows the log from where it was left if the store still has it, else reads everything first. */
  async #run(signal: AbortSignal): Promise<void> {
    const newest = await this.backend.revision();
    if (this.#gap || this.revision < this.backend.compacted()) await this.#readStore(newest);
    if (signal.aborted) return;
    this.#following = true;
    // What is loaded is ready once the log has brought what was committed before it was followed.
    const cancel = this.#shared.progress.onReached(newest, () => this.#current());
    for (const member of this.#members.values()) if (member.pending !== undefined) this.#load(member);
    try {
      await this.backend.changes(this.#prefix, this.revision, (batch) => this.#deliver(batch), signal);
    } catch (error) {
      this.#gap = error instanceof RevisionError;
      throw error;
    } finally {
      cancel();
    }
    if (!signal.aborted) throw new Error("the store ended its log");
  }

  /** The first read, of all resources at once, as of a while ago: so that there is a history to resume watches from. */
  async #readStore(newest: number): Promise<void> {
    const from = Math.max(newest - this.#limits.replay, this.backend.compacted());
    // What came before is of a log that was lost.
    this.#strays = undefined;
    const members = [...this.#members.values()];
    const contents = new Map<Member, Contents>();
    for (const member of members) {
      member.cache.move({ type: "load" });
      renew(member);
      contents.set(member, member.cache.blank());
    }
    const take = ({ key, value, revision }: Stored) => {
      const member = this.#routes.find(key);
      const into = member === undefined ? undefined : contents.get(member);
      if (member === undefined || into === undefined) return;
      const why = laterReason(value);
      if (why === undefined) return member.cache.load(into, below(member, key), value, revision);
      // It is read by itself, again and again, while the others are there.
      contents.delete(member);
      member.cache.discard(into);
      this.#lost(member, why);
    };
    const { pageSize } = this.#limits;
    let revision: number;
    try {
      revision = await scanAll(this.backend, this.#prefix, (items) => items.forEach(take), from, pageSize);
    } catch (e) {
      for (const [member, into] of contents) member.cache.discard(into);
      throw e;
    }
    for (const [member, into] of contents) {
      if (!this.#isThere(member)) member.cache.discard(into);
      else {
        member.cache.install(into, revision);
        member.pending = undefined;
      }
    }
    this.#gap = false;
    this.#strays = new Strays(revision, this.options.now(), this.#limits.softBytes);
    this.#shared.progress.reset(revision);
  }

  #load(member: Member, failures = 0): void {
    this.#loadQueue.push([member, failures]);
    void this.#loadNext();
  }

  async #loadNext(): Promise<void> {
    if (this.#loading >= this.#limits.loads) return;
    const next = this.#loadQueue.shift();
    if (next === undefined) return;
    this.#loading++;
    try {
      await this.#loadOne(...next);
    } finally {
      this.#loading--;
      void this.#loadNext();
    }
  }

  /** Reads one resource beside the running log: its changes meanwhile wait in `pending`. After a failure others come first. */
  async #loadOne(member: Member, failures: number): Promise<void> {
    const { cache } = member;
    const wanted = () => this.#following && this.#isThere(member);
    if (!wanted() || member.pending === undefined) return;
    cache.move({ type: "load" });
    const from = this.#begin(member);
    const { pending } = member;
    const into = cache.blank();
    let wasted = true;
    try {
      const take = ({ key, value, revision }: Stored) => {
        if (this.#routes.find(key) !== member) return;
        mustBeThere(value);
        cache.load(into, below(member, key), value, revision);
      };
      const { prefix } = cache.resource, { pageSize } = this.#limits;
      const revision = await scanAll(this.backend, prefix, (items) => items.forEach(take), from, pageSize);
      // The log may be behind the read: the cache is ready when both tell the same.
      const reached = await this.#shared.progress.waitFor(revision, catchUpMs, this.#signal);
      if (member.pending !== pending || !wanted()) return;
      if (!reached) throw new Error("the log did not come as far as the read");
      const missed = pending.filter((change) => change.revision > revision);
      for (const { value } of missed) if (value) mustBeThere(value);
      wasted = false;
      cache.install(into, revision);
      for (const change of missed) cache.apply(change);
      member.pending = undefined;
      this.#loaded(member);
    } catch (cause) {
      if (member.pending !== pending || !wanted()) return;
      const error = asError(cause);
      cache.move({ type: "broke", error });
      this.#shared.onError(error, cache.id);
      const again = () => void (member.pending === pending && this.#load(member, failures + 1));
      void this.#pause(failures + 1, this.#signal!).then(again);
    } finally {
      if (wasted) cache.discard(into);
    }
  }

  /** Has changes wait from now on, or from those on that came since the past. Says as of when the resource is to be read. */
  #begin(member: Member): number | undefined {
    const { past, pending = [] } = member;
    renew(member);
    if (!past || past.from < this.backend.compacted()) return undefined;
    const own = past.changes.filter(({ key }) => this.#routes.find(key) === member);
    member.pending = [...own, ...pending];
    return past.from;
  }

  /** The log has come as far as the store was when it began to be followed. */
  #current(): void {
    for (const member of this.#members.values()) if (member.pending === undefined) this.#loaded(member);
  }

  #loaded(member: Member): void {
    member.cache.move({ type: "loaded", revision: this.revision });
    this.#tellReady([member.cache.id]);
  }

  /** Tells who waits for one of these, or for all, that it is so. */
  #tellReady(ids: Iterable<string | undefined>, stopped = false): void {
    for (const id of [...ids, undefined]) {
      const waiters = this.#readyWaiters.get(id);
      if (!waiters || (!stopped && !this.#isReady(id))) continue;
      this.#readyWaiters.delete(id);
      for (const resolve of waiters) resolve();
    }
  }

  #deliver(batch: ChangeBatch): void {
    const touched = new Set<ResourceCache>();
    for (const change of batch.changes) {
      const member = this.#routes.find(change.key);
      if (member === undefined) {
        this.#strays?.put(change);
        continue;
      }
      const why = change.value ? laterReason(change.value) : undefined;
      if (why !== undefined && member.pending === undefined) {
        this.#lost(member, why);
        this.#load(member);
      } else if (member.pending !== undefined) member.pending.push(change);
      else {
        member.cache.apply(change);
        touched.add(member.cache);
      }
    }
    this.#shared.progress.advance(batch.revision);
    for (const cache of touched) cache.applied();
  }

  /** A value of the resource cannot be read now: its cache is read anew. */
  #lost(member: Member, why: string): void {
    const error = new StorageError("sealed", why);
    renew(member);
    member.cache.move({ type: "broke", error });
    this.#shared.onError(error, member.cache.id);
  }

  #broke(error: Error): void {
    this.#following = false;
    this.#loadQueue.length = 0;
    this.#shared.onError(error, "");
    for (const { cache } of this.#members.values()) cache.move({ type: "broke", error });
  }

  #isReady(id: string | undefined): boolean {
    if (id !== undefined) return this.cache(id)?.ready ?? true;
    for (const { cache } of this.#members.values()) if (!cache.ready) return false;
    return true;
  }

  /** Bookmarks, ageing of history and of forms, stalled watchers. Runs by itself every second; for tests with a clock of their own. */
  tick(): void {
    const now = this.options.now();
    if (now - this.#turnedAt > framesMs) {
      this.#turnedAt = now;
      this.#shared.frames.turn();
    }
    this.#shared.wheel.run(now);
    this.#shared.pool.tick();
    this.#strays?.tick(now);
    for (const { cache } of this.#members.values()) cache.tick(now);
  }

  /** Waits longer with each failure, jittered so that servers do not come back at once. */
  #pause(failures: number, signal: AbortSignal): Promise<void> {
    const { retryMs, retryMaxMs } = this.#limits;
    const longest = Math.min(retryMaxMs, retryMs * 2 ** Math.min(failures - 1, 16));
    return pause(longest * (0.5 + this.options.random() / 2), signal);
  }
}

/** Of all caches together; bytes are estimates as {@linkcode Cacher.memory} is one. */
export interface CacherStats {
  /** Of all versions of objects that a cache or a history holds. */
  readonly storedBytes: number;
  readonly formBytes: number;
  readonly forms: number;
  readonly formsDropped: number;
  readonly heldBytes: number;
}

/** Changes wait from now on. */
function renew(member: Member): void {
  member.pending = [];
  member.past = undefined;
}

function below(member: Member, key: string): string {
  return key.slice(member.cache.resource.prefix.length);
}

/** @throws StorageError for a value that cannot be read now */
function mustBeThere(value: Uint8Array): void {
  const why = laterReason(value);
  if (why !== undefined) throw new StorageError("sealed", why);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
