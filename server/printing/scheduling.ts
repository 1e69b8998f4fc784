/** Printers of the scheduling, coordination and node groups. */
import type { Obj } from "../../schema/model/types.ts";
import { AGE, col, NAME, table } from "./parts.ts";
import { conditionOf, count, orNone } from "./text.ts";
import type { Printers } from "./types.ts";

const policy = (o: Obj): string => o.spec?.schedulingPolicy?.gang ? "Gang" : "Basic";

/** The workload that a group was made by; v1alpha2 named it elsewhere. */
const workload = (o: Obj) => o.spec?.workloadRef?.workloadName ?? o.spec?.podGroupTemplateRef?.workload?.workloadName;

/** Why it is to go, or whether it was scheduled once as a whole. The condition had another name in v1alpha2. */
function groupState(o: Obj): string {
  const scheduled = conditionOf(o, "PodGroupInitiallyScheduled") ?? conditionOf(o, "PodGroupScheduled");
  const target = conditionOf(o, "DisruptionTarget");
  if (target) return target.reason ?? "";
  return !scheduled ? "Pending" : scheduled.status === "True" ? "Scheduled" : "Unschedulable";
}

/** Printers of the scheduling group, by public id. */
export const SCHEDULING: Printers = {
  "compositepodgroups.scheduling.k8s.io": table(
    NAME,
    col("Policy", policy),
    col("Workload", (o) => orNone(workload(o))),
    AGE,
  ),
  "podgroups.scheduling.k8s.io": table(
    NAME,
    col("Policy", policy),
    col("Workload", (o) => orNone(workload(o))),
    col("Status", groupState),
    AGE,
  ),
  "priorityclasses.scheduling.k8s.io": table(
    NAME,
    col("Value", (o) => count(o.value), "integer"),
    col("Global-Default", (o) => o.globalDefault ?? false, "boolean"),
    AGE,
    col("PreemptionPolicy", (o) => o.preemptionPolicy ?? ""),
  ),
  "workloads.scheduling.k8s.io": table(NAME, AGE),
};

/** Printers of the coordination group. */
export const COORDINATION: Printers = {
  "leasecandidates.coordination.k8s.io": table(
    NAME,
    col("LeaseName", (o) => o.spec?.leaseName ?? ""),
    col("BinaryVersion", (o) => o.spec?.binaryVersion ?? ""),
    col("EmulationVersion", (o) => o.spec?.emulationVersion ?? ""),
    AGE,
  ),
  "leases.coordination.k8s.io": table(NAME, col("Holder", (o) => o.spec?.holderIdentity ?? ""), AGE),
};

/** Printers of the node group. */
export const NODE: Printers = {
  "runtimeclasses.node.k8s.io": table(NAME, col("Handler", (o) => o.handler ?? ""), AGE),
};
