/** Figures of the node, by what the kernel says. */
import assert from "node:assert/strict";
import type { Pod } from "../../../schema/api/core_v1.ts";
import { memoryFigures } from "../../../agent/http/stats/node.ts";
import { podFigures } from "../../../agent/http/stats/pods.ts";
import { Rates } from "../../../agent/http/stats/rates.ts";
import type { PodSources } from "../../../agent/http/stats/pods.ts";
import { LABEL } from "../../../agent/pods/names.ts";
import { cadvisorMetrics } from "../../../agent/http/metrics/cadvisor.ts";
import { metricsText } from "../../../agent/http/metrics/text.ts";
import { trafficOf } from "../../../agent/http/stats/proc.ts";
import { Sandboxes } from "../../../agent/http/stats/sandboxes.ts";
import type { PodSandbox, Runtime } from "../../../agent/runtime/types.ts";
import { get, podView, withServers } from "./_parts.ts";

Deno.test("agent statistics: memory set aside for huge pages is neither used nor available", () => {
  const info = (free: number, huge: number) =>
    `MemTotal: 1000 kB\nMemFree: ${free} kB\nInactive(file): 100 kB\nHugetlb: ${huge} kB\n`;
  const of = (free: number, huge: number) => {
    const { usageBytes, workingSetBytes, availableBytes } = memoryFigures("", info(free, huge), "");
    return [usageBytes, workingSetBytes, availableBytes].map((bytes) => Number(bytes) / 1024);
  };
  assert.deepEqual(of(600, 0), [400, 300, 700]);
  assert.deepEqual(of(300, 300), [400, 300, 400]);
});

Deno.test("agent statistics: what is left of limits is told where all have one", async () => {
  const labels = { [LABEL.uid]: "u1", [LABEL.pod]: "web", [LABEL.namespace]: "default" };
  const container = (name: string) => ({
    ...{ id: name, podSandboxId: "box", metadata: { name, attempt: 0 }, state: "RUNNING", createdAt: 1n },
    labels: { ...labels, [LABEL.container]: name },
  });
  const stats = (id: string, left: bigint) => ({
    attributes: { id },
    memory: { timestamp: 1n, workingSetBytes: { value: 5n }, availableBytes: { value: left } },
  });
  const of = async (...left: bigint[]) => {
    const runtime = {
      listPodSandboxes: () =>
        Promise.resolve([{ id: "box", state: "READY", labels, createdAt: 1n, metadata: { name: "web" } }]),
      listContainers: () => Promise.resolve(left.map((_, i) => container(`c${i}`))),
      listContainerStats: () => Promise.resolve(left.map((bytes, i) => stats(`c${i}`, bytes))),
    } as unknown as PodSources["runtime"];
    const [pod] = await podFigures({ runtime, pods: podView([]), podLogsDir: "/none", rates: new Rates() }, 1);
    return [pod!.memory, ...pod!.containers.map((c) => c.memory)].map((m) => m?.availableBytes);
  };
  assert.deepEqual(await of(3n, 4n), [7n, 3n, 4n]);
  // Of one without a limit runtimes tell nothing.
  assert.deepEqual(await of(3n, 0n), [undefined, 3n, undefined]);
});

Deno.test("agent statistics: metrics tell how full claimed volumes are, each once", async () => {
  const pods = ["one", "two"].map((name) => ({ metadata: { name, namespace: "default" } }) as Pod);
  const figures = { time: "", usedBytes: 5, availableBytes: 7, capacityBytes: 12, inodes: 9, inodesFree: 1 };
  const pvcRef = { name: "data", namespace: "default" };
  const volumeStats = () => Promise.resolve([{ name: "a", ...figures, pvcRef }, { name: "b", ...figures }]);
  await withServers({ pods: podView(pods), volumeStats }, {}, async ({ port }) => {
    const lines = (await get(port, "/metrics")).text.split("\n").filter((l) => l.startsWith("kubelet_volume_stats"));
    const labels = '{namespace="default",persistentvolumeclaim="data"}';
    assert.deepEqual(lines, [
      `kubelet_volume_stats_available_bytes${labels} 7`,
      `kubelet_volume_stats_capacity_bytes${labels} 12`,
      `kubelet_volume_stats_inodes${labels} 9`,
      `kubelet_volume_stats_inodes_free${labels} 1`,
      `kubelet_volume_stats_used_bytes${labels} 5`,
    ]);
  });
});

const SANDBOX = { id: "box", labels: { [LABEL.pod]: "web", [LABEL.namespace]: "default" } } as unknown as PodSandbox;

Deno.test("agent statistics: what goes over networks of sandboxes and of the host", () => {
  const traffic = trafficOf(
    "Inter-| Receive\n face |bytes\n    lo: 1 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0\n  eth0:11 12 13 14 0 0 0 0 15 16 17 18 0 0 0 0\n",
  );
  const networks = [{ sandbox: undefined, traffic }, { sandbox: SANDBOX, traffic }];
  const identity = { bootID: "b", machineID: "m", systemUUID: "s" };
  const told = { containers: [], networks, node: undefined, machine: { cpus: [0], memory: 1, swap: 0 }, identity };
  const lines = metricsText(cadvisorMetrics(told)).split("\n").filter((line) => line.startsWith("container_network"));
  const rows = { receive: [11, 13, 14, 12], transmit: [15, 17, 18, 16] };
  const names = ["bytes", "errors", "packets_dropped", "packets"];
  const host = 'container="",id="/",image="",name="",namespace="",pod="",interface="eth0"';
  const pod = 'container="",id="box",image="",name="box",namespace="default",pod="web",interface="eth0"';
  assert.deepEqual(
    lines,
    Object.entries(rows).flatMap(([way, values]) =>
      names.flatMap((name, i) =>
        [host, pod].map((labels) => `container_network_${way}_${name}_total{${labels}} ${values[i]}`)
      )
    ),
  );
});

Deno.test("agent statistics: a runtime is asked once for the process of a sandbox", async () => {
  let asked = 0;
  const sandboxes = new Sandboxes(
    { sandboxPid: async () => (asked++, undefined) } as Pick<Runtime, "sandboxPid">,
    undefined,
  );
  assert.deepEqual(await sandboxes.traffic(SANDBOX), []);
  assert.equal(await sandboxes.group(SANDBOX, "c"), undefined);
  assert.equal(asked, 1);
  sandboxes.keep(new Set());
  await sandboxes.traffic(SANDBOX);
  assert.equal(asked, 2);
});
