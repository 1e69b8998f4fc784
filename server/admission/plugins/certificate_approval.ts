/** CertificateApproval: who may approve or deny requests to a signer. */
import type { Tree } from "../../../schema/rules/tree.ts";
import { maySign } from "../../authorization/signers.ts";
import { on } from "../handles.ts";
import { refusal } from "../refuse.ts";
import type { Plugin, PluginContext } from "../types.ts";
import { CSRS } from "./_csr.ts";

/** See the top of the file. */
export function certificateApproval(ctx: PluginContext): Plugin {
  return {
    name: "CertificateApproval",
    handles: on(["UPDATE"], [CSRS], ["approval"]),
    async validate(a) {
      const { signerName } = (a.object as Tree)["spec"];
      if (await maySign(ctx, a.user, "approve", signerName)) return;
      throw refusal(a, `user not permitted to approve requests with signerName "${signerName}"`);
    },
  };
}
