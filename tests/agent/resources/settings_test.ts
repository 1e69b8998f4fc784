import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { capacityOf, cpuListText, parseCpuList, readMachine } from "../../../agent/resources/machine.ts";
import { allocatableOf, reservation, reservationFault, reservedOf } from "../../../agent/resources/allocatable.ts";
import { classSettings, parseQosReserved } from "../../../agent/resources/class_groups.ts";
import { DRIVERS } from "../../../agent/resources/group_names.ts";
import { Hierarchy } from "../../../agent/resources/hierarchy.ts";
import { checkHost, tuneKernel } from "../../../agent/resources/host_checks.ts";
import type { ResourceOptions } from "../../../agent/resources/mod.ts";
import { podSettings, type PodTerms } from "../../../agent/resources/pod_settings.ts";
import {
  gatherSystem,
  groupOfProcess,
  joinGroup,
  limitOpenFiles,
  setScore,
} from "../../../agent/resources/processes.ts";
import { isCritical, qosOf } from "../../../agent/resources/qos.ts";
import type { Container, PodSpec } from "../../../schema/api/core_v1.ts";
import { productOf } from "../../../schema/product.ts";
import { parseQuantity } from "../../../schema/values/quantity.ts";
import { clock, container, fakeKernel, files, gate, OPTIONS, podOf, resourcesOn } from "./parts.ts";

/** A tree of cgroup v2 in a temporary directory. */
async function fakeV2(): Promise<{ root: string; proc: string; hierarchy: Hierarchy }> {
  const root = await Deno.makeTempDir({ prefix: "orchlet-" });
  await files(root, {
    "cgroup/cgroup.controllers": "cpuset cpu io memory hugetlb pids rdma\n",
    "cgroup/cgroup.subtree_control": "\n",
    "cgroup/own.slice/memory.swap.max": "max\n",
    "proc/self/cgroup": "0::/own.slice\n",
  });
  return {
    root: `${root}/cgroup`,
    proc: `${root}/proc`,
    hierarchy: await Hierarchy.open(`${root}/cgroup`, `${root}/proc`),
  };
}

Deno.test("resources: names of groups by driver", () => {
  const { cgroupfs, systemd } = DRIVERS as Record<string, NonNullable<typeof DRIVERS[string]>>;
  const name = ["kubepods", "burstable", "pod12-ab"];
  assert.equal(cgroupfs!.path(name), "/kubepods/burstable/pod12-ab");
  assert.equal(
    systemd!.path(name),
    "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod12_ab.slice",
  );
  assert.deepEqual(systemd!.parse(systemd!.path(name)), name);
  assert.deepEqual(cgroupfs!.parse(cgroupfs!.path(name)), name);
  assert.deepEqual([cgroupfs!.path([]), systemd!.path([])], ["/", "/"]);
});

Deno.test("resources: with systemd only names are given; without groups by class none is", async () => {
  const kernel = await fakeKernel(), { hierarchy, root, proc } = await fakeV2();
  const slices = await resourcesOn(kernel, hierarchy, { cgroupDriver: "systemd" });
  await slices.resources.start();
  assert.equal(
    await slices.resources.pod(podOf("u-1", [container("a")])),
    "/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-podu_1.slice",
  );
  const flat = await resourcesOn(kernel, hierarchy, { cgroupsPerQos: false, enforceNodeAllocatable: [] });
  await flat.resources.start();
  assert.equal(await flat.resources.pod(podOf("u-1", [container("a")])), "");
  await flat.resources.release({ namespace: "default", name: "x", uid: "u-1" });
  assert.deepEqual([...await hierarchy.children("")], ["own.slice"]);
  await assert.rejects(resourcesOn(kernel, hierarchy, { cgroupDriver: "docker" }), /neither cgroupfs nor systemd/);
  for (const directory of [kernel, root.replace("/cgroup", "")]) await Deno.remove(directory, { recursive: true });
  assert.ok(proc);
});

