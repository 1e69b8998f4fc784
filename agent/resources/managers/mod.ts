/** Processors and memory that containers do not share, close to one another. */
import type { Container, Pod } from "../../../schema/api/core_v1.ts";
import type { LogLine } from "../../../schema/log/log.ts";
import type { Runtime, RuntimeContainer } from "../../runtime/types.ts";
import type { AnyContainer, Clock, Refusal } from "../../types.ts";
import { amount, type Amounts, amountsOf, containersOf, type Gate } from "../amounts.ts";
import type { Pinned } from "../container_limits.ts";
import { cpuListText, parseCpuList } from "../machine.ts";
import { parseCpuOptions } from "./cpu_options.ts";
import { type CpuState, StaticCpus } from "./cpu_policy.ts";
import {
  type Hint,
  type Hints,
  mergeHints,
  parseTopologyOptions,
  TOPOLOGY_POLICIES,
  type TopologyOptions,
  type TopologyPolicy,
} from "./hints.ts";
import { type Block, checkReserved, type NodeState } from "./memory_nodes.ts";
import { StaticMemory } from "./memory_policy.ts";
import { refusalOf, Refused } from "./refused.ts";
import { readState, writeState } from "./state_file.ts";
import type { Topology } from "./topology.ts";

/** Options that they follow. */
export interface ManagerOptions {
  readonly cpuManagerPolicy: string;
  readonly cpuManagerPolicyOptions: Readonly<Record<string, string>>;
  /** ms */
  readonly cpuManagerReconcilePeriod: number;
  readonly memoryManagerPolicy: string;
  readonly topologyManagerPolicy: string;
  readonly topologyManagerPolicyOptions: Readonly<Record<string, string>>;
  readonly topologyManagerScope: string;
  readonly reservedCpus: string;
  readonly reservedMemory: readonly { readonly numaNode: number; readonly limits: Readonly<Record<string, string>> }[];
  readonly rootDir: string;
}

/** Devices, as far as they are to lie near. */
export interface DeviceManager {
  hints(pod: Pod, container: Container): Hints;
  podHints(pod: Pod): Hints;
  /** Gives a container its devices; one that has them keeps them. @throws Error that says why not */
  allocate(pod: Pod, container: Container, hint: Hint): Promise<void>;
}

/** What they work with. */
export interface ManagerParts {
  readonly gate: Gate;
  readonly topology: Topology;
  /** What is kept from pods, with what hard eviction keeps free. */
  readonly reservation: Amounts;
  /** Pods that may have something running; undefined while it is not known of all. */
  readonly pods: () => readonly Pod[] | undefined;
  readonly runtime: Pick<Runtime, "listContainers" | "updateContainerResources">;
  readonly devices: DeviceManager;
  /** Whose container it is. */
  readonly owner: (container: RuntimeContainer) => { readonly uid: string; readonly container: string } | undefined;
  readonly clock: Clock;
  readonly log: LogLine;
}

const MISPLACED = new Refused("TopologyAffinityError", "Resources cannot be allocated with Topology locality");
const ANYWHERE: Hint = { nodes: undefined, preferred: false };

/** See the top of the file. With no policy they give nothing and keep nothing but their files. */
export class Managers {
  readonly #options: ManagerOptions;
  readonly #parts: ManagerParts;
  readonly #policy: TopologyPolicy;
  readonly #placing: TopologyOptions;
  readonly #cpus: StaticCpus | undefined;
  readonly #memory: StaticMemory | undefined;
  /** What containers were told last, by id. */
  #told = new Map<string, string>();
  #written = new Map<string, string>();

