/** Pods and what a runtime has of them, as values. */
import type { Container, Pod, PodSpec } from "../../../schema/api/core_v1.ts";
import { containerHash } from "../../../agent/pods/names.ts";
import type { ContainerTry, PodState } from "../../../agent/pods/state.ts";
import type { Claims, Devices, ProbeState } from "../../../agent/types.ts";
import type { PodSandboxStatus } from "../../../agent/runtime/types.ts";

/** Containers without any. */
export const NO_DEVICES: Devices = {
  of: () => Promise.resolve({ envs: [], mounts: [], devices: [], annotations: {}, cdiDevices: [] }),
  health: () => [],
};
/** Pods that claim none. */
export const NO_CLAIMS: Claims = {
  prepare: () => Promise.resolve(),
  unprepare: () => Promise.resolve(),
  cdiDevices: () => [],
  health: () => [],
};
export const READY: ProbeState = { started: true, ready: true };
export const ready = (): ProbeState => READY;

export function pod(spec: Partial<PodSpec>, more: Pod["metadata"] = {}): Pod {
  return {
    metadata: { name: "web", namespace: "default", uid: "u1", generation: 1, ...more },
    spec: { containers: [{ name: "main", image: "app:1" }], ...spec },
  };
}

export function sandbox(more: Partial<PodSandboxStatus> = {}, attempt = 0): PodSandboxStatus {
  return {
    id: `box${attempt}`,
    metadata: { name: "web", namespace: "default", uid: "u1", attempt },
    state: "READY",
    createdAt: 1n,
    labels: {},
    annotations: {},
    runtimeHandler: "",
    network: { ip: "10.0.0.2", additionalIps: [] },
    linux: { namespaces: { options: { network: "POD", pid: "CONTAINER", ipc: "POD", targetId: "" } } },
    ...more,
  };
}

let count = 0;

/** A try of a container; later ones are newer. */
export function attempt(container: Container, more: Partial<ContainerTry> = {}): ContainerTry {
  const nth = ++count;
  return {
    id: `id${nth}`,
    name: container.name,
    sandbox: "box0",
    state: "RUNNING",
    hash: containerHash(container),
    restartCount: 0,
    createdAt: BigInt(nth) * 1_000_000_000n,
    startedAt: 5_000_000_000n,
    finishedAt: 0n,
    exitCode: 0,
    reason: "",
    message: "",
    image: container.image ?? "",
    imageRef: "sha256:x",
    annotations: {},
    ...more,
  };
}

export function exited(container: Container, exitCode: number, more: Partial<ContainerTry> = {}): ContainerTry {
  return attempt(container, {
    state: "EXITED",
    exitCode,
    reason: exitCode === 0 ? "Completed" : "Error",
    finishedAt: 9_000_000_000n,
    ...more,
  });
}

/** With the sandbox that is in use; the tries in the order they were made. */
export function state(tries: readonly ContainerTry[], sandboxes: readonly PodSandboxStatus[] = [sandbox()]): PodState {
  return { sandboxes, tries: [...tries].reverse(), ips: sandboxes[0]?.state === "READY" ? ["10.0.0.2"] : [] };
}
