/** What the rooms of the agent say to each other. */
import type {
  Container,
  EphemeralContainer,
  ImageVolumeSource,
  LifecycleHandler,
  Pod,
  PodStatus,
  Probe,
  ResourceStatus,
} from "../schema/api/core_v1.ts";
import type { ContainerConfig, LinuxContainerResources, Mount, PodSandboxConfig, Strings } from "./runtime/types.ts";

/** Time, so that tests can tell it, in milliseconds. */
export interface Clock {
  /** Since 1970, by the host's clock, which may be set: what is told, and what is compared with what others tell. */
  now(): number;
  /** Since whenever, and never back: how long something took or holds. */
  ticks(): number;
  /** Waits; the signal ends it early. Never rejects. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

/** What names a pod in logs, events, paths and the runtime's labels. */
export interface PodRef {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** A container of any of a pod's three lists. */
export type AnyContainer = Container | EphemeralContainer;

/** Where pods come from. */
export type SourceName = "api" | "file" | "http";

/** One source of pods: it delivers its whole set at its start and whenever that changed, until the signal ends it. */
export interface Source {
  readonly name: SourceName;
  run(deliver: (pods: readonly Pod[]) => void, signal: AbortSignal): Promise<void>;
}

/** An answer of the API server that is no success. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  /** @param code HTTP status; @param reason that of the `Status`, `NotFound` */
  constructor(readonly code: number, readonly reason: string, message: string, readonly retryAfter?: number) {
    super(message);
  }
}

/** Whether the API server answered with one of these statuses. */
export const hasCode = (e: unknown, ...codes: readonly number[]): e is ApiError =>
  e instanceof ApiError && codes.includes(e.code);

/** Whether it said that there is no such object. */
export const isNotFound = (e: unknown): e is ApiError => hasCode(e, 404);

/** What was asked for; undefined where it said so. @throws what asking throws otherwise */
export async function unlessNotFound<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (e) {
    if (isNotFound(e)) return undefined;
    throw e;
  }
}

/** What a request says besides verb and path. */
export interface ApiRequest {
  readonly query?: Readonly<Record<string, string>>;
  /** An object, sent in the client's media type; with a patch as its JSON. */
  readonly body?: unknown;
  /** Of a patch: `application/merge-patch+json` and so on. */
  readonly patch?: string;
  readonly signal?: AbortSignal;
}

/** What one that follows a collection is told. Objects come whole, with `apiVersion` and `kind`. */
export interface Follower<T> {
  /** All there is: at the start, and again whenever the thread was lost. */
  replace(items: readonly T[]): void;
  changed(type: "ADDED" | "MODIFIED" | "DELETED", object: T): void;
}

/** The API server as the agent sees it. Paths are of the dialect that the server speaks. */
export interface Api {
  /** @throws ApiError, and an Error when no answer came */
  request<T>(verb: "GET" | "POST" | "PUT" | "PATCH" | "DELETE", path: string, request?: ApiRequest): Promise<T>;
  /** Lists and watches, again and again, until the signal ends it; faults are waited out with growing pauses. */
  follow<T>(path: string, query: Readonly<Record<string, string>>, to: Follower<T>, signal: AbortSignal): Promise<void>;
}

/** Tells of something that happened to a pod or to the node (an Event). Never throws, never waits. */
export interface Events {
  pod(pod: Pod, type: "Normal" | "Warning", reason: string, message: string, fieldPath?: string): void;
  node(type: "Normal" | "Warning", reason: string, message: string): void;
}

/** Takes a pod's status to the API server. */
export interface StatusSink {
  /** The newest status of a pod: what was given before and is not yet sent is dropped. */
  set(pod: Pod, status: PodStatus): void;
  /** All containers of a pod that is being deleted have ended and all it had is given back: the object may go. */
  ended(pod: Pod): void;
}

/** A volume as containers see it. */
export interface MountedVolume {
  /** On the host; empty for an image, which the runtime mounts. */
  readonly path: string;
  /** The source itself asks for it, as projected content does. */
  readonly readOnly: boolean;
}

