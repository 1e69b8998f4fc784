/** The container runtime behind its socket. */
import type { Call } from "../../schema/grpc/call.ts";
import type { Traces } from "../tracing/traces.ts";
import { CALLS } from "./calls.ts";
import type { CallLimits } from "../../schema/grpc/ending.ts";
import { Channel } from "./channel.ts";
import { NO_FEATURES, type Runtime, RuntimeError, type Strings } from "./types.ts";

/** Options of the runtime. */
export interface RuntimeOptions {
  /** `unix:///path`, a path, or an abstract name after `@`. */
  readonly endpoint: string;
  /** Where images are asked for; empty: there too. */
  readonly imageEndpoint: string;
  /** Of a call, ms. */
  readonly requestTimeout: number;
  /** Absent: nothing is traced. */
  readonly traces?: Traces;
}

/** Opens it. Nothing is asked yet: a runtime that is not there makes calls fail. @throws Error for an endpoint that is none */
export function openRuntime({ endpoint, imageEndpoint, requestTimeout, traces }: RuntimeOptions): Runtime {
  const runtime = new Channel(endpoint, traces);
  const images = imageEndpoint === "" || imageEndpoint === endpoint ? runtime : new Channel(imageEndpoint, traces);
  const limit: CallLimits = { timeout: requestTimeout };
  const ask = <Q, R>(call: Call<Q, R>, request: Q, limits = limit): Promise<R> => runtime.call(call, request, limits);
  const askImages = <Q, R>(call: Call<Q, R>, request: Q, limits = limit): Promise<R> =>
    images.call(call, request, limits);
  /** A command or a stop has its own time besides. */
  const longer = (seconds: number): CallLimits => ({ timeout: requestTimeout + seconds * 1000 });

  return {
    version: () => ask(CALLS.version, { version: "v1" }),
    status: async () => {
      const { status, handlers, ...can } = await ask(CALLS.status, {});
      return {
        conditions: status?.conditions ?? [],
        handlers: handlers.map(({ name, features = NO_FEATURES }) => ({ name, features })),
        ...can,
      };
    },
    // Its images and network may have to be fetched first.
    runPodSandbox: async (config, runtimeHandler) =>
      (await ask(CALLS.runPodSandbox, { config, runtimeHandler }, { timeout: requestTimeout * 2 })).podSandboxId,
    stopPodSandbox: (podSandboxId) => ask(CALLS.stopPodSandbox, { podSandboxId }),
    removePodSandbox: (podSandboxId) => ask(CALLS.removePodSandbox, { podSandboxId }),
    podSandboxStatus: async (podSandboxId) => told((await ask(CALLS.podSandboxStatus, { podSandboxId })).status),
    sandboxPid: async (podSandboxId) => pidOf((await ask(CALLS.podSandboxInfo, { podSandboxId, verbose: true })).info),
    listPodSandboxes: async (labels) => (await ask(CALLS.listPodSandbox, selected(labels))).items,
    createContainer: async (podSandboxId, config, sandboxConfig) =>
      (await ask(CALLS.createContainer, { podSandboxId, config, sandboxConfig })).containerId,
    startContainer: (containerId) => ask(CALLS.startContainer, { containerId }),
    stopContainer: (containerId, seconds) =>
      ask(CALLS.stopContainer, { containerId, timeout: seconds }, longer(seconds)),
    removeContainer: (containerId) => ask(CALLS.removeContainer, { containerId }),
    listContainers: async (labels) => (await ask(CALLS.listContainers, selected(labels))).containers,
    containerStatus: async (containerId) => told((await ask(CALLS.containerStatus, { containerId })).status),
    checkpointContainer: (containerId, location, seconds) =>
      ask(CALLS.checkpointContainer, { containerId, location, timeout: seconds }, {
        ...limit,
        ...(seconds > 0 && longer(seconds)),
      }),
    updateContainerResources: (containerId, linux) => ask(CALLS.updateContainerResources, { containerId, linux }),
    reopenContainerLog: (containerId) => ask(CALLS.reopenContainerLog, { containerId }),
    execSync: (containerId, cmd, seconds, signal) =>
      ask(CALLS.execSync, { containerId, cmd, timeout: seconds }, { ...(seconds > 0 && longer(seconds)), signal }),
    exec: async (request) => (await ask(CALLS.exec, request)).url,
    attach: async (request) => (await ask(CALLS.attach, request)).url,
    portForward: async (podSandboxId, port) => (await ask(CALLS.portForward, { podSandboxId, port })).url,
    listContainerStats: async (labels) => (await ask(CALLS.listContainerStats, selected(labels))).stats,
    updateRuntimeConfig: (podCidr) => ask(CALLS.updateRuntimeConfig, { runtimeConfig: { networkConfig: { podCidr } } }),
    listImages: async () => (await askImages(CALLS.listImages, {})).images,
    imageStatus: async (image) => (await askImages(CALLS.imageStatus, { image })).image,
    pullImage: async (image, auth, sandboxConfig, signal) =>
      (await askImages(CALLS.pullImage, { image, auth, sandboxConfig }, { signal })).imageRef,
    removeImage: (image) => askImages(CALLS.removeImage, { image }),
    imageFilesystems: async () => (await askImages(CALLS.imageFsInfo, {})).imageFilesystems,
    close: () => {
      runtime.close();
      images.close();
    },
  };
}

const selected = (labels: Strings | undefined) => labels ? { filter: { labelSelector: labels } } : {};

/** A message that an answer must have. */
function told<T>(message: T | undefined): T {
  if (message === undefined) throw new RuntimeError("Internal", "the runtime answered without a status");
  return message;
}

/** Among what a runtime tells of itself, as JSON in a member of that name. */
function pidOf(info: Strings | undefined): number | undefined {
  try {
    const { pid } = JSON.parse(info?.["info"] ?? "{}");
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}
