/** All pods of this node: those that the sources want are led each by a worker of its own, others are ended. */
import { Registry } from "prom-client";
import type { Pod, PodCondition } from "../../schema/api/core_v1.ts";
import { NO_TRACES } from "../tracing/traces.ts";
import type { PodView, Refusal } from "../types.ts";
import { BackOff, pausesOf } from "./back_off.ts";
import { PodMetrics, type Tally } from "./metrics.ts";
import { describe, ownerOf, refOf } from "./names.ts";
import type { PodOptions, PodParts } from "./parts.ts";
import { type Holder, takenFrom } from "./room.ts";
import { isTerminal } from "./spec.ts";
import { Starter } from "./start.ts";
import type { PodFault } from "./status.ts";
import { endOrphan, type Listed, sweepHost, sweepListed } from "./sweep.ts";
import { PodWorker } from "./worker.ts";
import type { PodHost } from "./host.ts";
import { Turns } from "./within.ts";

/** How often the runtime is looked at, ms. */
const RELIST = 1_000;
/** How long it may not answer until that is a fault, ms. */
const RELIST_LIMIT = 180_000;
/** How often what is left of pods on the host is looked for, ms. */
const SWEEP = 60_000;
/** The same after one that was not all. */
const SWEEP_AGAIN = 10_000;
/** How many pods are read at a time. */
const READS = 8;

/** See the top of the file. */
export class PodManager implements PodView {
  readonly #host: PodHost;
  readonly #backOff: BackOff;
  readonly #metrics: PodMetrics;
  readonly #workers = new Map<string, PodWorker>();
  readonly #runs = new Set<Promise<void>>();
  /** Uids of pods without a source that are being ended. */
  readonly #orphans = new Set<string>();
  /** Uids of pods that the node is being asked to take, one after the other. */
  readonly #coming = new Set<string>();
  #turn: Promise<void> = Promise.resolve();
  /** The one that is being taken, if any: what it asks for is not there for others. */
  #taken: readonly Holder[] = [];
  /** What pods from before the agent's start have been given is known. */
  #counted: Promise<unknown> = Promise.resolve();
  #wanted: ReadonlyMap<string, Pod> = new Map();
  /** By uid: what the runtime had of a pod when it was last looked at. */
  #seen: ReadonlyMap<string, string> | undefined;
  #seenAt: number | undefined;
  #sweeping = false;
  #sweepingHost = false;
  /** Something changed since the last sweep began. */
  #unswept = false;
  #sweptAt = -Infinity;
  #runtimeName = "containerd";
  #isOver = false;
  /** The runtime could not be looked at the last time. */
  #isBlind = false;

