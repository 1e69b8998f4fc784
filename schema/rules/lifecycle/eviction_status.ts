/**
 * The status of an eviction: responders take their turns by priority, one at a time, and report of themselves while it is
 * theirs. What every list and member must be by itself stands in the tags.
 */
import type { Obj } from "../../model/types.ts";
import { isTrue } from "../checks/conditions.ts";
import { OWN_PRIORITIES } from "../core/eviction_responders.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { isSet, items, same, type Tree } from "../tree.ts";

const STATUS = Path.of("status");
const TURNS = STATUS.child("targetResponders"), REPORTS = STATUS.child("responders");
/** An eviction ends with one of these, and stays so. */
const ENDS = ["TargetEvicted", "Failed"];
/** Turns end with one of these, and stay so. */
const FINAL = ["Canceled", "Completed", "Interrupted"];
/** A responder that says nothing for so long has lost its turn, ms. */
const DEADLINE = 20 * 60_000;
/** How far a time told as the present one may be off, ms. */
const LEEWAY = 10_000;
/** Lists longer than this are told of by their tag alone. */
const MOST = 11;

/** Checks a new status against the one before. `now` in ms since the epoch. */
export function evictionStatus(obj: Obj, old: Obj, errors: ErrorList, now: number): void {
  const status: Tree = obj["status"] ?? {}, was: Tree = old["status"] ?? {};
  keptEnds(status, was, errors);
  const turns = items<Tree>(status["targetResponders"]), reports = items<Tree>(status["responders"]);
  const before = items<Tree>(was["targetResponders"]);
  if (before.length > 0 && !sameNames(turns, before)) {
    return errors.invalid(TURNS, status["targetResponders"] ?? null, "must keep its members");
  }
  if (!tracked(turns, reports, errors)) return;
  const ended = ENDS.some((type) => isTrue(was["conditions"], type) || isTrue(status["conditions"], type));
  const known = new Map<string, Tree>(items<Tree>(was["responders"]).map((r) => [r["name"], r]));
  turnsInOrder(turns, before, reports, ended, errors, now);
  const active = new Set(turns.filter((t) => t["state"] === "Active").map((t) => t["name"]));
  for (const [i, r] of reports.entries()) {
    report(r, known.get(r["name"]), active.has(r["name"]), REPORTS.index(i), errors, now);
  }
}

function keptEnds(status: Tree, was: Tree, errors: ErrorList): void {
  const of = (s: Tree, type: string) => items<Tree>(s["conditions"]).find((c) => c["type"] === type);
  for (const type of ENDS) {
    const end = of(was, type), next = of(status, type);
    if (end?.["status"] !== "True") continue;
    if (next?.["status"] !== "True" || next["reason"] !== end["reason"]) {
      errors.invalid(STATUS.child("conditions"), status["conditions"] ?? null, `must keep ${type} as it is`);
    }
  }
}

const names = (list: readonly Tree[]): Set<string> => new Set(list.map((t) => t["name"]));

const sameNames = (a: readonly Tree[], b: readonly Tree[]): boolean =>
  a.length === b.length && names(a).isSubsetOf(names(b)) && names(b).isSubsetOf(names(a));

/** Whether everyone whose turn may come has a report, and nobody else. */
function tracked(turns: readonly Tree[], reports: readonly Tree[], errors: ErrorList): boolean {
  if (sameNames(turns, reports)) return true;
  const reporting = names(reports);
  if (turns.length <= MOST && names(turns).size === turns.length) {
    for (const [i, t] of turns.entries()) {
      if (!reporting.has(t["name"])) errors.invalid(TURNS.index(i), t, "must be one of the responders");
    }
  }
  errors.invalid(REPORTS, reports, "must have the names of the target responders");
  return false;
}

/** Turns by priority: who comes first is active until it is done; the others wait. */
function turnsInOrder(
  turns: readonly Tree[],
  before: readonly Tree[],
  reports: readonly Tree[],
  ended: boolean,
  errors: ErrorList,
  now: number,
): void {
  const states = new Map<string, string>(before.map((t) => [t["name"], t["state"]]));
  const byTurn = [...turns.entries()].sort(([, a], [, b]) => (b["priority"] ?? 0) - (a["priority"] ?? 0));
  let free = !ended;
  for (const [i, t] of byTurn) {
    const state: string = t["state"] ?? "", last = states.get(t["name"]) ?? "Inactive", at = TURNS.index(i);
    if ((t["priority"] ?? 0) < OWN_PRIORITIES) {
      errors.invalid(
        at.child("priority"),
        t["priority"] ?? 0,
        `must not be below ${OWN_PRIORITIES}, which are reserved`,
      );
    }
    if (FINAL.includes(last)) {
      if (state !== last) errors.invalid(at.child("state"), state, `must stay ${last}`);
    } else if (last === "Active") {
      endOfTurn(t, reports.find((r) => r["name"] === t["name"])!, ended, at.child("state"), errors, now);
      free &&= state !== "Active";
    } else {
      const due = free ? "Active" : "Inactive";
      if (state !== due) errors.invalid(at.child("state"), state, `must be ${due}`);
      free = false;
    }
  }
}

/** An active responder keeps its turn until it reports its end, falls silent, or the eviction ends. */
function endOfTurn(t: Tree, report: Tree, ended: boolean, at: Path, errors: ErrorList, now: number): void {
  const state: string = t["state"] ?? "";
  if (state === "Active") return;
  if (!FINAL.includes(state)) return errors.invalid(at, state, `must be Active, or one of ${FINAL.join(", ")}`);
  const heard = report["heartbeatTime"] ?? report["startTime"];
  const silent = !heard || now - Date.parse(heard) > DEADLINE;
  if (!ended && !silent && !report["completionTime"]) errors.forbidden(at, "must stay Active while it is at work");
  if (state === "Completed" && !report["completionTime"]) {
    errors.invalid(at, state, "must not be Completed without a completionTime");
  }
}

function report(
  r: Tree,
  old: Tree | undefined,
  active: boolean,
  path: Path,
  errors: ErrorList,
  now: number,
): void {
  if (!active) {
    if (!same(r, old ?? { name: r["name"] })) errors.invalid(path, r, "must not change but while it is active");
    return;
  }
  if (!isSet(r["startTime"])) errors.required(path.child("startTime"), "must be set while it is active");
  for (const field of ["startTime", "heartbeatTime", "completionTime"]) present(r, old, field, path, errors, now);
  if (isSet(old?.["heartbeatTime"]) && !isSet(r["heartbeatTime"])) {
    errors.required(path.child("heartbeatTime"), "must stay once it is set");
  }
  const started = Date.parse(r["startTime"] ?? "");
  for (const field of ["heartbeatTime", "expectedCompletionTime", "completionTime"]) {
    if (isSet(r[field]) && Date.parse(r[field]) < started) {
      errors.invalid(path.child(field), r[field], "must not be before startTime");
    }
  }
}

/** What is told anew is told of the present. Those that are fixed have a tag that says so. */
function present(r: Tree, old: Tree | undefined, field: string, path: Path, errors: ErrorList, now: number): void {
  const at: string | undefined = r[field], last: string | undefined = old?.[field];
  if (!at || at === last || (last && field !== "heartbeatTime")) return;
  if (Math.abs(now - Date.parse(at)) > LEEWAY) errors.invalid(path.child(field), at, "must be the present time");
}
