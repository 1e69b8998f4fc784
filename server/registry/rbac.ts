/** Roles and bindings: nobody gives away more than they have. */
import { askedFor } from "../authorization/chain.ts";
import type { Resource } from "../catalog/types.ts";
import { type EscalationContext, escalationError, type RbacWrite } from "../authorization/escalation.ts";
import type { Strategy } from "./strategy.ts";

/** The strategy of a resource of the policy. */
export function rbacStrategy(resource: RbacWrite["resource"], context: () => EscalationContext): Strategy {
  return {
    async authorize(object, old, caller) {
      const namespace = object.metadata.namespace ?? "";
      const name = caller.verb === "create" ? "" : object.metadata.name ?? "";
      const ctx = context(), authorizer = askedFor(caller, ctx.authorizer);
      const write = { user: caller.user, resource, namespace, name, object, old };
      const error = await escalationError({ ...ctx, authorizer }, write);
      if (error) throw error;
    },
  };
}

/** Public id of a resource of the policy. */
export const rbacId = (resource: RbacWrite["resource"]): Resource["id"] => `${resource}.rbac.authorization.k8s.io`;