Deno.test("resources: files of cgroup v2, protected memory, huge pages", async () => {
  const kernel = await fakeKernel(), { hierarchy, root } = await fakeV2();
  const { resources, pods } = await resourcesOn(kernel, hierarchy, {
    memoryReservationPolicy: "TieredReservation",
    memoryThrottlingFactor: 0.5,
  });
  await resources.start();
  const text = (path: string) => Deno.readTextFile(`${root}/kubepods/${path}`);
  const pod = podOf("b1", [
    container("a", { cpu: "1", memory: "64Mi", "hugepages-2Mi": "8Mi" }, { memory: "128Mi", "hugepages-2Mi": "8Mi" }),
  ], { resources: { limits: { cpu: "2", memory: "256Mi" } } });
  pods.push(pod);
  await resources.pod(pod);
  const names = ["cpu.weight", "cpu.max", "memory.max", "memory.low", "memory.high", "hugetlb.2MB.max"];
  assert.deepEqual(await Promise.all(names.map((name) => text(`burstable/podb1/${name}`))), [
    "39",
    "200000 100000",
    String(256 * 2 ** 20),
    String(64 * 2 ** 20),
    String(160 * 2 ** 20),
    String(8 * 2 ** 20),
  ]);
  assert.deepEqual(
    await Promise.all(["memory.max", "cpu.weight", "memory.min", "memory.low"].map(text)),
    [String(4 * 2 ** 30), "157", String(64 * 2 ** 20), String(64 * 2 ** 20)],
  );
  assert.equal(await Deno.readTextFile(`${root}/cgroup.subtree_control`), "+cpuset +cpu +memory +hugetlb +pids");
  assert.deepEqual(resources.container(pod, pod.spec!.containers![0]!), {
    cpuShares: 1024,
    memoryLimitInBytes: 128 * 2 ** 20,
    cpuQuota: 200_000,
    cpuPeriod: 100_000,
    oomScoreAdj: 985,
    hugepageLimits: [{ pageSize: "2MB", limit: 8 * 2 ** 20 }],
    unified: {
      "memory.oom.group": "1",
      "memory.swap.max": "0",
      "memory.low": String(64 * 2 ** 20),
      "memory.high": String(96 * 2 ** 20),
    },
  });
  for (const directory of [kernel, root.replace("/cgroup", "")]) await Deno.remove(directory, { recursive: true });
});

