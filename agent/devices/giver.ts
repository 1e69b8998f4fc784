/** Gives devices to containers. */
import type { Container, Node, Pod, ResourceStatus } from "../../schema/api/core_v1.ts";
import { type Amounts, amountsOf, type Gate, isSidecar, podLimits } from "../resources/amounts.ts";
import type { Hint, Hints, Nodes } from "../resources/managers/hints.ts";
import type { AnyContainer, ContainerDevices } from "../types.ts";
import { type Allocations, idsOf, NO_NODE } from "./allocations.ts";
import { choose } from "./choose.ts";
import { containerDevices } from "./container_devices.ts";
import { deviceHints } from "./hints.ts";
import type { DeviceMetrics } from "./metrics.ts";
import type { DeviceRegistry } from "./registry.ts";

/** What it works with. */
export interface GiverParts {
  readonly registry: DeviceRegistry;
  readonly allocations: Allocations;
  readonly metrics: DeviceMetrics;
  readonly gate: Gate;
  /** NUMA nodes of the machine. */
  readonly nodes: Nodes;
  /** Pods that may have something running; undefined while it is not known of all. */
  readonly pods: () => readonly Pod[] | undefined;
  /** Keeps who has what. @throws Error */
  readonly keep: () => void;
}

const NONE: ReadonlySet<string> = new Set();
const ANYWHERE: Hint = { nodes: undefined, preferred: false };
const uidOf = (pod: Pod): string => pod.metadata?.uid ?? "";

/** See the top of the file. */
export class DeviceGiver {
  /** What init containers had of the pod that came last, by resource. */
  #reusable = { uid: "", ids: new Map<string, ReadonlySet<string>>() };
  #turn: Promise<unknown> = Promise.resolve();

  constructor(readonly parts: GiverParts) {}

