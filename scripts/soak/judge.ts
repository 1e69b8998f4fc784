/**
 * Judges a history of config maps: what clients were told, against what watches show.
 *
 * The order of all writes is that of `resourceVersion`. Each write carries a number that no other has (`data.n`) and the version it
 * replaced (`data.prev`, empty for a creation), so that each event of a watch can be held against the answer that its writer got and
 * against the event before it.
 */

/** A config map as the clients write it. */
export interface Item {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly resourceVersion?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly data?: Readonly<Record<string, string>>;
}

/** An event of a watch, bookmarks not among them. */
export interface Event {
  readonly type: string;
  readonly object: Item;
}

/** One version of an object: undefined when it is the deletion. */
interface Version {
  readonly rv: bigint;
  readonly item: Item | undefined;
}

/** Which objects a second watch or list selects. */
export type Selects = (item: Item) => boolean;

/** A list to be judged. */
interface Listed {
  readonly rv: bigint;
  readonly items: readonly Item[];
  readonly selects: Selects | undefined;
}

/** What a watch with a selector has to show, and what it showed: what both have is taken out. */
interface Due {
  readonly selects: Selects;
  readonly events: string[];
  readonly shown: string[];
}

/** What was judged. */
export interface Counts {
  events: number;
  lists: number;
  selected: number;
}

/** The version of an object. */
export const versionOf = (item: Item): bigint => BigInt(item.metadata.resourceVersion!);

const ALL = "*";

/** Hears answers and events; {@linkcode Judge.faults} has what does not fit. */
export class Judge {
  readonly faults: string[] = [];
  readonly counts: Counts = { events: 0, lists: 0, selected: 0 };
  /** Acknowledged puts that no event has shown, by version. */
  readonly #acked = new Map<bigint, Item>();
  /** Events whose writer has not been answered yet, by version. */
  readonly #shown = new Map<bigint, Item>();
  /** Numbers of puts whose outcome is not known. */
  readonly #unknown = new Set<string>();
  /** Acknowledged deletions less those shown, by name. */
  readonly #deletions = new Map<string, number>();
  readonly #unknownDeletions = new Set<string>();
  /** Versions of each object, in order; the newest at least. */
  readonly #versions = new Map<string, Version[]>();
  /** Newest acknowledged version of each object: a later read shows it or a newer one. */
  readonly #floors = new Map<string, bigint>();
  /** What selecting watches have to show next. */
  readonly #due = new Map<string, Due>();
  readonly #lists: Listed[] = [];
  #at = 0n;

  fault(text: string): void {
    if (this.faults.length < 200) this.faults.push(text);
  }

  /** A put was acknowledged. */
  put(item: Item): void {
    const rv = versionOf(item), { name } = item.metadata;
    this.raise(name, rv);
    const shown = this.#shown.get(rv);
    if (!shown) return void this.#acked.set(rv, item);
    this.#shown.delete(rv);
    this.#same(shown, item);
  }

  /** A deletion was acknowledged. */
  deleted(name: string): void {
    this.#count(name, 1);
  }

