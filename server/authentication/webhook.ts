/** Bearer tokens that a webhook knows: TokenReview, kept by token for a while. */
import type { Product } from "../../schema/product.ts";
import type { TokenCacheMetrics } from "../metrics/token_cache.ts";
import type { User } from "../request.ts";
import { commonAudiences, type TokenAuthenticator, TokenError } from "./token.ts";
import { cachedTokens } from "./token_cache.ts";
import { callWebhook, type PostJson, type RetryLimits } from "./webhook_client.ts";

/** What the method needs. */
export interface TokenWebhookOptions {
  readonly product: Product;
  readonly post: PostJson;
  /** `--authentication-token-webhook-version`. */
  readonly version: "v1" | "v1beta1";
  /** `--authentication-token-webhook-cache-ttl`, milliseconds. */
  readonly cacheTtl: number;
  readonly apiAudiences: readonly string[];
  readonly now: () => number;
  readonly retry?: RetryLimits;
  readonly counted?: TokenCacheMetrics | undefined;
}

interface Answer {
  readonly authenticated?: boolean;
  readonly user?: {
    username?: string | null;
    uid?: string | null;
    groups?: string[] | null;
    extra?: Record<string, string[] | null> | null;
  } | null;
  readonly audiences?: string[];
  readonly error?: string;
}

/** How long all that is asked about one token may take, ms: several requests may wait for it, and it ends with none of them. */
const SHARED_MS = 30_000;

/** The kind of token, with its cache. Both answers are kept: a webhook must not be asked for each bad token. */
export function webhookTokens(options: TokenWebhookOptions): TokenAuthenticator {
  const apiVersion = `${options.product.local("authentication.k8s.io")}/${options.version}`;
  const inner: TokenAuthenticator = {
    name: "token webhook",
    async authenticateToken(token, wanted) {
      const review = {
        apiVersion,
        kind: "TokenReview" as const,
        spec: { token, ...(wanted.length ? { audiences: wanted } : {}) },
      };
      const end = AbortSignal.timeout(SHARED_MS);
      const { status } = await callWebhook(options.post, review, options.retry, end) as { status?: Answer };
      return judge(status ?? {}, wanted, options.apiAudiences);
    },
  };
  const limits = { successTtl: options.cacheTtl, failureTtl: options.cacheTtl, entries: 4096 };
  return cachedTokens(inner, { now: options.now, limits, counted: options.counted });
}

function judge(status: Answer, wanted: readonly string[], own: readonly string[]) {
  // A webhook that knows nothing of audiences speaks for this server's own.
  const told = status.audiences?.length ? status.audiences : own;
  const audiences = commonAudiences(wanted, told);
  if (wanted.length && audiences.length === 0) return undefined;
  if (!status.authenticated) {
    if (status.error) throw new TokenError(status.error);
    return undefined;
  }
  const { username, uid, groups, extra } = status.user ?? {};
  const more = Object.fromEntries(Object.entries(extra ?? {}).map(([key, values]) => [key, values ?? []]));
  const user: User = {
    name: username ?? "",
    ...(uid ? { uid } : {}),
    groups: groups ?? [],
    ...(extra ? { extra: more } : {}),
  };
  return { user, ...(wanted.length ? { audiences } : {}) };
}
