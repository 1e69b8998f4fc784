/** Rules of what a role allows. */
import { labelSelector } from "../checks/selectors.ts";
import { requirementsOf } from "../checks/workload.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { count, items, type Tree } from "../tree.ts";

const RULES = Path.of("rules"), SELECTORS = Path.of("aggregationRule", "clusterRoleSelectors");

function policyRule(r: Tree, namespaced: boolean, path: Path, errors: ErrorList): void {
  const urls = r["nonResourceURLs"], at = path.child("nonResourceURLs");
  if (!count(r["verbs"])) errors.required(path.child("verbs"), "must have at least one verb");
  if (!count(urls)) {
    if (!count(r["apiGroups"])) errors.required(path.child("apiGroups"), "must have at least one API group");
    if (!count(r["resources"])) errors.required(path.child("resources"), "must have at least one resource");
    return;
  }
  if (namespaced) errors.invalid(at, urls, "a role of a namespace cannot be about URLs");
  if (count(r["apiGroups"]) || count(r["resources"]) || count(r["resourceNames"])) {
    errors.invalid(at, urls, "one rule cannot be about both resources and URLs");
  }
}

/** The rules of a role. */
export function policyRules(list: readonly Tree[] | undefined, namespaced: boolean, errors: ErrorList): void {
  const all = items(list);
  for (let i = 0; i < all.length; i++) policyRule(all[i]!, namespaced, RULES.index(i), errors);
}

/** Which other roles a cluster role is made of. */
export function aggregationRule(rule: Tree | undefined, errors: ErrorList, allowInvalidValues: boolean): void {
  if (!rule) return;
  const list = items(rule["clusterRoleSelectors"]);
  if (!list.length) errors.required(SELECTORS, "must have at least one selector");
  for (const [i, s] of list.entries()) {
    labelSelector(s, SELECTORS.index(i), errors, { allowInvalidValues });
    if (requirementsOf(s) === undefined) errors.invalid(SELECTORS.index(i), s, "must be a label selector");
  }
}
