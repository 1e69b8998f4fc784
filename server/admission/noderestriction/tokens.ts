/** Rules of tokens: a node asks for tokens of its own pods, for audiences that they use. */
import type { Obj } from "../../../schema/model/types.ts";
import { notFound } from "../../../schema/status.ts";
import { items, type Tree } from "../../../schema/rules/tree.ts";
import { refusal } from "../refuse.ts";
import type { Attributes, PluginContext } from "../types.ts";
import type { NodeRule } from "./own_objects.ts";

const VERB = "request-serviceaccounts-token-audience";

/** `serviceaccounts/token`: a node asks for tokens that are bound to its own pods. */
export function tokenRule(ctx: PluginContext): NodeRule {
  const restrict = ctx.gate("ServiceAccountNodeAudienceRestriction");
  return async (a, node) => {
    if (a.operation !== "CREATE" || a.subresource !== "token") return;
    const spec: Tree = (a.object as Tree)["spec"] ?? {};
    const ref: Tree | undefined = spec["boundObjectRef"];
    if (!ref || ref["apiVersion"] !== "v1" || ref["kind"] !== "Pod" || !ref["name"]) {
      throw refusal(a, "node requested token not bound to a pod");
    }
    if (!ref["uid"]) throw refusal(a, "node requested token with a pod binding without a uid");
    const pod = ctx.lister.get("pods", a.namespace, ref["name"]);
    if (!pod) throw notFound({ group: "", resource: "pod" }, ref["name"]); // in the singular, as clients know it
    if (ref["uid"] !== pod.metadata.uid) {
      throw refusal(
        a,
        `the UID in the bound object reference (${ref["uid"]}) does not match the UID in record. ` +
          "The object might have been deleted and then recreated",
      );
    }
    if ((pod as Tree)["spec"].nodeName !== node) {
      throw refusal(a, "node requested token bound to a pod scheduled on a different node");
    }
    if (restrict) await checkAudiences(ctx, a, spec, pod);
  };
}

async function checkAudiences(ctx: PluginContext, a: Attributes, spec: Tree, pod: Obj): Promise<void> {
  const audiences = items<string>(spec["audiences"]);
  const wanted = audiences.length === 0 ? [""] : audiences;
  if (wanted.length > 1) throw refusal(a, "node may only request 0 or 1 audiences");
  const audience = wanted[0]!;
  if (usesAudience(ctx, pod, audience)) return;
  const { decision } = await ctx.authorizer.authorize({
    user: a.user,
    verb: VERB,
    isResource: true,
    group: "",
    version: "v1",
    resource: audience,
    subresource: "",
    namespace: a.namespace,
    name: a.name,
    path: "",
  });
  if (decision === "allow") return;
  throw refusal(a, `${a.user.name} is not authorized to request tokens for audience ${JSON.stringify(audience)}`);
}

/** Whether a pod mounts a token for an audience, or a driver of one of its volumes takes such tokens. Empty: the server itself. */
function usesAudience(ctx: PluginContext, pod: Obj, audience: string): boolean {
  return items<Tree>((pod as Tree)["spec"].volumes).some((v) => {
    const projected = items<Tree>(v["projected"]?.sources).map((s) => s["serviceAccountToken"]);
    if (projected.some((t) => t && (t.audience ?? "") === audience)) return true;
    const driver = driverOf(ctx, pod, v);
    return driver !== "" && driverTakes(ctx, driver, audience);
  });
}

function driverOf(ctx: PluginContext, pod: Obj, volume: Tree): string {
  if (volume["csi"]) return volume["csi"].driver ?? "";
  const claimName: string | undefined = volume["persistentVolumeClaim"]?.claimName ??
    (volume["ephemeral"] ? `${pod.metadata.name}-${volume["name"]}` : undefined);
  if (!claimName) return "";
  const claim = ctx.lister.get("persistentvolumeclaims", pod.metadata.namespace!, claimName) as Tree | undefined;
  const volumeName: string | undefined = claim?.["spec"]?.volumeName;
  const pv = volumeName ? ctx.lister.get("persistentvolumes", "", volumeName) as Tree | undefined : undefined;
  return pv?.["spec"]?.csi?.driver ?? "";
}

function driverTakes(ctx: PluginContext, driver: string, audience: string): boolean {
  const found = ctx.lister.get("csidrivers.storage.k8s.io", "", driver) as Tree | undefined;
  return items<Tree>(found?.["spec"]?.tokenRequests).some((t) => (t["audience"] ?? "") === audience);
}
