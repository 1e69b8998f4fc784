/**
 * The store's contract: ordered commits and ordered changes over keys. Lists, exact reads, watches, compaction and several
 * servers on one store all follow from the log that a backend is. One behaviour suite (`tests/storage/`) runs on each.
 */

/** A position in the log: a positive integer. The `resourceVersion` of objects and lists. 0 is before everything. */
export type Revision = number;

/** A value as stored, with the revision of its last change. */
export interface Stored {
  readonly key: string;
  readonly value: Uint8Array;
  readonly revision: Revision;
}

/** One key's change to be made. Expectations of all changes of a commit hold, or none is made. */
export interface Change {
  readonly key: string;
  /** The new value, at most 3 MiB, never changed by anybody afterwards; null deletes (an absent key: no change is made). */
  readonly value: Uint8Array | null;
  /** The revision that the key must have now; 0: the key must be absent. Undefined: whatever it has. */
  readonly expect?: Revision;
  /** Deleted by the store about then (ms since the epoch), as a change like any other. */
  readonly expiresAt?: number;
  /** Handed on with the {@linkcode Committed} to subscribers of this process; never stored. */
  readonly note?: unknown;
}

/** A change that was made. */
export interface Committed {
  readonly key: string;
  readonly revision: Revision;
  /** The new value, null after a deletion. */
  readonly value: Uint8Array | null;
  /** The `note` of the {@linkcode Change}, when it was made by this process. */
  readonly note?: unknown;
}

/** A commit's outcome. A failed one changed nothing. */
export type CommitResult =
  | {
    readonly ok: true; /** In the order of the changes; never decreasing (one each where the store counts so). */
    readonly revisions: readonly Revision[];
  }
  | {
    readonly ok: false;
    /** Which change's expectation did not hold. */
    readonly index: number;
    /** What stands under its key. */
    readonly current: Stored | undefined;
  };

/** Which part of a range to read. */
export interface RangePage {
  /** Only keys after this one (exclusive, a whole key). */
  readonly after?: string;
  readonly limit?: number;
  /** As of this revision; the newest without. */
  readonly at?: Revision;
  /** Tell how many keys follow. */
  readonly count?: boolean;
}

/** A page of a range, in key order (by UTF-8 bytes), as of `revision`. */
export interface RangeRead {
  readonly revision: Revision;
  readonly items: readonly Stored[];
  /** More keys follow. */
  readonly more: boolean;
  /** How many; there where it was asked for. */
  readonly left?: number;
}

/**
 * Changes since a point, in order. `changes` may be empty: then the batch is a progress mark. Every change up to and
 * including `revision` has been delivered with or before this batch.
 */
export interface ChangeBatch {
  readonly changes: readonly Committed[];
  readonly revision: Revision;
}

/** The revision asked for is no longer, or not yet, there. */
export class RevisionError extends Error {
  override readonly name = "RevisionError";
  /** `compacted`: gone for good. `future`: not committed yet. `current` is the newest revision known. */
  constructor(
    readonly kind: "compacted" | "future",
    readonly revision: Revision,
    readonly current: Revision,
    message = `revision ${revision} is ${kind === "compacted" ? "compacted" : "in the future"} (current ${current})`,
  ) {
    super(message);
  }
}

