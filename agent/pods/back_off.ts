/** Pauses before a container that keeps ending is started again: 10 s, doubled each time, at most five minutes. */
import type { Pod } from "../../schema/api/core_v1.ts";
import type { Gate } from "../resources/amounts.ts";
import type { AnyContainer } from "../types.ts";
import { refOf } from "./names.ts";

/** The first one and the longest, ms. */
export interface Pauses {
  readonly first: number;
  readonly longest: number;
}

const USUAL: Pauses = { first: 10_000, longest: 300_000 };
/** With the gate ReduceDefaultCrashLoopBackOffDecay. */
const REDUCED: Pauses = { first: 1_000, longest: 60_000 };
/** What ran so long begins anew, ms. */
const WELL = 600_000;

/** @param longest ms, that of the configuration file, behind a gate of its own */
export function pausesOf(gate: Gate, longest: number | undefined): Pauses {
  const pauses = gate("ReduceDefaultCrashLoopBackOffDecay") ? REDUCED : USUAL;
  return gate("KubeletCrashLoopBackOffMax") && longest !== undefined ? { ...pauses, longest } : pauses;
}

interface Entry {
  readonly pause: number;
  readonly at: number;
}

/** Pauses by key. */
export class BackOff {
  readonly #entries = new Map<string, Entry>();

  constructor(readonly pauses: Pauses = USUAL) {}

  /** How long the pause is at whose end a container that ended then may start; undefined: it may now. */
  pausing(key: string, endedAt: number, now: number): number | undefined {
    const entry = this.#entries.get(key);
    if (!entry || this.#isOver(entry, endedAt)) return undefined;
    // Where the host's clock was set back since, the end lies ahead, and so may the start.
    const passed = now - (endedAt <= now ? endedAt : entry.at);
    return passed >= 0 && passed < entry.pause ? entry.pause : undefined;
  }

  /** It starts now: the next pause is longer. */
  next(key: string, endedAt: number, now: number): void {
    const entry = this.#entries.get(key);
    const pause = entry && !this.#isOver(entry, endedAt) ? entry.pause * 2 : this.pauses.first;
    this.#entries.set(key, { pause: Math.min(pause, this.pauses.longest), at: now });
  }

  /** Forgets what is over. */
  sweep(now: number): void {
    for (const [key, entry] of this.#entries) if (this.#isOver(entry, now)) this.#entries.delete(key);
  }

  #isOver(entry: Entry, at: number): boolean {
    return at - entry.at > WELL;
  }
}

/** By what a container's pauses go: another image or other resources begin anew. */
export function backOffKey(pod: Pod, container: AnyContainer): string {
  const { namespace, name, uid } = refOf(pod);
  return [name, namespace, uid, container.name, container.image, JSON.stringify(container.resources ?? {})].join("/");
}
