/** Leads one pod from its first container to its last word: one round after the other, never two at a time. */
import type { Pod } from "../../schema/api/core_v1.ts";
import { NO_TRACES } from "../tracing/traces.ts";
import type { PodRef, Refusal } from "../types.ts";
import { isOwnCondition } from "./conditions.ts";
import type { PodHost } from "./host.ts";
import { PodMemory } from "./memory.ts";
import { describe } from "./names.ts";
import { Resizer } from "./resizer.ts";
import type { Claim } from "./room.ts";
import { ROUND_SPAN, roundAttributes, type UpdateType } from "./round_span.ts";
import { type Outcome, RETRY, RoundFault, Rounds, type Stage } from "./rounds.ts";
import { isTerminal } from "./spec.ts";
import { isRunning } from "./state.ts";
import type { PodFault } from "./status.ts";

/** No pause between rounds is just as long as another, by this share. */
const SPREAD = 0.5;

/** See the top of the file. */
export class PodWorker {
  readonly #memory: PodMemory;
  readonly #resizer: Resizer;
  readonly #rounds: Rounds;
  #stage: Stage = "syncing";
  #updateType: UpdateType = "create";
  #isBusy = false;
  #isStopped = false;
  #hasBegun = false;
  #wake = new AbortController();
  #interrupt = new AbortController();
  readonly #ended = Promise.withResolvers<void>();

  /**
   * @param refusal the node does not take the pod
   * @param mayBegin whether a pod of its name that was there before it is gone
   */
  constructor(
    readonly host: PodHost,
    pod: Pod,
    readonly refusal: Refusal | undefined,
    readonly mayBegin: (worker: PodWorker) => boolean,
  ) {
    const memory = this.#memory = new PodMemory(pod);
    const resizer = this.#resizer = new Resizer(host.parts, host.options, host.room(memory.ref.uid));
    this.#rounds = new Rounds(host, memory, resizer, refusal);
    this.#look(pod);
  }

  get ref(): PodRef {
    return this.#memory.ref;
  }

  get stage(): Stage {
    return this.#stage;
  }

  /** Whether no source has the pod any more. */
  get isRemoved(): boolean {
    return this.#memory.removed;
  }

