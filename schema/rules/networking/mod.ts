/** Rules of the networking group. */
import type { RulesTable } from "../tables.ts";
import { IP_ADDRESS, SERVICE_CIDR } from "./addresses.ts";
import { INGRESS } from "./ingress.ts";
import { INGRESS_CLASS } from "./ingress_class.ts";
import { NETWORK_POLICY } from "./network_policy.ts";
export { DEFAULTS } from "./defaults.ts";

/** Rules by resource id. */
export const RULES: RulesTable = {
  "ingressclasses.networking.k8s.io": INGRESS_CLASS,
  "ingresses.networking.k8s.io": INGRESS,
  "ipaddresses.networking.k8s.io": IP_ADDRESS,
  "networkpolicies.networking.k8s.io": NETWORK_POLICY,
  "servicecidrs.networking.k8s.io": SERVICE_CIDR,
};
