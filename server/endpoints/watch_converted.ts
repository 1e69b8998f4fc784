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

/** An entry that shows an object in place of its own. */
function shown(scheme: Scheme, entry: Entry, object: Obj): Entry {
  const { key, namespace, name, revision, uid, labels, fields, stored, size, error } = entry;
  return {
    ...{ key, namespace, name, revision, uid, labels, fields, stored, size, error },
    bytes: (form: Form) => encodeForm(scheme, object, form),
    object: () => copyTree(object),
    peek: () => object,
  };
}
