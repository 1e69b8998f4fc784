/** Bootstrap tokens `id.secret`: secrets of the system namespace (`--enable-bootstrap-token-auth`). */
import { createHash, timingSafeEqual } from "node:crypto";
import type { Obj } from "../../schema/model/types.ts";
import type { Product } from "../../schema/product.ts";
import { timeToSeconds } from "../../schema/values/time.ts";
import { ownAudiences, type TokenAuthenticator, TokenError } from "./token.ts";

/** What the method needs. */
export interface BootstrapTokenOptions {
  readonly product: Product;
  readonly apiAudiences: readonly string[];
  readonly now: () => number;
  /** A secret of the system namespace by name. */
  readonly secret: (name: string) => Obj | undefined | Promise<Obj | undefined>;
}

const FORM = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const GROUP = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
const DEFAULT_GROUP = "system:bootstrappers";

const equal = (a: string, b: string) => {
  const digest = (s: string) => createHash("sha256").update(s).digest();
  return timingSafeEqual(digest(a), digest(b));
};

function dataOf(secret: Obj, key: string): string {
  const value = (secret.data as Record<string, string> | undefined)?.[key];
  return value === undefined ? "" : new TextDecoder().decode(Uint8Array.fromBase64(value));
}

/** ms since the epoch; NaN for what is no time of the API, though the runtime reads many others. */
function endOf(text: string): number {
  try {
    const { seconds, nanos } = timeToSeconds(text);
    return seconds * 1000 + nanos / 1e6;
  } catch {
    return NaN;
  }
}

/** Why the secret makes no token; undefined when it does. */
function fault(secret: Obj, id: string, key: string, type: string, now: number): string | undefined {
  if (secret.metadata.deletionTimestamp) return "is being deleted";
  if (secret.type !== type) return `is not of type ${type}`;
  if (!equal(dataOf(secret, "token-secret"), key)) return "has another secret";
  if (dataOf(secret, "token-id") !== id) return "has another id";
  const expiration = dataOf(secret, "expiration");
  if (expiration !== "" && !(endOf(expiration) > now)) return "has expired, or its expiration is no time";
  if (dataOf(secret, "usage-bootstrap-authentication") !== "true") return "is not for authentication";
  return undefined;
}

/** @throws Error when a group is not one that bootstrap tokens may have */
function groupsOf(secret: Obj): string[] {
  const told = dataOf(secret, "auth-extra-groups"), extra = told === "" ? [] : told.split(",");
  const wrong = extra.find((g) => !GROUP.test(g));
  if (wrong !== undefined) throw new TokenError(`bootstrap token: the group ${JSON.stringify(wrong)} is not allowed`);
  return [...new Set([DEFAULT_GROUP, ...extra])].sort();
}

/** The kind of token. */
export function bootstrapTokens(options: BootstrapTokenOptions): TokenAuthenticator {
  const type = options.product.local("bootstrap.kubernetes.io/token");
  return {
    name: "bootstrap token",
    async authenticateToken(token, wanted) {
      const m = FORM.exec(token);
      if (!m) return undefined;
      const [, id, key] = m as unknown as [string, string, string];
      const secret = await options.secret(`bootstrap-token-${id}`);
      if (!secret || fault(secret, id, key, type, options.now()) !== undefined) return undefined;
      const audiences = ownAudiences(wanted, options.apiAudiences);
      if (audiences === false) return undefined;
      const user = { name: `system:bootstrap:${id}`, groups: groupsOf(secret) };
      return { user, ...(audiences ? { audiences } : {}) };
    },
  };
}
