/** Acting as somebody else, where the requester may (specification, "Authentication"). */
import type { Filter } from "../app_types.ts";
import { impersonate, impersonationOf } from "../authentication/impersonation.ts";
import { askedFor } from "../authorization/chain.ts";
import type { Authorizer } from "../authorization/types.ts";
import type { Product } from "../../schema/product.ts";
import type { RequestScope } from "../request.ts";
import { attributesOf } from "./authorize.ts";

/** See the top of the file. `constrained`: gate ConstrainedImpersonation. */
export function impersonationFilter(authorizer: Authorizer, product: Product, constrained: boolean): Filter {
  const become = async (scope: RequestScope): Promise<void> => {
    const request = constrained ? attributesOf(scope) : undefined;
    let constraint: string | undefined;
    const mode = (verb: string) => void (constraint = verb);
    const user = await impersonate(scope.headers, scope.user, askedFor(scope, authorizer), product, request, mode);
    if (!user) return;
    scope.audit?.became(user, constraint);
    scope.user = user;
  };
  return (scope, next) => impersonationOf(scope.headers) ? become(scope).then(() => next(scope)) : next(scope);
}
