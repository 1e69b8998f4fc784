/** Options of the node agent about control groups and what pods may have, by their rows: what each changes on a host. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { until } from "../listen/_fixture.ts";
import { onHost, sized, withHost } from "./_host.ts";
import { faultsOf, optionsOf } from "./_orchlet.ts";
import { spec } from "./_spec.ts";
import type { Loose } from "../fixture/loose.ts";

const Gi = 2 ** 30;

/** Resources that a container of a pod was made with. */
const CPU_POD = { a: { containers: [sized("a", { cpu: "500m", memory: "1Gi" })] } };
/** The sandbox's group, and the limits of container `a`. */
async function made(...flags: string[]) {
  let found: { parent: string | undefined; quota: number | undefined; period: number | undefined } | undefined;
  await withHost(flags, async ({ running, memory }) => {
    const { cpuQuota: quota, cpuPeriod: period } = (await running("a")).config.linux!.resources!;
    const { cgroupParent: parent, resources } = memory.sandboxes[0]!.config.linux!;
    // The sandbox is told of the whole, which is this one container.
    assert.deepEqual([resources!.cpuQuota, resources!.cpuPeriod], [quota, period]);
    found = { parent, quota, period };
  }, { pods: CPU_POD });
  return found!;
}

/** What the kernel tells of the runtime's group. */
const GROUPS = {
  "cgroup/cgroup.procs": "",
  "cgroup/r/cpu.stat": "usage_usec 7000\nuser_usec 1\n",
  "cgroup/r/memory.current": "7000\n",
  "cgroup/r/memory.max": "10000\n",
  "cgroup/r/memory.stat": "anon 5000\ninactive_file 1000\npgfault 3\npgmajfault 2\n",
  "cgroup/kubepods/memory.current": "100\n",
};

/** Checks what `/stats/summary` tells of groups that are no pod's. */
async function systemContainers(): Promise<void> {
  const told = async (flags: readonly string[]) => {
    let found: Loose[] = [];
    await withHost(flags, async ({ get }) => {
      const { node } = JSON.parse((await get("/stats/summary")).text);
      found = node.systemContainers;
      const core = JSON.parse((await get("/stats/summary?only_cpu_and_memory=true")).text).node.systemContainers;
      assert.deepEqual(core.map((c: Loose) => c.name), found.map((c) => c.name));
    }, { texts: GROUPS });
    return new Map(found.map(({ name, ...figures }) => [name, figures]));
  };
  const all = await told(["--runtime-cgroups=/r", "--system-cgroups=/s", "--cgroup-root=/", "--kubelet-cgroups=/k"]);
  assert.deepEqual([...all.keys()], ["kubelet", "runtime", "misc", "pods"]);
  const { startTime, cpu, memory } = all.get("runtime")!;
  assert.ok(Date.parse(startTime) > 0 && cpu.time === memory.time);
  assert.equal(cpu.usageCoreNanoSeconds, 7_000_000);
  const { time: _, ...bytes } = memory;
  assert.deepEqual(bytes, {
    availableBytes: 4000,
    usageBytes: 7000,
    workingSetBytes: 6000,
    rssBytes: 5000,
    pageFaults: 3,
    majorPageFaults: 2,
  });
  assert.equal(all.get("pods")!.memory.availableBytes, 4 * Gi - 100);
  assert.deepEqual([...(await told(["--runtime-cgroups=/none"])).keys()].filter((name) => name !== "kubelet"), [
    "pods",
  ]);
}

