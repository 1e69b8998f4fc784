/** Probes of containers, and handlers of hooks. */
import type { ContainerTarget, Probes, ProbeState } from "../types.ts";
import { ContainerProbes, type ProbeParts } from "./container_probes.ts";

export { type HandlerParts, HookHandlers } from "./handlers.ts";
export { probeMetrics } from "./metrics.ts";

const UNKNOWN: ProbeState = Object.freeze({ started: false, ready: false });

/** Probes of all containers of the node. */
export class NodeProbes implements Probes {
  /** By container id. */
  readonly #watched = new Map<string, ContainerProbes>();

  constructor(readonly parts: ProbeParts) {}

  watch(target: ContainerTarget, startedAt: number): void {
    const known = this.#watched.get(target.id);
    if (known) known.take(target);
    else this.#watched.set(target.id, new ContainerProbes(target, startedAt, this.parts));
  }

  state(id: string): ProbeState {
    return this.#watched.get(id)?.state ?? UNKNOWN;
  }

  forget(id: string): void {
    this.#watched.get(id)?.end();
    this.#watched.delete(id);
  }

  forgetPod(uid: string): void {
    for (const [id, probes] of this.#watched) if (probes.uid === uid) this.forget(id);
    this.parts.metrics.gone(uid);
  }
}
