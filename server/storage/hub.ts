/** Hands changes on to the readers of one backend: in order, never one inside another, each told of progress too. */
import { type ChangeBatch, type Committed, type Revision, StorageError } from "./backend.ts";

interface Reader {
  readonly prefix: string;
  readonly deliver: (batch: ChangeBatch) => void;
  readonly fail: (error: unknown) => void;
  /** It has been told of all changes up to here, or knew them before. */
  told: Revision;
}

/** Live readers. */
export class Hub {
  readonly #readers = new Set<Reader>();
  readonly #queue: { changes: readonly Committed[]; revision: Revision }[] = [];
  #delivering = false;
  #closed: unknown;

  /** Delivers to all readers before it returns; when called from inside a delivery, after that one. */
  publish(changes: readonly Committed[], revision: Revision): void {
    this.#queue.push({ changes, revision });
    if (!this.#delivering) this.#deliver();
  }

  /** `first`, then what was published, one after the other. */
  #deliver(first?: () => void): void {
    this.#delivering = true;
    try {
      first?.();
      for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
        for (const reader of this.#readers) tell(reader, next.changes, next.revision);
      }
    } finally {
      this.#delivering = false;
    }
  }

  /**
   * Follows from now on until the signal aborts. `first` gives what the reader has to get before anything live, as of
   * this very moment; of what is published then, changes up to `since` and those that it had are left out. While a delivery
   * runs the reader joins after the queue is empty.
   */
  async follow(
    prefix: string,
    since: Revision,
    deliver: (batch: ChangeBatch) => void,
    signal: AbortSignal,
    first: () => { changes: readonly Committed[]; revision: Revision },
  ): Promise<void> {
    while (this.#delivering) await undefined;
    if (this.#closed) throw this.#closed;
    if (signal.aborted) return;
    const done = Promise.withResolvers<void>();
    const fail = (error: unknown) => {
      // At once: what comes after a batch that was not taken must not be delivered.
      this.#readers.delete(reader);
      done.reject(error);
    };
    const reader: Reader = { prefix, deliver, fail, told: since };
    const start = first();
    const stop = () => {
      // At once, too: more may wait to be delivered.
      this.#readers.delete(reader);
      done.resolve();
    };
    signal.addEventListener("abort", stop, { once: true });
    try {
      this.#readers.add(reader);
      this.#deliver(() => tell(reader, start.changes, Math.max(since, start.revision)));
      await done.promise;
    } finally {
      this.#readers.delete(reader);
      signal.removeEventListener("abort", stop);
    }
  }

  /** Ends every reader with an error. */
  fail(error: unknown): void {
    for (const reader of this.#readers) reader.fail(error);
  }

  /** Ends every reader, now and later. */
  close(): void {
    this.#closed = new StorageError("closed", "the store is closed");
    this.fail(this.#closed);
  }
}

function tell(reader: Reader, all: readonly Committed[], revision: Revision): void {
  const { prefix, told } = reader;
  if (revision < told) return;
  const changes = all.filter((c) => c.revision > told && c.key.startsWith(prefix));
  reader.told = revision;
  try {
    reader.deliver({ changes, revision });
  } catch (error) {
    reader.fail(error);
  }
}
