/** Defaults of the scheduling group. */
import { fill, part } from "../checks/fill.ts";
import type { DefaultsTable } from "../tables.ts";
import { isSet, type Tree } from "../tree.ts";
import type { RuleContext } from "../types.ts";

const groupDefaults = (g: Tree, ctx: RuleContext) => {
  const spec = part(g, "spec");
  if (!isSet(spec["disruptionMode"])) spec["disruptionMode"] = { single: {} };
  if (ctx.gate("PodGroupPreemptionPolicy")) fill(spec, { preemptionPolicy: "PreemptLowerPriority" });
};

/** The mode was a word in v1alpha2. */
const oldGroupDefaults = (g: Tree) => fill(part(g, "spec"), { disruptionMode: "Pod" });

/** Rows of the scheduling group. */
export const DEFAULTS: DefaultsTable = {
  "v1/PriorityClass": (c: Tree) => fill(c, { preemptionPolicy: "PreemptLowerPriority" }),
  "v1alpha2/PodGroup": oldGroupDefaults,
  "v1alpha3/PodGroup": groupDefaults,
  "v1beta1/PodGroup": groupDefaults,
  "v1alpha3/CompositePodGroup": groupDefaults,
};
