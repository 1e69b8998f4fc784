/** Control groups of pods, and limits of their containers. */
import type { Pod } from "../../schema/api/core_v1.ts";
import type { LogLine } from "../../schema/log/log.ts";
import type { Product } from "../../schema/product.ts";
import type { LinuxContainerResources } from "../runtime/types.ts";
import type { AnyContainer, Clock, Events, GroupMemory, PodRef, Resources, SandboxLimits } from "../types.ts";
import { allocatableOf, amountSettings, reservation, reservedOf } from "./allocatable.ts";
import { amount, type Amounts, containersOf, type Gate } from "./amounts.ts";
import { classGroups, classSettings, parseQosReserved } from "./class_groups.ts";
import { containerLimits, type ContainerTerms, type Pinned, sandboxLimits } from "./container_limits.ts";
import { type Driver, DRIVERS, type GroupName, parseGroupPath } from "./group_names.ts";
import type { Hierarchy } from "./hierarchy.ts";
import { CGROUP_V1_WARNING, checkHost, type HostOptions, tuneKernel } from "./host_checks.ts";
import { capacityOf, type KernelRoots, type Machine, pageSizes, parseCpuList } from "./machine.ts";
import type { MemoryQos } from "./memory_qos.ts";
import { type EnforcementOptions, enforceReservations } from "./enforce.ts";
import { podSettings } from "./pod_settings.ts";
import { gatherSystem, joinGroup, limitOpenFiles, setScore } from "./processes.ts";
import { qosOf } from "./qos.ts";
import type { GroupSettings } from "./settings.ts";

/** Options that the groups follow. */
export interface ResourceOptions extends HostOptions, EnforcementOptions, MemoryQos {
  readonly cgroupDriver: string;
  readonly cgroupRoot: string;
  readonly cgroupsPerQos: boolean;
  readonly cpuCfsQuota: boolean;
  /** ms */
  readonly cpuCfsQuotaPeriod: number;
  readonly podMaxPids: number;
  readonly qosReserved: Readonly<Record<string, string>>;
  readonly systemCgroups: string;
  readonly kubeletCgroups: string;
  readonly oomScoreAdj: number;
  readonly maxOpenFiles: number;
  /** `LimitedSwap`: containers of class Burstable may swap, with cgroup v2. */
  readonly swapBehavior?: string;
}

/** Processors and memory that managers give to containers. */
export interface Pins {
  of(pod: Pod, container: AnyContainer): Pinned;
}

/** What it works with. */
export interface ResourceParts {
  readonly product: Product;
  readonly gate: Gate;
  readonly hierarchy: Hierarchy;
  readonly machine: Machine;
  readonly roots: KernelRoots;
  /** Pods that may have something running. */
  readonly pods: () => readonly Pod[];
  readonly pins?: Pins;
  readonly events: Events;
  readonly log: LogLine;
  readonly clock: Clock;
}

/** Group of all pods, below `--cgroup-root`. */
const PODS = "kubepods";
const POD = "pod";
const EVERY = 60_000;

/** See {@linkcode Resources}. */
export class PodResources implements Resources {
  readonly #options: ResourceOptions;
  readonly #parts: ResourceParts;
  readonly #driver: Driver;
  readonly #root: GroupName;
  readonly #terms: ContainerTerms;
  readonly #memoryReserved: number | undefined;
  #limited = false;
  /** What pods may have together. */
  readonly allocatable: Amounts;

