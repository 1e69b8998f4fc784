/**
 * Reads of one resource past its cache: while it is not ready, for revisions older than its history, and of resources
 * that are to be read there (`--watch-cache-sizes=…#0`).
 */
import { type StoreOperation, timed } from "../storage/timing.ts";
import type { CachedEntry } from "./entry.ts";
import type { Shared } from "./shared.ts";
import type { Entry } from "./types.ts";

/** A page of a resource as the store has it, in key order, all of one revision. */
export interface StorePage {
  readonly revision: number;
  readonly entries: readonly Entry[];
  /** More follow. */
  readonly more: boolean;
  /** How many; there where it was asked for. */
  readonly left?: number;
}

/** What to read. */
export interface StoreQuery {
  readonly namespace?: string;
  /** Only keys after this one (exclusive; an entry's `key`). */
  readonly after?: string;
  readonly limit?: number;
  /** As of this revision; the newest without. */
  readonly at?: number;
  /** Tell how many follow. */
  readonly count?: boolean;
}

/** See the top of the file. Entries are not kept anywhere. */
export class StoreReader {
  constructor(
    readonly shared: Pick<Shared, "backend" | "timing" | "now">,
    readonly resource: { readonly id: string; readonly prefix: string },
    readonly entryOf: (key: string, stored: Uint8Array, revision: number) => CachedEntry,
  ) {}

  /** One object. @throws RevisionError, StorageError */
  async get(namespace: string, name: string): Promise<Entry | undefined> {
    const key = namespace === "" ? name : `${namespace}/${name}`;
    const stored = await this.#timed("get", ({ backend }) => backend.get(this.resource.prefix + key));
    return stored === undefined ? undefined : this.entryOf(key, stored.value, stored.revision);
  }

  /** A page. @throws RevisionError, StorageError */
  async list(query: StoreQuery = {}): Promise<StorePage> {
    const { namespace, after, ...rest } = query;
    const start = namespace === undefined || namespace === "" ? "" : `${namespace}/`;
    const { prefix } = this.resource;
    const { items, ...page } = await this.#timed("list", ({ backend }) =>
      backend.range(prefix + start, {
        ...(after === undefined || after === "" ? {} : { after: prefix + after }),
        ...rest,
      }));
    const entries = items.map((item) => this.entryOf(item.key.slice(prefix.length), item.value, item.revision));
    return { ...page, entries };
  }

  #timed<T>(operation: StoreOperation, work: (shared: Pick<Shared, "backend">) => Promise<T>): Promise<T> {
    const { shared } = this;
    return timed(shared.timing, shared.now, this.resource.id, operation, () => work(shared));
  }
}
