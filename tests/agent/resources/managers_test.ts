import assert from "node:assert/strict";
import type { PodSpec } from "../../../schema/api/core_v1.ts";
import { amountsOf } from "../../../agent/resources/amounts.ts";
import { parseCpuOptions } from "../../../agent/resources/managers/cpu_options.ts";
import { StaticCpus } from "../../../agent/resources/managers/cpu_policy.ts";
import { mergeHints, parseTopologyOptions } from "../../../agent/resources/managers/hints.ts";
import { type ManagerOptions, Managers } from "../../../agent/resources/managers/mod.ts";
import { readState, writeState } from "../../../agent/resources/managers/state_file.ts";
import { takePacked, takeSpread } from "../../../agent/resources/managers/take.ts";
import { type Cpu, type MemoryNode, readTopology, Topology } from "../../../agent/resources/managers/topology.ts";
import { cpuListText, readMachine } from "../../../agent/resources/machine.ts";
import type { RuntimeContainer } from "../../../agent/runtime/types.ts";
import type { Pod } from "../../../schema/api/core_v1.ts";
import { clock, container, fakeKernel, files, gate, NO_DEVICES, podOf } from "./parts.ts";

const Gi = 2 ** 30;

/** Sockets of nodes of cores of two threads, numbered as kernels do: first all first threads. */
function machine(sockets: number, nodesEach: number, coresEach: number): Topology {
  const cores = sockets * nodesEach * coresEach;
  const cpus = Array.from({ length: cores * 2 }, (_, id): Cpu => {
    const core = id % cores, node = Math.floor(core / coresEach);
    return { id, core, cache: node, node, socket: Math.floor(node / nodesEach) };
  });
  const nodes = Array.from({ length: sockets * nodesEach }, (_, id): MemoryNode => ({
    id,
    memory: 4 * Gi,
    hugePages: [],
    distances: Array.from({ length: sockets * nodesEach }, (_, to) => id === to ? 10 : 20 + Math.abs(id - to)),
  }));
  return new Topology(cpus, nodes);
}

const PLAIN = { spreadCores: false, alignCaches: false };
const options = (o: Record<string, string> = {}) => parseCpuOptions(o, () => true);

// What is expected here and below was compared with the public agent's own functions on many thousand random machines.
Deno.test("managers: processors close to one another, packed or spread", () => {
  const m = machine(2, 1, 4), all = m.all;
  const packed = (free: Iterable<number>, n: number, o = PLAIN) => cpuListText(takePacked(m, new Set(free), n, o));
  assert.equal(packed(all, 2), "0,8");
  assert.equal(packed(all, 3), "0-1,8");
  assert.equal(packed(all, 8), "0-3,8-11");
  assert.equal(packed(all.difference(new Set([0])), 2), "1,9");
  assert.equal(packed(all.difference(new Set([0])), 1), "8");
  assert.equal(packed(all, 3, { ...PLAIN, spreadCores: true }), "0-2");
  assert.throws(() => packed([1], 2), /not enough cpus available to satisfy request: requested=2, available=1/);
  const spread = (free: Iterable<number>, n: number, group = 1) =>
    cpuListText(takeSpread(m, new Set(free), n, group, false, PLAIN));
  assert.equal(spread(all, 4), "0-1,8-9");
  assert.equal(spread(all, 10), "0-2,4-6,8-9,12-13");
  assert.equal(spread(all.difference(new Set([0, 8, 4, 12])), 8, 2), "1-2,5-6,9-10,13-14");
});

