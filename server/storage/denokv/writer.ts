/** Commits: they wait in a queue, and all that fit share the next atomic. */
import { Buffer } from "node:buffer";
import { sameBytes } from "../../../schema/values/bytes.ts";
import { setImmediate } from "node:timers";
import { pause } from "../../pause.ts";
import { type Change, type CommitResult, StorageError, type Stored } from "../backend.ts";
import { type Blob, makeBlob, notesOf, removeAhead, writeAhead } from "./blob.ts";
import type { Core } from "./core.ts";
import { type Answer, Draft, type Pending } from "./draft.ts";
import { ATOMIC_BYTES, ATOMIC_MUTATIONS, encodeHead, type Head, INLINE_BYTES, KEY_BYTES, KEYS } from "./layout.ts";
import { recordBytes } from "./record.ts";

/** Longest time that a commit is tried against other processes, ms. */
const TRY_FOR = 10_000;
/** In a commit that would not fit one atomic, values from here on become blobs. */
const SMALL = 512;
/** Of those who write at once, so many at least, and a fourth, are told in one turn. */
const LEAST_TOLD = 4;

/** See the top of the file. */
export class Writer {
  #queue: Pending[] = [];
  #running = false;
  /** Commits in the last atomic. */
  #shared = 0;
  #blobs = 0;
  readonly #name: string;

  /** @param stored reads what a refused commit found */
  constructor(
    readonly core: Core,
    readonly stored: (answer: Answer & { ok: false }) => Promise<Stored | undefined>,
  ) {
    this.#name = crypto.randomUUID();
  }

  /** See Backend.commit; the changes are checked. */
  async commit(changes: readonly Change[]): Promise<CommitResult> {
    for (const { key } of changes) {
      if (key.length <= KEY_BYTES / 3 || Buffer.byteLength(key) <= KEY_BYTES) continue;
      throw new StorageError("too-large", `a key has more than ${KEY_BYTES} bytes: ${key.slice(0, 100)}…`);
    }
    const cut = this.#cut(changes, INLINE_BYTES);
    const weight = weigh(changes, cut, false);
    if (fits(weight)) return await this.#enqueue(changes, cut, undefined, weight);
    // Its long values are written ahead, all but the smallest if need be.
    for (const blobs of [cut, this.#cut(changes, SMALL)]) {
      const weight = weigh(changes, blobs, true);
      if (fits(weight)) return await this.#commitAhead(changes, blobs, weight);
    }
    throw new StorageError("too-large", `a commit of ${changes.length} changes does not fit one write`);
  }

  async #commitAhead(
    changes: readonly Change[],
    blobs: readonly (Blob | undefined)[],
    weight: Weight,
  ): Promise<CommitResult> {
    const { store } = this.core;
    const long = blobs.filter((blob) => blob !== undefined);
    const notes = notesOf(long);
    let unused = true;
    try {
      await writeAhead(store, long);
      const result = await this.#enqueue(changes, blobs, notes, weight);
      unused = !result.ok;
      return result;
    } catch (error) {
      unused = !(error instanceof StorageError && error.kind === "unknown");
      throw error;
    } finally {
      if (unused) await this.#discard(long, notes);
    }
  }

