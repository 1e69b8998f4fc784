/** One atomic in the making: commits that share it, each seeing those before it. */
import type { Change, CommitResult, Committed, Revision, Stored } from "../backend.ts";
import { type Blob, pieceKeys } from "./blob.ts";
import { ATOMIC_BYTES, ATOMIC_MUTATIONS, LOG_BYTES } from "./layout.ts";
import { deleteRecord, KIND, LogWriter, type NewRecord, recordBytes } from "./record.ts";
import type { Segment, Where } from "./segments.ts";
import type { State } from "./state.ts";
import type { Found } from "../versions.ts";

/** A commit that waits. */
export interface Pending {
  readonly changes: readonly Change[];
  /** For each change: the long value's pieces. */
  readonly blobs: readonly (Blob | undefined)[];
  /** The pieces are on disk already, and these notes say so. */
  readonly notes: readonly Deno.KvKey[] | undefined;
  readonly bytes: number;
  readonly mutations: number;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: unknown) => void;
}

/** What a commit comes to when the atomic is made. A failed one may have to read its answer. */
export type Answer =
  | { readonly ok: true; readonly revisions: Revision[] }
  | { readonly ok: false; readonly index: number; readonly stands?: Stored; readonly found?: Found<Where> };

interface Placed {
  readonly record: NewRecord;
  readonly log: number;
  readonly offset: number;
  readonly bytes: number;
}

/** Bytes that the head and keys of rows may take besides. */
const SPARE = 20_000;

/** See the top of the file. */
export class Draft {
  readonly logs: LogWriter[] = [];
  readonly sets: [Deno.KvKey, Uint8Array][] = [];
  readonly deletes: Deno.KvKey[] = [];
  readonly committed: Committed[] = [];
  readonly answers: { readonly pending: Pending; readonly answer: Answer }[] = [];
  revision: Revision;
  #placed: Placed[] = [];
  #overlay = new Map<string, { revision: Revision; value: Uint8Array | null }>();
  #bytes = SPARE;
  #mutations = 2;

  constructor(readonly state: State) {
    this.revision = state.revision;
  }

  /** Whether it holds any change. */
  get empty(): boolean {
    return this.logs.length === 0;
  }

  /** Takes a commit in, or says that it is full. The first always fits. */
  take(pending: Pending): boolean {
    const full = this.#bytes + pending.bytes > ATOMIC_BYTES || this.#mutations + pending.mutations > ATOMIC_MUTATIONS;
    if (full && this.answers.length > 0) return false;
    const answer = this.#refusal(pending) ?? this.#accept(pending);
    this.answers.push({ pending, answer });
    return true;
  }

  #refusal({ changes }: Pending): Answer | undefined {
    for (const [index, { key, expect }] of changes.entries()) {
      if (expect === undefined) continue;
      const over = this.#overlay.get(key);
      const found = over ? undefined : this.state.index.at(key, this.state.revision);
      const current = over ? (over.value ? over.revision : 0) : found?.revision ?? 0;
      if (current === expect) continue;
      if (over?.value) return { ok: false, index, stands: { key, revision: over.revision, value: over.value } };
      return found ? { ok: false, index, found } : { ok: false, index };
    }
    return undefined;
  }

  #accept({ changes, blobs, notes, bytes, mutations }: Pending): Answer {
    this.#bytes += bytes;
    this.#mutations += mutations;
    const revisions = changes.map((change, i) => this.#add(change, blobs[i], notes !== undefined));
    this.deletes.push(...notes ?? []);
    return { ok: true, revisions };
  }

  #add({ key, value, expiresAt, note }: Change, blob: Blob | undefined, ahead: boolean): Revision {
    if (value === null && !this.#stands(key)) return this.revision;
    const revision = ++this.revision;
    this.#overlay.set(key, { revision, value });
    this.committed.push(note === undefined ? { key, revision, value } : { key, revision, value, note });
    if (value === null) this.#write(deleteRecord(key, revision), 0);
    else {
      const [kind, payload] = blob ? [KIND.blob, blob.payload] : [KIND.put, value];
      this.#write({ kind, revision, expiresAt: expiresAt ?? 0, key, payload }, blob?.ref.length ?? 0);
    }
    if (blob && !ahead) pieceKeys(blob.ref).forEach((piece, i) => this.sets.push([piece, blob.pieces[i]!]));
    return revision;
  }

  #stands(key: string): boolean {
    const over = this.#overlay.get(key);
    return over ? over.value !== null : this.state.index.at(key, this.state.revision) !== undefined;
  }

  #write(record: NewRecord, blobBytes: number): void {
    const bytes = recordBytes(record.key, record.payload.length);
    let log = this.logs.at(-1);
    if (!log?.fits(bytes)) this.logs.push(log = new LogWriter(this.state.seq + this.logs.length + 1, LOG_BYTES));
    const { offset, length } = log.add(record);
    this.#placed.push({ record, log: this.logs.length - 1, offset, bytes: length + blobBytes });
  }

  /** The atomic was made: the state learns of it. `bytes` are the finished log values. */
  apply(bytes: readonly Uint8Array[]): void {
    const { state } = this;
    const segments = this.logs.map((log, i) => this.#segment(log, i, bytes[i]!));
    for (const { record, log, offset, bytes } of this.#placed) {
      const where = record.kind === KIND.delete ? null : { segment: segments[log]!, offset, bytes };
      state.index.set(record.key, record.revision, where);
      state.expiry.set(record.key, record.revision, record.expiresAt || undefined);
    }
    state.revision = this.revision;
    state.seq += this.logs.length;
    state.remember(this.committed.map(({ key, revision, value }) => ({ key, revision, value })));
  }

  #segment(log: LogWriter, i: number, bytes: Uint8Array): Segment {
    let total = 0;
    let pure = true;
    let last = 0;
    for (const placed of this.#placed) {
      if (placed.log !== i) continue;
      if (placed.record.kind === KIND.delete) pure = false;
      else total += placed.bytes;
      last = placed.record.revision;
    }
    const segment = { seq: log.seq, bytes: bytes.length, last, live: total, total, pure };
    this.state.segments.add(segment);
    this.state.cache.set(log.seq, bytes);
    return segment;
  }
}
