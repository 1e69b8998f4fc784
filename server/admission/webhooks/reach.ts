/** What webhooks are never asked about. */
import type { Resource } from "../../catalog/types.ts";
import type { Handles } from "../handles.ts";
import type { PluginContext } from "../types.ts";

/** Their own configurations and policies: whoever breaks those must be able to mend them. Those of manifests are asked all the same. */
const OWN = "admissionregistration.k8s.io";
/** Who somebody is and what they may: webhooks must not lock anybody out. */
const REVIEWS = new Set(["authentication.k8s.io", "authorization.k8s.io"]);

/** Whether only webhooks of manifests are asked about a resource. */
export const isOwn = ({ publicGroup }: Pick<Resource, "publicGroup">): boolean => publicGroup === OWN;

/** The test that the plugins' {@linkcode Plugin.handles} is. */
export function reached(ctx: PluginContext): Handles {
  const spared = ctx.gate("ExcludeAdmissionWebhookVirtualResources");
  return (_operation, resource) =>
    isOwn(resource) ? ctx.manifests !== undefined : !(spared && REVIEWS.has(resource.publicGroup));
}
