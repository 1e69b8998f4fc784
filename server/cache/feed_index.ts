/** Finds the feeds that an event can concern, without asking the others. */
import type { CachedEntry } from "./entry.ts";
import { Feed, type Selection } from "./feed.ts";
import type { HistoryEvent } from "./history.ts";

const none: readonly Feed[] = [];

/** The places feeds are looked up by; each feed is in the narrowest that its selection allows. */
export class FeedIndex {
  /** By slot; most slots have one feed, and an array of one is smaller than a set. */
  readonly #slots = new Map<string, Feed[]>();
  #count = 0;
  /** Fields by which feeds are placed, with the number of such feeds. */
  readonly #fields = new Map<string, number>();

  /** Number of feeds. */
  get size(): number {
    return this.#count;
  }

  /** The feed for a selection; `group` names its `matches`. */
  open(selection: Selection, group: string | undefined): Feed {
    const slot = slotOf(selection);
    const there = this.#slots.get(slot);
    const known = there?.find((feed) => isSame(feed, selection, group));
    if (known !== undefined) return known;
    const feed = new Feed(group, selection);
    if (there === undefined) this.#slots.set(slot, [feed]);
    else there.push(feed);
    this.#count++;
    this.#countField(selection, 1);
    return feed;
  }

  /** Removes a feed that has no readers. */
  close(feed: Feed): void {
    const slot = slotOf(feed.selection);
    const there = this.#slots.get(slot);
    const at = there?.indexOf(feed) ?? -1;
    if (there === undefined || at < 0) return;
    const last = there.pop()!;
    if (last !== feed) there[at] = last;
    if (there.length === 0) this.#slots.delete(slot);
    this.#count--;
    this.#countField(feed.selection, -1);
  }

  /** Calls for each feed that the event may concern, once. */
  visit(event: HistoryEvent, visit: (feed: Feed) => void): void {
    if (this.#count === 0) return;
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
    const feeds = this.#slots.get(slot) ?? none;
    // From the end: the feed visited may be closed meanwhile, which moves the last to its place.
    for (let i = feeds.length - 1; i >= 0; i--) visit(feeds[i]!);
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

/** Whether a feed serves a selection too. One whose `matches` has no name serves its own watcher only. */
function isSame(feed: Feed, wanted: Selection, group: string | undefined): boolean {
  const { namespace, name, field, matches } = feed.selection;
  if ((matches === undefined) !== (wanted.matches === undefined)) return false;
  if (matches !== undefined && matches !== wanted.matches && (group === undefined || feed.group !== group)) {
    return false;
  }
  return namespace === wanted.namespace && name === wanted.name && field?.name === wanted.field?.name &&
    field?.value === wanted.field?.value;
}
