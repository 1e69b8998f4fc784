/** Eviction of a pod: a deletion that disruption budgets may refuse. */
import type { Json, JsonMap, Obj } from "../../../schema/model/types.ts";
import {
  badRequest,
  type Cause,
  forbidden,
  hasReason,
  internal,
  invalid,
  StatusError,
} from "../../../schema/status.ts";
import { ErrorList } from "../../../schema/rules/errors.ts";
import { ValueError } from "../../../schema/values/error.ts";
import { matches, selectorFromLabelSelector } from "../../../schema/values/labels.ts";
import { nowTime } from "../../../schema/values/time.ts";
import type { Call, SubresourceHandler } from "../../endpoints/api.ts";
import { checkDeleteOptions, UNSAFE } from "../../endpoints/delete_options.ts";
import { callerWith } from "../caller_with.ts";
import { checkPreconditions, deleteObject } from "../delete.ts";
import { builtinOwned } from "../own_writes.ts";
import type { DeleteOptions } from "../strategy.ts";
import { success } from "./binding.ts";
import { withCondition } from "./pod_conditions.ts";

const BUDGETS = "poddisruptionbudgets.policy";
/** Pods whose disruption is recorded but not yet seen by the controller: past this many the budget lets none go. */
const MAX_DISRUPTED = 2000;
const RETRY_SECONDS = 10;
/** How often a pod that changes meanwhile is looked at again. */
const TRIES = 20;

/** POST of an Eviction to a pod. */
export const podEviction: SubresourceHandler = {
  async create(call, eviction) {
    const pods = call.api.store(call.served.resource);
    const asked = () => pods.attributes("CREATE", eviction, undefined, call.caller, "eviction", call.name);
    await call.api.admission.admit(asked());
    checkName(call, eviction);
    await call.api.admission.validate(asked());
    const options = (eviction["deleteOptions"] ?? {}) as DeleteOptions;
    mustBeReadable(call, options);
    const dryRun = call.caller.dryRun || (options.dryRun?.length ?? 0) > 0;
    await evict(call, options, dryRun);
    return { object: success(), kind: call.api.scheme.kind("v1", "Status")!, code: 201 };
  },
};

/** A pod that goes without being charged for goes as it was looked at: if it has changed, it is looked at again. */
async function evict(call: Call, options: DeleteOptions, dryRun: boolean): Promise<void> {
  const pods = call.api.store(call.served.resource);
  const caller = callerWith(call.caller, { dryRun });
  for (let left = TRIES;; left--) {
    const pod = (await pods.current(call.namespace, call.name)).object();
    const free = isOver(pod) ? false : pod["status"]?.phase === "Pending" || !await charge(call, pod, dryRun);
    const given: JsonMap = { ...options };
    delete given["kind"];
    delete given["apiVersion"];
    const pinned = free && options.preconditions?.resourceVersion === undefined;
    if (pinned) given["preconditions"] = { ...options.preconditions, resourceVersion: pod.metadata.resourceVersion! };
    try {
      if (!dryRun) await markDisrupted(call, given as DeleteOptions);
      checkDeleteOptions(call.api, given as DeleteOptions);
      await deleteObject(pods, call.namespace, call.name, given as DeleteOptions, caller);
      return;
    } catch (e) {
      const again = pinned && hasReason(e, "Conflict");
      if (!again || left === 0) throw e;
    }
  }
}

/** Says on the pod why it goes, while it still can be seen. */
async function markDisrupted(call: Call, options: DeleteOptions): Promise<void> {
  const pods = call.api.store(call.served.resource);
  const condition = {
    type: "DisruptionTarget",
    status: "True",
    lastProbeTime: null,
    reason: "EvictionByEvictionAPI",
    message: "Eviction API: evicting",
  };
  const { object } = await pods.update({
    namespace: call.namespace,
    name: call.name,
    subresource: "status",
    caller: call.caller,
    admit: false,
    next: (pod) => {
      if (!pod) throw pods.missing(call.name);
      checkPreconditions(pods, pod, options);
      const conditions = withCondition(pod["status"]?.conditions, condition, call.api.rules.now());
      return { ...pod, status: { ...pod["status"], conditions } };
    },
  });
  const { preconditions } = options, { resourceVersion } = object.metadata;
  // The version that was asked for has become the next one here.
  if (preconditions?.resourceVersion) options.preconditions = { ...preconditions, resourceVersion: resourceVersion! };
}

function checkName(call: Call, eviction: Obj): void {
  const { name } = eviction.metadata;
  if (name !== call.name) throw badRequest("name in URL does not match name in Eviction object");
}

/** Who evicts does not delete what cannot be read. @throws StatusError 422 */
function mustBeReadable({ api, name }: Call, options: DeleteOptions): void {
  if (options[UNSAFE] !== true) return;
  const errors = new ErrorList();
  errors.invalid(`deleteOptions.${UNSAFE}`, true, "can not be set for pod eviction, try after removing the option");
  throw invalid(api.scheme.product.local("policy"), "Eviction", name, errors.causes);
}

/** Pods that are over or on their way out hold no budget up any more. */
function isOver(pod: Obj): boolean {
  const phase = pod["status"]?.phase;
  return phase === "Succeeded" || phase === "Failed" || !!pod.metadata.deletionTimestamp;
}

