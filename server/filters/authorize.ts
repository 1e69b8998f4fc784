/** Authorization of every request but those that always may (specification, "Authorization"). */
import { internal } from "../../schema/status.ts";
import { forbiddenError } from "../authorization/forbidden.ts";
import type { AuthorizationAttributes, Authorizer, Decision } from "../authorization/types.ts";
import type { RequestScope } from "../request.ts";
import { selects } from "./request_info.ts";

/** What a request is, as authorizers see it. */
export function attributesOf(scope: RequestScope): AuthorizationAttributes {
  const { info, user } = scope;
  const query = selects(info) ? scope.query : undefined;
  const fieldSelector = query?.get("fieldSelector");
  const labelSelector = query?.get("labelSelector");
  return {
    user,
    verb: info.verb,
    isResource: info.isResource,
    group: info.group,
    version: info.version,
    resource: info.resource,
    subresource: info.subresource,
    namespace: info.namespace,
    name: info.name,
    path: info.path,
    ...(fieldSelector ? { fieldSelector } : {}),
    ...(labelSelector ? { labelSelector } : {}),
  };
}

/**
 * Undefined: allowed, told at once. `attributes`: where it is not the request itself that is asked about. @throws StatusError 403 that
 * says who may not do what, 500 where an authorizer failed and none allowed it
 */
export function authorize(
  authorizer: Authorizer,
  scope: RequestScope,
  attributes: AuthorizationAttributes = attributesOf(scope),
): Promise<void> | undefined {
  const answer = authorizer.authorize(attributes, scope);
  if (answer instanceof Promise) return answer.then((decision) => mustAllow(decision, attributes, scope));
  mustAllow(answer, attributes, scope);
  return undefined;
}

function mustAllow(
  { decision, reason, error }: Decision,
  attributes: AuthorizationAttributes,
  { audit }: RequestScope,
): void {
  if (decision === "allow") return audit?.decided(true, reason);
  if (error) {
    audit?.decided(undefined, "internal error");
    throw internal(error);
  }
  audit?.decided(false, reason);
  throw forbiddenError(attributes, reason);
}
