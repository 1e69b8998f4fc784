/** Leads one pod from its first container to its last word: one round after the other, never two at a time. */
import { mkdir } from "node:fs/promises";
import type { Pod, PodCondition, PodStatus } from "../../schema/api/core_v1.ts";
import { nowTime } from "../../schema/values/time.ts";
import type { PodRef, Refusal } from "../types.ts";
import { act } from "./act.ts";
import { decide } from "./decide.ts";
import { killPod } from "./kill.ts";
import { PodMemory } from "./memory.ts";
import { describe, podDirectory, refOf } from "./names.ts";
import type { PodOptions, PodParts } from "./parts.ts";
import { readPod } from "./read.ts";
import { Resizer } from "./resizer.ts";
import { containerNamed, isTerminal } from "./spec.ts";
import type { Starter } from "./start.ts";
import { isRunning, type PodState } from "./state.ts";
import { finalStatus, type PodFault, qosOf, statusOf } from "./status.ts";
import { unbindSubPaths } from "./subpath.ts";
import { removePod } from "./take_away.ts";
import { targetOf } from "./target.ts";
import { isInterrupted, type Turns } from "./within.ts";

/** After a fault, ms. */
const RETRY = 10_000;
/** While pods can have no network, ms. */
const NETWORK_RETRY = 1_000;
/** No pause is just as long as another, by this share. */
const SPREAD = 0.5;

/** What a worker needs of the one that has all of them. */
export interface WorkerHost {
  readonly parts: PodParts;
  readonly options: PodOptions;
  readonly starter: Starter;
  readonly reads: Turns;
  /** Before ids of containers: `containerd`. */
  readonly runtimeName: () => string;
  /** Whether a pod of this name that was there before it is gone. */
  readonly mayBegin: (worker: PodWorker) => boolean;
  /** Other pods that run or will. */
  readonly others: (uid: string) => readonly Pod[];
}

/** Where a pod is: it runs, its containers are ended, what it had is given back, it is done with. */
export type Stage = "syncing" | "terminating" | "terminated" | "finished";

/** A round's outcome: ms until the next one; undefined: as soon as something happens. */
type Pause = number | undefined;

/** See the top of the file. */
export class PodWorker {
  readonly ref: PodRef;
  readonly memory: PodMemory;
  readonly #resizer: Resizer;
  #stage: Stage = "syncing";
  /** As it was delivered last. */
  #wanted: Pod;
  /** No source has it any more. */
  #removed = false;
  #begun = false;
  #stopped = false;
  #fault: PodFault | undefined;
  /** s; the least that was asked for. */
  #grace: number | undefined;
  #wake = new AbortController();
  #interrupt = new AbortController();
  readonly #ended = Promise.withResolvers<void>();

  constructor(readonly host: WorkerHost, pod: Pod, readonly refusal?: Refusal) {
    this.ref = refOf(pod);
    this.memory = new PodMemory(pod);
    this.#wanted = pod;
    this.#resizer = new Resizer(host.parts, this.ref, () => host.others(this.ref.uid));
    this.#look(pod);
  }

  get stage(): Stage {
    return this.#stage;
  }

  get removed(): boolean {
    return this.#removed;
  }

