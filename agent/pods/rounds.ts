/** What is done with a pod in each of its stages, in one round. */
import { mkdir } from "node:fs/promises";
import type { Pod } from "../../schema/api/core_v1.ts";
import { nowTime } from "../../schema/values/time.ts";
import { fileReason } from "../files.ts";
import { qosOf } from "../resources/qos.ts";
import { faultText } from "../runtime/fault_text.ts";
import { type MountedVolume, NotMounted, PodRefused, type Refusal } from "../types.ts";
import { act } from "./act.ts";
import { decide } from "./decide.ts";
import { findHandler } from "./handler.ts";
import type { PodHost } from "./host.ts";
import { killPod } from "./kill.ts";
import type { PodMemory } from "./memory.ts";
import { describe, podDirectory } from "./names.ts";
import type { Resizer } from "./resizer.ts";
import { isTerminal, observed } from "./spec.ts";
import { isRunning } from "./state.ts";
import { removePod } from "./take_away.ts";
import { Teller } from "./teller.ts";
import { Watcher } from "./watcher.ts";

/** Where a pod is: it runs, its containers are ended, what it had is given back, it is done with. */
export type Stage = "syncing" | "terminating" | "terminated" | "finished";

/** What a round came to: another stage, or a time (ms) after which there is more to do; neither: nothing but news or the time. */
export interface Outcome {
  readonly stage?: Stage;
  readonly pause?: number;
}

/** After a fault, ms. */
export const RETRY = 10_000;
/** After volumes could not be made: at first, doubled each time, and at most, ms. */
const MOUNT_RETRY = { first: 500, longest: 122_000 } as const;
/** While pods can have no network, ms. */
const NETWORK_RETRY = 1_000;

/** A round that failed, and is done again after a pause of its own, ms. */
export class RoundFault extends Error {
  override readonly name = "RoundFault";

  constructor(cause: Error, readonly pause: number) {
    super(cause.message, { cause });
  }
}

/** One pod's. Each round may throw; it is then done again. */
export class Rounds {
  readonly teller: Teller;
  readonly #watcher: Watcher;
  /** It is known what the node has given the pod, or cannot be known now. */
  readonly counted = Promise.withResolvers<void>();
  #isGivenBack = false;
  #mountPause: number = MOUNT_RETRY.first;

  constructor(
    readonly host: PodHost,
    readonly memory: PodMemory,
    readonly resizer: Resizer,
    readonly refusal: Refusal | undefined,
  ) {
    this.teller = new Teller(host, memory, resizer);
    this.#watcher = new Watcher(host, memory);
  }

  /** The pod should run. */
  async syncing(signal: AbortSignal): Promise<Outcome> {
    const { memory, host, resizer } = this;
    const { parts } = host;
    // First, as nothing else may come about: what is over is not waited for again.
    this.#checkDeadline();
    const state = await this.#watcher.see();
    await findHandler(parts, memory);
    const pod = memory.pod = resizer.allot(memory.wanted, state);
    this.counted.resolve();
    const status = this.teller.tellNow();
    if (isTerminal(status.phase)) return { stage: "terminating" };
    const lack = pod.spec?.hostNetwork ? undefined : parts.networkFault?.();
    if (lack !== undefined) {
      parts.events.pod(pod, "Warning", "NetworkNotReady", `network is not ready: ${lack}`);
      return { pause: NETWORK_RETRY };
    }
    const restartAll = status.conditions!.some((c) => c.type === "AllContainersRestarting" && c.status === "True");
    const decision = decide({ pod, state, probes: (id) => parts.probes.state(id), restartAll });
    const cgroupParent = await resizer.cgroup(memory, decision);
    const volumes = await this.#mount(pod, signal);
    if (volumes instanceof PodRefused) return this.#refuse(volumes);
    signal.throwIfAborted();
    const resized = await resizer.apply(memory, decision);
    const ground = { volumes, cgroupParent, sandboxed: () => this.teller.tellSandbox() };
    const { did, fault, retryAt } = await act(host.starter, memory, decision, ground, signal);
    if (!did && !resized.did) return {};
    resizer.tellDone(pod, await this.#watcher.see());
    if (isTerminal(this.teller.tellNow().phase)) return { stage: "terminating" };
    // What was taken away is made anew at once.
    if (decision.reset.length > 0) return { pause: 0 };
    if (!fault && !resized.failed) return {};
    return { pause: retryAt === undefined ? RETRY : Math.max(retryAt - parts.clock.now(), 0) + 1 };
  }

  /** ms until the pod has been active too long. */
  untilDeadline(): number {
    const { memory, host } = this;
    const seconds = memory.wanted.spec?.activeDeadlineSeconds, { startTime } = memory.status;
    if (memory.fault || seconds === undefined || !startTime) return Infinity;
    return Date.parse(startTime) + Number(seconds) * 1000 - host.parts.clock.now();
  }

  #checkDeadline(): void {
    const { memory, host } = this;
    if (this.untilDeadline() > 0) return;
    const reason = "DeadlineExceeded", message = "Pod was active on the node longer than the specified deadline";
    memory.fault = { reason, message };
    host.parts.events.pod(memory.wanted, "Normal", reason, message);
  }

