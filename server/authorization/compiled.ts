/** Policy rules in a form that is quick to match. */
import type { PolicyRule } from "./rules.ts";

/** One rule. Undefined sets match everything. */
export interface CompiledRule {
  readonly verbs: ReadonlySet<string> | undefined;
  readonly groups: ReadonlySet<string> | undefined;
  readonly resources: ReadonlySet<string> | undefined;
  /** Subresources that match of any resource (`*` + `/scale`). */
  readonly anyWith: ReadonlySet<string> | undefined;
  /** Undefined: every name. */
  readonly names: ReadonlySet<string> | undefined;
}

/** One rule about paths. */
export interface CompiledUrlRule {
  readonly verbs: ReadonlySet<string> | undefined;
  readonly exact: ReadonlySet<string>;
  /** What is before the asterisk; one empty prefix matches all. */
  readonly prefixes: readonly string[];
}

/** The rules of a role. */
export interface CompiledRole {
  readonly rules: readonly CompiledRule[];
  readonly urls: readonly CompiledUrlRule[];
}

/** Undefined when the list has an asterisk. */
const setOf = (list: readonly string[]) => (list.includes("*") ? undefined : new Set(list));

function resourceRule(rule: PolicyRule): CompiledRule {
  const resources = rule.resources ?? [];
  const wild = resources.filter((r) => r.startsWith("*/")).map((r) => r.slice(2));
  const names = rule.resourceNames ?? [];
  return {
    verbs: setOf(rule.verbs ?? []),
    groups: setOf(rule.apiGroups ?? []),
    resources: setOf(resources),
    anyWith: wild.length ? new Set(wild) : undefined,
    names: names.length ? new Set(names) : undefined,
  };
}

function urlRule(rule: PolicyRule): CompiledUrlRule {
  const urls = rule.nonResourceURLs ?? [];
  return {
    verbs: setOf(rule.verbs ?? []),
    exact: new Set(urls),
    prefixes: urls.filter((u) => u.endsWith("*")).map((u) => u.slice(0, -1)),
  };
}

/** Compiles the rules of a role. */
export function compileRole(rules: readonly PolicyRule[] | undefined | null): CompiledRole {
  const all = rules ?? [];
  return {
    rules: all.filter((r) => r.resources?.length).map(resourceRule),
    urls: all.filter((r) => r.nonResourceURLs?.length).map(urlRule),
  };
}

/** Whether a rule is about the verb, group and resource, whatever the name. `resource` is `pods` or `pods/log`. */
export function ruleMatches(
  r: CompiledRule,
  verb: string,
  group: string,
  resource: string,
  subresource: string,
): boolean {
  if (r.verbs && !r.verbs.has(verb)) return false;
  if (r.groups && !r.groups.has(group)) return false;
  if (!r.resources || r.resources.has(resource)) return true;
  return r.anyWith !== undefined && subresource !== "" && r.anyWith.has(subresource);
}

/** Whether a rule is about the verb and path. */
export function urlRuleMatches(r: CompiledUrlRule, verb: string, path: string): boolean {
  if (r.verbs && !r.verbs.has(verb)) return false;
  return r.exact.has(path) || r.prefixes.some((p) => path.startsWith(p));
}
