/** Acting as somebody else, where the requester may (specification, "Authentication"). */
import type { Filter } from "../app_types.ts";
import { impersonate } from "../authentication/impersonation.ts";
import type { Authorizer } from "../authorization/types.ts";
import type { Product } from "../../schema/product.ts";
import { attributesOf } from "./authorize.ts";

/** See the top of the file. `constrained`: gate ConstrainedImpersonation. */
export function impersonationFilter(authorizer: Authorizer, product: Product, constrained: boolean): Filter {
  return async (scope, next) => {
    const request = constrained ? attributesOf(scope) : undefined;
    const user = await impersonate(scope.request.headers, scope.user, authorizer, product, request);
    if (user) scope.user = user;
    return await next();
  };
}