Deno.test("resources: limits of containers on cgroup v1 by class, without quota, pinned", async () => {
  const kernel = await fakeKernel(), root = await Deno.makeTempDir({ prefix: "orchlet-" });
  await files(root, {
    "cpu,cpuacct/cgroup.procs": "",
    "cpuset/cgroup.procs": "",
    "memory/cgroup.procs": "",
    "memory/memory.memsw.limit_in_bytes": "1",
    "unified/cgroup.procs": "",
    "unified/cgroup.controllers": "",
  });
  const hierarchy = await Hierarchy.open(root, root);
  assert.deepEqual([hierarchy.version, [...hierarchy.controllers.keys()]], [1, ["cpu", "cpuacct", "cpuset", "memory"]]);
  const { resources } = await resourcesOn(kernel, hierarchy);
  const rest = { hugepageLimits: [{ pageSize: "2MB", limit: 0 }], cpuPeriod: 100_000 };
  const size = { cpu: "250m", memory: "1Gi" }, bytes = 2 ** 30;
  const first = (pod: ReturnType<typeof podOf>) => resources.container(pod, pod.spec!.containers![0]!);
  assert.deepEqual(first(podOf("1", [container("a", size, size)])), {
    ...{ cpuShares: 256, cpuQuota: 25_000, oomScoreAdj: -997, ...rest },
    ...{ memoryLimitInBytes: bytes, memorySwapLimitInBytes: bytes },
  });
  assert.deepEqual(first(podOf("2", [container("a", { cpu: "1m", memory: "1Gi" })])), {
    ...{ cpuShares: 2, cpuQuota: 0, oomScoreAdj: 750, ...rest },
  });
  const poor = podOf("3", [container("a")]);
  assert.equal(first(poor).oomScoreAdj, 1000);
  assert.equal(resources.container(poor, { name: "debugger", image: "x" }).cpuShares, 2);
  const bounds = ({ cpuShares, cpuQuota, oomScoreAdj }: ReturnType<typeof first>) => [cpuShares, cpuQuota, oomScoreAdj];
  assert.deepEqual(bounds(first(podOf("8", [container("a", { memory: "1" }, { cpu: "1m" })]))), [2, 1000, 999]);
  const most = { cpu: "300", memory: "64Gi" };
  assert.deepEqual(bounds(first(podOf("9", [container("a", most, { memory: "65Gi" })]))), [262_144, 0, 3]);
  const sidecar = container("s", { memory: "1" }, undefined, { restartPolicy: "Always" });
  const helped = podOf("4", [container("a", { memory: "2Gi" })], { initContainers: [sidecar] });
  assert.equal(resources.container(helped, sidecar).oomScoreAdj, 500);
  const critical = podOf("5", [container("a")], { priorityClassName: "system-node-critical", priority: 2_000_001_000 });
  assert.equal(first(critical).oomScoreAdj, -997);
  assert.deepEqual(
    resources.sandbox(podOf("6", [container("a", size, size)], { overhead: { cpu: "100m", memory: "1Mi" } })),
    {
      resources: { cpuShares: 256, cpuQuota: 25_000, cpuPeriod: 100_000, memoryLimitInBytes: bytes },
      overhead: { cpuShares: 102, cpuQuota: 10_000, cpuPeriod: 100_000, memoryLimitInBytes: 2 ** 20 },
    },
  );
  const pinned = await resourcesOn(kernel, hierarchy, { cpuCfsQuotaPeriod: 10 }, {
    pins: { of: () => ({ cpus: "2-3", mems: "0", exclusive: true }) },
  });
  const own = pinned.resources.container(podOf("7", [container("a", size, size)]), container("a", size, size));
  assert.deepEqual([own.cpusetCpus, own.cpusetMems, own.cpuQuota, own.cpuPeriod], ["2-3", "0", -1, 10_000]);
  const free = await resourcesOn(kernel, hierarchy, { cpuCfsQuota: false });
  assert.equal("cpuQuota" in free.resources.container(poor, container("a", size, size)), false);
  for (const directory of [kernel, root]) await Deno.remove(directory, { recursive: true });
});

Deno.test("resources: a pod's class, and whether the node needs it", () => {
  const even = { cpu: "1", memory: "1Gi" }, kubernetes = productOf("kubernetes"), orch = productOf("orch");
  assert.equal(qosOf(podOf("1", [container("a", even, even)]), gate), "Guaranteed");
  assert.equal(qosOf(podOf("1", [container("a", even, even), container("b")]), gate), "Burstable");
  assert.equal(
    qosOf(podOf("1", [container("a")], { resources: { requests: even, limits: even } }), gate),
    "Guaranteed",
  );
  assert.equal(qosOf({ ...podOf("1", []), status: { qosClass: "Burstable" } }, gate), "Burstable");
  const from = (source: string) => ({ spec: { containers: [] }, metadata: { annotations: { [source]: "file" } } });
  assert.ok(isCritical(from("kubernetes.io/config.source"), kubernetes));
  assert.ok(isCritical(from("orch.io/config.source"), orch));
  assert.ok(!isCritical(from("orch.io/config.source"), kubernetes));
});

