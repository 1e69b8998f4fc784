/** Defaults of the batch group. */
import { fill, fillZero, part } from "../checks/fill.ts";
import { templateDefaults } from "../core/pod_defaults.ts";
import type { DefaultsTable } from "../tables.ts";
import { emptyMap, isSet, items, type Tree } from "../tree.ts";

const MAX_INT32 = 0x7fffffff;

function patternDefaults(spec: Tree): void {
  for (const rule of items(spec["podFailurePolicy"]?.rules)) {
    for (const p of items(rule["onPodConditions"])) fillZero(p, { status: "True" });
  }
}

function jobDefaults(job: Tree): void {
  const spec = part(job, "spec");
  if (!isSet(spec["completions"]) && !isSet(spec["parallelism"])) spec["completions"] = 1;
  fill(spec, {
    parallelism: 1,
    backoffLimit: isSet(spec["backoffLimitPerIndex"]) ? MAX_INT32 : 6,
    completionMode: "NonIndexed",
    suspend: false,
    podReplacementPolicy: spec["podFailurePolicy"] ? "Failed" : "TerminatingOrFailed",
    manualSelector: false,
  });
  const labels = part(spec, "template")["metadata"]?.labels;
  // The very labels of the template: a job that takes them gets those that are made for its pods too.
  if (!emptyMap(labels) && emptyMap(part(job, "metadata")["labels"])) job["metadata"].labels = labels;
  patternDefaults(spec);
  templateDefaults(spec["template"]);
}

function cronJobDefaults(c: Tree): void {
  const spec = part(c, "spec");
  fillZero(spec, { concurrencyPolicy: "Allow" });
  fill(spec, { suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 });
  const job = part(part(spec, "jobTemplate"), "spec");
  patternDefaults(job);
  templateDefaults(part(job, "template"));
}

/** Rows of the batch group. */
export const DEFAULTS: DefaultsTable = { "v1/Job": jobDefaults, "v1/CronJob": cronJobDefaults };