/** Volumes of pods on this host. */
export interface Volumes {
  /**
   * Makes all volumes of a pod, or brings those that follow the API up to date. By volume name. Those that others attach to the node
   * are waited for until the signal ends. @throws NotMounted, PodRefused
   */
  mount(pod: Pod, signal: AbortSignal): Promise<ReadonlyMap<string, MountedVolume>>;
  /**
   * A part of a volume that `mount` made, as a place of its own, so that a container cannot lead its mount elsewhere.
   * @param index of the mount in the container's list @throws Error: it is not there, or the path leads out of the volume
   */
  subPath(pod: PodRef, volume: string, container: string, index: number, path: string): Promise<string>;
  /** Groups that volumes which `mount` made ask a pod's processes to be in. */
  groups(uid: string): readonly number[];
  /** Gives back all that a pod had, its directory too. Done twice it does nothing. */
  unmount(pod: PodRef): Promise<void>;
}

/** A variable of a container's environment. */
export interface EnvVariable {
  readonly key: string;
  readonly value: string;
}

/** What of the pod is known only on the node. */
export interface NodeFacts {
  readonly hostIPs: readonly string[];
  readonly podIPs: readonly string[];
}

/** Environments of containers. */
export interface Environments {
  /** In the order in which they are set, references expanded. @throws Error: a reference that must be there leads nowhere */
  of(pod: Pod, container: AnyContainer, facts: NodeFacts): Promise<readonly EnvVariable[]>;
}

/** Why an image is not there: the reason of a waiting container. */
export type ImageFaultReason =
  | "ErrImagePull"
  | "ImagePullBackOff"
  | "ErrImageNeverPull"
  | "InvalidImageName"
  | "ImageInspectError"
  | "RegistryUnavailable"
  | "SignatureValidationFailed";

/** See {@linkcode Images}. */
export class ImageFault extends Error {
  override readonly name = "ImageFault";

  constructor(readonly reason: ImageFaultReason, message: string) {
    super(message);
  }
}

/** Images of containers. */
export interface Images {
  /** The runtime's reference of the container's image, which is pulled if need be. @throws ImageFault */
  ensure(pod: Pod, container: AnyContainer, sandbox: PodSandboxConfig): Promise<string>;
  /** The same for an image that is a volume. */
  ensureVolume(pod: Pod, source: ImageVolumeSource, sandbox: PodSandboxConfig): Promise<string>;
}

/** What the runtime's sandbox is told. */
export interface SandboxLimits {
  readonly resources: LinuxContainerResources;
  readonly overhead: LinuxContainerResources;
}

/** Memory of a control group, bytes. */
export interface GroupMemory {
  /** What it should be limited to; undefined: it should not. */
  readonly wanted: number | undefined;
  /** What it is limited to; Infinity: it is not. */
  readonly limit: number;
  readonly used: number;
}

/** Control groups and limits. */
export interface Resources {
  /** Makes a pod's control group. Returns its name for the runtime (`cgroup_parent`), empty for none. */
  pod(pod: Pod): Promise<string>;
  /** Takes it away, with what is left in it. */
  release(pod: PodRef): Promise<void>;
  /** Memory of a pod's group; undefined: the group is not the agent's. @throws Error when it cannot be read */
  memory(pod: Pod): Promise<GroupMemory | undefined>;
  /** Limits of one container. */
  container(pod: Pod, container: AnyContainer): LinuxContainerResources;
  /** What the pod as a whole may have, without its overhead, and that overhead. */
  sandbox(pod: Pod): SandboxLimits;
  /** Takes away groups of pods that are gone; asked of each as it is found. Never throws. */
  removeOrphans(isGone: (uid: string) => boolean): Promise<void>;
}

/** What a container is made with to have its devices. */
export interface ContainerDevices {
  readonly envs: readonly EnvVariable[];
  readonly mounts: readonly Mount[];
  readonly devices: NonNullable<ContainerConfig["devices"]>;
  readonly annotations: Strings;
  readonly cdiDevices: NonNullable<ContainerConfig["cdiDevices"]>;
}

