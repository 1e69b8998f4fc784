/** Whether a user may ask the node for something. */
import type { SubjectAccessReview } from "../../../schema/api/authorization.k8s.io_v1.ts";
import type { Product } from "../../../schema/product.ts";
import type { Api, Clock } from "../../types.ts";
import { AnswerCache } from "./cache.ts";
import { review } from "./review.ts";
import type { Attributes } from "./types.ts";

/** @throws Error when it cannot be told */
export type Authorizer = (attributes: Attributes) => Promise<boolean>;

/** `--authorization-mode=AlwaysAllow`. */
export const alwaysAllow: Authorizer = () => Promise.resolve(true);

/** Times for which answers hold, ms. */
export interface AuthorizerTtls {
  readonly authorized: number;
  readonly unauthorized: number;
}

const MAX_KEPT = 8_192;
/** Questions that are longer, in characters, are asked each time. */
const MAX_KEY = 10_000;

/** `--authorization-mode=Webhook`: the API server is asked (SubjectAccessReview). */
export function webhookAuthorizer(
  parts: { api: Api; clock: Clock; product: Product; nodeName: string },
  ttls: AuthorizerTtls,
): Authorizer {
  const group = parts.product.local("authorization.k8s.io");
  const path = `/apis/${group}/v1/subjectaccessreviews`;
  const known = new AnswerCache<boolean>(parts.clock, MAX_KEPT);
  return async ({ user, verb, subresource }) => {
    const resourceAttributes = { verb, version: "v1", resource: "nodes", subresource, name: parts.nodeName };
    const { name, uid, groups, extra } = user;
    const spec = { resourceAttributes, user: name, groups, ...(extra ? { extra } : {}), ...(uid ? { uid } : {}) };
    const ask = async () => {
      const body = { apiVersion: `${group}/v1`, kind: "SubjectAccessReview", spec };
      const { status } = await review<SubjectAccessReview>(parts, path, body);
      const value = status?.allowed === true && !status.denied;
      return { value, ms: value ? ttls.authorized : ttls.unauthorized };
    };
    const key = JSON.stringify(spec);
    return key.length > MAX_KEY ? (await ask()).value : await known.get(key, ask);
  };
}
