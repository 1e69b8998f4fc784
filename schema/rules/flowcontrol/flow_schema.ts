/** Rules of flow schemas: which requests belong to which priority level. */
import type { Obj } from "../../model/types.ts";
import { format, keep, requiredFormat } from "../checks/basic.ts";
import { forgetEmpty } from "../checks/fill.ts";
import { dnsLabel, dnsSubdomain } from "../checks/formats.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { items, same, type Tree } from "../tree.ts";
import type { KindRules, ValidateContext } from "../types.ts";
import { MANDATORY_SCHEMAS } from "./mandatory.ts";
import { conditionTypes, FLOW_STATUS } from "./status.ts";

const SPEC = Path.of("spec"), RULES = SPEC.child("rules"), MAX_PRECEDENCE = 10000;
const METHODS = ["ByNamespace", "ByUser"];
const VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"];
/** Kinds of subject and the member that holds each one's particulars. */
const SUBJECTS = new Map([["Group", "group"], ["ServiceAccount", "serviceAccount"], ["User", "user"]]);
const MEMBERS = ["serviceAccount", "user", "group"];

function subject(s: Tree, path: Path, errors: ErrorList): void {
  const member = SUBJECTS.get(s["kind"] ?? "");
  if (!member) return errors.notSupported(path.child("kind"), s["kind"] ?? "", [...SUBJECTS.keys()]);
  const at = path.child(member), who = s[member];
  if (!who) errors.required(at, `needed when the subject's kind is '${s["kind"]}'`);
  else if (!who.name) errors.required(at.child("name"));
  if (who && member === "serviceAccount") {
    if (who.name && who.name !== "*") format(who.name, at.child("name"), errors, dnsSubdomain);
    requiredFormat(who.namespace, at.child("namespace"), errors, dnsLabel);
  }
  for (const other of MEMBERS) {
    if (other !== member && s[other]) errors.forbidden(path.child(other), "does not fit the subject's kind");
  }
}

/** A list that has items, and nothing beside `*`. Returns whether its items are names. */
function namesOrAll(list: readonly string[], path: Path, errors: ErrorList): boolean {
  if (!list.length) errors.required(path, "must have at least one value");
  else if (list.includes("*")) {
    if (list.length > 1) errors.invalid(path, list, "must not have other values beside '*'");
  } else return true;
  return false;
}

function verbs(r: Tree, path: Path, errors: ErrorList): void {
  const list = items<string>(r["verbs"]), at = path.child("verbs");
  if (namesOrAll(list, at, errors) && list.some((v) => !VERBS.includes(v))) errors.notSupported(at, list, VERBS);
}

function resourceRule(r: Tree, path: Path, errors: ErrorList): void {
  verbs(r, path, errors);
  for (const m of ["apiGroups", "resources"]) namesOrAll(items<string>(r[m]), path.child(m), errors);
  const namespaces = items<string>(r["namespaces"]), at = path.child("namespaces");
  if (!namespaces.length && r["clusterScope"]) return;
  if (!namesOrAll(namespaces, at, errors)) return;
  for (const [i, n] of namespaces.entries()) format(n, at.index(i), errors, dnsLabel);
}

function urlFault(url: string): string | undefined {
  if (!url) return "must not be empty";
  if (url === "/") return undefined;
  if (!url.startsWith("/")) return "must start with '/'";
  if (url.includes(" ")) return "must not contain white space";
  if (url.includes("//")) return "must not contain '//'";
  const star = url.indexOf("*");
  return star < 0 || (star === url.length - 1 && url.endsWith("/*"))
    ? undefined
    : "'*' may only stand for the last step";
}

function urlRule(r: Tree, path: Path, errors: ErrorList): void {
  const urls = items<string>(r["nonResourceURLs"]), at = path.child("nonResourceURLs");
  verbs(r, path, errors);
  if (!namesOrAll(urls, at, errors)) return;
  for (const [i, u] of urls.entries()) {
    const fault = urlFault(u);
    if (fault) errors.invalid(at.index(i), u, fault);
  }
}

function rule(r: Tree, path: Path, errors: ErrorList): void {
  const subjects = items(r["subjects"]), at = path.child("subjects");
  if (!subjects.length) errors.required(at, "must have at least one subject");
  for (const [i, s] of subjects.entries()) subject(s, at.index(i), errors);
  const resources = items(r["resourceRules"]), urls = items(r["nonResourceRules"]);
  if (!resources.length && !urls.length) errors.required(path, "must have resourceRules or nonResourceRules");
  for (const [i, x] of resources.entries()) resourceRule(x, path.child("resourceRules").index(i), errors);
  for (const [i, x] of urls.entries()) urlRule(x, path.child("nonResourceRules").index(i), errors);
}

function precedence(n: number, name: string, errors: ErrorList): void {
  const at = SPEC.child("matchingPrecedence");
  if (n <= 0) errors.invalid(at, n, "must be greater than 0");
  if (n > MAX_PRECEDENCE) errors.invalid(at, n, `must be less than or equal to ${MAX_PRECEDENCE}`);
  if (n === 1 && name !== "exempt") errors.invalid(at, n, "only the schema named 'exempt' may have precedence 1");
}

function validate(obj: Obj, errors: ErrorList, ctx: ValidateContext): void {
  const spec: Tree = obj["spec"] ?? {}, name = obj.metadata.name ?? "", method = spec["distinguisherMethod"];
  precedence(spec["matchingPrecedence"] ?? 0, name, errors);
  if (method && !METHODS.includes(method.type)) {
    errors.notSupported(SPEC.child("distinguisherMethod", "type"), method.type ?? "", METHODS);
  }
  const level = SPEC.child("priorityLevelConfiguration", "name");
  requiredFormat(spec["priorityLevelConfiguration"]?.name, level, errors, dnsSubdomain);
  for (const [i, r] of items(spec["rules"]).entries()) rule(r, RULES.index(i), errors);
  const fixed = MANDATORY_SCHEMAS(ctx.product), wanted = Object.hasOwn(fixed, name) ? fixed[name] : undefined;
  if (wanted && !same(spec, wanted)) errors.invalid(SPEC, spec, `the spec of '${name}' is fixed`);
  conditionTypes(obj["status"]?.conditions, errors);
}

/** Namespaces are always shown, and beside `clusterScope` there may be none. */
function forgetEmptyLists(obj: Obj): void {
  for (const rule of items(obj["spec"]?.rules)) {
    for (const r of items(rule["resourceRules"])) forgetEmpty(r, "namespaces");
  }
}

/** Rules of `flowschemas.flowcontrol.apiserver.k8s.io`. */
export const FLOW_SCHEMA: KindRules = {
  generation: ["spec"],
  meta: { compared: 0 },
  prepareCreate(obj) {
    obj["status"] = {};
    forgetEmptyLists(obj);
  },
  prepareUpdate(obj, old) {
    keep(obj, old, "status");
    forgetEmptyLists(obj);
  },
  validate,
  subresources: { status: FLOW_STATUS },
};
