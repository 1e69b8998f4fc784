/** Ends pods before the node runs out of what all of them need. */
import type { Pod } from "../../schema/api/core_v1.ts";
import type { LogLine } from "../../schema/log/log.ts";
import type { Product } from "../../schema/product.ts";
import type { Gate } from "../resources/amounts.ts";
import { isCritical } from "../resources/qos.ts";
import type { Clock, Events } from "../types.ts";
import { crossedBy, decide, first, NOTHING } from "./decide.ts";
import { inTime } from "./in_time.ts";
import { storageFault } from "./local_storage.ts";
import { evictionMessage } from "./messages.ts";
import { ranked } from "./rank.ts";
import { type Observations, type Pressure, type Signal, SIGNALS } from "./signals.ts";
import { parseThresholds, type Threshold, type ThresholdOptions } from "./thresholds.ts";
import type { Uses } from "./usage.ts";

/** Options that it follows. */
export interface EvictionOptions extends ThresholdOptions {
  /** s; negative: what the pod asks for. */
  readonly evictionMaxPodGracePeriod: number;
  /** ms */
  readonly evictionPressureTransitionPeriod: number;
  readonly localStorageCapacityIsolation: boolean;
}

/** How a pod ends: its phase is Failed, with this. */
export interface Eviction {
  readonly reason: "Evicted";
  readonly message: string;
  /** s that its containers get. */
  readonly grace: number;
  /** The condition DisruptionTarget becomes true with this reason, and the message. */
  readonly disruption?: "TerminationByKubelet";
}

/** What it works with. */
export interface EvictionParts {
  readonly product: Product;
  readonly gate: Gate;
  readonly clock: Clock;
  readonly events: Events;
  readonly log: LogLine;
  readonly observe: () => Promise<Observations>;
  /** Images have a file system of their own. */
  readonly imageFs: () => Promise<boolean>;
  /** What pods use now. */
  readonly uses: () => Promise<Uses>;
  /** Pods that have something running. */
  readonly pods: () => readonly Pod[];
  /** Removes containers that have ended, and images that none uses. */
  readonly removeContainers: () => Promise<void>;
  readonly removeImages: () => Promise<void>;
  /** Ends a pod; over when its containers have ended. */
  readonly evict: (pod: Pod, eviction: Eviction) => Promise<void>;
  /** All that an ended pod had is given back. */
  readonly isGone: (pod: Pod) => boolean;
  /** Told of each pod that goes, by the signal or limit that made it go. */
  readonly counted: (signal: string) => void;
}

const EVERY = 10_000;
const GONE_EVERY = 1_000;
const GONE_ROUNDS = 30;
const AT_ONCE = 1;

/** See the top of the file. */
export class Evictions {
  readonly #options: EvictionOptions;
  readonly #parts: EvictionParts;
  readonly #thresholds: readonly Threshold[];
  #memory = NOTHING;
  #pressure: readonly Pressure[] = [];

  /** @throws ValueError for thresholds that are none */
  constructor(options: EvictionOptions, parts: EvictionParts) {
    this.#options = options;
    this.#parts = parts;
    this.#thresholds = parseThresholds(options);
  }

  /** Conditions of the node that hold. */
  get pressure(): readonly Pressure[] {
    return this.#pressure;
  }

