/** Rules of the coordination group. */
import type { RulesTable } from "../tables.ts";
import { LEASE } from "./lease.ts";
import { LEASE_CANDIDATE } from "./lease_candidate.ts";
export { DEFAULTS } from "./defaults.ts";

/** Rules by resource id. */
export const RULES: RulesTable = {
  "leasecandidates.coordination.k8s.io": LEASE_CANDIDATE,
  "leases.coordination.k8s.io": LEASE,
};
