/** What is to be done with init containers: one after the other, and those that go on (sidecars) are kept running. */
import type { Container, Pod } from "../../schema/api/core_v1.ts";
import { type Decision, PROBE_REASONS, type Situation, startsAgain, unknownMessage } from "./decision.ts";
import { containerHash } from "./names.ts";
import { resizeOf } from "./resize.ts";
import { containersOf, initContainersOf, isSidecar, restartsOnFailure } from "./spec.ts";
import { activeTries, type ContainerTry, type PodState } from "./state.ts";

/** What one init container came to. */
interface Outcome {
  /** The one after it may start. */
  readonly next?: boolean;
  /** It is to be started (again). */
  readonly start?: boolean;
  /** The pod failed. */
  readonly fatal?: boolean;
}

/**
 * Adds to a decision what init containers need, and tells whether regular ones may run.
 *
 * From the last one to the first: what ran to its end may have been taken away, so the last one that is there tells how far it came.
 */
export function decideInit(situation: Situation, decision: Decision): boolean {
  const { pod, state } = situation;
  const init = initContainersOf(pod);
  if (init.length === 0) return true;
  const tries = activeTries(state);
  // A regular container in this sandbox: all of them have done their work.
  let initialized = hasInitialized(pod, state);
  let before = initialized;
  const start: Container[] = [];
  for (let i = init.length - 1; i >= 0; i--) {
    const container = init[i]!;
    const last = tries.find((t) => t.name === container.name);
    if (!last) {
      if (before && isSidecar(container)) start.push(container);
      continue;
    }
    if (before && !isSidecar(container)) continue;
    const outcome = OUTCOMES[last.state](situation, container, last, decision);
    if (outcome.fatal) {
      decision.killPod = true;
      return false;
    }
    if (outcome.next) {
      if (i === init.length - 1) initialized = true;
      else if (!before) start.push(init[i + 1]!);
    }
    if (outcome.start) start.push(container);
    before = true;
  }
  if (!before) start.push(init[0]!);
  decision.startInit = start.reverse();
  return initialized;
}

type Judge = (situation: Situation, container: Container, last: ContainerTry, decision: Decision) => Outcome;

const OUTCOMES: Readonly<Record<ContainerTry["state"], Judge>> = {
  // It was made and could not be started.
  CREATED: () => ({ start: true }),
  RUNNING: (situation, container, last, decision) =>
    isSidecar(container)
      ? judgeSidecar(situation, container, last, decision)
      : resized(situation, container, last, decision),
  EXITED: ({ pod, state }, container, last) => {
    if (isSidecar(container)) return { start: true };
    if (!failed(last)) return { next: true };
    return startsAgain(pod, container, state) ? { start: true } : { fatal: true };
  },
  UNKNOWN: ({ pod }, container, last, decision) => {
    if (!restartsOnFailure(pod, container)) return { fatal: true };
    decision.kill.push({ id: last.id, container, message: unknownMessage("Init container"), reason: "Unknown" });
    return { start: true };
  },
};

function failed(last: ContainerTry): boolean {
  return last.reason === "OOMKilled" || last.exitCode !== 0;
}

/** A sidecar that runs lets the next one start as soon as it has started; after that it is kept like a regular container. */
function judgeSidecar(situation: Situation, container: Container, last: ContainerTry, decision: Decision): Outcome {
  const { name } = container;
  const probe = situation.probes(last.id);
  const end = (message: string, reason: Decision["kill"][number]["reason"]) => {
    decision.kill.push({ id: last.id, container, message, reason });
  };
  if (probe.failed?.probe === "startup") {
    end(`Init container ${name} failed startup probe`, PROBE_REASONS.startup);
    return { start: true };
  }
  if (!probe.started) return {};
  if (last.hash !== containerHash(container)) {
    end(`Init container ${name} definition changed`, "Unknown");
    return { next: true, start: true };
  }
  if (probe.failed) {
    end(`Init container ${name} failed liveness probe`, PROBE_REASONS.liveness);
    return { next: true, start: true };
  }
  return { next: true, ...resized(situation, container, last, decision) };
}

/** What runs gets what it is to have, if need be by another start. */
function resized({ pod }: Situation, container: Container, last: ContainerTry, decision: Decision): Outcome {
  const resize = resizeOf(pod, container, last);
  if (resize === "restart") {
    const message = `Container ${container.name} resize requires restart`;
    decision.kill.push({ id: last.id, container, message, reason: "Unknown" });
    return { start: true };
  }
  if (resize === "update") decision.update.push({ id: last.id, container });
  return {};
}

/** Whether a pod's regular containers run, or ran, in the sandbox that is in use. */
export function hasInitialized(pod: Pod, state: PodState): boolean {
  const names = new Set(containersOf(pod).map((c) => c.name));
  return activeTries(state).some((t) => names.has(t.name));
}
