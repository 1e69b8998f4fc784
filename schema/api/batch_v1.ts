// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type { Int64 } from "../model/types.ts";
import type * as core_v1 from "./core_v1.ts";
import type * as meta_v1 from "./meta_v1.ts";
import type * as scheduling_k8s_io_v1alpha3 from "./scheduling.k8s.io_v1alpha3.ts";
/** Descriptors of `batch.v1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "batch",
  version: "v1",
  short: "batch.v1",
  protobuf: true,
  kinds: String.raw`{
"CronJob":{"list":"CronJobList","introduced":"1.21"},
"Job":{"list":"JobList","introduced":"1.2"}
}`,
  messages: String.raw`{
"CronJob":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .CronJobSpec Re","status 3 .CronJobStatus Oe"]},
"CronJobList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .CronJob rR"]},
"CronJobSpec":{"f":[["schedule 1 string R",{"validate":{"beta@1.37:required":true}}],"timeZone 8 string pOe","startingDeadlineSeconds 2 int64 pOe",["concurrencyPolicy 3 string Oe",{"enum":["Allow","Forbid","Replace"],"alias":"ConcurrencyPolicy"}],"suspend 4 bool pOe","jobTemplate 5 .JobTemplateSpec R","successfulJobsHistoryLimit 6 int32 pOe","failedJobsHistoryLimit 7 int32 pOe"]},
"CronJobStatus":{"f":[["active 1 core.v1.ObjectReference rOe",{"listType":"atomic"}],"lastScheduleTime 4 meta.v1.Time pOe","lastSuccessfulTime 5 meta.v1.Time pOe"]},
"Job":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .JobSpec Oe","status 3 .JobStatus Oe"]},
"JobCondition":{"f":[["type 1 string R",{"alias":"JobConditionType"}],["status 2 string R",{"alias":"core.v1.ConditionStatus"}],"lastProbeTime 3 meta.v1.Time Oe","lastTransitionTime 4 meta.v1.Time Oe","reason 5 string Oe","message 6 string Oe"]},
"JobList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .Job rR"]},
"JobSchedulingConfiguration":{"f":[["schedulingPolicy 1 scheduling.v1alpha3.WorkloadPodGroupSchedulingPolicy pOe",{"validate":{"optional":true,"update":["NoSet","NoUnset"]}}],["schedulingConstraints 2 scheduling.v1alpha3.WorkloadPodGroupSchedulingConstraints pOe",{"validate":{"optional":true,"immutable":true}}],["disruptionMode 3 scheduling.v1alpha3.WorkloadPodGroupDisruptionMode pOe",{"validate":{"optional":true,"immutable":true}}],["resourceClaims 4 scheduling.v1alpha3.WorkloadPodGroupResourceClaim rOe",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"],"validate":{"optional":true,"listType":"map","listMapKey":"name","maxItems":4,"immutable":true}}]]},
"JobSpec":{"f":["parallelism 1 int32 pOe","completions 2 int32 pOe","activeDeadlineSeconds 3 int64 pOe","podFailurePolicy 11 .PodFailurePolicy pOe","successPolicy 16 .SuccessPolicy pOe","backoffLimit 7 int32 pOe","backoffLimitPerIndex 12 int32 pOe",["maxFailedIndexes 13 int32 pOe",{"validate":{"optional":true,"alpha@1.37:dependentRequired(backoffLimitPerIndex)":true}}],"selector 4 meta.v1.LabelSelector pOe","manualSelector 5 bool pOe","template 6 core.v1.PodTemplateSpec R","ttlSecondsAfterFinished 8 int32 pOe",["completionMode 9 string pOe",{"enum":["NonIndexed","Indexed"],"alias":"CompletionMode"}],"suspend 10 bool pOe",["podReplacementPolicy 14 string pOe",{"enum":["TerminatingOrFailed","Failed"],"alias":"PodReplacementPolicy"}],"managedBy 15 string pOe",["scheduling 17 .JobSchedulingConfiguration pOe",{"validate":{"ifDisabled(WorkloadWithJob)>forbidden":true,"optional":true,"update":["NoSet","NoUnset"]}}]]},
"JobStatus":{"f":[["conditions 1 .JobCondition rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"atomic"}],"startTime 2 meta.v1.Time pOe","completionTime 3 meta.v1.Time pOe","active 4 int32 Oe","succeeded 5 int32 Oe","failed 6 int32 Oe","terminating 11 int32 pOe","completedIndexes 7 string Oe","failedIndexes 10 string pOe","uncountedTerminatedPods 8 .UncountedTerminatedPods pOe","ready 9 int32 pe"]},
"JobTemplateSpec":{"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"opaqueType":true}}],"spec 2 .JobSpec Oe"]},
"PodFailurePolicy":{"f":[["rules 1 .PodFailurePolicyRule rR",{"listType":"atomic"}]]},
"PodFailurePolicyOnExitCodesRequirement":{"f":["containerName 1 string pOe",["operator 2 string R",{"enum":["In","NotIn"],"alias":"PodFailurePolicyOnExitCodesOperator"}],["values 3 int32 rR",{"listType":"set"}]]},
"PodFailurePolicyOnPodConditionsPattern":{"f":[["type 1 string R",{"alias":"core.v1.PodConditionType"}],["status 2 string O",{"alias":"core.v1.ConditionStatus"}]]},
"PodFailurePolicyRule":{"f":[["action 1 string R",{"enum":["FailJob","FailIndex","Ignore","Count"],"alias":"PodFailurePolicyAction"}],"onExitCodes 2 .PodFailurePolicyOnExitCodesRequirement pOe",["onPodConditions 3 .PodFailurePolicyOnPodConditionsPattern rOe",{"listType":"atomic"}]]},
"SuccessPolicy":{"f":[["rules 1 .SuccessPolicyRule rR",{"listType":"atomic"}]]},
"SuccessPolicyRule":{"f":["succeededIndexes 1 string pOe","succeededCount 2 int32 pOe"]},
"UncountedTerminatedPods":{"f":[["succeeded 1 string rOe",{"alias":"types.UID","listType":"set"}],["failed 2 string rOe",{"alias":"types.UID","listType":"set"}]]}
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
  concurrencyPolicy?: "Allow" | "Forbid" | "Replace";
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
/** Runs pods until enough of them have ended well, and tries again with new ones when some fail. */
export interface Job {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: JobSpec;
  status?: JobStatus;
}
/** One observation about a job. Complete or Failed being True means that the job is over. */
export interface JobCondition {
  type: string;
  status: string;
  lastProbeTime?: meta_v1.Time;
  lastTransitionTime?: meta_v1.Time;
  reason?: string;
  message?: string;
}
/** List of jobs. */
export interface JobList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: Job[] | null;
}
/** How the pods of a job are placed as a group. Needs the alpha gate WorkloadWithJob. */
export interface JobSchedulingConfiguration {
  schedulingPolicy?: scheduling_k8s_io_v1alpha3.WorkloadPodGroupSchedulingPolicy;
  schedulingConstraints?: scheduling_k8s_io_v1alpha3.WorkloadPodGroupSchedulingConstraints;
  disruptionMode?: scheduling_k8s_io_v1alpha3.WorkloadPodGroupDisruptionMode;
  resourceClaims?: scheduling_k8s_io_v1alpha3.WorkloadPodGroupResourceClaim[];
}
/** What the pods of a job do, how many of them must succeed, and how failures are dealt with. */
export interface JobSpec {
  parallelism?: number;
  completions?: number;
  activeDeadlineSeconds?: Int64;
  podFailurePolicy?: PodFailurePolicy;
  successPolicy?: SuccessPolicy;
  backoffLimit?: number;
  backoffLimitPerIndex?: number;
  maxFailedIndexes?: number;
  selector?: meta_v1.LabelSelector;
  manualSelector?: boolean;
  template: core_v1.PodTemplateSpec;
  ttlSecondsAfterFinished?: number;
  completionMode?: "NonIndexed" | "Indexed";
  suspend?: boolean;
  podReplacementPolicy?: "TerminatingOrFailed" | "Failed";
  managedBy?: string;
  scheduling?: JobSchedulingConfiguration;
}
/** How far a job has come: its pods by outcome, its times, and whether it is over. */
export interface JobStatus {
  conditions?: JobCondition[];
  startTime?: meta_v1.Time;
  completionTime?: meta_v1.Time;
  active?: number;
  succeeded?: number;
  failed?: number;
  terminating?: number;
  completedIndexes?: string;
  failedIndexes?: string;
  uncountedTerminatedPods?: UncountedTerminatedPods;
  ready?: number;
}
/** The job that a cron job makes at each run. */
export interface JobTemplateSpec {
  metadata?: meta_v1.ObjectMeta;
  spec?: JobSpec;
}
/** Decides by exit code or pod condition what a failed pod means for its job. */
export interface PodFailurePolicy {
  rules: PodFailurePolicyRule[] | null;
}
/** Matches a failed pod by the exit codes of its containers, init containers included. Containers that ended with 0 are passed over. */
export interface PodFailurePolicyOnExitCodesRequirement {
  containerName?: string;
  operator: "In" | "NotIn";
  values: number[] | null;
}
/** Matches a failed pod by one of its conditions. */
export interface PodFailurePolicyOnPodConditionsPattern {
  type: string;
  status?: string;
}
/** One kind of failure and what to do about it. Give exactly one of onExitCodes and onPodConditions. */
export interface PodFailurePolicyRule {
  action: "FailJob" | "FailIndex" | "Ignore" | "Count";
  onExitCodes?: PodFailurePolicyOnExitCodesRequirement;
  onPodConditions?: PodFailurePolicyOnPodConditionsPattern[];
}
/** Lets an Indexed job be declared done when certain indexes have succeeded. */
export interface SuccessPolicy {
  rules: SuccessPolicyRule[] | null;
}
/** What is enough for success: certain indexes, a number of indexes, or a number out of certain ones. Give at least one member. */
export interface SuccessPolicyRule {
  succeededIndexes?: string;
  succeededCount?: number;
}
/** UIDs of ended pods that the counters of the job do not contain yet. */
export interface UncountedTerminatedPods {
  succeeded?: string[];
  failed?: string[];
}
