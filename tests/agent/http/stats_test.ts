/** Figures of the node, by what the kernel says. */
import assert from "node:assert/strict";
import type { Pod } from "../../../schema/api/core_v1.ts";
import { memoryFigures } from "../../../agent/http/stats/node.ts";
import { podFigures } from "../../../agent/http/stats/pods.ts";
import { Rates } from "../../../agent/http/stats/rates.ts";
import type { PodSources } from "../../../agent/http/stats/pods.ts";
import { LABEL } from "../../../agent/pods/names.ts";
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
