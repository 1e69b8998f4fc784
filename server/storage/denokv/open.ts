/** Opens a store on Deno KV; `layout.ts` says how it lies there and what a commit guarantees. */
import {
  type Backend,
  type Change,
  type ChangeBatch,
  checkChanges,
  type CommitResult,
  type MetaWrite,
  type RangePage,
  type RangeRead,
  type Revision,
  StorageError,
  type Stored,
} from "../backend.ts";
import { ExpiryTimer } from "../expiry.ts";
import { removeOrphans } from "./blob.ts";
import { Cleaner } from "./clean.ts";
import { Core } from "./core.ts";
import { refuseForeign } from "./foreign.ts";
import { FAR, KvStore, openKv, patiently } from "./kv.ts";
import { KEYS } from "./layout.ts";
import { LeaseSharing } from "./leases.ts";
import { Reader } from "./reader.ts";
import { ALONE, enter, locksOf, type Sharing } from "./sharing.ts";
import { Writer } from "./writer.ts";

/** Options of {@linkcode openDenoKv}. */
export interface DenoKvOptions {
  /** ms since the epoch; for expiry. */
  readonly now?: () => number;
  /**
   * How processes on one database know of each other: by lock files beside it, or, for URLs always, by rows in it. With rows
   * no process ever counts as alone: each read at "most recent" asks the database.
   */
  readonly sharing?: "files" | "leases";
  /** 0 to 1; for pauses when several processes compete. */
  readonly random?: () => number;
}

/** How often a sole process looks whether another wants in, ms: 0.7 % of a core. */
const POLL_SOLE = 50;
/** How often several look for each other's commits, ms: 1.7 % of a core each. */
const POLL = 25;
/** The same where each look goes over a network, ms. */
const POLL_FAR = 250;
/** Polls between attempts of one among several to be the sole one again. */
const TAKE_OVER_EVERY = 80;
/** Most deletions of one sweep of expired keys. */
const SWEEP = 500;

/**
 * Opens the database file at `path` (made when missing; `:memory:` for none), or the database at a URL. Lock files go to
 * `<path>-locks/`, beside the file itself where `path` is a link.
 * @throws StorageError `corrupt`, `format` (newer, or not ours), `unavailable`
 */
export async function openDenoKv(path: string, options: DenoKvOptions = {}): Promise<DenoKvBackend> {
  await refuseForeign(path);
  const alone = path === ":memory:", leases = FAR.test(path) || options.sharing === "leases";
  if (!alone && !leases) {
    return await enter(
      await locksOf(path),
      (sharing) => connected(path, options, (store) => start(path, options, store, sharing)),
    );
  }
  return await connected(path, options, (store) => {
    if (alone) return start(path, options, store, ALONE);
    const sharing = new LeaseSharing(store);
    return sharing.guard(() => start(path, options, store, sharing));
  });
}

/** Works on the database, which is closed again if that fails. */
async function connected<T>(path: string, options: DenoKvOptions, work: (store: KvStore) => Promise<T>): Promise<T> {
  const { random = Math.random, sharing } = options, far = FAR.test(path) || sharing === "leases";
  const store = new KvStore(await patiently(`open the store ${path}`, random, () => openKv(path)), random, far);
  try {
    return await work(store);
  } catch (error) {
    store.kv.close();
    throw error;
  }
}

async function start(path: string, options: DenoKvOptions, store: KvStore, sharing: Sharing): Promise<DenoKvBackend> {
  try {
    const core = await Core.open(store, (work) => sharing.guard(work));
    core.sole = sharing.sole;
    if (core.sole) await removeOrphans(store);
    return new DenoKvBackend(path, core, sharing, options.now ?? Date.now);
  } catch (error) {
    await sharing.close();
    throw error;
  }
}

/** See {@linkcode openDenoKv}. */
export class DenoKvBackend implements Backend {
  readonly name = "denokv";
  readonly #reader: Reader;
  readonly #writer: Writer;
  readonly #cleaner: Cleaner;
  readonly #timer: ExpiryTimer;
  #poll: ReturnType<typeof setTimeout> | undefined;
  #looking: Promise<void> | undefined;
  #polls = 0;
  #keeper: boolean;

