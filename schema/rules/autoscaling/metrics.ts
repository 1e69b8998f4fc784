/** What horizontal autoscalers look at: metrics, their targets, and the objects that they name. */
import { format } from "../checks/basic.ts";
import { dnsLabel, pathSegment } from "../checks/formats.ts";
import { containerResourceName } from "../checks/resources.ts";
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";
import { isSet, items, type Tree } from "../tree.ts";
import type { ValidateContext } from "../types.ts";
import { parseQuantity } from "../../values/quantity.ts";

/** What an object's `apiVersion` may be: a text of whatever form, one of some group, or one of a group with a name. */
export type ReferenceRule = "any" | "group" | "namedGroup";

/** Whether an `apiVersion` is as the rule wants. */
export function goodVersion(apiVersion: string, rule: ReferenceRule): boolean {
  if (rule === "any") return true;
  const slashes = apiVersion.split("/").length - 1;
  return slashes < 2 && (rule === "group" || (slashes === 1 && !apiVersion.startsWith("/")));
}

/** A reference to an object of any version. */
export function reference(ref: Tree, path: Path, errors: ErrorList, rule: ReferenceRule): void {
  for (const member of ["kind", "name"]) {
    if (!ref[member]) errors.required(path.child(member));
    else format(ref[member], path.child(member), errors, pathSegment);
  }
  const version: string = ref["apiVersion"] ?? "";
  if (!goodVersion(version, rule)) errors.invalid(path.child("apiVersion"), version, "must be <group>/<version>");
}

const TARGETS = ["Utilization", "Value", "AverageValue"];

function target(t: Tree, path: Path, errors: ErrorList): void {
  if (!t["type"]) errors.required(path.child("type"), "must specify a metric target type");
  if (!TARGETS.includes(t["type"])) {
    errors.invalid(path.child("type"), t["type"] ?? "", `must be one of ${TARGETS.join(", ")}`);
  }
  for (const member of ["value", "averageValue"]) {
    if (isSet(t[member]) && parseQuantity(t[member]).sign() <= 0) {
      errors.invalid(path.child(member), t[member], "must be positive");
    }
  }
  if (isSet(t["averageUtilization"]) && t["averageUtilization"] < 1) {
    errors.invalid(path.child("averageUtilization"), t["averageUtilization"], "must be greater than 0");
  }
}

function identifier(m: Tree | undefined, path: Path, errors: ErrorList): void {
  if (!m?.["name"]) errors.required(path.child("name"), "must specify a metric name");
  else format(m["name"], path.child("name"), errors, pathSegment);
}

/** Of two members of a target one is needed, or both must not be set. */
function needsOne(t: Tree, a: string, b: string, path: Path, errors: ErrorList): void {
  if (!isSet(t[a]) && !isSet(t[b])) errors.required(path.child(b), `must set either ${a} or ${b}`);
}
function notBoth(t: Tree, a: string, b: string, path: Path, errors: ErrorList): void {
  if (isSet(t[a]) && isSet(t[b])) errors.forbidden(path.child(b), `must not be set together with ${a}`);
}

type SourceRule = (s: Tree, path: Path, errors: ErrorList, ctx: ValidateContext, rule: ReferenceRule) => void;

const named: SourceRule = (s, path, errors) => {
  if (!s["name"]) errors.required(path.child("name"), "must specify a resource name");
};
const utilization: SourceRule = (s, path, errors) => {
  const t: Tree = s["target"] ?? {}, at = path.child("target");
  target(t, at, errors);
  needsOne(t, "averageValue", "averageUtilization", at, errors);
  notBoth(t, "averageUtilization", "averageValue", at, errors);
};

/** Rules by member, in the order in which the first one that is set is looked at. */
const SOURCES: Readonly<Record<string, SourceRule>> = {
  object(s, path, errors, _ctx, rule) {
    reference(s["describedObject"] ?? {}, path.child("describedObject"), errors, rule);
    identifier(s["metric"], path.child("metric"), errors);
    target(s["target"] ?? {}, path.child("target"), errors);
    needsOne(s["target"] ?? {}, "value", "averageValue", path.child("target"), errors);
  },
  external(s, path, errors) {
    const t: Tree = s["target"] ?? {}, at = path.child("target");
    identifier(s["metric"], path.child("metric"), errors);
    target(t, at, errors);
    needsOne(t, "value", "averageValue", at, errors);
    notBoth(t, "averageValue", "value", at, errors);
  },
  pods(s, path, errors) {
    const t: Tree = s["target"] ?? {}, at = path.child("target");
    identifier(s["metric"], path.child("metric"), errors);
    target(t, at, errors);
    if (!isSet(t["averageValue"])) errors.required(at.child("averageValue"), "must specify a positive average value");
  },
  resource(s, ...rest) {
    named(s, ...rest);
    utilization(s, ...rest);
  },
  containerResource(s, path, errors, ctx, rule) {
    named(s, path, errors, ctx, rule);
    if (s["name"]) containerResourceName(s["name"], path.child("name"), errors, ctx);
    if (!s["container"]) errors.required(path.child("container"), "must specify a container");
    else format(s["container"], path.child("container"), errors, dnsLabel);
    utilization(s, path, errors, ctx, rule);
  },
};
const MEMBERS = Object.keys(SOURCES);
const TYPES = MEMBERS.map((m) => m[0]!.toUpperCase() + m.slice(1)).sort();

function metric(m: Tree, path: Path, errors: ErrorList, ctx: ValidateContext, rule: ReferenceRule): void {
  const type: string = m["type"] ?? "", known = TYPES.includes(type), present = MEMBERS.filter((n) => isSet(m[n]));
  if (!type) errors.required(path.child("type"), "must specify a metric source type");
  if (!known) errors.notSupported(path.child("type"), type, TYPES);
  const first = present[0];
  if (first) SOURCES[first]!(m[first], path.child(first), errors, ctx, rule);
  const wanted = known ? type[0]!.toLowerCase() + type.slice(1) : "";
  if (!known) errors.notSupported(path.child("type"), type, TYPES);
  else if (!isSet(m[wanted])) errors.required(path.child(wanted), "must be set for this type of metric");
  if (present.length === 1) return;
  for (const n of present) if (n !== wanted) errors.forbidden(path.child(n), "must not be set for this type of metric");
}

/** All metrics. `rule` is for the objects that metrics describe. */
export function metrics(s: Tree, path: Path, errors: ErrorList, ctx: ValidateContext, rule: ReferenceRule): void {
  const list = items(s["metrics"]);
  for (let i = 0; i < list.length; i++) metric(list[i]!, path.index(i), errors, ctx, rule);
  if (s["minReplicas"] === 0 && !list.some((m) => m["type"] === "Object" || m["type"] === "External")) {
    errors.forbidden(path, "must have an Object or External metric to support scaling to zero replicas");
  }
}
