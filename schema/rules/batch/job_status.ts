/** The status of a job, as its controller writes it: what contradicts itself is refused where the update brings it in. */
import { nonNegative } from "../checks/basic.ts";
import type { ErrorList } from "../errors.ts";
import type { Obj } from "../../model/types.ts";
import { Path } from "../path.ts";
import { count, isSet, items, same, type Tree } from "../tree.ts";
import { countIndexes, shareIndex } from "./indexes.ts";

const STATUS = Path.of("status");
const CONDITIONS = STATUS.child("conditions");
const at = (...names: string[]) => STATUS.child(...names);

const holds = (job: Obj, type: string): boolean =>
  items(job["status"]?.conditions).some((c) => c["type"] === type && c["status"] === "True");
const complete = (j: Obj) => holds(j, "Complete");
const failed = (j: Obj) => holds(j, "Failed");
const finished = (j: Obj) => complete(j) || failed(j);

/** Which parts of the status an update changes. What contradicts itself is refused only where the update brings it in. */
interface Changes {
  readonly status: Tree;
  readonly was: Tree;
  /** Whether a member has another value; 0 and `""` are as absent. */
  part(member: string): boolean;
  /** Whether a condition becomes true, or stops being it. */
  turned(type: string): boolean;
  readonly finished: boolean;
}

function changesOf(job: Obj, old: Obj): Changes {
  const status: Tree = job["status"] ?? {}, was: Tree = old["status"] ?? {};
  return {
    status,
    was,
    part: (m) => !same(status[m] || null, was[m] || null),
    turned: (t) => holds(job, t) !== holds(old, t),
    finished: finished(job) !== finished(old),
  };
}

/** Everything that holds of an update through `jobs/status`. */
export function jobStatusUpdate(job: Obj, old: Obj, errors: ErrorList): void {
  const c = changesOf(job, old);
  counts(c.status, errors);
  conditions(job, c, errors);
  times(job, old, c, errors);
  whenFinished(job, c, errors);
  indexes(job, c, errors);
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

function conditions(job: Obj, c: Changes, errors: ErrorList): void {
  const refuse = (bad: boolean, why: string) => bad && errors.invalid(CONDITIONS, "", why);
  const met = holds(job, "SuccessCriteriaMet"), target = holds(job, "FailureTarget");
  const done = complete(job), lost = failed(job), doneTurned = c.turned("Complete"), lostTurned = c.turned("Failed");
  refuse((doneTurned || lostTurned) && done && lost, "must not be both Complete and Failed");
  refuse((doneTurned || c.turned("FailureTarget")) && done && target, "must not be both Complete and FailureTarget");
  refuse((lostTurned || c.part("failedIndexes")) && lost && !target, "Failed needs FailureTarget");
  refuse((doneTurned || c.turned("SuccessCriteriaMet")) && done && !met, "Complete needs SuccessCriteriaMet");
  refuse(met && lost, "must not be both SuccessCriteriaMet and Failed");
  refuse(met && target, "must not be both SuccessCriteriaMet and FailureTarget");
  refuse(!!job["spec"].successPolicy && done && !met, "Complete needs SuccessCriteriaMet with a success policy");
}

/** The controller starts a suspended job again: its condition says so after the spec. */
const resumes = (job: Obj, old: Obj): boolean =>
  holds(old, "Suspended") &&
  items(job["status"]?.conditions).some((c) => c["type"] === "Suspended" && c["status"] === "False");

function times(job: Obj, old: Obj, c: Changes, errors: ErrorList): void {
  const { completionTime, startTime } = c.status, end = at("completionTime");
  const endChanged = c.part("completionTime"), startChanged = c.part("startTime");
  if (c.turned("Complete") || endChanged) {
    if (isSet(completionTime) && !complete(job)) errors.invalid(end, completionTime, "needs the condition Complete");
    if (!isSet(completionTime) && complete(job)) errors.required(end, "is required for Complete jobs");
  }
  if (
    (startChanged || endChanged) && isSet(startTime) && isSet(completionTime) &&
    Date.parse(completionTime) < Date.parse(startTime)
  ) {
    errors.invalid(end, completionTime, "must not be before startTime");
  }
  if (isSet(completionTime) && isSet(c.was["completionTime"]) && endChanged) {
    errors.invalid(end, completionTime, "must not be changed");
  }
  if (startChanged && isSet(c.was["startTime"]) && !job["spec"].suspend && !resumes(job, old)) {
    errors.invalid(at("startTime"), startTime, "must not be changed while the job is not suspended");
  }
}

function whenFinished(job: Obj, c: Changes, errors: ErrorList): void {
  const s = c.status, { suspend, completions } = job["spec"];
  if (isSet(s["ready"]) && s["ready"] > (s["active"] ?? 0) && (c.part("ready") || c.part("active"))) {
    errors.invalid(at("ready"), s["ready"], "must not be more than active");
  }
  if (!finished(job)) return;
  const changed = (m: string) => c.finished || c.part(m);
  if (changed("active") && s["active"] > 0) errors.invalid(at("active"), s["active"], "must be 0 for a finished job");
  if (changed("startTime") && !isSet(s["startTime"]) && !(suspend && completions === 0)) {
    errors.required(at("startTime"), "is required for a finished job");
  }
  const uncounted = s["uncountedTerminatedPods"];
  if (changed("uncountedTerminatedPods") && count(uncounted?.failed) + count(uncounted?.succeeded)) {
    errors.invalid(at("uncountedTerminatedPods"), uncounted, "must be empty for a finished job");
  }
  if (changed("terminating") && s["terminating"] > 0) {
    errors.invalid(at("terminating"), s["terminating"], "must be 0 for a finished job");
  }
}

function indexes(job: Obj, c: Changes, errors: ErrorList): void {
  const spec: Tree = job["spec"], done: string = c.status["completedIndexes"] ?? "";
  const lost: string | undefined = c.status["failedIndexes"] ?? undefined;
  const doneChanged = c.part("completedIndexes"), lostChanged = !same(lost, c.was["failedIndexes"]);
  if (doneChanged && done && spec["completionMode"] !== "Indexed") {
    errors.invalid(at("completedIndexes"), done, "needs indexed completion mode");
  }
  if (lostChanged && lost !== undefined && !isSet(spec["backoffLimitPerIndex"])) {
    errors.invalid(at("failedIndexes"), lost, "needs backoffLimitPerIndex");
  }
  if (!isSet(spec["completions"])) return;
  const readable = (text: string, path: Path) => {
    const found = countIndexes(text, spec["completions"]);
    if (typeof found === "string") errors.invalid(path, text, found);
  };
  if (doneChanged) readable(done, at("completedIndexes"));
  if (lostChanged && lost && isSet(spec["backoffLimitPerIndex"])) readable(lost, at("failedIndexes"));
  if ((doneChanged || lostChanged) && lost && shareIndex(done, lost, spec["completions"])) {
    errors.invalid(at("failedIndexes"), lost, "must not hold an index of completedIndexes");
  }
}

function neverBack(job: Obj, old: Obj, errors: ErrorList): void {
  for (const type of ["Failed", "Complete", "FailureTarget"]) {
    if (holds(old, type) && !holds(job, type)) errors.invalid(CONDITIONS, "", `${type} must not be taken back`);
  }
  // A job that can be scaled down loses indexes that were done.
  const { completionMode, completions, parallelism } = job["spec"];
  const scales = completionMode === "Indexed" && same(completions, parallelism);
  for (const m of scales ? ["failed"] : ["failed", "succeeded"]) {
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
