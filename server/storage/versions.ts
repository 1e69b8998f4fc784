/**
 * The index of every backend that keeps its own log: key → newest version, older versions behind it until compacted.
 *
 * | operation | cost |
 * |---|---|
 * | newest, at a revision | O(log keys + versions of the key) |
 * | set | O(log keys) for a new key |
 * | range | O(log keys + keys passed) |
 * | compact | O(versions dropped), in steps |
 */
import BTree from "sorted-btree";
import type { RangePage, Revision } from "./backend.ts";
import { compareUnits, orderKey } from "../../schema/values/utf8.ts";

/** One version of a key. `where` is the backend's way to the value; null: deleted by this version. */
export interface Version<W> {
  readonly revision: Revision;
  readonly where: W | null;
  readonly older: Version<W> | undefined;
}

/** A key with its newest version. Changed in place: hold {@linkcode Found} across awaits instead. */
interface Entry<W> {
  readonly key: string;
  revision: Revision;
  where: W | null;
  older: Version<W> | undefined;
  /** Revision of the oldest version that is left. */
  oldest: Revision;
}

/** A version that was found to stand at the revision asked for. */
export interface Found<W> {
  readonly key: string;
  readonly revision: Revision;
  readonly where: W;
}

/** {@linkcode VersionIndex} over `W`, the way to a value. */
export class VersionIndex<W> {
  /** By {@linkcode orderKey}, in the order in which the store tells keys. */
  readonly #tree = new BTree.default<string, Entry<W>>(undefined, compareUnits);
  #superseded: { readonly revision: Revision; readonly entry: Entry<W> }[] = [];
  #head = 0;

  /** @param dropped is told each version that compaction drops, and each value that stands no more. */
  constructor(readonly dropped: (where: W) => void = () => {}) {}

  /** Newest version of a key, deletions included. */
  newest(key: string): { readonly revision: Revision; readonly where: W | null } | undefined {
    return this.#tree.get(orderKey(key));
  }

  /** The key as of a revision. */
  at(key: string, revision: Revision): Found<W> | undefined {
    const entry = this.#tree.get(orderKey(key));
    return entry && visible(entry, revision);
  }

  /** Adds a version; revisions come in increasing order for each key. */
  set(key: string, revision: Revision, where: W | null): void {
    const order = orderKey(key);
    const entry = this.#tree.get(order);
    if (!entry) {
      const made: Entry<W> = { key, revision, where, older: undefined, oldest: revision };
      this.#tree.set(order, made);
      if (where === null) this.#superseded.push({ revision, entry: made });
      return;
    }
    entry.older = { revision: entry.revision, where: entry.where, older: entry.older };
    entry.revision = revision;
    entry.where = where;
    this.#superseded.push({ revision, entry });
  }

  /** Points a version to another place when it is still there. False when it is not. */
  move(key: string, revision: Revision, where: W): boolean {
    const entry = this.#tree.get(orderKey(key));
    if (entry?.revision === revision) {
      entry.where = where;
      return true;
    }
    for (let v = entry?.older; v; v = v.older) {
      if (v.revision !== revision) continue;
      (v as { where: W | null }).where = where;
      return true;
    }
    return false;
  }

  /** Whether the version at `here` is still needed, and if a deletion of the key came after it. */
  standing(key: string, revision: Revision, here: (where: W) => boolean): "yes" | "no" | "elsewhere" | "deleted since" {
    const entry = this.#tree.get(orderKey(key));
    // Of a key that is written often most are gone, and many are newer.
    if (!entry || entry.oldest > revision) return "no";
    let deleted = false;
    let v: { revision: Revision; where: W | null; older: Version<W> | undefined } | undefined;
    for (v = entry; v && v.revision > revision; v = v.older) deleted ||= v.where === null;
    if (v?.revision !== revision || v.where === null) return "no";
    if (!here(v.where)) return "elsewhere";
    return deleted ? "deleted since" : "yes";
  }

  /** Keys under `prefix` that stand at `revision`. With `count` all that follow are passed, too. */
  range(
    prefix: string,
    revision: Revision,
    { after, limit = Infinity, count = false }: Omit<RangePage, "at"> = {},
  ): { readonly found: Found<W>[]; readonly more: boolean; readonly left?: number } {
    const found: Found<W>[] = [];
    let left = 0;
    const told = () => ({ found, more: left > 0, ...(count ? { left } : {}) });
    const last = this.#tree.maxKey();
    if (last === undefined) return told();
    const start = orderKey(prefix);
    const next = after === undefined ? start : orderKey(after) + "\0";
    const low = next > start ? next : start;
    if (low > last) return told();
    this.#tree.forRange(low, last, true, (order, entry) => {
      if (!order.startsWith(start)) return { break: true };
      const hit = visible(entry, revision);
      if (!hit) return undefined;
      if (found.length < limit) found.push(hit);
      else if (left++ === 0 && !count) return { break: true };
      return undefined;
    });
    return told();
  }

  /** Drops at most `steps` of the versions that no read at `below` or later sees. True when none is left. */
  compact(below: Revision, steps = Infinity): boolean {
    for (; this.#head < this.#superseded.length; this.#head++, steps--) {
      const { revision, entry } = this.#superseded[this.#head]!;
      if (revision > below) break;
      if (steps <= 0) return false;
      // What a later version than this one allows to drop may be dropped already.
      if (entry.oldest < revision || entry.revision === revision) this.#prune(entry, below);
    }
    if (this.#head > 1024 && this.#head * 2 > this.#superseded.length) {
      this.#superseded = this.#superseded.slice(this.#head);
      this.#head = 0;
    }
    return true;
  }

  #prune(entry: Entry<W>, below: Revision): void {
    let oldest: { revision: Revision; older: Version<W> | undefined } = entry;
    while (oldest.revision > below && oldest.older) oldest = oldest.older as { revision: Revision; older: Version<W> };
    for (let v = oldest.older; v; v = v.older) if (v.where !== null) this.dropped(v.where);
    oldest.older = undefined;
    entry.oldest = oldest.revision;
    if (oldest !== entry || entry.where !== null) return;
    const order = orderKey(entry.key);
    if (this.#tree.get(order) === entry) this.#tree.delete(order);
  }
}

function visible<W>(entry: Entry<W>, revision: Revision): Found<W> | undefined {
  if (entry.revision <= revision) {
    return entry.where === null ? undefined : { key: entry.key, revision: entry.revision, where: entry.where };
  }
  let v = entry.older;
  while (v && v.revision > revision) v = v.older;
  return v && v.where !== null ? { key: entry.key, revision: v.revision, where: v.where } : undefined;
}
