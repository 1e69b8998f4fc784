/** The watch cache of one resource: its contents, its history, and those who watch it. */
import type { Committed } from "../storage/backend.ts";
import { byField, byLabel, Contents, type Indexer } from "./contents.ts";
import { CachedEntry, type EntryContext, entryOverhead } from "./entry.ts";
import { History, HistoryEvent } from "./history.ts";
import { LabelIndexes } from "./label_indexes.ts";
import { keepEvery, Past } from "./past.ts";
import { nextReadiness, type Readiness, type ReadinessEvent } from "./readiness.ts";
import type { Shared } from "./shared.ts";
import { type Asked, CachedSnapshot } from "./snapshot.ts";
import { StoreReader } from "./store_reader.ts";
import {
  CacheNotReady,
  type Entry,
  type EntryCodec,
  type Form,
  type Framing,
  type Snapshot,
  type WatchBatch,
  WatchEnded,
  type Watcher,
  type WatchOptions,
  type WriteNote,
} from "./types.ts";
import { Watchers } from "./watchers.ts";

/** Of fewer objects all are looked at as fast; with more an index would keep other requests for too long while it is built. */
const INDEXED_SIZES = { from: 500, until: 100_000 };

/** A resource to be cached. */
export interface CachedResource {
  /** Public name: `deployments.apps`. */
  readonly id: string;
  /** Key prefix, with a slash at its end. */
  readonly prefix: string;
  readonly namespaced: boolean;
  readonly codec: EntryCodec;
  /** Fields that snapshots and watchers find by index: `spec.nodeName`. */
  readonly indexFields?: readonly string[];
  /** Longest history (ms), where it differs from the limits'. */
  readonly historyMs?: number;
}

/** One who hears of changes as they are applied: embedded controllers, authorizers. */
export interface CacheListener {
  /** An object's new state (of a deletion: its last one), and the one before. */
  changed(entry: Entry, previous: Entry | undefined, deleted: boolean): void;
  /** Everything was loaded anew, though the cache may not be ready yet: what was derived must be derived again. */
  reset(): void;
}

/** See the top of the file. Made and fed by the `Cacher`. */
export class ResourceCache {
  readonly #context: EntryContext;
  readonly #history: History;
  readonly #past = new Past();
  /** This and what follows is made when it is first needed: there are many resources that nobody ever looks at. */
  #watchers: Watchers | undefined;
  #listeners: Set<CacheListener> | undefined;
  #namespaces: Map<string, string> | undefined;
  #contents: Contents;
  #snapshot: CachedSnapshot | undefined;
  #indexers: Map<string, Indexer> | undefined;
  #labels: LabelIndexes | undefined;
  #readiness: Readiness = { state: "starting" };
  #storedBytes = 0;
  #received = 0;
  #loaded = 0;
  #broke = 0;
  /** Times that the whole content was put in place, counted so that it never equals a count of changes. */
  #installed = 0;

  /** Reads past the cache, ready or not. */
  readonly store: StoreReader;

