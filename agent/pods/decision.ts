/** What there is to do with a pod, and what its deciders share. */
import type { Container, EphemeralContainer, Pod } from "../../schema/api/core_v1.ts";
import type { AnyContainer, ProbeState } from "../types.ts";
import { containersOf, restartsAfter, restartsAll } from "./spec.ts";
import { newestOf, type PodState } from "./state.ts";

/** Why a container is ended while its pod goes on. */
export type KillReason = "StartupProbe" | "LivenessProbe" | "FailedPostStartHook" | "RestartAllContainers" | "Unknown";

/** A container to end. */
export interface Kill {
  readonly id: string;
  readonly container: AnyContainer;
  /** In the words of its event. */
  readonly message: string;
  readonly reason: KillReason;
}

/** A try to take away, so that all containers begin anew. */
export interface Reset {
  readonly id: string;
  readonly container: Container;
  readonly running: boolean;
}

/** A running container that is to have other resources. */
export interface Update {
  readonly id: string;
  readonly container: Container;
}

/** What there is to do, in this order. */
export interface Decision {
  /** End all containers and the sandbox. */
  killPod: boolean;
  /** Make a new sandbox (after that). */
  createSandbox: boolean;
  /** The sandbox in use or to be replaced; empty for none. */
  readonly sandbox: string;
  /** Number of the sandbox in use or to be made. */
  readonly attempt: number;
  readonly kill: Kill[];
  readonly reset: Reset[];
  readonly update: Update[];
  startEphemeral: EphemeralContainer[];
  startInit: Container[];
  start: Container[];
}

/** What a decision is made of. */
export interface Situation {
  readonly pod: Pod;
  readonly state: PodState;
  readonly probes: (id: string) => ProbeState;
  /** A container's end restarts the whole pod (`RestartAllContainers`). */
  readonly restartAll: boolean;
}

/** By the probe that failed. */
export const PROBE_REASONS = { liveness: "LivenessProbe", startup: "StartupProbe" } as const;

/** Of one that the runtime lost sight of. */
export function unknownMessage(what: string): string {
  return `${what} is in "unknown" state, try killing it before restart`;
}

/** Whether a container that does not run should, by its newest try. */
export function startsAgain(pod: Pod, container: AnyContainer, state: PodState): boolean {
  if (pod.metadata?.deletionTimestamp) return false;
  const last = newestOf(state, container.name);
  if (!last || last.state === "UNKNOWN" || last.state === "CREATED") return true;
  return last.state === "EXITED" && restartsAfter(pod, container, last.exitCode);
}

/** Whether any regular container was ever made: then the init containers have done their work. */
export function anyRegularMade(pod: Pod, state: PodState): boolean {
  return containersOf(pod).some((c) => {
    const last = newestOf(state, c.name);
    return last !== undefined && last.state !== "UNKNOWN";
  });
}

/** Whether what a container ended with restarts the whole pod, by its newest try. */
export function exitRestartsAll(container: Container, state: PodState): boolean {
  const last = newestOf(state, container.name);
  return last?.state === "EXITED" && restartsAll(container, last.exitCode);
}
