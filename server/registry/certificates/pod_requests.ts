/** Requests for certificates of pods: only who may sign for their signer answers them, whatever admission does. */
import { ErrorList } from "../../../schema/rules/errors.ts";
import { same, type Tree } from "../../../schema/rules/tree.ts";
import type { Product } from "../../../schema/product.ts";
import { askedFor } from "../../authorization/chain.ts";
import { maySign } from "../../authorization/signers.ts";
import type { Authorizer } from "../../authorization/types.ts";
import type { Strategy } from "../strategy.ts";

/** What the strategy is made of. */
export interface PodRequestOptions {
  readonly product: Product;
  authorizer(): Authorizer;
}

/** Members of the status that only a signer sets. */
const SIGNED = ["certificateChain", "conditions", "notBefore", "beginRefreshAt", "notAfter"];

/** See {@linkcode Strategy}. */
export function podRequests({ product, authorizer }: PodRequestOptions): Strategy {
  return {
    async authorize(next, old, caller, subresource) {
      const { user, verb } = caller;
      // What the server writes by itself asks nobody.
      if (subresource !== "status" || !old || verb === undefined) return undefined;
      const [now, was] = [next, old].map((o): Tree => o["status"] ?? {}) as [Tree, Tree];
      if (SIGNED.every((m) => same(now[m], was[m]))) return undefined;
      const errors = new ErrorList(), signer: string = old["spec"]?.signerName ?? "";
      const rights = { product, authorizer: askedFor(caller, authorizer()) };
      if (await maySign(rights, user, "sign", signer)) return undefined;
      errors.forbidden("spec.signerName", `user "${user.name}" may not "sign" for signer "${signer}"`);
      return errors;
    },
  };
}
