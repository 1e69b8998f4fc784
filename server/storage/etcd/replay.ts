/** Changes from long ago up to a point that is sure to come: a watch of its own. */
import { type Revision, RevisionError } from "../backend.ts";
import type { Cluster } from "./cluster.ts";
import { type Events, Feed } from "./feed.ts";

/**
 * Tells what came after `since`, in order; resolves when all up to `end`, the revision of a change in the range, has been
 * told, or when the signal aborts.
 * @throws RevisionError when it is compacted
 */
export async function replay(
  cluster: Cluster,
  range: readonly [Uint8Array, Uint8Array],
  since: Revision,
  end: Revision,
  told: (events: Events, revision: Revision) => void,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  const done = Promise.withResolvers<void>();
  const stop = () => done.resolve();
  signal.addEventListener("abort", stop, { once: true });
  const feed = new Feed(cluster, range, since, {
    events: (events, revision) => {
      if (signal.aborted) return;
      try {
        told(events.filter((event) => event.kv.modRevision <= end), Math.min(end, revision));
      } catch (error) {
        // At once: what comes after what was not taken must not be told.
        feed.stop();
        return done.reject(error);
      }
      if (revision >= end) done.resolve();
    },
    compacted: (at) => done.reject(new RevisionError("compacted", since, at)),
    behind: () => done.reject(new RevisionError("compacted", since, since)),
  }, async () => {});
  try {
    await done.promise;
  } finally {
    signal.removeEventListener("abort", stop);
    feed.stop();
  }
}