Deno.test("managers: options that mean nothing, or clash, or are not mature enough", () => {
  const cpu = (o: Record<string, string>, on = true) => () => parseCpuOptions(o, () => on);
  assert.throws(cpu({ fast: "true" }), /unknown CPU Manager Policy option: "fast"/);
  assert.throws(cpu({ "align-by-socket": "true" }, false), /Alpha-level Options not enabled/);
  assert.throws(cpu({ "full-pcpus-only": "yes" }), /bad value for option "full-pcpus-only"/);
  assert.throws(
    cpu({ "full-pcpus-only": "true", "distribute-cpus-across-cores": "1" }),
    /can not be used at the same time/,
  );
  assert.equal(parseCpuOptions({ "strict-cpu-reservation": "true" }, gate).strictReservation, true);
  assert.throws(() => parseTopologyOptions({ "max-allowable-numa-nodes": "4" }), /should not be less than 8/);
  assert.throws(() => parseTopologyOptions({ other: "1" }), /unknown Topology Manager Policy option/);
  assert.deepEqual(parseTopologyOptions({ "prefer-closest-numa-nodes": "true" }), { closest: true, mostNodes: 8 });
});

Deno.test("managers: hints of several resources become one by each policy", () => {
  const { nodes } = machine(2, 2, 1);
  const none = { closest: false, mostNodes: 8 };
  const hints = (name: string, ...list: [number[], boolean][]) =>
    new Map([[name, list.map(([n, preferred]) => ({ nodes: n, preferred }))]]);
  const cpu = hints("cpu", [[0], true], [[1], true], [[0, 1], false]);
  const near = hints("memory", [[1], true], [[0, 1], false]), far = hints("memory", [[2], true]);
  const of = (
    policy: "best-effort" | "restricted" | "single-numa-node",
    ...given: Parameters<typeof mergeHints>[3]
  ) => {
    const { hint, admitted } = mergeHints(policy, nodes, none, given);
    return `${hint.nodes ?? "any"} ${hint.preferred} ${admitted}`;
  };
  assert.equal(of("restricted", cpu, near), "1 true true");
  assert.equal(of("best-effort", cpu, far), "0,1,2,3 false true");
  assert.equal(of("restricted", cpu, far), "0,1,2,3 false false");
  assert.equal(of("single-numa-node", hints("cpu", [[0, 1], true])), "any false false");
  assert.equal(of("single-numa-node", undefined, undefined), "any true true");
  assert.equal(of("restricted", new Map([["cpu", []]])), "0,1,2,3 false false");
  const pairs = hints("cpu", [[0, 3], true], [[2, 3], true]);
  assert.deepEqual(mergeHints("best-effort", nodes, { ...none, closest: true }, [pairs]).hint.nodes, [2, 3]);
  assert.deepEqual(mergeHints("best-effort", nodes, none, [pairs]).hint.nodes, [0, 3]);
});

const sized = (uid: string, cpu: string, memory = "1Gi", spec: Partial<PodSpec> = {}): Pod =>
  podOf(uid, [container("c", { cpu, memory }, { cpu, memory })], spec);

Deno.test("managers: whole processors for the highest class; what init containers had is had again; whole cores only", () => {
  const cpus = new StaticCpus(machine(1, 1, 4), 1, options(), gate);
  const give = (pod: Pod) => {
    for (const c of [...pod.spec!.initContainers ?? [], ...pod.spec!.containers!]) cpus.allocate(pod, c, undefined);
    return cpuListText(cpus.of(pod.metadata!.uid!, "c") ?? []);
  };
  assert.equal(give(sized("half", "500m")), "");
  assert.equal(give(podOf("burst", [container("c", { cpu: "1" }, { cpu: "2" })])), "");
  assert.equal(give(sized("two", "2")), "1,5");
  assert.equal(give(sized("two", "2")), "1,5");
  const size = { cpu: "2", memory: "1Gi" };
  assert.equal(give(sized("init", "2", "1Gi", { initContainers: [container("i", size, size)] })), "2,6");
  assert.equal(cpuListText(cpus.state.shared), "0,3-4,7");
  assert.throws(() => give(sized("many", "4")), /requested=4, available=3/);
  cpus.release((uid) => uid === "init");
  assert.equal(cpuListText(cpus.state.shared), "0-1,3-5,7");

  const whole = new StaticCpus(machine(1, 1, 4), new Set([0]), options({ "full-pcpus-only": "true" }), gate);
  const odd = sized("odd", "3"), much = sized("much", "8");
  assert.throws(() => whole.allocate(odd, odd.spec!.containers![0]!, undefined), {
    reason: "SMTAlignmentError",
    message: "SMT Alignment Error: requested 3 cpus not multiple cpus per core = 2",
  });
  assert.throws(() => whole.allocate(much, much.spec!.containers![0]!, undefined), /available physical CPUs = 6/);
  const strict = new StaticCpus(machine(1, 1, 4), new Set([0, 4]), options({ "strict-cpu-reservation": "true" }), gate);
  assert.equal(cpuListText(strict.state.shared), "1-3,5-7");
  assert.throws(
    () => strict.restore({ shared: strict.topology.all, assigned: new Map() }),
    /some of strictly reserved cpus/,
  );
  assert.throws(
    () => cpus.restore({ shared: new Set([1]), assigned: new Map() }),
    /not all reserved cpus: "0" are present/,
  );
  assert.throws(
    () => cpus.restore({ shared: new Set([0, 1]), assigned: new Map([["u", new Map([["c", new Set([1])]])]]) }),
    /pod: u, container: c cpuset: "1" overlaps with default cpuset "0-1"/,
  );
  assert.throws(
    () => cpus.restore({ shared: new Set([0, 1]), assigned: new Map() }),
    /current set of available CPUs "0-7" doesn't match/,
  );
});