  constructor(readonly resource: CachedResource, readonly shared: Shared) {
    const { limits } = shared;
    const context = { codec: resource.codec, pool: shared.pool };
    this.#context = context;
    this.store = new StoreReader(
      shared,
      resource,
      (key, stored, revision) => CachedEntry.alone(context, key, this.#namespaceOf(key), revision, stored),
    );
    const { historyMs } = resource;
    this.#history = new History(historyMs === undefined ? limits : { ...limits, historyMaxMs: historyMs }, 0);
    this.#contents = new Contents();
  }

  get id(): string {
    return this.resource.id;
  }

  get readiness(): Readiness {
    return this.#readiness;
  }

  get ready(): boolean {
    return this.#readiness.state === "ready";
  }

  /** Everything up to here is applied; moves with the store, also when nothing changed here. */
  get revision(): number {
    return this.shared.progress.revision;
  }

  /** Moves with every change of one of its objects, and when it is loaded anew: what was derived from them is stale. */
  get changes(): number {
    return this.#received + this.#installed;
  }

  /** Oldest revision that a watch can start from and {@linkcode snapshotAt} can show. */
  get oldest(): number {
    return this.#history.floor;
  }

  /** Waits until {@linkcode revision} is at least this; false when the time is over or the signal aborts before. */
  waitFor(revision: number, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    return this.shared.progress.waitFor(revision, timeoutMs, signal);
  }

  /** The object now. `namespace` is empty for what has none. @throws CacheNotReady */
  get(namespace: string, name: string): Entry | undefined {
    this.#mustBeReady();
    return this.#contents.entries.get(namespace === "" ? name : `${namespace}/${name}`);
  }

  /** All objects now. O(1). @throws CacheNotReady */
  snapshot(): Snapshot {
    this.#mustBeReady();
    const { revision } = this;
    const last = this.#snapshot;
    if (last !== undefined && last.revision === revision) return last;
    for (const indexer of this.#indexers?.values() ?? []) this.#contents.index(indexer);
    const contents = last === undefined ? this.#contents.clone() : last.contents;
    this.#past.remember(this.#history.end, contents);
    return this.#snapshot = this.#view(contents, revision);
  }

  /**
   * All objects as of a revision; undefined when the history does not reach back, or the revision is yet to come.
   * Costs O(1) for the present and what was asked lately, else the undoing of at most some 2,000 events.
   * @throws CacheNotReady
   */
  snapshotAt(revision: number): Snapshot | undefined {
    this.#mustBeReady();
    const history = this.#history;
    if (revision > this.revision || revision < history.floor) return undefined;
    return this.#view(this.#past.contentsAt(history.after(revision), this.#contents, history), revision);
  }

  /**
   * Watches. No event is missed or doubled between the start and what follows.
   * @throws CacheNotReady, RevisionError kind `compacted` when the start is older than the history
   */
  watch(options: WatchOptions): Watcher {
    this.#mustBeReady();
    this.#watchers ??= new Watchers(this.id, this.#history, this.shared);
    return this.#watchers.open(options);
  }

  /** A batch on the wire, made once for all watchers that got the same batch. @throws what encoding an object throws */
  batchBytes(batch: WatchBatch, form: Form, framing: Framing): Uint8Array {
    return this.shared.frames.batchBytes(batch, form, framing);
  }

  /** How long each event of a batch is in its {@linkcode batchBytes}; undefined where there is but one. */
  lengthsIn(bytes: Uint8Array): readonly number[] | undefined {
    return this.shared.frames.lengthsIn(bytes);
  }

  /** Figures for metrics. Bytes are estimates of all that the resource holds, secondary forms not included. */
  get stats(): CacheStats {
    return {
      entries: this.#contents.entries.size,
      entryBytes: this.#storedBytes + this.#contents.entries.size * entryOverhead,
      historyEvents: this.#history.size,
      historyBytes: this.#history.bytes,
      watchers: this.#watchers?.size ?? 0,
      feeds: this.#watchers?.feeds ?? 0,
      received: this.#received,
      loaded: this.#loaded,
      broke: this.#broke,
      tooSlow: this.#watchers?.tooSlow ?? 0,
    };
  }

  // What follows is the cacher's.

  /** Moves the readiness; leaving `ready` ends all watches. What is closed holds nothing more. */
  move(event: ReadinessEvent): void {
    const was = this.#readiness.state;
    this.#readiness = nextReadiness(this.#readiness, event);
    const { state } = this.#readiness, closed = state === "closed";
    if (was === "ready" && state !== "ready") {
      const error = closed
        ? new WatchEnded("closed", `the watch cache of ${this.id} is closed`)
        : new WatchEnded("not-ready", `the watch cache of ${this.id} lost its log: resume the watch`);
      this.#watchers?.endAll(error);
    }
    if (state === "ready" && was !== "ready") this.#loaded++;
    if (event.type === "broke") this.#broke++;
    if (closed && was !== "closed") this.install(this.blank(), this.revision);
  }

  /** Takes one object of the first read; in key order. */
  load(into: Contents, key: string, stored: Uint8Array, revision: number): void {
    into.set(this.#entry(key, stored, revision));
  }

  /** Contents to load into. */
  blank(): Contents {
    return new Contents();
  }

  /** Gives back what contents take that nobody wants any more. */
  discard(contents: Contents): void {
    for (const entry of contents.entries.range()) entry.release();
  }

  /** Replaces everything by what was read at a revision: history starts anew. */
  install(contents: Contents, revision: number): void {
    this.#installed += 2 ** 32;
    this.discard(this.#contents);
    this.#history.clear(revision);
    this.#past.trim(Infinity);
    this.#snapshot = undefined;
    this.#contents = contents;
    this.#storedBytes = 0;
    for (const entry of contents.entries.range()) this.#storedBytes += entry.length;
    this.#tell((listener) => listener.reset());
  }

  /** Hears of every change at once and in order, until the returned function is called. Listeners must be quick; what one throws is reported. */
  listen(listener: CacheListener): () => void {
    const listeners = this.#listeners ??= new Set();
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Applies a change that is newer than all before. */
  apply(change: Committed): void {
    const key = change.key.slice(this.resource.prefix.length);
    const event = change.value === null ? this.#remove(key, change.revision) : this.#put(key, change.value, change);
    if (event === undefined) return;
    this.#received++;
    this.#snapshot = undefined;
    this.#history.push(event);
    const deleted = event.seen.type === "DELETED";
    this.#tell((listener) => listener.changed(event.entry, event.previous, deleted));
    this.#watchers?.offer(event);
  }

  /** After a batch of changes: watchers hear of them. */
  applied(): void {
    this.#watchers?.applied();
  }

  /** About once a second: history ages. */
  tick(now: number): void {
    if (this.#history.size > 0) {
      this.#history.trim(now);
      this.#past.trim(this.#history.first);
    }
    this.#watchers?.tick(now);
    for (const label of this.#labels?.idle(now) ?? []) {
      const { name } = byLabel(label);
      this.#indexers?.delete(name);
      this.#contents.unindex(name);
    }
  }

  #tell(call: (listener: CacheListener) => void): void {
    for (const listener of this.#listeners ?? []) {
      try {
        call(listener);
      } catch (error) {
        this.shared.onError(error, this.id);
      }
    }
  }

  #put(key: string, value: Uint8Array, change: Committed): HistoryEvent {
    const entry = this.#entry(key, value, change.revision);
    this.#learn(entry, change.note);
    const before = this.#checkpoint();
    const previous = this.#contents.set(entry);
    this.#storedBytes += entry.length - (previous?.length ?? 0);
    const type = previous === undefined ? "ADDED" : "MODIFIED";
    return new HistoryEvent({ type, revision: entry.revision, entry }, entry, previous, this.shared.now(), before);
  }

  #remove(key: string, revision: number): HistoryEvent | undefined {
    const before = this.#checkpoint();
    const previous = this.#contents.delete(key);
    if (previous === undefined) return undefined;
    this.#storedBytes -= previous.length;
    const entry = previous.at(revision);
    return new HistoryEvent({ type: "DELETED", revision, entry }, entry, previous, this.shared.now(), before);
  }

  #checkpoint(): Contents | undefined {
    const { end } = this.#history;
    return end > 0 && end % keepEvery === 0 ? this.#contents.clone() : undefined;
  }

  #entry(key: string, stored: Uint8Array, revision: number): CachedEntry {
    return CachedEntry.cached(this.#context, key, this.#namespaceOf(key), revision, stored);
  }

  #namespaceOf(key: string): string {
    const cut = this.resource.namespaced ? key.indexOf("/") : -1;
    return cut < 0 ? "" : this.#interned(key.slice(0, cut));
  }

