/** Printers of the batch group. */
import type { Obj } from "../../schema/model/types.ts";
import { humanDuration } from "../../schema/values/age.ts";
import { AGE, col, NAME, type Read, table, wide } from "./parts.ts";
import { containerImages, containerNames, holds, NONE, selectorCell, size, UNSET } from "./text.ts";
import { Age, type Cell, type Printers } from "./types.ts";

/** What a job's conditions say, the first that holds. A job that is being deleted stands behind those that ended. */
const ENDS = [["Complete", "Complete"], ["Failed", "Failed"]] as const;
const STATES = [
  ["Suspended", "Suspended"],
  ["FailureTarget", "FailureTarget"],
  ["SuccessCriteriaMet", "SuccessCriteriaMet"],
] as const;
const stateOf = (o: Obj, rows: readonly (readonly [string, string])[]): string | undefined =>
  rows.find(([type]) => holds(o, type))?.[1];

const jobStatus: Read = (o) =>
  stateOf(o, ENDS) ?? (o.metadata.deletionTimestamp ? "Terminating" : stateOf(o, STATES) ?? "Running");

const completions: Read = (o) => {
  const done: number = o.status?.succeeded ?? 0;
  const { completions, parallelism = 0 } = (o.spec ?? {}) as { completions?: number; parallelism?: number };
  if (completions !== undefined) return `${done}/${completions}`;
  return parallelism > 1 ? `${done}/1 of ${parallelism}` : `${done}/1`;
};

/** How long a job ran, or runs. */
function duration(o: Obj): Cell {
  const { startTime, completionTime } = (o.status ?? {}) as { startTime?: string; completionTime?: string };
  if (!startTime) return "";
  return completionTime ? humanDuration(Date.parse(completionTime) - Date.parse(startTime)) : new Age(startTime);
}

const trueOrFalse = (b: boolean | undefined): string => b === undefined ? UNSET : b ? "True" : "False";

/** Printers, by public id. */
export const BATCH: Printers = {
  "cronjobs.batch": table(
    NAME,
    col("Schedule", (o) => o.spec?.schedule ?? ""),
    col("Timezone", (o) => o.spec?.timeZone ?? NONE),
    col("Suspend", (o) => trueOrFalse(o.spec?.suspend), "boolean"),
    col("Active", (o) => size(o.status?.active), "integer"),
    col("Last Schedule", (o) => o.status?.lastScheduleTime ? new Age(o.status.lastScheduleTime) : NONE),
    AGE,
    wide("Containers", (o) => containerNames(o.spec?.jobTemplate?.spec?.template?.spec)),
    wide("Images", (o) => containerImages(o.spec?.jobTemplate?.spec?.template?.spec)),
    wide("Selector", (o) => selectorCell(o.spec?.jobTemplate?.spec?.selector)),
  ),
  "jobs.batch": table(
    NAME,
    col("Status", jobStatus),
    col("Completions", completions),
    col("Duration", duration),
    AGE,
    wide("Containers", (o) => containerNames(o.spec?.template?.spec)),
    wide("Images", (o) => containerImages(o.spec?.template?.spec)),
    wide("Selector", (o) => selectorCell(o.spec?.selector)),
  ),
};
