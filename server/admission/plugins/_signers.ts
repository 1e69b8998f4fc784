/** Who may do what for a signer of certificates. */
import type { Attributes, PluginContext } from "../types.ts";

/** Verbs on signers. */
export type SignerVerb = "approve" | "sign" | "attest";

/** Whether a user may do something for a signer, by its own name or by `domain/*`. */
export async function maySign(ctx: PluginContext, a: Attributes, verb: SignerVerb, signer: string): Promise<boolean> {
  const at = signer.indexOf("/");
  const names = [signer, `${at < 0 ? signer : signer.slice(0, at)}/*`];
  for (const name of names) {
    const { decision } = await ctx.authorizer.authorize({
      user: a.user,
      verb,
      isResource: true,
      group: ctx.product.local("certificates.k8s.io"),
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
