/** Policy rules and the question whether some rules cover others (specification, "Authorization"). */

/** A rule as roles hold it. */
export interface PolicyRule {
  /** Absent in a rule that validation has not seen yet, or of before it did. */
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

const has = (list: readonly string[] | undefined, value: string) => list !== undefined && list.includes(value);
const any = (list: readonly string[] | undefined) => list !== undefined && list.length > 0;

/** Whether a rule names the resource: as `*`, as itself, or as `*` with that subresource. `resource` is `pods` or `pods/log`. */
function resourceMatches(resources: readonly string[] | undefined, resource: string): boolean {
  if (!resources) return false;
  for (const r of resources) {
    if (r === "*" || r === resource) return true;
    if (
      r.startsWith("*/") && resource.endsWith(r.slice(1)) && resource.indexOf("/") === resource.length - r.length + 1
    ) {
      return true;
    }
  }
  return false;
}

/** A non-resource URL against the patterns of a rule: `*`, the path, or a prefix that ends in `*`. */
function urlMatches(patterns: readonly string[] | undefined, path: string): boolean {
  if (!patterns) return false;
  for (const p of patterns) {
    if (p === "*" || p === path) return true;
    if (p.endsWith("*") && path.startsWith(p.slice(0, -1))) return true;
  }
  return false;
}

/** Rules with one verb, one group, one resource, one name or URL each. The bound on work is the caller's (roles ≤ 3 MiB). */
function* breakdown(rule: PolicyRule): Generator<PolicyRule> {
  for (const verb of rule.verbs ?? []) {
    const verbs = [verb];
    for (const group of rule.apiGroups ?? []) {
      for (const resource of rule.resources ?? []) {
        const one = { verbs, apiGroups: [group], resources: [resource] };
        if (!any(rule.resourceNames)) yield one;
        else for (const name of rule.resourceNames!) yield { ...one, resourceNames: [name] };
      }
    }
    for (const url of rule.nonResourceURLs ?? []) yield { verbs, nonResourceURLs: [url] };
  }
}

function coversOne(owner: PolicyRule, want: PolicyRule): boolean {
  const verb = want.verbs![0]!;
  if (!has(owner.verbs, "*") && !has(owner.verbs, verb)) return false;
  if (want.nonResourceURLs) return urlMatches(owner.nonResourceURLs, want.nonResourceURLs[0]!);
  if (!has(owner.apiGroups, "*") && !has(owner.apiGroups, want.apiGroups![0]!)) return false;
  if (!resourceMatches(owner.resources, want.resources![0]!)) return false;
  if (!any(owner.resourceNames)) return true;
  return want.resourceNames !== undefined && has(owner.resourceNames, want.resourceNames[0]!);
}

/**
 * Which of `requested` the owner's rules do not grant, one verb, group, resource and name each, compacted where they differ in
 * one part only. Empty: all covered.
 */
export function missingRules(owner: readonly PolicyRule[], requested: readonly PolicyRule[]): PolicyRule[] {
  const missing: PolicyRule[] = [];
  for (const rule of requested) {
    for (const one of breakdown(rule)) if (!owner.some((o) => coversOne(o, one))) missing.push(one);
  }
  return compact(missing);
}

/** Whether the owner's rules grant all of the requested ones; for escalation checks on writes of roles and bindings. */
export function covers(
  owner: readonly PolicyRule[],
  requested: readonly PolicyRule[],
): { readonly ok: boolean; readonly missing: PolicyRule[] } {
  const missing = missingRules(owner, requested);
  return { ok: missing.length === 0, missing };
}

/** Joins rules that differ in their verbs only, then in their resources only. */
export function compact(rules: readonly PolicyRule[]): PolicyRule[] {
  return join(join(rules, "verbs"), "resources");
}

function join(rules: readonly PolicyRule[], part: "verbs" | "resources"): PolicyRule[] {
  const out = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const key = JSON.stringify([
      part === "verbs" ? 0 : rule.verbs,
      rule.apiGroups ?? 0,
      part === "resources" ? 0 : rule.resources ?? 0,
      rule.resourceNames ?? 0,
      rule.nonResourceURLs ?? 0,
    ]);
    const old = out.get(key);
    const list = rule[part];
    if (!old || !list) out.set(key, rule);
    else out.set(key, { ...old, [part]: [...new Set([...(old[part] ?? []), ...list])] });
  }
  return [...out.values()];
}

/** A rule as error texts show it: `{APIGroups:["apps"], Resources:["deployments"], Verbs:["get"]}`. */
export function describeRule(rule: PolicyRule): string {
  const parts: string[] = [];
  const add = (label: string, list: readonly string[] | undefined) => {
    if (any(list)) parts.push(`${label}:${JSON.stringify(list)}`);
  };
  add("NonResourceURLs", rule.nonResourceURLs);
  add("APIGroups", rule.apiGroups);
  add("Resources", rule.resources);
  add("ResourceNames", rule.resourceNames);
  add("Verbs", rule.verbs);
  return `{${parts.join(", ")}}`;
}
