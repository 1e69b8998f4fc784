import assert from "node:assert/strict";
import { Registry } from "prom-client";
import type { Pod, PodSpec } from "../../../schema/api/core_v1.ts";
import { productOf } from "../../../schema/product.ts";
import { decide, first, NOTHING } from "../../../agent/eviction/decide.ts";
import { type EvictionOptions, type EvictionParts, Evictions } from "../../../agent/eviction/mod.ts";
import { evictionCounter } from "../../../agent/eviction/metrics.ts";
import { hasImageFs, observe, type ObserveParts } from "../../../agent/eviction/observe.ts";
import { ranked } from "../../../agent/eviction/rank.ts";
import type { Observations, Signal } from "../../../agent/eviction/signals.ts";
import { parseThresholds } from "../../../agent/eviction/thresholds.ts";
import type { PodUse } from "../../../agent/eviction/usage.ts";
import { Hierarchy } from "../../../agent/resources/hierarchy.ts";
import { readMachine } from "../../../agent/resources/machine.ts";
import { clock, container, fakeKernel, files, gate, podOf } from "../resources/parts.ts";

const Mi = 2 ** 20, Gi = 2 ** 30;
const OPTIONS: EvictionOptions = {
  evictionHard: { "memory.available": "100Mi", "nodefs.available": "10%" },
  evictionSoft: {},
  evictionSoftGracePeriod: {},
  evictionMinimumReclaim: {},
  enforceNodeAllocatable: [],
  evictionMaxPodGracePeriod: 0,
  evictionPressureTransitionPeriod: 300_000,
  localStorageCapacityIsolation: false,
};

const seen = (time: number, rows: Partial<Record<Signal, [available: number, capacity: number]>>): Observations =>
  new Map(
    Object.entries(rows).map(([signal, [available, capacity]]) => [signal as Signal, { available, capacity, time }]),
  );

Deno.test("eviction: thresholds as they are written", () => {
  const of = (o: Partial<EvictionOptions>) => parseThresholds({ ...OPTIONS, evictionHard: {}, ...o });
  const all = of({
    evictionHard: {
      "memory.available": "1Gi",
      "nodefs.available": "10%",
      "pid.available": "0%",
      "imagefs.available": "100%",
      "containerfs.available": "5%",
    },
    evictionSoft: { "memory.available": "2Gi" },
    evictionSoftGracePeriod: { "memory.available": "1m30s" },
    evictionMinimumReclaim: { "memory.available": "500Mi", "nodefs.available": "5%" },
    enforceNodeAllocatable: ["pods"],
  });
  assert.deepEqual(all.map((t) => [t.signal, t.hard, t.grace]), [
    ["memory.available", true, 0],
    ["nodefs.available", true, 0],
    ["memory.available", false, 90_000],
    ["allocatableMemory.available", true, 0],
  ]);
  const reclaim = all[0]!.reclaim!;
  assert.equal("quantity" in reclaim && reclaim.quantity.toString(), "500Mi");
  const faults: [Partial<EvictionOptions>, RegExp][] = [
    [{ evictionHard: { "cpu.available": "1" } }, /unsupported eviction signal cpu.available/],
    [{ evictionHard: { "memory.available": "-1" } }, /must be positive/],
    [{ evictionHard: { "memory.available": "101%" } }, /must be <= 100%/],
    [{ evictionHard: { "memory.available": "x%" } }, /is no percentage/],
    [{ evictionSoft: { "memory.available": "1" } }, /grace period must be specified/],
    [{ evictionMinimumReclaim: { "memory.available": "0%" } }, /must be positive/],
  ];
  for (const [o, fault] of faults) assert.throws(() => of(o), fault);
});

