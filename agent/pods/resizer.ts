/** Changes of a running pod's cpu and memory: whether the node can give them, and giving them. */
import type { Container, Pod, PodCondition, ResourceRequirements } from "../../schema/api/core_v1.ts";
import { compareQuantity } from "../../schema/values/quantity.ts";
import { nowTime } from "../../schema/values/time.ts";
import { qosOf } from "../resources/qos.ts";
import {
  type Allotment,
  allotmentOf,
  asRunning,
  changes,
  isDoing,
  isSame,
  resizable,
  withResources,
} from "./allotment.ts";
import type { Decision } from "./decision.ts";
import type { PodMemory } from "./memory.ts";
import type { PodParts } from "./parts.ts";
import { type Given, resizeOf, type ResizeOptions, sameResources } from "./resize.ts";
import { resizeText } from "./resize_text.ts";
import type { Room } from "./room.ts";
import { shrinkFault } from "./shrink.ts";
import { observed } from "./spec.ts";
import { newestOf, type PodState } from "./state.ts";

/** What came of giving it. */
interface Applied {
  readonly did: boolean;
  readonly failed: boolean;
}

/** In which generation of the pod something was found, and when (RFC 3339). */
interface Found {
  readonly observedGeneration: number;
  readonly lastProbeTime: string;
}

/** Why what is wanted is not given. */
type Pending = Found & Required<Pick<PodCondition, "reason" | "message">>;

/** Why a pod is not given what it wants. */
interface Lack {
  readonly reason: "Infeasible" | "Deferred";
  /** In the words of the event. */
  readonly why: string;
  readonly message: string;
}

/** One pod's. */
export class Resizer {
  #allotted: Allotment | undefined;
  /** Why what is wanted is not given. */
  #pending: Pending | undefined;
  #deferredSince: number | undefined;
  /** The pod whose change is being done. */
  #doing: Found | undefined;
  /** Why what is given did not get to the containers. */
  #fault: string | undefined;
  /** Nothing is changed in this round: memory is in use that is to be taken away. */
  #refused = false;
  #group: string | undefined;

  constructor(readonly parts: PodParts, readonly options: ResizeOptions, readonly room: Room) {}

  /** Since when what is wanted waits for others to make room, ticks; undefined: it does not. */
  get deferredSince(): number | undefined {
    return this.#deferredSince;
  }

  /** The pod with what the node gives it, which is all it wants if that fits. */
  allot(pod: Pod, state: PodState): Pod {
    const wanted = allotmentOf(pod), allotted = this.#allotted ??= asRunning(wanted, state);
    if (isSame(wanted, allotted)) this.#pending = this.#deferredSince = undefined;
    else {
      const lack = this.#lack(pod, allotted), generation = generationOf(pod);
      const found = { observedGeneration: generation, lastProbeTime: nowTime(this.parts.clock.now()) };
      const before = this.#pending;
      this.#pending = lack && { ...found, reason: lack.reason, message: lack.message };
      const now = this.parts.clock.ticks();
      this.#deferredSince = lack?.reason === "Deferred" ? this.#deferredSince ?? now : undefined;
      if (!lack) {
        this.#allotted = wanted;
        this.#doing = found;
        this.#fault = undefined;
        this.#tell(pod, "Normal", "ResizeStarted", "Pod resize started");
        this.room.changed();
      } else if (lack.reason !== before?.reason || generation !== before.observedGeneration) {
        const text = resizeText(`Pod resize ${lack.why}`, pod, generation, lack.message);
        this.parts.events.pod(pod, "Warning", `Resize${lack.reason}`, text);
      } else if (lack.message === before.message) this.#pending = before;
    }
    const given = this.withAllotted(pod);
    this.tellDone(given, state);
    return given;
  }

