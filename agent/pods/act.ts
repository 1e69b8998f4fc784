/** Does what was decided for a pod that should run. */
import { mkdir } from "node:fs/promises";
import { faultText } from "../runtime/fault_text.ts";
import type { PodSandboxConfig } from "../runtime/types.ts";
import type { AnyContainer, MountedVolume } from "../types.ts";
import type { Decision } from "./decision.ts";
import { killContainer, killPod } from "./kill.ts";
import { type ImageVolumes, pullVolumes } from "./image_volumes.ts";
import type { PodMemory } from "./memory.ts";
import { ipsOf } from "./read.ts";
import { sandboxConfig } from "./sandbox_config.ts";
import { isSidecar } from "./spec.ts";
import { NotStarted, type Starter, type StartPlace } from "./start.ts";
import { removeContainer } from "./take_away.ts";
import { userNamespace } from "./user_namespace.ts";

/** What of the pod is ready on the host. */
export interface Ground {
  readonly volumes: ReadonlyMap<string, MountedVolume>;
  /** See `SandboxInput`. */
  readonly cgroupParent: string;
  /** Called when its sandbox is made. */
  readonly sandboxed: () => void;
}

/** What came of it. */
export interface Acted {
  /** Something was done, whether it succeeded or not. */
  readonly did: boolean;
  /** The first one. */
  readonly fault?: Error;
  /** When a fault's cause is over, ms. */
  readonly retryAt?: number;
}

/** Ends, makes and starts. @throws RuntimeError and others where nothing more can be done in this round, AbortError */
export async function act(
  starter: Starter,
  memory: PodMemory,
  decision: Decision,
  ground: Ground,
  signal: AbortSignal,
): Promise<Acted> {
  const { parts } = starter;
  const { pod } = memory;
  if (decision.createSandbox && decision.sandbox) {
    parts.events.pod(pod, "Normal", "SandboxChanged", "Pod sandbox changed, it will be killed and re-created.");
  }
  if (decision.killPod) await killPod(parts, memory, undefined, signal);
  else await endSome(starter, memory, decision, signal);
  const begins = [decision.startEphemeral, decision.startInit, decision.start].some((list) => list.length > 0);
  const ended = decision.killPod || decision.kill.length > 0 || decision.reset.length > 0;
  if (!decision.createSandbox && !begins) return { did: ended };
  const { id: sandbox, config } = decision.createSandbox
    ? await makeSandbox(starter, memory, decision.attempt, ground)
    : { id: decision.sandbox, config: await makeConfig(starter, memory, decision.attempt, ground) };
  let images: Promise<ImageVolumes> | undefined;
  const place: StartPlace = {
    memory,
    sandbox,
    sandboxConfig: config,
    volumes: ground.volumes,
    images: () => images ??= pullVolumes(parts.images, pod, config),
  };
  const faults = await startAll(starter, place, decision, signal);
  const [fault] = faults;
  if (!fault) return { did: true };
  const times = faults.flatMap(({ retryAt }) => retryAt === undefined ? [] : [retryAt]);
  return { did: true, fault, ...(times.length > 0 ? { retryAt: Math.min(...times) } : {}) };
}

async function endSome(starter: Starter, memory: PodMemory, decision: Decision, signal: AbortSignal): Promise<void> {
  const { parts, options } = starter;
  for (const { id, container, message, reason } of decision.kill) {
    await killContainer(parts, memory, id, container, { reason, message }, signal);
  }
  for (const { id, container, running } of decision.reset) {
    if (running) {
      const how = { reason: "RestartAllContainers", message: "killing", grace: 0 } as const;
      await killContainer(parts, memory, id, container, how, signal);
    }
    await removeContainer(parts.runtime, options, id, { keepLog: true });
  }
}

async function makeConfig(
  starter: Starter,
  memory: PodMemory,
  attempt: number,
  ground: Ground,
): Promise<PodSandboxConfig> {
  const { parts, options } = starter;
  const { pod } = memory;
  const users = await userNamespace(parts, memory);
  return sandboxConfig({
    pod,
    attempt,
    cgroupParent: ground.cgroupParent,
    limits: parts.resources.sandbox(pod),
    users,
    dns: await parts.dns(pod),
    clusterDomain: options.clusterDomain,
    podLogsDir: options.podLogsDir,
    groups: parts.volumes.groups(memory.ref.uid),
    defaultPodSysctls: options.defaultPodSysctls,
  });
}

/** Its addresses are kept in mind. */
async function makeSandbox(starter: Starter, memory: PodMemory, attempt: number, ground: Ground) {
  const { parts: { runtime, events, runtimeHandler, claims }, metrics } = starter;
  const { pod } = memory;
  metrics.starting(pod);
  try {
    await claims.prepare(pod);
  } catch (fault) {
    const why = (fault as Error).message;
    const message = `Failed to prepare dynamic resources: ${why}`;
    events.pod(pod, "Warning", "FailedPrepareDynamicResources", message);
    throw new Error(`what it claims is not ready: ${why}`, { cause: fault });
  }
  try {
    memory.handler = await runtimeHandler(pod.spec?.runtimeClassName);
    const config = await makeConfig(starter, memory, attempt, ground);
    await mkdir(config.logDirectory!, { recursive: true, mode: 0o755 });
    const { handler } = memory;
    const id = await metrics.sandbox(handler, () => runtime.runPodSandbox(config, handler));
    memory.state = { ...memory.state, ips: ipsOf(await runtime.podSandboxStatus(id)) };
    ground.sandboxed();
    return { id, config };
  } catch (fault) {
    const why = faultText(fault);
    // A pod that goes needs no sandbox.
    if (!memory.wanted.metadata?.deletionTimestamp) {
      metrics.failed(pod);
      events.pod(pod, "Warning", "FailedCreatePodSandBox", `Failed to create pod sandbox: ${why}`);
    }
    throw new Error(`its sandbox cannot be made: ${why}`, { cause: fault });
  }
}

/** All that can be started; an init container that cannot holds back what comes after it. */
async function startAll(
  starter: Starter,
  place: StartPlace,
  decision: Decision,
  signal: AbortSignal,
): Promise<NotStarted[]> {
  const faults: NotStarted[] = [];
  const start = async (container: AnyContainer): Promise<boolean> => {
    signal.throwIfAborted();
    try {
      await starter.start(place, container, signal);
      return true;
    } catch (fault) {
      if (!(fault instanceof NotStarted)) throw fault;
      faults.push(fault);
      return false;
    }
  };
  for (const container of decision.startEphemeral) await start(container);
  for (const container of decision.startInit) {
    if (!await start(container) && !isSidecar(container)) return faults;
  }
  for (const container of decision.start) await start(container);
  return faults;
}
