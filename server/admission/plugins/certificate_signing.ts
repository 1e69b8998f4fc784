/** CertificateSigning: who may give a request its certificate, or say that it failed. */
import { same, type Tree } from "../../../schema/rules/tree.ts";
import { maySign } from "../../authorization/signers.ts";
import { on } from "../handles.ts";
import { refusal } from "../refuse.ts";
import type { Plugin, PluginContext } from "../types.ts";
import { CSRS } from "./_csr.ts";

/** Members of the status that only a signer sets. */
const SIGNED = ["certificate", "conditions"];

/** See the top of the file. */
export function certificateSigning(ctx: PluginContext): Plugin {
  return {
    name: "CertificateSigning",
    handles: on(["UPDATE"], [CSRS], ["status"]),
    async validate(a) {
      const old = a.oldObject as Tree, next = a.object as Tree;
      if (SIGNED.every((m) => same(old["status"]?.[m], next["status"]?.[m]))) return;
      const { signerName } = old["spec"];
      if (await maySign(ctx, a.user, "sign", signerName)) return;
      throw refusal(a, `user not permitted to sign requests with signerName "${signerName}"`);
    },
  };
}
