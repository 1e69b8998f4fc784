/** The status of a job, as its controller writes it: what contradicts itself is refused where the update brings it in. */
import { nonNegative } from "../checks/basic.ts";
import type { ErrorList } from "../errors.ts";
import type { Obj } from "../../model/types.ts";
import { Path } from "../path.ts";
import { count, isSet, items, same, type Tree } from "../tree.ts";
import { parseIndexes } from "./indexes.ts";

const STATUS = Path.of("status");
const CONDITIONS = STATUS.child("conditions");
const at = (...names: string[]) => STATUS.child(...names);

const holds = (job: Obj, type: string): boolean =>
  items(job["status"]?.conditions).some((c) => c["type"] === type && c["status"] === "True");
const complete = (j: Obj) => holds(j, "Complete");
const failed = (j: Obj) => holds(j, "Failed");
const finished = (j: Obj) => complete(j) || failed(j);

/** Everything that holds of an update through `jobs/status`. */
export function jobStatusUpdate(job: Obj, old: Obj, errors: ErrorList): void {
  counts(job["status"] ?? {}, errors);
  conditions(job, old, errors);
  times(job, old, errors);
  whenFinished(job, old, errors);
  indexes(job, old, errors);
  neverBack(job, old, errors);
}

function counts(s: Tree, errors: ErrorList): void {
  for (const m of ["active", "succeeded", "failed", "ready", "terminating"]) nonNegative(s[m], at(m), errors);
  const seen = new Set<string>();
  for (const m of ["succeeded", "failed"]) {
    for (const [i, uid] of items<string>(s["uncountedTerminatedPods"]?.[m]).entries()) {
      const place = at("uncountedTerminatedPods", m).index(i);
      if (!uid) errors.invalid(place, uid, "must not be empty");
      else if (seen.has(uid)) errors.duplicate(place, uid);
      else seen.add(uid);
    }
  }
}

function conditions(job: Obj, old: Obj, errors: ErrorList): void {
  const refuse = (why: string) => errors.invalid(CONDITIONS, "", why);
  const met = holds(job, "SuccessCriteriaMet"), becameComplete = complete(job) && !complete(old);
  if (complete(job) && failed(job) && !(complete(old) && failed(old))) refuse("must not be both Complete and Failed");
  if (becameComplete && holds(job, "FailureTarget")) refuse("must not be both Complete and FailureTarget");
  if (failed(job) && !failed(old) && !holds(job, "FailureTarget")) refuse("Failed needs FailureTarget");
  if (becameComplete && !met) refuse("Complete needs SuccessCriteriaMet");
  if (met && failed(job)) refuse("must not be both SuccessCriteriaMet and Failed");
  if (met && holds(job, "FailureTarget")) refuse("must not be both SuccessCriteriaMet and FailureTarget");
  if (job["spec"].successPolicy && complete(job) && !met && !becameComplete) {
    refuse("Complete needs SuccessCriteriaMet");
  }
}

function times(job: Obj, old: Obj, errors: ErrorList): void {
  const s: Tree = job["status"] ?? {}, was: Tree = old["status"] ?? {}, { completionTime, startTime } = s;
  const end = at("completionTime");
  if (isSet(completionTime) && !complete(job)) errors.invalid(end, completionTime, "needs the condition Complete");
  if (!isSet(completionTime) && complete(job) && !complete(old)) errors.required(end, "is required for Complete jobs");
  if (isSet(startTime) && isSet(completionTime) && Date.parse(completionTime) < Date.parse(startTime)) {
    errors.invalid(end, completionTime, "must not be before startTime");
  }
  if (isSet(completionTime) && isSet(was["completionTime"]) && !same(completionTime, was["completionTime"])) {
    errors.invalid(end, completionTime, "must not be changed");
  }
  if (isSet(was["startTime"]) && !same(was["startTime"], startTime) && !job["spec"].suspend) {
    errors.invalid(at("startTime"), startTime, "must not change while the job is not suspended");
  }
}

function whenFinished(job: Obj, old: Obj, errors: ErrorList): void {
  const s: Tree = job["status"] ?? {}, was: Tree = old["status"] ?? {};
  if (
    isSet(s["ready"]) && s["ready"] > (s["active"] ?? 0) &&
    !same([s["ready"], s["active"]], [was["ready"], was["active"]])
  ) {
    errors.invalid(at("ready"), s["ready"], "must not be more than active");
  }
  if (!finished(job) || finished(old)) return;
  if (s["active"] > 0) errors.invalid(at("active"), s["active"], "must be 0 for a finished job");
  if (!isSet(s["startTime"])) errors.required(at("startTime"), "is required for a finished job");
  const uncounted = s["uncountedTerminatedPods"];
  if (count(uncounted?.failed) + count(uncounted?.succeeded)) {
    errors.invalid(at("uncountedTerminatedPods"), uncounted, "must be empty for a finished job");
  }
  if (s["terminating"] > 0) errors.invalid(at("terminating"), s["terminating"], "must be 0 for a finished job");
}

function indexes(job: Obj, old: Obj, errors: ErrorList): void {
  const s: Tree = job["status"] ?? {}, was: Tree = old["status"] ?? {}, spec: Tree = job["spec"];
  const done: string = s["completedIndexes"] ?? "", lost: string | undefined = s["failedIndexes"] ?? undefined;
  const doneChanged = done !== (was["completedIndexes"] ?? ""), lostChanged = !same(lost, was["failedIndexes"]);
  if (doneChanged && done && spec["completionMode"] !== "Indexed") {
    errors.invalid(at("completedIndexes"), done, "needs indexed completion mode");
  }
  if (lostChanged && lost !== undefined && !isSet(spec["backoffLimitPerIndex"])) {
    errors.invalid(at("failedIndexes"), lost, "needs backoffLimitPerIndex");
  }
  if (!isSet(spec["completions"])) return;
  const a = parseIndexes(done, spec["completions"]), b = parseIndexes(lost ?? "", spec["completions"]);
  if (doneChanged && typeof a === "string") errors.invalid(at("completedIndexes"), done, a);
  if (lostChanged && isSet(spec["backoffLimitPerIndex"]) && typeof b === "string") {
    errors.invalid(at("failedIndexes"), lost, b);
  }
  if ((doneChanged || lostChanged) && typeof a !== "string" && typeof b !== "string" && overlap(a, b)) {
    errors.invalid(at("failedIndexes"), lost, "must not hold an index of completedIndexes");
  }
}

type Intervals = readonly (readonly [number, number])[];
const overlap = (a: Intervals, b: Intervals): boolean => a.some(([l, h]) => b.some(([l2, h2]) => l <= h2 && l2 <= h));

function neverBack(job: Obj, old: Obj, errors: ErrorList): void {
  for (const type of ["Failed", "Complete", "FailureTarget"]) {
    if (holds(old, type) && !holds(job, type)) errors.invalid(CONDITIONS, "", `${type} must not be taken back`);
  }
  for (const m of ["failed", "succeeded"]) {
    const now = job["status"]?.[m] ?? 0;
    if (now < (old["status"]?.[m] ?? 0)) errors.invalid(at(m), now, "must not be decreased");
  }
  if (holds(old, "SuccessCriteriaMet") && !holds(job, "SuccessCriteriaMet")) {
    errors.invalid(CONDITIONS, "", "SuccessCriteriaMet must not be taken back");
  }
  if (complete(old) && !holds(old, "SuccessCriteriaMet") && holds(job, "SuccessCriteriaMet")) {
    errors.invalid(CONDITIONS, "", "SuccessCriteriaMet must not follow Complete");
  }
}
