/**
 * Caches for a while, of a resource that is not cached: begun at the revision that somebody wants to watch from, ended
 * when nobody used them for a time.
 */
import type { ResourceCache } from "./resource_cache.ts";

/** One such cache. */
export interface Session {
  readonly cache: ResourceCache;
  /** Resolves when it is loaded. */
  readonly ready: Promise<void>;
  stop(): void;
  tick(): void;
}

/** A session lives so long after its last watch or use (ms). */
const idleMs = 30_000;

/** See the top of the file. */
export class Sessions {
  /** With the time of last use; the newest session last. */
  readonly #open = new Map<Session, number>();

  constructor(readonly begin: (startAt: number | undefined) => Session, readonly now: () => number) {}

  /** Number of sessions. */
  get size(): number {
    return this.#open.size;
  }

  /** A loaded cache that reaches back to `since`, if the store still does. */
  async open(since?: number): Promise<ResourceCache> {
    for (const session of [...this.#open.keys()].reverse()) {
      await session.ready;
      if (!session.cache.ready || (since !== undefined && session.cache.oldest > since)) continue;
      return this.#use(session);
    }
    const session = this.begin(since);
    this.#use(session);
    await session.ready;
    return session.cache;
  }

  /** Ends what nobody uses. */
  tick(): void {
    const now = this.now();
    for (const [session, used] of this.#open) {
      session.tick();
      if (session.cache.stats.watchers > 0) this.#open.set(session, now);
      else if (now - used > idleMs) this.#end(session);
    }
  }

  /** Ends all. */
  stop(): void {
    for (const session of [...this.#open.keys()]) this.#end(session);
  }

  #use(session: Session): ResourceCache {
    this.#open.set(session, this.now());
    return session.cache;
  }

  #end(session: Session): void {
    this.#open.delete(session);
    session.stop();
  }
}