Deno.test("eviction: grace, what must be won back, pressure that is told for a while", () => {
  const thresholds = parseThresholds({
    ...OPTIONS,
    evictionSoft: { "memory.available": "200Mi" },
    evictionSoftGracePeriod: { "memory.available": "30s" },
    evictionMinimumReclaim: { "nodefs.available": "100Mi" },
  });
  const [hard, disk, soft] = thresholds;
  let memory = NOTHING;
  const look = (now: number, free: number, room: number) => {
    const d = decide(
      thresholds,
      seen(now, { "memory.available": [free, Gi], "nodefs.available": [room, Gi] }),
      memory,
      now,
      60_000,
    );
    memory = d.memory;
    return { act: d.act, pressure: d.pressure.join() };
  };
  assert.deepEqual(look(0, 200 * Mi, Gi), { act: [], pressure: "" });
  assert.deepEqual(look(10_000, 150 * Mi, Gi), { act: [], pressure: "MemoryPressure" });
  assert.deepEqual(look(39_000, 150 * Mi, Gi).act, []);
  assert.deepEqual(look(40_000, 150 * Mi, Gi).act, [soft]);
  assert.deepEqual(look(41_000, 50 * Mi, 50 * Mi), {
    act: [hard, disk, soft],
    pressure: "DiskPressure,MemoryPressure",
  });
  assert.equal(first([disk!, soft!]), soft);
  // Above the threshold, but not by as much as must be won back.
  assert.deepEqual(look(42_000, 300 * Mi, 150 * Mi), { act: [disk], pressure: "DiskPressure,MemoryPressure" });
  assert.deepEqual(look(43_000, 300 * Mi, 250 * Mi), { act: [], pressure: "DiskPressure,MemoryPressure" });
  assert.equal(look(101_000, 300 * Mi, 250 * Mi).pressure, "DiskPressure");
  assert.equal(look(102_000, 300 * Mi, 250 * Mi).pressure, "");
  // Crossed anew, its grace begins anew; what was not seen anew since the last look is not acted on.
  assert.deepEqual(look(103_000, 150 * Mi, Gi).act, []);
  const stale = seen(0, { "memory.available": [1, Gi] });
  const once = decide(thresholds, stale, NOTHING, 0, 1);
  assert.deepEqual([once.act.length, decide(thresholds, stale, once.memory, 1, 1).act.length], [1, 0]);
});

const pod = (uid: string, requests?: Record<string, string>, spec: Partial<PodSpec> = {}): Pod =>
  podOf(uid, [container("c", requests)], spec);
const uids = (pods: readonly Pod[]) => pods.map((p) => p.metadata!.uid).join();

Deno.test("eviction: the order in which pods go", () => {
  const pods = [
    pod("within", { memory: "1Gi" }),
    pod("far", { memory: "1Mi" }),
    pod("near", { memory: "499Mi" }),
    pod("important", { memory: "1Mi" }, { priority: 10 }),
    pod("exact", { memory: "500Mi" }),
    pod("unknown"),
  ];
  const uses = new Map(
    pods.slice(0, 5).map((p) => [p.metadata!.uid!, { memory: { workingSetBytes: 500 * Mi } }] as const),
  );
  assert.equal(uids(ranked(pods, "memory.available", uses, false, gate)), "unknown,far,near,important,exact,within");
  const local: Partial<PodSpec> = {
    volumes: [{ name: "v", emptyDir: {} }, { name: "net", nfs: { server: "s", path: "/" } }],
  };
  const disk = [pod("layers"), pod("volume", undefined, local), pod("remote", undefined, local), pod("logs")];
  const of = new Map<string, PodUse>([
    ["layers", { containers: [{ name: "c", rootfs: { usedBytes: 900, inodesUsed: 1 } }] }],
    ["volume", { volume: [{ name: "v", usedBytes: 500, inodesUsed: 9 }] }],
    ["remote", { volume: [{ name: "net", usedBytes: 5000, inodesUsed: 90 }] }],
    ["logs", { containers: [{ name: "c", logs: { usedBytes: 100, inodesUsed: 5 } }] }],
  ]);
  const order = (signal: Signal, imageFs: boolean) => uids(ranked(disk, signal, of, imageFs, gate));
  assert.equal(order("nodefs.available", false), "layers,volume,logs,remote");
  assert.equal(order("nodefs.available", true), "volume,logs,layers,remote");
  assert.equal(order("imagefs.available", true), "layers,volume,remote,logs");
  assert.equal(order("nodefs.inodesFree", false), "volume,logs,layers,remote");
  const many = new Map<string, PodUse>([["a", { process_stats: { process_count: 5 } }], ["b", {
    process_stats: { process_count: 9 },
  }]]);
  assert.equal(uids(ranked([pod("a"), pod("b")], "pid.available", many, false, gate)), "b,a");
});

