/** The current objects of a resource, sorted, with an index by fields once somebody asked by field. */
import type { CachedEntry } from "./entry.ts";
import { type Keyed, SortedMap } from "./sorted_map.ts";

/** An entry under one of its fields' values. */
interface Indexed extends Keyed {
  readonly entry: CachedEntry;
}

/** See the top of the file. Clones are O(1). */
export class Contents {
  #entries = new SortedMap<CachedEntry>();
  #index: SortedMap<Indexed> | undefined;

  constructor(readonly indexFields: readonly string[]) {}

  get entries(): SortedMap<CachedEntry> {
    return this.#entries;
  }

  clone(): Contents {
    const copy = new Contents(this.indexFields);
    copy.#entries = this.#entries.clone();
    copy.#index = this.#index?.clone();
    return copy;
  }

  /** Puts an entry in, and returns the one it replaces. */
  set(entry: CachedEntry): CachedEntry | undefined {
    const previous = this.#entries.set(entry);
    if (this.#index !== undefined) {
      if (previous !== undefined) this.#unindex(this.#index, previous);
      this.#addTo(this.#index, entry);
    }
    return previous;
  }

  /** Takes an entry out. */
  delete(key: string): CachedEntry | undefined {
    const previous = this.#entries.delete(key);
    if (previous !== undefined && this.#index !== undefined) this.#unindex(this.#index, previous);
    return previous;
  }

  /** Builds the index if it is not there: O(n), and decodes what was not yet. */
  buildIndex(): void {
    if (this.#index !== undefined) return;
    const index = new SortedMap<Indexed>();
    for (const entry of this.#entries.range()) this.#addTo(index, entry);
    this.#index = index;
  }

  /** Entries by an indexed field, in key order; undefined when the field is not indexed (yet). */
  byField(name: string, value: string, from: string, until: string | undefined): Iterable<CachedEntry> | undefined {
    if (this.#index === undefined || !this.indexFields.includes(name)) return undefined;
    const start = `${name}\0${value}\0`;
    return entriesOf(this.#index.range(start + from, until === undefined ? `${name}\0${value}\x01` : start + until));
  }

  #addTo(index: SortedMap<Indexed>, entry: CachedEntry): void {
    for (const name of this.indexFields) {
      index.set({ key: `${name}\0${entry.fields[name] ?? ""}\0${entry.key}`, entry });
    }
  }

  #unindex(index: SortedMap<Indexed>, entry: CachedEntry): void {
    for (const name of this.indexFields) index.delete(`${name}\0${entry.fields[name] ?? ""}\0${entry.key}`);
  }
}

function* entriesOf(items: Iterable<Indexed>): Iterable<CachedEntry> {
  for (const item of items) yield item.entry;
}
