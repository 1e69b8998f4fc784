/**
 * Processes on a database that is no file of this machine: rows in it say who does what only one may do. A holder writes its
 * row anew every few seconds; one that has not been for three times as long, by the clock of who looks, is taken over, so
 * that clocks of machines need not agree.
 */
import { pause } from "../../pause.ts";
import { StorageError } from "../backend.ts";
import type { KvStore } from "./kv.ts";
import { Lane } from "./lane.ts";
import { KEYS } from "./layout.ts";
import type { Sharing } from "./sharing.ts";

/** How often a holder renews, ms, and for how long a row may stand still. */
const RENEW = 4_000;
const LOST = 3 * RENEW;
/** How long to wait for another's work, ms, and how often to look. */
const WAIT = 120_000;
const LOOK = 100;

/** One row. */
class Lease {
  /** The row as we wrote it, and when: not ours any more when that is too long ago. */
  #mine: { readonly stamp: string; readonly at: number } | undefined;
  #seen: { readonly stamp: string; readonly at: number } | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #renewing: Promise<void> | undefined;
  #taking: Promise<boolean> | undefined;

  constructor(readonly store: KvStore, readonly name: string, readonly owner: string) {}

  /** Whether it is held by us now, or could be had. Who asks meanwhile is told the same: two tries would spoil each other. */
  take(): Promise<boolean> {
    return this.#taking ??= this.#take().finally(() => this.#taking = undefined);
  }

  async #take(): Promise<boolean> {
    if (this.#mine && performance.now() - this.#mine.at < LOST) return true;
    await this.#rest();
    const row = await this.store.get(KEYS.lease(this.name));
    if (row.versionstamp !== null && row.versionstamp !== this.#seen?.stamp) {
      this.#seen = { stamp: row.versionstamp, at: performance.now() };
    }
    if (row.versionstamp !== null && performance.now() - this.#seen!.at < LOST) return false;
    await this.#write(row.versionstamp);
    if (this.#mine) this.#timer = setInterval(() => this.#renew(), RENEW);
    return this.#mine !== undefined;
  }

  #renew(): void {
    if (!this.#mine) return;
    this.#renewing ??= this.#write(this.#mine.stamp).catch(() => {}).finally(() => this.#renewing = undefined);
  }

  async #write(over: string | null): Promise<void> {
    const key = KEYS.lease(this.name);
    const at = performance.now();
    const result = await this.store.atomic((a) => a.check({ key, versionstamp: over }).set(key, this.owner));
    this.#mine = result && { stamp: result.versionstamp, at };
    if (!result) clearInterval(this.#timer);
  }

  /** Renews it no more. What is under way ends first: what it wrote is the row then. */
  async #rest(): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing;
  }

  async release(): Promise<void> {
    await this.#rest();
    const versionstamp = this.#mine?.stamp;
    if (versionstamp === undefined) return;
    this.#mine = undefined;
    const key = KEYS.lease(this.name);
    await this.store.atomic((a) => a.check({ key, versionstamp }).delete(key)).catch(() => {});
  }
}

/** See the top of the file. Never the sole one. */
export class LeaseSharing implements Sharing {
  readonly sole = false;
  readonly #gate: Lease;
  readonly #upkeep: Lease;
  readonly #lane = new Lane();
  #holders = 0;

  constructor(store: KvStore) {
    const owner = crypto.randomUUID();
    this.#gate = new Lease(store, "gate", owner);
    this.#upkeep = new Lease(store, "upkeep", owner);
  }

  guard<T>(work: () => Promise<T>): Promise<T> {
    if (this.#holders > 0) return this.#releasing(work);
    return this.#lane.run(async () => {
      for (const until = performance.now() + WAIT; !(await this.#gate.take()); await pause(LOOK)) {
        if (performance.now() > until) {
          throw new StorageError("unavailable", "another process is busy opening the store");
        }
      }
      return await this.#releasing(work);
    });
  }

  tryGuard<T>(work: () => Promise<T>): Promise<T | undefined> {
    return this.#lane.run(async () => (await this.#gate.take()) ? await this.#releasing(work) : undefined);
  }

  async #releasing<T>(work: () => Promise<T>): Promise<T> {
    this.#holders++;
    try {
      return await work();
    } finally {
      if (--this.#holders === 0) await this.#gate.release();
    }
  }

  wanted(): boolean {
    return false;
  }

  share(): Promise<void> {
    return Promise.resolve();
  }

  takeOver(): Promise<boolean> {
    return Promise.resolve(false);
  }

  keeper(): Promise<boolean> {
    return this.#upkeep.take();
  }

  async close(): Promise<void> {
    await this.#upkeep.release();
    await this.#gate.release();
  }
}
