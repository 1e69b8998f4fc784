/** What webhooks and policies share: conditions, variables, parameters, and what they match. */
import { format, oneOf, requiredFormat, requiredOneOf } from "../checks/basic.ts";
import { DYN, type Type, variableType } from "../../cel/mod.ts";
import { compiles, isCelIdentifier, requiredCondition, requiredExpression } from "../checks/cel.ts";
import { admissionEnvironment } from "../checks/cel_environments.ts";
import { dns1035Label, dnsSubdomain, pathSegment, qualifiedName } from "../checks/formats.ts";
import { labelSelector } from "../checks/selectors.ts";
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";
import { isSet, items, same, type Tree } from "../tree.ts";
import { namedRule } from "./rules.ts";

/** What may become of a request when the check itself fails. */
export const FAILURE_POLICIES: readonly string[] = ["Fail", "Ignore"];
/** Whether a rule is about requests in other versions of its resources too. */
export const MATCH_POLICIES: readonly string[] = ["Equivalent", "Exact"];
/** Whether what changes objects runs again after others. */
export const REINVOCATION_POLICIES: readonly string[] = ["IfNeeded", "Never"];
const NOT_FOUND_ACTIONS = ["Deny", "Allow"], MAX_CONDITIONS = 64;

/** A value of a set where there is one. */
export function knownValue(value: unknown, allowed: readonly string[], path: Path, errors: ErrorList): void {
  if (isSet(value)) oneOf(value, allowed, path, errors);
}

/** A value of a set that must be there; `""` is one that is not of the set. */
function neededValue(value: unknown, allowed: readonly string[], path: Path, errors: ErrorList): void {
  if (isSet(value)) oneOf(value, allowed, path, errors);
  else errors.required(path);
}

/** Conditions that a request must meet. Names are unique. `params`: expressions may mention parameters. */
export function matchConditions(
  list: readonly Tree[] | undefined,
  path: Path,
  errors: ErrorList,
  params = false,
): void {
  const environment = admissionEnvironment({ params, authorizer: true });
  const all = items(list), seen = new Set<string>();
  if (all.length > MAX_CONDITIONS) errors.tooMany(path, all.length, MAX_CONDITIONS);
  for (let i = 0; i < all.length; i++) {
    const name: string = all[i]!["name"] ?? "", at = path.index(i);
    requiredCondition(all[i]!["expression"], at.child("expression"), errors, environment);
    requiredFormat(name, at.child("name"), errors, qualifiedName);
    if (name && seen.has(name)) errors.duplicate(at.child("name"), name);
    seen.add(name);
  }
}

/** Variables of a policy: each may mention those before it. Returns their types; of those that do not compile: `dyn`. */
export function variables(
  list: readonly Tree[] | undefined,
  path: Path,
  errors: ErrorList,
  params: boolean,
): ReadonlyMap<string, Type> {
  const types = new Map<string, Type>(),
    environment = admissionEnvironment({ params, authorizer: true, variables: types });
  for (const [i, v] of items(list).entries()) {
    const name: string = v["name"] ?? "", at = path.index(i).child("name");
    if (!name.trim()) errors.required(at, "name is not specified");
    else if (!isCelIdentifier(name)) errors.invalid(at, name, "must be an identifier of expressions");
    const expression: string = v["expression"] ?? "", where = path.index(i).child("expression");
    if (!requiredExpression(expression, where, errors)) continue;
    const type = compiles(expression, where, errors, environment, []) ?? DYN;
    types.set(name, variableType(type));
  }
  return types;
}

/** The kind of a policy's parameters. */
function paramKind(k: Tree, path: Path, errors: ErrorList): void {
  const apiVersion: string = k["apiVersion"] ?? "", kind: string = k["kind"] ?? "", at = path.child("apiVersion");
  const one = (value: string, faults: readonly string[]) => {
    if (faults.length) errors.invalid(at, value, faults.join(", "));
  };
  const parts = apiVersion === "/" ? [""] : apiVersion.split("/"), version = parts.at(-1)!;
  if (!apiVersion) errors.required(at);
  else if (parts.length > 2) errors.invalid(at, apiVersion, "must be <group>/<version> or <version>");
  else {
    if (parts.length === 2 && parts[0]) one(parts[0], dnsSubdomain(parts[0]));
    if (version) one(version, dns1035Label(version));
    else errors.invalid(at, apiVersion, "must have a version");
  }
  if (!kind) return errors.required(path.child("kind"));
  const faults = dns1035Label(kind.toLowerCase());
  if (faults.length) errors.invalid(path.child("kind"), kind, `in lower case, ${faults.join(", ")}`);
}

/** Which parameters a binding takes: those of a name, or of a selector. */
export function paramRef(r: Tree | undefined, path: Path, errors: ErrorList): void {
  if (!r) return;
  const { name, selector } = r, why = "name and selector exclude one another";
  if (name) format(name, path.child("name"), errors, pathSegment);
  if (name && selector) errors.forbidden(path.child("name"), why);
  if (selector) labelSelector(selector, path.child("selector"), errors);
  if (name && selector) errors.forbidden(path.child("selector"), why);
  if (!name && !selector) errors.required(path, "must have name or selector");
  requiredOneOf(r["parameterNotFoundAction"], NOT_FOUND_ACTIONS, path.child("parameterNotFoundAction"), errors);
}

/** Requests that a policy or binding is about. */
export function matchResources(m: Tree | undefined, path: Path, errors: ErrorList): void {
  if (!m) return;
  neededValue(m["matchPolicy"], MATCH_POLICIES, path.child("matchPolicy"), errors);
  for (const s of ["namespaceSelector", "objectSelector"]) {
    if (m[s]) labelSelector(m[s], path.child(s), errors);
    else errors.required(path.child(s));
  }
  for (const list of ["resourceRules", "excludeResourceRules"]) {
    for (const [i, r] of items(m[list]).entries()) namedRule(r, path.child(list).index(i), errors);
  }
}

/** What both kinds of policy begin with. */
export function policyHead(spec: Tree, path: Path, errors: ErrorList): void {
  neededValue(spec["failurePolicy"], FAILURE_POLICIES, path.child("failurePolicy"), errors);
  if (spec["paramKind"]) paramKind(spec["paramKind"], path.child("paramKind"), errors);
  const constraints = spec["matchConstraints"], at = path.child("matchConstraints");
  if (!constraints) errors.required(at);
  else {
    matchResources(constraints, at, errors);
    if (!items(constraints.resourceRules).length) errors.required(at.child("resourceRules"));
  }
}

/** Conditions of a policy. Those that are as they were, with parameters as before, are not looked at again. */
export function policyConditions(spec: Tree, was: Tree | undefined, path: Path, errors: ErrorList): void {
  const parts = ["paramKind", "matchConditions"];
  if (was && parts.every((m) => same(spec[m], was[m]))) return;
  matchConditions(spec["matchConditions"], path.child("matchConditions"), errors, isSet(spec["paramKind"]));
}