const isReady = (pod: Obj): boolean =>
  !!pod["status"]?.conditions?.some((c: JsonMap) => c["type"] === "Ready" && c["status"] === "True");

/** Has the pod's budget pay for it. False: it disturbs nobody while it is not ready. @throws StatusError 429 */
async function charge(call: Call, pod: Obj, dryRun: boolean): Promise<boolean> {
  const resource = call.api.catalog.resource(BUDGETS);
  if (!resource) return true;
  const store = call.api.store(resource);
  const budgets = [...store.cache.snapshot().range({ namespace: call.namespace })].map((e) => e.peek()).filter((b) =>
    covers(b, pod)
  );
  if (budgets.length === 0) return true;
  if (budgets.length > 1) {
    throw internal("This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.");
  }
  const budget = budgets[0]!;
  if (!isReady(pod) && unhealthyMayGo(budget)) return false;
  await store.update({
    namespace: call.namespace,
    name: budget.metadata.name!,
    subresource: "status",
    caller: callerWith(call.caller, { dryRun }),
    admit: false,
    next: (current) => {
      if (!current) throw store.missing(budget.metadata.name!);
      return builtinOwned(store, current, charged(current, pod, call.api.rules.now()), { subresource: "status" });
    },
  });
  return true;
}

/** A selector that cannot be read, as stores of old may hold one, covers nothing. */
function covers(budget: Obj, pod: Obj): boolean {
  try {
    const terms = selectorFromLabelSelector(budget["spec"]?.selector);
    return terms !== undefined && matches(terms, pod.metadata.labels);
  } catch (e) {
    if (e instanceof ValueError) return false;
    throw e;
  }
}

/** An unhealthy pod disturbs nobody when the budget says so, or when enough others are healthy. */
function unhealthyMayGo(budget: Obj): boolean {
  if (budget["spec"]?.unhealthyPodEvictionPolicy === "AlwaysAllow") return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = budget["status"] ?? {};
  return currentHealthy >= desiredHealthy && desiredHealthy > 0;
}

function charged(budget: Obj, pod: Obj, now: number): Obj {
  const status = budget["status"] ?? {};
  const { name } = budget.metadata;
  if ((status.observedGeneration ?? 0) < (budget.metadata.generation ?? 0)) {
    throw refused(`The disruption budget ${name} is still being processed by the server.`, RETRY_SECONDS);
  }
  const allowed = status.disruptionsAllowed ?? 0;
  if (Object.keys(status.disruptedPods ?? {}).length > MAX_DISRUPTED) throw unconfirmed(name!);
  if (allowed <= 0) throw refused(whyNone(name!, status), undefined);
  const disruptedPods = { ...status.disruptedPods, [pod.metadata.name!]: nowTime(now) };
  const conditions = allowed === 1 ? exhausted(status, now) : status.conditions;
  return { ...budget, status: { ...status, disruptionsAllowed: allowed - 1, disruptedPods, conditions } };
}

const ALLOWED = "DisruptionAllowed";
const conditionOf = (status: JsonMap): JsonMap | undefined =>
  ((status["conditions"] ?? []) as JsonMap[]).find((c) => c["type"] === ALLOWED);

/** Why a budget lets nobody go. Counts of one that could not be kept are not to be relied on. */
function whyNone(name: string, status: JsonMap): string {
  const { desiredHealthy = 0, currentHealthy = 0 } = status, condition = conditionOf(status);
  const { reason, message } = condition?.["status"] === "False" ? condition : {};
  if (message && reason === "SyncFailed") return `The disruption budget ${name} could not be kept up: ${message}`;
  if (currentHealthy! <= desiredHealthy!) {
    return `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  }
  const none = `The disruption budget ${name} lets no pod go`;
  return message ? `${none}, ${reason}: ${message}` : none;
}

/** Its controller does not confirm what it has paid for. */
function unconfirmed(name: string): StatusError {
  const why = "too many evictions have not been confirmed by the budget's controller";
  const e = forbidden({ group: "policy", resource: "poddisruptionbudget" }, name, why);
  return new StatusError(e.code, e.reason, e.message, { ...e.details, causes: [causeOf(why)] });
}

/** The conditions of a budget that allows nothing more. */
function exhausted(status: JsonMap, now: number): Json[] {
  const was = (status["conditions"] ?? []) as JsonMap[], before = conditionOf(status);
  const condition: JsonMap = {
    type: ALLOWED,
    status: "False",
    observedGeneration: status["observedGeneration"] ?? 0,
    lastTransitionTime: before?.["status"] === "False" ? before["lastTransitionTime"]! : nowTime(now),
    reason: "InsufficientPods",
    message: "",
  };
  return before ? was.map((c) => c === before ? condition : c) : [...was, condition];
}

const causeOf = (message: string): Cause => ({ reason: "DisruptionBudget", message });

function refused(message: string, retryAfterSeconds: number | undefined): StatusError {
  return new StatusError(429, "TooManyRequests", "Cannot evict pod as it would violate the pod's disruption budget.", {
    causes: [causeOf(message)],
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}
