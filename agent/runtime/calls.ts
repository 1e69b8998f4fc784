/** Calls of CRI v1 that {@linkcode Runtime} makes. */
import { type Call, callOf } from "../../schema/grpc/call.ts";
import type { Table } from "../../schema/grpc/wire.ts";
import {
  AUTH,
  CONDITION,
  CONTAINER,
  CONTAINER_CONFIG,
  CONTAINER_STATUS,
  FEATURES,
  FILESYSTEM,
  HANDLER,
  IMAGE,
  IMAGE_SPEC,
  RESOURCES,
  SANDBOX,
  SANDBOX_CONFIG,
  SANDBOX_STATUS,
  STATS,
} from "./tables.ts";
import type {
  AuthConfig,
  ContainerConfig,
  ContainerStats,
  ExecRequest,
  FilesystemUsage,
  ImageSpec,
  LinuxContainerResources,
  PodSandbox,
  PodSandboxConfig,
  PodSandboxStatus,
  RuntimeCondition,
  RuntimeContainer,
  RuntimeContainerStatus,
  RuntimeFeatures,
  RuntimeHandler,
  RuntimeImage,
  RuntimeVersion,
  Strings,
} from "./types.ts";

const call = <Q extends object, R>(service: string, name: string, request: Table, response: Table): Call<Q, R> =>
  callOf(`/runtime.v1.${service}/${name}`, request, response, "zero");
const runtime = <Q extends object, R = void>(name: string, request: Table, response: Table = []): Call<Q, R> =>
  call("RuntimeService", name, request, response);
const images = <Q extends object, R = void>(name: string, request: Table, response: Table = []): Call<Q, R> =>
  call("ImageService", name, request, response);

interface OfSandbox {
  readonly podSandboxId: string;
}
interface OfContainer {
  readonly containerId: string;
}
interface Url {
  readonly url: string;
}
interface StatusAnswer {
  readonly status?: { readonly conditions: readonly RuntimeCondition[] };
  readonly handlers: readonly (Pick<RuntimeHandler, "name"> & Partial<RuntimeHandler>)[];
  readonly features?: RuntimeFeatures;
}
/** Those with all these labels; without: all. */
interface Selected {
  readonly filter?: { readonly labelSelector: Strings };
}

const OF_SANDBOX: Table = [[1, "podSandboxId", "string"]];
const OF_CONTAINER: Table = [[1, "containerId", "string"]];
const OF_IMAGE: Table = [[1, "image", IMAGE_SPEC]];
const URL: Table = [[1, "url", "string"]];
/** A filter whose labels have that number. */
const selected = (no: number): Table => [[1, "filter", [[no, "labelSelector", "strings"]]]];