  constructor(readonly path: string, readonly core: Core, readonly sharing: Sharing, readonly now: () => number) {
    this.#keeper = sharing.sole;
    this.#reader = new Reader(core);
    this.#writer = new Writer(core, (answer) => this.#reader.stands(answer));
    this.#cleaner = new Cleaner(core, (step) => this.#cleaning(step));
    this.#timer = new ExpiryTimer(() => this.#keeper ? core.state.expiry.next() : undefined, () => this.sweep(), now);
    this.#timer.arm();
    if (sharing !== ALONE) this.#later();
    if (this.#keeper) this.#cleaner.start();
  }

  revision(): Revision | Promise<Revision> {
    this.core.open();
    if (this.core.sole) return this.core.state.revision;
    return this.core.fresh().then(() => this.core.state.revision);
  }

  compacted(): Revision {
    return this.core.state.compacted;
  }

  get(key: string, at?: Revision): Promise<Stored | undefined> {
    return this.#reader.get(key, at);
  }

  range(prefix: string, page: RangePage = {}): Promise<RangeRead> {
    return this.#reader.range(prefix, page);
  }

  scan(prefix: string, take: (items: readonly Stored[]) => void | Promise<void>, at?: Revision): Promise<Revision> {
    return this.#reader.scan(prefix, take, at);
  }

  async commit(changes: readonly Change[]): Promise<CommitResult> {
    this.core.open();
    checkChanges(changes);
    const result = await this.#writer.commit(changes);
    this.#timer.arm();
    return result;
  }

  changes(
    prefix: string,
    since: Revision,
    deliver: (batch: ChangeBatch) => void,
    signal: AbortSignal,
  ): Promise<void> {
    return this.#reader.changes(prefix, since, deliver, signal);
  }

  countFrom(revision: Revision): Promise<void> {
    return this.#cleaner.countFrom(revision);
  }

  compact(below: Revision): Promise<void> {
    return this.#cleaner.compact(below);
  }

  /** Resolves when no space is being given back. */
  async settled(): Promise<void> {
    await this.#cleaner.settled();
  }

  /** Deletes what is due now, if this process is the one to do it. Runs by itself. */
  async sweep(): Promise<number> {
    let swept = 0;
    for (let stale = 0; stale < 3;) {
      const due = this.core.state.expiry.due(this.now(), SWEEP);
      if (due.length === 0) break;
      // Refused: another process changed one of them meanwhile, which is known by now.
      if ((await this.commit(due)).ok) swept += due.length;
      else stale++;
    }
    return swept;
  }

  async health(signal: AbortSignal): Promise<void> {
    this.core.open();
    signal.throwIfAborted();
    const aborted = Promise.withResolvers<never>();
    const abort = () => aborted.reject(new StorageError("unavailable", "the store did not answer in time"));
    signal.addEventListener("abort", abort, { once: true });
    try {
      await Promise.race([this.core.store.get(KEYS.head), aborted.promise]);
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  /** Bytes of the database file and its write-ahead log; where there is no file, about what the rows take. */
  async size(): Promise<number | undefined> {
    if (this.sharing === ALONE || FAR.test(this.path)) return this.core.state.segments.disk;
    const sizes = [this.path, `${this.path}-wal`].map((file) => Deno.stat(file).then((s) => s.size, () => 0));
    return (await Promise.all(sizes)).reduce((sum, n) => sum + n, 0);
  }

  async expiresAt(key: string, at?: Revision): Promise<number | undefined> {
    this.core.open();
    return at === undefined ? this.core.state.expiry.get(key) : await this.#reader.expiresAt(key, at);
  }

  async readMeta(name: string): Promise<Uint8Array | undefined> {
    this.core.open();
    const { value } = await this.core.store.get(KEYS.meta(name));
    return value instanceof Uint8Array ? value : undefined;
  }

  async writeMeta(name: string, value: Uint8Array | null, { first }: MetaWrite = { first: false }): Promise<void> {
    this.core.open();
    const key = KEYS.meta(name);
    await this.core.store.atomic((atomic) => {
      if (first) atomic.check({ key, versionstamp: null });
      if (value === null) atomic.delete(key);
      else atomic.set(key, value);
    });
  }

  async close(): Promise<void> {
    const { core } = this;
    if (core.closed) return;
    core.closed = true;
    clearTimeout(this.#poll);
    this.#timer.stop();
    core.hub.close();
    await this.#looking;
    await this.#cleaner.settled();
    await core.lane.idle();
    await this.sharing.close();
    core.store.kv.close();
  }

  #later(): void {
    this.#poll = setTimeout(async () => {
      // What fails here (a locked or full disk) is tried again; who asks for something is told by what he asks for.
      await (this.#looking = this.#look().catch(() => {}));
      if (!this.core.closed) this.#later();
    }, this.core.sole ? POLL_SOLE : FAR.test(this.path) ? POLL_FAR : POLL);
  }

  async #look(): Promise<void> {
    const { core, sharing } = this;
    this.#polls++;
    if (core.sole) {
      if (!sharing.wanted()) return;
      await core.lane.run(async () => {
        core.sole = false;
        await sharing.share();
      });
      this.#keeper = await sharing.keeper();
      return;
    }
    await core.fresh();
    await this.#cleaner.forget();
    // Another process has compacted, who may not be the one to clean; or this one was not when it looked.
    if (this.#keeper && this.#cleaner.due) this.#cleaner.start();
    if (this.#polls % TAKE_OVER_EVERY === 0) await this.#takeOver();
    if (this.#polls % 10 === 0) this.#keeper = await sharing.keeper();
    this.#timer.arm();
  }

  async #takeOver(): Promise<void> {
    const { core } = this;
    const took = await this.sharing.takeOver(async () => {
      // Who holds the lane waits for us.
      if (core.reloading) throw new StorageError("unavailable", "the store is being read again");
      await core.lane.run(async () => {
        await core.catchUp();
        core.sole = true;
      });
    });
    if (took) this.#keeper = true;
  }

  async #cleaning(step: () => Promise<boolean | undefined>): Promise<boolean | undefined> {
    if (!(this.#keeper ||= await this.sharing.keeper())) return undefined;
    return this.core.sole ? await step() : await this.sharing.tryGuard(step);
  }
}
