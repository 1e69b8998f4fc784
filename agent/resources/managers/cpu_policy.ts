/** Processors of their own for containers of the highest class that ask for whole ones (`--cpu-manager-policy=static`). */
import type { Container, Pod } from "../../../schema/api/core_v1.ts";
import { amountIn, type Gate, hasPodLevel, isSidecar } from "../amounts.ts";
import { cpuListText } from "../machine.ts";
import { qosOf } from "../qos.ts";
import type { CpuOptions } from "./cpu_options.ts";
import { type Hint, type Hints, nodeChoices, type Nodes } from "./hints.ts";
import { Refused } from "./refused.ts";
import { takePacked, takeSpread } from "./take.ts";
import type { Cpus, Topology } from "./topology.ts";

/** Who has what. */
export interface CpuState {
  /** For all others. */
  readonly shared: Cpus;
  /** By uid, by container's name. */
  readonly assigned: ReadonlyMap<string, ReadonlyMap<string, Cpus>>;
}

const NONE: Cpus = new Set();
const NO_HINT: readonly Hint[] = [];

const isInit = (pod: Pod, container: Container) =>
  (pod.spec?.initContainers ?? []).some((c) => c.name === container.name);

/** See the top of the file. */
export class StaticCpus {
  readonly #reserved: Cpus;
  /** All threads of cores that reserved processors are on. */
  readonly #reservedCores: Cpus;
  #state: CpuState = { shared: NONE, assigned: new Map() };
  /** By uid, what init containers have: what comes after them may have it too. */
  readonly #reusable = new Map<string, Cpus>();

  /** @param reserved those named, or how many. @throws Error: so many there are not */
  constructor(readonly topology: Topology, reserved: Cpus | number, readonly options: CpuOptions, readonly gate: Gate) {
    this.#reserved = typeof reserved === "number" ? this.#take(topology.all, reserved) : reserved;
    const strange = [...this.#reserved].filter((cpu) => !topology.all.has(cpu));
    if (strange.length > 0) throw new Error(`[cpumanager] reserved cpus ${cpuListText(strange)} are not there`);
    const cores = topology.groups("core", this.#reserved);
    this.#reservedCores = topology.within("core", cores);
    const sockets = topology.groups("socket").length;
    if (options.bySocket && sockets > topology.groups("node").length) {
      throw new Error(
        "Align by socket is not compatible with hardware where number of sockets are more than number of NUMA",
      );
    }
    this.#state = { shared: this.#all, assigned: new Map() };
  }

  get #all(): Cpus {
    const { all } = this.topology;
    return this.options.strictReservation ? all.difference(this.#reserved) : all;
  }

  /** Processors that containers may have of their own. */
  get allocatable(): Cpus {
    return this.topology.all.difference(this.#reserved);
  }

  get state(): CpuState {
    return this.#state;
  }

  /** Takes over what was kept. @throws Error: it does not fit this machine or these options */
  restore(state: CpuState): void {
    const { shared, assigned } = state, taken = [...assigned.values()].flatMap((of) => [...of.values()]);
    if (shared.size === 0 && taken.length === 0) return;
    if (shared.size === 0) throw new Error("default cpuset cannot be empty");
    const text = cpuListText, reserved = this.#reserved;
    if (this.options.strictReservation && !reserved.isDisjointFrom(shared)) {
      throw new Error(
        `some of strictly reserved cpus: "${text(reserved)}" are present in defaultCpuSet: "${text(shared)}"`,
      );
    }
    if (!this.options.strictReservation && !reserved.isSubsetOf(shared)) {
      throw new Error(`not all reserved cpus: "${text(reserved)}" are present in defaultCpuSet: "${text(shared)}"`);
    }
    for (const [uid, of] of assigned) {
      for (const [name, cpus] of of) {
        if (cpus.isDisjointFrom(shared)) continue;
        throw new Error(
          `pod: ${uid}, container: ${name} cpuset: "${text(cpus)}" overlaps with default cpuset "${text(shared)}"`,
        );
      }
    }
    const known = taken.reduce((sum, cpus) => sum.union(cpus), shared);
    if (known.size !== this.#all.size || !known.isSubsetOf(this.#all)) {
      throw new Error(
        `current set of available CPUs "${text(this.#all)}" doesn't match with CPUs in state "${text(known)}"`,
      );
    }
    this.#state = state;
  }

  /** Processors of a container alone; undefined: it shares. */
  of(uid: string, container: string): Cpus | undefined {
    return this.#state.assigned.get(uid)?.get(container);
  }

  /** How many processors of its own a container gets. */
  wanted(pod: Pod, container: Container): number {
    if (qosOf(pod, this.gate) !== "Guaranteed" || hasPodLevel(pod, this.gate)) return 0;
    const asked = amountIn(container.resources?.requests, "cpu");
    return asked.exactAt(0) ? Number(asked.value()) : 0;
  }

  #wantedByPod(pod: Pod): number {
    const { initContainers, containers } = pod.spec ?? { containers: [] };
    let sidecars = 0, peak = 0;
    for (const container of initContainers ?? []) {
      const wanted = this.wanted(pod, container);
      if (isSidecar(pod, container)) sidecars += wanted;
      else peak = Math.max(peak, sidecars + wanted);
    }
    return Math.max(peak, (containers ?? []).reduce((sum, c) => sum + this.wanted(pod, c), sidecars));
  }

  #reusableOf = (uid: string): Cpus => this.#reusable.get(uid) ?? NONE;

  get #available(): Cpus {
    return this.#state.shared.difference(this.#reserved);
  }

  /** Where a container's processors can be had. */
  hints(pod: Pod, container: Container): Hints {
    const wanted = this.wanted(pod, container), uid = pod.metadata?.uid ?? "";
    if (wanted === 0) return undefined;
    const has = this.of(uid, container.name);
    if (has && has.size !== wanted) return new Map([["cpu", NO_HINT]]);
    return new Map([[
      "cpu",
      has ? this.#hints(has, NONE, wanted) : this.#hints(this.#available, this.#reusableOf(uid), wanted),
    ]]);
  }

  /** Where those of a whole pod can be had. */
  podHints(pod: Pod): Hints {
    const wanted = this.#wantedByPod(pod), uid = pod.metadata?.uid ?? "";
    if (wanted === 0) return undefined;
    let has = NONE;
    for (const container of [...pod.spec?.initContainers ?? [], ...pod.spec?.containers ?? []]) {
      const cpus = this.of(uid, container.name);
      if (cpus && cpus.size !== this.wanted(pod, container)) return new Map([["cpu", NO_HINT]]);
      has = has.union(cpus ?? NONE);
    }
    const hints = has.size === wanted
      ? this.#hints(has, NONE, wanted)
      : this.#hints(this.#available, this.#reusableOf(uid).union(has), wanted);
    return new Map([["cpu", hints]]);
  }

  #hints(available: Cpus, reusable: Cpus, wanted: number): readonly Hint[] {
    const { topology } = this, nodes = topology.groups("node");
    let least = nodes.length;
    const out: Nodes[] = [];
    for (const choice of nodeChoices(nodes)) {
      if (topology.within("node", choice).size >= wanted) least = Math.min(least, choice.length);
      const kept = topology.within("node", choice, reusable);
      if (kept.size < reusable.size) continue;
      if (kept.size + topology.within("node", choice, available).size >= wanted) out.push(choice);
    }
    const aligned = (choice: Nodes) => this.options.bySocket && this.#isSocketAligned(choice, least);
    return out.map((choice) => ({ nodes: choice, preferred: choice.length === least || aligned(choice) }));
  }

