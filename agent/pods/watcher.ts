/** Sees what the runtime has of a pod, and has its containers probed while they run. */
import type { PodHost } from "./host.ts";
import type { PodMemory } from "./memory.ts";
import { readPod } from "./read.ts";
import { containerNamed } from "./spec.ts";
import type { PodState } from "./state.ts";
import { targetOf } from "./target.ts";

/** One pod's. */
export class Watcher {
  constructor(readonly host: PodHost, readonly memory: PodMemory) {}

  /** As it is now. @throws RuntimeError, told first */
  async see(): Promise<PodState> {
    const { memory, host } = this;
    const { parts, reads } = host;
    try {
      const state = memory.see(await reads.take(() => readPod(parts.runtime, memory.ref.uid)));
      this.#probe(state);
      return state;
    } catch (fault) {
      const message = `error determining status: ${(fault as Error).message}`;
      parts.events.pod(memory.wanted, "Warning", "FailedSync", message);
      throw fault;
    }
  }

  /** Nothing of the pod is probed any more. */
  end(): void {
    this.memory.probed.clear();
    this.host.parts.probes.forgetPod(this.memory.ref.uid);
  }

  #probe(state: PodState): void {
    const { memory } = this;
    const { probes, hostIPs } = this.host.parts;
    const running = new Set<string>();
    for (const { id, name, state: runs, startedAt } of state.tries) {
      const container = runs === "RUNNING" ? containerNamed(memory.wanted, name) : undefined;
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
}
