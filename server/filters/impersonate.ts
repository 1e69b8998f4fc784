/** Acting as somebody else, where the requester may (specification, "Authentication"). */
import type { Filter } from "../app_types.ts";
import { impersonate, impersonationOf, LastWays } from "../authentication/impersonation.ts";
import { askedFor } from "../authorization/chain.ts";
import type { Authorizer } from "../authorization/types.ts";
import type { Product } from "../../schema/product.ts";
import type { ImpersonationMetrics } from "../metrics/impersonation.ts";
import type { RequestScope } from "../request.ts";
import { attributesOf } from "./authorize.ts";

/** See the top of the file. `constrained`: gate ConstrainedImpersonation. */
export function impersonationFilter(
  authorizer: Authorizer,
  product: Product,
  counted: ImpersonationMetrics,
  constrained: boolean,
): Filter {
  const last = new LastWays();
  const become = async (scope: RequestScope): Promise<string | undefined> => {
    const asked = counted.asking(askedFor(scope, authorizer));
    let constraint: string | undefined;
    const by = (verb: string) => void (constraint = verb);
    const within = constrained ? { request: attributesOf(scope), last, by } : undefined;
    const user = await impersonate(scope.headers, scope.user, asked, product, within);
    if (!user) return undefined;
    scope.audit?.became(user, constraint);
    scope.user = user;
    return constraint;
  };
  return (scope, next) =>
    impersonationOf(scope.headers) ? counted.attempt(() => become(scope)).then(() => next(scope)) : next(scope);
}
