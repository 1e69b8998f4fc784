/** Jobs and cron jobs, in words. */
export const BATCH = `
CronJob: Starts a job again and again, at the times of a schedule. Its name may have at most 52 characters, as the
    names of its jobs are built from it.
CronJobSpec: When jobs are started, what they do, and what happens when runs overlap or come late.
  schedule: The times, as five cron fields (minute, hour, day of month, month, day of week) or a short form such as
    @daily. 0 3 * * 1 means Mondays at three. A time zone may not be written here.
  timeZone: Zone in which the schedule is read, by its name in the tz database, such as Europe/Berlin. Without it,
    that of the controller. When the name stops being known, no more jobs are started and an event UnknownTimeZone
    tells so.
  startingDeadlineSeconds: How many seconds late a run may still be started. A run that misses this is left out.
    Without it there is no such bound.
  concurrencyPolicy: What to do when a run is due and the last one has not ended. Allow lets both run, Forbid leaves
    the new one out, Replace ends the old one and starts the new. Default Allow.
  suspend: While true, no new jobs are started. Jobs that have begun go on. Default false.
  jobTemplate: The job that each run makes. A change counts for later runs only.
  successfulJobsHistoryLimit: How many jobs that ended well are kept; older ones are deleted. Default 3; 0 keeps none.
  failedJobsHistoryLimit: How many jobs that failed are kept; older ones are deleted. Default 1; 0 keeps none.
CronJobStatus: What a cron job has running, and when it last started a job and last saw one succeed.
  active: The jobs of this cron job that have not ended yet.
  lastScheduleTime: The last time for which a job was started according to the schedule.
  lastSuccessfulTime: When a job of this cron job last came to a good end.
Job: Runs pods until enough of them have ended well, and tries again with new ones when some fail.
JobCondition: One observation about a job. Complete or Failed being True means that the job is over.
  type: Complete: the job ended well. Failed: it did not. FailureTarget and SuccessCriteriaMet: the outcome is certain
    and remaining pods are being ended. Suspended: spec.suspend holds it.
JobSchedulingConfiguration: How the pods of a job are placed as a group. Needs the alpha gate WorkloadWithJob.
  schedulingPolicy: Exactly one of two: basic places each pod by itself, gang places none until minCount of them fit
    together. After creation only gang.minCount may change.
  schedulingConstraints: Rules for where the group goes, such as all pods within one part of the topology. Cannot be
    changed later.
  disruptionMode: Whether pods of the group may be pushed out one by one (single) or only all together (all). Cannot
    be changed later.
  resourceClaims: Claims for devices that pods of the job may share, at most 4. A pod takes part by listing a claim of
    the same name that points to the same object. Cannot be changed later.
JobSpec: What the pods of a job do, how many of them must succeed, and how failures are dealt with.
  parallelism: How many pods may run at the same time. Default 1; 0 holds the job. Fewer run when less work than that
    is left. May be changed at any time.
  completions: How many pods must end well. Default 1 when parallelism is missing too. Unset with parallelism set:
    pods share a work queue, and the job is done when one has ended well and all have ended. Fixed later, except for
    Indexed jobs that change it together with parallelism.
  activeDeadlineSeconds: Seconds from status.startTime after which a job still at work is stopped: its pods are ended
    and it is Failed with the reason DeadlineExceeded. A suspended job starts the count anew when resumed.
  podFailurePolicy: Rules that treat some failures of pods otherwise than by counting them towards backoffLimit. Needs
    restartPolicy Never. Cannot be changed later.
  successPolicy: Rules that let the job succeed before every index has. Remaining pods are then ended. Only for
    completionMode Indexed. Cannot be changed later.
  backoffLimit: How many failures are borne before the whole job is Failed. Default 6, or 2147483647 when
    backoffLimitPerIndex is set.
  backoffLimitPerIndex: How many retries each index gets before it counts as failed; the others go on. Needs
    completionMode Indexed and restartPolicy Never. Cannot be changed later.
  maxFailedIndexes: The job is stopped as Failed when more indexes than this have failed. Unset: all indexes run to
    their end. Needs backoffLimitPerIndex. At most completions; must be set, and to 10000 at most, for more than
    100000 completions.
  selector: Labels by which the job knows its pods. Leave it out: it is filled in with labels that are unique to the
    job. Cannot be changed later.
  manualSelector: When true, you write selector and matching labels yourself; if another job has the same, both go
    wrong. Without it they are generated. Best left unset.
  template: The pod to run. Its restartPolicy must be Never or OnFailure. Fixed once the job exists, except that some
    members, mainly those about placement, may change while the job is suspended.
  ttlSecondsAfterFinished: Seconds after its end at which the job may be deleted by itself, along with its pods. 0
    means at once. Unset: it stays until somebody deletes it.
  completionMode: NonIndexed counts pods that ended well, no matter which. Indexed numbers the pods from 0 up to one
    less than completions, and each number must succeed once; it needs completions. Default NonIndexed. Cannot be
    changed later.
  suspend: While true, the job does not run: no pods are made, and those at work are deleted. When it is false again,
    the job goes on, with a new startTime. Default false.
  podReplacementPolicy: When a substitute for a pod is made. TerminatingOrFailed: as soon as the old one is being
    deleted. Failed: only when it has fully ended. With podFailurePolicy only Failed is valid and the default;
    otherwise TerminatingOrFailed is.
  managedBy: Who looks after the job: a domain, a slash and a path, 63 characters at most. Unset, or set to the
    reserved name, it is the built-in controller; any other value makes that one keep off. Cannot be changed later.
  scheduling: How the pods are placed as a group. Without it, each is placed by itself. After creation only the
    minCount of a gang may change. Needs the alpha gate WorkloadWithJob.
JobStatus: How far a job has come: its pods by outcome, its times, and whether it is over.
  conditions: Observations about the job: Suspended, FailureTarget, SuccessCriteriaMet, Complete, Failed. Complete and
    Failed never stand together, and neither goes away again.
  startTime: When the controller took up the job. Cleared by suspending and set anew by resuming.
  completionTime: When the job ended well. A failed job has none; look at its condition instead.
  active: Pods that are pending or running and not being deleted. 0 once the job is over.
  succeeded: Pods that ended in the phase Succeeded. It falls only when an Indexed job is made smaller.
  failed: Pods that ended in the phase Failed. The number never falls.
  terminating: Pods that are being deleted and have not reached their end.
  completedIndexes: The indexes that succeeded, for completionMode Indexed, in rising order; runs of three or more are
    joined by a hyphen, as in 0,2-5,9.
  failedIndexes: The indexes that failed for good, written like completedIndexes. Only with backoffLimitPerIndex. No
    index stands in both lists.
  uncountedTerminatedPods: Pods that have ended and are on their way into the counters succeeded and failed. Their
    finalizer is removed in between, so that none is lost or counted twice. Empty once the job is over.
  ready: Active pods whose condition Ready is True.
JobTemplateSpec: The job that a cron job makes at each run.
  metadata: Labels and annotations that each job gets. Names are given by the cron job.
  spec: What the jobs do, in the words of a job of its own.
PodFailurePolicy: Decides by exit code or pod condition what a failed pod means for its job.
  rules: The rules, at most 20. They are tried from the top and the first match decides. A failure that none matches
    counts towards backoffLimit as usual.
PodFailurePolicyOnExitCodesRequirement: Matches a failed pod by the exit codes of its containers, init containers
    included. Containers that ended with 0 are passed over.
  containerName: Look only at the container or init container of this name in the template. Without it, at all of
    them.
  operator: In matches when some exit code is among values, NotIn when some exit code is not among them.
  values: The exit codes, at least one and at most 255, in rising order and without repeats. 0 may not stand here with
    In.
PodFailurePolicyOnPodConditionsPattern: Matches a failed pod by one of its conditions.
  type: Type of the pod condition, such as DisruptionTarget for pods that were pushed off their node.
  status: What the condition's status must be: True, False or Unknown. Default True.
PodFailurePolicyRule: One kind of failure and what to do about it. Give exactly one of onExitCodes and
    onPodConditions.
  action: FailJob ends the whole job as Failed. FailIndex gives up the index only and needs backoffLimitPerIndex.
    Ignore makes a new pod without counting the failure. Count counts it as usual.
  onExitCodes: The rule applies when exit codes of the containers fit this.
  onPodConditions: The rule applies when the pod has a condition that fits any of these patterns. At most 20.
SuccessPolicy: Lets an Indexed job be declared done when certain indexes have succeeded.
  rules: The rules, at most 20; meeting one is enough. The job then gets SuccessCriteriaMet, its remaining pods are
    ended, and Complete follows.
SuccessPolicyRule: What is enough for success: certain indexes, a number of indexes, or a number out of certain ones.
    Give at least one member.
  succeededIndexes: The indexes that must succeed, as numbers and ranges with commas between, such as 0,2-4. They must
    be below completions and not repeat. With succeededCount, that many of them are enough.
  succeededCount: How many indexes must succeed, at least 1. Counted among succeededIndexes when that is given,
    otherwise among all.
UncountedTerminatedPods: UIDs of ended pods that the counters of the job do not contain yet.
  succeeded: UIDs of pods that ended well and are still to be counted.
  failed: UIDs of pods that failed and are still to be counted.
`;
