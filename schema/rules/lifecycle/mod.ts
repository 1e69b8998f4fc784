/** Rules of the lifecycle group. */
import type { RulesTable } from "../tables.ts";
import { EVICTION } from "./eviction.ts";
export { DEFAULTS } from "./defaults.ts";

/** Rules by resource id. */
export const RULES: RulesTable = {
  "evictionrequests.lifecycle.k8s.io": EVICTION,
  "evictions.lifecycle.k8s.io": EVICTION,
};
