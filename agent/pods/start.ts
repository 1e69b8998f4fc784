/** Starts containers. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { EphemeralContainer, Pod } from "../../schema/api/core_v1.ts";
import { linkLog, logLink, nextByLogs } from "../logs/places.ts";
import { podName } from "../network/hostname.ts";
import { hasHostsFile } from "../network/hosts_file.ts";
import type { ImageSpec, PodSandboxConfig } from "../runtime/types.ts";
import { type AnyContainer, ImageFault, type MountedVolume } from "../types.ts";
import { type BackOff, backOffKey } from "./back_off.ts";
import { containerConfig } from "./container_config.ts";
import type { StartFault } from "./container_statuses.ts";
import { devicesOf } from "./devices.ts";
import { handlerFeatures } from "./handler.ts";
import { type ImageVolumes, volumesFor } from "./image_volumes.ts";
import { killContainer } from "./kill.ts";
import type { PodMemory } from "./memory.ts";
import { containerType, type PodMetrics } from "./metrics.ts";
import { mountsOf } from "./mounts.ts";
import { containerLog, describe, podDirectory, podLogDirectory, refOf } from "./names.ts";
import type { PodOptions, PodParts } from "./parts.ts";
import { checkNonRoot, type ImageUser } from "./security.ts";
import { fieldPathOf } from "./spec.ts";
import { newestOf } from "./state.ts";
import { podIPs } from "./status.ts";
import { targetOf } from "./target.ts";
import { within } from "./within.ts";
import { nanosToDuration } from "../../schema/values/duration.ts";

/** Where containers of a pod start. */
export interface StartPlace {
  readonly memory: PodMemory;
  readonly sandbox: string;
  readonly sandboxConfig: PodSandboxConfig;
  readonly volumes: ReadonlyMap<string, MountedVolume>;
  /** Images that are volumes; asked for once. */
  readonly images: () => Promise<ImageVolumes>;
}

/** A container that did not start, and when to try again (ms; undefined: after the usual pause). */
export class NotStarted extends Error {
  override readonly name = "NotStarted";

  constructor(readonly fault: StartFault, readonly retryAt?: number) {
    super(`${fault.reason}: ${fault.message}`);
  }
}

/** Starts one container after the other. */
export class Starter {
  constructor(
    readonly parts: PodParts,
    readonly options: PodOptions,
    readonly backOff: BackOff,
    readonly metrics: PodMetrics,
  ) {}