const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));

/** Evictions of pods on a node that is told what it sees, with what was done. */
function manager(options: Partial<EvictionOptions>, parts: Partial<EvictionParts> & { look: Observations[] }) {
  const done: string[] = [];
  let now = 0;
  const evictions = new Evictions({ ...OPTIONS, ...options }, {
    product: productOf("kubernetes"),
    gate,
    clock: { now: () => now, ticks: () => now += 1000, wait: (_ms, signal) => ended(signal!) },
    events: {
      pod: (p, _type, reason) => void done.push(`event ${reason} ${p.metadata!.uid}`),
      node: (_type, reason, message) => void done.push(`node ${reason} ${message}`),
    },
    log: (level, text) => void done.push(`${level} ${text}`),
    observe: async () => parts.look.length > 1 ? parts.look.shift()! : parts.look[0]!,
    imageFs: async () => false,
    uses: async () => new Map(),
    pods: () => [],
    removeContainers: async () => void done.push("containers"),
    removeImages: async () => void done.push("images"),
    evict: async (p, e) => void done.push(`evict ${p.metadata!.uid} ${e.grace}s ${e.disruption ?? ""} ${e.message}`),
    isGone: () => true,
    counted: (signal) => void done.push(`count ${signal}`),
    ...parts,
  });
  return { evictions, done };
}

Deno.test("eviction: one pod a look, with the public words; critical ones stay", async () => {
  const critical = pod("critical", undefined, { priority: 2_000_000_000 });
  const greedy = pod("greedy", { memory: "10Mi" });
  const use = {
    memory: { workingSetBytes: 64 * Mi },
    containers: [{ name: "c", memory: { workingSetBytes: 64 * Mi } }],
  };
  const { evictions, done } = manager({}, {
    look: [seen(1, { "memory.available": [50 * Mi, Gi] })],
    pods: () => [critical, greedy, pod("modest")],
    uses: async () =>
      new Map<string, PodUse>([["critical", use], ["greedy", use], ["modest", { memory: { workingSetBytes: 0 } }]]),
  });
  assert.equal(uids(await evictions.look()), "greedy");
  assert.deepEqual(evictions.pressure, ["MemoryPressure"]);
  assert.deepEqual(done, [
    "node EvictionThresholdMet Attempting to reclaim memory",
    "event Evicted greedy",
    "count memory.available",
    "evict greedy 1s TerminationByKubelet The node was low on resource: memory. Threshold quantity: 100Mi, available: 50Mi. " +
    "Container c was using 64Mi, request is 10Mi, has larger consumption of memory. ",
  ]);
});

Deno.test("eviction: pods that go are counted by what made them go", async () => {
  const registry = new Registry();
  const low = seen(1, { "memory.available": [50 * Mi, Gi] });
  const { evictions } = manager({}, { look: [low], pods: () => [pod("a")], counted: evictionCounter(registry) });
  await evictions.look();
  assert.match(await registry.metrics(), /^kubelet_evictions\{eviction_signal="memory.available"\} 1$/m);
});

