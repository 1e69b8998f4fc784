/** Pauses before a container that keeps ending is started again: 10 s, doubled each time, at most five minutes. */
import type { Pod } from "../../schema/api/core_v1.ts";
import type { AnyContainer } from "../types.ts";
import { refOf } from "./names.ts";

/** ms */
const FIRST_PAUSE = 10_000;
/** ms */
const LONGEST_PAUSE = 300_000;

interface Entry {
  readonly pause: number;
  readonly at: number;
}

/** Pauses by key. What was not asked for in twice the longest pause begins anew. */
export class BackOff {
  readonly #entries = new Map<string, Entry>();

  /** @param longest ms, of `--max-container-restart-period` */
  constructor(readonly longest: number = LONGEST_PAUSE) {}

  /** How long the pause is at whose end a container that ended then may start; undefined: it may now. */
  pausing(key: string, endedAt: number, now: number): number | undefined {
    const entry = this.#entries.get(key);
    if (!entry || this.#isOver(entry, endedAt) || now - endedAt >= entry.pause) return undefined;
    return entry.pause;
  }

  /** It starts now: the next pause is longer. */
  next(key: string, endedAt: number, now: number): void {
    const entry = this.#entries.get(key);
    const pause = entry && !this.#isOver(entry, endedAt) ? entry.pause * 2 : FIRST_PAUSE;
    this.#entries.set(key, { pause: Math.min(pause, this.longest), at: now });
  }

  /** Forgets what is over. */
  sweep(now: number): void {
    for (const [key, entry] of this.#entries) if (this.#isOver(entry, now)) this.#entries.delete(key);
  }

  #isOver(entry: Entry, at: number): boolean {
    return at - entry.at > 2 * this.longest;
  }
}

/** By what a container's pauses go: another image or other resources begin anew. */
export function backOffKey(pod: Pod, container: AnyContainer): string {
  const { namespace, name, uid } = refOf(pod);
  return [name, namespace, uid, container.name, container.image, JSON.stringify(container.resources ?? {})].join("/");
}
