/** Watches in a version that takes a call to be made: events are converted as they come, once for all who watch that version. */
import { copyTree } from "../../schema/values/copy.ts";
import type { Kind, Obj } from "../../schema/model/types.ts";
import type { Scheme } from "../../schema/scheme.ts";
import type { Entry, Form, WatchBatch, Watcher, WatchEvent } from "../cache/mod.ts";
import type { ServedResource } from "../catalog/types.ts";
import { encodeForm } from "../registry/entry_codec.ts";
import { convertedSources } from "./shape.ts";

/** Converted events by what they were made of: by the event where it came alone, else by the list of them. */
const SHARED = new WeakMap<object, Map<Kind, Promise<readonly WatchEvent[]>>>();

/** Another watcher's events, in the version of a request. What cannot be converted ends the watch with an error. */
export class ConvertedWatcher implements Watcher {
  constructor(readonly scheme: Scheme, readonly served: ServedResource, readonly inner: Watcher) {}

  async next(): Promise<WatchBatch | undefined> {
    const batch = await this.inner.next();
    if (!batch) return undefined;
    const events = await this.#shared(batch.events);
    return events === batch.events ? batch : { ...batch, events };
  }

  close(): void {
    this.inner.close();
  }

  /** Nobody's leaving stops what others wait for: the call is bounded in time by itself. */
  #shared(events: readonly WatchEvent[]): Promise<readonly WatchEvent[]> {
    const of = events.length === 1 ? events[0]! : events, { kind } = this.served;
    let made = SHARED.get(of);
    if (!made) SHARED.set(of, made = new Map());
    const known = made.get(kind);
    if (known) return known;
    const work = this.#converted(events);
    made.set(kind, work);
    work.catch(() => made.delete(kind));
    return work;
  }

  async #converted(events: readonly WatchEvent[]): Promise<readonly WatchEvent[]> {
    const entries = events.flatMap((e) => e.type === "BOOKMARK" ? [] : [e.entry]);
    const sources = await convertedSources(this.served, entries, new AbortController().signal);
    if (sources.every((s, i) => s === entries[i])) return events;
    const next = sources.values();
    return events.map((event) => {
      if (event.type === "BOOKMARK") return event;
      const source = next.next().value!;
      return "revision" in source ? event : { ...event, entry: shown(this.scheme, event.entry, source.object) };
    });
  }
}

/**
 * Another watcher's events, of objects that a test on the object itself selects: one that begins to match comes as ADDED, one
 * that matches no more as DELETED, in its last state that did.
 */
export class SelectedWatcher implements Watcher {
  /** What the client has been shown, by key. */
  readonly #shown: Map<string, Entry>;

  private constructor(
    readonly scheme: Scheme,
    readonly inner: Watcher,
    readonly test: (object: Obj) => boolean,
    shown: Iterable<Entry>,
  ) {
    this.#shown = new Map([...shown].map((e) => [e.key, e]));
  }

  /** A watch whose client knows of some objects already. @throws StatusError 500 for what cannot be converted */
  static async after(
    scheme: Scheme,
    served: ServedResource,
    inner: Watcher,
    test: (object: Obj) => boolean,
    known: readonly Entry[],
  ): Promise<SelectedWatcher> {
    try {
      const sources = await convertedSources(served, known, new AbortController().signal);
      const entries = sources.map((s, i) => "revision" in s ? s : shown(scheme, known[i]!, s.object));
      return new SelectedWatcher(scheme, inner, test, entries.filter((e) => test(e.peek())));
    } catch (e) {
      inner.close();
      throw e;
    }
  }

  async next(): Promise<WatchBatch | undefined> {
    for (;;) {
      const batch = await this.inner.next();
      if (!batch) return undefined;
      const events = batch.events.flatMap((e) => this.#select(e));
      if (events.length > 0 || batch.error) return { ...batch, events };
    }
  }

  close(): void {
    this.inner.close();
  }

  #select(event: WatchEvent): WatchEvent[] {
    if (event.type === "BOOKMARK") return [event];
    const { entry, revision } = event, before = this.#shown.get(entry.key);
    if (event.type !== "DELETED" && this.test(entry.peek())) {
      this.#shown.set(entry.key, entry);
      return [{ ...event, type: before ? "MODIFIED" : "ADDED" }];
    }
    if (!before) return [];
    this.#shown.delete(entry.key);
    if (event.type === "DELETED") return [event];
    return [{
      type: "DELETED",
      revision,
      entry: shown(this.scheme, { ...factsOf(before), revision }, last(before, revision)),
    }];
  }
}

/** An object's last state, of another revision. */
function last(entry: Entry, revision: number): Obj {
  const object = entry.peek();
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
}

type EntryFacts = Omit<Entry, "bytes" | "made" | "object" | "peek" | "readable">;

const factsOf = (
  { key, namespace, name, revision, uid, labels, fields, stored, size, error }: EntryFacts,
): EntryFacts => ({ key, namespace, name, revision, uid, labels, fields, stored, size, error });

/** An entry that shows an object in place of its own. */
function shown(scheme: Scheme, entry: EntryFacts, object: Obj): Entry {
  const made = (form: Form) => encodeForm(scheme, object, form);
  return {
    ...factsOf(entry),
    bytes: made,
    made,
    object: () => copyTree(object),
    peek: () => object,
    readable: () => object,
  };
}