Deno.test("resources: what is left for pods, and what is reserved beyond what there is", async () => {
  const kernel = await fakeKernel();
  const capacity = capacityOf(await readMachine({ proc: `${kernel}/proc`, sys: `${kernel}/sys` }));
  assert.equal(capacity.get("hugepages-2Mi")?.toString(), "200Mi");
  const reserved = reservedOf(
    { systemReserved: { cpu: "3", memory: "1Gi" }, orchReserved: { cpu: "3", memory: "1Gi" }, reservedCpus: "0-1" },
    parseCpuList("0-1"),
  );
  const left = allocatableOf(capacity, reservation(reserved, new Map([["memory", parseQuantity("100Mi")]])));
  assert.deepEqual([left.get("cpu")?.toString(), left.get("memory")?.toString()], ["2", "1948Mi"]);
  assert.equal(reservationFault(capacity, reservation(reserved)), undefined);
  assert.match(
    reservationFault(capacity, new Map([["cpu", parseQuantity("5")]]))!,
    /Resource "cpu" has a reservation of 5 but capacity of 4\. Expected capacity >= reservation\./,
  );
  assert.deepEqual([...parseCpuList("4,0-2")], [0, 1, 2, 4]);
  assert.equal(cpuListText([4, 2, 0, 1]), "0-2,4");
  assert.throws(() => parseCpuList("3-1"), RangeError);
  assert.equal(parseQosReserved({ memory: "30%" }), 30);
  assert.throws(() => parseQosReserved({ memory: "300%" }), /failed to parse percentage/);
  assert.throws(() => parseQosReserved({ cpu: "30%" }), /cannot reserve "cpu" resource/);
  // Without its gate the option does nothing.
  const terms = { gate, version: 1 as const, pageSizes: [], memoryQos: {}, allocatable: left, memoryReserved: 100 };
  assert.equal(classSettings([], terms).Burstable.memory, undefined);
  assert.equal(classSettings([], { ...terms, gate: () => true }).Burstable.memory, 1948 * 2 ** 20);
  await Deno.remove(kernel, { recursive: true });
});

Deno.test("resources: swap by request, and processes that are killed one by one", async () => {
  const kernel = await fakeKernel(), { hierarchy, root } = await fakeV2();
  const machine = { ...await readMachine({ proc: `${kernel}/proc`, sys: `${kernel}/sys` }), swap: 2 ** 30 };
  const of = async (options: Partial<ResourceOptions>, one: Container, spec: Partial<PodSpec> = {}) => {
    const { resources } = await resourcesOn(kernel, hierarchy, options, { machine });
    const { unified } = resources.container(podOf("u", [one], spec), one);
    return [unified?.["memory.swap.max"], unified?.["memory.oom.group"]];
  };
  const quarter = container("c", { memory: "1Gi" }, { memory: "2Gi" });
  const swapping = { swapBehavior: "LimitedSwap" };
  assert.deepEqual(await of(swapping, quarter), [String(2 ** 28), "1"]);
  assert.deepEqual(await of({ swapBehavior: "NoSwap", singleProcessOOMKill: true }, quarter), ["0", undefined]);
  assert.deepEqual(await of(swapping, quarter, { priority: 2_000_000_000 }), ["0", "1"]);
  const sure = container("c", { memory: "1Gi" }, { memory: "1Gi" });
  for (const one of [sure, container("c"), container("c", { memory: "5Gi" })]) {
    assert.deepEqual(await of(swapping, one), ["0", "1"]);
  }
  for (const directory of [kernel, root.replace("/cgroup", "")]) await Deno.remove(directory, { recursive: true });
});

