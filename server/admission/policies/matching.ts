/** Which requests a policy or its binding is about (`matchConstraints`, `matchResources`). */
import type { Obj } from "../../../schema/model/types.ts";
import { items, type Tree } from "../../../schema/rules/tree.ts";
import { type Labels, matches, selectorFromLabelSelector } from "../../../schema/values/labels.ts";
import type { Attributes } from "../types.ts";

/** Whether a value is in a list that may hold `*`. */
const has = (list: readonly string[] | undefined, value: string): boolean =>
  items<string>(list).some((x) => x === "*" || x === value);

function ofResource(list: readonly string[], a: Attributes): boolean {
  return items<string>(list).some((text) => {
    const [resource, part = ""] = text.split("/");
    return (resource === "*" || resource === a.resource.name) && (part === "*" || part === a.subresource);
  });
}

/** The version that a rule has of the request's resource: its own, or an equivalent one. */
function versionOf(rule: Tree, a: Attributes, equivalent: boolean): string | undefined {
  const scope: string = rule["scope"] ?? "*";
  const names = items<string>(rule["resourceNames"]);
  if (scope !== "*" && (scope === "Namespaced") !== a.resource.namespaced) return undefined;
  if (!has(rule["operations"], a.operation) || !has(rule["apiGroups"], a.resource.group)) return undefined;
  if (!ofResource(rule["resources"], a)) return undefined;
  if (names.length && !names.includes(a.name)) return undefined;
  if (has(rule["apiVersions"], a.version)) return a.version;
  if (!equivalent) return undefined;
  return a.resource.served.find((s) => has(rule["apiVersions"], s.version))?.version;
}

function ofRules(rules: readonly Tree[], a: Attributes, equivalent: boolean): string | undefined {
  for (const even of equivalent ? [false, true] : [false]) {
    for (const rule of rules) {
      const version = versionOf(rule, a, even);
      if (version !== undefined) return version;
    }
  }
  return undefined;
}

const fits = (selector: Tree | undefined, labels: Labels): boolean =>
  !selector || matches(selectorFromLabelSelector(selector) ?? [], labels);
/** A selector without a word fits everything, also what is not there. */
const isEmpty = (selector: Tree | undefined): boolean =>
  !selector || (!items(selector["matchExpressions"]).length && !Object.keys(selector["matchLabels"] ?? {}).length);
const labelsOf = (obj: Obj | undefined): Labels => obj?.metadata?.labels;

function ofObject(selector: Tree | undefined, a: Attributes): boolean {
  return isEmpty(selector) || [a.object, a.oldObject].some((o) => o !== undefined && fits(selector, labelsOf(o)));
}

/** Of a namespace its own labels count; what is in none always fits. */
function ofNamespace(selector: Tree | undefined, a: Attributes, namespace: Obj | undefined): boolean {
  if (a.resource.id === "namespaces") {
    return fits(selector, labelsOf((a.subresource ? a.oldObject : a.object) ?? a.oldObject));
  }
  return !a.resource.namespaced || fits(selector, labelsOf(namespace));
}

/** The version in which a request is matched; undefined: it is not. No rules match everything. */
export function matchedVersion(m: Tree | undefined, a: Attributes, namespace: Obj | undefined): string | undefined {
  if (!m) return a.version;
  const equivalent = m["matchPolicy"] !== "Exact", rules = items(m["resourceRules"]);
  const version = rules.length ? ofRules(rules, a, equivalent) : a.version;
  if (version === undefined) return undefined;
  if (!ofNamespace(m["namespaceSelector"], a, namespace) || !ofObject(m["objectSelector"], a)) return undefined;
  return ofRules(items(m["excludeResourceRules"]), a, equivalent) === undefined ? version : undefined;
}