  /** @throws Error and ValueError for options that say nothing */
  constructor(options: ResourceOptions, parts: ResourceParts) {
    this.#options = options;
    this.#parts = parts;
    const driver = DRIVERS[options.cgroupDriver];
    if (!driver) {
      throw new Error(`--cgroup-driver: ${JSON.stringify(options.cgroupDriver)} is neither cgroupfs nor systemd`);
    }
    this.#driver = driver;
    this.#root = [...parseGroupPath(options.cgroupRoot), ...options.cgroupsPerQos ? [PODS] : []];
    this.#memoryReserved = parseQosReserved(options.qosReserved);
    const { machine, hierarchy } = parts;
    const reserved = reservedOf(options, parseCpuList(options.reservedCpus));
    const capacity = capacityOf(machine), enforced = options.enforceNodeAllocatable.includes("pods");
    this.allocatable = enforced ? allocatableOf(capacity, reservation(reserved)) : capacity;
    this.#terms = {
      gate: parts.gate,
      product: parts.product,
      version: hierarchy.version,
      cpuCfsQuota: options.cpuCfsQuota,
      cpuCfsQuotaPeriod: options.cpuCfsQuotaPeriod,
      podMaxPids: options.podMaxPids,
      memoryQos: options,
      pageSizes: pageSizes(machine),
      memory: machine.memory,
      allocatableMemory: Number(amount(this.allocatable, "memory").value()),
      swapLimits: hierarchy.swapLimits,
      swap: options.swapBehavior === "LimitedSwap" ? machine.swap : 0,
      singleProcessOOMKill: options.singleProcessOOMKill ?? false,
    };
  }

  /** The path of the group of all pods, as statistics are read from it. */
  get root(): string {
    return this.#driver.path(this.#root);
  }

  /** Checks the host, sets the kernel and makes the groups of all pods. @throws Error: the agent must not start */
  async start(): Promise<void> {
    const { hierarchy, roots, log, events } = this.#parts, options = this.#options;
    await checkHost(hierarchy, options, roots.proc);
    if (hierarchy.version === 1) {
      log("warn", CGROUP_V1_WARNING);
      events.node("Warning", "CgroupV1", CGROUP_V1_WARNING);
    }
    if (options.systemCgroups === "/") throw new Error(`system container cannot be root ("/")`);
    await tuneKernel(options, roots.proc);
    await limitOpenFiles(options.maxOpenFiles).catch((e) =>
      log("error", "failed to set the limit of open files", e.message)
    );
    if (options.cgroupsPerQos && this.#driver.own) await this.#makeGroups();
    await enforceReservations(options, this.#driver, this.#parts);
    await this.#settle();
  }

  async #makeGroups(): Promise<void> {
    const { hierarchy } = this.#parts;
    const above = this.#driver.path(parseGroupPath(this.#options.cgroupRoot));
    const missing = await hierarchy.missing(above);
    if (missing.length > 0) {
      throw new Error(`invalid configuration: cgroup ${above} has some missing paths: ${missing.join(", ")}`);
    }
    for (const name of Object.values(classGroups(this.#root))) await hierarchy.make(this.#driver.path(name));
    await this.#limitPods();
    await this.#updateClasses();
  }

  /** Done until it is: pods that use more must first be evicted. */
  async #limitPods(): Promise<void> {
    if (this.#limited || !this.#options.cgroupsPerQos || !this.#driver.own) return;
    const { hierarchy, events } = this.#parts;
    try {
      await hierarchy.set(this.root, amountSettings(this.allocatable, false));
      this.#limited = true;
      events.node("Normal", "NodeAllocatableEnforced", "Updated Node Allocatable limit across pods");
    } catch (e) {
      const message = `Failed to update Node Allocatable Limits ${JSON.stringify(this.#root)}: ${(e as Error).message}`;
      events.node("Warning", "FailedNodeAllocatableEnforcement", message);
    }
  }

  /** Keeps the groups as they must be until the signal ends it. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    for (await clock.wait(EVERY, signal); !signal.aborted; await clock.wait(EVERY, signal)) {
      await this.#limitPods();
      await this.#updateClasses();
      if (this.#options.kubeletCgroups !== "" || this.#options.systemCgroups !== "") await this.#settle();
    }
  }

  async #settle(): Promise<void> {
    const { hierarchy, roots, log } = this.#parts, { kubeletCgroups, oomScoreAdj, systemCgroups } = this.#options;
    await setScore(oomScoreAdj, roots.proc).catch((e) => log("warn", "the agent's own score cannot be set", e.message));
    if (kubeletCgroups !== "") {
      await joinGroup(hierarchy, kubeletCgroups, roots.proc)
        .catch((e) => log("warn", `the agent cannot be put into ${kubeletCgroups}`, e.message));
    }
    if (systemCgroups === "") return;
    await gatherSystem(hierarchy, systemCgroups, roots.proc)
      .catch((e) => log("warn", `processes of the system cannot all be put into ${systemCgroups}`, e.message));
  }

  async #updateClasses(): Promise<void> {
    if (!this.#options.cgroupsPerQos || !this.#driver.own) return;
    const { log, pods } = this.#parts;
    const terms = { ...this.#terms, allocatable: this.allocatable, memoryReserved: this.#memoryReserved };
    try {
      const settings = classSettings(pods(), terms);
      const groups = classGroups(this.#root);
      for (const qos of ["Guaranteed", "Burstable", "BestEffort"] as const) {
        await this.#setClass(this.#driver.path(groups[qos]), settings[qos]);
      }
    } catch (e) {
      log("warn", "groups of pods by class cannot be set", e);
    }
  }

  // What is in use above a limit makes the kernel refuse it: then the use is the limit, so that it does not grow.
  async #setClass(path: string, settings: GroupSettings): Promise<void> {
    const { hierarchy } = this.#parts;
    await hierarchy.set(path, settings).catch(async (e) => {
      const used = await hierarchy.memoryUsed(path);
      if (settings.memory === undefined || used === undefined || used <= settings.memory) throw e;
      await hierarchy.set(path, { ...settings, memory: used });
    });
  }

  #pinned = (pod: Pod) => (container: AnyContainer): Pinned | undefined => this.#parts.pins?.of(pod, container);

  /** Whether each of the pod's containers has processors of its own. */
  #unlimitedCpu(pod: Pod): boolean {
    const { gate } = this.#parts;
    return gate("DisableCPUQuotaWithExclusiveCPUs") &&
      containersOf(pod).some((container) => this.#pinned(pod)(container)?.exclusive);
  }

  #path = (pod: Pod): string =>
    this.#driver.path([...classGroups(this.#root)[qosOf(pod, this.#parts.gate)], `${POD}${pod.metadata!.uid}`]);

  async pod(pod: Pod): Promise<string> {
    if (!this.#options.cgroupsPerQos) return "";
    const path = this.#path(pod), { hierarchy, log } = this.#parts;
    if (!this.#driver.own) return path;
    const isNew = (await hierarchy.missing(path)).length > 0;
    await hierarchy.make(path);
    await hierarchy.set(path, podSettings(pod, this.#terms, this.#unlimitedCpu(pod)))
      .catch((e) =>
        log("warn", `limits of pod ${pod.metadata?.namespace}/${pod.metadata?.name} cannot be set`, e.message)
      );
    if (isNew) await this.#updateClasses();
    return path;
  }

  async memory(pod: Pod): Promise<GroupMemory | undefined> {
    if (!this.#options.cgroupsPerQos || !this.#driver.own) return undefined;
    const path = this.#path(pod), { hierarchy } = this.#parts;
    const used = await hierarchy.memoryUsed(path);
    if (used === undefined) return undefined;
    return { wanted: podSettings(pod, this.#terms).memory, limit: await hierarchy.memoryLimit(path), used };
  }

  /** How many processes and threads a pod has; undefined: it has no group that tells. */
  async tasks(pod: Pod): Promise<number | undefined> {
    return this.#options.cgroupsPerQos ? await this.#parts.hierarchy.tasks(this.#path(pod)) : undefined;
  }

  async release({ uid }: PodRef): Promise<void> {
    await this.#remove(uid);
    await this.#updateClasses();
  }

  async #remove(uid: string): Promise<void> {
    if (!this.#options.cgroupsPerQos) return;
    const { hierarchy, clock } = this.#parts;
    for (const above of Object.values(classGroups(this.#root))) {
      await hierarchy.remove(this.#driver.path([...above, `${POD}${uid}`]), clock);
    }
  }

  async removeOrphans(isGone: (uid: string) => boolean): Promise<void> {
    if (!this.#options.cgroupsPerQos) return;
    const { hierarchy, log } = this.#parts, uids = new Set<string>();
    for (const above of Object.values(classGroups(this.#root))) {
      for (const child of await hierarchy.children(this.#driver.path(above))) {
        const last = this.#driver.parse(child).at(-1) ?? "";
        if (last.startsWith(POD)) uids.add(last.slice(POD.length));
      }
    }
    for (const uid of uids) {
      if (isGone(uid)) await this.#remove(uid).catch((e) => log("warn", `the group of orphaned pod ${uid} stays`, e));
    }
  }

  container(pod: Pod, container: AnyContainer): LinuxContainerResources {
    return containerLimits(pod, container, this.#terms, this.#pinned(pod)(container));
  }

  sandbox(pod: Pod): SandboxLimits {
    return sandboxLimits(pod, this.#terms, this.#unlimitedCpu(pod));
  }
}
