/** What storage tests share. */
import assert from "node:assert/strict";
import {
  type Backend,
  type Change,
  type Committed,
  type Revision,
  RevisionError,
  StorageError,
} from "../../server/storage/backend.ts";

/** One store under test. */
export interface Site extends AsyncDisposable {
  readonly backend: Backend;
  /** Ends the first opening and opens the same store again. */
  reopen?(): Promise<Backend>;
  /** The same store as another process has it. Closed by the caller. */
  second?(): Promise<Backend>;
}

const encoder = new TextEncoder();

/** Text as a value. */
export function bytes(text: string): Uint8Array {
  return encoder.encode(text);
}

/** A value as text. */
export function text(value: Uint8Array | null | undefined): string | undefined {
  return value ? new TextDecoder().decode(value) : undefined;
}

/** Commits, which must succeed; the revisions. */
export async function put(backend: Backend, ...changes: Change[]): Promise<readonly Revision[]> {
  const result = await backend.commit(changes);
  assert(result.ok, `refused: ${JSON.stringify(result)}`);
  return result.revisions;
}

/** Follows a prefix and keeps all that comes. */
export class Follower {
  readonly changes: Committed[] = [];
  readonly #abort = new AbortController();
  readonly #done: Promise<void>;
  readonly #waiting = new Set<() => void>();
  revision = 0;
  error: unknown;

  constructor(backend: Backend, prefix: string, since: Revision) {
    const deliver = (batch: { changes: readonly Committed[]; revision: Revision }) => {
      this.changes.push(...batch.changes);
      assert(batch.revision >= this.revision, "progress goes back");
      this.revision = batch.revision;
      for (const look of this.#waiting) look();
    };
    this.#done = backend.changes(prefix, since, deliver, this.#abort.signal).catch((error) => {
      this.error = error;
      for (const look of this.#waiting) look();
    });
  }

  /** Until the progress has come to a revision. */
  async until(revision: Revision): Promise<void> {
    await this.when(() => this.revision >= revision);
  }

  /** Until something holds, looked at after each batch. */
  async when(holds: () => boolean): Promise<void> {
    const reached = Promise.withResolvers<void>();
    const look = () => {
      if (this.error) reached.reject(this.error);
      else if (holds()) reached.resolve();
    };
    this.#waiting.add(look);
    look();
    try {
      await reached.promise;
    } finally {
      this.#waiting.delete(look);
    }
  }

  /** `key=value` or `-key`, in order. */
  told(): string[] {
    return this.changes.map((c) => c.value ? `${c.key}=${text(c.value)}` : `-${c.key}`);
  }

  async ended(): Promise<void> {
    await this.#done;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await this.#done;
  }
}

/** What a promise rejects with; it must. */
export async function refusal(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new assert.AssertionError({ message: "expected a rejection" });
}

/** Asserts that a read fails for its revision. */
export async function revisionError(work: Promise<unknown>, kind: RevisionError["kind"]): Promise<void> {
  const error = await refusal(work);
  assert(error instanceof RevisionError, `${error}`);
  assert.equal(error.kind, kind);
}

/** Asserts that the store refuses. */
export async function storageError(work: Promise<unknown>, ...kinds: StorageError["kind"][]): Promise<StorageError> {
  const error = await refusal(work);
  assert(error instanceof StorageError, `${error}`);
  assert(kinds.includes(error.kind), `${error.kind}: ${error.message}`);
  return error;
}
