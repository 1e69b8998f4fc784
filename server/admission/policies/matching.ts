/** Which requests a policy or its binding is about (`matchConstraints`, `matchResources`). */
import type { Obj } from "../../../schema/model/types.ts";
import { items, type Tree } from "../../../schema/rules/tree.ts";
import { ValueError } from "../../../schema/values/error.ts";
import { type Labels, matches, type Requirement, selectorFromLabelSelector } from "../../../schema/values/labels.ts";
import type { Resource } from "../../catalog/types.ts";
import { ownTarget, ruleTarget, type Target } from "../target.ts";
import type { Attributes } from "../types.ts";

/** That a policy or binding cannot be used as it is. Its message is fit for clients. */
export class Misconfigured extends Error {}

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

/** What a selector asks for. @throws Misconfigured for one that is none */
export function requirementsOf(selector: Tree | undefined): readonly Requirement[] {
  try {
    return selectorFromLabelSelector(selector) ?? [];
  } catch (e) {
    throw e instanceof ValueError ? new Misconfigured(e.message) : e;
  }
}

const fits = (selector: Tree | undefined, labels: Labels): boolean => matches(requirementsOf(selector), labels);
const labelsOf = (obj: Obj | undefined): Labels => obj?.metadata?.labels;

/** A selector without a word fits everything, also what has no labels to be. */
function ofObject(selector: Tree | undefined, a: Attributes): boolean {
  const wanted = requirementsOf(selector);
  return wanted.length === 0 || [a.object, a.oldObject].some((o) => o?.metadata && matches(wanted, labelsOf(o)));
}

/** One selector that does not fit decides, whatever is wrong with the other. @throws Misconfigured */
function selected(m: Tree, asked: Asked): boolean {
  let fault: Misconfigured | undefined;
  for (const fit of [() => ofNamespace(m["namespaceSelector"], asked), () => ofObject(m["objectSelector"], asked.a)]) {
    try {
      if (!fit()) return false;
    } catch (e) {
      if (!(e instanceof Misconfigured)) throw e;
      fault ??= e;
    }
  }
  if (fault) throw fault;
  return true;
}

/** Of a namespace its own labels count; what is in none always fits. */
function ofNamespace(selector: Tree | undefined, { a, namespace }: Asked): boolean {
  if (a.resource.id === "namespaces") {
    return fits(selector, labelsOf((a.subresource ? a.oldObject : a.object) ?? a.oldObject));
  }
  return !a.resource.namespaced || fits(selector, labelsOf(namespace));
}

/**
 * As what a request is matched: its own resource and version, or an equivalent; undefined: it is not. No rules match everything.
 * @throws Misconfigured for a selector that is none, where nothing else keeps the request off
 */
export function matchedTarget(m: Tree | undefined, asked: Asked): Target | undefined {
  const { a } = asked;
  if (!m) return ownTarget(a);
  const equivalent = m["matchPolicy"] !== "Exact", rules = items(m["resourceRules"]);
  const target = rules.length ? ofRules(rules, asked, equivalent) : ownTarget(a);
  if (target === undefined) return undefined;
  if (ofRules(items(m["excludeResourceRules"]), asked, equivalent) !== undefined) return undefined;
  return selected(m, asked) ? target : undefined;
}
