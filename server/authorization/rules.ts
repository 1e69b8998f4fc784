/** Policy rules and the question whether some rules cover others (specification, "Authorization"). */

import { quoteAll } from "../../schema/values/quote.ts";

/** A rule as roles hold it. */
export interface PolicyRule {
  /** Absent in a rule that validation has not seen yet, or of before it did. */
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

const any = (list: readonly string[] | undefined) => list !== undefined && list.length > 0;

/** A rule that its owner has, quick to ask. Undefined sets match everything. */
interface Held {
  readonly verbs: ReadonlySet<string> | undefined;
  readonly groups: ReadonlySet<string> | undefined;
  readonly resources: ReadonlySet<string> | undefined;
  readonly names: ReadonlySet<string> | undefined;
  readonly urls: ReadonlySet<string>;
  /** What is before the asterisk of patterns. */
  readonly prefixes: readonly string[];
}

function held(
  { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: PolicyRule,
): Held {
  const setOf = (list: readonly string[]) => (list.includes("*") ? undefined : new Set(list));
  return {
    verbs: setOf(verbs),
    groups: setOf(apiGroups),
    resources: setOf(resources),
    names: any(resourceNames) ? new Set(resourceNames) : undefined,
    urls: new Set(nonResourceURLs),
    prefixes: nonResourceURLs.filter((u) => u.endsWith("*")).map((u) => u.slice(0, -1)),
  };
}

/** As itself, or as any resource with that subresource. `resource` is `pods` or `pods/log`. */
function holdsResource({ resources }: Held, resource: string): boolean {
  if (!resources || resources.has(resource)) return true;
  const at = resource.indexOf("/");
  return at >= 0 && resources.has(`*${resource.slice(at)}`);
}

const holdsUrl = ({ urls, prefixes }: Held, url: string): boolean =>
  urls.has(url) || prefixes.some((p) => url.startsWith(p));

/** Whether one rule that is held grants all of another one. */
function coversRule(h: Held, want: PolicyRule): boolean {
  const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = want;
  if (h.verbs && verbs?.some((v) => !h.verbs!.has(v))) return false;
  if (nonResourceURLs?.some((u) => !holdsUrl(h, u))) return false;
  if (!any(apiGroups) || !any(resources)) return true;
  if (h.groups && apiGroups!.some((g) => !h.groups!.has(g))) return false;
  if (h.resources && resources!.some((r) => !holdsResource(h, r))) return false;
  return !h.names || any(resourceNames) && resourceNames!.every((n) => h.names!.has(n));
}

/** How many rules {@linkcode breakdown} makes of one. */
function pieces({ verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: PolicyRule) {
  const objects = apiGroups.length * resources.length * Math.max(1, resourceNames.length);
  return verbs.length * (objects + nonResourceURLs.length);
}

/** Rules with one verb, one group, one resource, one name or URL each. */
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

/** Comparisons of rules for one answer: four lists of some letters name billions of single rights, and everybody would wait. */
const MOST_WORK = 4_000_000;
/** What a piece costs by itself, in comparisons. */
const PIECE = 100;

/**
 * Which of `requested` the owner's rules do not grant, one verb, group, resource and name each, verbs of the same put
 * together. Empty: all covered. What is too much to look at piece by piece is missing as it is, unless a single one of the
 * owner's rules grants it.
 */
export function missingRules(owner: readonly PolicyRule[], requested: readonly PolicyRule[]): PolicyRule[] {
  const missing: PolicyRule[] = [], all = owner.map(held);
  const granted = (rule: PolicyRule) => all.some((h) => coversRule(h, rule));
  let work = 0;
  const affords = (cost: number) => work + cost <= MOST_WORK && (work += cost, true);
  for (const rule of requested) {
    if (affords(all.length) && granted(rule)) continue;
    if (!affords(pieces(rule) * (PIECE + all.length))) missing.push(rule);
    else for (const one of breakdown(rule)) if (!granted(one)) missing.push(one);
  }
  return compact(missing);
}

/** Joins rules of one resource that differ in their verbs only. */
function compact(rules: readonly PolicyRule[]): PolicyRule[] {
  const out = new Map<unknown, PolicyRule & { readonly verbs: string[] }>();
  for (const rule of rules) {
    const { apiGroups, resources, resourceNames = [], verbs = [] } = rule;
    const simple = apiGroups?.length === 1 && resources?.length === 1 && resourceNames.length < 2;
    const key = simple ? JSON.stringify([apiGroups, resources, resourceNames]) : rule, known = out.get(key);
    if (known) { for (const verb of verbs) known.verbs.push(verb); }
    else out.set(key, { ...rule, verbs: [...verbs] });
  }
  return [...out.values()];
}

/** A rule as error texts show it: `{APIGroups:["apps"], Resources:["deployments"], Verbs:["get" "list"]}`. */
export function describeRule(rule: PolicyRule): string {
  const parts: string[] = [];
  const add = (label: string, list: readonly string[] | undefined) => {
    if (any(list)) parts.push(`${label}:${quoteAll(list!)}`);
  };
  add("APIGroups", rule.apiGroups);
  add("Resources", rule.resources);
  add("NonResourceURLs", rule.nonResourceURLs);
  add("ResourceNames", rule.resourceNames);
  add("Verbs", rule.verbs);
  return `{${parts.join(", ")}}`;
}
