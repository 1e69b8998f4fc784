/** A resource as of one revision. */
import { byField, byLabel, type Contents } from "./contents.ts";
import type { CachedEntry } from "./entry.ts";
import { compareUtf8 } from "../../schema/values/utf8.ts";
import type { Entry, RangeQuery, Snapshot } from "./types.ts";

/** Hears of queries by a field that had no index, and of all by a label. */
export interface Asked {
  field(name: string): void;
  label(name: string): void;
}

/** A view of contents that do not change any more. */
export class CachedSnapshot implements Snapshot {
  constructor(
    readonly revision: number,
    readonly contents: Contents,
    readonly asked: Asked,
  ) {}

  get size(): number {
    return this.contents.entries.size;
  }

  count(namespace?: string): number {
    return this.countAfter("", namespace);
  }

  countAfter(after: string, namespace?: string): number {
    const { entries } = this.contents;
    const { from, until } = bounds({ after, ...(namespace === undefined ? {} : { namespace }) });
    const end = until === undefined ? entries.size : entries.rank(until);
    return Math.max(0, end - entries.rank(from));
  }

  get(namespace: string, name: string): Entry | undefined {
    return this.contents.entries.get(namespace === "" ? name : `${namespace}/${name}`);
  }

  range(query: RangeQuery = {}): Iterable<CachedEntry> {
    const { from, until } = bounds(query);
    const { contents } = this;
    const { field, label } = query;
    if (field !== undefined) {
      const found = contents.find(byField(field.name).name, field.value, from, until);
      if (found === undefined) this.asked.field(field.name);
      return found ?? having(contents.entries.range(from, until), field.name, field.value);
    }
    if (label !== undefined) this.asked.label(label.name);
    const found = label && contents.find(byLabel(label.name).name, label.value, from, until);
    return found ?? contents.entries.range(from, until);
  }
}

function* having(entries: Iterable<CachedEntry>, name: string, value: string): Iterable<CachedEntry> {
  for (const entry of entries) if ((entry.fields[name] ?? "") === value) yield entry;
}

/** First key, and the key that is past the last. */
function bounds(query: RangeQuery): { from: string; until: string | undefined } {
  const start = query.namespace === undefined || query.namespace === "" ? "" : `${query.namespace}/`;
  const prefixes = [start, query.prefix ?? ""];
  const froms = [...prefixes, query.after === undefined || query.after === "" ? "" : `${query.after}\0`];
  const untils = prefixes.map(past).filter((key) => key !== undefined);
  return { from: froms.reduce(later), until: untils.length === 0 ? undefined : untils.reduce(earlier) };
}

function later(a: string, b: string): string {
  return compareUtf8(a, b) > 0 ? a : b;
}

function earlier(a: string, b: string): string {
  return compareUtf8(a, b) < 0 ? a : b;
}

/** The first key after all that start so. Prefixes end in a usual character, so adding one to it is enough. */
function past(prefix: string): string | undefined {
  if (prefix === "") return undefined;
  const last = prefix.length - 1;
  return prefix.slice(0, last) + String.fromCharCode(prefix.charCodeAt(last) + 1);
}
