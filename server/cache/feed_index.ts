/** Finds the feeds that an event can concern, without asking the others. */
import type { CachedEntry } from "./entry.ts";
import { Feed, type Selection } from "./feed.ts";
import type { HistoryEvent } from "./history.ts";

const none: ReadonlySet<Feed> = new Set();

/** The places feeds are looked up by; each feed is in the narrowest that its selection allows. */
export class FeedIndex {
  /** Feeds that watchers can share, by the text of their selection. */
  readonly #shared = new Map<string, Feed>();
  readonly #feeds = new Set<Feed>();
  readonly #slots = new Map<string, Set<Feed>>();
  /** Fields by which feeds are placed, with the number of such feeds. */
  readonly #fields = new Map<string, number>();

  get feeds(): ReadonlySet<Feed> {
    return this.#feeds;
  }

  /** The feed for a selection; `group` names its `matches`. */
  open(selection: Selection, group: string | undefined): Feed {
    const key = keyOf(selection, group);
    const known = key === undefined ? undefined : this.#shared.get(key);
    if (known !== undefined) return known;
    const feed = new Feed(key, selection);
    if (key !== undefined) this.#shared.set(key, feed);
    this.#feeds.add(feed);
    const slot = slotOf(selection);
    const feeds = this.#slots.get(slot);
    if (feeds === undefined) this.#slots.set(slot, new Set([feed]));
    else feeds.add(feed);
    this.#countField(selection, 1);
    return feed;
  }

  /** Removes a feed that has no readers. */
  close(feed: Feed): void {
    if (!this.#feeds.delete(feed)) return;
    if (feed.key !== undefined) this.#shared.delete(feed.key);
    const slot = slotOf(feed.selection);
    const feeds = this.#slots.get(slot);
    feeds?.delete(feed);
    if (feeds?.size === 0) this.#slots.delete(slot);
    this.#countField(feed.selection, -1);
  }

  /** Calls for each feed that the event may concern, once. */
  visit(event: HistoryEvent, visit: (feed: Feed) => void): void {
    if (this.#feeds.size === 0) return;
    const { entry } = event;
    this.#each(all, visit);
    this.#each(`n${entry.namespace}`, visit);
    this.#each(`k${entry.key}`, visit);
    this.#each(`m${entry.name}`, visit);
    for (const field of this.#fields.keys()) this.#visitField(field, entry, event.previous, visit);
  }

  #visitField(field: string, entry: CachedEntry, previous: CachedEntry | undefined, visit: (feed: Feed) => void): void {
    const now = entry.fields[field] ?? "";
    const before = previous === undefined ? now : previous.fields[field] ?? "";
    this.#each(`f${field}\0${now}`, visit);
    if (before !== now) this.#each(`f${field}\0${before}`, visit);
  }

  #each(slot: string, visit: (feed: Feed) => void): void {
    for (const feed of this.#slots.get(slot) ?? none) visit(feed);
  }

  #countField(selection: Selection, by: number): void {
    if (selection.name !== undefined || selection.field === undefined) return;
    const count = (this.#fields.get(selection.field.name) ?? 0) + by;
    if (count === 0) this.#fields.delete(selection.field.name);
    else this.#fields.set(selection.field.name, count);
  }
}

const all = "*";

function slotOf({ namespace, name, field }: Selection): string {
  if (name !== undefined) return namespace === undefined ? `m${name}` : `k${namespace}/${name}`;
  if (field !== undefined) return `f${field.name}\0${field.value}`;
  return namespace === undefined ? all : `n${namespace}`;
}

/** Undefined when the selection cannot be shared: its `matches` has no name. */
function keyOf({ namespace, name, field, matches }: Selection, group: string | undefined): string | undefined {
  if (matches !== undefined && group === undefined) return undefined;
  return JSON.stringify([namespace, name, field?.name, field?.value, matches === undefined ? "" : group]);
}