  /** Tells once that a change is done. @param given the pod with what it was given */
  tellDone(given: Pod, state: PodState): void {
    if (this.#doing === undefined || isDoing(given, state)) return;
    this.#tell(given, "Normal", "ResizeCompleted", "Pod resize completed");
    this.#doing = this.#fault = undefined;
  }

  /** Why the node does not give a pod what it wants now. */
  #lack(pod: Pod, allotted: Allotment): Lack | undefined {
    const never = this.#never(pod, allotted);
    if (never !== undefined) return { reason: "Infeasible", why: "Infeasible", message: never };
    const refusal = this.parts.admit(pod, this.room.taken({ pod, since: this.#deferredSince ?? Infinity }));
    return refusal && { reason: "Deferred", why: refusal.reason, message: refusal.message };
  }

  #never(pod: Pod, { whole, containers }: Allotment): string | undefined {
    const { gate } = this.parts;
    if (
      resizable(pod).some((c) => this.#swaps(pod, c, { resources: containers.get(c.name) ?? {}, whole: whole ?? {} }))
    ) {
      return "In-place resize of containers with swap is not supported.";
    }
    if (!sameResources(pod.spec?.resources, whole) && !gate(POD_LEVEL)) return `${POD_LEVEL} is disabled`;
    if (qosOf(pod, gate) !== "Guaranteed") return undefined;
    const changes = (name: string) =>
      resizable(pod).some((c) => compareQuantity(...requested(name, c.resources, containers.get(c.name))) !== 0);
    const { cpuManagerPolicy, memoryManagerPolicy } = this.options;
    const alongside = (manager: string, policy: string) =>
      `Resize is infeasible for Guaranteed Pods alongside ${manager} Manager policy "${policy}"`;
    if (cpuManagerPolicy === "static" && changes("cpu")) return alongside("CPU", cpuManagerPolicy);
    if (memoryManagerPolicy === "Static" && changes("memory")) return alongside("Memory", memoryManagerPolicy);
    return undefined;
  }

  /** Whether a container that runs on is to have another request of memory, which its part of the swap goes by. */
  #swaps(pod: Pod, container: Container, given: Required<Given>): boolean {
    const { resources } = given;
    if (compareQuantity(...requested("memory", container.resources, resources)) === 0) return false;
    if (resizeOf(pod, container, given) === "restart") return false;
    return [container, { ...container, resources }].some((c) =>
      Number(this.parts.resources.container(pod, c).unified?.["memory.swap.max"] ?? 0) > 0
    );
  }

  /** The pod with what it was given. */
  withAllotted(pod: Pod): Pod {
    return this.#allotted ? withResources(pod, this.#allotted) : pod;
  }

  /** Conditions of a change that is not yet done. */
  conditions({ pod, state }: PodMemory): PodCondition[] {
    const out: PodCondition[] = [];
    if (this.#pending) out.push({ type: "PodResizePending", status: "True", ...this.#pending });
    if (!isDoing(pod, state)) return out;
    const why = this.#fault === undefined ? {} : { reason: "Error", message: this.#fault };
    return [...out, { type: "PodResizeInProgress", status: "True", ...(this.#doing ?? observed(pod)), ...why }];
  }

  /** The pod's control group. One that is to be smaller may have to wait for its containers. @throws Error, told first */
  async cgroup(memory: PodMemory, decision: Decision): Promise<string> {
    const { pod, state } = memory;
    const fault = changes(memory, decision) ? await shrinkFault(this.parts, memory, decision) : undefined;
    this.#refused = fault !== undefined;
    if (fault !== undefined) this.#failed(pod, fault);
    try {
      this.#group = await this.parts.resources.pod(
        fault === undefined ? pod : withResources(pod, asRunning(allotmentOf(pod), state)),
      );
    } catch (fault) {
      if (this.#group === undefined || decision.update.length === 0) {
        const message = `unable to ensure pod container exists: ${(fault as Error).message}`;
        this.parts.events.pod(pod, "Warning", "FailedCreatePodContainer", message);
        throw fault;
      }
    }
    return this.#group;
  }

  /** Tells the runtime. What failed is to be tried again. */
  async apply(memory: PodMemory, decision: Decision): Promise<Applied> {
    const { runtime, resources } = this.parts;
    const { pod, state } = memory;
    if (!changes(memory, decision)) return { did: false, failed: false };
    if (this.#refused) return { did: true, failed: true };
    try {
      for (const { id, container } of decision.update) {
        await runtime.updateContainerResources(id, resources.container(pod, container));
      }
      this.#group = await resources.pod(pod);
    } catch (fault) {
      this.#failed(pod, (fault as Error).message);
      return { did: true, failed: true };
    }
    const whole = pod.spec?.resources ?? {};
    for (const { name, resources } of resizable(pod)) {
      const last = newestOf(state, name);
      const ends = decision.kill.some(({ id }) => id === last?.id);
      if (last?.state === "RUNNING" && !ends) memory.given.set(last.id, { resources: resources ?? {}, whole });
    }
    return { did: true, failed: false };
  }

  #failed(pod: Pod, fault: string): void {
    if (fault !== this.#fault) this.#tell(pod, "Warning", "ResizeError", "Pod resize error", fault);
    this.#fault = fault;
  }

  #tell(pod: Pod, type: "Normal" | "Warning", reason: string, words: string, error?: string): void {
    this.parts.events.pod(
      pod,
      type,
      reason,
      resizeText(words, pod, this.#doing?.observedGeneration ?? generationOf(pod), error),
    );
  }
}

const POD_LEVEL = "InPlacePodLevelResourcesVerticalScaling";

const generationOf = (pod: Pod) => Number(pod.metadata?.generation ?? 0);

const requested = (
  name: string,
  a: ResourceRequirements | undefined,
  b: ResourceRequirements | undefined,
): [string, string] => [a?.requests?.[name] ?? "0", b?.requests?.[name] ?? "0"];
