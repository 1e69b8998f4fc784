/** CertificateSigning: who may give a request its certificate, or say that it failed. */
import { same, type Tree } from "../../../schema/rules/tree.ts";
import { on } from "../handles.ts";
import { refusal } from "../refuse.ts";
import type { Plugin, PluginContext } from "../types.ts";
import { CSRS } from "./_csr.ts";
import { maySign } from "./_signers.ts";

/** Members of the status that only a signer sets, by resource. */
const SIGNED: Readonly<Record<string, readonly string[]>> = {
  [CSRS]: ["certificate", "conditions"],
  "podcertificaterequests.certificates.k8s.io": [
    "certificateChain",
    "conditions",
    "notBefore",
    "beginRefreshAt",
    "notAfter",
  ],
};

/** See the top of the file. */
export function certificateSigning(ctx: PluginContext): Plugin {
  return {
    name: "CertificateSigning",
    handles: on(["UPDATE"], Object.keys(SIGNED), ["status"]),
    async validate(a) {
      const old = a.oldObject as Tree, next = a.object as Tree;
      const members = SIGNED[a.resource.id]!;
      if (members.every((m) => same(old["status"]?.[m], next["status"]?.[m]))) return;
      const { signerName } = old["spec"];
      if (await maySign(ctx, a, "sign", signerName)) return;
      throw refusal(a, `user not permitted to sign requests with signerName "${signerName}"`);
    },
  };
}
