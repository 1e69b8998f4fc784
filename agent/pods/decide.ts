/**
 * What is to be done with a pod now, as a function of what it should be and what the runtime has of it. Nothing is done here, and
 * nothing is remembered: the next round decides anew.
 */
import type { Container, Pod } from "../../schema/api/core_v1.ts";
import { decideInit } from "./decide_init.ts";
import {
  type Decision,
  type KillReason,
  PROBE_REASONS,
  type Reset,
  type Situation,
  startsAgain,
  unknownMessage,
} from "./decision.ts";
import { containerHash } from "./names.ts";
import { resizeOf } from "./resize.ts";
import { sandboxNeed } from "./sandbox_need.ts";
import { containersOf, initContainersOf, restartsAll, restartsOnFailure } from "./spec.ts";
import { type ContainerTry, newestOf, type PodState } from "./state.ts";

/** What to do with a pod that should run. */
export function decide(situation: Situation): Decision {
  const { pod, state } = situation;
  const need = sandboxNeed(pod, state);
  const decision: Decision = {
    killPod: need.make,
    createSandbox: need.make,
    sandbox: need.id,
    attempt: need.attempt,
    kill: [],
    reset: [],
    update: [],
    startEphemeral: [],
    startInit: [],
    start: [],
  };
  if (situation.restartAll) decision.reset.push(...resets(pod, state));
  else if (need.make) decideAnew(situation, decision);
  else decideOn(situation, decision);
  return decision;
}

/** With another sandbox all begins from the start, if there is anything to run in it. */
function decideAnew({ pod, state }: Situation, decision: Decision): void {
  const never = pod.spec?.restartPolicy === "Never";
  if (never && decision.attempt !== 0 && state.tries.length > 0) {
    decision.createSandbox = false;
    return;
  }
  const start = containersOf(pod).filter((c) => !(runsOnce(pod, c) && succeeded(state, c)));
  if (start.length === 0) {
    decision.createSandbox = false;
    return;
  }
  const [first] = initContainersOf(pod);
  if (first) decision.startInit = [first];
  else decision.start = start;
}

function runsOnce(pod: Pod, container: Container): boolean {
  return (container.restartPolicy ?? pod.spec?.restartPolicy) === "OnFailure";
}

function succeeded(state: PodState, container: Container): boolean {
  const last = newestOf(state, container.name);
  return last?.state === "EXITED" && last.exitCode === 0;
}

/** The sandbox is good: containers are started, kept, ended. */
function decideOn(situation: Situation, decision: Decision): void {
  const { pod, state } = situation;
  // Never started again, and started even while init containers run.
  decision.startEphemeral = (pod.spec?.ephemeralContainers ?? []).filter((c) => !newestOf(state, c.name));
  if (!decideInit(situation, decision)) return;
  let kept = 0;
  for (const container of containersOf(pod)) if (decideContainer(situation, container, decision)) kept++;
  if (kept === 0 && decision.start.length === 0) {
    decision.killPod = true;
    // Or they would keep the pod alive.
    decision.startInit = [];
  }
}

/** Whether it is kept as it is. */
function decideContainer(situation: Situation, container: Container, decision: Decision): boolean {
  const { pod, state } = situation;
  const last = newestOf(state, container.name);
  if (last?.state !== "RUNNING") {
    if (!startsAgain(pod, container, state)) return false;
    decision.start.push(container);
    // Nobody knows whether it runs: two of it must not.
    if (last?.state === "UNKNOWN") {
      decision.kill.push({ id: last.id, container, message: unknownMessage("Container"), reason: "Unknown" });
    }
    return false;
  }
  const fault = faultOf(situation, container, last);
  if (fault) {
    const restart = fault.always || restartsOnFailure(pod, container);
    if (restart) decision.start.push(container);
    decision.kill.push({
      id: last.id,
      container,
      message: restart && !fault.plain ? `${fault.message}, will be restarted` : fault.message,
      reason: fault.reason,
    });
    return false;
  }
  if (resizeOf(pod, container, last) === "update") decision.update.push({ id: last.id, container });
  return true;
}

interface Fault {
  readonly message: string;
  readonly reason: KillReason;
  /** Started again whatever its policy says. */
  readonly always?: boolean;
  /** The message says so already. */
  readonly plain?: boolean;
}

/** Why a running container is not to run on. */
function faultOf({ pod, probes }: Situation, container: Container, running: ContainerTry): Fault | undefined {
  const { name } = container;
  if (running.hash !== containerHash(container)) {
    return { message: `Container ${name} definition changed`, reason: "Unknown", always: true };
  }
  const { failed } = probes(running.id);
  if (failed) return { message: `Container ${name} failed ${failed.probe} probe`, reason: PROBE_REASONS[failed.probe] };
  if (resizeOf(pod, container, running) === "restart") {
    return { message: `Container ${name} resize requires restart`, reason: "Unknown", always: true, plain: true };
  }
  return undefined;
}

/** All tries, those of containers that caused it last. */
function resets(pod: Pod, state: PodState): Reset[] {
  const of = (containers: readonly Container[], causes: boolean): Reset[] =>
    containers.flatMap((container) =>
      state.tries
        .filter((t) => t.name === container.name)
        .filter((t) => (t.state === "EXITED" && restartsAll(container, t.exitCode)) === causes)
        .map((t) => ({ id: t.id, container, running: t.state !== "EXITED" }))
    );
  const regular = containersOf(pod), init = initContainersOf(pod);
  return [...of(regular, false), ...of(init, false), ...of(regular, true), ...of(init, true)];
}