  /** The pod as delivered, with the status that the agent told last. */
  get pod(): Pod {
    return { ...this.#memory.wanted, status: this.#memory.told };
  }

  /** The same with the cpu and memory that the node has given it: what it only asks for is not its own. */
  get allotted(): Pod {
    return this.#resizer.withAllotted(this.pod);
  }

  /** What it has been given is known, or its first round is over. */
  get counted(): Promise<void> {
    return this.#rounds.counted.promise;
  }

  /** Whether it takes of the node's resources. */
  get isActive(): boolean {
    const { wanted, state } = this.#memory;
    // As another start of the agent finds those that it ended or did not take.
    const isOver = isTerminal(wanted.status?.phase) && !isRunning(state);
    return !this.refusal && !isOver && (this.#stage === "syncing" || this.#stage === "terminating");
  }

  /** What it waits for that other pods have. */
  get claim(): Claim | undefined {
    const since = this.#resizer.deferredSince;
    return since === undefined || this.#stage !== "syncing" ? undefined : { pod: this.pod, since };
  }

  /** Whether it waits for other pods: for the end of one of its name, or for what they have. */
  get waits(): boolean {
    return !this.#hasBegun || this.#resizer.deferredSince !== undefined;
  }

  /** Fulfilled when nothing of it runs. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** The pod as a source delivers it now. */
  update(pod: Pod): void {
    const { wanted, removed } = this.#memory;
    if (wanted === pod || removed) return;
    this.#memory.wanted = pod;
    if (this.#updateType === "sync") this.#updateType = "update";
    if (this.#look(pod) || meaning(wanted) !== meaning(pod)) this.poke();
  }

  /** No source has it any more: it is ended. */
  remove(): void {
    if (this.#memory.removed) return;
    this.#memory.removed = true;
    this.#terminate(this.#ownGrace());
    this.poke();
  }

  /** Ends the pod for the node's sake; fulfilled when nothing of it runs. @param grace s; undefined: its own */
  evict(fault: PodFault, grace: number = this.#ownGrace()): Promise<void> {
    this.#memory.eviction ??= fault;
    this.#terminate(grace);
    this.poke();
    return this.ended;
  }

  /** Something happened: the next round begins at once. */
  poke(): void {
    this.#wake.abort();
  }

  /** What probes say changed. That is told even while a round waits for something, such as an image. */
  probesChanged(): void {
    if (this.#isBusy && this.isActive) this.#rounds.teller.tellNow();
    this.poke();
  }

  /** Ends {@linkcode run}; the pod is left as it is. */
  stop(): void {
    this.#isStopped = true;
    this.#interrupt.abort();
    this.poke();
  }

  /** Until the pod is done with, or {@linkcode stop}. Never throws. */
  async run(): Promise<void> {
    const { clock } = this.host.parts;
    while (!this.#isStopped && this.#stage !== "finished") {
      this.#wake = new AbortController();
      if (!this.#hasBegun && (this.#hasBegun = this.mayBegin(this))) this.#begins();
      const pause = this.#hasBegun ? await this.#round() : RETRY;
      this.#rounds.counted.resolve();
      if (pause > 0) await clock.wait(pause, this.#wake.signal);
    }
    this.#rounds.counted.resolve();
    this.#ended.resolve();
  }

  #begins(): void {
    const { metrics } = this.host, { wanted } = this.#memory;
    metrics.startTimes.led(this.ref.uid);
    metrics.containersPerPod.observe(wanted.spec?.containers?.length ?? 0);
  }

  /** ms until the next one. */
  async #round(): Promise<number> {
    const { parts, options, metrics } = this.host;
    const { signal } = this.#interrupt = new AbortController();
    this.#isBusy = true;
    let outcome: Outcome;
    try {
      const stage = this.#stage, type = this.#updateType;
      this.#updateType = "sync";
      const attributes = () => roundAttributes(this.ref, stage, type);
      const { traces = NO_TRACES } = parts;
      const over = metrics.round(stage === "terminated" ? stage : type);
      outcome = await traces.work(ROUND_SPAN[stage], attributes, () => DO[stage](this.#rounds, signal)).finally(over);
    } catch (fault) {
      if (signal.aborted) return 0;
      parts.log("error", `pod ${describe(this.ref)}`, (fault as Error).message);
      outcome = { pause: fault instanceof RoundFault ? fault.pause : RETRY };
    } finally {
      this.#isBusy = false;
    }
    if (outcome.stage) {
      this.#enter(outcome.stage);
      return 0;
    }
    if (this.#stage === "terminated") this.#ended.resolve();
    const spread = options.syncFrequency * (1 + SPREAD * parts.random());
    const until = this.#stage === "syncing" ? this.#rounds.untilDeadline() : Infinity;
    // However long a pause is: what else there is of the pod, such as its volumes, is looked at meanwhile.
    return Math.max(0, Math.min(outcome.pause ?? spread, spread, until));
  }

  #enter(stage: Stage): void {
    this.#stage = stage;
    this.#memory.ends = true;
  }

  #ownGrace(): number {
    return Number(this.#memory.wanted.spec?.terminationGracePeriodSeconds ?? 1);
  }

  /** Whether a pod's own state means that it goes, and that is news. */
  #look(pod: Pod): boolean {
    const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata ?? {};
    if (deletionTimestamp) return this.#terminate(deletionGracePeriodSeconds ?? 1);
    if (isTerminal(pod.status?.phase) || this.refusal) return this.#terminate(undefined);
    return false;
  }

  /** Whether that is news: it was not to go yet, or not so soon. */
  #terminate(grace: number | undefined): boolean {
    const memory = this.#memory;
    const least = grace === undefined ? undefined : Math.max(grace, 1);
    const sooner = least !== undefined && (memory.grace === undefined || least < memory.grace);
    if (sooner) memory.grace = least;
    if (this.#stage === "syncing") this.#enter("terminating");
    else if (!sooner || this.#stage !== "terminating") return false;
    this.#interrupt.abort();
    return true;
  }
}

const DO: Readonly<Record<Stage, (rounds: Rounds, signal: AbortSignal) => Promise<Outcome>>> = {
  syncing: (rounds, signal) => rounds.syncing(signal),
  terminating: (rounds, signal) => rounds.terminating(signal),
  terminated: (rounds) => rounds.terminated(),
  finished: () => Promise.resolve({}),
};

/** What of a delivered pod is worth a round: not the agent's own words that came back. */
function meaning({ metadata = {}, spec, status }: Pod): string {
  const { labels, annotations, deletionTimestamp, deletionGracePeriodSeconds, generation } = metadata;
  const told = (status?.conditions ?? []).filter((c) => !isOwnCondition(c.type)).map((c) => [c.type, c.status]);
  return JSON.stringify([labels, annotations, deletionTimestamp, deletionGracePeriodSeconds, generation, spec, told]);
}
