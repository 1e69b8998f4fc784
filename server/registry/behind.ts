/** Waiting for a cache that is behind its store. */
import { type GroupResource, qualified, StatusError } from "../../schema/status.ts";
import type { ResourceCache } from "../cache/mod.ts";
import { type Cancellable, signalOf } from "../request.ts";

/** Longest wait, ms. */
const WAIT_MS = 10_000;

/**
 * Resolves when the cache has everything up to the revision, or who asked has gone.
 * @throws StatusError 504 when it does not get there: what it shows then may long be otherwise
 */
export async function caughtUp(
  cache: Pick<ResourceCache, "waitFor">,
  gr: GroupResource,
  revision: number,
  cancel: AbortSignal | Cancellable | undefined,
): Promise<void> {
  const signal = signalOf(cancel);
  if (await cache.waitFor(revision, WAIT_MS, signal) || signal?.aborted) return;
  const why = `Timeout: the watch cache of ${qualified(gr)} is behind its store`;
  throw new StatusError(504, "Timeout", why, { retryAfterSeconds: 1 });
}
