/** Rules of the group of admission. */
import type { RulesTable } from "../tables.ts";
import { MUTATING_BINDING, VALIDATING_BINDING } from "./bindings.ts";
import { withoutManifestNames } from "./manifest_names.ts";
import { MUTATING_POLICY } from "./mutating_policy.ts";
import { VALIDATING_POLICY } from "./validating_policy.ts";
import { WEBHOOK_CONFIGURATION } from "./webhooks.ts";
export { DEFAULTS } from "./defaults.ts";

/** Rules by resource id. */
export const RULES: RulesTable = {
  "mutatingadmissionpolicies.admissionregistration.k8s.io": withoutManifestNames(MUTATING_POLICY),
  "mutatingadmissionpolicybindings.admissionregistration.k8s.io": withoutManifestNames(MUTATING_BINDING),
  "mutatingwebhookconfigurations.admissionregistration.k8s.io": withoutManifestNames(WEBHOOK_CONFIGURATION),
  "validatingadmissionpolicies.admissionregistration.k8s.io": withoutManifestNames(VALIDATING_POLICY),
  "validatingadmissionpolicybindings.admissionregistration.k8s.io": withoutManifestNames(VALIDATING_BINDING),
  "validatingwebhookconfigurations.admissionregistration.k8s.io": withoutManifestNames(WEBHOOK_CONFIGURATION),
};
