/**
 * One version of one object, as bytes.
 *
 * The stored bytes are always kept: an update, an unusual form or a fact can be had from them at any time. Other forms are
 * made on first demand, or come with the write, and live in the {@linkcode FormPool}'s budget. Facts are read when first
 * asked for, so that a resource nobody selects in is never decoded.
 */
import type { FormOwner, FormPool, KeptForm } from "./form_pool.ts";
import { internal, internalOf, type StatusError } from "../../schema/status.ts";
import { unreadableReason } from "../storage/unreadable.ts";
import { bytesOf, type Slab, slabOf, type Tenant } from "./slabs.ts";
import type { Entry, EntryCodec, Facts, Form, Obj, WriteNote } from "./types.ts";

/** What all entries of a resource share. */
export interface EntryContext {
  readonly codec: EntryCodec;
  readonly pool: FormPool;
}

const nothing: Readonly<Record<string, string>> = Object.freeze({});
const unknown: Facts = Object.freeze({ uid: "" });

/** Heap of an entry beside its bytes: object, key, facts, array headers. An estimate for budgets. */
export const entryOverhead = 450;

/** See the top of the file. */
export class CachedEntry implements Entry, FormOwner, Tenant {
  #facts: Facts | undefined;
  /** null once released: forms are made, but not kept. */
  #forms: KeptForm | undefined | null;
  #shared: WeakRef<Obj> | undefined;
  #error: StatusError | undefined;

  private constructor(
    readonly context: EntryContext,
    readonly key: string,
    readonly namespace: string,
    readonly revision: number,
    public slab: Slab,
    public offset: number,
    readonly length: number,
    /** The bytes are its own to free. */
    readonly owning: boolean,
    stored?: Uint8Array,
  ) {
    const why = stored && unreadableReason(stored);
    if (why !== undefined) this.#error = internal(why);
  }

  /** An entry of a cache: its bytes are copied into the slabs. */
  static cached(
    context: EntryContext,
    key: string,
    namespace: string,
    revision: number,
    stored: Uint8Array,
  ): CachedEntry {
    const slabs = context.pool.stored;
    const { slab, offset } = slabs.place(stored);
    const entry = new CachedEntry(context, key, namespace, revision, slab, offset, stored.length, true, stored);
    slabs.settle(entry);
    return entry;
  }

  /** An entry beside the caches: nothing of it is kept. */
  static alone(
    context: EntryContext,
    key: string,
    namespace: string,
    revision: number,
    stored: Uint8Array,
  ): CachedEntry {
    const entry = new CachedEntry(context, key, namespace, revision, slabOf(stored), 0, stored.length, false, stored);
    entry.#forms = null;
    return entry;
  }

  /** Takes over what the writer knows: facts and one form. */
  learn(note: WriteNote): void {
    if (note.object !== undefined) this.#facts = this.context.codec.facts(note.object);
    if (note.json !== undefined) this.#keep(note.json.form.key, note.json.make(this.revision), true);
  }

  /** The same state shown at a later revision: the last state of what was deleted or stopped matching. */
  at(revision: number): CachedEntry {
    const { context, key, namespace, slab, offset, length } = this;
    const entry = new CachedEntry(context, key, namespace, revision, slab, offset, length, false);
    entry.#facts = this.#facts;
    entry.#error = this.#error;
    return entry;
  }

  /** Gives its bytes back to the budgets. It stays usable by who still holds it. */
  release(): void {
    if (this.#forms === null) return;
    const { pool } = this.context;
    for (let kept = this.#forms; kept !== undefined; kept = kept.sibling) pool.remove(kept);
    this.#forms = null;
    if (this.owning) pool.stored.free(this);
  }

  get freed(): boolean {
    return this.#forms === null;
  }

  get size(): number {
    return this.length;
  }

  get stored(): Uint8Array {
    return bytesOf(this);
  }

  get name(): string {
    return this.namespace === "" ? this.key : this.key.slice(this.namespace.length + 1);
  }

  get uid(): string {
    return this.#known().uid;
  }

  get labels(): Readonly<Record<string, string>> {
    return this.#known().labels ?? nothing;
  }

  get fields(): Readonly<Record<string, string>> {
    return this.#known().fields ?? nothing;
  }

  get error(): StatusError | undefined {
    return this.#error;
  }

  bytes(form: Form, passing = false): Uint8Array {
    const kept = this.#kept(form.key);
    if (kept === undefined) {
      const bytes = this.#encode(form);
      this.#keep(form.key, bytes, passing);
      return bytes;
    }
    if (!passing) kept.used = true;
    return bytesOf(kept);
  }

  made(form: Form): Uint8Array {
    const kept = this.#kept(form.key);
    return kept ? bytesOf(kept) : this.#encode(form);
  }

  object(): Obj {
    return this.#guard(() => this.context.codec.decode(this.stored, this.revision));
  }

  peek(): Obj {
    const shared = this.#shared?.deref();
    if (shared !== undefined) return shared;
    const object = this.object();
    this.#shared = new WeakRef(object);
    return object;
  }

  readable(): Obj | undefined {
    try {
      return this.peek();
    } catch {
      return undefined;
    }
  }

  /** What has no such form can be had in others: only what cannot be decoded is remembered. */
  #encode(form: Form): Uint8Array {
    const object = this.#shared?.deref() ?? this.object();
    try {
      return this.context.codec.encode(object, form);
    } catch (cause) {
      throw asInternal(cause);
    }
  }

  #known(): Facts {
    return this.#facts ??= this.#readFacts();
  }

  /** An object that cannot be decoded has no facts: it matches no selector but the empty one. */
  #readFacts(): Facts {
    try {
      return this.#guard(() => this.context.codec.facts(this.#shared?.deref() ?? this.object()));
    } catch {
      return unknown;
    }
  }

  #guard<T>(read: () => T): T {
    if (this.#error !== undefined) throw this.#error;
    try {
      return read();
    } catch (cause) {
      throw this.#error = asInternal(cause);
    }
  }

  #kept(form: string): KeptForm | undefined {
    for (let kept = this.#forms; kept !== undefined && kept !== null; kept = kept.sibling) {
      if (kept.form === form) return kept;
    }
    return undefined;
  }

  #keep(form: string, bytes: Uint8Array, passing: boolean): void {
    if (this.#forms === null) return;
    const { pool } = this.context;
    this.#forms = pool.keep(this, form, bytes, this.#forms, passing);
    pool.shrink();
  }

  /** Takes one form out of the list. */
  forget(form: KeptForm): void {
    let last: KeptForm | undefined;
    for (let kept = this.#forms; kept !== undefined && kept !== null; last = kept, kept = kept.sibling) {
      if (kept !== form) continue;
      if (last === undefined) this.#forms = kept.sibling;
      else last.sibling = kept.sibling;
      return;
    }
  }
}

function asInternal(cause: unknown): StatusError {
  return internalOf(cause instanceof Error ? cause : new Error(String(cause)));
}
