// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type { Int64 } from "../model/types.ts";
import type * as batch_v1 from "./batch_v1.ts";
import type * as core_v1 from "./core_v1.ts";
import type * as meta_v1 from "./meta_v1.ts";
/** Descriptors of `batch.v1beta1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "batch",
  version: "v1beta1",
  short: "batch.v1beta1",
  protobuf: true,
  kinds: String.raw`{
"CronJob":{"list":"CronJobList","introduced":"1.8","deprecated":"1.21","removed":"1.25","replacement":{"group":"batch","version":"v1","kind":"CronJob"}}
}`,
  messages: String.raw`{
"CronJob":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .CronJobSpec Re","status 3 .CronJobStatus Oe"]},
"CronJobList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .CronJob rR"]},
"CronJobSpec":{"f":[["schedule 1 string R",{"validate":{"beta@1.37:required":true}}],"timeZone 8 string pOe","startingDeadlineSeconds 2 int64 pOe",["concurrencyPolicy 3 string Oe",{"alias":"ConcurrencyPolicy"}],"suspend 4 bool pOe","jobTemplate 5 .JobTemplateSpec R","successfulJobsHistoryLimit 6 int32 pOe","failedJobsHistoryLimit 7 int32 pOe"]},
"CronJobStatus":{"f":[["active 1 core.v1.ObjectReference rOe",{"listType":"atomic"}],"lastScheduleTime 4 meta.v1.Time pOe","lastSuccessfulTime 5 meta.v1.Time pOe"]},
"JobTemplateSpec":{"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"opaqueType":true}}],"spec 2 batch.v1.JobSpec Oe"]}
}`,
};

/** Starts a job again and again, at the times of a schedule. Its name may have at most 52 characters, as the names of its jobs are built from it. */
export interface CronJob {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: CronJobSpec;
  status?: CronJobStatus;
}
/** List of cron jobs. */
export interface CronJobList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: CronJob[] | null;
}
/** When jobs are started, what they do, and what happens when runs overlap or come late. */
export interface CronJobSpec {
  schedule: string;
  timeZone?: string;
  startingDeadlineSeconds?: Int64;
  concurrencyPolicy?: string;
  suspend?: boolean;
  jobTemplate: JobTemplateSpec;
  successfulJobsHistoryLimit?: number;
  failedJobsHistoryLimit?: number;
}
/** What a cron job has running, and when it last started a job and last saw one succeed. */
export interface CronJobStatus {
  active?: core_v1.ObjectReference[];
  lastScheduleTime?: meta_v1.Time;
  lastSuccessfulTime?: meta_v1.Time;
}
/** The job that a cron job makes at each run. */
export interface JobTemplateSpec {
  metadata?: meta_v1.ObjectMeta;
  spec?: batch_v1.JobSpec;
}
