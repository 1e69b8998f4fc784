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
    if (now < version.revision) throw tooLargeVersion(version.text, now);
  }
  const entry = await store.cache.store.get(namespace, name);
  if (!entry) throw store.missing(name);
  return entry;
}

/** A page as the store has it, and whether more follow. */
export interface StoredPage {
  readonly entries: readonly Entry[];
  readonly revision: number;
  readonly more: boolean;
}

/**
 * A page of a list that has a limit and selects nothing.
 * @throws CacheNotReady for any other list, StatusError 410, 504
 */
export async function pageFromStore(
  store: Store,
  namespace: string,
  ask: { limit: number; selective: boolean; version: ReadVersion; from: Continuation | undefined },
): Promise<StoredPage> {
  const { limit, version, from } = ask;
  if (limit <= 0 || ask.selective) throw new CacheNotReady(store.cache.id);
  const at = from ? from.revision : version.kind === "exact" ? version.revision : -1;
  const wanted = version.kind === "atLeast" || version.kind === "exact" ? version : undefined;
  const now = await store.ctx.backend.revision();
  if (wanted && now < wanted.revision) throw tooLargeVersion(wanted.text, now);
  try {
    return await store.cache.store.list({
      namespace,
      limit,
      ...(at < 0 ? {} : { at }),
      ...(from ? { after: from.after } : {}),
    });
  } catch (e) {
    if (!(e instanceof RevisionError)) throw e;
    if (e.kind === "future") throw tooLargeVersion(String(at), e.current);
    throw expired(`The resourceVersion for the provided list of ${qualified(store.gr)} is too old`);
  }
}