  /** From image to hook; faults are told in events and kept in the pod's memory. @throws NotStarted, AbortError */
  async start(place: StartPlace, container: AnyContainer, signal: AbortSignal): Promise<void> {
    const { faults, pod } = place.memory;
    try {
      this.#waitTurn(place.memory, container);
      const type = containerType(pod, container);
      this.metrics.startingContainer(type);
      await this.#begin(place, container, signal).catch((fault) => {
        if (fault instanceof NotStarted) this.metrics.containerFailed(type, fault.fault.reason);
        throw fault;
      });
    } catch (fault) {
      if (fault instanceof NotStarted) faults.set(container.name, fault.fault);
      throw fault;
    }
  }

  async #begin(place: StartPlace, container: AnyContainer, signal: AbortSignal): Promise<void> {
    const id = await this.#run(place, container, signal);
    place.memory.faults.delete(container.name);
    await this.#postStart(place, container, id, signal);
  }

  /** One that keeps ending waits. */
  #waitTurn({ pod, state }: PodMemory, container: AnyContainer): void {
    const last = state.tries.find((t) => t.name === container.name && t.state === "EXITED");
    if (!last) return;
    const key = backOffKey(pod, container), now = this.parts.clock.now();
    const ended = Number(last.finishedAt / 1_000_000n);
    const pause = this.backOff.pausing(key, ended, now);
    if (pause === undefined) return this.backOff.next(key, ended, now);
    const where = describe(refOf(pod));
    const said = `Back-off restarting failed container ${container.name} in pod ${where}`;
    this.#tell(pod, container, "Warning", "BackOff", said);
    const length = nanosToDuration(pause * 1_000_000);
    const message = `back-off ${length} restarting failed container=${container.name} pod=${where}`;
    throw new NotStarted({ reason: "CrashLoopBackOff", message }, ended + pause);
  }

  async #run(place: StartPlace, container: AnyContainer, signal: AbortSignal): Promise<string> {
    const { pod } = place.memory;
    const { runtime, images } = this.parts, { startTimes } = this.metrics;
    let id = "";
    // The id is told as the name, so that the same fault is the same event.
    const step = async <T>(reason: string, what: () => Promise<T>): Promise<T> => {
      try {
        return await what();
      } catch (fault) {
        if (signal.aborted) throw fault;
        throw this.#notStarted(pod, container, fault as Error, reason, id);
      }
    };
    const sandboxed = place.sandboxConfig;
    const pulled = await step("ErrImagePull", async () => volumesFor(container, await within(place.images(), signal)));
    const image = await step(
      "ErrImagePull",
      () => startTimes.pulling(refOf(pod).uid, () => within(images.ensure(pod, container, sandboxed), signal)),
    );
    const config = await step(
      "CreateContainerConfigError",
      () => within(this.#config(place, container, image, pulled), signal),
    );
    id = await step("CreateContainerError", () => runtime.createContainer(place.sandbox, config, sandboxed));
    this.#tell(pod, container, "Normal", "Created", "Container created");
    await step("RunContainerError", () => runtime.startContainer(id));
    this.#tell(pod, container, "Normal", "Started", "Container started");
    await this.#link(pod, container, id, config.metadata.attempt ?? 0);
    return id;
  }

  #notStarted(pod: Pod, container: AnyContainer, fault: Error, reason: string, id: string): NotStarted {
    const { message } = fault;
    const ofImage = fault instanceof ImageFault;
    const text = ofImage ? fault.reason : id ? message.replaceAll(id, container.name) : message;
    this.#tell(pod, container, "Warning", "Failed", `Error: ${text}`);
    if (!ofImage) this.parts.log("error", `${container.name} of pod ${describe(refOf(pod))} is not started`, message);
    return new NotStarted({ reason: ofImage ? fault.reason : reason, message });
  }

  async #config(
    place: StartPlace,
    container: AnyContainer,
    imageRef: string,
    images: ReadonlyMap<string, ImageSpec>,
  ) {
    const { memory } = place;
    const { pod, state } = memory;
    const { options, parts } = this;
    const ref = refOf(pod), directory = podDirectory(options.rootDir, ref.uid);
    const hostIPs = parts.hostIPs();
    const facts = { hostIPs, podIPs: pod.spec?.hostNetwork ? hostIPs : podIPs(state.ips, hostIPs) };
    const last = newestOf(state, container.name);
    const logs = join(podLogDirectory(options.podLogsDir, ref), container.name);
    const restartCount = last ? last.restartCount + 1 : await nextByLogs(logs);
    const target = targetId(memory, container);
    const given = await parts.devices.of(pod, container);
    const cdiDevices = [...parts.claims.cdiDevices(pod, container), ...given.cdiDevices];
    const environment = [...given.envs, ...await parts.environments.of(pod, container, facts)];
    const names = podName(pod, options.clusterDomain);
    const users = place.sandboxConfig.linux!.securityContext!.namespaceOptions!.usernsOptions!;
    const mounts = await mountsOf({
      users,
      container,
      volumes: place.volumes,
      environment,
      images,
      podDirectory: directory,
      subPath: (volume, index, path) => parts.volumes.subPath(ref, volume, container.name, index, path),
      hostsFile: hasHostsFile(pod, facts.podIPs)
        ? await parts.hosts(pod, { ...names, podIPs: facts.podIPs })
        : undefined,
      recursiveReadOnly: handlerFeatures(parts, memory)?.recursiveReadOnlyMounts ?? false,
      mark: mark(parts.random),
    });
    const imageUser = await this.#imageUser(imageRef);
    checkNonRoot(pod, container, imageUser);
    await mkdir(logs, { recursive: true, mode: 0o755 });
    return containerConfig({
      pod,
      container,
      restartCount,
      imageRef,
      imageUser,
      environment,
      mounts,
      devices: devicesOf(container, place.volumes),
      given: { ...given, cdiDevices },
      resources: parts.resources.container(pod, container),
      security: { ...options, groups: parts.volumes.groups(ref.uid), users },
      stopSignal: parts.gate("ContainerStopSignals") ? container.lifecycle?.stopSignal : undefined,
      target,
    });
  }

  /** Without any in the image it is root. */
  async #imageUser(ref: string): Promise<ImageUser> {
    const found = await this.parts.runtime.imageStatus({ image: ref });
    if (found?.uid) return { uid: found.uid.value };
    return found?.username ? { name: found.username } : { uid: 0 };
  }

  async #link(pod: Pod, container: AnyContainer, id: string, restartCount: number): Promise<void> {
    const { containerLogsDir, podLogsDir } = this.options;
    if (!containerLogsDir) return;
    const ref = refOf(pod);
    const log = join(podLogDirectory(podLogsDir, ref), containerLog(container.name, restartCount));
    try {
      await linkLog(logLink(containerLogsDir, ref, container.name, id), log);
    } catch (fault) {
      this.parts.log("warn", `the log of ${container.name} in ${describe(ref)} has no link`, fault);
    }
  }

  async #postStart(place: StartPlace, container: AnyContainer, id: string, signal: AbortSignal): Promise<void> {
    const hook = container.lifecycle?.postStart;
    if (!hook) return;
    const { memory } = place;
    const target = targetOf(memory, container, id, this.parts.hostIPs());
    const result = await within(this.parts.handlers.run(target, hook, signal), signal);
    if (result.ok) return;
    // What it said may hold secrets.
    this.#tell(memory.pod, container, "Warning", "FailedPostStartHook", "PostStartHook failed");
    const how = { reason: "FailedPostStartHook", message: "FailedPostStartHook" } as const;
    await killContainer(this.parts, memory, id, container, how, signal);
    throw new NotStarted({ reason: "PostStartHookError", message: result.output });
  }

  #tell(pod: Pod, container: AnyContainer, type: "Normal" | "Warning", reason: string, message: string): void {
    this.parts.events.pod(pod, type, reason, message, fieldPathOf(pod, container));
  }
}

/** @throws Error when the container that it looks into was never made */
function targetId({ state }: PodMemory, container: AnyContainer): string | undefined {
  const { targetContainerName: name } = container as EphemeralContainer;
  if (!name) return undefined;
  const found = newestOf(state, name);
  if (!found) throw new Error(`unable to find target container ${name}`);
  return found.id;
}

function mark(random: () => number): string {
  return Math.floor(random() * 2 ** 32).toString(16).padStart(8, "0");
}
