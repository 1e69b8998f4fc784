/** Reads: places come from the index, values from the log values they lie in. */
import {
  type ChangeBatch,
  type Committed,
  type RangePage,
  type RangeRead,
  type Revision,
  RevisionError,
  StorageError,
  type Stored,
} from "../backend.ts";
import { standIn } from "../unreadable.ts";
import type { Found } from "../versions.ts";
import type { Core } from "./core.ts";
import type { Answer } from "./draft.ts";
import { KEYS } from "./layout.ts";
import { KIND, readLog, readRecord } from "./record.ts";
import type { Segment, Where } from "./segments.ts";
import { loggedOf, whereOf } from "./state.ts";

/** How often a value is looked for again that was moved while it was read. */
const TRIES = 20;
/** Log values read at once by a range: what it holds besides its answer is at most 1.2 MB. */
const AT_ONCE = 20;
/** Ranges over more log values do not go through the cache. */
const CACHED = 50;

/** A log value, and which of what was found lie in it. */
type Group = readonly [segment: Segment, indexes: readonly number[]];

/** See the top of the file. */
export class Reader {
  constructor(readonly core: Core) {}

  async get(key: string, at?: Revision): Promise<Stored | undefined> {
    const revision = await this.#revision(at);
    const found = this.core.state.index.at(key, revision);
    return found && await this.#stored(found, revision, at === undefined);
  }

  async range(prefix: string, page: RangePage): Promise<RangeRead> {
    for (let i = 0;; i++) {
      const revision = await this.#revision(page.at);
      const { found, ...rest } = this.core.state.index.range(prefix, revision, page);
      try {
        return { revision, items: await this.#values(found, revision), ...rest };
      } catch (error) {
        // Compacted while it was read: who did not ask for that revision gets a newer one.
        if (page.at !== undefined || i >= TRIES || !(error instanceof RevisionError)) throw error;
      }
    }
  }

  /** What a refused commit found. */
  async stands(answer: Answer & { ok: false }): Promise<Stored | undefined> {
    if (answer.stands || !answer.found) return answer.stands;
    return await this.#stored(answer.found, answer.found.revision, true);
  }

  /** The revision to read at, checked. */
  async #revision(at: Revision | undefined): Promise<Revision> {
    const { core } = this;
    core.open();
    if (!core.sole && (at === undefined || at > core.state.revision)) await core.fresh();
    this.#check(at ?? core.state.revision);
    return at ?? core.state.revision;
  }

