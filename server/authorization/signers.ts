/** Who may do what for a signer of certificates. */
import type { Product } from "../../schema/product.ts";
import type { User } from "../request.ts";
import type { Authorizer } from "./types.ts";

/** Verbs on signers. */
export type SignerVerb = "approve" | "sign" | "attest";

/** What the question is asked with. */
export interface SignerRights {
  readonly product: Product;
  readonly authorizer: Authorizer;
}

/** Whether a user may do something for a signer, by its own name or by `domain/*`. */
export async function maySign(
  { product, authorizer }: SignerRights,
  user: User,
  verb: SignerVerb,
  signer: string,
): Promise<boolean> {
  const at = signer.indexOf("/");
  const names = [signer, `${at < 0 ? signer : signer.slice(0, at)}/*`];
  for (const name of names) {
    const { decision } = await authorizer.authorize({
      user,
      verb,
      isResource: true,
      group: product.local("certificates.k8s.io"),
      version: "*",
      resource: "signers",
      subresource: "",
      namespace: "",
      name,
      path: "",
    });
    if (decision === "allow") return true;
  }
  return false;
}