  /** Takes up what was kept. @throws Error for options and files that do not fit */
  constructor(options: ManagerOptions, parts: ManagerParts) {
    this.#options = options;
    this.#parts = parts;
    const { gate, topology, reservation } = parts;
    this.#policy = known("--topology-manager-policy", options.topologyManagerPolicy, TOPOLOGY_POLICIES);
    known("--topology-manager-scope", options.topologyManagerScope, ["container", "pod"]);
    this.#placing = parseTopologyOptions(options.topologyManagerPolicyOptions);
    if (this.#policy !== "none" && topology.nodes.length > this.#placing.mostNodes) {
      throw new Error(`unsupported on machines with more than ${this.#placing.mostNodes} NUMA Nodes`);
    }
    const cpus = parseCpuOptions(options.cpuManagerPolicyOptions, gate);
    if (known("--cpu-manager-policy", options.cpuManagerPolicy, ["none", "static"]) === "static") {
      if (cpus.bySocket && this.#policy === "single-numa-node") {
        throw new Error(
          "Topology manager single-numa-node policy is incompatible with CPUManager align-by-socket policy option",
        );
      }
      const count = Math.ceil(Number(amount(reservation, "cpu").milliValue()) / 1000),
        own = parseCpuList(options.reservedCpus);
      if (own.length === 0 && count === 0) {
        throw new Error(
          "[cpumanager] the static policy requires systemreserved.cpu + kubereserved.cpu to be greater than zero",
        );
      }
      this.#cpus = new StaticCpus(topology, own.length > 0 ? new Set(own) : count, cpus, gate);
    } else if (Object.keys(options.cpuManagerPolicyOptions).length > 0) {
      throw new Error("none policy: received unsupported options for --cpu-manager-policy-options");
    }
    if (known("--memory-manager-policy", options.memoryManagerPolicy, ["None", "Static"]) === "Static") {
      const reserved = new Map(options.reservedMemory.map((r) => [r.numaNode, amountsOf(r.limits)] as const));
      checkReserved(reserved, topology.nodes, reservation);
      this.#memory = new StaticMemory(topology.nodes, reserved, gate);
    }
    this.#restore();
    this.#keep();
  }

  #path = (name: string): string => `${this.#options.rootDir}/${name}`;

  #restore(): void {
    const { cpuManagerPolicy, memoryManagerPolicy } = this.#options;
    const cpus = readState(this.#path("cpu_manager_state"), cpuManagerPolicy);
    if (cpus) this.#cpus?.restore(cpuState(cpus));
    const memory = readState(this.#path("memory_manager_state"), memoryManagerPolicy);
    if (!memory) return;
    const nodes = Object.entries((memory["machineState"] ?? {}) as Record<string, NodeState>);
    this.#memory?.restore(
      new Map(nodes.map(([id, node]) => [Number(id), node])),
      mapsOf((memory["entries"] ?? {}) as Record<string, Record<string, readonly Block[]>>),
    );
  }

