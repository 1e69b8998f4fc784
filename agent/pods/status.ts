/** The status of a pod, as a function of what it should be, what the runtime has of it and what was said of it before. */
import { isIPv6 } from "node:net";
import type {
  ContainerState,
  ContainerStatus,
  Pod,
  PodCondition,
  PodStatus,
  ResourceStatus,
} from "../../schema/api/core_v1.ts";
import { nowTime } from "../../schema/values/time.ts";
import { fitting } from "../../schema/values/utf8.ts";
import { qosOf } from "../resources/qos.ts";
import { conditionsOf } from "./conditions.ts";
import { containerStatuses, lostState, type StatusesInput } from "./container_statuses.ts";
import { hasInitialized } from "./decide_init.ts";
import { phaseOf } from "./phase.ts";
import { allRestart } from "./restart_all.ts";
import { containersOf, initContainersOf, isSidecar, isTerminal, observed } from "./spec.ts";
import { wholeStatus } from "./whole_status.ts";

/** Why a pod fails: its deadline, or an eviction. */
export interface PodFault {
  readonly reason: string;
  readonly message: string;
  /** Conditions that tell more, such as `DisruptionTarget`. */
  readonly conditions?: readonly PodCondition[];
}

/** What a status is made of. */
export interface StatusInput extends Omit<StatusesInput, "restarting"> {
  /** The last one, or that of the API. */
  readonly old: PodStatus;
  readonly isStatic: boolean;
  /** Nothing of it runs, and nothing will. */
  readonly ended: boolean;
  /** Why it failed whatever its containers came to. */
  readonly fault?: PodFault;
  /** Conditions of a change of resources. */
  readonly more?: readonly PodCondition[];
  readonly hostIPs: readonly string[];
  /** How devices of a container are. */
  readonly devices: (container: string) => readonly ResourceStatus[];
  /** ms */
  readonly now: number;
}

/** Texts of all containers' last words together, bytes. */
const MESSAGE_BYTES = 1024 * 12;

/** The status of a pod. */
export function statusOf(input: StatusInput): PodStatus {
  const { pod, state, old } = input;
  const now = nowTime(input.now);
  const own: StatusesInput = { ...input, restarting: allRestart(pod, state, old) };
  const init = containerStatuses(own, "init", initContainersOf(pod), old.initContainerStatuses ?? []);
  const regular = containerStatuses(own, "regular", containersOf(pod), old.containerStatuses ?? [])
    .map((status) => withDevices(status, input.devices(status.name)));
  const ephemeral = containerStatuses(
    own,
    "ephemeral",
    pod.spec?.ephemeralContainers ?? [],
    old.ephemeralContainerStatuses ?? [],
  );
  const statuses = [...init, ...regular];
  const initialized = hasInitialized(pod, state);
  const { isStatic, ended } = input;
  const outcome = outcomeOf(input, phaseOf({ pod, statuses, ended, initialized, isStatic }));
  const conditions = conditionsOf({
    pod,
    state,
    old,
    phase: outcome.phase,
    statuses,
    more: input.more ?? [],
    now,
  });
  return bounded(pod, {
    ...observed(pod),
    ...outcome,
    conditions,
    ...addresses(input),
    startTime: old.startTime ?? now,
    ...(init.length > 0 ? { initContainerStatuses: init } : {}),
    ...(regular.length > 0 ? { containerStatuses: regular } : {}),
    ...(ephemeral.length > 0 ? { ephemeralContainerStatuses: ephemeral } : {}),
    qosClass: qosOf(pod, input.gate),
    ...wholeStatus(pod, state, input.gate),
  });
}

const withDevices = (status: ContainerStatus, devices: readonly ResourceStatus[]): ContainerStatus =>
  devices.length > 0 ? { ...status, allocatedResourcesStatus: [...devices] } : status;

type Outcome = Required<Pick<PodStatus, "phase">> & Pick<PodStatus, "reason" | "message">;

/** A last phase stays once it is at the API server; reason and message go with their phase. */
function outcomeOf({ pod, old, fault }: StatusInput, computed: Outcome["phase"]): Outcome {
  const phases = [pod.status?.phase, fault && "Failed" as const, computed, old.phase];
  const phase = phases.find(isTerminal) ?? computed;
  if (fault && phase === "Failed") return { phase, reason: fault.reason, message: fault.message };
  if (phase !== old.phase) return { phase };
  const reason = old.reason || pod.status?.reason, message = old.message || pod.status?.message;
  return { phase, ...(reason ? { reason } : {}), ...(message ? { message } : {}) };
}

