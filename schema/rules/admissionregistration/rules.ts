/** Rules of which requests a webhook or policy is about. */
import { format } from "../checks/basic.ts";
import { pathSegment } from "../checks/formats.ts";
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";
import { isSet, items, repeats, type Tree } from "../tree.ts";

const SCOPES = ["*", "Cluster", "Namespaced"], OPERATIONS = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
/** Operations whose objects can be changed. */
const MUTABLE = ["*", "CONNECT", "CREATE", "UPDATE"];

/** A list with something in it, and nothing beside `*`. */
function valuesOrAll(list: readonly string[], path: Path, errors: ErrorList): void {
  if (!list.length) errors.required(path);
  if (list.length > 1 && list.includes("*")) errors.invalid(path, list, "must not have other values beside '*'");
}

/** Resources and subresources: nothing that a wildcard before it already says. */
function resources(list: readonly string[], path: Path, errors: ErrorList): void {
  if (!list.length) errors.required(path);
  const allOf = new Set<string>(), everywhere = new Set<string>();
  let plain = false;
  for (const [i, text] of list.entries()) {
    const slash = text.indexOf("/"), at = path.index(i);
    if (!text) errors.required(at);
    if (slash < 0) {
      if (text) plain = text !== "*";
      continue;
    }
    const resource = text.slice(0, slash), part = text.slice(slash + 1);
    if (allOf.has(resource)) errors.invalid(at, text, `is part of '${resource}/*'`);
    if (everywhere.has(part)) errors.invalid(at, text, `is part of '*/${part}'`);
    if (part === "*") allOf.add(resource);
    if (resource === "*") everywhere.add(part);
  }
  if (list.length > 1 && list.includes("*/*")) errors.invalid(path, list, "must not have other values beside '*/*'");
  if (plain && list.includes("*")) errors.invalid(path, list, "must not have other resources beside '*'");
}

/** A rule with its operations. */
export function operationRule(r: Tree, path: Path, errors: ErrorList): void {
  const operations = items<string>(r["operations"]), versions = items<string>(r["apiVersions"]);
  valuesOrAll(operations, path.child("operations"), errors);
  for (let i = 0; i < operations.length; i++) {
    if (!OPERATIONS.includes(operations[i]!)) {
      errors.notSupported(path.child("operations").index(i), operations[i], OPERATIONS);
    }
  }
  valuesOrAll(items<string>(r["apiGroups"]), path.child("apiGroups"), errors);
  valuesOrAll(versions, path.child("apiVersions"), errors);
  for (const [i, v] of versions.entries()) if (!v) errors.required(path.child("apiVersions").index(i));
  resources(items<string>(r["resources"]), path.child("resources"), errors);
  if (isSet(r["scope"]) && !SCOPES.includes(r["scope"])) errors.notSupported(path.child("scope"), r["scope"], SCOPES);
}

/** The same, about objects of some names. */
export function namedRule(r: Tree, path: Path, errors: ErrorList): void {
  const names = items<string>(r["resourceNames"]);
  const again = repeats(names);
  for (const [i, n] of names.entries()) {
    const at = path.child("resourceNames").index(i);
    format(n, at, errors, pathSegment);
    if (again.has(i)) errors.duplicate(at, n);
  }
  operationRule(r, path, errors);
}

/** That rules of a policy that changes objects are about operations that allow it. The place has no index. */
export function mutableOperations(rules: readonly Tree[] | undefined, path: Path, errors: ErrorList): void {
  for (const r of items(rules)) {
    for (const o of items<string>(r["operations"])) {
      if (!MUTABLE.includes(o)) errors.notSupported(path.child("operations"), o, MUTABLE);
    }
  }
}
