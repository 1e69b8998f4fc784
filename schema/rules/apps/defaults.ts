/** Defaults of the apps group. */
import { fill, fillZero, part } from "../checks/fill.ts";
import { templateDefaults } from "../core/pod_defaults.ts";
import { claimDefaults } from "../core/volume_defaults.ts";
import type { DefaultsTable } from "../tables.ts";
import { items, type Tree } from "../tree.ts";
import type { RuleContext } from "../types.ts";

function deploymentDefaults(d: Tree): void {
  const spec = part(d, "spec"), strategy = part(spec, "strategy");
  fillZero(strategy, { type: "RollingUpdate" });
  if (strategy["type"] === "RollingUpdate") {
    fill(part(strategy, "rollingUpdate"), { maxUnavailable: "25%", maxSurge: "25%" });
  }
  fill(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
  templateDefaults(part(spec, "template"));
}

/** Stands in the form of this version, where the count is: whoever writes the object writes it. */
const TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

function daemonSetDefaults(d: Tree): void {
  fill(part(part(d, "metadata"), "annotations"), { [TEMPLATE_GENERATION]: "0" });
  const spec = part(d, "spec"), strategy = part(spec, "updateStrategy");
  fillZero(strategy, { type: "RollingUpdate" });
  if (strategy["type"] === "RollingUpdate") fill(part(strategy, "rollingUpdate"), { maxUnavailable: 1, maxSurge: 0 });
  else if (strategy["rollingUpdate"]) fill(strategy["rollingUpdate"], { maxUnavailable: 0, maxSurge: 0 });
  fill(spec, { revisionHistoryLimit: 10 });
  templateDefaults(part(spec, "template"));
}

function statefulSetDefaults(s: Tree, ctx: RuleContext): void {
  const spec = part(s, "spec"), strategy = part(spec, "updateStrategy");
  fillZero(spec, { podManagementPolicy: "OrderedReady" });
  if (!strategy["type"]) {
    strategy["type"] = "RollingUpdate";
    part(strategy, "rollingUpdate");
  }
  if (strategy["type"] === "RollingUpdate" && strategy["rollingUpdate"]) {
    fill(strategy["rollingUpdate"], { partition: 0 });
    if (ctx.gate("MaxUnavailableStatefulSet")) fill(strategy["rollingUpdate"], { maxUnavailable: 1 });
  }
  fillZero(part(spec, "persistentVolumeClaimRetentionPolicy"), { whenDeleted: "Retain", whenScaled: "Retain" });
  fill(spec, { replicas: 1, revisionHistoryLimit: 10 });
  templateDefaults(part(spec, "template"));
  for (const c of items(spec["volumeClaimTemplates"])) {
    Object.assign(c, { kind: "PersistentVolumeClaim", apiVersion: "v1" });
    claimDefaults(c);
  }
}

/** Rows of the apps group. */
export const DEFAULTS: DefaultsTable = {
  "v1/Deployment": deploymentDefaults,
  "v1/DaemonSet": daemonSetDefaults,
  "v1/StatefulSet": statefulSetDefaults,
  "v1/ReplicaSet": (r: Tree) => {
    fill(part(r, "spec"), { replicas: 1 });
    templateDefaults(part(r["spec"], "template"));
  },
};
