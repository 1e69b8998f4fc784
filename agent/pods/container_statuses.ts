/** Statuses of a pod's containers. */
import { resolve } from "node:path";
import type { ContainerState, ContainerStatus, Pod, VolumeMountStatus } from "../../schema/api/core_v1.ts";
import { nowTime } from "../../schema/values/time.ts";
import type { Gate } from "../resources/amounts.ts";
import type { AnyContainer, ProbeState } from "../types.ts";
import { anyRegularMade, startsAgain } from "./decision.ts";
import { RESTARTING_ALL } from "./phase.ts";
import { isSidecar } from "./spec.ts";
import { type ContainerTry, newestOf, type PodState } from "./state.ts";

/** Why a container could not be started: what its waiting state says. */
export interface StartFault {
  readonly reason: string;
  readonly message: string;
}

/** What statuses of containers are made of. */
export interface StatusesInput {
  readonly pod: Pod;
  readonly state: PodState;
  /** The runtime's name, before ids: `containerd`. */
  readonly runtimeName: string;
  /** By name of a container: what became of its last start. */
  readonly faults: ReadonlyMap<string, StartFault>;
  readonly probes: (id: string) => ProbeState;
  /** All containers begin anew. */
  readonly restarting: boolean;
  /** Whether mounts of this pod can be read-only all the way down. */
  readonly recursiveReadOnly: boolean;
  readonly gate: Gate;
}

/** Which of the three lists. */
export type ListKind = "init" | "regular" | "ephemeral";

const UNKNOWN = "ContainerStatusUnknown";
/** Of a container that is gone, and nobody saw how. */
const LOST_CODE = 137;
const LOST = "The container could not be located when the pod was terminated";
const REMOVED = "The container is removed because RestartAllContainers in place";

