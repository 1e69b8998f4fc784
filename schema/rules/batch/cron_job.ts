/** Rules of cron jobs. */
import { namingWarnings } from "../core/pod_warnings.ts";
import { keep, nonNegative, requiredOneOf } from "../checks/basic.ts";
import type { ErrorList } from "../errors.ts";
import type { Obj } from "../../model/types.ts";
import { METADATA } from "../object_meta.ts";
import { Path } from "../path.ts";
import { isSet, type Tree } from "../tree.ts";
import type { KindRules, RuleContext, ValidateContext } from "../types.ts";
import { dropDisabledInJob } from "./job.ts";
import { jobSpec, jobSpecWarnings } from "./job_spec.ts";
import { isTimeZone } from "../../values/time_zone.ts";
import { longer } from "../../values/utf8.ts";
import { scheduleFault } from "./schedule.ts";

const SPEC = Path.of("spec"), JOB = Path.of("spec", "jobTemplate", "spec");
const CONCURRENCY = ["Allow", "Forbid", "Replace"];
/** The controller adds 11 characters to make names of jobs, which have 63. */
const MAX_NAME = 52;

function schedule(s: Tree, old: Tree | undefined, errors: ErrorList): void {
  const text: string = s["schedule"] ?? "", path = SPEC.child("schedule");
  if (!text) return errors.required(path);
  const fault = scheduleFault(text);
  if (fault) errors.invalid(path, text, fault);
  if (!text.includes("TZ")) return;
  if (!old?.["schedule"]?.includes("TZ")) {
    errors.invalid(path, text, "must not hold TZ or CRON_TZ, use timeZone instead");
  } else if (isSet(s["timeZone"])) errors.invalid(path, text, "must not hold TZ or CRON_TZ when timeZone is set");
}

const ZONE_PART = /^[A-Za-z._0-9+][A-Za-z.\-_0-9+]{0,13}$/;

function timeZone(name: string | undefined, errors: ErrorList): void {
  const path = SPEC.child("timeZone");
  if (!isSet(name)) return;
  if (name === "") return errors.invalid(path, name, "must be absent or not empty");
  if (name.split("/").some((p) => p === "." || p === ".." || !ZONE_PART.test(p))) {
    return errors.invalid(path, name, "unknown time zone");
  }
  if (name.toLowerCase() === "local") errors.invalid(path, name, "must be a name of the time zone database");
  if (name !== "Local" && !isTimeZone(name)) errors.invalid(path, name, "unknown time zone");
}

function spec(s: Tree, old: Tree | undefined, errors: ErrorList, ctx: ValidateContext): void {
  schedule(s, old, errors);
  nonNegative(s["startingDeadlineSeconds"], SPEC.child("startingDeadlineSeconds"), errors);
  if (!old || old["timeZone"] !== s["timeZone"]) timeZone(s["timeZone"], errors);
  requiredOneOf(s["concurrencyPolicy"] ?? "", CONCURRENCY, SPEC.child("concurrencyPolicy"), errors);
  const path = JOB, job: Tree = s["jobTemplate"]?.spec ?? {};
  jobSpec(job, old?.["jobTemplate"]?.spec, path, errors, ctx);
  if (job["selector"]) errors.invalid(path.child("selector"), job["selector"], "is generated");
  if (job["manualSelector"]) errors.notSupported(path.child("manualSelector"), job["manualSelector"], ["nil", "false"]);
  for (const m of ["successfulJobsHistoryLimit", "failedJobsHistoryLimit"]) nonNegative(s[m], SPEC.child(m), errors);
}

const drop = (obj: Obj, old: Obj | undefined, ctx: RuleContext) =>
  dropDisabledInJob(obj["spec"]?.jobTemplate?.spec, old?.["spec"]?.jobTemplate?.spec, ctx);

const templateWarnings = namingWarnings("spec", "jobTemplate", "spec", "template");

/** Rules of `cronjobs.batch`. */
export const CRON_JOB: KindRules = {
  generation: ["spec"],
  meta: { whole: 0 },
  prepareCreate(obj, ctx) {
    obj["status"] = {};
    drop(obj, undefined, ctx);
  },
  prepareUpdate(obj, old, ctx) {
    keep(obj, old, "status");
    drop(obj, old, ctx);
  },
  validate(obj, errors, ctx, old) {
    spec(obj["spec"] ?? {}, old?.["spec"], errors, ctx);
    if (!old && longer(obj.metadata.name ?? "", MAX_NAME)) {
      errors.invalid(METADATA.child("name"), obj.metadata.name, `must be at most ${MAX_NAME} characters`);
    }
  },
  warnings(obj, old, ctx) {
    const out = templateWarnings(obj, old, ctx), job: Tree = obj["spec"]?.jobTemplate?.spec ?? {};
    if (!old || old.metadata.generation !== obj.metadata.generation) out.push(...jobSpecWarnings(job, JOB));
    if (/TZ/.test(obj["spec"]?.schedule ?? "")) {
      out.push("spec.schedule: must not name a time zone; use timeZone instead");
    }
    return out;
  },
  subresources: { status: { meta: { compared: 0 }, prepareUpdate: (obj, old) => keep(obj, old, "spec") } },
};
