/**
 * Who else has the database file open. Lock files beside it (`<path>-locks/`), let go by the system when a process dies:
 *
 * - `use`: exclusive for a sole process (it knows what is committed without asking), shared by several;
 * - `gate`: held while a process comes in, becomes sole, reads the whole log, or cleans it beside others;
 * - `upkeep`: among several, held by the one that expires and cleans;
 * - `wanted`: grows by a byte when a process wants in; the sole one looks at its size and makes room.
 */
import { pause } from "../../pause.ts";
import { StorageError } from "../backend.ts";
import { Lane } from "./lane.ts";

/** How long a process waits to be let in, ms: a running one answers within its poll, a stopped one does not. */
const ENTER_FOR = 15_000;
/** How long it waits for others that are reading the log, ms. */
const GATE_FOR = 120_000;
const RETRY = 10;

/** This process among those that have the file open. */
export interface Sharing {
  /** Whether this one is alone. */
  readonly sole: boolean;
  /** Runs work that no other process may do at the same time. @throws StorageError `unavailable` */
  guard<T>(work: () => Promise<T>): Promise<T>;
  /** The same, but undefined at once when somebody else does. */
  tryGuard<T>(work: () => Promise<T>): Promise<T | undefined>;
  /** Somebody wants in. */
  wanted(): boolean;
  /** Lets others in; call when nothing is under way that relies on being alone. */
  share(): Promise<void>;
  /** Becomes the sole one if the others are gone; `before` runs before anybody else can come in. */
  takeOver(before: () => Promise<void>): Promise<boolean>;
  /** Whether this process is the one that expires and cleans. */
  keeper(): Promise<boolean>;
  close(): void | Promise<void>;
}

/** For a database that nobody else can open. */
export const ALONE: Sharing = {
  sole: true,
  guard: (work) => work(),
  tryGuard: (work) => work(),
  wanted: () => false,
  share: () => Promise.resolve(),
  takeOver: () => Promise.resolve(true),
  keeper: () => Promise.resolve(true),
  close: () => {},
};

/** The directory of the lock files of a database: one, by whatever links the file is reached. */
export async function locksOf(path: string): Promise<string> {
  return `${await Deno.realPath(path).catch(() => path)}-locks`;
}

/** Comes in; `work` runs (it reads the log) before any other process can come in or clean. @throws StorageError */
export async function enter<T>(dir: string, work: (sharing: Sharing) => Promise<T>): Promise<T> {
  const files = new LockFiles(dir);
  try {
    return await files.guard(async () => {
      await files.take();
      return await work(files);
    });
  } catch (error) {
    files.close();
    throw error;
  }
}

class LockFiles implements Sharing {
  sole = false;
  #gate: Deno.FsFile;
  #use: Deno.FsFile;
  #upkeep: Deno.FsFile;
  #wanted: Deno.FsFile;
  #seen = 0;
  #keeper = false;
  #holders = 0;
  #closed = false;
  readonly #gateLane = new Lane();

  constructor(dir: string) {
    try {
      Deno.mkdirSync(dir, { recursive: true, mode: 0o700 });
      const open = (name: string, append = false) =>
        Deno.openSync(`${dir}/${name}`, { create: true, read: true, write: !append, append, mode: 0o600 });
      this.#gate = open("gate");
      this.#use = open("use");
      this.#upkeep = open("upkeep");
      this.#wanted = open("wanted", true);
    } catch (cause) {
      throw new StorageError("unavailable", `open the store: cannot make lock files in ${dir}: ${cause}`, { cause });
    }
  }

  async take(): Promise<void> {
    this.#seen = (await this.#wanted.stat()).size;
    if (await this.#use.tryLock(true)) {
      this.sole = true;
      return;
    }
    await this.#letIn();
  }

  /** From within a guarded work it runs at once: the gate stays ours until all such work has ended. */
  guard<T>(work: () => Promise<T>): Promise<T> {
    if (this.#holders > 0) return this.#unlocking(work);
    return this.#gateLane.run(async () => {
      await this.#until(GATE_FOR, () => this.#gate.tryLock(true), "another process is busy opening the store");
      return await this.#unlocking(work);
    });
  }

  tryGuard<T>(work: () => Promise<T>): Promise<T | undefined> {
    return this.#gateLane.run(async () => (await this.#gate.tryLock(true)) ? await this.#unlocking(work) : undefined);
  }

  async #unlocking<T>(work: () => Promise<T>): Promise<T> {
    this.#holders++;
    try {
      return await work();
    } finally {
      if (--this.#holders === 0 && !this.#closed) await this.#gate.unlock();
    }
  }

  async #until(ms: number, lock: () => Promise<boolean>, failure: string): Promise<void> {
    for (const until = performance.now() + ms; !(await lock()); await pause(RETRY)) {
      if (performance.now() > until) throw new StorageError("unavailable", `open the store: ${failure}`);
    }
  }

  wanted(): boolean {
    // Asked many times a second: a call to another thread would cost a hundred times what the system does.
    return this.#wanted.statSync().size !== this.#seen;
  }

  async share(): Promise<void> {
    this.sole = false;
    this.#seen = (await this.#wanted.stat()).size;
    // Going from one lock to the other is not atomic: somebody may have become the sole one in between.
    if (!(await this.#use.tryLock(false))) await this.#letIn();
  }

  async #letIn(): Promise<void> {
    await this.#wanted.write(new Uint8Array(1));
    await this.#until(ENTER_FOR, () => this.#use.tryLock(false), "the process that uses the store does not answer");
    this.#seen = (await this.#wanted.stat()).size;
  }

  async takeOver(before: () => Promise<void>): Promise<boolean> {
    return await this.tryGuard(async () => {
      // A failed upgrade lets go of the shared lock; nobody can become sole meanwhile for want of the gate.
      if (!(await this.#use.tryLock(true))) {
        await this.#use.lock(false);
        return false;
      }
      this.#seen = (await this.#wanted.stat()).size;
      try {
        await before();
      } catch (error) {
        await this.#use.lock(false);
        throw error;
      }
      return this.sole = true;
    }) ?? false;
  }

  async keeper(): Promise<boolean> {
    return this.sole || (this.#keeper ||= await this.#upkeep.tryLock(true));
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const file of [this.#use, this.#upkeep, this.#wanted, this.#gate]) file.close();
  }
}
