/** Options of the node agent about processors and memory of their own, by their rows. */
import assert from "node:assert/strict";
import type { Container } from "../../schema/api/core_v1.ts";
import { until } from "../listen/_fixture.ts";
import { type HostParts, onHost, sized, withHost } from "./_host.ts";
import { faultsOf } from "./_orchlet.ts";
import { spec } from "./_spec.ts";

const Mi = 2 ** 20;
const STATIC = "--cpu-manager-policy=static";
const OWN = { cpu: "1", memory: "256Mi" };

/** A machine whose processors are two by two on NUMA nodes, and siblings of one core. */
const NODES: Readonly<Record<string, string>> = Object.fromEntries([
  ["sys/devices/system/node/online", "0-1\n"],
  ...[0, 1].flatMap((node) => [
    [`sys/devices/system/node/node${node}/cpulist`, `${node * 2}-${node * 2 + 1}\n`],
    [`sys/devices/system/node/node${node}/meminfo`, `Node ${node} MemTotal: 2097152 kB\n`],
    [`sys/devices/system/node/node${node}/distance`, node === 0 ? "10 21\n" : "21 10\n"],
  ]),
  ...[0, 1, 2, 3].map((cpu) => [
    `sys/devices/system/cpu/cpu${cpu}/topology/core_cpus_list`,
    cpu < 2 ? "0-1\n" : "2-3\n",
  ]),
]);

/** Processors and memory nodes of each container of a pod, or why the node does not take it. */
async function pinned(flags: readonly string[], containers: readonly Container[], o: HostParts = {}) {
  let found: string | Record<string, string> | undefined;
  await withHost(flags, async ({ pod, memory }) => {
    const all = () => containers.every(({ name }) => memory.container(name)?.state === "RUNNING");
    const { status } = await pod("p-localhost", ({ status }) => status?.phase === "Failed" || all());
    found = status?.phase === "Failed" ? status.reason : Object.fromEntries(containers.map(({ name }) => {
      const { cpusetCpus = "", cpusetMems = "" } = memory.container(name)!.config.linux!.resources!;
      return [name, [cpusetCpus, cpusetMems].join(" ").trim()];
    }));
  }, { texts: NODES, pods: { p: { containers: [...containers] } }, ...o });
  return found!;
}

const WIDE = [sized("a", { cpu: "3", memory: "256Mi" })];
const ALIGNED = [STATIC, "--reserved-cpus=0"];
const MEMORY = [
  "--memory-manager-policy=Static",
  "--system-reserved=memory=512Mi",
  "--reserved-memory=0:memory=256Mi",
  "--reserved-memory=1:memory=256Mi",
];

