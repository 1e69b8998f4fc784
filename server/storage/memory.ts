/** The reference backend: everything in this process, nothing durable. Revisions are dense, one for each change. */
import { compact } from "../../schema/values/bytes.ts";
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
} from "./backend.ts";
import { ExpiryIndex, ExpiryTimer } from "./expiry.ts";
import { Hub } from "./hub.ts";
import { type Found, VersionIndex } from "./versions.ts";

/** Options of {@linkcode memoryBackend}. */
export interface MemoryOptions {
  /** ms since the epoch; for expiry. */
  readonly now?: () => number;
}

/** A version's value. */
interface Held {
  readonly value: Uint8Array;
  readonly expiresAt: number | undefined;
}

/** Most deletions of one sweep of expired keys. */
const SWEEP = 500;

/** An empty store in memory. Starts at revision 1, as an etcd of one's own does, so that no list has revision 0. */
export function memoryBackend(options: MemoryOptions = {}): MemoryBackend {
  return new MemoryBackend(options.now ?? Date.now);
}

/** See {@linkcode memoryBackend}. */
export class MemoryBackend implements Backend {
  readonly name = "memory";
  readonly #index = new VersionIndex<Held>();
  readonly #expiry = new ExpiryIndex();
  readonly #hub = new Hub();
  readonly #timer: ExpiryTimer;
  readonly #meta = new Map<string, Uint8Array>();
  /** Changes after `#logStart`, one for each revision. */
  #log: Committed[] = [];
  #logStart: Revision = 1;
  #revision: Revision = 1;
  #compacted: Revision = 1;
  #bytes = 0;
  #closed = false;

  constructor(readonly now: () => number) {
    this.#timer = new ExpiryTimer(() => this.#expiry.next(), () => this.sweep(), now);
  }

  revision(): Revision {
    return this.#revision;
  }

  compacted(): Revision {
    return this.#compacted;
  }

  async get(key: string, at: Revision = this.#revision): Promise<Stored | undefined> {
    this.#readable(at);
    const found = this.#index.at(key, at);
    return found && stored(found);
  }

  async range(prefix: string, page: RangePage = {}): Promise<RangeRead> {
    const at = page.at ?? this.#revision;
    this.#readable(at);
    const { found, ...rest } = this.#index.range(prefix, at, page);
    return { revision: at, items: found.map(stored), ...rest };
  }

  async commit(changes: readonly Change[]): Promise<CommitResult> {
    this.#open();
    checkChanges(changes);
    for (const [index, { key, expect }] of changes.entries()) {
      if (expect === undefined) continue;
      const found = this.#index.at(key, this.#revision);
      if ((found?.revision ?? 0) !== expect) return { ok: false, index, current: found && stored(found) };
    }
    const made: Committed[] = [];
    const revisions = changes.map((change) => this.#apply(change, made));
    if (made.length > 0) this.#hub.publish(made, this.#revision);
    this.#timer.arm();
    return { ok: true, revisions };
  }

  #apply({ key, value: given, note, expiresAt }: Change, made: Committed[]): Revision {
    const value = given && compact(given);
    const old = this.#index.at(key, this.#revision);
    if (value === null && !old) return this.#revision;
    const revision = ++this.#revision;
    this.#index.set(key, revision, value && { value, expiresAt });
    this.#expiry.set(key, revision, value === null ? undefined : expiresAt);
    this.#bytes += (value?.length ?? 0) - (old?.where.value.length ?? 0);
    this.#log.push({ key, revision, value });
    made.push(note === undefined ? { key, revision, value } : { key, revision, value, note });
    return revision;
  }

  async changes(
    prefix: string,
    since: Revision,
    deliver: (batch: ChangeBatch) => void,
    signal: AbortSignal,
  ): Promise<void> {
    await this.#hub.follow(prefix, since, deliver, signal, () => {
      this.#readable(since);
      return { changes: this.#log.slice(since - this.#logStart), revision: this.#revision };
    });
  }

  async countFrom(revision: Revision): Promise<void> {
    this.#open();
    if (revision <= this.#revision) return;
    this.#revision = this.#compacted = this.#logStart = revision;
    this.#log = [];
    this.#hub.publish([], revision);
  }

  async compact(below: Revision): Promise<void> {
    this.#open();
    if (below > this.#revision) throw new RevisionError("future", below, this.#revision);
    if (below <= this.#compacted) return;
    this.#compacted = below;
    this.#log = this.#log.slice(below - this.#logStart);
    this.#logStart = below;
    this.#index.compact(below);
  }

  /** Deletes what is due now. Runs by itself; for tests with a clock of their own. */
  async sweep(): Promise<number> {
    let swept = 0;
    for (;;) {
      const due = this.#expiry.due(this.now(), SWEEP);
      if (due.length === 0) return swept;
      await this.commit(due);
      swept += due.length;
    }
  }

  async health(): Promise<void> {
    this.#open();
  }

  /** Bytes of the values that stand now. */
  async size(): Promise<number> {
    return this.#bytes;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#timer.stop();
    this.#hub.close();
  }

  async expiresAt(key: string, at: Revision = this.#revision): Promise<number | undefined> {
    this.#readable(at);
    return this.#index.at(key, at)?.where.expiresAt;
  }

  async readMeta(name: string): Promise<Uint8Array | undefined> {
    this.#open();
    return this.#meta.get(name);
  }

  async writeMeta(name: string, value: Uint8Array | null, { first }: MetaWrite = { first: false }): Promise<void> {
    this.#open();
    if (first && this.#meta.has(name)) return;
    if (value === null) this.#meta.delete(name);
    else this.#meta.set(name, value);
  }

  #open(): void {
    if (this.#closed) throw new StorageError("closed", "the store is closed");
  }

  #readable(at: Revision): void {
    this.#open();
    if (at < this.#compacted) throw new RevisionError("compacted", at, this.#revision);
    if (at > this.#revision) throw new RevisionError("future", at, this.#revision);
  }
}

function stored({ key, revision, where: { value } }: Found<Held>): Stored {
  return { key, revision, value };
}