  /** @throws RoundFault, Error: not now */
  async #mount(pod: Pod, signal: AbortSignal): Promise<ReadonlyMap<string, MountedVolume> | PodRefused> {
    const { memory, host: { parts, options } } = this;
    const directory = podDirectory(options.rootDir, memory.ref.uid);
    await mkdir(directory, { recursive: true, mode: 0o750 }).catch((fault) => {
      const why = `error making pod data directories: mkdir ${directory}: ${fileReason(fault)}`;
      parts.events.pod(pod, "Warning", "FailedToMakePodDataDirectories", why);
      throw fault;
    });
    try {
      const mounted = await parts.volumes.mount(pod, signal);
      this.#mountPause = MOUNT_RETRY.first;
      return mounted;
    } catch (fault) {
      // What runs already goes on.
      if (fault instanceof PodRefused && !isRunning(memory.state)) return fault;
      if (signal.aborted) throw fault;
      const { messages, isFound } = fault instanceof NotMounted
        ? fault
        : { messages: [(fault as Error).message], isFound: false };
      for (const message of messages) parts.events.pod(pod, "Warning", "FailedMount", message);
      if (!isFound) throw fault;
      const pause = this.#mountPause;
      this.#mountPause = Math.min(pause * 2, MOUNT_RETRY.longest);
      throw new RoundFault(fault as Error, pause);
    }
  }

  /** Its containers are to end. */
  async terminating(signal: AbortSignal): Promise<Outcome> {
    const { memory, host } = this;
    const { parts } = host;
    if (this.refusal) return this.#refuse(this.refusal);
    memory.pod = this.resizer.withAllotted(memory.wanted);
    const before = await this.#watcher.see();
    // Nothing more becomes known: those that come do not wait for its end.
    this.counted.resolve();
    // As another start of the agent finds it: all that there was to say is said.
    if (!isRunning(before) && isTerminal(memory.wanted.status?.phase)) return { stage: "terminated" };
    // What failed is not probed while it ends.
    if (isTerminal(this.teller.tellEnding().phase)) this.#watcher.end();
    try {
      await killPod(parts, memory, memory.grace, signal);
    } catch (fault) {
      if (!signal.aborted) {
        const message = `error killing pod: ${faultText(fault)}`;
        parts.events.pod(memory.wanted, "Warning", "FailedKillPod", message);
      }
      throw fault;
    }
    const after = await this.#watcher.see();
    const left = after.tries.filter((t) => t.state === "RUNNING").map((t) => t.name);
    if (left.length > 0) throw new Error(`containers run although they were ended: ${left.join(", ")}`);
    // Before the status tells that what it claims is free.
    await parts.claims.unprepare(memory.ref.uid);
    this.#watcher.end();
    this.teller.tellLast();
    return { stage: "terminated" };
  }

  /** The node does not take it. */
  #refuse({ reason, message }: Refusal): Outcome {
    const { memory, host } = this;
    host.parts.events.pod(memory.wanted, "Warning", reason, message);
    this.teller.tell({
      ...observed(memory.wanted),
      phase: "Failed",
      reason,
      message: `Pod was rejected: ${message}`,
      startTime: nowTime(host.parts.clock.now()),
      qosClass: qosOf(memory.wanted, host.parts.gate),
    }, true);
    return { stage: "terminated" };
  }

  /** Nothing of it runs: what it had is given back, and once it is deleted nothing is left. */
  async terminated(): Promise<Outcome> {
    const { memory, host } = this;
    const { parts, options } = host;
    if (!this.#isGivenBack) {
      await parts.volumes.unmount(memory.ref);
      await parts.resources.release(memory.ref);
      await parts.users.release(memory.ref.uid);
      this.#isGivenBack = true;
    }
    if (!memory.removed && !memory.wanted.metadata?.deletionTimestamp) return {};
    // What stays of it is swept once nobody has it any more.
    await removePod(parts.runtime, options, memory.ref).catch((fault) =>
      parts.log("warn", `of pod ${describe(memory.ref)} something is not taken away`, fault)
    );
    if (!memory.removed) parts.status.ended(memory.wanted);
    return { stage: "finished" };
  }
}
