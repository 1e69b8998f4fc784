/** Rules of the group of devices. */
import type { RulesTable } from "../tables.ts";
import { RESOURCE_CLAIM, RESOURCE_CLAIM_TEMPLATE } from "./claim.ts";
import { DEVICE_CLASS } from "./device_class.ts";
import { RESOURCE_POOL_STATUS_REQUEST } from "./pool_status.ts";
import { RESOURCE_SLICE } from "./slice.ts";
import { DEVICE_TAINT_RULE } from "./taint_rule.ts";
export { DEFAULTS } from "./defaults.ts";

/** Rules by resource id. */
export const RULES: RulesTable = {
  "deviceclasses.resource.k8s.io": DEVICE_CLASS,
  "devicetaintrules.resource.k8s.io": DEVICE_TAINT_RULE,
  "resourceclaims.resource.k8s.io": RESOURCE_CLAIM,
  "resourceclaimtemplates.resource.k8s.io": RESOURCE_CLAIM_TEMPLATE,
  "resourcepoolstatusrequests.resource.k8s.io": RESOURCE_POOL_STATUS_REQUEST,
  "resourceslices.resource.k8s.io": RESOURCE_SLICE,
};