Deno.test("eviction: what nobody needs goes first; soft thresholds give time", async () => {
  const low = seen(1, { "nodefs.available": [1, Gi] }), fine = seen(2, { "nodefs.available": [Gi, Gi] });
  const enough = manager({}, { look: [low, fine], pods: () => [pod("a")] });
  assert.deepEqual(await enough.evictions.look(), []);
  assert.deepEqual(enough.done, [
    "node EvictionThresholdMet Attempting to reclaim ephemeral-storage",
    "containers",
    "images",
  ]);

  // Above the threshold, but not by as much as must be won back.
  const short = { look: [low, seen(2, { "nodefs.available": [150 * Mi, Gi] })], pods: () => [pod("a")] };
  const scarce = manager({ evictionMinimumReclaim: { "nodefs.available": "100Mi" } }, short);
  assert.equal(uids(await scarce.evictions.look()), "a");
  const refuse = () => Promise.reject(new Error("no"));
  const stays = { removeContainers: refuse, removeImages: refuse };
  assert.equal(uids(await manager({}, { look: [low], pods: () => [pod("a")], ...stays }).evictions.look()), "a");

  const apart = manager({}, { look: [low], pods: () => [pod("a")], imageFs: async () => true });
  assert.equal(uids(await apart.evictions.look()), "a");
  assert.ok(!apart.done.includes("images"));

  const grace = async (most: number, asked?: number) => {
    const soft = manager({
      evictionHard: {},
      evictionSoft: { "memory.available": "1Gi" },
      evictionSoftGracePeriod: { "memory.available": "0s" },
      evictionMaxPodGracePeriod: most,
    }, {
      look: [seen(1, { "memory.available": [0, Gi] })],
      pods: () => [pod("a", undefined, asked === undefined ? {} : { terminationGracePeriodSeconds: asked })],
    });
    await soft.evictions.look();
    return /evict a (\d+)s/.exec(soft.done.join("\n"))?.[1];
  };
  assert.deepEqual([await grace(60, 30), await grace(10, 30), await grace(-1, 30), await grace(60)], [
    "30",
    "10",
    "30",
    "60",
  ]);
});

Deno.test("eviction: limits of local storage", async () => {
  const limited = (uid: string, limits: Record<string, string> | undefined, spec: Partial<PodSpec> = {}) =>
    podOf(uid, [container("c", undefined, limits), container("d")], spec);
  const pods = [
    limited("dir", undefined, { volumes: [{ name: "v", emptyDir: { sizeLimit: "1Mi" } }] }),
    limited("container", { "ephemeral-storage": "1Mi" }),
    limited("pod", { "ephemeral-storage": "2Mi" }),
    limited("fine", { "ephemeral-storage": "1Mi" }),
    limited("exact", undefined, {
      volumes: [{ name: "v", emptyDir: { sizeLimit: "1Mi" } }, { name: "w", emptyDir: { sizeLimit: "0" } }],
      initContainers: [{ ...container("i", undefined, { "ephemeral-storage": "1Mi" }) }],
    }),
  ];
  const uses = new Map<string, PodUse>([
    ["dir", { volume: [{ name: "v", usedBytes: Mi + 1 }] }],
    ["container", { containers: [{ name: "c", rootfs: { usedBytes: Mi }, logs: { usedBytes: 1 } }] }],
    ["pod", { "ephemeral-storage": { usedBytes: 3 * Mi } }],
    ["fine", { containers: [{ name: "c", rootfs: { usedBytes: Mi } }, { name: "d", rootfs: { usedBytes: Gi } }] }],
    ["exact", {
      volume: [{ name: "v", usedBytes: Mi }, { name: "w", usedBytes: 1 }],
      containers: [{ name: "i", rootfs: { usedBytes: Gi } }],
    }],
  ]);
  const given = { look: [seen(1, {})], pods: () => pods, uses: async () => uses };
  const { evictions, done } = manager({ localStorageCapacityIsolation: true }, given);
  assert.equal(uids(await evictions.look()), "dir,container,pod");
  assert.deepEqual(done.filter((d) => d.startsWith("evict")), [
    'evict dir 1s  Usage of EmptyDir volume "v" exceeds the limit "1Mi". ',
    'evict container 1s  Container c exceeded its local ephemeral storage limit "1Mi". ',
    "evict pod 1s  Pod ephemeral local storage usage exceeds the total limit of containers 2Mi. ",
  ]);
  assert.deepEqual(done.filter((d) => d.startsWith("count")), [
    "count emptydirfs.limit",
    "count ephemeralcontainerfs.limit",
    "count ephemeralpodfs.limit",
  ]);
  const apart = manager({ localStorageCapacityIsolation: true }, { ...given, imageFs: async () => true });
  assert.equal(uids(await apart.evictions.look()), "dir,pod", "containers do not lie on the node's own file system");
});

