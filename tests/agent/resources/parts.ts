/** What tests of control groups need: pods, options, fake kernels. */
import type { Container, Pod, PodSpec } from "../../../schema/api/core_v1.ts";
import { productOf } from "../../../schema/product.ts";
import type { Hierarchy } from "../../../agent/resources/hierarchy.ts";
import { readMachine } from "../../../agent/resources/machine.ts";
import { PodResources, type ResourceOptions, type ResourceParts } from "../../../agent/resources/mod.ts";
import type { DeviceManager } from "../../../agent/resources/managers/mod.ts";
import type { Clock } from "../../../agent/types.ts";

/** Gates as they are by default. */
export const gate = (name: string): boolean => name !== "QOSReserved";

/** Waits as long as it is told. */
export const clock: Clock = {
  now: () => Date.now(),
  ticks: () => Date.now(),
  wait: (ms) => new Promise((done) => setTimeout(done, ms)),
};

/** Machines without any. */
export const NO_DEVICES: DeviceManager = {
  hints: () => undefined,
  podHints: () => undefined,
  allocate: () => Promise.resolve(),
};

type List = Record<string, string>;

/** A container that asks for and is limited to so much. */
export const container = (name: string, requests?: List, limits?: List, more: Partial<Container> = {}): Container => ({
  name,
  resources: { ...requests && { requests }, ...limits && { limits } },
  ...more,
});

/** A pod of such containers. */
export const podOf = (uid: string, containers: Container[], spec: Partial<PodSpec> = {}): Pod => ({
  metadata: { namespace: "default", name: `pod-${uid}`, uid },
  spec: { containers, ...spec },
});

export const OPTIONS: ResourceOptions = {
  cgroupDriver: "cgroupfs",
  cgroupRoot: "/",
  cgroupsPerQos: true,
  cpuCfsQuota: true,
  cpuCfsQuotaPeriod: 100,
  podMaxPids: -1,
  qosReserved: {},
  enforceNodeAllocatable: ["pods"],
  systemReserved: {},
  orchReserved: {},
  reservedCpus: "",
  systemReservedCgroup: "",
  orchReservedCgroup: "",
  systemCgroups: "",
  kubeletCgroups: "",
  oomScoreAdj: -999,
  maxOpenFiles: Number(/^Max open files +\d+ +(\d+)/m.exec(Deno.readTextFileSync("/proc/self/limits"))?.[1]),
  failCgroupv1: false,
  failSwapOn: true,
  protectKernelDefaults: false,
};

/** Files below a directory. */
export async function files(root: string, texts: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(texts)) {
    await Deno.mkdir(`${root}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.writeTextFile(`${root}/${path}`, text);
  }
}

/** A kernel with 4 processors, 4 GiB, 100 pages of 2 MiB, 32768 processes. */
export async function fakeKernel(): Promise<string> {
  const root = await Deno.makeTempDir({ prefix: "orchlet-" });
  await files(root, {
    "proc/meminfo": "MemTotal:        4194304 kB\nMemFree:  1 kB\nSwapTotal:             0 kB\n",
    "proc/swaps": "Filename\tType\tSize\tUsed\tPriority\n",
    "proc/sys/kernel/pid_max": "4194304\n",
    "proc/sys/kernel/threads-max": "32768\n",
    "proc/sys/vm/overcommit_memory": "0\n",
    "proc/sys/vm/panic_on_oom": "0\n",
    "proc/sys/kernel/panic": "0\n",
    "proc/sys/kernel/panic_on_oops": "0\n",
    "proc/sys/kernel/keys/root_maxkeys": "1000000\n",
    "proc/sys/kernel/keys/root_maxbytes": "25000000\n",
    "sys/devices/system/cpu/online": "0-3\n",
    "sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages": "100\n",
  });
  return root;
}

/** Resources on a fake kernel, with what it said. */
export async function resourcesOn(
  kernel: string,
  hierarchy: Hierarchy,
  options: Partial<ResourceOptions> = {},
  more: Partial<ResourceParts> = {},
): Promise<{ resources: PodResources; pods: Pod[]; events: string[]; logged: string[] }> {
  const roots = { proc: `${kernel}/proc`, sys: `${kernel}/sys` };
  const pods: Pod[] = [], events: string[] = [], logged: string[] = [];
  const resources = new PodResources({ ...OPTIONS, ...options }, {
    product: productOf("kubernetes"),
    gate,
    hierarchy,
    machine: await readMachine(roots),
    roots,
    pods: () => pods,
    events: { pod: () => {}, node: (type, reason, message) => void events.push(`${type} ${reason} ${message}`) },
    log: (level, text, detail) => void logged.push(`${level} ${text} ${(detail as Error)?.message ?? ""}`),
    clock,
    ...more,
  });
  return { resources, pods, events, logged };
}
