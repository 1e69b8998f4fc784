/** Reads past a watch cache that is not ready (specification, "Watch cache readiness"): single objects and limited lists. */
import { expired, qualified } from "../../schema/status.ts";
import { CacheNotReady, type Entry } from "../cache/mod.ts";
import type { Store } from "../registry/store.ts";
import { RevisionError } from "../storage/backend.ts";
import type { Continuation } from "./continue.ts";
import { type ReadVersion, tooLargeVersion } from "./versions.ts";

/** The object as the store has it. @throws StatusError 404, 504 for a version that the store has not reached */
export async function entryFromStore(
  store: Store,
  namespace: string,
  name: string,
  version: ReadVersion,
): Promise<Entry> {
  if (version.kind === "atLeast" || version.kind === "exact") {
    const now = await store.ctx.backend.revision();
    if (now < version.revision) throw tooLargeVersion(version.text, now, false);
  }
  const entry = await store.cache.store.get(namespace, name);
  if (!entry) throw store.missing(name);
  return entry;
}

/** A page as the store has it, and whether more follow. */
export interface StoredPage {
  readonly entries: readonly Entry[];
  /** How many were read for it. */
  readonly fetched: number;
  readonly revision: number;
  readonly more: boolean;
  /** How many follow, where nothing is selected. */
  readonly left?: number;
}

/** Keys read at once when a selection is looked for. */
const SCAN = 500;

/** What a page is asked for. */
export interface StoreAsk {
  readonly limit: number;
  readonly matches: ((e: Entry) => boolean) | undefined;
  readonly version: ReadVersion;
  readonly from: Continuation | undefined;
}

/**
 * A page from the store. While the cache is not ready only of a list that has a limit and selects nothing: others would
 * cost the store as much as loading the cache does. A resource whose reads always go to the store has no such bound, nor has
 * a list of an older version that the cache is not to give (gate `ListFromCacheSnapshot`, or the store was compacted past it).
 * @throws CacheNotReady, StatusError 410, 504
 */
export async function pageFromStore(store: Store, namespace: string, ask: StoreAsk): Promise<StoredPage> {
  const { limit, version, from } = ask;
  if (!store.cache.ready && !store.direct && (limit <= 0 || ask.matches)) throw new CacheNotReady(store.cache.id);
  const at = from ? from.revision : version.kind === "exact" ? version.revision : -1;
  const wanted = version.kind === "atLeast" || version.kind === "exact" ? version : undefined;
  const now = await store.ctx.backend.revision();
  if (wanted && now < wanted.revision) throw tooLargeVersion(wanted.text, now, false);
  try {
    return await scan(store, namespace, ask, at);
  } catch (e) {
    if (!(e instanceof RevisionError)) throw e;
    if (e.kind === "future") throw tooLargeVersion(String(at), e.current, false);
    throw expired(`The resourceVersion for the provided list of ${qualified(store.gr)} is too old`);
  }
}

/** A page as of a revision that the cache's history does not reach; undefined when the store has forgotten it too. */
export async function olderPage(
  store: Store,
  namespace: string,
  ask: StoreAsk,
  at: number,
): Promise<StoredPage | undefined> {
  try {
    return await scan(store, namespace, ask, at);
  } catch (e) {
    if (e instanceof RevisionError) return undefined;
    throw e;
  }
}

/** Goes through the store's keys until the page is full; `at` below 0 is the newest revision. */
async function scan(store: Store, namespace: string, ask: StoreAsk, at: number): Promise<StoredPage> {
  const { limit, matches } = ask, count = limit > 0 && !matches;
  const entries: Entry[] = [];
  let after = ask.from?.after, fetched = 0;
  for (;;) {
    // One more than the page: whether anything follows it is to be known.
    const size = matches || limit <= 0 ? SCAN : limit - entries.length + 1;
    const page = await store.cache.store.list({
      namespace,
      limit: size,
      count,
      ...(at < 0 ? {} : { at }),
      ...(after === undefined ? {} : { after }),
    });
    at = page.revision;
    fetched += page.entries.length;
    for (const entry of page.entries) {
      if (limit > 0 && entries.length === limit) {
        const left = page.left === undefined ? {} : { left: page.left + 1 };
        return { entries, fetched, revision: at, more: true, ...left };
      }
      if (!matches || matches(entry)) entries.push(entry);
    }
    const last = page.entries.at(-1);
    if (!page.more || !last) return { entries, fetched, revision: at, more: false };
    after = last.key;
  }
}