const OPTIONS: Omit<ManagerOptions, "rootDir"> = {
  cpuManagerPolicy: "static",
  cpuManagerPolicyOptions: {},
  cpuManagerReconcilePeriod: 10_000,
  memoryManagerPolicy: "Static",
  topologyManagerPolicy: "single-numa-node",
  topologyManagerPolicyOptions: {},
  topologyManagerScope: "container",
  reservedCpus: "0,4",
  reservedMemory: [{ numaNode: 0, limits: { memory: "1Gi" } }, { numaNode: 1, limits: { memory: "1Gi" } }],
};

/** Managers of a machine of two nodes of two cores, with what the runtime was told. */
async function managers(more: Partial<ManagerOptions> = {}, pods: Pod[] = [], devices = NO_DEVICES) {
  const rootDir = more.rootDir ?? await Deno.makeTempDir({ prefix: "orchlet-" });
  const told: string[] = [], containers: Partial<RuntimeContainer>[] = [];
  const all = new Managers({ ...OPTIONS, ...more, rootDir }, {
    gate,
    topology: machine(2, 1, 2),
    reservation: amountsOf({ cpu: "2", memory: "2Gi" }),
    pods: () => pods,
    devices,
    runtime: {
      listContainers: async () => containers as RuntimeContainer[],
      updateContainerResources: async (id, { cpusetCpus }) => void told.push(`${id} ${cpusetCpus}`),
    },
    owner: ({ podSandboxId, metadata }) => ({ uid: podSandboxId, container: metadata.name }),
    clock,
    log: (_level, text) => void told.push(text),
  });
  const admit = (pod: Pod) => {
    const refusal = all.admit(pod);
    if (!refusal) pods.push(pod);
    return refusal && `${refusal.reason}: ${refusal.message}`;
  };
  const pinned = (pod: Pod) => {
    const { cpus, mems, exclusive } = all.of(pod, pod.spec!.containers![0]!);
    return `${cpus} ${mems} ${exclusive}`;
  };
  return { all, rootDir, told, containers, pods, admit, pinned };
}

