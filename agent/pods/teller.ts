/** Tells statuses of a pod. */
import type { PodStatus } from "../../schema/api/core_v1.ts";
import { nowTime } from "../../schema/values/time.ts";
import { withSandbox } from "./conditions.ts";
import { handlerFeatures } from "./handler.ts";
import type { PodHost } from "./host.ts";
import type { PodMemory } from "./memory.ts";
import type { Resizer } from "./resizer.ts";
import { isTerminal } from "./spec.ts";
import { evicted, finalStatus, statusOf } from "./status.ts";

/** One pod's. */
export class Teller {
  constructor(readonly host: PodHost, readonly memory: PodMemory, readonly resizer: Resizer) {}

  /** By what was last seen of the pod. */
  tellNow(): PodStatus {
    return this.tell(this.#now(false), false);
  }

  /** The same of a pod whose containers are about to end. */
  tellEnding(): PodStatus {
    const { eviction } = this.memory, status = this.#now(false);
    return this.tell(eviction ? evicted(status, eviction) : status, false);
  }

  /** As it was told before, with a sandbox: images may take their time. */
  tellSandbox(): PodStatus {
    const { memory, host } = this;
    const now = nowTime(host.parts.clock.now());
    return this.tell({ ...memory.status, conditions: withSandbox(memory.pod, memory.status, now) }, false);
  }

  /** Of a pod of which nothing runs, nor will. */
  tellLast(): PodStatus {
    const { wanted } = this.memory;
    return this.tell(finalStatus(wanted, this.#now(true), this.host.parts.isStatic(wanted)), true);
  }

  /** A last phase is told when nothing runs any more, and not before. */
  tell(status: PodStatus, ended: boolean): PodStatus {
    const { memory } = this;
    const { phase: before } = memory.status, { phase: api } = memory.wanted.status ?? {};
    const { metrics } = this.host;
    metrics.changed(memory.status, status);
    metrics.startTimes.told(memory.ref.uid, memory.status, status);
    memory.status = status;
    if (memory.removed) return status;
    const early = !ended && isTerminal(status.phase) && !isTerminal(api);
    const { phase: _phase, reason: _reason, message: _message, ...rest } = status;
    const phase = (isTerminal(before) ? api : before) ?? "Pending";
    memory.told = early ? { ...rest, phase } : status;
    this.host.parts.status.set(memory.wanted, memory.told);
    return status;
  }

  #now(ended: boolean): PodStatus {
    const { memory, host } = this;
    const { parts } = host;
    return statusOf({
      pod: { ...memory.pod, status: memory.wanted.status ?? {} },
      state: memory.state,
      old: memory.status,
      runtimeName: host.runtimeName(),
      faults: memory.faults,
      probes: (id) => parts.probes.state(id),
      recursiveReadOnly: handlerFeatures(parts, memory)?.recursiveReadOnlyMounts ?? false,
      isStatic: parts.isStatic(memory.pod),
      ended,
      ...(memory.fault ? { fault: memory.fault } : {}),
      more: ended ? [] : this.resizer.conditions(memory),
      hostIPs: parts.hostIPs(),
      devices: (name) =>
        parts.gate("ResourceHealthStatus")
          ? [...parts.devices.health(memory.ref.uid, name), ...parts.claims.health(memory.wanted, name)]
          : [],
      gate: parts.gate,
      now: parts.clock.now(),
    });
  }
}
