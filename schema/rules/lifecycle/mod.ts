/** Rules of the lifecycle group. */
import type { RulesTable } from "../tables.ts";
import { EVICTION, EVICTION_REQUEST } from "./eviction.ts";
export { DEFAULTS } from "./defaults.ts";

/** Rules by resource id. */
export const RULES: RulesTable = {
  "evictionrequests.lifecycle.k8s.io": EVICTION_REQUEST,
  "evictions.lifecycle.k8s.io": EVICTION,
};
