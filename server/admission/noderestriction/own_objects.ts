/** Rules of objects that stand for one node: leases, CSI nodes, resource slices, requests for certificates. */
import { same, type Tree } from "../../../schema/rules/tree.ts";
import { subjectOf } from "../plugins/_csr.ts";
import { refusal } from "../refuse.ts";
import type { Attributes, PluginContext } from "../types.ts";

/** What a node may do with a resource. @throws StatusError when it may not */
export type NodeRule = (a: Attributes, node: string) => void | Promise<void>;

const nameOf = (a: Attributes): string => (a.operation === "CREATE" ? a.object?.metadata?.name : a.name) ?? "";

/** The lease of the node's own name, in the namespace of node leases. */
export function leaseRule(ctx: PluginContext): NodeRule {
  const namespace = ctx.product.nodeLeaseNamespace;
  return (a, node) => {
    if (a.namespace !== namespace) throw refusal(a, `can only access leases in the "${namespace}" system namespace`);
    if (nameOf(a) === node) return;
    throw refusal(a, "can only access node lease with the same name as the requesting node");
  };
}

/** The CSI node of the node's own name; its status where nodes tell the health of storage, and that alone. */
export function csiNodeRule(ctx: PluginContext): NodeRule {
  const health = ctx.gate("CSIVolumeHealth");
  return (a, node) => {
    if (nameOf(a) !== node) throw refusal(a, "can only access CSINode with the same name as the requesting node");
    if (a.subresource !== "status") return;
    if (!health) throw refusal(a, "CSIVolumeHealth feature gate is disabled");
    if (same((a.oldObject as Tree)["spec"], (a.object as Tree)["spec"])) return;
    throw refusal(a, `node "${node}" is not allowed to modify CSINode spec via status`);
  };
}

/** Slices of the node's own devices. Updates are for the authorizer, which knows the object. */
export function sliceRule(): NodeRule {
  return (a, node) => {
    if (a.operation === "UPDATE") return;
    const obj = (a.operation === "CREATE" ? a.object : a.oldObject) as Tree;
    if (obj["spec"]?.nodeName === node) return;
    const word = a.operation === "CREATE" ? "create" : "delete";
    throw refusal(a, `can only ${word} ResourceSlice with the same NodeName as the requesting node`);
  };
}

/** Requests for a node's certificates, in the node's own name. */
export function csrRule(ctx: PluginContext): NodeRule {
  const signers = ["kubernetes.io/kubelet-serving", "kubernetes.io/kube-apiserver-client-kubelet"]
    .map(ctx.product.local);
  const insecure = ctx.gate("AllowInsecureKubeletCertificateSigningRequests");
  return (a, node) => {
    if (insecure || a.operation !== "CREATE" || a.subresource !== "") return;
    if (!signers.includes((a.object as Tree)["spec"]?.signerName)) return;
    const wanted = `system:node:${node}`;
    if (commonName(a) !== wanted) throw refusal(a, `can only create a node CSR with CN=${wanted}`);
  };
}

function commonName(a: Attributes): string {
  try {
    return subjectOf(a.object!).commonName;
  } catch (e) {
    throw refusal(a, `unable to parse csr: ${(e as Error).message}`);
  }
}
