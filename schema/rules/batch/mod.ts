/** Rules of the batch group. */
import type { RulesTable } from "../tables.ts";
import { CRON_JOB } from "./cron_job.ts";
import { JOB } from "./job.ts";
export { DEFAULTS } from "./defaults.ts";

/** Rules by resource id. */
export const RULES: RulesTable = { "cronjobs.batch": CRON_JOB, "jobs.batch": JOB };
