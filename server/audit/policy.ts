/** Which requests are recorded, and how much: the first rule that fits (specification, "Audit events"; `--audit-policy-file`). */
import { decodeObject } from "../../schema/codec/mod.ts";
import { parseYaml } from "../../schema/codec/yaml.ts";
import type { JsonMap } from "../../schema/model/types.ts";
import type { Product } from "../../schema/product.ts";
import { schemeOf } from "../../schema/scheme.ts";
import { dnsSubdomain } from "../../schema/values/names.ts";
import type { AuthorizationAttributes } from "../authorization/types.ts";
import { type Level, LEVELS, type Stage, STAGES } from "./types.ts";

/** What a rule says of requests that fit it. */
export interface AuditDecision {
  readonly level: Level;
  readonly omit: ReadonlySet<Stage>;
  readonly omitManagedFields: boolean;
}

interface GroupResources {
  readonly group?: string;
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

interface Rule {
  readonly level: string;
  readonly users?: readonly string[];
  readonly userGroups?: readonly string[];
  readonly verbs?: readonly string[];
  readonly resources?: readonly GroupResources[];
  readonly namespaces?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly omitStages?: readonly Stage[];
  readonly omitManagedFields?: boolean;
}

interface PolicyTree {
  readonly rules?: readonly Rule[] | null;
  readonly omitStages?: readonly Stage[];
  readonly omitManagedFields?: boolean;
}

const OPTION = "--audit-policy-file";
const NOTHING: AuditDecision = { level: 0, omit: new Set(), omitManagedFields: false };

/** A policy, checked. */
export class AuditPolicy {
  readonly #rules: readonly (readonly [Rule, AuditDecision])[];

  constructor(policy: PolicyTree) {
    this.#rules = (policy.rules ?? []).map((rule) => [rule, {
      level: LEVELS.indexOf(rule.level as typeof LEVELS[number]) as Level,
      omit: new Set([...policy.omitStages ?? [], ...rule.omitStages ?? []]),
      omitManagedFields: rule.omitManagedFields ?? policy.omitManagedFields ?? false,
    }]);
  }

  /** What the first rule that fits says; without any nothing is recorded. */
  decide(request: AuthorizationAttributes): AuditDecision {
    return this.#rules.find(([rule]) => fits(rule, request))?.[1] ?? NOTHING;
  }
}

const anyOrHas = (list: readonly string[] | undefined, value: string): boolean => !list?.length || list.includes(value);

function fits(rule: Rule, r: AuthorizationAttributes): boolean {
  if (!anyOrHas(rule.users, r.user.name) || !anyOrHas(rule.verbs, r.verb)) return false;
  if (rule.userGroups?.length && !r.user.groups.some((g) => rule.userGroups!.includes(g))) return false;
  if (rule.namespaces?.length || rule.resources?.length) {
    return r.isResource && anyOrHas(rule.namespaces, r.namespace) &&
      (!rule.resources?.length || rule.resources.some((of) => holds(of, r)));
  }
  if (rule.nonResourceURLs?.length) return !r.isResource && rule.nonResourceURLs.some((url) => covers(url, r.path));
  return true;
}

function covers(url: string, path: string): boolean {
  return url === "*" || url === path || url.endsWith("*") && path.startsWith(url.slice(0, -1));
}

function holds({ group = "", resources = [], resourceNames }: GroupResources, r: AuthorizationAttributes): boolean {
  if (group !== "*" && group !== r.group) return false;
  if (resources.length === 0) return true;
  if (!anyOrHas(resourceNames, r.name)) return false;
  const own = r.subresource ? `${r.resource}/${r.subresource}` : r.resource;
  const patterns = ["*", own, `${r.resource}/*`, ...(r.subresource ? [`*/${r.subresource}`] : [])];
  return resources.some((pattern) => patterns.includes(pattern));
}

/**
 * Reads a policy file's text. What it has beyond the fields there are is passed over, and `passed` hears of it.
 * @throws Error that tells everything that is wrong, by path
 */
