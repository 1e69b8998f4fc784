/** The status of a job, as its controller writes it: what contradicts itself is refused where the update brings it in. */
import { nonNegative } from "../checks/basic.ts";
import { type ErrorList, OMITTED } from "../errors.ts";
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

/** Everything that holds of an update through `jobs/status`, in the order in which clients see it. */
export function jobStatusUpdate(job: Obj, old: Obj, errors: ErrorList): void {
  const c = changesOf(job, old);
  counts(c.status, errors);
  outcome(job, c, errors);
  whenFinished(job, c, errors);
  indexes(job, c, errors);
  pods(job, c, errors);
  success(job, errors);
  neverBack(job, old, c, errors);
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

const refuse = (bad: boolean, why: string, errors: ErrorList) => bad && errors.invalid(CONDITIONS, OMITTED, why);

/** How the job ended: its conditions, and when that was. */
function outcome(job: Obj, c: Changes, errors: ErrorList): void {
  const { completionTime, startTime } = c.status, end = at("completionTime");
  const done = complete(job), lost = failed(job), target = holds(job, "FailureTarget");
  const doneTurned = c.turned("Complete"), lostTurned = c.turned("Failed"), endChanged = c.part("completionTime");
  refuse((doneTurned || lostTurned) && done && lost, "must not be both Complete and Failed", errors);
  refuse(
    (doneTurned || c.turned("FailureTarget")) && done && target,
    "must not be both Complete and FailureTarget",
    errors,
  );
  if (doneTurned || endChanged) {
    if (isSet(completionTime) && !done) {
      errors.invalid(end, completionTime, "needs the condition Complete");
    }
    if (!isSet(completionTime) && done) errors.required(end, "is required for Complete jobs");
  }
  if (
    (c.part("startTime") || endChanged) && isSet(startTime) && isSet(completionTime) &&
    Date.parse(completionTime) < Date.parse(startTime)
  ) {
    errors.invalid(end, completionTime, "must not be before startTime");
  }
  refuse(
    (lostTurned || c.part("failedIndexes")) && lost && !target,
    "Failed needs FailureTarget",
    errors,
  );
  refuse(
    (doneTurned || c.turned("SuccessCriteriaMet")) && done && !holds(job, "SuccessCriteriaMet"),
    "Complete needs SuccessCriteriaMet",
    errors,
  );
}

function whenFinished(job: Obj, c: Changes, errors: ErrorList): void {
  const s = c.status, { suspend, completions } = job["spec"];
  if (!finished(job)) return;
  const changed = (m: string) => c.finished || c.part(m);
  if (changed("active") && s["active"] > 0) {
    errors.invalid(at("active"), s["active"], "must be 0 for a finished job");
  }
  if (changed("startTime") && !isSet(s["startTime"]) && !(suspend && completions === 0)) {
    errors.required(at("startTime"), "is required for a finished job");
  }
  const uncounted = s["uncountedTerminatedPods"];
  if (changed("uncountedTerminatedPods") && count(uncounted?.failed) + count(uncounted?.succeeded)) {
    errors.invalid(
      at("uncountedTerminatedPods"),
      uncounted,
      "must be empty for a finished job",
    );
  }
}

function indexes(job: Obj, c: Changes, errors: ErrorList): void {
  const spec: Tree = job["spec"], done: string = c.status["completedIndexes"] ?? "", { completions } = spec;
  const lost: string | undefined = c.status["failedIndexes"] ?? undefined,
    perIndex = isSet(spec["backoffLimitPerIndex"]);
  const doneChanged = c.part("completedIndexes"), lostChanged = !same(lost, c.was["failedIndexes"]);
  const readable = (text: string, m: string) => {
    const found = isSet(completions) ? countIndexes(text, completions) : 0;
    if (typeof found === "string") errors.invalid(at(m), text, found);
  };
  if (doneChanged) readable(done, "completedIndexes");
  if (lostChanged && lost && perIndex) readable(lost, "failedIndexes");
  if (doneChanged && done && spec["completionMode"] !== "Indexed") {
    const why = "needs indexed completion mode";
    errors.invalid(at("completedIndexes"), done, why);
  }
  if (lostChanged && lost !== undefined && !perIndex) {
    errors.invalid(at("failedIndexes"), lost, "needs backoffLimitPerIndex");
  }
  if (!(doneChanged || lostChanged) || !lost || !isSet(completions)) return;
  if (shareIndex(done, lost, completions)) {
    errors.invalid(at("failedIndexes"), lost, "must not hold an index of completedIndexes");
  }
}

function pods(job: Obj, { status: s, finished: turned, part }: Changes, errors: ErrorList): void {
  if (finished(job) && (turned || part("terminating")) && s["terminating"] > 0) {
    errors.invalid(at("terminating"), s["terminating"], "must be 0 for a finished job");
  }
  if (isSet(s["ready"]) && s["ready"] > (s["active"] ?? 0) && (part("ready") || part("active"))) {
    errors.invalid(at("ready"), s["ready"], "must not be more than active");
  }
}

function success(job: Obj, errors: ErrorList): void {
  const met = holds(job, "SuccessCriteriaMet");
  refuse(met && failed(job), "must not be both SuccessCriteriaMet and Failed", errors);
  refuse(
    met && holds(job, "FailureTarget"),
    "must not be both SuccessCriteriaMet and FailureTarget",
    errors,
  );
  refuse(
    !!job["spec"].successPolicy && complete(job) && !met,
    "Complete needs SuccessCriteriaMet with a success policy",
    errors,
  );
}

/** The controller starts a suspended job again: its condition says so after the spec. */
const resumes = (job: Obj, old: Obj): boolean =>
  holds(old, "Suspended") &&
  items(job["status"]?.conditions).some((c) => c["type"] === "Suspended" && c["status"] === "False");

function neverBack(job: Obj, old: Obj, c: Changes, errors: ErrorList): void {
  for (const type of ["Failed", "Complete", "FailureTarget"]) {
    refuse(holds(old, type) && !holds(job, type), `${type} must not be taken back`, errors);
  }
  // A job that can be scaled down loses indexes that were done.
  const { completionMode, completions, parallelism, suspend } = job["spec"];
  const scales = completionMode === "Indexed" && same(completions, parallelism);
  for (const m of scales ? ["failed"] : ["failed", "succeeded"]) {
    const now = c.status[m] ?? 0;
    if (now < (c.was[m] ?? 0)) errors.invalid(at(m), now, "must not be decreased");
  }
  const { completionTime, startTime } = c.status;
  if (isSet(completionTime) && isSet(c.was["completionTime"]) && c.part("completionTime")) {
    errors.invalid(at("completionTime"), completionTime, "must not be changed");
  }
  if (c.part("startTime") && isSet(c.was["startTime"]) && !suspend && !resumes(job, old)) {
    errors.invalid(at("startTime"), startTime, "must not be changed while the job is not suspended");
  }
  const wasMet = holds(old, "SuccessCriteriaMet"), met = holds(job, "SuccessCriteriaMet");
  refuse(wasMet && !met, "SuccessCriteriaMet must not be taken back", errors);
  refuse(
    complete(old) && !wasMet && met,
    "SuccessCriteriaMet must not follow Complete",
    errors,
  );
}