Deno.test("managers: processors and memory on one node, kept over a restart, refused with the public reasons, told to containers", async () => {
  const m = await managers();
  const a = sized("a", "1"), b = sized("b", "2", "2Gi"), shared = podOf("s", [container("c")]);
  assert.deepEqual([a, b, shared].map(m.admit), [undefined, undefined, undefined]);
  assert.deepEqual([a, b, shared].map(m.pinned), ["1 0 true", "2,6 1 true", "0,3-5,7  false"]);
  assert.equal(m.admit(sized("c", "4")), "TopologyAffinityError: Resources cannot be allocated with Topology locality");
  const kept = JSON.parse(await Deno.readTextFile(`${m.rootDir}/cpu_manager_state`));
  assert.equal(kept.policyName, "static");
  assert.deepEqual(Object.keys(kept.entries), ["a", "b"]);

  const again = await managers({ rootDir: m.rootDir }, m.pods);
  assert.deepEqual([a, b, shared].map(again.pinned), [a, b, shared].map(m.pinned));
  again.containers.push(
    { id: "1", podSandboxId: "a", metadata: { name: "c", attempt: 0 }, state: "RUNNING" },
    { id: "2", podSandboxId: "s", metadata: { name: "c", attempt: 0 }, state: "RUNNING" },
    { id: "3", podSandboxId: "s", metadata: { name: "d", attempt: 0 }, state: "EXITED" },
  );
  await again.all.reconcile();
  await again.all.reconcile();
  assert.deepEqual(again.told, [`1 ${again.pinned(a).split(" ")[0]}`, `2 ${again.pinned(shared).split(" ")[0]}`]);
  again.pods.splice(0, 2);
  await again.all.reconcile();
  assert.equal(again.told.at(-1), "2 0-7");
  assert.equal(
    JSON.parse(await Deno.readTextFile(`${m.rootDir}/memory_manager_state`)).machineState[0].memoryMap.memory.free,
    3 * Gi,
  );

  await assert.rejects(
    managers({ rootDir: m.rootDir, cpuManagerPolicy: "none" }),
    /configured policy "none" differs from state checkpoint policy "static"/,
  );
  await assert.rejects(
    managers({ rootDir: m.rootDir, reservedMemory: [{ numaNode: 0, limits: { memory: "2Gi" } }] }),
    /the expected machine state is different/,
  );
  await Deno.writeTextFile(
    `${m.rootDir}/cpu_manager_state`,
    JSON.stringify({ ...kept, data: kept.data.replace("static", "none") }),
  );
  await assert.rejects(managers({ rootDir: m.rootDir }), /checkpoint is corrupted, please drain this node/);
  await Deno.remove(m.rootDir, { recursive: true });
});

Deno.test("managers: what init containers had is had again, though another pod is looked at meanwhile", async () => {
  const size = { cpu: "2", memory: "2Gi" }, first = sized("first", "1");
  const coming = sized("coming", "2", "2Gi", { initContainers: [container("i", size, size)] });
  const pods = [first, coming];
  const devices = { ...NO_DEVICES, allocate: async () => void m.all.admit(first) };
  const m = await managers({}, pods, devices);
  assert.equal(m.all.admit(first), undefined);
  assert.equal(await m.all.take(coming), undefined);
  const given = (name: string) => [m.all.of(coming, container(name)).cpus, m.all.of(coming, container(name)).mems];
  assert.deepEqual([given("i"), given("c")], [["2,6", "1"], ["2,6", "1"]]);
  const kept = JSON.parse(await Deno.readTextFile(`${m.rootDir}/memory_manager_state`));
  assert.equal(kept.machineState[1].memoryMap.memory.reserved, 2 * Gi);
  await Deno.remove(m.rootDir, { recursive: true });
});