  /** Where devices of a container can be had. */
  hints(pod: Pod, container: Container): Hints {
    const uid = uidOf(pod);
    return this.#hints(
      uid,
      amountsOf(container.resources?.limits),
      (resource) => this.parts.allocations.ids(uid, container.name, resource) ?? NONE,
      (resource) => this.#reusableOf(uid, resource),
    );
  }

  /** Where those of a whole pod can be had. */
  podHints(pod: Pod): Hints {
    const uid = uidOf(pod), wanted = podLimits(pod, this.parts.gate, false);
    return this.#hints(uid, wanted, (resource) => this.parts.allocations.ofPod(uid, resource), () => NONE);
  }

  /** Gives a container what it asks for; one that has it keeps it. One after the other. @throws Error that says why not */
  allocate(pod: Pod, container: Container, { nodes }: Hint): Promise<void> {
    const turn = this.#turn.then(() => this.#allocate(pod, container, nodes));
    this.#turn = turn.catch(() => {});
    return turn;
  }

  /** What a container is made with; its devices are prepared for the start. @throws Error */
  async of(pod: Pod, container: AnyContainer): Promise<ContainerDevices> {
    const { registry, allocations, pods } = this.parts, uid = uidOf(pod);
    let lacks = false;
    for (const [resource] of this.#wanted(amountsOf(container.resources?.limits))) {
      const stock = registry.stock(resource), ids = allocations.ids(uid, container.name, resource);
      if (!stock) throw new Error(`endpoint not found in cache for a registered resource: ${resource}`);
      if (stock.plugin?.preparesStart) {
        if (!ids) {
          throw new Error(
            `no devices found allocated in local cache for pod ${uid}, container ${container.name}, resource ${resource}`,
          );
        }
        await stock.plugin.prepareStart([...ids]);
      }
      lacks ||= ids === undefined;
    }
    if (lacks && (pods() ?? [pod]).some((one) => uidOf(one) === uid)) {
      await this.allocate(pod, container as Container, ANYWHERE);
    }
    return containerDevices(allocations.of(uid, container.name).values());
  }

  /** How devices of a container are, by resource, in order. */
  health(uid: string, container: string): readonly ResourceStatus[] {
    const given = [...this.parts.allocations.of(uid, container)].sort(([a], [b]) => a < b ? -1 : 1);
    return given.map(([name, one]) => {
      const devices = this.parts.registry.stock(name)?.devices;
      return {
        name,
        resources: [...idsOf(one)].sort().map((resourceID) => ({
          resourceID,
          health: devices?.get(resourceID)?.healthy === false ? "Unhealthy" : "Healthy",
        })),
      };
    });
  }

  /** The node as a pod that has devices sees it: what is given is there, whatever became of the plugin. */
  seenBy(pod: Pod, node: Node): Node {
    const { allocations } = this.parts;
    if (!allocations.hasPod(uidOf(pod))) return node;
    const allocatable = { ...node.status?.allocatable };
    for (const [resource, { size }] of allocations.used()) {
      if (Number(allocatable[resource] ?? 0) < size) allocatable[resource] = `${size}`;
    }
    return { ...node, status: { ...node.status, allocatable } };
  }

  /** Takes back what pods had that are no more. @param coming is not among the others yet */
  release(coming?: string): void {
    const pods = this.parts.pods();
    if (!pods) return;
    const kept = new Set([...pods.map(uidOf), coming]);
    this.parts.allocations.keep((uid) => kept.has(uid));
  }

  /** Of amounts those that are of devices, and not nothing. */
  #wanted(amounts: Amounts): readonly (readonly [resource: string, count: number])[] {
    const { registry, allocations } = this.parts, used = allocations.used();
    return [...amounts].map(([resource, q]) => [resource, Number(q.value())] as const)
      .filter(([resource, count]) => count > 0 && (registry.stock(resource) || used.has(resource)));
  }

  #hints(
    uid: string,
    amounts: Amounts,
    had: (resource: string) => ReadonlySet<string>,
    reusableOf: (resource: string) => ReadonlySet<string>,
  ): Hints {
    this.release(uid);
    const { registry, allocations, nodes } = this.parts, used = allocations.used();
    const out = new Map<string, readonly Hint[]>();
    for (const [resource, count] of this.#wanted(amounts)) {
      const stock = registry.stock(resource);
      // What lies nowhere can be had anywhere.
      if (!stock?.isPlaced) continue;
      const ids = had(resource), { devices } = stock;
      const [free, reusable] = ids.size > 0
        ? [ids, NONE]
        : [stock.healthy.difference(used.get(resource) ?? NONE), reusableOf(resource)];
      const enough = ids.size > 0 ? ids.size === count : free.union(reusable).size >= count;
      out.set(resource, enough ? deviceHints({ devices, nodes, free, reusable, count }) : []);
    }
    return out;
  }

  #reusableOf(uid: string, resource: string): ReadonlySet<string> {
    return this.#reusable.uid === uid ? this.#reusable.ids.get(resource) ?? NONE : NONE;
  }

  async #allocate(pod: Pod, container: Container, nodes: Nodes | undefined): Promise<void> {
    const { allocations, keep } = this.parts, uid = uidOf(pod);
    if (this.#reusable.uid !== uid) this.#reusable = { uid, ids: new Map() };
    this.release(uid);
    let given = false;
    try {
      for (const [resource, count] of this.#wanted(amountsOf(container.resources?.limits))) {
        given = await this.#give({ uid, container: container.name, resource }, count, nodes) || given;
      }
    } finally {
      if (given) keep();
    }
    const passes = (pod.spec?.initContainers ?? []).some((c) => c.name === container.name) &&
      !isSidecar(pod, container);
    for (const [resource, one] of allocations.of(uid, container.name)) {
      const was = this.#reusableOf(uid, resource), ids = idsOf(one);
      this.#reusable.ids.set(resource, passes ? was.union(ids) : was.difference(ids));
    }
  }

  /** Whether something was given. @throws Error */
  async #give(whose: Whose, count: number, nodes: Nodes | undefined): Promise<boolean> {
    const { registry, allocations, metrics } = this.parts, { uid, container, resource } = whose;
    const had = allocations.ids(uid, container, resource), stock = registry.stock(resource);
    if (had && had.size !== count) {
      const [pod, name, of] = [uid, container, resource].map((text) => JSON.stringify(text));
      throw new Error(`pod ${pod} container ${name} changed request for resource ${of} from ${had.size} to ${count}`);
    }
    if (!stock) throw new Error(`cannot allocate unregistered device ${resource}`);
    if (stock.healthy.size === 0) {
      throw new Error(`no healthy devices present; cannot allocate unhealthy devices ${resource}`);
    }
    if (!(had ?? NONE).isSubsetOf(stock.healthy)) {
      throw new Error(
        `previously allocated devices are no longer healthy; cannot allocate unhealthy devices ${resource}`,
      );
    }
    if (had) return false;
    const plugin = stock.plugin!, used = allocations.used().get(resource) ?? NONE;
    const ids = await choose({
      resource,
      count,
      reusable: this.#reusableOf(uid, resource),
      free: [...stock.devices.values()].filter(({ id, healthy }) => healthy && !used.has(id)),
      nodes: stock.isPlaced ? nodes : undefined,
      prefer: (preference) => plugin.prefer(preference),
    });
    const done = metrics.allocating(resource);
    const allocation = await plugin.allocate(ids).finally(done);
    const byNode = new Map<number, string[]>();
    for (const id of ids) {
      const lies = stock.devices.get(id)?.nodes ?? [];
      for (const node of lies.length > 0 ? lies : [NO_NODE]) byNode.set(node, [...byNode.get(node) ?? [], id]);
    }
    allocations.add({ ...whose, byNode, allocation });
    return true;
  }
}

interface Whose {
  readonly uid: string;
  readonly container: string;
  readonly resource: string;
}