  async #discard(long: readonly Blob[], notes: readonly Deno.KvKey[]): Promise<void> {
    const refs = long.map((blob) => blob.ref);
    // What stays for want of space or time is removed at a later start.
    await removeAhead(this.core.store, refs, notes).catch(() => {});
  }

  #cut(changes: readonly Change[], over: number): (Blob | undefined)[] {
    return changes.map(({ value }) =>
      value && value.length > over ? makeBlob(`${this.#name}.${++this.#blobs}`, value) : undefined
    );
  }

  #enqueue(
    changes: readonly Change[],
    blobs: readonly (Blob | undefined)[],
    notes: readonly Deno.KvKey[] | undefined,
    weight: Weight,
  ): Promise<CommitResult> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ changes, blobs, notes, ...weight, resolve, reject });
      this.#start();
    });
  }

  /**
   * Those who ask in the same turn share the first atomic too. While several write at once, it is also shared by those whose requests
   * have come meanwhile: else the first of them has an atomic of its own, and all others wait for it.
   */
  #start(): void {
    if (this.#running) return;
    this.#running = true;
    const run = async () => {
      while (this.#queue.length > 0) await this.core.lane.run(() => this.#group());
      this.#running = false;
    };
    if (this.#shared > 1) setImmediate(run);
    else queueMicrotask(run);
  }

  /** One group, tried until it is made or cannot be. Never rejects: its commits are told. */
  async #group(): Promise<void> {
    const until = performance.now() + TRY_FOR;
    for (let ms = 1;; ms = Math.min(50, ms * 2)) {
      let draft: Draft | undefined;
      try {
        if (!this.core.sole || ms > 1) await this.core.catchUp();
        this.core.open();
        draft = this.#draft();
        if (draft.empty || await this.#write(draft)) return this.#tell(draft);
        if (performance.now() > until) {
          throw new StorageError("unavailable", "commit: other processes were always faster");
        }
      } catch (error) {
        const lost = draft ? draft.answers.map((a) => a.pending) : this.#queue.slice();
        this.#queue.splice(0, lost.length);
        for (const pending of lost) pending.reject(error);
        return;
      }
      await pause(ms * this.core.store.random());
    }
  }

  /** Leaves the commits in the queue until they have an answer. */
  #draft(): Draft {
    const draft = new Draft(this.core.state);
    for (const pending of this.#queue) if (!draft.take(pending)) break;
    return draft;
  }

  async #write(draft: Draft): Promise<boolean> {
    const { core } = this;
    const logs = draft.logs.map((log) => log.finish());
    const head: Head = {
      revision: draft.revision,
      seq: core.state.seq + logs.length,
      compacted: core.state.compacted,
    };
    const stamp = await putHead(core, head, (atomic) => {
      draft.logs.forEach((log, i) => atomic.set(KEYS.log(log.seq), logs[i]!));
      for (const [key, value] of draft.sets) atomic.set(key, value);
      for (const key of draft.deletes) atomic.delete(key);
    }, [draft.logs[0]!.seq, logs[0]!]);
    if (stamp === undefined) return false;
    core.stamp = stamp;
    draft.apply(logs);
    return true;
  }

  #tell(draft: Draft): void {
    this.#queue.splice(0, draft.answers.length);
    this.#shared = draft.answers.length;
    if (!draft.empty) this.core.hub.publish(draft.committed, draft.revision);
    this.#answer(draft.answers, Math.max(LEAST_TOLD, (draft.answers.length + this.#queue.length) >> 2));
  }

  /**
   * A part in a turn. Told all at once, all would write again at once, and wait for that together; so those told first share an atomic while
   * the others are told.
   */
  #answer(answers: Draft["answers"], part: number): void {
    for (const { pending, answer } of answers.slice(0, part)) {
      if (answer.ok) pending.resolve(answer);
      else {
        const told = (current: Stored | undefined) => pending.resolve({ ok: false, index: answer.index, current });
        this.stored(answer).then(told, pending.reject);
      }
    }
    if (answers.length > part) setImmediate(() => this.#answer(answers.slice(part), part));
  }
}

/**
 * The atomic that every write is: nobody else has written, and the head moves on. Gives the new versionstamp, undefined when
 * somebody has. When the database fails, or may have found this very write when it was sent again, `first`, the first log value,
 * tells whether it was made all the same; the versionstamp is empty then.
 * @throws StorageError
 */
export async function putHead(
  core: Core,
  head: Head,
  build: (atomic: Deno.AtomicOperation) => void,
  first?: readonly [seq: number, bytes: Uint8Array],
): Promise<string | undefined> {
  if (core.stamp === "") {
    const { seq } = core.state;
    await core.catchUp();
    if (core.state.seq !== seq) return undefined;
  }
  try {
    const result = await core.store.atomic((atomic) => {
      atomic.check({ key: KEYS.head, versionstamp: core.stamp }).set(KEYS.head, encodeHead(head));
      build(atomic);
    });
    if (result) return result.versionstamp;
  } catch (error) {
    core.stamp = "";
    if (first && await wasMade(core, first, error)) return "";
    throw error;
  }
  return core.store.far && first && await wasMade(core, first) ? "" : undefined;
}

async function wasMade(core: Core, [seq, bytes]: readonly [number, Uint8Array], cause?: unknown): Promise<boolean> {
  try {
    const [there] = await core.store.bytes([KEYS.log(seq)]);
    return there !== undefined && sameBytes(there, bytes);
  } catch (e) {
    const why = "commit: the database failed, and does not tell whether it was made";
    throw new StorageError("unknown", why, { cause: cause ?? e });
  }
}

interface Weight {
  readonly bytes: number;
  readonly mutations: number;
}

function fits({ bytes, mutations }: Weight): boolean {
  return bytes <= ATOMIC_BYTES && mutations <= ATOMIC_MUTATIONS;
}

function weigh(
  changes: readonly Change[],
  blobs: readonly (Blob | undefined)[],
  ahead: boolean,
): Weight {
  let bytes = 0;
  let mutations = 1;
  for (const [i, { key, value }] of changes.entries()) {
    const blob = blobs[i];
    bytes += recordBytes(key, blob ? blob.payload.length : value?.length ?? 0);
    if (blob && !ahead) bytes += blob.ref.length + blob.pieces.length * 80;
    mutations += blob && !ahead ? blob.pieces.length : 0;
  }
  return { bytes, mutations: mutations + Math.ceil(bytes / 30_000) };
}
