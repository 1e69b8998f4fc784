/**
 * A store whose values are encrypted: a backend over another. What is above it sees plain values only.
 *
 * A value that cannot be read comes as {@linkcode unreadable}. One that cannot be read now, since a service does not answer,
 * fails the call like every fault of the store does; who reads everything gets {@linkcode later} in its place. Local
 * providers cost no promise: order and timing of the backend below stay. Where a service must be asked, changes wait in
 * line, and so does the commit that made one.
 */
import {
  type Backend,
  type Change,
  type ChangeBatch,
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
import { scanAll } from "../scan.ts";
import { later, unreadable, unreadableReason } from "../unreadable.ts";
import { Joiner } from "./joiner.ts";
import { Line } from "./line.ts";
import type { Parts, Transformer } from "./types.ts";

/** The note of a change on its way through the store: this process needs no decryption of what it wrote. */
class Sealed {
  constructor(readonly plain: Uint8Array, readonly note: unknown) {}
}

/** Transformers that could not answer, and why: who reads much waits for each of them once. One that was replaced is forgotten. */
type Away = WeakMap<Transformer, string>;

/** See the top of the file. */
export class EncryptedBackend implements Backend {
  readonly name: string;
  readonly expiresAt?: NonNullable<Backend["expiresAt"]>;
  readonly countFrom?: NonNullable<Backend["countFrom"]>;
  readonly #joiner = new Joiner();
  readonly #lines = new Set<Line>();
  /** Those that failed since their last success: changes do not wait for them. */
  readonly #away: Away = new WeakMap();
  #unread = false;
  /** Who was reading the store when another configuration came, before following the log, has to read it again. */
  #missed = false;

  /** @param transformerOf the transformer of a key's resource, as the configuration says now */
  constructor(readonly inner: Backend, readonly transformerOf: (key: string) => Transformer) {
    this.name = inner.name;
    if (inner.expiresAt) this.expiresAt = (key, at) => inner.expiresAt!(key, at);
    if (inner.countFrom) this.countFrom = (revision) => inner.countFrom!(revision);
  }

  revision(): Revision | Promise<Revision> {
    return this.inner.revision();
  }

  compacted(): Revision {
    return this.inner.compacted();
  }

  async get(key: string, at?: Revision): Promise<Stored | undefined> {
    const stored = await this.inner.get(key, at);
    return stored && await this.#open(stored);
  }

  async range(prefix: string, page?: RangePage): Promise<RangeRead> {
    const read = await this.inner.range(prefix, page);
    return { ...read, items: await all(read.items.map((item) => this.#open(item))) };
  }

  scan(prefix: string, take: (items: readonly Stored[]) => void | Promise<void>, at?: Revision): Promise<Revision> {
    const away: Away = new WeakMap();
    return scanAll(this.inner, prefix, (items) => {
      const opened = all(items.map((item) => this.#openOrLeave(item, away)));
      return opened instanceof Promise ? opened.then(take) : take(opened);
    }, at);
  }

  async commit(changes: readonly Change[]): Promise<CommitResult> {
    const sealed = this.#seal(changes);
    const result = await this.inner.commit(sealed instanceof Promise ? await sealed : sealed);
    if (!result.ok) return result.current ? { ...result, current: await this.#open(result.current) } : result;
    for (const line of this.#lines) if (line.busy) await line.empty();
    return result;
  }

  async changes(
    prefix: string,
    since: Revision,
    deliver: (batch: ChangeBatch) => void,
    signal: AbortSignal,
  ): Promise<void> {
    if (this.#missed) {
      this.#missed = false;
      throw rereadFrom(since);
    }
    const line = new Line((batch) => void (signal.aborted || deliver(batch)));
    this.#lines.add(line);
    try {
      const both = AbortSignal.any([signal, line.signal]);
      await this.inner.changes(prefix, since, (batch) => line.put(this.#openBatch(batch)), both);
      await line.empty();
      if (line.failure && !signal.aborted) throw line.failure;
    } finally {
      this.#lines.delete(line);
    }
  }

  /** Whether what stands under the key should be written again, though nothing in it changes. */
  async stale(key: string): Promise<boolean> {
    const stored = await this.inner.get(key);
    if (!stored) return false;
    try {
      return (await this.transformerOf(key).open(stored.value, key)).stale;
    } catch {
      return false;
    }
  }

  /** After another configuration, or when a service gives what it refused: what could not be read may be readable now, so readers of the log start again. */
  reread(): void {
    if (!this.#unread) return;
    this.#unread = false;
    this.#missed = this.#lines.size === 0;
    for (const line of this.#lines) line.fail(rereadFrom(0));
  }

  compact(below: Revision): Promise<void> {
    return this.inner.compact(below);
  }

  health(signal: AbortSignal): Promise<void> {
    return this.inner.health(signal);
  }

  size(): Promise<number | undefined> {
    return this.inner.size();
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  readMeta(name: string): Promise<Uint8Array | undefined> {
    return this.inner.readMeta(name);
  }

  writeMeta(name: string, value: Uint8Array | null, how?: MetaWrite): Promise<void> {
    return this.inner.writeMeta(name, value, how);
  }

  #seal(changes: readonly Change[]): readonly Change[] | Promise<readonly Change[]> {
    return all(changes.map((change) => this.#sealOne(change)));
  }

  #sealOne(change: Change): Change | Promise<Change> {
    const { key, value } = change;
    if (value === null) return change;
    const made = (parts: Parts) =>
      parts[0] === value
        ? change
        : { ...change, value: this.#joiner.join(parts), note: new Sealed(value, change.note) };
    try {
      const sealed = this.transformerOf(key).seal(value, key);
      return sealed instanceof Promise ? sealed.then(made, refused) : made(sealed);
    } catch (e) {
      return refused(e);
    }
  }

  /** As {@linkcode #open}, but what cannot be read now is left for later. */
  #openOrLeave<T extends Keyed>(item: T, away: Away): T | Promise<T> {
    const transformer = this.transformerOf(item.key);
    const why = away.get(transformer);
    if (why !== undefined) return { ...item, value: later(why) };
    const left = (e: unknown): T => {
      if (!(e instanceof StorageError)) throw e;
      away.set(transformer, e.message);
      this.#away.set(transformer, e.message);
      return { ...item, value: later(e.message) };
    };
    try {
      const opened = this.#open(item);
      return opened instanceof Promise ? opened.catch(left) : opened;
    } catch (e) {
      return left(e);
    }
  }

  #open<T extends Keyed>(item: T): T | Promise<T> {
    const { key, value } = item;
    if (unreadableReason(value) !== undefined) return item;
    const transformer = this.transformerOf(key);
    const made = (plain: Uint8Array): T => {
      this.#away.delete(transformer);
      return plain === value ? item : { ...item, value: plain };
    };
    try {
      const opened = transformer.open(value, key);
      if (!(opened instanceof Promise)) return made(opened.plain);
      // Another configuration may have come while a service of this one was asked.
      const failed = (e: unknown) =>
        this.transformerOf(key) === transformer ? made(this.#unreadable(key, e)) : this.#open(item);
      return opened.then((o) => made(o.plain), failed);
    } catch (e) {
      return made(this.#unreadable(key, e));
    }
  }

  /** @throws StorageError that may pass */
  #unreadable(key: string, e: unknown): Uint8Array {
    const why = `unable to transform key ${JSON.stringify(key)}: ${e instanceof Error ? e.message : String(e)}`;
    if (e instanceof StorageError) throw new StorageError(e.kind, why, { cause: e });
    this.#unread = true;
    return unreadable(why);
  }

  #openBatch(batch: ChangeBatch): ChangeBatch | Promise<ChangeBatch> {
    if (batch.changes.length === 0) return batch;
    const changes = all(batch.changes.map((change) => this.#openChange(change)));
    const { revision } = batch;
    return changes instanceof Promise ? changes.then((c) => ({ changes: c, revision })) : { changes, revision };
  }

  #openChange(change: Committed): Committed | Promise<Committed> {
    const { key, revision, value, note } = change;
    if (note instanceof Sealed) {
      return note.note === undefined
        ? { key, revision, value: note.plain }
        : { key, revision, value: note.plain, note: note.note };
    }
    return value === null ? change : this.#openOrLeave(change as Committed & { value: Uint8Array }, this.#away);
  }
}

/** A value that cannot be encrypted is not written, and who writes hears why. */
function refused(e: unknown): never {
  if (e instanceof StorageError) throw e;
  const why = e instanceof Error ? e.message : String(e);
  throw new StorageError("sealed", why, { cause: e });
}

interface Keyed {
  readonly key: string;
  readonly value: Uint8Array;
}

/** A promise only when one of them is. */
function all<T>(values: readonly (T | Promise<T>)[]): readonly T[] | Promise<readonly T[]> {
  for (const value of values) if (value instanceof Promise) return Promise.all(values);
  return values as readonly T[];
}

/** Readers of the log take it as they take compaction: they read the store, and follow the log from there. */
const rereadFrom = (since: Revision): RevisionError =>
  new RevisionError("compacted", since, since, "what could not be read may be readable now");
