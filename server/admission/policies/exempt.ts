/** Resources that policies are never about. */
import type { Resource } from "../../catalog/types.ts";
import type { PluginContext } from "../types.ts";

/** Policies themselves, which could not be mended any more. Those of manifests are asked all the same. */
const OWN: ReadonlySet<string> = new Set([
  "validatingadmissionpolicies.admissionregistration.k8s.io",
  "validatingadmissionpolicybindings.admissionregistration.k8s.io",
  "mutatingadmissionpolicies.admissionregistration.k8s.io",
  "mutatingadmissionpolicybindings.admissionregistration.k8s.io",
]);
/** What is asked of authenticators and authorizers. */
const REVIEWS: ReadonlySet<string> = new Set([
  "tokenreviews.authentication.k8s.io",
  "selfsubjectreviews.authentication.k8s.io",
  "localsubjectaccessreviews.authorization.k8s.io",
  "selfsubjectaccessreviews.authorization.k8s.io",
  "selfsubjectrulesreviews.authorization.k8s.io",
  "subjectaccessreviews.authorization.k8s.io",
]);

/** Whether only policies of manifests are asked about a resource. */
export const isOwn = (resource: Resource): boolean => OWN.has(resource.id);

/** Whether no policy is asked about a resource. */
export const isExempt = (ctx: PluginContext, resource: Resource): boolean =>
  REVIEWS.has(resource.id) || (isOwn(resource) && ctx.manifests === undefined);
