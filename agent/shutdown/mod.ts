/** Graceful shutdown of the host: it waits while pods end, those of low priority first. */
import type { Pod } from "../../schema/api/core_v1.ts";
import type { LogLine } from "../../schema/log/log.ts";
import type { Clock, Events, Refusal } from "../types.ts";
import { type Group, groupsOf, type Period } from "./groups.ts";
import type { Lock } from "./lock.ts";
import type { Logind } from "./logind.ts";
import type { ShutdownTimes } from "./times.ts";

/** What it works with. */
export interface ShutdownParts {
  /** See {@linkcode periodsOf}; none: nothing is done. */
  readonly periods: readonly Period[];
  /** With all that it gives it ends by the signal. @throws Error: there is none */
  logind(signal: AbortSignal): Promise<Logind>;
  /** Pods that are not done with. */
  pods(): readonly Pod[];
  /** Ends a pod within so many seconds; fulfilled when nothing of it is left. */
  end(pod: Pod, seconds: number): Promise<void>;
  /** The node's status is told now. */
  tell(signal: AbortSignal): void;
  readonly times?: ShutdownTimes;
  readonly events: Pick<Events, "node">;
  readonly clock: Clock;
  readonly log: LogLine;
}

/** Pause before logind is looked for again, ms. */
const AGAIN_MS = 1_000;
/** How often and at first how soon it is looked whether logind waits as long as it was told to, ms. */
const LOOKS = 5, LOOK_MS = 100;

/** See the top of the file. */
export class NodeShutdown {
  readonly #parts: ShutdownParts;
  #isShuttingDown = false;
  #lock: Lock | undefined;

  constructor(parts: ShutdownParts) {
    this.#parts = parts;
  }

  /** Why the node is not ready; undefined: it is not shut down. */
  fault(): string | undefined {
    return this.#isShuttingDown ? "node is shutting down" : undefined;
  }

  /** Why no pod is taken any more. */
  refusal(): Refusal | undefined {
    if (!this.#isShuttingDown) return undefined;
    return { reason: "NodeShutdown", message: "Pod was rejected as the node is shutting down." };
  }

  /** Waits for the host's shutdown until the signal ends it; at once where none can be heard of. Never throws. */
  async run(signal: AbortSignal): Promise<void> {
    const { periods, times, clock, log } = this.#parts;
    if (periods.length === 0) return;
    await times?.restore().catch((e) => log("error", "failed to load graceful shutdown state", e));
    for (let begun = false; !signal.aborted; begun = true) {
      try {
        await this.#watch(signal);
      } catch (e) {
        if (!begun) return log("warn", "the host's shutdown will not wait for pods", (e as Error).message);
        log("error", "unable to watch the node for shutdown events", (e as Error).message);
      }
      await clock.wait(AGAIN_MS, signal);
    }
  }

  /** Until logind is gone or the signal ends it. @throws Error: it cannot be heard */
  async #watch(signal: AbortSignal): Promise<void> {
    const logind = await this.#parts.logind(signal);
    try {
      await this.#prolong(logind, signal);
      await this.#hold(logind);
      await logind.hear(latestFirst((begins) => this.#changed(begins, logind, signal)));
      await logind.over;
    } finally {
      logind.close();
    }
  }

  /** Has logind wait as long as pods may take. @throws Error: it does not */
  async #prolong(logind: Logind, signal: AbortSignal): Promise<void> {
    const { periods, clock } = this.#parts;
    const wanted = periods.reduce((sum, { seconds }) => sum + seconds, 0) * 1000;
    let delay = await logind.delay();
    if (delay >= wanted) return;
    await logind.setDelay(wanted);
    for (let look = 0; look < LOOKS && !signal.aborted; look++) {
      delay = await logind.delay();
      if (delay >= wanted) return;
      await clock.wait(LOOK_MS * 2 ** look, signal);
    }
    const now = `InhibitDelayMaxSec to update to ${wanted / 1000}s (ShutdownGracePeriod), current value is ${
      delay / 1000
    }s`;
    throw new Error(`node shutdown manager was timed out after ${LOOKS} attempts waiting for logind ${now}`);
  }

  /** Where it is lost without being let go, all is begun anew. */
  async #hold(logind: Logind): Promise<void> {
    const before = this.#lock, lock = this.#lock = await logind.lock();
    before?.release();
    lock.lost.then(() => {
      if (this.#lock === lock) logind.close();
    });
  }

  #letGo(): void {
    const lock = this.#lock;
    this.#lock = undefined;
    lock?.release();
  }

  /** Never throws. */
  async #changed(begins: boolean, logind: Logind, signal: AbortSignal): Promise<void> {
    const { events, log, tell } = this.#parts;
    const what = begins ? "event" : "cancellation";
    events.node("Normal", "NodeShutdown", `Shutdown manager detected shutdown ${what}`);
    this.#isShuttingDown = begins;
    tell(signal);
    try {
      if (begins) await this.#end(signal);
      else await this.#hold(logind);
    } catch (e) {
      log("error", `the host's shutdown ${what} is not heeded`, e);
    }
  }

  /** Ends all pods; then the host may go on. */
  async #end(signal: AbortSignal): Promise<void> {
    const { periods, pods, times, clock, log } = this.#parts;
    const start = clock.now();
    const keep = (end?: number) =>
      times?.set(start, end).catch((e) => log("error", "failed to store graceful shutdown state", e));
    await keep();
    for (const group of groupsOf(periods, pods())) {
      if (!signal.aborted && group.pods.length > 0) await this.#endGroup(group, signal);
    }
    await keep(clock.now());
    this.#letGo();
  }

  /** Waits for its pods, and no longer than they may take together. */
  async #endGroup({ pods, seconds }: Group, signal: AbortSignal): Promise<void> {
    const { clock, end, log } = this.#parts;
    const over = new AbortController(), stop = () => over.abort();
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    const ends = pods.map((pod) => {
      const own = Number(pod.spec?.terminationGracePeriodSeconds ?? seconds);
      return end(pod, Math.min(own, seconds)).catch((e) => log("error", "a pod does not end", e));
    });
    Promise.all(ends).then(stop);
    await clock.wait(seconds * 1000, over.signal);
    stop();
    signal.removeEventListener("abort", stop);
  }
}

/** Works on what is told one after the other; of what comes meanwhile only the last counts. */
function latestFirst(work: (told: boolean) => Promise<void>): (told: boolean) => void {
  let next: boolean | undefined, isBusy = false;
  return async (told) => {
    next = told;
    if (isBusy) return;
    isBusy = true;
    while (next !== undefined) {
      const now: boolean = next;
      next = undefined;
      await work(now);
    }
    isBusy = false;
  };
}
