/** Rules of pod certificates: a node asks for those of pods that run on it, as they are. */
import type { Obj } from "../../../schema/model/types.ts";
import { internal } from "../../../schema/status.ts";
import { items, type Tree } from "../../../schema/rules/tree.ts";
import { refusal } from "../refuse.ts";
import type { Attributes, PluginContext } from "../types.ts";
import type { NodeRule } from "./own_objects.ts";

const VERB = "request-serviceaccounts-podcertificate-signer";

/** What may be a cache that lags is an error that clients try again after, not a refusal. */
function mustBe(a: Attributes, what: string, said: unknown, now: unknown): void {
  if (said === now) return;
  throw internal(`PodCertificateRequest for pod "${podOf(a)}" names ${what} UID "${said}", which is now "${now}"`);
}

const podOf = (a: Attributes): string => `${a.namespace}/${(a.object as Tree)["spec"]?.podName}`;

/** `podcertificaterequests`: a node asks for its own pods alone. */
export function certificateRule(ctx: PluginContext): NodeRule {
  const mirror = ctx.product.local("kubernetes.io/config.mirror");
  const must = (id: string, namespace: string, name: string): Obj => {
    const found = ctx.lister.get(id, namespace, name);
    if (!found) throw internal(`while retrieving ${id} "${name}" named in the PodCertificateRequest: not found`);
    return found;
  };
  return async (a, node) => {
    if (a.operation !== "CREATE") throw refusal(a, `unexpected operation ${a.operation}`);
    if (a.subresource !== "") throw refusal(a, `unexpected subresource ${a.subresource}`);
    const spec: Tree = (a.object as Tree)["spec"] ?? {};
    if (spec["nodeName"] !== node) {
      throw refusal(
        a,
        `PodCertificateRequest.Spec.NodeName="${spec["nodeName"]}", which is not the requesting node "${node}"`,
      );
    }
    mustBe(a, "node", spec["nodeUID"], must("nodes", "", node).metadata.uid);
    const pod = must("pods", a.namespace, spec["podName"]);
    mustBe(a, "pod", spec["podUID"], pod.metadata.uid);
    const running: Tree = (pod as Tree)["spec"];
    if (running["nodeName"] !== node) {
      throw refusal(a, `pod "${podOf(a)}" is not running on node "${node}" named in the PodCertificateRequest`);
    }
    if (pod.metadata.annotations?.[mirror] !== undefined) throw refusal(a, `pod "${podOf(a)}" is a mirror pod`);
    if (spec["serviceAccountName"] !== running["serviceAccountName"]) {
      throw refusal(
        a,
        `PodCertificateRequest for pod "${podOf(a)}" contains serviceAccountName ("${spec["serviceAccountName"]}") ` +
          `that differs from running pod ("${running["serviceAccountName"]}")`,
      );
    }
    const account = must("serviceaccounts", a.namespace, spec["serviceAccountName"]);
    mustBe(a, "service account", spec["serviceAccountUID"], account.metadata.uid);
    const signer: string = spec["signerName"] ?? "";
    if (mounts(running, signer) || await maySignFor(ctx, a, signer, spec["serviceAccountName"])) return;
    throw refusal(a, `pod "${podOf(a)}" does not mount a podCertificate projected volume for signer "${signer}"`);
  };
}

/** Whether a pod mounts a certificate of a signer. */
function mounts(spec: Tree, signer: string): boolean {
  return items<Tree>(spec["volumes"]).some((v) =>
    items<Tree>(v["projected"]?.sources).some((s) => s["podCertificate"]?.signerName === signer)
  );
}

/** Whether the node may ask for a signer's certificates for an account whatever its pods mount. */
async function maySignFor(ctx: PluginContext, a: Attributes, signer: string, account: string): Promise<boolean> {
  const { decision } = await ctx.authorizer.authorize({
    user: a.user,
    verb: VERB,
    isResource: true,
    group: ctx.product.local("certificates.k8s.io"),
    version: "",
    resource: signer.replaceAll("/", ":"),
    subresource: "",
    namespace: a.namespace,
    name: account,
    path: "",
  });
  return decision === "allow";
}