Deno.test("managers: memory over several nodes serves no single node then; a pod as a whole; without policies nothing", async () => {
  const m = await managers({ cpuManagerPolicy: "none", reservedCpus: "", topologyManagerPolicy: "none" });
  const wide = sized("wide", "100m", "5Gi");
  assert.equal(m.admit(wide), undefined);
  assert.equal(m.pinned(wide), " 0-1 false");
  assert.match(
    m.admit(sized("one", "100m", "2Gi"))!,
    /^UnexpectedAdmissionError: Allocate failed due to \[memorymanager\] failed to get the default NUMA affinity, no NUMA nodes with enough memory is available, which is unexpected$/,
  );
  assert.equal(m.admit(podOf("poor", [container("c")])), undefined);
  const whole = await managers({ topologyManagerScope: "pod", topologyManagerPolicy: "restricted" });
  const size = { cpu: "1", memory: "1Gi" };
  const two = podOf("two", [container("c", size, size), container("d", size, size)]);
  assert.equal(whole.admit(two), undefined);
  const nodes = two.spec!.containers!.map((c) => whole.all.of(two, c).mems);
  assert.equal(nodes[0], nodes[1]);
  const off = await managers({
    ...{ cpuManagerPolicy: "none", memoryManagerPolicy: "None", topologyManagerPolicy: "none", reservedCpus: "" },
  });
  assert.equal(off.admit(wide), undefined);
  assert.equal(off.pinned(wide), "  false");
  const faults: [Partial<ManagerOptions>, RegExp][] = [
    [{ reservedMemory: [] }, /the total amount "0" of type "memory" is not equal to the value "2Gi"/],
    [{ reservedMemory: [{ numaNode: 7, limits: {} }] }, /references a NUMA node 7 that does not exist/],
    [{ cpuManagerPolicy: "other" }, /--cpu-manager-policy: unknown policy: "other"/],
    [{ reservedCpus: "99" }, /reserved cpus 99 are not there/],
  ];
  const rootDir = await Deno.makeTempDir({ prefix: "orchlet-" });
  for (const [o, fault] of faults) await assert.rejects(managers({ ...o, rootDir }), fault);
  for (const d of [m.rootDir, whole.rootDir, off.rootDir, rootDir]) await Deno.remove(d, { recursive: true });
});

Deno.test("managers: the topology that a kernel tells, and the sum of a state's text", async () => {
  const kernel = await fakeKernel(), sys = `${kernel}/sys`;
  const plain = await readTopology(sys, await readMachine({ proc: `${kernel}/proc`, sys }));
  assert.deepEqual([plain.nodes.length, plain.nodes[0]!.memory, plain.groups("core")], [1, 4 * Gi, [0, 1, 2, 3]]);
  const cpu = (id: number, siblings: string) => ({
    [`sys/devices/system/cpu/cpu${id}/topology/core_cpus_list`]: `${siblings}\n`,
    [`sys/devices/system/cpu/cpu${id}/topology/physical_package_id`]: `${id % 2}\n`,
    [`sys/devices/system/node/node${id % 2}/cpulist`]: `${id % 2},${id % 2 + 2}\n`,
  });
  await files(kernel, {
    ...cpu(0, "0,2"),
    ...cpu(1, "1,3"),
    ...cpu(2, "0,2"),
    ...cpu(3, "1,3"),
    "sys/devices/system/node/online": "0-1\n",
    "sys/devices/system/node/node1/meminfo": "Node 1 MemTotal:       2097152 kB\n",
    "sys/devices/system/node/node1/distance": "21 10\n",
    "sys/devices/system/node/node1/hugepages/hugepages-2048kB/nr_hugepages": "5\n",
  });
  const told = await readTopology(sys, await readMachine({ proc: `${kernel}/proc`, sys }));
  assert.deepEqual([told.groups("core"), told.groups("node"), told.groups("socket")], [[0, 1], [0, 1], [0, 1]]);
  assert.deepEqual(told.nodes[1], {
    id: 1,
    memory: 2 * Gi,
    hugePages: [{ size: 2 ** 21, count: 5 }],
    distances: [21, 10],
  });
  assert.equal(told.of(3, "core"), 1);
  const path = `${kernel}/state`, kept = { policyName: "static", defaultCpuSet: "0-3", entries: { u: { c: "1" } } };
  writeState(path, kept);
  assert.equal(JSON.parse(await Deno.readTextFile(path)).dataChecksum, 3891556558);
  assert.deepEqual(readState(path, "static"), kept);
  assert.equal(readState(`${path}.none`, "static"), undefined);
  // As public agents of old wrote it, whose sum is of something else.
  await Deno.writeTextFile(path, JSON.stringify({ ...kept, checksum: 1353318690 }));
  assert.deepEqual(readState(path, "static")?.entries, kept.entries);
  await Deno.writeTextFile(path, JSON.stringify({ ...kept, data: "" }));
  assert.throws(() => readState(path, "static"), /checkpoint is corrupted/);
  await Deno.remove(kernel, { recursive: true });
});
