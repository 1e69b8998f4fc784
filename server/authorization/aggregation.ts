/** Aggregated cluster roles: the rules of a role that gathers others by label. */
import type { Obj } from "../../schema/model/types.ts";
import { type LabelSelector, matches, selectorFromLabelSelector } from "../../schema/values/labels.ts";
import type { PolicyRule } from "./rules.ts";

/** A selector that is malformed selects nothing: one bad role must not hold up the others. */
function requirementsOf(selector: LabelSelector) {
  try {
    return selectorFromLabelSelector(selector);
  } catch {
    return undefined;
  }
}

/**
 * The rules that a role with an aggregation rule should have: those of all roles that any of its selectors matches, selector
 * by selector, by name, each rule once. The role itself is left out.
 */
function aggregatedRules(role: Obj, byName: readonly Obj[], rulesOf: (role: Obj) => PolicyRule[]): PolicyRule[] {
  const out = new Map<string, PolicyRule>();
  for (const selector of (role.aggregationRule?.clusterRoleSelectors ?? []) as LabelSelector[]) {
    const requirements = requirementsOf(selector);
    for (const other of byName) {
      if (other.metadata.name === role.metadata.name) continue;
      if (!requirements || !matches(requirements, other.metadata.labels)) continue;
      for (const rule of rulesOf(other)) {
        const key = JSON.stringify(rule);
        if (!out.has(key)) out.set(key, rule);
      }
    }
  }
  return [...out.values()];
}

const same = (a: readonly PolicyRule[], b: readonly PolicyRule[]) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Every aggregated role whose rules should change, by name. Roles may feed each other: evaluated until nothing changes, at
 * most once more than there are such roles.
 */
export function aggregate(roles: readonly Obj[]): Map<string, PolicyRule[]> {
  const changed = new Map<string, PolicyRule[]>();
  const now = (r: Obj): PolicyRule[] => changed.get(r.metadata.name!) ?? r.rules ?? [];
  const byName = [...roles].sort((a, b) => (a.metadata.name! < b.metadata.name! ? -1 : 1));
  const aggregated = roles.filter((r) => r.aggregationRule);
  for (let round = 0, moved = true; moved && round <= aggregated.length; round++) {
    moved = false;
    for (const role of aggregated) {
      const rules = aggregatedRules(role, byName, now);
      if (same(rules, now(role))) continue;
      changed.set(role.metadata.name!, rules);
      moved = true;
    }
  }
  for (const role of aggregated) {
    const rules = changed.get(role.metadata.name!);
    if (rules && same(rules, role.rules ?? [])) changed.delete(role.metadata.name!);
  }
  return changed;
}