/** Devices of containers. */
export interface Devices {
  /** What a container is made with; its devices are prepared for the start. @throws Error */
  of(pod: Pod, container: AnyContainer): Promise<ContainerDevices>;
  /** How those of a container are, by resource, in order. */
  health(uid: string, container: string): readonly ResourceStatus[];
}

/** Devices that pods claim by objects of the API. */
export interface Claims {
  /** Makes all that a pod claims ready. @throws Error */
  prepare(pod: Pod): Promise<void>;
  /** Takes back what no other pod claims; of a pod that claims nothing it does nothing. @throws Error */
  unprepare(uid: string): Promise<void>;
  /** What a container gets of what is ready. @throws Error */
  cdiDevices(pod: Pod, container: AnyContainer): ContainerDevices["cdiDevices"];
  /** How devices of a container are, by claim. */
  health(pod: Pod, container: string): readonly ResourceStatus[];
}

/** Why the node takes no more: a pod's final phase `Failed` with this reason. */
export interface Refusal {
  readonly reason: string;
  readonly message: string;
}

/** Volumes of a pod that are not ready. */
export class NotMounted extends Error {
  override readonly name = "NotMounted";

  /** @param messages one for each of them @param isFound all are known, making them failed: worth another try soon */
  constructor(readonly messages: readonly string[], readonly isFound: boolean) {
    super(messages.join("; "));
  }
}

/** Why a pod that was taken cannot have what it asks for on this node, now or later. */
export class PodRefused extends Error {
  override readonly name = "PodRefused";

  constructor(readonly reason: string, message: string) {
    super(message);
  }
}

/** Says of a pod whether the node takes it beside those that it has. */
export type Admit = (pod: Pod, others: readonly Pod[]) => Refusal | undefined;
/** The same of one that is new, which is given what is its own. Never throws. */
export type Take = (pod: Pod, others: readonly Pod[]) => Promise<Refusal | undefined>;

/** Where a running container can be asked. */
export interface ContainerTarget {
  readonly pod: Pod;
  readonly container: AnyContainer;
  /** The runtime's name of it. */
  readonly id: string;
  /** The first address of the pod, the host's for a pod in the host's network; empty while there is none. */
  readonly podIP: string;
  /** The pod ends. */
  readonly ends: boolean;
}

/** What a handler of a probe or a hook came to. */
export interface HandlerResult {
  readonly ok: boolean;
  /** Why not, or what was said, at most 10 KiB. */
  readonly output: string;
}

/** What a handler asks for: one of these, as in probes and lifecycle hooks. */
export type Handler = Pick<Probe & LifecycleHandler, "exec" | "httpGet" | "tcpSocket" | "grpc" | "sleep">;

/** Runs handlers of hooks once. Never throws: a handler that cannot be run failed. */
export interface Handlers {
  /** Its time is the signal's. */
  run(target: ContainerTarget, handler: Handler, signal: AbortSignal): Promise<HandlerResult>;
}

/** What the probes of a running container say. Without a probe of a kind: started, ready, alive. */
export interface ProbeState {
  readonly started: boolean;
  readonly ready: boolean;
  /** The container is to be killed: this probe failed often enough, and says so. */
  readonly failed?: { readonly probe: "liveness" | "startup"; readonly message: string };
}

/** Probes of containers that run. */
export interface Probes {
  /**
   * Begins to probe a container; done again for the same id it only tells what is known now: of a pod that ends readiness
   * alone is probed on.
   */
  watch(target: ContainerTarget, startedAt: number): void;
  /** Of a container that is watched; of another one: not started, not ready. */
  state(id: string): ProbeState;
  /** Ends what probes a container, or all of a pod. */
  forget(id: string): void;
  forgetPod(uid: string): void;
}

/** The pods of this node as they are, for those who ask. */
export interface PodView {
  /** With the agent's own view in `status`. */
  pods(): readonly Pod[];
  /** Those that may have something running, or will, with the cpu and memory that the node has given them. */
  allocated(): readonly Pod[];
  find(namespace: string, name: string, uid?: string): Pod | undefined;
}