spec(
  "Node agent options",
  onHost({
    "--runtime-cgroups, --system-cgroups, --kubelet-cgroups": async () => {
      await systemContainers();
      const other = spawn("sleep", ["1000"]);
      const ended = once(other, "exit");
      const texts = { "cgroup/cgroup.procs": `1\n${other.pid}\n` };
      await withHost(["--kubelet-cgroups=/agent", "--system-cgroups=/system", "--cgroup-root=/"], async ({ group }) => {
        assert.equal(await group("/agent/cgroup.procs"), String(Deno.pid));
        assert.equal(await group("/system/cgroup.procs"), String(other.pid));
      }, {
        texts,
        base: (base) => {
          Deno.symlinkSync(`/proc/${other.pid}`, `${base.roots.proc}/${other.pid}`);
          return base;
        },
      });
      await withHost([], async ({ host }) => {
        const groups = [...Deno.readDirSync(`${host}/cgroup`)].filter((e) => e.isDirectory).map((e) => e.name);
        assert.deepEqual(groups, ["kubepods"]);
      }, { texts });
      other.kill("SIGKILL");
      await ended;
      assert.match(faultsOf("--system-cgroups=/system"), /cgroup-root/);
    },
    "--cgroup-driver": async () => {
      assert.match((await made()).parent!, /^\/kubepods\/pod[0-9a-f]+$/);
      assert.match(
        (await made("--cgroup-driver=systemd")).parent!,
        /^\/kubepods\.slice\/kubepods-pod[0-9a-f]+\.slice$/,
      );
      assert.match(faultsOf("--cgroup-driver=docker"), /cgroup-driver/);
    },
    "--cgroup-root": async () => {
      await withHost(["--cgroup-root=/own"], async ({ group, running, memory }) => {
        await running("a");
        assert.equal(await group("/own/kubepods/memory.max"), String(4 * Gi));
        assert.match(memory.sandboxes[0]!.config.linux!.cgroupParent!, /^\/own\/kubepods\//);
      }, { pods: CPU_POD, texts: { "cgroup/own/cgroup.procs": "" } });
      await assert.rejects(withHost(["--cgroup-root=/none"], async () => {}), /cgroup \/none has some missing paths/);
    },
    "--cgroups-per-qos": async () => {
      const flags = ["--cgroups-per-qos=false", "--enforce-node-allocatable=none"];
      await withHost(flags, async ({ running, memory, group }) => {
        await running("a");
        assert.equal(memory.sandboxes[0]!.config.linux!.cgroupParent, undefined);
        assert.equal(await group("/kubepods/memory.max"), undefined);
      }, { pods: CPU_POD });
      const orphan = "cgroup/kubepods/besteffort/podgone";
      await withHost((host) => (Deno.mkdirSync(`${host}/${orphan}`, { recursive: true }), []), async (whole) => {
        const { running, memory, group, host } = whole;
        await running("b");
        // Of a pod that nobody knows, such as one that went while no agent ran.
        await until("it is taken away", () => Deno.stat(`${host}/${orphan}`).then(() => false, () => true));
        assert.match(memory.sandboxes[0]!.config.linux!.cgroupParent!, /^\/kubepods\/besteffort\/pod/);
        assert.deepEqual(
          await Promise.all(["besteffort", "burstable"].map((qos) => group(`/kubepods/${qos}/cpu.weight`))),
          ["1", "1"],
        );
      }, { pods: { b: {} } });
      assert.match(faultsOf("--cgroups-per-qos=false"), /enforce-node-allocatable/);
    },
    "--fail-cgroupv1": async () => {
      const v1 = { groups: 1 } as const;
      await withHost(["--fail-cgroupv1=false"], async ({ logged }) => {
        assert.ok(logged.some((line) => line.startsWith("warn cgroup v1 detected")));
      }, v1);
      await assert.rejects(withHost(["--fail-cgroupv1=true"], async () => {}, v1), /not run on a host using cgroup v1/);
      await withHost(["--fail-cgroupv1=true"], async () => {});
      assert.equal(optionsOf().failCgroupv1, true);
    },
    "--fail-swap-on": async () => {
      const swaps = { proc: { swaps: "Filename\tType\tSize\n/swap file 1 0 -2\n" } };
      await assert.rejects(
        withHost(["--fail-swap-on"], async () => {}, swaps),
        /running with swap on is not supported/,
      );
      await withHost(["--fail-swap-on=false"], async () => {}, swaps);
    },
    "--cpu-cfs-quota": async () => {
      assert.equal((await made()).quota, 50_000);
      assert.equal((await made("--cpu-cfs-quota=false")).quota, undefined);
    },
    "--cpu-cfs-quota-period": async () => {
      const { quota, period } = await made(
        "--cpu-cfs-quota-period=10ms",
        "--feature-gates=CustomCPUCFSQuotaPeriod=true",
      );
      assert.deepEqual([quota, period], [5_000, 10_000]);
      assert.match(faultsOf("--cpu-cfs-quota-period=2s"), /cpu-cfs-quota-period/);
    },
    "--orch-reserved, --system-reserved": async () => {
      const flags = ["--orch-reserved=cpu=1,memory=1Gi", "--system-reserved=cpu=500m,memory=512Mi,pid=1000"];
      await withHost(flags, async ({ agent, group }) => {
        const { allocatable } = agent.node.node().status!;
        // All huge pages of the machine are memory that nobody has otherwise.
        assert.deepEqual([allocatable!["cpu"], allocatable!["memory"]], ["2500m", `${4096 - 1536 - 200}Mi`]);
        assert.equal(await group("/kubepods/memory.max"), String(2.5 * Gi));
        assert.equal(await group("/kubepods/pids.max"), String(32768 - 1000));
      });
      assert.match(faultsOf("--orch-reserved=gpu=1"), /orch-reserved/);
      await withHost(["--kube-reserved=cpu=3"], async ({ agent }) => {
        assert.equal(agent.node.node().status!.allocatable!["cpu"], "1");
      });
    },
    "--orch-reserved-cgroup, --system-reserved-cgroup": async () => {
      const flags = [
        "--orch-reserved=cpu=1,memory=1Gi",
        "--system-reserved=cpu=500m,memory=512Mi",
        "--orch-reserved-cgroup=/agent",
        "--system-reserved-cgroup=/system",
        "--enforce-node-allocatable=pods,orch-reserved,system-reserved-compressible",
      ];
      const texts = { "cgroup/agent/cgroup.procs": "", "cgroup/system/cgroup.procs": "" };
      await withHost(flags, async ({ group }) => {
        const files = ["/agent/cpu.weight", "/agent/memory.max", "/system/cpu.weight", "/system/memory.max"];
        assert.deepEqual(await Promise.all(files.map(group)), ["39", String(Gi), "20", undefined]);
      }, { texts });
      await assert.rejects(withHost(flags, async () => {}), /Failed to enforce (?:Kube|System) Reserved/);
      const only = ["--enforce-node-allocatable=pods,orch-reserved", "--orch-reserved=cpu=1"];
      assert.match(faultsOf(...only), /orch-reserved-cgroup/);
    },
    "--reserved-cpus": async () => {
      const flags = ["--reserved-cpus=0-2", "--orch-reserved=cpu=1,memory=1Gi", "--system-reserved=cpu=500m"];
      await withHost(flags, async ({ agent }) => {
        assert.equal(agent.node.node().status!.allocatable!["cpu"], "1");
      });
    },
    "--enforce-node-allocatable": async () => {
      assert.deepEqual(optionsOf().enforceNodeAllocatable, ["pods"]);
      const flags = ["--orch-reserved=memory=1Gi"];
      for (const [list, most] of [["pods", 3], ["none", 4]] as const) {
        await withHost([...flags, `--enforce-node-allocatable=${list}`], async ({ group }) => {
          assert.equal(await group("/kubepods/memory.max"), String(most * Gi));
        });
      }
      assert.match(faultsOf("--enforce-node-allocatable=all"), /enforce-node-allocatable/);
      assert.notEqual(faultsOf("--enforce-node-allocatable=none,pods"), "");
    },
    "--qos-reserved": async () => {
      const flags = ["--qos-reserved=memory=50%", "--feature-gates=QOSReserved=true"];
      await withHost(flags, async ({ group, running }) => {
        await running("a");
        await until("it is kept", async () => await group("/kubepods/burstable/memory.max") === String(3.5 * Gi));
        assert.equal(await group("/kubepods/besteffort/memory.max"), String(3.5 * Gi));
      }, { pods: CPU_POD });
      assert.notEqual(faultsOf("--qos-reserved=cpu=50%", "--feature-gates=QOSReserved=true"), "");
    },
  }),
);
