/** How far a cluster is compacted when somebody else has done it: a range is only refused, a watch is told. */
import type { Revision } from "../backend.ts";
import type { Cluster } from "./cluster.ts";
import { Feed } from "./feed.ts";

/** Longest wait for the answer, ms. */
const WITHIN = 5_000;

/** The revision that a cluster is compacted to, where `at` lies before it; undefined when it does not say. */
export async function compactedTo(
  cluster: Cluster,
  range: readonly [Uint8Array, Uint8Array],
  at: Revision,
): Promise<Revision | undefined> {
  const told = Promise.withResolvers<Revision | undefined>();
  const timer = setTimeout(() => told.resolve(undefined), WITHIN);
  const feed = new Feed(cluster, range, at - 1, {
    events: () => told.resolve(undefined),
    compacted: (revision) => told.resolve(revision),
  }, async () => {});
  try {
    return await told.promise;
  } finally {
    clearTimeout(timer);
    feed.stop();
  }
}
