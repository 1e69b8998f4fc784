/** Rules of a job's spec, in jobs and in the templates of cron jobs. */
import { longer } from "../../values/utf8.ts";
import { format, nonNegative, oneOf, requiredOneOf } from "../checks/basic.ts";
import { dnsSubdomain, isHttpPath, qualifiedName } from "../checks/formats.ts";
import { podTemplate } from "../core/pod_template.ts";
import { type ErrorList, OMITTED } from "../errors.ts";
import type { Path } from "../path.ts";
import { isSet, items, type Tree } from "../tree.ts";
import type { ValidateContext } from "../types.ts";
import { countIndexes } from "./indexes.ts";

const MODES = ["NonIndexed", "Indexed"];
/** Limits of indexed jobs; the lower ones hold above the soft limit of completions. */
const MAX_INDEXED = 100_000, SOFT_COMPLETIONS = 100_000, MAX_ABOVE_SOFT = 10_000;
const COUNTS = [
  "parallelism",
  "completions",
  "activeDeadlineSeconds",
  "backoffLimit",
  "ttlSecondsAfterFinished",
  "backoffLimitPerIndex",
  "maxFailedIndexes",
];

/** Everything that holds of a job's spec but its selector. */
export function jobSpec(s: Tree, old: Tree | undefined, path: Path, errors: ErrorList, ctx: ValidateContext): void {
  for (const m of COUNTS) nonNegative(s[m], path.child(m), errors);
  if (isSet(s["maxFailedIndexes"]) && !isSet(s["backoffLimitPerIndex"])) {
    errors.required(path.child("backoffLimitPerIndex"), "when maxFailedIndexes is specified");
  }
  if (isSet(s["managedBy"])) managedBy(s["managedBy"], path.child("managedBy"), errors);
  const mode = s["completionMode"] ?? "NonIndexed";
  oneOf(mode, MODES, path.child("completionMode"), errors);
  if (mode === "Indexed") indexed(s, path, errors);
  if (mode === "NonIndexed") {
    for (const m of ["backoffLimitPerIndex", "maxFailedIndexes"]) {
      if (isSet(s[m])) errors.invalid(path.child(m), s[m], "requires indexed completion mode");
    }
  }
  if (s["scheduling"]) scheduling(s, path.child("scheduling"), errors);
  if (s["podFailurePolicy"]) failurePolicy(s, path.child("podFailurePolicy", "rules"), errors);
  if (s["successPolicy"]) {
    if (mode !== "Indexed") {
      errors.invalid(path.child("successPolicy"), s["successPolicy"], "requires indexed completion mode");
    } else successPolicy(s, path.child("successPolicy", "rules"), errors);
  }
  const replacement = s["podReplacementPolicy"];
  if (isSet(replacement)) {
    oneOf(
      replacement,
      s["podFailurePolicy"] ? ["Failed"] : ["Failed", "TerminatingOrFailed"],
      path.child("podReplacementPolicy"),
      errors,
    );
  }
  podTemplate(s["template"] ?? {}, old?.["template"], path.child("template"), errors, ctx);
  restartPolicy(s, path.child("template", "spec", "restartPolicy"), errors);
}

/** Pods that must run together are no more than may run at once; only those are disrupted together. */
function scheduling(s: Tree, path: Path, errors: ErrorList): void {
  const { schedulingPolicy, disruptionMode } = s["scheduling"] as Tree, most = s["parallelism"] ?? 1;
  const least: number | undefined = schedulingPolicy?.gang?.minCount;
  if (isSet(least) && least > most) {
    const at = path.child("schedulingPolicy", "gang", "minCount");
    errors.invalid(at, least, `must not be greater than parallelism (${most})`);
  }
  const basic = isSet(schedulingPolicy?.basic) || !isSet(schedulingPolicy?.gang);
  if (basic && isSet(disruptionMode?.all) && !isSet(disruptionMode.single)) {
    errors.invalid(path.child("disruptionMode"), "", "all is for pods of a gang: the scheduling policy is Basic");
  }
}

function restartPolicy(s: Tree, path: Path, errors: ErrorList): void {
  const policy = s["template"]?.spec?.restartPolicy;
  if (!policy || policy === "Always") errors.required(path, "valid values: OnFailure, Never");
  else if (oneOf(policy, ["OnFailure", "Never"], path, errors) && s["podFailurePolicy"] && policy !== "Never") {
    errors.invalid(path, policy, "only Never is supported when podFailurePolicy is specified");
  }
}

const MAX_MANAGED_BY = 63;

function managedBy(name: string, path: Path, errors: ErrorList): void {
  const slash = name.indexOf("/"), domain = name.slice(0, slash), rest = name.slice(slash + 1);
  if (!name) errors.required(path);
  else if (slash <= 0 || !rest) errors.invalid(path, name, "must be a domain and a path, such as acme.io/foo");
  else {
    format(domain, path, errors, dnsSubdomain);
    if (!isHttpPath(rest)) errors.invalid(path, rest, "must be a path of a URL");
  }
  if (longer(name, MAX_MANAGED_BY)) errors.tooLong(path, MAX_MANAGED_BY);
}