  constructor(readonly parts: PodParts, readonly options: PodOptions) {
    this.#backOff = new BackOff(pausesOf(parts.gate, options.maxContainerRestartPeriod));
    const registry = parts.metrics ?? new Registry(), now = () => parts.clock.now();
    const metrics = this.#metrics = new PodMetrics(registry, now, () => this.#tally());
    this.#host = {
      parts,
      options,
      starter: new Starter(parts, options, this.#backOff, metrics),
      metrics,
      reads: new Turns(READS),
      runtimeName: () => this.#runtimeName,
      room: (uid) => ({
        taken: (claim) => takenFrom([...this.#holders(), ...this.#taken], uid, claim, parts.admit, parts.gate),
        changed: () => this.#wakeWaiting(),
      }),
    };
  }

  /** The whole set of pods that the sources have, without mirrors. */
  set(pods: readonly Pod[]): void {
    this.#wanted = new Map(pods.map((pod) => [refOf(pod).uid, pod]));
    this.#metrics.startTimes.seen(pods);
    this.#lead();
  }

  /** Leads pods until the signal ends; they run on after that. Never throws. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.parts;
    while (!signal.aborted) {
      try {
        if (this.#seenAt === undefined) this.#runtimeName = (await this.parts.runtime.version()).runtimeName;
        await this.#relist(signal);
        this.#isBlind = false;
      } catch (fault) {
        if (!signal.aborted && !this.#isBlind) log("error", "pods of the runtime cannot be listed", fault);
        this.#isBlind = true;
      }
      await clock.wait(RELIST, signal);
    }
    this.#isOver = true;
    for (const worker of this.#workers.values()) worker.stop();
    await Promise.all(this.#runs);
  }

  pods(): readonly Pod[] {
    return [...this.#wanted.values()].map((pod) => this.#workers.get(refOf(pod).uid)?.pod ?? pod);
  }

  /** Those of the sources that the node has taken and that are not over, with the cpu and memory that it has given them. */
  allotted(): readonly Pod[] {
    return this.#holders().map((h) => h.allotted);
  }

  /** Those that may have something running, or will. */
  active(): readonly Pod[] {
    return [...this.#unled(), ...this.#active().map((w) => w.pod)];
  }

  allocated(): readonly Pod[] {
    return [...this.#unled(), ...this.allotted()];
  }

  find(namespace: string, name: string, uid?: string): Pod | undefined {
    return this.pods().find((pod) => {
      const ref = refOf(pod);
      return ref.namespace === namespace && ref.name === name && (uid === undefined || ref.uid === uid);
    });
  }

  /** Whether anything of a pod of that name may run, though no source has it any more. */
  runs(namespace: string, name: string): boolean {
    return this.active().some((pod) => {
      const ref = refOf(pod);
      return ref.namespace === namespace && ref.name === name;
    });
  }

  /** What probes say of a pod changed: it is looked at now. */
  changed(uid: string): void {
    this.#workers.get(uid)?.probesChanged();
  }

  /**
   * Fails a pod for want of something on the node; fulfilled when it has ended and given back what it had, at once for an unknown one.
   * @param grace s; undefined: its own @param conditions such as `DisruptionTarget`
   */
  async evict(
    uid: string,
    reason: string,
    message: string,
    grace?: number,
    conditions?: readonly PodCondition[],
  ): Promise<void> {
    const fault: PodFault = { reason, message, ...(conditions ? { conditions } : {}) };
    await this.#workers.get(uid)?.evict(fault, grace);
  }

  /** Takes away what ended pods have left in the runtime, and what is kept of others beyond the limits. @throws RuntimeError */
  async removeEnded(): Promise<void> {
    const { runtime } = this.parts;
    const listed = { containers: await runtime.listContainers(), sandboxes: await runtime.listPodSandboxes() };
    // Those that nobody leads yet go on by what they have left.
    const active = new Set(this.active().map((pod) => refOf(pod).uid));
    const isGone = (uid: string) => this.parts.sourcesReady() && !active.has(uid) && !this.#orphans.has(uid);
    await sweepListed(this.parts, this.options, listed, isGone, new AbortController().signal);
  }

  /** Why pods are not well looked after; undefined: they are. */
  fault(): string | undefined {
    if (this.#seenAt === undefined) return "pods of the runtime were never listed";
    const ms = this.parts.clock.ticks() - this.#seenAt;
    return ms > RELIST_LIMIT ? `pods of the runtime were last listed ${Math.round(ms / 1000)} s ago` : undefined;
  }

  #unled(): Pod[] {
    return [...this.#wanted].filter(([uid]) => !this.#workers.has(uid)).map(([, pod]) => pod);
  }

  #active(): PodWorker[] {
    return [...this.#workers.values()].filter((w) => w.isActive);
  }

  /** Pods that nobody has any more hold nothing, though they may not have ended yet: a scheduler has given it away. */
  #holders(): Holder[] {
    return this.#active().filter((w) => !w.isRemoved)
      .map(({ ref: { uid }, allotted, claim }) => ({ uid, allotted, claim }));
  }

  #tally(): Tally {
    const { isStatic } = this.parts;
    const led = [...this.#workers.values()].map((worker) => ({
      stage: worker.stage,
      isStatic: isStatic(worker.pod),
      isRemoved: worker.isRemoved,
      isActive: worker.isActive,
      isRefused: worker.refusal !== undefined,
    }));
    return { wanted: [...this.#wanted.values()], led, orphans: this.#orphans.size, isStatic };
  }

  /** Workers are there in the order in which their pods came. */
  #mayBegin(worker: PodWorker): boolean {
    const { namespace, name } = worker.ref;
    const first = [...this.#workers.values()].find(({ ref, stage }) =>
      ref.namespace === namespace && ref.name === name && stage !== "finished"
    );
    return first === worker;
  }

  /** Workers for pods that are new, news for the others, and the end for those that no source has. */
  #lead(): void {
    // Before that nobody knows which ones run already.
    if (!this.#seen || this.#isOver) return;
    if (this.parts.sourcesReady()) {
      for (const [uid, worker] of this.#workers) {
        if (this.#wanted.has(uid)) continue;
        if (worker.stage === "finished") this.#workers.delete(uid);
        else if (!worker.isRemoved) {
          this.#tell("is wanted no more", worker.pod);
          worker.remove();
          this.#wakeWaiting();
        }
      }
    }
    const fresh: Pod[] = [];
    for (const [uid, pod] of this.#wanted) {
      const worker = this.#workers.get(uid);
      if (worker) worker.update(pod);
      else if (!this.#orphans.has(uid) && !this.#coming.has(uid)) fresh.push(pod);
    }
    const runs = (pod: Pod) => this.#seen!.has(refOf(pod).uid);
    const age = (pod: Pod) => Date.parse(pod.metadata?.creationTimestamp ?? "") || 0;
    fresh.sort((a, b) => Number(runs(b)) - Number(runs(a)) || age(a) - age(b));
    for (const pod of fresh) {
      const judged = !runs(pod) && !pod.metadata?.deletionTimestamp && !isTerminal(pod.status?.phase);
      if (judged) this.#judge(refOf(pod).uid);
      else this.#counted = Promise.all([this.#counted, this.#begin(pod, undefined).counted]);
    }
  }

  /** A pod that comes waits for those before it: what they take is not there for it. */
  #judge(uid: string): void {
    this.#coming.add(uid);
    this.#turn = this.#turn.then(async () => {
      await this.#counted;
      const pod = this.#wanted.get(uid), stays = pod && !pod.metadata?.deletionTimestamp && !this.#isOver;
      if (stays) this.#taken = [{ uid, allotted: pod, claim: undefined }];
      const refusal = stays ? await this.parts.take(pod, this.allotted()) : undefined;
      if (refusal) this.#metrics.rejected(refusal.reason);
      this.#coming.delete(uid);
      const now = this.#wanted.get(uid);
      if (now && !this.#isOver) this.#begin(now, refusal);
      this.#taken = [];
      if (refusal || !now) this.#wakeWaiting();
    });
    this.#track(this.#turn);
  }

  #begin(pod: Pod, refusal: Refusal | undefined): PodWorker {
    const { uid } = refOf(pod);
    const worker = new PodWorker(this.#host, pod, refusal, (w) => this.#mayBegin(w));
    this.#workers.set(uid, worker);
    this.#tell(refusal ? "is refused" : "is begun", pod, refusal);
    worker.ended.then(() => this.#wakeWaiting());
    this.#track(
      worker.run().then(() => {
        if (worker.stage !== "finished") return;
        this.#tell("has ended", pod);
        // One that is gone from the sources is gone; one that is deleted stays done with until it is.
        if (worker.isRemoved) this.#workers.delete(uid);
        this.#wakeWaiting();
        this.#lead();
      }),
    );
    return worker;
  }

  #tell(what: string, pod: Pod, facts?: object): void {
    this.parts.verbose?.("pods", 2)?.(`${describe(refOf(pod))} ${what}`, facts);
  }

  /** A pod is over: what it had is there for others. */
  #wakeWaiting(): void {
    for (const worker of this.#workers.values()) if (worker.waits) worker.poke();
  }

  #track(run: Promise<void>): void {
    this.#runs.add(run);
    run.finally(() => this.#runs.delete(run));
  }

  async #relist(signal: AbortSignal): Promise<void> {
    const { runtime, clock } = this.parts, { relistDuration, relistInterval, lastRelist } = this.#metrics;
    const began = clock.ticks();
    if (this.#seenAt !== undefined) relistInterval.observe((began - this.#seenAt) / 1000);
    const over = relistDuration.startTimer();
    const containers = await runtime.listContainers();
    const sandboxes = await runtime.listPodSandboxes();
    over();
    if (signal.aborted) return;
    lastRelist.set(Math.trunc(clock.now() / 1000));
    const listed = { containers, sandboxes };
    const now = statesOf(listed), before = this.#seen;
    this.#seen = now;
    this.#seenAt = clock.ticks();
    this.#lead();
    for (const uid of new Set([...now.keys(), ...before?.keys() ?? []])) {
      if (now.get(uid) === before?.get(uid)) continue;
      this.#unswept = true;
      this.#workers.get(uid)?.poke();
    }
    this.#endOrphans(listed, signal);
    const due = this.#seenAt - this.#sweptAt >= SWEEP;
    if ((this.#unswept || due) && !this.#sweeping) this.#track(this.#sweep(listed, signal));
    if (due && !this.#sweepingHost && this.parts.sourcesReady()) this.#track(this.#sweepHost());
  }

  #endOrphans(listed: Listed, signal: AbortSignal): void {
    if (!this.parts.sourcesReady()) return;
    for (const { labels, state } of [...listed.sandboxes, ...listed.containers]) {
      const ref = ownerOf(labels);
      if (!ref || !RUNS.has(state) || !this.#isUnknown(ref.uid)) continue;
      this.#orphans.add(ref.uid);
      this.#metrics.orphaned.inc();
      this.#track(endOrphan(this.parts, this.options, ref, signal).finally(() => this.#orphans.delete(ref.uid)));
    }
  }

  /** Neither wanted nor being ended. */
  #isUnknown(uid: string): boolean {
    return !this.#workers.has(uid) && !this.#wanted.has(uid) && !this.#orphans.has(uid);
  }

  /** No source has it any more, and it is not being ended. */
  #isGone = (uid: string): boolean => this.parts.sourcesReady() && this.#isUnknown(uid);

  async #sweep(listed: Listed, signal: AbortSignal): Promise<void> {
    const { parts, options } = this;
    this.#sweeping = true;
    this.#unswept = false;
    const { traces = NO_TRACES } = parts;
    const sweep = () => sweepListed(parts, options, listed, this.#isGone, signal);
    await traces.work("Containers/GarbageCollect", () => ({}), sweep);
    this.#sweeping = false;
  }

  /** By itself: drivers of volumes, which are asked in it, may take long. */
  async #sweepHost(): Promise<void> {
    const { parts, options } = this;
    this.#sweepingHost = true;
    this.#sweptAt = parts.clock.ticks();
    this.#backOff.sweep(parts.clock.now());
    if (!await sweepHost(parts, options, this.#isGone)) this.#sweptAt -= SWEEP - SWEEP_AGAIN;
    this.#sweepingHost = false;
  }
}

const RUNS: ReadonlySet<string> = new Set(["READY", "RUNNING"]);

/** By uid, in one text: all that the runtime has of a pod, and how it is. */
function statesOf({ sandboxes, containers }: Listed): Map<string, string> {
  const parts = new Map<string, string[]>();
  for (const { id, state, labels } of [...sandboxes, ...containers]) {
    const ref = ownerOf(labels);
    if (!ref) continue;
    const list = parts.get(ref.uid);
    if (list) list.push(`${id} ${state}`);
    else parts.set(ref.uid, [`${id} ${state}`]);
  }
  return new Map([...parts].map(([uid, list]) => [uid, list.sort().join()]));
}