Deno.test("resources: hosts that are refused, and the kernel's settings", async () => {
  const kernel = await fakeKernel(), proc = `${kernel}/proc`;
  const v1 = { version: 1 } as Hierarchy, v2 = { version: 2 } as Hierarchy;
  await assert.rejects(
    checkHost(v1, { ...OPTIONS, failCgroupv1: true }, proc),
    /configured to not run on a host using cgroup v1.*--fail-cgroupv1=false/,
  );
  await checkHost(v2, { ...OPTIONS, failCgroupv1: true }, proc);
  await assert.rejects(
    checkHost(v1, { ...OPTIONS, singleProcessOOMKill: false }, proc),
    /singleProcessOOMKill must not be explicitly set to false when using cgroup v1/,
  );
  const limited = { ...OPTIONS, swapBehavior: "LimitedSwap" };
  await assert.rejects(checkHost(v1, limited, proc), /LimitedSwap but it is only supported with cgroupv2/);
  await checkHost(v2, limited, proc);
  await Deno.writeTextFile(`${proc}/swaps`, "Filename\n/dev/sda2 partition 1 0 -2\n");
  await assert.rejects(checkHost(v2, OPTIONS, proc), /running with swap on is not supported/);
  await checkHost(v2, { ...OPTIONS, failSwapOn: false }, proc);
  await assert.rejects(
    tuneKernel({ protectKernelDefaults: true }, proc),
    /invalid kernel flag: vm\/overcommit_memory, expected value: 1, actual value: 0, .*kernel\/panic, expected value: 10/,
  );
  await tuneKernel({ protectKernelDefaults: false }, proc);
  assert.equal(await Deno.readTextFile(`${proc}/sys/kernel/panic`), "10");
  await tuneKernel({ protectKernelDefaults: true }, proc);
  await Deno.remove(kernel, { recursive: true });
});

Deno.test("resources: the agent's own process, those of the system, and the limit of open files", async () => {
  const kernel = await fakeKernel(), { hierarchy, root } = await fakeV2(), proc = `${kernel}/proc`;
  for (const pid of ["1", "self", "9999977"]) {
    await Deno.mkdir(`${proc}/${pid}/ns`, { recursive: true });
    await Deno.symlink("pid:[1]", `${proc}/${pid}/ns/pid`);
  }
  await files(proc, { "self/cgroup": "0::/own.slice\n" });
  assert.equal(await groupOfProcess("self", proc, 2), "/own.slice");
  await joinGroup(hierarchy, "/agent", proc);
  await setScore(-999, proc);
  assert.equal(await Deno.readTextFile(`${proc}/self/oom_score_adj`), "-999");
  assert.equal(await Deno.readTextFile(`${root}/agent/cgroup.procs`), String(Deno.pid));
  // A process of the kernel (9999988) stays; here what was moved still seems to be there, so it is moved again and again.
  await Deno.symlink("/bin/true", `${proc}/9999977/exe`);
  await files(root, { "cgroup.procs": "1\n9999977\n9999988\n" });
  await gatherSystem(hierarchy, "/system", proc);
  assert.equal(await Deno.readTextFile(`${root}/system/cgroup.procs`), "9999977");
  await files(proc, { "self/cgroup": "3:cpu,cpuacct:/a\n2:memory:/b\n" });
  assert.equal(await groupOfProcess("self", proc, 1), undefined);
  const child = spawn("sleep", ["1000"]);
  await limitOpenFiles(1234, child.pid!);
  assert.match(await Deno.readTextFile(`/proc/${child.pid}/limits`), /Max open files +1234 +1234/);
  child.kill("SIGKILL");
  await assert.rejects(limitOpenFiles(1, 2 ** 30), { message: /^prlimit: [^\n]+$/ });
  await assert.rejects(hierarchy.set("/none", { memory: 1 }), /memory\.max does not take "1"/);
  await assert.rejects(hierarchy.remove("/system", { ...clock, wait: async () => {} }), /control group \/system stays/);
  for (const directory of [kernel, root.replace("/cgroup", "")]) await Deno.remove(directory, { recursive: true });
});

Deno.test("resources: a pod of the lowest class has the least share, whatever its sandbox takes, and no limit of processes unless one is said", () => {
  const terms: PodTerms = {
    ...{ gate, version: 1 as const, cpuCfsQuota: true, cpuCfsQuotaPeriod: 100, memoryQos: {}, pageSizes: [] },
    podMaxPids: -1,
  };
  const poor = podOf("1", [container("a")], { overhead: { cpu: "250m", memory: "1Gi" } });
  assert.deepEqual(podSettings(poor, terms), { cpuShares: 2, hugePages: new Map(), unified: {} });
  assert.equal(podSettings(poor, { ...terms, podMaxPids: 100 }).pids, 100);
});
