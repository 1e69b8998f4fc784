/** Bearer tokens, which the API server knows (TokenReview). */
import { createHash } from "node:crypto";
import type { TokenReview } from "../../../schema/api/authentication.k8s.io_v1.ts";
import type { Product } from "../../../schema/product.ts";
import type { Api, Clock } from "../../types.ts";
import { AnswerCache } from "./cache.ts";
import { review } from "./review.ts";
import type { User } from "./types.ts";

const MAX_KEPT = 8_192;

/** Says whose a token is: undefined when it is nobody's. @throws Error when it cannot be told */
export type TokenReader = (token: string) => Promise<User | undefined>;

/** The reader. @param ttl how long an answer holds, ms */
export function tokenReader(parts: { api: Api; clock: Clock; product: Product }, ttl: number): TokenReader {
  const group = parts.product.local("authentication.k8s.io");
  const path = `/apis/${group}/v1/tokenreviews`;
  const known = new AnswerCache<User | undefined>(parts.clock, MAX_KEPT);
  return (token) =>
    known.get(createHash("sha256").update(token).digest("base64"), async () => {
      const body = { apiVersion: `${group}/v1`, kind: "TokenReview", spec: { token } };
      return { value: userOf(await review<TokenReview>(parts, path, body)), ms: ttl };
    });
}

/** @throws Error when the answer is none, but a fault */
function userOf({ status }: TokenReview): User | undefined {
  if (!status?.authenticated) {
    if (status?.error) throw new Error(status.error);
    return undefined;
  }
  const { username = "", uid, groups, extra } = status.user ?? {};
  return { name: username, groups: groups ?? [], ...(uid ? { uid } : {}), ...(extra ? { extra } : {}) };
}