/** The status of a pod whose containers are about to end for the node's sake: they are as ready as they were. */
export function evicted(status: PodStatus, { reason, message, conditions = [] }: PodFault): PodStatus {
  const types = new Set(conditions.map((c) => c.type));
  const others = (status.conditions ?? []).filter((c) => !types.has(c.type));
  return { ...status, phase: "Failed", reason, message, conditions: [...others, ...conditions] };
}

type Addresses = Pick<PodStatus, "hostIP" | "hostIPs" | "podIP" | "podIPs">;

/** Of the host, and of the pod: one of each family, that of the host's first address first. */
function addresses({ pod, state, old, hostIPs }: StatusInput): Addresses {
  // The address of a pod that has ended is told on.
  const had = (old.podIPs ?? []).map((p) => p.ip);
  const ips = pod.spec?.hostNetwork
    ? hostPodIPs(had, hostIPs)
    : podIPs(state.ips.length > 0 ? state.ips : had, hostIPs);
  return {
    ...(hostIPs.length > 0 ? { hostIP: hostIPs[0]!, hostIPs: hostIPs.slice(0, 2).map((ip) => ({ ip })) } : {}),
    ...(ips.length > 0 ? { podIP: ips[0]!, podIPs: ips.map((ip) => ({ ip })) } : {}),
  };
}

/** Addresses of a pod in an order that goes by the host's. */
export function podIPs(ips: readonly string[], hostIPs: readonly string[]): string[] {
  const six = hostIPs[0] !== undefined && isIPv6(hostIPs[0]);
  return [six, !six].flatMap((wanted) => ips.find((ip) => isIPv6(ip) === wanted) ?? []);
}

/** A pod in the host's network has the host's addresses; the first one never changes. */
function hostPodIPs(had: readonly string[], hostIPs: readonly string[]): string[] {
  const [first = hostIPs[0], second] = had;
  if (first === undefined) return [];
  if (second !== undefined) return [first, second];
  return [first, ...hostIPs.slice(0, 2).filter((ip) => isIPv6(ip) !== isIPv6(first))];
}

/** Last words are cut, so that the object stays small. */
function bounded(pod: Pod, status: PodStatus): PodStatus {
  const count = initContainersOf(pod).length + containersOf(pod).length + (pod.spec?.ephemeralContainers?.length ?? 0);
  const most = Math.floor(MESSAGE_BYTES / Math.max(count, 1));
  const cut = (state: ContainerState): ContainerState => {
    const { message } = state.terminated ?? {};
    return message ? { terminated: { ...state.terminated!, message: fitting(message, most) } } : state;
  };
  const each = (list: ContainerStatus[] | undefined) =>
    list?.map((s) => ({ ...s, state: cut(s.state ?? {}), lastState: cut(s.lastState ?? {}) }));
  const out = { ...status };
  for (const name of ["initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses"] as const) {
    const list = each(out[name]);
    if (list) out[name] = list;
  }
  return out;
}

/** The last status of a pod that will never run again: what has not ended by its own account is said to be lost. */
export function finalStatus(pod: Pod, status: PodStatus, isStatic: boolean): PodStatus {
  const end = (s: ContainerStatus): ContainerStatus => s.state?.terminated ? s : { ...s, state: lostState() };
  const { initContainerStatuses: init = [], containerStatuses: regular = [] } = status;
  const last = init.findLastIndex((s) => !s.state?.waiting || s.lastState?.terminated);
  const begun = Math.max(last, 0);
  return {
    ...status,
    ...(init.length > 0 ? { initContainerStatuses: init.map((s, i) => i <= begun ? end(s) : s) } : {}),
    ...(regular.length > 0 && wasInitialized(pod) ? { containerStatuses: regular.map(end) } : {}),
    ...(isStatic || isTerminal(status.phase) ? {} : { phase: "Failed" }),
  };
}

/** By what the API server has: what ended with the pod tells nothing of those that were never begun. */
function wasInitialized(pod: Pod): boolean {
  const last = initContainersOf(pod).at(-1), status = pod.status ?? {};
  if (!last) return true;
  if (status.containerStatuses?.some((s) => s.lastState?.terminated || !s.state?.waiting)) return true;
  const at = status.initContainerStatuses?.find((s) => s.name === last.name);
  if (isSidecar(last)) return at?.state?.running !== undefined && at.started === true;
  return [at?.state, at?.lastState].some((s) => s?.terminated?.exitCode === 0);
}
