/** What webhooks are never asked about. */
import type { Handles } from "../handles.ts";
import type { PluginContext } from "../types.ts";

/** Their own configurations and policies: whoever breaks those must be able to mend them. */
const OWN = "admissionregistration.k8s.io";
/** Who somebody is and what they may: webhooks must not lock anybody out. */
const REVIEWS = new Set(["authentication.k8s.io", "authorization.k8s.io"]);

/** The test that the plugins' {@linkcode Plugin.handles} is. */
export function reached(ctx: PluginContext): Handles {
  const spared = ctx.gate("ExcludeAdmissionWebhookVirtualResources");
  return (_operation, { publicGroup }) => publicGroup !== OWN && !(spared && REVIEWS.has(publicGroup));
}
