/** CertificateSigning: who may give a request its certificate, or say that it failed. */
import { ErrorList } from "../../../schema/rules/errors.ts";
import { same, type Tree } from "../../../schema/rules/tree.ts";
import { invalid, type StatusError } from "../../../schema/status.ts";
import { on } from "../handles.ts";
import { refusal } from "../refuse.ts";
import type { Attributes, Plugin, PluginContext } from "../types.ts";
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

/** For pods' requests it is a rule of the status, told as a fault of the object. */
function notPermitted(a: Attributes, signer: string): StatusError {
  const errors = new ErrorList();
  errors.forbidden("spec.signerName", `user "${a.user.name}" may not "sign" for signer "${signer}"`);
  const { group, kind } = a.resource.storageKind;
  return invalid(group, kind, a.name, errors.causes);
}

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
      if (a.resource.id !== CSRS) throw notPermitted(a, signerName);
      throw refusal(a, `user not permitted to sign requests with signerName "${signerName}"`);
    },
  };
}