  /** Looks every 10 s, and as soon as an evicted pod is gone, until the signal ends it. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    while (!signal.aborted) {
      const gone = await this.look().catch((e) => {
        log("warn", "the node's resources cannot be looked at", e);
        return [];
      });
      if (gone.length > 0) await this.#waitFor(gone, signal);
      else await clock.wait(EVERY, signal);
    }
  }

  async #waitFor(pods: readonly Pod[], signal: AbortSignal): Promise<void> {
    const { clock, isGone, log } = this.#parts;
    for (let i = 0; i < GONE_ROUNDS && !signal.aborted; i++) {
      await clock.wait(GONE_EVERY, signal);
      if (pods.every(isGone)) return;
    }
    if (!signal.aborted) log("warn", "an evicted pod is not gone in time");
  }

  /** One look. Returns the pods that it ended. */
  async look(): Promise<readonly Pod[]> {
    const { clock, observe, uses, imageFs } = this.#parts, options = this.#options;
    if (this.#thresholds.length === 0 && !options.localStorageCapacityIsolation) return [];
    const observations = await observe();
    const { memory, pressure, act } = decide(
      this.#thresholds,
      observations,
      this.#memory,
      clock.ticks(),
      options.evictionPressureTransitionPeriod,
    );
    this.#memory = memory;
    this.#pressure = pressure;
    if (act.length === 0 && !options.localStorageCapacityIsolation) return [];
    const used = await uses(), apart = await imageFs();
    const local = options.localStorageCapacityIsolation ? await this.#limitStorage(used, apart) : [];
    if (local.length > 0) return local;
    const threshold = first(act);
    return threshold ? await this.#relieve(threshold, act, observations, used, apart) : [];
  }

  async #limitStorage(uses: Uses, imageFs: boolean): Promise<readonly Pod[]> {
    const { pods, gate } = this.#parts, out: Pod[] = [];
    for (const pod of pods()) {
      const use = uses.get(pod.metadata?.uid ?? "");
      const fault = use && storageFault(pod, use, imageFs, gate);
      if (!fault) continue;
      const eviction = { reason: "Evicted", message: fault.message, grace: AT_ONCE } as const;
      if (await this.#evict(pod, eviction, fault.limit)) out.push(pod);
    }
    return out;
  }

  async #relieve(
    threshold: Threshold,
    due: readonly Threshold[],
    observations: Observations,
    uses: Uses,
    imageFs: boolean,
  ): Promise<readonly Pod[]> {
    const { events, gate, pods, log } = this.#parts, { signal } = threshold, { resource } = SIGNALS[signal];
    events.node("Warning", "EvictionThresholdMet", `Attempting to reclaim ${resource}`);
    if (await this.#reclaim(signal, imageFs)) return [];
    for (const pod of ranked(pods(), signal, uses, imageFs, gate)) {
      const use = uses.get(pod.metadata?.uid ?? "");
      const message = evictionMessage(resource, pod, use, due, observations, gate);
      const grace = threshold.hard ? AT_ONCE : this.#grace(pod);
      const eviction = { reason: "Evicted", message, grace, disruption: "TerminationByKubelet" } as const;
      if (await this.#evict(pod, eviction, signal)) return [pod];
    }
    log("warn", `no pod can be ended to win back ${resource}`);
    return [];
  }

  /** Removes what nobody needs. True: that was enough. */
  async #reclaim(signal: Signal, imageFs: boolean): Promise<boolean> {
    const { removeContainers, removeImages, observe, log } = this.#parts;
    if (SIGNALS[signal].condition !== "DiskPressure" || (imageFs && signal.startsWith("nodefs."))) return false;
    for (const remove of [removeContainers, removeImages]) {
      await remove().catch((e) => log("warn", "what nobody needs cannot be removed", e));
    }
    return crossedBy(this.#thresholds, await observe(), true).length === 0;
  }

  #grace(pod: Pod): number {
    const most = this.#options.evictionMaxPodGracePeriod;
    const asked = Number(pod.spec?.terminationGracePeriodSeconds ?? (most < 0 ? AT_ONCE : most));
    return most < 0 ? asked : Math.min(most, asked);
  }

  async #evict(pod: Pod, eviction: Eviction, by: string): Promise<boolean> {
    const { product, events, evict, log, counted } = this.#parts;
    if (isCritical(pod, product)) {
      log("error", `critical pod ${pod.metadata?.namespace}/${pod.metadata?.name} is not evicted`);
      return false;
    }
    events.pod(pod, "Warning", "Evicted", eviction.message);
    counted(by);
    // One that does not end in time is evicted all the same: its worker goes on, and the node's other needs are looked at.
    await inTime(this.#parts, pod, eviction.grace, evict(pod, eviction)).catch((e) =>
      log("warn", `pod ${pod.metadata?.namespace}/${pod.metadata?.name} has not ended`, e)
    );
    return true;
  }
}
