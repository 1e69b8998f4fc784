/** A store whose log and reads can be made to fail. */
import {
  type Backend,
  type ChangeBatch,
  type RangePage,
  type RangeRead,
  StorageError,
} from "../../server/storage/backend.ts";
import { memoryBackend } from "../../server/storage/memory.ts";

/** Everything goes to a memory store, but for what is told to fail. */
export class Faulty {
  inner = memoryBackend();
  /** Calls of `range` so far. */
  ranges = 0;
  /** The next so many reads fail. */
  failRanges = 0;
  /** The next so many attempts to follow the log fail. */
  failChanges = 0;
  /** Awaited by each `range` before it answers, after it has read. */
  gate: Promise<void> | undefined;
  /** What the log brings waits here while it is there. */
  held: (() => void)[] | undefined;
  #break: ((error: Error) => void) | undefined;

  static make(): Faulty & Backend {
    const faulty = new Faulty();
    return new Proxy(faulty, {
      get: (target, name) => {
        const from = (name in target ? target : target.inner) as unknown as Record<string | symbol, unknown>;
        const value = from[name];
        return typeof value === "function" ? value.bind(from) : value;
      },
    }) as Faulty & Backend;
  }

  async range(prefix: string, page?: RangePage): Promise<RangeRead> {
    this.ranges++;
    if (this.failRanges > 0) {
      this.failRanges--;
      throw new StorageError("unavailable", "no range");
    }
    const read = await this.inner.range(prefix, page);
    await this.gate;
    return read;
  }

  async changes(
    prefix: string,
    since: number,
    deliver: (batch: ChangeBatch) => void,
    signal: AbortSignal,
  ): Promise<void> {
    if (this.failChanges > 0) {
      this.failChanges--;
      throw new StorageError("unavailable", "no log");
    }
    const broken = new AbortController();
    const tell = (batch: ChangeBatch) => {
      if (this.held) this.held.push(() => deliver(batch));
      else deliver(batch);
    };
    const failed = new Promise<never>((_, reject) => {
      this.#break = (error) => {
        broken.abort();
        reject(error);
      };
    });
    await Promise.race([this.inner.changes(prefix, since, tell, AbortSignal.any([signal, broken.signal])), failed]);
    if (broken.signal.aborted) await failed;
  }

  /** The log breaks now. */
  breakLog(error: Error = new StorageError("unavailable", "connection lost")): void {
    this.#break?.(error);
  }

  /** The log brings what was held, and what follows. */
  tellOn(): void {
    const { held = [] } = this;
    this.held = undefined;
    for (const tell of held) tell();
  }
}