spec(
  "Node agent options",
  onHost({
    "--cpu-manager-policy": async () => {
      assert.deepEqual(await pinned(ALIGNED, [sized("a", OWN), sized("b")]), { a: "0-3", b: "0-3" });
      assert.deepEqual(await pinned(ALIGNED, [sized("a", OWN)]), { a: "1" });
      assert.deepEqual(await pinned([], [sized("a", OWN)]), { a: "" });
      await assert.rejects(withHost([STATIC], async () => {}), /to be greater than zero/);
      assert.match(faultsOf("--cpu-manager-policy=some"), /cpu-manager-policy/);
    },
    "--cpu-manager-policy-options": async () => {
      const whole = [STATIC, "--reserved-cpus=0-1", "--cpu-manager-policy-options=full-pcpus-only=true"];
      assert.equal(await pinned(whole, [sized("a", OWN)]), "SMTAlignmentError");
      assert.deepEqual(await pinned(whole, [sized("a", { ...OWN, cpu: "2" })]), { a: "2-3" });
      await assert.rejects(withHost([...ALIGNED, "--cpu-manager-policy-options=other=true"], async () => {}), /other/);
    },
    "--cpu-manager-reconcile-period": async () => {
      // Who shares processors is told of those that another has taken, as often as that.
      await withHost([...ALIGNED, "--cpu-manager-reconcile-period=20ms"], async ({ running, put, memory }) => {
        const { id } = await running("shared");
        await put("own", { containers: [sized("own", { ...OWN, cpu: "2" })] });
        await running("own");
        await until(
          "it is told",
          () => memory.updates.some(([to, { cpusetCpus }]) => to === id && cpusetCpus === "0-1"),
        );
      }, { texts: NODES, pods: { shared: {} } });
      const waits: number[] = [];
      await withHost(
        [...ALIGNED, "--cpu-manager-reconcile-period=7001ms"],
        () => until("it waits", () => waits.includes(7001)),
        {
          base: (base) => ({
            ...base,
            clock: {
              now: () => base.clock.now(),
              ticks: () => base.clock.ticks(),
              wait: (ms, signal) => (waits.push(ms), base.clock.wait(ms, signal)),
            },
          }),
        },
      );
    },
    "--memory-manager-policy": async () => {
      const asks = { cpu: "100m", memory: "1Gi" };
      assert.deepEqual(await pinned(MEMORY, [sized("a", asks)]), { a: "0" });
      assert.deepEqual(await pinned([], [sized("a", asks)]), { a: "" });
      // What fits on none alone is taken from both.
      assert.deepEqual(await pinned(MEMORY, [sized("a", { cpu: "100m", memory: "3Gi" })]), { a: "0-1" });
    },
    "--topology-manager-policy": async () => {
      for (const policy of ["none", "best-effort"]) {
        const taken = await pinned([...ALIGNED, `--topology-manager-policy=${policy}`], WIDE);
        assert.deepEqual(taken, { a: "1-3" }, policy);
      }
      const two = [sized("a", { cpu: "2", memory: "256Mi" })], one = "--topology-manager-policy=single-numa-node";
      assert.deepEqual(await pinned([...ALIGNED, one], two), { a: "2-3" });
      assert.equal(await pinned([...ALIGNED, one], WIDE), "TopologyAffinityError");
      // It lies on more nodes than it must, where the first processor is kept from pods on each of them.
      const each = [STATIC, "--reserved-cpus=0,2"];
      assert.equal(await pinned([...each, "--topology-manager-policy=restricted"], two), "TopologyAffinityError");
      assert.deepEqual(await pinned([...each, "--topology-manager-policy=best-effort"], two), { a: "1,3" });
    },
    "--topology-manager-policy-options": async () => {
      const nine = Object.fromEntries([
        ["sys/devices/system/node/online", "0-8\n"],
        ...Array.from(
          { length: 9 },
          (_, node) => [`sys/devices/system/node/node${node}/cpulist`, node < 4 ? `${node}\n` : "\n"],
        ),
      ]);
      const flags = ["--topology-manager-policy=best-effort"], o = { texts: nine };
      await assert.rejects(withHost(flags, async () => {}, o), /more than 8 NUMA Nodes/);
      const more = "--topology-manager-policy-options=max-allowable-numa-nodes=9";
      await withHost([...flags, more], async () => {}, o);
    },
    "--topology-manager-scope": async () => {
      const both = [sized("a", OWN), sized("b", OWN)], one = "--topology-manager-policy=single-numa-node";
      assert.deepEqual(await pinned([...ALIGNED, one], both), { a: "1", b: "2" });
      assert.deepEqual(await pinned([...ALIGNED, one, "--topology-manager-scope=pod"], both), { a: "2", b: "3" });
    },
    "--reserved-memory": async () => {
      await withHost(MEMORY, async ({ dir }) => {
        const { machineState } = JSON.parse(await Deno.readTextFile(`${dir}/lib/memory_manager_state`));
        const { systemReserved, allocatable } = machineState[1].memoryMap.memory;
        assert.deepEqual([systemReserved, allocatable], [256 * Mi, (2048 - 256) * Mi]);
      }, { texts: NODES });
      const less = MEMORY.map((flag) => flag.replace("1:memory=256Mi", "1:memory=128Mi"));
      await assert.rejects(withHost(less, async () => {}, { texts: NODES }), /is not equal to the value "512Mi"/);
      assert.equal(faultsOf("--reserved-memory=0:memory=1Gi"), "", "other policies give nothing of it");
    },
  }),
);