/** By name, in camel case. */
export const CALLS = {
  version: runtime<{ version: string }, RuntimeVersion>("Version", [[1, "version", "string"]], [
    [1, "version", "string"],
    [2, "runtimeName", "string"],
    [3, "runtimeVersion", "string"],
    [4, "runtimeApiVersion", "string"],
  ]),
  status: runtime<Record<string, never>, StatusAnswer>("Status", [], [
    [1, "status", [[1, "conditions", CONDITION, "repeated"]]],
    [3, "handlers", HANDLER, "repeated"],
    [4, "features", FEATURES],
  ]),
  runPodSandbox: runtime<{ config: PodSandboxConfig; runtimeHandler: string }, OfSandbox>(
    "RunPodSandbox",
    [[1, "config", SANDBOX_CONFIG], [2, "runtimeHandler", "string"]],
    OF_SANDBOX,
  ),
  stopPodSandbox: runtime<OfSandbox>("StopPodSandbox", OF_SANDBOX),
  removePodSandbox: runtime<OfSandbox>("RemovePodSandbox", OF_SANDBOX),
  podSandboxStatus: runtime<OfSandbox, { status?: PodSandboxStatus }>("PodSandboxStatus", OF_SANDBOX, [
    [1, "status", SANDBOX_STATUS],
  ]),
  podSandboxInfo: runtime<OfSandbox & { verbose: true }, { info?: Strings }>(
    "PodSandboxStatus",
    [...OF_SANDBOX, [2, "verbose", "bool"]],
    [[2, "info", "strings"]],
  ),
  listPodSandbox: runtime<Selected, { items: readonly PodSandbox[] }>("ListPodSandbox", selected(3), [
    [1, "items", SANDBOX, "repeated"],
  ]),
  createContainer: runtime<
    { podSandboxId: string; config: ContainerConfig; sandboxConfig: PodSandboxConfig },
    OfContainer
  >(
    "CreateContainer",
    [[1, "podSandboxId", "string"], [2, "config", CONTAINER_CONFIG], [3, "sandboxConfig", SANDBOX_CONFIG]],
    OF_CONTAINER,
  ),
  startContainer: runtime<OfContainer>("StartContainer", OF_CONTAINER),
  stopContainer: runtime<{ containerId: string; timeout: number }>("StopContainer", [
    [1, "containerId", "string"],
    [2, "timeout", "int"],
  ]),
  removeContainer: runtime<OfContainer>("RemoveContainer", OF_CONTAINER),
  listContainers: runtime<Selected, { containers: readonly RuntimeContainer[] }>("ListContainers", selected(4), [
    [1, "containers", CONTAINER, "repeated"],
  ]),
  containerStatus: runtime<OfContainer, { status?: RuntimeContainerStatus }>("ContainerStatus", OF_CONTAINER, [
    [1, "status", CONTAINER_STATUS],
  ]),
  checkpointContainer: runtime<{ containerId: string; location: string; timeout: number }>("CheckpointContainer", [
    [1, "containerId", "string"],
    [2, "location", "string"],
    [3, "timeout", "int"],
  ]),
  updateContainerResources: runtime<{ containerId: string; linux: LinuxContainerResources }>(
    "UpdateContainerResources",
    [[1, "containerId", "string"], [2, "linux", RESOURCES]],
  ),
  reopenContainerLog: runtime<OfContainer>("ReopenContainerLog", OF_CONTAINER),
  execSync: runtime<
    { containerId: string; cmd: readonly string[]; timeout: number },
    { stdout: Uint8Array; stderr: Uint8Array; exitCode: number }
  >(
    "ExecSync",
    [[1, "containerId", "string"], [2, "cmd", "string", "repeated"], [3, "timeout", "int"]],
    [[1, "stdout", "bytes"], [2, "stderr", "bytes"], [3, "exitCode", "int"]],
  ),
  exec: runtime<ExecRequest, Url>("Exec", [
    [1, "containerId", "string"],
    [2, "cmd", "string", "repeated"],
    [3, "tty", "bool"],
    [4, "stdin", "bool"],
    [5, "stdout", "bool"],
    [6, "stderr", "bool"],
  ], URL),
  attach: runtime<Omit<ExecRequest, "cmd">, Url>("Attach", [
    [1, "containerId", "string"],
    [2, "stdin", "bool"],
    [3, "tty", "bool"],
    [4, "stdout", "bool"],
    [5, "stderr", "bool"],
  ], URL),
  portForward: runtime<{ podSandboxId: string; port: readonly number[] }, Url>("PortForward", [
    [1, "podSandboxId", "string"],
    [2, "port", "int", "repeated"],
  ], URL),
  listContainerStats: runtime<Selected, { stats: readonly ContainerStats[] }>("ListContainerStats", selected(3), [
    [1, "stats", STATS, "repeated"],
  ]),
  updateRuntimeConfig: runtime<{ runtimeConfig: { networkConfig: { podCidr: string } } }>("UpdateRuntimeConfig", [
    [1, "runtimeConfig", [[1, "networkConfig", [[1, "podCidr", "string"]]]]],
  ]),
  listImages: images<Record<string, never>, { images: readonly RuntimeImage[] }>("ListImages", [], [
    [1, "images", IMAGE, "repeated"],
  ]),
  imageStatus: images<{ image: ImageSpec }, { image?: RuntimeImage }>("ImageStatus", OF_IMAGE, [[1, "image", IMAGE]]),
  pullImage: images<
    { image: ImageSpec; auth: AuthConfig | undefined; sandboxConfig: PodSandboxConfig },
    { imageRef: string }
  >(
    "PullImage",
    [[1, "image", IMAGE_SPEC], [2, "auth", AUTH], [3, "sandboxConfig", SANDBOX_CONFIG]],
    [[1, "imageRef", "string"]],
  ),
  removeImage: images<{ image: ImageSpec }>("RemoveImage", OF_IMAGE),
  imageFsInfo: images<Record<string, never>, { imageFilesystems: readonly FilesystemUsage[] }>("ImageFsInfo", [], [
    [1, "imageFilesystems", FILESYSTEM, "repeated"],
  ]),
} as const;
