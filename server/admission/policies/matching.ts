/** Which requests a policy or its binding is about (`matchConstraints`, `matchResources`). */
import type { Obj } from "../../../schema/model/types.ts";
import { items, type Tree } from "../../../schema/rules/tree.ts";
import { type Labels, matches, selectorFromLabelSelector } from "../../../schema/values/labels.ts";
import type { Resource } from "../../catalog/types.ts";
import { ownTarget, ruleTarget, type Target } from "../target.ts";
import type { Attributes } from "../types.ts";

/** A request, and how to find the resources that share its objects, its own among them. */
export interface Asked {
  readonly a: Attributes;
  readonly same: () => readonly Resource[];
  /** The namespace of its object. */
  readonly namespace: Obj | undefined;
}

function ofRules(rules: readonly Tree[], { a, same }: Asked, equivalent: boolean): Target | undefined {
  const named = rules.filter(({ resourceNames }) => !items(resourceNames).length || resourceNames.includes(a.name));
  return ruleTarget(named, a, equivalent ? same : undefined);
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
function ofNamespace(selector: Tree | undefined, { a, namespace }: Asked): boolean {
  if (a.resource.id === "namespaces") {
    return fits(selector, labelsOf((a.subresource ? a.oldObject : a.object) ?? a.oldObject));
  }
  return !a.resource.namespaced || fits(selector, labelsOf(namespace));
}

/** As what a request is matched: its own resource and version, or an equivalent; undefined: it is not. No rules match everything. */
export function matchedTarget(m: Tree | undefined, asked: Asked): Target | undefined {
  const { a } = asked;
  if (!m) return ownTarget(a);
  const equivalent = m["matchPolicy"] !== "Exact", rules = items(m["resourceRules"]);
  const target = rules.length ? ofRules(rules, asked, equivalent) : ownTarget(a);
  if (target === undefined) return undefined;
  if (!ofNamespace(m["namespaceSelector"], asked) || !ofObject(m["objectSelector"], a)) return undefined;
  return ofRules(items(m["excludeResourceRules"]), asked, equivalent) === undefined ? target : undefined;
}
