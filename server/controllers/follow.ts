/** Hearing of a resource's objects: all that there are, then every change. */
import type { Entry } from "../cache/mod.ts";
import type { Store } from "../registry/store.ts";

/** Hears of objects. `deleted`: the entry is the last state. Must be quick; runs inside the store's delivery. */
export type Follower = (entry: Entry, deleted: boolean, previous: Entry | undefined) => void;

/**
 * Calls `follower` for every object now, for each change, and for all of them again after the cache was loaded anew. Nobody tells
 * of what went away before that: then `loaded` is called. A cache that is closed is let go.
 */
export function follow(
  store: Store | undefined,
  signal: AbortSignal,
  follower: Follower,
  loaded: () => void = () => {},
): void {
  if (!store) return;
  const { cache } = store;
  // As with changes: one that cannot be read, as it came into the store past the servers, keeps nobody from the others.
  const tell = (entry: Entry) => {
    try {
      follower(entry, false, undefined);
    } catch (e) {
      cache.shared.onError(e instanceof Error ? e : new Error(String(e)), cache.id);
    }
  };
  const all = () => {
    if (!cache.ready || signal.aborted) return;
    for (const entry of cache.snapshot().range()) tell(entry);
    loaded();
  };
  const stop = cache.listen({
    changed: (entry, previous, deleted) => follower(entry, deleted, previous),
    // The cache is told of its readiness after it has told of its content.
    reset: () => void whenReady(),
  });
  const whenReady = () => {
    const timer = setInterval(() => {
      const closed = cache.readiness.state === "closed";
      if (!cache.ready && !signal.aborted && !closed) return;
      clearInterval(timer);
      if (closed) end();
      else all();
    }, 20);
  };
  const end = () => {
    stop();
    signal.removeEventListener("abort", end);
  };
  signal.addEventListener("abort", end, { once: true });
  if (cache.ready) all();
  else whenReady();
}