function indexed(s: Tree, path: Path, errors: ErrorList): void {
  const { completions, parallelism, maxFailedIndexes: failed } = s;
  const most = (m: string, value: number | undefined, max: number, why: string) => {
    if (isSet(value) && value > max) errors.invalid(path.child(m), value, `must be at most ${max}${why}`);
  };
  if (!isSet(completions)) errors.required(path.child("completions"), "when completion mode is Indexed");
  most("parallelism", parallelism, MAX_INDEXED, " when completion mode is Indexed");
  if (isSet(completions)) most("maxFailedIndexes", failed, completions, " (completions)");
  most("maxFailedIndexes", failed, MAX_INDEXED, "");
  if (!isSet(completions) || completions <= SOFT_COMPLETIONS || !isSet(s["backoffLimitPerIndex"])) return;
  const why = ` when completions are above ${SOFT_COMPLETIONS}`;
  if (!isSet(failed)) errors.required(path.child("maxFailedIndexes"), `must be specified${why}`);
  most("parallelism", parallelism, MAX_ABOVE_SOFT, why);
  most("maxFailedIndexes", failed, MAX_ABOVE_SOFT, why);
}

const ACTIONS = ["Count", "FailIndex", "FailJob", "Ignore"],
  OPERATORS = ["In", "NotIn"],
  STATUSES = ["False", "True", "Unknown"];
const MAX_RULES = 20, MAX_EXIT_CODES = 255, MAX_PATTERNS = 20;

function failurePolicy(s: Tree, path: Path, errors: ErrorList): void {
  const rules = items(s["podFailurePolicy"].rules), spec: Tree = s["template"]?.spec ?? {};
  const names = new Set([...items(spec["containers"]), ...items(spec["initContainers"])].map((c) => c["name"]));
  if (rules.length > MAX_RULES) errors.tooMany(path, rules.length, MAX_RULES);
  for (const [i, r] of rules.entries()) {
    const at = path.index(i), conditions = items(r["onPodConditions"]);
    if (r["action"] === "FailIndex") {
      if (!isSet(s["backoffLimitPerIndex"])) {
        errors.invalid(at.child("action"), r["action"], "requires backoffLimitPerIndex to be set");
      }
    } else requiredOneOf(r["action"] ?? "", ACTIONS, at.child("action"), errors);
    if (r["onExitCodes"]) exitCodes(r["onExitCodes"], names, at.child("onExitCodes"), errors);
    if (conditions.length) patterns(conditions, at.child("onPodConditions"), errors);
    if (!!r["onExitCodes"] === conditions.length > 0) {
      errors.invalid(at, OMITTED, "exactly one of onExitCodes and onPodConditions must be specified");
    }
  }
}

function patterns(list: readonly Tree[], path: Path, errors: ErrorList): void {
  if (list.length > MAX_PATTERNS) errors.tooMany(path, list.length, MAX_PATTERNS);
  for (const [i, p] of list.entries()) {
    format(p["type"] ?? "", path.index(i).child("type"), errors, qualifiedName);
    requiredOneOf(p["status"] ?? "", STATUSES, path.index(i).child("status"), errors);
  }
}

function exitCodes(c: Tree, containers: ReadonlySet<string>, path: Path, errors: ErrorList): void {
  const values = items<number>(c["values"]), at = path.child("values");
  requiredOneOf(c["operator"] ?? "", OPERATORS, path.child("operator"), errors);
  if (isSet(c["containerName"]) && !containers.has(c["containerName"])) {
    errors.invalid(path.child("containerName"), c["containerName"], "must be the name of a container of the template");
  }
  if (!values.length) errors.invalid(at, values, "at least one value is required");
  else if (values.length > MAX_EXIT_CODES) errors.tooMany(at, values.length, MAX_EXIT_CODES);
  const seen = new Set<number>();
  for (const [i, v] of values.entries()) {
    if (c["operator"] === "In" && v === 0) errors.invalid(at.index(i), v, "must not be 0 for the In operator");
    if (seen.has(v)) errors.duplicate(at.index(i), v);
    seen.add(v);
  }
  if (values.some((v, i) => i > 0 && values[i - 1]! > v)) errors.invalid(at, values, "must be ordered");
}

const MAX_INDEXES_TEXT = 64 * 1024;

function successPolicy(s: Tree, path: Path, errors: ErrorList): void {
  const rules = items(s["successPolicy"].rules), completions: number = s["completions"] ?? 0;
  if (!rules.length) errors.required(path, "at least one rule must be specified");
  if (rules.length > MAX_RULES) errors.tooMany(path, rules.length, MAX_RULES);
  for (const [i, r] of rules.entries()) {
    const at = path.index(i), { succeededCount: n, succeededIndexes: text } = r;
    if (!isSet(n) && !isSet(text)) {
      errors.required(at, "at least one of succeededCount or succeededIndexes must be specified");
    }
    let total = 0;
    if (isSet(text)) {
      const place = at.child("succeededIndexes"), found = countIndexes(text, completions);
      if (longer(text, MAX_INDEXES_TEXT)) errors.tooLong(place, MAX_INDEXES_TEXT);
      if (typeof found === "string") errors.invalid(place, text, found);
      else total = found;
    }
    if (!isSet(n)) continue;
    const place = at.child("succeededCount");
    nonNegative(n, place, errors);
    if (n > completions) errors.invalid(place, n, `must be at most ${completions} (completions)`);
    if (isSet(text) && n > total) {
      errors.invalid(place, n, `must be at most ${total} (the indexes of succeededIndexes)`);
    }
  }
}

/** Warnings about a job's spec: failures of so many indexes may not fit its status. */
export function jobSpecWarnings(s: Tree, path: Path): string[] {
  if (s["completionMode"] !== "Indexed") return [];
  if (!(s["completions"] > SOFT_COMPLETIONS) || !(s["parallelism"] > MAX_ABOVE_SOFT)) return [];
  return [
    `${path}: an indexed job of more than ${SOFT_COMPLETIONS} completions and a parallelism above ` +
    `${MAX_ABOVE_SOFT} may lose track of its completed indexes when many of them fail`,
  ];
}