/** Statuses of one list: of init containers in the spec's order, of others by name. */
export function containerStatuses(
  input: StatusesInput,
  kind: ListKind,
  containers: readonly AnyContainer[],
  before: readonly ContainerStatus[],
): ContainerStatus[] {
  const out = containers.map((container) => {
    const old = before.find((s) => s.name === container.name);
    const status = settled(input, container, old);
    return probed(input, kind, container, waiting(input, kind, container, status));
  });
  return kind === "init" ? out : out.sort((a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

/** What a container that ended without anybody seeing how is said to have come to. */
export function lostState(): ContainerState {
  return { terminated: { exitCode: LOST_CODE, reason: UNKNOWN, message: LOST } };
}

/** By the newest two tries, or, without any, by what was known before. */
function settled(input: StatusesInput, container: AnyContainer, old: ContainerStatus | undefined): ContainerStatus {
  const [newest, previous] = input.state.tries.filter((t) => t.name === container.name);
  if (!newest) return untried(input, container, old);
  const status = converted(input, container, newest, old);
  return previous ? { ...status, lastState: converted(input, container, previous, old).state! } : status;
}

function untried(input: StatusesInput, container: AnyContainer, old: ContainerStatus | undefined): ContainerStatus {
  const reason = input.pod.spec?.initContainers?.length ? "PodInitializing" : "ContainerCreating";
  const fresh: ContainerStatus = {
    name: container.name,
    state: { waiting: { reason } },
    lastState: old?.lastState ?? {},
    ready: false,
    restartCount: old?.restartCount ?? 0,
    image: container.image ?? "",
    imageID: "",
    ...mountStatuses(input, container),
  };
  if (!old) return fresh;
  if (input.restarting && !old.state?.waiting) {
    return {
      ...fresh,
      state: { waiting: { reason: RESTARTING_ALL, message: REMOVED } },
      lastState: { terminated: { exitCode: LOST_CODE, reason: RESTARTING_ALL, message: REMOVED } },
      restartCount: old.restartCount + 1,
    };
  }
  if (old.state?.terminated) return old;
  if (!old.state?.running || old.lastState?.terminated) return fresh;
  // It did run: a pod must not look as if it never had.
  return {
    ...fresh,
    lastState: {
      terminated: {
        exitCode: LOST_CODE,
        reason: UNKNOWN,
        message: "The container could not be located when the pod was deleted.  The container used to be Running",
      },
    },
    restartCount: fresh.restartCount + (input.pod.metadata?.deletionTimestamp ? 0 : 1),
  };
}

function converted(
  input: StatusesInput,
  container: AnyContainer,
  at: ContainerTry,
  old: ContainerStatus | undefined,
): ContainerStatus {
  const containerID = `${input.runtimeName}://${at.id}`;
  const lost = at.state === "UNKNOWN" && old?.state?.running !== undefined;
  const ended = old?.state?.terminated;
  // Where tries are taken away (`RestartAllContainers`), what was said of them goes on to be said.
  const last = ended && old.containerID !== containerID ? ended : old?.lastState?.terminated;
  const { linux } = at.user ?? {};
  const stopSignal = input.gate("ContainerStopSignals") ? at.stopSignal : undefined;
  return {
    name: container.name,
    state: lost
      ? {
        terminated: { exitCode: LOST_CODE, reason: input.restarting ? RESTARTING_ALL : UNKNOWN, message: LOST },
      }
      : stateOf(at, containerID),
    lastState: last ? { terminated: last } : {},
    ready: false,
    restartCount: lost
      ? old.restartCount + 1
      : at.state === "RUNNING" && ended && old.restartCount >= at.restartCount
      ? old.restartCount + 1
      : Math.max(at.restartCount, old?.restartCount ?? 0),
    image: at.image,
    imageID: at.imageRef,
    containerID,
    ...(Object.keys(container.resources?.requests ?? {}).length > 0
      ? { allocatedResources: container.resources!.requests! }
      : {}),
    resources: (at.state === "RUNNING" ? at.resources : undefined) ?? container.resources ?? {},
    ...withImages(old?.volumeMounts ? { volumeMounts: old.volumeMounts } : mountStatuses(input, container), input, at),
    ...(linux
      ? {
        user: {
          linux: { uid: linux.uid, gid: linux.gid, supplementalGroups: [...linux.supplementalGroups] },
        },
      }
      : {}),
    ...(stopSignal ? { stopSignal } : {}),
  };
}

const timeOf = (ns: bigint) => nowTime(Number(ns / 1_000_000n));

function stateOf(at: ContainerTry, containerID: string): ContainerState {
  if (at.state === "RUNNING") return { running: { startedAt: timeOf(at.startedAt) } };
  if (at.state !== "EXITED") return { waiting: {} };
  return {
    terminated: {
      exitCode: at.exitCode,
      ...(at.reason ? { reason: at.reason } : {}),
      ...(at.message ? { message: at.message } : {}),
      startedAt: timeOf(at.startedAt),
      finishedAt: timeOf(at.finishedAt),
      containerID,
    },
  };
}

interface MountStatuses {
  readonly volumeMounts?: VolumeMountStatus[];
}

/** With the images that are mounted. */
function withImages(told: MountStatuses, { gate }: StatusesInput, { images }: ContainerTry): MountStatuses {
  if (!told.volumeMounts || !images || !gate("ImageVolumeWithDigest")) return told;
  return {
    volumeMounts: told.volumeMounts.map((mount) => {
      const imageRef = images.get(resolve("/", mount.mountPath));
      return imageRef ? { ...mount, volumeStatus: { image: { imageRef } } } : mount;
    }),
  };
}

function mountStatuses(input: StatusesInput, container: AnyContainer): MountStatuses {
  if (!container.volumeMounts?.length) return {};
  return {
    volumeMounts: container.volumeMounts.map((mount) => ({
      name: mount.name,
      mountPath: mount.mountPath,
      ...(mount.readOnly
        ? {
          readOnly: true,
          recursiveReadOnly: wantsRecursive(mount.recursiveReadOnly) && input.recursiveReadOnly
            ? "Enabled"
            : "Disabled",
        }
        : {}),
    })),
  };
}

const wantsRecursive = (mode: string | undefined) => mode !== undefined && mode !== "Disabled";

/** A container that could not be started waits, and says why. */
function waiting(
  input: StatusesInput,
  kind: ListKind,
  container: AnyContainer,
  status: ContainerStatus,
): ContainerStatus {
  const { pod, state } = input;
  const last = newestOf(state, container.name);
  if (kind === "init") {
    if (last?.state === "EXITED" && last.exitCode === 0) return status;
    if (!last && !isSidecar(container) && status.state?.waiting && anyRegularMade(pod, state)) {
      const message =
        "Unable to get init container status from container runtime and pod has been initialized, treat it as exited normally";
      return { ...status, state: { terminated: { exitCode: 0, reason: "Completed", message } } };
    }
  }
  const fault = input.faults.get(container.name);
  if (!fault || !startsAgain(pod, container, state)) return status;
  const { reason, message } = fault;
  return {
    ...status,
    state: { waiting: { reason, ...(message ? { message } : {}) } },
    ...(status.state?.terminated ? { lastState: { terminated: status.state.terminated } } : {}),
  };
}

/** What its probes say. */
function probed(
  input: StatusesInput,
  kind: ListKind,
  container: AnyContainer,
  status: ContainerStatus,
): ContainerStatus {
  if (kind === "ephemeral") return status;
  const running = status.state?.running !== undefined;
  const probe = running ? input.probes(status.containerID!.slice(input.runtimeName.length + 3)) : undefined;
  const started = probe?.started ?? false;
  const ready = kind === "init" && !isSidecar(container)
    ? status.state?.terminated?.exitCode === 0
    : started && probe!.ready;
  return { ...status, started, ready };
}