Deno.test("eviction: the loop goes on after a fault, waits for what goes, and ends by its signal", async () => {
  const stop = new AbortController(), waits: number[] = [];
  let looks = 0;
  const { evictions, done } = manager({}, {
    look: [seen(1, { "memory.available": [0, Gi] })],
    observe: async () => {
      if (++looks === 1) throw new Error("no");
      return seen(looks, { "memory.available": [0, Gi] });
    },
    pods: () => [pod("a")],
    isGone: () => waits.length > 3,
    clock: {
      now: () => looks,
      ticks: () => looks,
      wait: async (ms, signal) => {
        if (signal !== stop.signal) return await ended(signal!);
        waits.push(ms);
        if (waits.length === 5) stop.abort();
      },
    },
  });
  await evictions.run(stop.signal);
  assert.deepEqual(waits.slice(0, 4), [10_000, 1_000, 1_000, 1_000]);
  assert.ok(done.includes("warn the node's resources cannot be looked at"));
});

Deno.test("eviction: a pod that does not end in time is not waited for", async () => {
  const waits: number[] = [];
  const of = (options: Partial<EvictionOptions>) =>
    manager(options, {
      look: [seen(1, { "memory.available": [0, Gi] })],
      pods: () => [pod("stuck", undefined, { terminationGracePeriodSeconds: 60 })],
      evict: () => new Promise(() => {}),
      clock: { now: () => 0, ticks: () => 0, wait: async (ms) => void waits.push(ms) },
    });
  const { evictions, done } = of({});
  assert.equal(uids(await evictions.look()), "stuck");
  assert.deepEqual(done.slice(-2), ["event ExceededGracePeriod stuck", "warn pod default/pod-stuck has not ended"]);
  const soft = { "memory.available": "1Gi" };
  await of({
    ...{ evictionHard: {}, evictionSoft: soft, evictionSoftGracePeriod: { "memory.available": "0s" } },
    evictionMaxPodGracePeriod: 60,
  }).evictions.look();
  assert.deepEqual(waits, [10_000, 90_000]);
});

Deno.test("eviction: what a kernel tells", async () => {
  const kernel = await fakeKernel(), root = await Deno.makeTempDir({ prefix: "orchlet-" });
  await files(root, {
    "cpu/cgroup.procs": "",
    "cpuacct/cgroup.procs": "",
    "cpuset/cgroup.procs": "",
    "memory/cgroup.procs": "",
    "memory/memory.usage_in_bytes": String(3 * Gi),
    "memory/memory.stat": `cache 1\ninactive_file 7\ntotal_inactive_file ${Gi}\n`,
    "memory/kubepods/memory.usage_in_bytes": String(Gi),
  });
  await files(kernel, { "proc/loadavg": "0.00 0.01 0.05 2/768 12345\n" });
  const proc = `${kernel}/proc`;
  const parts = {
    clock,
    gate: (_: string) => true,
    machine: await readMachine({ proc, sys: `${kernel}/sys` }),
    hierarchy: await Hierarchy.open(root, proc),
    pods: "/kubepods",
    allocatableMemory: 2 * Gi,
    proc,
    rootDir: root,
    imageDir: async () => "/proc",
  };
  const all = await observe(parts);
  const of = (signal: Signal) => [all.get(signal)!.available, all.get(signal)!.capacity];
  assert.deepEqual(of("memory.available"), [2 * Gi, 4 * Gi]);
  assert.deepEqual(of("allocatableMemory.available"), [Gi, 2 * Gi]);
  assert.deepEqual(of("pid.available"), [32768 - 768, 32768]);
  assert.ok(of("nodefs.available")[0]! > 0);
  assert.equal(await hasImageFs(parts), true);

  // What is set aside for huge pages is no group's, and not free either.
  const info = await Deno.readTextFile(`${proc}/meminfo`);
  await Deno.writeTextFile(`${proc}/meminfo`, `${info}Hugetlb: ${Gi / 1024} kB\n`);
  const free = async (own: Partial<ObserveParts>) => (await observe({ ...parts, ...own })).get("memory.available");
  assert.equal((await free({}))!.available, Gi);
  assert.equal((await free({ gate: () => false }))!.available, 2 * Gi);
  assert.equal(await hasImageFs({ rootDir: root, imageDir: async () => undefined }), false);
  const lost = await observe({ ...parts, rootDir: `${root}/none`, pods: undefined });
  assert.deepEqual([...lost.keys()].filter((s) => s.startsWith("nodefs") || s.startsWith("alloc")), []);
  for (const directory of [kernel, root]) await Deno.remove(directory, { recursive: true });
});