  /** Nobody knows what became of a put with this number. */
  unknownPut(n: string): void {
    this.#unknown.add(n);
    for (const [rv, item] of this.#shown) if (item.data?.n === n) this.#shown.delete(rv);
  }

  /** Nobody knows what became of a deletion. */
  unknownDeletion(name: string): void {
    this.#unknownDeletions.add(name);
  }

  /** Newest version of an object that somebody was told of; reads that begin now may not show an older one. */
  floor(name: string): bigint {
    return this.#floors.get(name) ?? 0n;
  }

  /** Somebody was told of a version. */
  raise(name: string, rv: bigint): void {
    if (rv > this.floor(name)) this.#floors.set(name, rv);
  }

  /** A watch with a selector will be heard by {@linkcode Judge.selected}; name it before the first event. */
  select(watch: string, selects: Selects): void {
    this.#due.set(watch, { selects, events: [], shown: [] });
  }

  /** The next event of the watch on all objects, which has to be heard from the first version on. */
  event({ type, object }: Event): void {
    this.counts.events++;
    const rv = versionOf(object), { name } = object.metadata;
    if (rv <= this.#at) this.fault(`an event goes back: ${name} at ${rv} after ${this.#at}`);
    this.#at = rv;
    const versions = this.#versions.get(name) ?? [];
    this.#versions.set(name, versions);
    const before = versions.at(-1)?.item;
    const item = type === "DELETED" ? undefined : object;
    const fits = { ADDED: !before, MODIFIED: Boolean(before), DELETED: Boolean(before) }[type];
    if (!fits) this.fault(`${type} of ${name} at ${rv}, which ${before ? "stands" : "is not there"}`);
    versions.push({ rv, item });
    if (item) this.#shownPut(rv, item, before);
    else this.#count(name, -1);
    for (const [watch, due] of this.#due) {
      const was = Boolean(before && due.selects(before)), is = Boolean(item && due.selects(item));
      const seen = was ? (is ? "MODIFIED" : "DELETED") : is ? "ADDED" : undefined;
      if (!seen) continue;
      due.events.push(textOf(seen, object));
      this.#meet(watch, due);
    }
    this.#judgeLists();
  }

  /** The watch on all objects has come as far as a version. */
  bookmark(rv: bigint): void {
    if (rv > this.#at) this.#at = rv;
    this.#judgeLists();
  }

  /** The next event of a watch with a selector. */
  selected(watch: string, { type, object }: Event): void {
    this.counts.selected++;
    const due = this.#due.get(watch)!;
    due.shown.push(textOf(type, object));
    this.#meet(watch, due);
  }

  /** A whole list at a version: judged as soon as the watch has come that far. */
  list(rv: bigint, items: readonly Item[], selects?: Selects): void {
    const names = items.map((i) => i.metadata.name);
    if (new Set(names).size !== names.length) this.fault(`a list at ${rv} has an object twice`);
    this.#lists.push({ rv, items, selects });
    this.#judgeLists();
  }

  /** How far the watch on all objects has come. */
  get at(): bigint {
    return this.#at;
  }

  /** Whether everything acknowledged was shown, and the other way round. */
  get settled(): boolean {
    return this.#acked.size === 0 && this.#shown.size === 0 && this.#lists.length === 0 &&
      [...this.#deletions.values()].every((n) => n === 0) &&
      [...this.#due.values()].every((d) => d.events.length === 0 && d.shown.length === 0);
  }

  /** Says what is left over. To be called when nothing is in flight and watches had time. */
  end(): void {
    for (const [rv, item] of this.#acked) {
      this.fault(`lost: ${item.metadata.name} at ${rv} was acknowledged, not shown`);
    }
    for (const [rv, item] of this.#shown) {
      this.fault(`phantom: ${item.metadata.name} at ${rv} was shown, not acknowledged`);
    }
    for (const [name, n] of this.#deletions) {
      if (n > 0) this.fault(`lost: ${n} deletions of ${name}`);
      if (n < 0 && !this.#unknownDeletions.has(name)) this.fault(`phantom: ${-n} deletions of ${name}`);
    }
    for (const [watch, due] of this.#due) {
      for (const e of due.events) this.fault(`lost: watch ${watch} did not show ${e}`);
      for (const e of due.shown) this.fault(`phantom: watch ${watch} showed ${e}`);
    }
    for (const { rv } of this.#lists) this.fault(`lost: the watch never came to the list at ${rv}`);
  }

  /** Forgets versions that no list which is judged from now on can show. */
  forget(before: bigint): void {
    for (const [name, versions] of this.#versions) {
      const keep = versions.findLastIndex((v) => v.rv <= before);
      if (keep > 0) versions.splice(0, keep);
      if (versions.length === 1 && !versions[0]!.item && versions[0]!.rv <= before) this.#versions.delete(name);
    }
  }

  #shownPut(rv: bigint, item: Item, before: Item | undefined): void {
    const prev = before?.metadata.resourceVersion ?? "", said = item.data?.prev;
    if (said !== undefined && said !== "?" && said !== prev) {
      this.fault(
        `${item.metadata.name} at ${rv} was written over ${said || "nothing"}, but follows ${prev || "nothing"}`,
      );
    }
    const acked = this.#acked.get(rv);
    if (acked) {
      this.#acked.delete(rv);
      this.#same(item, acked);
    } else if (!this.#unknown.has(item.data?.n ?? "")) this.#shown.set(rv, item);
  }

  #same(shown: Item, acked: Item): void {
    const texts = [shown, acked].map((i) => JSON.stringify([i.metadata.name, i.metadata.labels, i.data]));
    if (texts[0] !== texts[1]) this.fault(`shown ${texts[0]}, acknowledged ${texts[1]}`);
  }

  #count(name: string, by: number): void {
    this.#deletions.set(name, (this.#deletions.get(name) ?? 0) + by);
  }

  #meet(watch: string, due: Due): void {
    while (due.events.length && due.shown.length) {
      const event = due.events.shift()!, shown = due.shown.shift()!;
      if (event !== shown) this.fault(`watch ${watch} showed ${shown}, not ${event}`);
    }
  }

  #judgeLists(): void {
    for (let i = this.#lists.length - 1; i >= 0; i--) {
      if (this.#lists[i]!.rv > this.#at) continue;
      const { rv, items, selects } = this.#lists.splice(i, 1)[0]!;
      this.counts.lists++;
      const expected = new Map<string, string>();
      for (const [name, versions] of this.#versions) {
        const item = versions.findLast((v) => v.rv <= rv)?.item;
        if (item && (selects?.(item) ?? true)) expected.set(name, textOf(ALL, item));
      }
      for (const item of items) {
        const text = expected.get(item.metadata.name);
        expected.delete(item.metadata.name);
        if (text !== textOf(ALL, item)) this.fault(`list at ${rv} has ${textOf(ALL, item)}, not ${text ?? "nothing"}`);
      }
      for (const text of expected.values()) this.fault(`list at ${rv} misses ${text}`);
    }
  }
}

/** Type, name, version and number; a deletion shows what stood last, whose number an object that stops matching does not have. */
function textOf(type: string, { metadata, data }: Item): string {
  return `${type} ${metadata.name}@${metadata.resourceVersion}${type === "DELETED" ? "" : ` ${data?.n}`}`;
}