  /** One string a namespace, whatever the number of its objects. */
  #interned(name: string): string {
    const namespaces = this.#namespaces ??= new Map();
    const known = namespaces.get(name);
    if (known !== undefined) return known;
    if (namespaces.size > 10_000) namespaces.clear();
    namespaces.set(name, name);
    return name;
  }

  /** What a writer says of its change spares decoding; if it is wrong, the stored bytes tell. */
  #learn(entry: CachedEntry, note: unknown): void {
    if (note === undefined || note === null) return;
    try {
      entry.learn(note as WriteNote);
    } catch (error) {
      this.shared.onError(error, this.id);
    }
  }

  #view(contents: Contents, revision: number): CachedSnapshot {
    return new CachedSnapshot(revision, contents, this.#asked);
  }

  readonly #asked: Asked = {
    field: (name) => {
      if (this.resource.indexFields?.includes(name)) this.#want(byField(name));
    },
    label: (name) => {
      const { size } = this.#contents.entries;
      if (size < INDEXED_SIZES.from || size > INDEXED_SIZES.until) return;
      this.#labels ??= new LabelIndexes();
      if (this.#labels.ask(name, this.shared.now())) this.#want(byLabel(name));
    },
  };

  /** From the next snapshot on. */
  #want(indexer: Indexer): void {
    (this.#indexers ??= new Map()).set(indexer.name, indexer);
    this.#snapshot = undefined;
  }

  #mustBeReady(): void {
    if (this.#readiness.state !== "ready") throw new CacheNotReady(this.id);
  }
}

/** Figures of one cache. */
export interface CacheStats {
  readonly entries: number;
  readonly entryBytes: number;
  readonly historyEvents: number;
  readonly historyBytes: number;
  readonly watchers: number;
  readonly feeds: number;
  /** Changes applied, ever. */
  readonly received: number;
  /** Times that it was loaded, and that this failed or what was loaded was lost, ever. */
  readonly loaded: number;
  readonly broke: number;
  /** Watches ended for their slowness, ever. */
  readonly tooSlow: number;
}
