/** Rules of the scheduling group. */
import type { RulesTable } from "../tables.ts";
import { COMPOSITE_POD_GROUP, POD_GROUP, POD_GROUP_V1ALPHA2 } from "./pod_group.ts";
import { PRIORITY_CLASS } from "./priority_class.ts";
import { WORKLOAD, WORKLOAD_V1ALPHA2 } from "./workload.ts";
export { DEFAULTS } from "./defaults.ts";

/** Rules by resource id. */
export const RULES: RulesTable = {
  "compositepodgroups.scheduling.k8s.io": COMPOSITE_POD_GROUP,
  "podgroups.scheduling.k8s.io": POD_GROUP,
  "podgroups.scheduling.k8s.io/v1alpha2": POD_GROUP_V1ALPHA2,
  "priorityclasses.scheduling.k8s.io": PRIORITY_CLASS,
  "workloads.scheduling.k8s.io": WORKLOAD,
  "workloads.scheduling.k8s.io/v1alpha2": WORKLOAD_V1ALPHA2,
};
