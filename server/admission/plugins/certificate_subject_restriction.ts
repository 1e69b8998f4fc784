/** CertificateSubjectRestriction: nobody asks for a client certificate that makes him an administrator. */
import type { Tree } from "../../../schema/rules/tree.ts";
import { on } from "../handles.ts";
import { refusal } from "../refuse.ts";
import type { Attributes, Plugin, PluginContext } from "../types.ts";
import { CSRS, subjectOf } from "./_csr.ts";

const MASTERS = "system:masters";

/** See the top of the file. */
export function certificateSubjectRestriction(ctx: PluginContext): Plugin {
  const signer = ctx.product.local("kubernetes.io/kube-apiserver-client");
  return {
    name: "CertificateSubjectRestriction",
    handles: on(["CREATE"], [CSRS]),
    validate(a) {
      if ((a.object as Tree)["spec"]?.signerName !== signer) return;
      if (!organizations(a).includes(MASTERS)) return;
      throw refusal(a, `use of ${signer} signer with ${MASTERS} group is not allowed`);
    },
  };
}

function organizations(a: Attributes): readonly string[] {
  try {
    return subjectOf(a.object!).organizations;
  } catch (e) {
    throw refusal(a, `unable to parse csr: ${(e as Error).message}`);
  }
}
