/** Rules of the scheduling group. */
import type { RulesTable } from "../tables.ts";
import { COMPOSITE_POD_GROUP, POD_GROUP } from "./pod_group.ts";
import { PRIORITY_CLASS } from "./priority_class.ts";
import { WORKLOAD } from "./workload.ts";
export { DEFAULTS } from "./defaults.ts";

/** Rules by resource id. */
export const RULES: RulesTable = {
  "compositepodgroups.scheduling.k8s.io": COMPOSITE_POD_GROUP,
  "podgroups.scheduling.k8s.io": POD_GROUP,
  "priorityclasses.scheduling.k8s.io": PRIORITY_CLASS,
  "workloads.scheduling.k8s.io": WORKLOAD,
};
