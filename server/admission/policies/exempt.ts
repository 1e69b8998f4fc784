/** Resources that policies are never about. */
import type { Resource } from "../../catalog/types.ts";

/** Policies themselves, which could not be mended any more, and what is asked of authenticators and authorizers. */
const EXEMPT: ReadonlySet<string> = new Set([
  "validatingadmissionpolicies.admissionregistration.k8s.io",
  "validatingadmissionpolicybindings.admissionregistration.k8s.io",
  "mutatingadmissionpolicies.admissionregistration.k8s.io",
  "mutatingadmissionpolicybindings.admissionregistration.k8s.io",
  "tokenreviews.authentication.k8s.io",
  "selfsubjectreviews.authentication.k8s.io",
  "localsubjectaccessreviews.authorization.k8s.io",
  "selfsubjectaccessreviews.authorization.k8s.io",
  "selfsubjectrulesreviews.authorization.k8s.io",
  "subjectaccessreviews.authorization.k8s.io",
]);

/** Whether no policy is asked about a resource. */
export const isExempt = (resource: Resource): boolean => EXEMPT.has(resource.id);