export function readAuditPolicy(
  text: string,
  product: Product,
  passed: (what: string) => void = () => {},
): AuditPolicy {
  const faults: string[] = [];
  const found = decoded(text, product, faults, passed);
  if (found) check(found.tree, faults);
  if (!found || faults.length > 0) throw new Error(`${OPTION}: ${faults.join("; ")}`);
  return new AuditPolicy(found.isPublic ? alsoLocal(found.tree, product) : found.tree);
}

/** A policy in public names, which the dialect's names fit too. */
function alsoLocal(policy: PolicyTree, { local }: Product): PolicyTree {
  const both = (names: readonly string[] = []) => [...new Set([...names, ...names.map(local)])];
  const rules = policy.rules?.map((rule) => ({
    ...rule,
    users: both(rule.users),
    userGroups: both(rule.userGroups),
    namespaces: both(rule.namespaces),
    resources: (rule.resources ?? []).flatMap((of) => both([of.group ?? ""]).map((group) => ({ ...of, group }))),
  }));
  return { ...policy, rules: rules ?? [] };
}

/** What a file holds, and whether it is by the public name of the kind, where the dialect has another one. */
interface Found {
  readonly tree: PolicyTree;
  readonly isPublic: boolean;
}

function decoded(
  text: string,
  product: Product,
  faults: string[],
  passed: (what: string) => void,
): Found | undefined {
  try {
    const { tree, duplicates } = parseYaml(new TextEncoder().encode(text), { duplicates: true });
    duplicates.forEach(passed);
    const { apiVersion = "", kind: name = "" } = (tree ?? {}) as JsonMap;
    const kind = name === "Policy" ? schemeOf(product).kind(product.local(String(apiVersion)), name) : undefined;
    const wanted = product.local("audit.k8s.io");
    if (kind?.group !== wanted) {
      faults.push(`kind ${JSON.stringify(name)} of ${JSON.stringify(apiVersion)} is no Policy of ${wanted}/v1`);
      return undefined;
    }
    const { object, unknown } = decodeObject(kind, tree, { strict: true });
    unknown.forEach(passed);
    return { tree: object as PolicyTree, isPublic: apiVersion !== kind.apiVersion };
  } catch (e) {
    faults.push((e as Error).message);
    return undefined;
  }
}

function check({ rules, omitStages }: PolicyTree, faults: string[]): void {
  checkStages(omitStages, "omitStages", faults);
  if (!rules?.length) faults.push("rules: there should be one at least");
  rules?.forEach((rule, i) => checkRule(rule, `rules[${i}]`, faults));
}

function checkRule(rule: Rule, at: string, faults: string[]): void {
  const { level, nonResourceURLs = [], resources = [], namespaces = [] } = rule;
  if (!(LEVELS as readonly string[]).includes(level)) {
    faults.push(`${at}.level: ${JSON.stringify(level ?? "")} should be one of ${LEVELS.join(", ")}`);
  }
  nonResourceURLs.forEach((url, j) => {
    const path = `${at}.nonResourceURLs[${j}]: ${JSON.stringify(url)}`;
    if (url === "*") return;
    if (!url.startsWith("/")) faults.push(`${path} should begin with a slash`);
    if (url.slice(0, -1).includes("*")) faults.push(`${path} may have a * at its end only`);
  });
  resources.forEach(({ group = "", resources: names = [], resourceNames = [] }, j) => {
    const path = `${at}.resources[${j}]`;
    if (group !== "" && group !== "*" && dnsSubdomain(group).length > 0) {
      faults.push(`${path}.group: ${JSON.stringify(group)} is no name of a group`);
    }
    if (resourceNames.length > 0 && names.length === 0) faults.push(`${path}.resourceNames: needs resources`);
  });
  if (nonResourceURLs.length > 0 && (resources.length > 0 || namespaces.length > 0)) {
    faults.push(`${at}.nonResourceURLs: cannot go with resources or namespaces`);
  }
  checkStages(rule.omitStages, `${at}.omitStages`, faults);
}

function checkStages(stages: readonly string[] | undefined, at: string, faults: string[]): void {
  stages?.forEach((stage, i) => {
    if ((STAGES as readonly string[]).includes(stage)) return;
    faults.push(`${at}[${i}]: ${JSON.stringify(stage)} should be one of ${STAGES.join(", ")}`);
  });
}
