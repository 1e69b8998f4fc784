/** Defaults of the autoscaling group. */
import { fill, part } from "../checks/fill.ts";
import type { DefaultsTable } from "../tables.ts";
import { count, isSet, type Tree } from "../tree.ts";

const CPU_PERCENT = 80;
const policies = {
  scaleUp: () => [{ type: "Pods", value: 4, periodSeconds: 15 }, { type: "Percent", value: 100, periodSeconds: 15 }],
  scaleDown: () => [{ type: "Percent", value: 100, periodSeconds: 15 }],
};

function behaviorDefaults(behavior: Tree, which: "scaleUp" | "scaleDown"): void {
  const rules = part(behavior, which);
  if (which === "scaleUp") fill(rules, { stabilizationWindowSeconds: 0 });
  fill(rules, { selectPolicy: "Max" });
  if (!isSet(rules["policies"])) rules["policies"] = policies[which]();
}

/** Fills a behavior in place: both directions, whichever was given. */
export function fillBehavior(behavior: Tree | undefined): void {
  if (!behavior) return;
  behaviorDefaults(behavior, "scaleUp");
  behaviorDefaults(behavior, "scaleDown");
}

/** Rows of the autoscaling group. */
export const DEFAULTS: DefaultsTable = {
  "v1/HorizontalPodAutoscaler": (h: Tree) => fill(part(h, "spec"), { minReplicas: 1 }),
  "v2/HorizontalPodAutoscaler": (h: Tree) => {
    const spec = part(h, "spec");
    fill(spec, { minReplicas: 1 });
    if (!count(spec["metrics"])) {
      spec["metrics"] = [{
        type: "Resource",
        resource: { name: "cpu", target: { type: "Utilization", averageUtilization: CPU_PERCENT } },
      }];
    }
    fillBehavior(spec["behavior"]);
  },
};