  #check(at: Revision): void {
    const { compacted, revision } = this.core.state;
    if (at < compacted) throw new RevisionError("compacted", at, revision);
    if (at > revision) throw new RevisionError("future", at, revision);
  }

  /** @param lastKnown when the version is compacted meanwhile, what stands now will do */
  async #stored(found: Found<Where>, at: Revision, lastKnown = false): Promise<Stored | undefined> {
    const { key } = found;
    let place: Found<Where> | undefined = found;
    for (let i = 0; i < TRIES; i++) {
      const value: Uint8Array | undefined = await this.core.valueOrGone(place.where, key);
      if (value) return { key, revision: place.revision, value };
      // It is being moved, or compacted: the index knows of both then.
      await this.core.fresh();
      if (lastKnown) at = this.core.state.revision;
      else this.#check(at);
      place = this.core.state.index.at(key, at);
      if (!place) return undefined;
    }
    throw new StorageError("corrupt", `the value of key ${key} is lost`);
  }

  /** See Backend.expiresAt. What stands still is in the index; of what does not, the record tells. */
  async expiresAt(key: string, at: Revision): Promise<number | undefined> {
    const revision = await this.#revision(at);
    for (let i = 0; i < TRIES; i++) {
      this.#check(revision);
      const { state, store } = this.core;
      const found = state.index.at(key, revision);
      if (!found) return undefined;
      if (state.index.newest(key)?.revision === found.revision) return state.expiry.get(key);
      const { segment: { seq }, offset } = found.where;
      const bytes = state.cache.get(seq) ?? (await store.bytes([KEYS.log(seq)]))[0];
      if (bytes) return readRecord(bytes, seq, offset, key).expiresAt || undefined;
      await this.core.fresh();
    }
    throw new StorageError("corrupt", `the value of key ${key} is lost`);
  }

  async scan(
    prefix: string,
    take: (items: readonly Stored[]) => void | Promise<void>,
    at?: Revision,
  ): Promise<Revision> {
    const revision = await this.#revision(at);
    const { found } = this.core.state.index.range(prefix, revision);
    const groups = bySegment(found).sort(([a], [b]) => a.seq - b.seq);
    for (let from = 0; from < groups.length; from += AT_ONCE) {
      const items: Stored[] = [];
      await this.#some(groups.slice(from, from + AT_ONCE), found, revision, "views", (one) => items.push(one));
      await take(items);
    }
    return revision;
  }

  /** Values of many, each log value read once. */
  async #values(found: readonly Found<Where>[], at: Revision): Promise<Stored[]> {
    const out = new Array<Stored | undefined>(found.length);
    const groups = bySegment(found);
    for (let from = 0; from < groups.length; from += AT_ONCE) {
      const some = groups.slice(from, from + AT_ONCE);
      await this.#some(some, found, at, groups.length <= CACHED ? "kept" : "copies", (one, i) => out[i] = one);
    }
    return out.filter((one) => one !== undefined);
  }

  async #some(
    groups: readonly Group[],
    found: readonly Found<Where>[],
    at: Revision,
    how: "views" | "copies" | "kept",
    put: (stored: Stored, index: number) => void,
  ): Promise<void> {
    const { cache } = this.core.state;
    const missing = groups.filter(([segment]) => !cache.get(segment.seq)).map(([segment]) => segment.seq);
    const read = await this.core.store.bytes(missing.map(KEYS.log));
    const fetched = new Map(missing.map((seq, i) => [seq, read[i]]));
    for (const [segment, indexes] of groups) {
      const bytes = fetched.get(segment.seq) ?? cache.get(segment.seq);
      if (bytes && how === "kept") cache.set(segment.seq, bytes);
      for (const i of indexes) {
        const { key, revision, where } = found[i]!;
        let stored: Stored | undefined;
        try {
          const held = bytes &&
            (how === "views" ? this.core.viewIn(bytes, where, key) : this.core.valueIn(bytes, where, key));
          const value = held instanceof Promise ? await held : held;
          stored = value ? { key, revision, value } : await this.#stored(found[i]!, at);
        } catch (error) {
          stored = { key, revision, value: standIn(error) };
        }
        if (stored) put(stored, i);
      }
    }
  }

  async changes(
    prefix: string,
    since: Revision,
    deliver: (batch: ChangeBatch) => void,
    signal: AbortSignal,
  ): Promise<void> {
    await this.#revision(since);
    let cursor = since;
    while (!signal.aborted) {
      const { state, hub } = this.core;
      if (cursor < state.tail.start) {
        cursor = await this.#replay(prefix, cursor, deliver, signal);
        continue;
      }
      const from = cursor;
      return await hub.follow(prefix, from, deliver, signal, () => {
        this.#check(from);
        // What another process has done is in the index before it can be told.
        const { tail, revision } = this.core.state;
        if (from < tail.start) throw new RevisionError("compacted", from, revision);
        return { changes: tail.after(from), revision: tail.end };
      });
    }
  }

  /** Delivers the changes of the next log value after a revision. Says how far it came. */
  async #replay(
    prefix: string,
    since: Revision,
    deliver: (batch: ChangeBatch) => void,
    signal: AbortSignal,
  ): Promise<Revision> {
    const { state, store } = this.core;
    for (const segment of state.segments) {
      if (segment.last <= since) continue;
      this.#check(since);
      const bytes = state.cache.get(segment.seq) ?? (await store.bytes([KEYS.log(segment.seq)]))[0];
      if (!bytes) {
        await this.core.fresh();
        this.#check(since);
        throw new StorageError("corrupt", `log value ${segment.seq} of the store is lost`);
      }
      const changes = await this.#changesIn(bytes, segment, prefix, since);
      if (signal.aborted) return segment.last;
      deliver({ changes, revision: segment.last });
      return segment.last;
    }
    return state.tail.start;
  }

  async #changesIn(bytes: Uint8Array, segment: Segment, prefix: string, since: Revision): Promise<Committed[]> {
    const out: Committed[] = [];
    for (const record of readLog(bytes, segment.seq)) {
      if (record.moved || record.revision <= since || !record.key.startsWith(prefix)) continue;
      const where = record.kind === KIND.delete ? null : whereOf(record, segment);
      const { key, revision, value, blob } = loggedOf(record, where);
      if (!blob) out.push({ key, revision, value });
      else {
        const whole = await Promise.resolve(this.core.valueIn(bytes, blob, key)).catch(standIn);
        if (!whole) throw new RevisionError("compacted", since, this.core.state.revision);
        out.push({ key, revision, value: whole });
      }
    }
    return out;
  }
}

function bySegment(found: readonly Found<Where>[]): Group[] {
  const groups = new Map<Segment, number[]>();
  for (const [i, { where }] of found.entries()) {
    const there = groups.get(where.segment);
    if (there) there.push(i);
    else groups.set(where.segment, [i]);
  }
  return [...groups];
}
