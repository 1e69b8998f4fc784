/** Members of pod groups and of their templates that gates switch on. */
import { isSet, items, type Tree } from "../tree.ts";
import type { RuleContext } from "../types.ts";

/** The gate of claims that a group's pods share. */
export const CLAIMS_GATE = "DRAWorkloadResourceClaims";

/** Gates by member. */
export type Gated = Readonly<Record<string, string>>;

const OLD: Gated = { schedulingConstraints: "TopologyAwareWorkloadScheduling", resourceClaims: CLAIMS_GATE };

/** Of groups of groups, and their templates. */
export const GATED_COMPOSITE: Gated = { preemptionPolicy: "PodGroupPreemptionPolicy" };

/** Of templates of groups. */
export const GATED_TEMPLATE: Gated = { ...OLD, ...GATED_COMPOSITE };

/** The gate of groups of groups. */
export const COMPOSITE_GATE = "CompositePodGroup";

/** Of groups. */
export const GATED: Gated = { ...GATED_TEMPLATE, parentCompositePodGroupName: COMPOSITE_GATE };

const PREEMPTION = "WorkloadAwarePreemption";

/** Of both in v1alpha2. */
export const GATED_V1ALPHA2: Gated = {
  ...OLD,
  disruptionMode: PREEMPTION,
  priorityClassName: PREEMPTION,
  priority: PREEMPTION,
};

const inUse = (v: unknown) => Array.isArray(v) ? v.length > 0 : isSet(v) && v !== "";

/** Takes away what is switched off; it stays when the stored object has it. */
export function dropGated(spec: Tree | undefined, was: Tree | undefined, gated: Gated, ctx: RuleContext): void {
  for (const [member, gate] of Object.entries(gated)) {
    if (spec && !ctx.gate(gate) && !inUse(was?.[member])) delete spec[member];
  }
}

/** The same for each of a list of templates; those of the stored object are compared by their place. */
export function dropFromTemplates(templates: unknown, was: unknown, gated: Gated, ctx: RuleContext): void {
  const old = items<Tree>(was as Tree[]);
  for (const [i, t] of items<Tree>(templates as Tree[]).entries()) dropGated(t, old[i], gated, ctx);
}