/** The store could not do it: locked, full, damaged, not reachable. Nothing was acknowledged. */
export class StorageError extends Error {
  override readonly name = "StorageError";
  /**
   * `corrupt` is about data, `format` about a store of a newer format or of something else; the others may pass.
   * `unknown`: the outcome of a commit is not known. `sealed`: what values are encrypted by does not answer.
   */
  constructor(
    readonly kind: "unavailable" | "full" | "corrupt" | "unknown" | "closed" | "too-large" | "format" | "sealed",
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** How a fact of a store is written. */
export interface MetaWrite {
  /** Not where there is one already. */
  readonly first: boolean;
}

/** A store. All methods may be called at any time and at the same time. */
export interface Backend {
  /** `memory`, `denokv`, `etcd3`. */
  readonly name: string;
  /**
   * Newest revision committed by anybody before the call: what a linearizable read must have seen. Not a promise where the
   * backend knows it without asking.
   */
  revision(): Revision | Promise<Revision>;
  /** Oldest revision that reads and changes can still start from (changes after it are held). */
  compacted(): Revision;
  /** One key. @throws RevisionError, StorageError */
  get(key: string, at?: Revision): Promise<Stored | undefined>;
  /**
   * Keys that start with `prefix`, all of one revision. In place of a value whose
   * bytes are damaged, here and in what follows, may come one that says so (`unreadable.ts`).
   * @throws RevisionError, StorageError
   */
  range(prefix: string, page?: RangePage): Promise<RangeRead>;
  /**
   * Every key under a prefix, each once, in no order, all of one revision (the newest without `at`), which it resolves to.
   * What fills a cache: where keys lie as they were written, this is one pass over the store, while a range page after
   * page reads all of it again and again. It waits for a promise of `take`. Values may be parts of larger arrays: who keeps one
   * makes a copy. A value that cannot be read now, here and in {@linkcode changes}, comes as one that says so (`later`).
   * Absent where a range does as well.
   * @throws RevisionError, StorageError
   */
  scan?(prefix: string, take: (items: readonly Stored[]) => void | Promise<void>, at?: Revision): Promise<Revision>;
  /**
   * All or nothing and durable when it resolves. Commits in flight together may share one write to the store. Changes made
   * by this process reach its own {@linkcode changes} readers before the promise resolves.
   * @throws StorageError; kind `unknown` when it may or may not have happened.
   */
  commit(changes: readonly Change[]): Promise<CommitResult>;
  /**
   * Every change under `prefix` after `since`, in order. Calls `deliver` (synchronously, never concurrently) until the signal
   * aborts; resolves then, rejects when the log cannot be followed any more.
   * @throws RevisionError when `since` is compacted, StorageError
   */
  changes(prefix: string, since: Revision, deliver: (batch: ChangeBatch) => void, signal: AbortSignal): Promise<void>;
  /**
   * Has a store that is empty count on from a revision, if it has not come so far: what was before is compacted. Absent where
   * revisions are counted by somebody else. @throws StorageError
   */
  countFrom?(revision: Revision): Promise<void>;
  /** Forgets history below `below`: reads at an earlier revision fail. Current values stay. */
  compact(below: Revision): Promise<void>;
  /** Resolves when the store answers. @throws StorageError */
  health(signal: AbortSignal): Promise<void>;
  /** Bytes the store takes, where it can be told. */
  size(): Promise<number | undefined>;
  close(): Promise<void>;
  /**
   * A small fact about the store as a whole (its dialect, for one), outside of keys and revisions; at most 60 KiB.
   * @throws StorageError
   */
  readMeta(name: string): Promise<Uint8Array | undefined>;
  /**
   * When the key will expire, or would have as it stood at a revision, ms since the epoch; undefined: never, or it is not
   * there. For backups. @throws RevisionError, StorageError
   */
  expiresAt?(key: string, at?: Revision): Promise<number | undefined>;
  /** Whether the key's value should be written again though nothing in it changes. Absent where that never is so. @throws StorageError */
  stale?(key: string): Promise<boolean>;
  /** Durable when it resolves; null removes. @throws StorageError */
  writeMeta(name: string, value: Uint8Array | null, how?: MetaWrite): Promise<void>;
}

/** How long another server of the store may take to hear what one of them wrote, with much to spare (ms). */
export const HEARD_MS = 1000;

/** Whether other servers may be at work on the store: it is asked then what is newest. */
export function isShared(backend: Backend): boolean {
  const newest = backend.revision();
  if (typeof newest === "number") return false;
  newest.catch(() => {});
  return true;
}

/** Largest value, bytes. */
const MAX_VALUE = 3 * 1024 * 1024;

/**
 * What every backend refuses before it does anything.
 * @throws StorageError `too-large`; TypeError when a key comes twice, is empty or is no well-formed text.
 */
export function checkChanges(changes: readonly Change[]): void {
  const seen = changes.length > 1 ? new Set<string>() : undefined;
  for (const { key, value } of changes) {
    if (key === "" || !key.isWellFormed()) throw new TypeError(`commit: key ${JSON.stringify(key)} cannot be stored`);
    if (seen?.has(key)) throw new TypeError(`commit: key ${JSON.stringify(key)} comes twice`);
    seen?.add(key);
    if (value !== null && value.length > MAX_VALUE) {
      throw new StorageError("too-large", `value of ${key} has ${value.length} bytes, more than ${MAX_VALUE}`);
    }
  }
}
