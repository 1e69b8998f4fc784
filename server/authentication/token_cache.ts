/**
 * Answers about tokens, kept for a while by a keyed hash: tokens themselves are never kept. Errors are no answers: what could not
 * be asked now is asked again.
 */
import { createHash, randomBytes } from "node:crypto";
import type { TokenCacheMetrics } from "../metrics/token_cache.ts";
import type { Authenticated } from "./types.ts";
import type { TokenAuthenticator } from "./token.ts";

/** Bounds of a cache. Times in milliseconds; 0 keeps nothing. */
export interface TokenCacheLimits {
  readonly successTtl: number;
  readonly failureTtl: number;
  readonly entries: number;
}

/** Ten seconds keep a revoked token from being good for long; 4096 entries are about 2 MB. */
const TOKEN_CACHE_LIMITS: TokenCacheLimits = { successTtl: 10_000, failureTtl: 0, entries: 4096 };

/** What a cache goes by. */
export interface TokenCacheOptions {
  readonly now: () => number;
  readonly limits?: TokenCacheLimits;
  /** Absent: it is not counted. */
  readonly counted?: TokenCacheMetrics | undefined;
}

interface Entry {
  readonly at: number;
  readonly answer: Authenticated | undefined;
}

/** A token authenticator in front of another one. Calls in flight for the same token are joined. */
export function cachedTokens(
  inner: TokenAuthenticator,
  { now, limits = TOKEN_CACHE_LIMITS, counted }: TokenCacheOptions,
): TokenAuthenticator {
  // As a prefix: ids never leave here, so that nobody could lengthen one, and an HMAC takes four times as long.
  const key = randomBytes(32).toString("base64");
  const entries = new Map<string, Entry>();
  const inFlight = new Map<string, Promise<Authenticated | undefined>>();

  const ttlOf = (answer: Authenticated | undefined) => answer ? limits.successTtl : limits.failureTtl;
  const put = (id: string, answer: Authenticated | undefined) => {
    if (ttlOf(answer) <= 0) return;
    entries.delete(id);
    entries.set(id, { at: now(), answer });
    if (entries.size > limits.entries) entries.delete(entries.keys().next().value!);
  };

  const ask = async (id: string, token: string, audiences: readonly string[]) => {
    try {
      const asked = Promise.resolve(inner.authenticateToken(token, audiences));
      const answer = await (counted?.fetched(asked) ?? asked);
      put(id, answer);
      return answer;
    } finally {
      inFlight.delete(id);
    }
  };

  return {
    name: inner.name,
    authenticateToken(token, audiences) {
      const since = counted?.now() ?? 0;
      const id = createHash("sha256").update(key + JSON.stringify([token, ...audiences])).digest("base64");
      const known = entries.get(id);
      const age = known ? now() - known.at : -1;
      // A clock that was put back keeps nothing.
      if (known && age >= 0 && age < ttlOf(known.answer)) {
        counted?.hit(since);
        return known.answer;
      }
      let running = inFlight.get(id);
      if (!running) inFlight.set(id, running = ask(id, token, audiences));
      return counted?.missed(since, running) ?? running;
    },
  };
}
