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
  const audience = wanted[0]!, faults: string[] = [];
  if (usesAudience(ctx, pod, audience, faults)) return;
  if (faults.length > 0) {
    const why = faults.length === 1 ? faults[0] : `[${faults.join(", ")}]`;
    throw refusal(a, `error validating audience ${JSON.stringify(audience)}: ${why}`);
  }
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

/**
 * Whether a pod mounts a token for an audience, or a driver of one of its volumes takes such tokens. Empty: the server itself. `faults`
 * is told of what a volume leads to and is not there.
 */
function usesAudience(ctx: PluginContext, pod: Obj, audience: string, faults: string[]): boolean {
  /** An object of the cluster; kinds are told in the singular. */
  const there = (id: string, kind: string, namespace: string, name: string): Tree | undefined => {
    const found = ctx.lister.get(id, namespace, name) as Tree | undefined;
    if (!found) faults.push(`${kind} ${JSON.stringify(name)} not found`);
    return found;
  };
  const driverOf = (volume: Tree): string => {
    if (volume["csi"]) return volume["csi"].driver ?? "";
    const claimName: string | undefined = volume["persistentVolumeClaim"]?.claimName ??
      (volume["ephemeral"] ? `${pod.metadata.name}-${volume["name"]}` : undefined);
    if (claimName === undefined) return migratedDriver(volume);
    const claim = there("persistentvolumeclaims", "persistentvolumeclaim", pod.metadata.namespace!, claimName);
    const source = claim &&
      there("persistentvolumes", "persistentvolume", "", claim["spec"]?.volumeName ?? "")?.["spec"];
    return source ? source.csi?.driver ?? migratedDriver(source) : "";
  };
  return items<Tree>((pod as Tree)["spec"].volumes).some((v) => {
    const projected = items<Tree>(v["projected"]?.sources).map((s) => s["serviceAccountToken"]);
    if (projected.some((t) => t && (t.audience ?? "") === audience)) return true;
    const driver = driverOf(v);
    if (driver === "") return false;
    const found = there("csidrivers.storage.k8s.io", `csidriver.${ctx.product.local("storage.k8s.io")}`, "", driver);
    return items<Tree>(found?.["spec"]?.tokenRequests).some((t) => (t["audience"] ?? "") === audience);
  });
}

/** Drivers by which volumes of former built-in kinds are mounted now. */
const MIGRATED: readonly (readonly [source: string, driver: string])[] = [
  ["awsElasticBlockStore", "ebs.csi.aws.com"],
  ["azureDisk", "disk.csi.azure.com"],
  ["azureFile", "file.csi.azure.com"],
  ["cinder", "cinder.csi.openstack.org"],
  ["gcePersistentDisk", "pd.csi.storage.gke.io"],
  ["portworxVolume", "pxd.portworx.com"],
  ["vsphereVolume", "csi.vsphere.vmware.com"],
];

const migratedDriver = (volume: Tree): string => MIGRATED.find(([source]) => volume[source])?.[1] ?? "";