  #isSocketAligned(nodes: Nodes, least: number): boolean {
    const { topology } = this, sockets = topology.groups("socket").length;
    const perSocket = Math.floor(topology.groups("node").length / sockets);
    const used = topology.groups("socket", topology.within("node", nodes)).length;
    return perSocket > 0 && used === Math.ceil(least / perSocket);
  }

  /** Gives a container its processors, on these nodes if they can be had there. @throws Refused and Error: they cannot be had */
  allocate(pod: Pod, container: Container, nodes: Nodes | undefined): void {
    const wanted = this.wanted(pod, container), uid = pod.metadata?.uid ?? "";
    if (wanted === 0) return;
    const had = this.of(uid, container.name);
    if (!had) this.#checkCores(wanted);
    const cpus = had ?? this.#choose(wanted, nodes, this.#reusableOf(uid));
    if (!had) {
      const of = new Map(this.#state.assigned.get(uid)).set(container.name, cpus);
      this.#state = {
        shared: this.#state.shared.difference(cpus),
        assigned: new Map(this.#state.assigned).set(uid, of),
      };
    }
    const reusable = this.#reusableOf(uid);
    const passes = isInit(pod, container) && !isSidecar(pod, container);
    this.#reusable.set(uid, passes ? reusable.union(cpus) : reusable.difference(cpus));
  }

  #checkCores(wanted: number): void {
    if (!this.options.fullCores) return;
    const threads = this.topology.size("core");
    const refused = (message: string) => new Refused("SMTAlignmentError", `SMT Alignment Error: ${message}`);
    if (wanted % threads !== 0) throw refused(`requested ${wanted} cpus not multiple cpus per core = ${threads}`);
    const free = this.#state.shared.difference(this.#reservedCores).size;
    if (wanted <= free) return;
    throw refused(
      `not enough free physical CPUs: available physical CPUs = ${free}, requested CPUs = ${wanted}, CPUs per core = ${threads}`,
    );
  }

  #choose(wanted: number, nodes: Nodes | undefined, reusable: Cpus): Cpus {
    const available = this.#available.union(reusable);
    if (!nodes) return this.#take(available, wanted);
    const { topology } = this;
    const near = this.options.bySocket
      ? topology.within("socket", topology.groups("socket", topology.within("node", nodes)), available)
      : topology.within("node", nodes, available);
    const first = this.#take(near, Math.min(wanted, near.size));
    return first.union(this.#take(available.difference(first), wanted - first.size));
  }

  #take(free: Cpus, wanted: number): Cpus {
    const { topology, options } = this;
    if (!options.spreadNodes) return takePacked(topology, free, wanted, options);
    const group = options.fullCores ? topology.size("core") : 1;
    return takeSpread(topology, free, wanted, group, options.bySocket, options);
  }

  /** Takes back what containers have that are no more. @param isKept of uid and name */
  release(isKept: (uid: string, container: string) => boolean): void {
    const assigned = new Map<string, ReadonlyMap<string, Cpus>>();
    let shared = this.#all;
    for (const [uid, of] of this.#state.assigned) {
      const kept = new Map([...of].filter(([name]) => isKept(uid, name)));
      if (kept.size > 0) assigned.set(uid, kept);
      for (const cpus of kept.values()) shared = shared.difference(cpus);
    }
    this.#state = { shared, assigned };
    for (const uid of this.#reusable.keys()) if (!assigned.has(uid)) this.#reusable.delete(uid);
  }
}
