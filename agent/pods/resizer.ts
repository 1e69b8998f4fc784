/** Changes of a running pod's cpu and memory: whether the node can give them, and giving them. */
import type { Container, Pod, PodCondition, ResourceRequirements } from "../../schema/api/core_v1.ts";
import { compareQuantity } from "../../schema/values/quantity.ts";
import type { Decision } from "./decision.ts";
import type { PodMemory } from "./memory.ts";
import type { PodParts } from "./parts.ts";
import { resizeOf, sameResources } from "./resize.ts";
import { containersOf, initContainersOf, isSidecar, observed } from "./spec.ts";
import { newestOf, type PodState } from "./state.ts";

/** One pod's. */
export class Resizer {
  /** By container: what the node gives it. */
  #allotted: Map<string, ResourceRequirements> | undefined;
  /** Why what is wanted is not given. */
  #pending: Pick<PodCondition, "reason" | "message"> | undefined;
  /** Why what is given did not get to the containers. */
  #fault: string | undefined;
  #group: string | undefined;

  /** @param others pods that the node has besides */
  constructor(readonly parts: PodParts, readonly others: () => readonly Pod[]) {}

  /** The pod with what the node gives it, which is all it wants if that fits. */
  allot(pod: Pod, state: PodState): Pod {
    const wanted = resourcesOf(pod);
    this.#allotted ??= asRunning(wanted, state);
    this.#pending = undefined;
    if ([...wanted].every(([name, r]) => sameResources(r, this.#allotted!.get(name)))) return pod;
    if (resizable(pod).some((c) => this.#swaps(pod, c))) {
      this.#pending = { reason: "Infeasible", message: "In-place resize of containers with swap is not supported." };
      return this.withAllotted(pod);
    }
    const refusal = this.parts.admit(pod, this.others());
    if (!refusal) {
      this.#allotted = wanted;
      return pod;
    }
    const never = this.parts.admit(pod, []) !== undefined;
    this.#pending = { reason: never ? "Infeasible" : "Deferred", message: refusal.message };
    return this.withAllotted(pod);
  }

  /** Whether a container that runs on is to have another request of memory, which its part of the swap goes by. */
  #swaps(pod: Pod, container: Container): boolean {
    const resources = this.#allotted?.get(container.name) ?? {};
    const [wanted, given] = [container.resources, resources].map((r) => r?.requests?.["memory"] ?? "0");
    if (compareQuantity(wanted!, given!) === 0 || resizeOf(container, resources) === "restart") return false;
    return [container, { ...container, resources }].some((c) =>
      Number(this.parts.resources.container(pod, c).unified?.["memory.swap.max"] ?? 0) > 0
    );
  }

  /** The pod with what it was given. */
  withAllotted(pod: Pod): Pod {
    const allotted = this.#allotted;
    if (!allotted || !pod.spec) return pod;
    const give = (c: Container): Container => {
      const resources = allotted.get(c.name);
      return resources && !sameResources(c.resources, resources) ? { ...c, resources } : c;
    };
    const { initContainers, containers } = pod.spec;
    return {
      ...pod,
      spec: {
        ...pod.spec,
        ...(initContainers ? { initContainers: initContainers.map(give) } : {}),
        containers: containers?.map(give) ?? null,
      },
    };
  }

  /** Conditions of a change that is not yet done. */
  conditions({ pod, state }: PodMemory): PodCondition[] {
    const seen = observed(pod);
    const out: PodCondition[] = [];
    if (this.#pending) out.push({ type: "PodResizePending", status: "True", ...seen, ...this.#pending });
    const doing = resizable(pod).some((c) => {
      const last = newestOf(state, c.name);
      return last?.state === "RUNNING" && resizeOf(c, last.resources) !== "none";
    });
    const why = this.#fault === undefined ? {} : { reason: "Error", message: this.#fault };
    if (doing) out.push({ type: "PodResizeInProgress", status: "True", ...seen, ...why });
    return out;
  }

  /** The pod's control group. One that is to be smaller may have to wait for its containers. @throws Error, told first */
  async cgroup(pod: Pod, { update }: Decision): Promise<string> {
    try {
      this.#group = await this.parts.resources.pod(pod);
    } catch (fault) {
      if (this.#group === undefined || update.length === 0) {
        const message = `unable to ensure pod container exists: ${(fault as Error).message}`;
        this.parts.events.pod(pod, "Warning", "FailedCreatePodContainer", message);
        throw fault;
      }
    }
    return this.#group;
  }

  /** Tells the runtime; whether there was anything to tell. A fault is tried again in the next round. */
  async apply(memory: PodMemory, { update }: Decision): Promise<boolean> {
    const { runtime, resources } = this.parts;
    const { pod } = memory;
    this.#fault = undefined;
    try {
      for (const { id, container } of update) {
        await runtime.updateContainerResources(id, resources.container(pod, container));
        memory.given.set(id, container.resources ?? {});
      }
      if (update.length > 0) this.#group = await resources.pod(pod);
    } catch (fault) {
      this.#fault = (fault as Error).message;
    }
    return update.length > 0;
  }
}

function resizable(pod: Pod): readonly Container[] {
  return [...initContainersOf(pod).filter(isSidecar), ...containersOf(pod)];
}

function resourcesOf(pod: Pod): Map<string, ResourceRequirements> {
  return new Map(resizable(pod).map((c) => [c.name, c.resources ?? {}]));
}

/** What runs already keeps what it has until the node has agreed to something else. */
function asRunning(wanted: ReadonlyMap<string, ResourceRequirements>, state: PodState) {
  return new Map([...wanted].map(([name, resources]) => {
    const last = newestOf(state, name);
    return [name, last?.state === "RUNNING" ? last.resources ?? resources : resources];
  }));
}