  /** The pod as delivered, with the agent's own status. */
  get pod(): Pod {
    return { ...this.#wanted, status: this.memory.status };
  }

  /** Whether it takes of the node's resources. */
  get isActive(): boolean {
    return !this.refusal && (this.#stage === "syncing" || this.#stage === "terminating");
  }

  /** The pod as a source delivers it now. */
  update(pod: Pod): void {
    const before = this.#wanted;
    if (before === pod || this.#removed) return;
    this.#wanted = pod;
    if (this.#look(pod) || meaning(before) !== meaning(pod)) this.poke();
  }

  /** No source has it any more: it is ended. */
  remove(): void {
    if (this.#removed) return;
    this.#removed = true;
    this.#terminate(Number(this.#wanted.spec?.terminationGracePeriodSeconds ?? 1));
    this.poke();
  }

  /** Fails the pod; fulfilled when nothing of it runs. @param grace s; undefined: its own */
  evict(fault: PodFault, grace?: number): Promise<void> {
    this.#fault ??= fault;
    this.#terminate(grace ?? Number(this.#wanted.spec?.terminationGracePeriodSeconds ?? 1));
    this.poke();
    return this.#ended.promise;
  }

  /** Something happened: the next round begins at once. */
  poke(): void {
    this.#wake.abort();
  }

  /** Ends {@linkcode run}; the pod is left as it is. */
  stop(): void {
    this.#stopped = true;
    this.#interrupt.abort();
    this.poke();
  }

  /** Until the pod is done with, or {@linkcode stop}. Never throws. */
  async run(): Promise<void> {
    const { clock, log } = this.host.parts;
    while (!this.#stopped && this.#stage !== "finished") {
      this.#wake = new AbortController();
      if (!this.#begun && !this.host.mayBegin(this)) {
        await clock.wait(RETRY, this.#wake.signal);
        continue;
      }
      this.#begun = true;
      this.#interrupt = new AbortController();
      let pause: Pause;
      try {
        pause = await ROUNDS[this.#stage].call(this, this.#interrupt.signal);
      } catch (fault) {
        const interrupted = isInterrupted(fault);
        if (!interrupted) log("error", `pod ${describe(this.ref)}`, fault);
        pause = interrupted ? 0 : RETRY;
      }
      if (pause !== 0) await clock.wait(this.#spread(pause), this.#wake.signal);
    }
    this.#ended.resolve();
  }

  /** Whether a pod's own state means that it goes now. */
  #look(pod: Pod): boolean {
    const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata ?? {};
    if (deletionTimestamp) return this.#terminate(deletionGracePeriodSeconds ?? 1);
    if (isTerminal(pod.status?.phase) || this.refusal) return this.#terminate(undefined);
    return false;
  }

  /** Whether that is news: it was not to go yet, or not so soon. */
  #terminate(grace: number | undefined): boolean {
    const sooner = grace !== undefined && (this.#grace === undefined || grace < this.#grace);
    if (sooner) this.#grace = Math.max(grace, 1);
    if (this.#stage === "syncing") this.#stage = "terminating";
    else if (!sooner || this.#stage !== "terminating") return false;
    this.#interrupt.abort();
    return true;
  }

  #spread(pause: Pause): number {
    const { options, parts } = this.host;
    const ms = pause ?? options.syncFrequency * (1 + SPREAD * parts.random());
    return Math.max(0, Math.min(ms, this.#untilDeadline()));
  }

  /** ms until the pod has been active too long. */
  #untilDeadline(): number {
    const seconds = this.#wanted.spec?.activeDeadlineSeconds, start = this.memory.status.startTime;
    if (this.#stage !== "syncing" || seconds === undefined || !start) return Infinity;
    return Date.parse(start) + Number(seconds) * 1000 - this.host.parts.clock.now();
  }

  async #read(): Promise<PodState> {
    const { parts, reads } = this.host;
    try {
      const state = this.memory.see(await reads.take(() => readPod(parts.runtime, this.ref.uid)));
      this.#watch(state);
      return state;
    } catch (fault) {
      const message = `error determining status: ${(fault as Error).message}`;
      parts.events.pod(this.#wanted, "Warning", "FailedSync", message);
      throw fault;
    }
  }

  /** Probes what runs, and nothing else. */
  #watch(state: PodState): void {
    const { probes, hostIPs } = this.host.parts;
    const { memory } = this;
    const running = new Set<string>();
    for (const { id, name, state: runs, startedAt } of state.tries) {
      const container = runs === "RUNNING" ? containerNamed(memory.pod, name) : undefined;
      if (!container) continue;
      running.add(id);
      memory.probed.add(id);
      probes.watch(targetOf(memory, container, id, hostIPs()), Number(startedAt / 1_000_000n));
    }
    for (const id of memory.probed) {
      if (running.has(id)) continue;
      memory.probed.delete(id);
      probes.forget(id);
    }
  }

  #statusNow(ended: boolean): PodStatus {
    const { memory, host } = this;
    const { parts, options } = host;
    return statusOf({
      pod: { ...memory.pod, status: this.#wanted.status ?? {} },
      state: memory.state,
      old: memory.status,
      runtimeName: host.runtimeName(),
      faults: memory.faults,
      probes: (id) => parts.probes.state(id),
      recursiveReadOnly: options.recursiveReadOnly ?? false,
      isStatic: parts.isStatic(memory.pod),
      ended,
      ...(this.#fault ? { fault: this.#fault } : {}),
      more: this.#resizer.conditions(memory),
      hostIPs: parts.hostIPs(),
      now: parts.clock.now(),
    });
  }

  /** Tells a status. A last phase is told when nothing runs any more, and not before. */
  #tell(status: PodStatus, ended: boolean): void {
    const { memory, host } = this;
    const before = memory.status;
    memory.status = status;
    if (this.#removed) return;
    const api = this.#wanted.status?.phase;
    const early = !ended && isTerminal(status.phase) && !isTerminal(api);
    const { phase: _, reason: __, message: ___, ...rest } = status;
    const shown = isTerminal(before.phase) ? api : before.phase;
    host.parts.status.set(this.#wanted, early ? { ...rest, phase: shown ?? "Pending" } : status);
  }

  /** The pod should run. */
  async syncing(signal: AbortSignal): Promise<Pause> {
    const { memory, host } = this;
    const { parts } = host;
    const state = await this.#read();
    this.#checkDeadline();
    memory.pod = this.#resizer.allot(this.#wanted, state);
    const status = this.#statusNow(false);
    this.#tell(status, false);
    if (isTerminal(status.phase)) {
      this.#terminate(undefined);
      return 0;
    }
    const { pod } = memory;
    const lack = pod.spec?.hostNetwork ? undefined : parts.networkFault?.();
    if (lack !== undefined) {
      parts.events.pod(pod, "Warning", "NetworkNotReady", `network is not ready: ${lack}`);
      return NETWORK_RETRY;
    }
    const restartAll = status.conditions!.some((c) => c.type === "AllContainersRestarting" && c.status === "True");
    const decision = decide({ pod, state, probes: (id) => parts.probes.state(id), restartAll });
    const cgroupParent = await this.#resizer.cgroup(pod, decision, (why) => this.#tellGroup(why));
    const volumes = await this.#mount(pod);
    signal.throwIfAborted();
    const resized = await this.#resizer.apply(memory, decision);
    const { did, fault, retryAt } = await act(host.starter, memory, decision, { volumes, cgroupParent }, signal);
    if (!did && !resized) return fault ? RETRY : undefined;
    await this.#read();
    this.#tell(this.#statusNow(false), false);
    if (!fault) return undefined;
    return retryAt === undefined ? RETRY : Math.max(retryAt - parts.clock.now(), 0) + 1;
  }

  #tellGroup(why: string): void {
    const message = `unable to ensure pod container exists: ${why}`;
    this.host.parts.events.pod(this.#wanted, "Warning", "FailedCreatePodContainer", message);
  }

  #checkDeadline(): void {
    if (this.#fault || this.#untilDeadline() > 0) return;
    const reason = "DeadlineExceeded", message = "Pod was active on the node longer than the specified deadline";
    this.#fault = { reason, message };
    this.host.parts.events.pod(this.#wanted, "Normal", reason, message);
  }

  async #mount(pod: Pod) {
    const { parts, options } = this.host;
    await mkdir(podDirectory(options.rootDir, this.ref.uid), { recursive: true, mode: 0o750 });
    try {
      return await parts.volumes.mount(pod);
    } catch (fault) {
      parts.events.pod(pod, "Warning", "FailedMount", (fault as Error).message);
      throw fault;
    }
  }

  /** Its containers are to end. */
  async terminating(signal: AbortSignal): Promise<Pause> {
    const { parts } = this.host;
    if (this.refusal) return this.#refuse(this.refusal);
    this.memory.pod = this.#wanted;
    const before = await this.#read();
    if (!isRunning(before) && isTerminal(this.#wanted.status?.phase)) return this.#toStage("terminated");
    this.#tell(this.#statusNow(false), false);
    try {
      await killPod(parts, this.memory, this.#grace, signal);
    } catch (fault) {
      if (!isInterrupted(fault)) {
        parts.events.pod(this.#wanted, "Warning", "FailedKillPod", `error killing pod: ${(fault as Error).message}`);
      }
      throw fault;
    }
    const after = await this.#read();
    const left = after.tries.filter((t) => t.state === "RUNNING").map((t) => t.name);
    if (left.length > 0) throw new Error(`containers run although they were ended: ${left.join(", ")}`);
    parts.probes.forgetPod(this.ref.uid);
    this.#tell(finalStatus(this.#wanted, this.#statusNow(true), parts.isStatic(this.#wanted)), true);
    return this.#toStage("terminated");
  }

  /** The node does not take it. */
  #refuse({ reason, message }: Refusal): Pause {
    this.host.parts.events.pod(this.#wanted, "Warning", reason, message);
    this.#tell({
      phase: "Failed",
      reason,
      message: `Pod was rejected: ${message}`,
      startTime: nowTime(this.host.parts.clock.now()),
      qosClass: qosOf(this.#wanted),
    }, true);
    return this.#toStage("terminated");
  }

  #toStage(stage: Stage): 0 {
    this.#stage = stage;
    return 0;
  }

  /** Nothing of it runs: what it had is given back, and once it is deleted nothing is left. */
  async terminated(): Promise<Pause> {
    const { parts, options } = this.host;
    await unbindSubPaths(podDirectory(options.rootDir, this.ref.uid));
    await parts.volumes.unmount(this.ref);
    await parts.resources.release(this.ref);
    this.#ended.resolve();
    if (!this.#removed && !this.#wanted.metadata?.deletionTimestamp) return undefined;
    await removePod(parts.runtime, options, this.ref);
    if (!this.#removed) parts.status.ended(this.#wanted);
    return this.#toStage("finished");
  }
}

const ROUNDS: Readonly<Record<Stage, (this: PodWorker, signal: AbortSignal) => Promise<Pause>>> = {
  syncing(signal) {
    return this.syncing(signal);
  },
  terminating(signal) {
    return this.terminating(signal);
  },
  terminated() {
    return this.terminated();
  },
  finished: () => Promise.resolve(undefined),
};

/** What of a delivered pod is worth a round: not the agent's own words that came back. */
function meaning({ metadata = {}, spec, status }: Pod): string {
  const { labels, annotations, deletionTimestamp, deletionGracePeriodSeconds, generation } = metadata;
  const told = (status?.conditions ?? []).map(({ type, status }: PodCondition) => [type, status]);
  return JSON.stringify([labels, annotations, deletionTimestamp, deletionGracePeriodSeconds, generation, spec, told]);
}
