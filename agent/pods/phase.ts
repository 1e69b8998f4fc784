/** The phase of a pod, by the statuses of its containers. */
import type { Container, ContainerStatus, Pod, PodStatus } from "../../schema/api/core_v1.ts";
import { containersOf, initContainersOf, isSidecar, restartsAfter } from "./spec.ts";

/** Reason of containers that were ended because one of them restarts all. */
export const RESTARTING_ALL = "RestartingAllContainers";

/** See {@linkcode phaseOf}. */
export interface PhaseInput {
  readonly pod: Pod;
  /** Of init and regular containers. */
  readonly statuses: readonly ContainerStatus[];
  /** Nothing of it runs, and nothing will. */
  readonly ended: boolean;
  /** Its regular containers run or ran in the sandbox in use. */
  readonly initialized: boolean;
  /** It came from a file or a URL. */
  readonly isStatic: boolean;
}

type Phase = NonNullable<PodStatus["phase"]>;

/** Pending, Running, Succeeded or Failed. */
export function phaseOf(input: PhaseInput): Phase {
  const { pod } = input;
  const found = (c: Container) => input.statuses.find((s) => s.name === c.name);
  const init = countInit(pod, initContainersOf(pod).filter((c) => !isSidecar(c)), found);
  const side = countSidecars(initContainersOf(pod).filter(isSidecar), found);
  const main = countMain(pod, containersOf(pod), found);
  if (init.failed) return "Failed";
  if (init.pending > 0 || (side.pending > 0 && !input.initialized)) return "Pending";
  if (side.waiting + main.waiting > 0 || side.unknown + main.unknown > 0) return "Pending";
  if (side.running + main.running > 0) return "Running";
  if (main.stopped === 0) return "Pending";
  const mayRestart = main.stopped !== main.final;
  if (mayRestart && !(input.ended && !input.isStatic)) return "Running";
  return main.stopped === main.succeeded ? "Succeeded" : "Failed";
}

type Find = (container: Container) => ContainerStatus | undefined;

/** How a container ended; undefined: it has not, or waits without ever having run. */
function endOf(status: ContainerStatus) {
  return status.state?.terminated ?? (status.state?.waiting ? status.lastState?.terminated : undefined);
}

function isFinal(pod: Pod, container: Container, end: NonNullable<ReturnType<typeof endOf>>): boolean {
  return !restartsAfter(pod, container, end.exitCode) && end.reason !== RESTARTING_ALL;
}

function countInit(pod: Pod, containers: readonly Container[], find: Find) {
  let pending = 0, failed = false;
  for (const container of containers) {
    const status = find(container);
    const end = status && endOf(status);
    if (!end) pending++;
    else if (end.exitCode !== 0 && isFinal(pod, container, end)) failed = true;
  }
  return { pending, failed };
}

/** Sidecars that ended say nothing of the pod. */
function countSidecars(containers: readonly Container[], find: Find) {
  const count = { pending: 0, running: 0, waiting: 0, unknown: 0 };
  for (const container of containers) {
    const status = find(container);
    if (!status) count.unknown++;
    else if (status.state?.running) {
      count.running++;
      if (!status.started) count.pending++;
    } else if (!endOf(status)) {
      count.pending++;
      if (status.state?.waiting) count.waiting++;
      else count.unknown++;
    }
  }
  return count;
}

function countMain(pod: Pod, containers: readonly Container[], find: Find) {
  const count = { running: 0, waiting: 0, unknown: 0, stopped: 0, final: 0, succeeded: 0 };
  for (const container of containers) {
    const status = find(container);
    const end = status && endOf(status);
    if (end) {
      count.stopped++;
      if (isFinal(pod, container, end)) count.final++;
      if (status.state?.terminated && end.exitCode === 0) count.succeeded++;
    } else if (status?.state?.running) count.running++;
    else if (status?.state?.waiting) count.waiting++;
    else count.unknown++;
  }
  return count;
}
