/** The current objects of a resource, sorted, with indexes by a field or a label once somebody selects by it. */
import type { CachedEntry } from "./entry.ts";
import { type Keyed, SortedMap } from "./sorted_map.ts";

/** What an index finds entries by. Those without a value are not in it. */
export interface Indexer {
  readonly name: string;
  readonly of: (entry: CachedEntry) => string | undefined;
}

/** By a field; one that is not there counts as empty. */
export const byField = (name: string): Indexer => ({ name: `field ${name}`, of: (entry) => entry.fields[name] ?? "" });

/** By a label. */
export const byLabel = (name: string): Indexer => ({
  name: `label ${name}`,
  of: ({ labels }) => Object.hasOwn(labels, name) ? labels[name] : undefined,
});

/** An entry under its value. */
interface Indexed extends Keyed {
  readonly entry: CachedEntry;
}

interface Index {
  readonly of: Indexer["of"];
  readonly items: SortedMap<Indexed>;
}

/** See the top of the file. Clones are O(1). */
export class Contents {
  #entries = new SortedMap<CachedEntry>();
  #indexes: Map<string, Index> | undefined;

  get entries(): SortedMap<CachedEntry> {
    return this.#entries;
  }

  clone(): Contents {
    const copy = new Contents();
    copy.#entries = this.#entries.clone();
    if (this.#indexes) {
      copy.#indexes = new Map();
      for (const [name, { of, items }] of this.#indexes) copy.#indexes.set(name, { of, items: items.clone() });
    }
    return copy;
  }

  /** Puts an entry in, and returns the one it replaces. */
  set(entry: CachedEntry): CachedEntry | undefined {
    const previous = this.#entries.set(entry);
    for (const index of this.#indexes?.values() ?? []) {
      if (previous !== undefined) takeFrom(index, previous);
      addTo(index, entry);
    }
    return previous;
  }

  /** Takes an entry out. */
  delete(key: string): CachedEntry | undefined {
    const previous = this.#entries.delete(key);
    if (previous !== undefined) { for (const index of this.#indexes?.values() ?? []) takeFrom(index, previous); }
    return previous;
  }

  /** Builds an index if it is not there: O(n log n), and decodes what was not yet. */
  index({ name, of }: Indexer): void {
    if (this.#indexes?.has(name)) return;
    const index = { of, items: new SortedMap<Indexed>() };
    for (const entry of this.#entries.range()) addTo(index, entry);
    (this.#indexes ??= new Map()).set(name, index);
  }

  /** Forgets an index. */
  unindex(name: string): void {
    this.#indexes?.delete(name);
  }

  /** Entries with a value, in key order; undefined when there is no such index (yet). */
  find(name: string, value: string, from: string, until: string | undefined): Iterable<CachedEntry> | undefined {
    const items = this.#indexes?.get(name)?.items;
    return items &&
      entriesOf(items.range(`${value}\0${from}`, until === undefined ? `${value}\x01` : `${value}\0${until}`));
  }
}

function addTo(index: Index, entry: CachedEntry): void {
  const value = index.of(entry);
  if (value !== undefined) index.items.set({ key: `${value}\0${entry.key}`, entry });
}

function takeFrom(index: Index, entry: CachedEntry): void {
  const value = index.of(entry);
  if (value !== undefined) index.items.delete(`${value}\0${entry.key}`);
}

function* entriesOf(items: Iterable<Indexed>): Iterable<CachedEntry> {
  for (const item of items) yield item.entry;
}
