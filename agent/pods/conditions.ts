/** A pod's conditions that the agent sets. */
import type { Container, ContainerStatus, Pod, PodCondition, PodStatus } from "../../schema/api/core_v1.ts";
import { allRestart } from "./restart_all.ts";
import { sandboxNeed } from "./sandbox_need.ts";
import { canRestartAll, containersOf, initContainersOf, isSidecar, isTerminal, observed } from "./spec.ts";
import { newestOf, type PodState } from "./state.ts";

/** Conditions of the agent alone; all others are left as they are. */
const OWN = new Set([
  "PodScheduled",
  "Ready",
  "Initialized",
  "ContainersReady",
  "PodReadyToStartContainers",
  "PodResizePending",
  "PodResizeInProgress",
  "AllContainersRestarting",
]);

/** Whether the agent alone sets a condition. */
export function isOwnCondition(type: string): boolean {
  return OWN.has(type);
}

/** See {@linkcode conditionsOf}. */
export interface ConditionsInput {
  readonly pod: Pod;
  readonly state: PodState;
  readonly old: PodStatus;
  /** New ones, with phase and statuses of containers. */
  readonly phase: NonNullable<PodStatus["phase"]>;
  /** Of init containers, then of regular ones. */
  readonly statuses: readonly ContainerStatus[];
  /** Further ones, such as those of a change of resources or of a disruption. */
  readonly more: readonly PodCondition[];
  /** RFC 3339 */
  readonly now: string;
}

type Verdict = Pick<PodCondition, "status" | "reason" | "message">;

const YES: Verdict = { status: "True" };
const no = (reason: string, message = ""): Verdict => ({
  status: "False",
  ...(reason ? { reason } : {}),
  ...(message ? { message } : {}),
});

/** All conditions of a pod, those of others first; a time of transition stays as long as the condition's status does. */
export function conditionsOf(input: ConditionsInput): PodCondition[] {
  const { pod, old } = input;
  const kept = new Map<string, PodCondition>();
  for (const c of pod.status?.conditions ?? []) if (!OWN.has(c.type)) kept.set(c.type, c);
  for (const c of [...(old.conditions ?? []).filter((c) => c.type === "DisruptionTarget"), ...input.more]) {
    kept.set(c.type, dated(c, input));
  }
  const others = [...kept.values()];
  const containers = containersReady(input);
  const verdicts: [string, Verdict][] = [
    ["PodReadyToStartContainers", sandboxReady(input)],
    ["Initialized", initialized(input)],
    ["Ready", containers.status === "True" ? gates(pod, others) : containers],
    ["ContainersReady", containers],
    ["PodScheduled", YES],
  ];
  return [
    ...others,
    ...verdicts.map(([type, verdict]) => dated({ type, ...observed(pod), ...verdict }, input)),
    // The only one that does not tell of which generation it is.
    ...(canRestartAll(pod) ? [dated({ type: "AllContainersRestarting", ...restarting(input) }, input)] : []),
  ];
}

function dated(condition: PodCondition, { old, now }: ConditionsInput): PodCondition {
  const before = old.conditions?.find((c) => c.type === condition.type);
  const same = before?.status === condition.status ? before?.lastTransitionTime : undefined;
  return { ...condition, lastTransitionTime: same ?? now };
}

/** The conditions of a status, once a sandbox was made. */
export function withSandbox(pod: Pod, { conditions = [] }: PodStatus, now: string): PodCondition[] {
  const ready = { type: "PodReadyToStartContainers", ...observed(pod), ...YES, lastTransitionTime: now };
  return conditions.map((c) => c.type === ready.type && c.status !== ready.status ? ready : c);
}

function sandboxReady({ pod, state }: ConditionsInput): Verdict {
  const need = sandboxNeed(pod, state);
  return need.make ? no("PodSandboxNotReady", need.why) : YES;
}

/** Why of containers that have no status, and of those that are not as they should be. */
function lacking(
  containers: readonly Container[],
  { statuses }: ConditionsInput,
  isGood: (status: ContainerStatus, container: Container) => boolean,
  word: string,
): { readonly unknown: number; readonly message: string } {
  const unknown: string[] = [], bad: string[] = [];
  for (const container of containers) {
    const status = statuses.find((s) => s.name === container.name);
    if (!status) unknown.push(container.name);
    else if (!isGood(status, container)) bad.push(container.name);
  }
  const parts = [
    ...(unknown.length > 0 ? [`containers with unknown status: [${unknown.join(" ")}]`] : []),
    ...(bad.length > 0 ? [`containers with ${word} status: [${bad.join(" ")}]`] : []),
  ];
  return { unknown: unknown.length, message: parts.join(", ") };
}

function containersReady(input: ConditionsInput): Verdict {
  const { pod, phase } = input;
  const containers = [...initContainersOf(pod).filter(isSidecar), ...containersOf(pod)];
  const { unknown, message } = lacking(containers, input, (s) => s.ready, "unready");
  if (phase === "Succeeded" && unknown === 0) return no("PodCompleted");
  if (phase === "Failed") return no("PodFailed");
  return message ? no("ContainersNotReady", message) : YES;
}

function gates(pod: Pod, conditions: readonly PodCondition[]): Verdict {
  const messages = (pod.spec?.readinessGates ?? []).flatMap(({ conditionType }) => {
    const found = conditions.find((c) => c.type === conditionType);
    if (!found) return [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`];
    if (found.status === "True") return [];
    return [`the status of pod readiness gate "${conditionType}" is not "True", but ${found.status}`];
  });
  return messages.length > 0 ? no("ReadinessGatesNotReady", messages.join(", ")) : YES;
}

function initialized(input: ConditionsInput): Verdict {
  const { pod, phase, statuses, old } = input;
  const { unknown, message } = lacking(
    initContainersOf(pod),
    input,
    (s, c) => isSidecar(c) ? s.started === true : s.ready,
    "incomplete",
  );
  if (phase === "Succeeded" && unknown === 0) return { status: "True", reason: "PodCompleted" };
  const names = new Set(containersOf(pod).map((c) => c.name));
  if (statuses.some((s) => names.has(s.name) && (s.state?.running || s.state?.terminated))) return YES;
  // Once initialized, a pod stays so, even when all its containers begin anew.
  if (!message || old.conditions?.some((c) => c.type === "Initialized" && c.status === "True")) return YES;
  return no("ContainersNotInitialized", message);
}

function restarting({ pod, state, old, phase }: ConditionsInput): Verdict {
  if (isTerminal(phase)) return no(phase === "Succeeded" ? "PodCompleted" : "PodFailed");
  const gone = [...initContainersOf(pod), ...containersOf(pod)].every((c) => !newestOf(state, c.name));
  if (gone || !allRestart(pod, state, old)) return no("");
  return {
    status: "True",
    reason: "RestartAllContainersStarted",
    message: "container exited with restart policy rule",
  };
}
