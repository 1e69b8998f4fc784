/** Printers of the scheduling, coordination and node groups. */
import type { Obj } from "../../schema/model/types.ts";
import { AGE, col, NAME, table } from "./parts.ts";
import { conditionOf, count, NONE, orNone } from "./text.ts";
import type { Printers } from "./types.ts";

const POLICIES = [["gang", "Gang"], ["basic", "Basic"]] as const;
const policy = (o: Obj): string => POLICIES.find(([field]) => o.spec?.schedulingPolicy?.[field])?.[1] ?? NONE;

/** Scheduled once as a whole, or why not. */
function groupState(o: Obj): string {
  const scheduled = conditionOf(o, "PodGroupInitiallyScheduled");
  if (!scheduled) return "Pending";
  return scheduled.status === "True" ? "Scheduled" : scheduled.reason || "Pending";
}

/** Printers of the scheduling group, by public id. */
export const SCHEDULING: Printers = {
  "podgroups.scheduling.k8s.io": table(
    NAME,
    col("Policy", policy),
    col("Workload", (o) => orNone(o.spec?.workloadRef?.workloadName)),
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