  #keep(): void {
    const { cpuManagerPolicy, memoryManagerPolicy } = this.#options;
    const { shared, assigned } = this.#cpus?.state ?? { shared: new Set<number>(), assigned: new Map() };
    const memory = this.#memory;
    const files = {
      cpu_manager_state: {
        policyName: cpuManagerPolicy,
        defaultCpuSet: cpuListText(shared),
        entries: objectsOf(assigned, (cpus) => cpuListText(cpus)),
      },
      memory_manager_state: {
        policyName: memoryManagerPolicy,
        machineState: Object.fromEntries(memory?.nodes ?? []),
        entries: objectsOf(memory?.blocks ?? new Map(), (blocks) => blocks),
      },
    };
    for (const [name, kept] of Object.entries(files)) {
      const text = JSON.stringify(kept);
      if (this.#written.get(name) === text) continue;
      writeState(this.#path(name), kept);
      this.#written.set(name, text);
    }
  }

  /** Gives a new pod what is its own. A pod that has it already keeps it. */
  take = async (pod: Pod): Promise<Refusal | undefined> => {
    try {
      for (const step of this.#give(pod, this.#parts.devices)) await step;
      return undefined;
    } catch (e) {
      return refusalOf(e);
    } finally {
      this.#keep();
    }
  };

  /** The same of a pod that has its devices, or needs none. */
  admit = (pod: Pod): Refusal | undefined => {
    try {
      for (const _ of this.#give(pod, undefined));
      return undefined;
    } catch (e) {
      return refusalOf(e);
    } finally {
      this.#keep();
    }
  };

  /** Step by step: each is to be waited for. @throws Error */
  *#give(pod: Pod, devices: DeviceManager | undefined): Generator<Promise<void>, void> {
    const cpus = this.#cpus, memory = this.#memory;
    this.#release(pod);
    const whole = this.#policy !== "none" && this.#options.topologyManagerScope === "pod"
      ? this.#hint([devices?.podHints(pod), cpus?.podHints(pod), memory?.podHints(pod)])
      : undefined;
    for (const container of containersOf(pod)) {
      const hint = whole ??
        this.#hint([devices?.hints(pod, container), cpus?.hints(pod, container), memory?.hints(pod, container)]);
      if (devices) yield devices.allocate(pod, container, hint);
      cpus?.allocate(pod, container, hint.nodes);
      memory?.allocate(pod, container, hint);
    }
  }

  #hint(given: Parameters<typeof mergeHints>[3]): Hint {
    if (this.#policy === "none") return ANYWHERE;
    const { hint, admitted } = mergeHints(this.#policy, this.#parts.topology.nodes, this.#placing, given);
    if (!admitted) throw MISPLACED;
    return hint;
  }

  /** Takes back what pods had that are no more. @param coming is not among the others yet */
  #release(coming?: Pod): void {
    const pods = this.#parts.pods();
    if (!pods) return;
    const all = coming ? [...pods, coming] : pods;
    const names = new Map(all.map((pod) => [pod.metadata?.uid ?? "", new Set(containersOf(pod).map((c) => c.name))]));
    const isKept = (uid: string, container: string) => names.get(uid)?.has(container) ?? false;
    this.#cpus?.release(isKept);
    this.#memory?.release(isKept);
  }

  /** Processors that no other container has. */
  cpusOf(pod: Pod, container: Container): readonly number[] {
    const own = this.#cpus?.of(pod.metadata?.uid ?? "", container.name);
    return own && this.#cpus!.wanted(pod, container) > 0 ? [...own] : [];
  }

  /** Memory that is set aside for a container. */
  memoryOf(pod: Pod, container: Container): readonly Block[] {
    return this.#memory?.blocks.get(pod.metadata?.uid ?? "")?.get(container.name) ?? [];
  }

  /** All that containers may have of their own. */
  allocatable(): { readonly cpus: readonly number[]; readonly memory: readonly Block[] } {
    return { cpus: [...this.#cpus?.allocatable ?? []], memory: this.#memory?.allocatable ?? [] };
  }

  /** What a container is to be told. */
  of(pod: Pod, container: AnyContainer): Pinned {
    const uid = pod.metadata?.uid ?? "", own = this.#cpus?.of(uid, container.name);
    return {
      cpus: cpuListText(own ?? this.#cpus?.state.shared ?? []),
      mems: cpuListText(this.#memory?.of(uid, container.name) ?? []),
      exclusive: own !== undefined && (this.#cpus?.wanted(pod, container as Container) ?? 0) > 0,
    };
  }

  /** Tells containers that run of processors that they have no more, or have again, until the signal ends it. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts, period = this.#options.cpuManagerReconcilePeriod;
    while (this.#cpus && !signal.aborted) {
      await this.reconcile().catch((e) => log("warn", "processors of containers cannot be brought up to date", e));
      await clock.wait(period, signal);
    }
  }

  /** One round of {@linkcode run}. */
  async reconcile(): Promise<void> {
    const { runtime, owner, log } = this.#parts;
    this.#release();
    this.#keep();
    const running = (await runtime.listContainers()).filter((c) => c.state === "RUNNING");
    const told = new Map<string, string>();
    for (const container of running) {
      const whose = owner(container);
      if (!whose) continue;
      const cpus = cpuListText(this.#cpus?.of(whose.uid, whose.container) ?? this.#cpus?.state.shared ?? []);
      if (cpus === "") continue;
      try {
        if (this.#told.get(container.id) !== cpus) {
          await runtime.updateContainerResources(container.id, { cpusetCpus: cpus });
        }
        told.set(container.id, cpus);
      } catch (e) {
        log("warn", `processors of container ${container.id} cannot be set`, e);
      }
    }
    this.#told = told;
  }
}

function known<T extends string>(option: string, value: string, all: readonly T[]): T {
  const found = all.find((one) => one === value);
  if (found !== undefined) return found;
  throw new Error(`${option}: unknown policy: ${JSON.stringify(value)}`);
}

function cpuState(kept: Readonly<Record<string, unknown>>): CpuState {
  const set = (text: unknown) => new Set(parseCpuList(String(text ?? "")));
  const entries = mapsOf((kept["entries"] ?? {}) as Record<string, Record<string, string>>);
  const assigned = [...entries].map(([uid, of]) =>
    [uid, new Map([...of].map(([name, text]) => [name, set(text)] as const))] as const
  );
  return { shared: set(kept["defaultCpuSet"]), assigned: new Map(assigned) };
}

const mapsOf = <T>(entries: Readonly<Record<string, Readonly<Record<string, T>>>>): Map<string, Map<string, T>> =>
  new Map(Object.entries(entries).map(([uid, of]) => [uid, new Map(Object.entries(of))]));

const objectsOf = <T, O>(maps: ReadonlyMap<string, ReadonlyMap<string, T>>, shown: (value: T) => O) =>
  Object.fromEntries(
    [...maps].map(([uid, of]) => [uid, Object.fromEntries([...of].map(([name, value]) => [name, shown(value)]))]),
  );
