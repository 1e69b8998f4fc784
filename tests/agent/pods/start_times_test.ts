/** Figures of pods: how long they take to start, how many there are, what ends. */
import assert from "node:assert/strict";
import { Registry } from "prom-client";
import { PodMetrics } from "../../../agent/pods/metrics.ts";
import type { ContainerStatus, Pod, PodStatus } from "../../../schema/api/core_v1.ts";
import { pod } from "./_fixture.ts";

const START = Date.parse("2026-01-01T00:00:00Z");
const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString();
const runs = (seconds: number): PodStatus => ({
  phase: "Running",
  containerStatuses: [{ name: "main", state: { running: { startedAt: at(seconds) } } } as ContainerStatus],
});
const ended = (name: string, from: number, to: number, exitCode = 0): ContainerStatus =>
  ({
    name,
    state: {
      terminated: { startedAt: at(from), finishedAt: at(to), exitCode, reason: exitCode ? "Error" : "Completed" },
    },
  }) as ContainerStatus;

/** Figures, a clock of seconds, and lines of the page without buckets. */
function figures() {
  const registry = new Registry();
  let seconds = 0;
  const tally = { wanted: [] as Pod[], led: [], orphans: 0, isStatic: () => false };
  const metrics = new PodMetrics(registry, () => START + seconds * 1000, () => tally);
  return {
    metrics,
    tally,
    pass: (more: number) => void (seconds += more),
    lines: async (begin: string) =>
      (await registry.metrics()).split("\n").filter((line) => line.startsWith(begin) && !line.includes("_bucket")),
  };
}

Deno.test("a pod's start is measured from its making until its containers are seen to run, without images and what runs first", async () => {
  const { metrics: { startTimes }, pass, lines } = figures();
  const made = pod({}, { creationTimestamp: at(-1) });
  startTimes.seen([made]);
  pass(1);
  startTimes.led("u1");
  await startTimes.pulling("u1", async () => pass(3));
  pass(2);
  const status: PodStatus = { ...runs(6), initContainerStatuses: [ended("first", 4, 6)] };
  startTimes.told("u1", {}, status);
  startTimes.seen([made]);
  pass(1);
  startTimes.seen([{ ...made, status }]);
  startTimes.seen([{ ...made, status }]);
  assert.deepEqual(await lines("kubelet_pod_"), [
    "kubelet_pod_worker_start_duration_seconds_sum 1",
    "kubelet_pod_worker_start_duration_seconds_count 1",
    "kubelet_pod_start_duration_seconds_sum 6",
    "kubelet_pod_start_duration_seconds_count 1",
    "kubelet_pod_start_total_duration_seconds_sum 8",
    "kubelet_pod_start_total_duration_seconds_count 1",
    "kubelet_pod_start_sli_duration_seconds_sum 3",
    "kubelet_pod_start_sli_duration_seconds_count 1",
  ]);
  assert.deepEqual(await lines("kubelet_first_network"), ["kubelet_first_network_pod_start_sli_duration_seconds 3"]);
});

Deno.test("pods that had started before, waited for a node or keep a state of their own are not measured alike", async () => {
  const { metrics: { startTimes }, lines } = figures();
  const creationTimestamp = at(-9), volumes = [{ name: "v", hostPath: { path: "/" } }];
  const unscheduled = { conditions: [{ type: "PodScheduled", status: "False" }] };
  const pods: Pod[] = [
    { ...pod({}, { uid: "before", creationTimestamp }), status: { ...runs(0), startTime: at(-5) } },
    { ...pod({}, { uid: "waited", creationTimestamp }), status: unscheduled },
    pod({ volumes }, { uid: "stateful", creationTimestamp }),
  ];
  startTimes.seen(pods);
  for (const { metadata } of pods) startTimes.told(metadata!.uid!, { phase: "Pending" }, runs(0));
  startTimes.seen(pods.map((p) => ({ ...p, status: runs(0) })));
  assert.deepEqual(await lines("kubelet_pod_start_total_duration_seconds_count"), [
    "kubelet_pod_start_total_duration_seconds_count 1",
  ]);
  assert.deepEqual(await lines("kubelet_pod_start_sli_duration_seconds_count"), [
    "kubelet_pod_start_sli_duration_seconds_count 0",
  ]);
});

Deno.test("pods that the node does not take are counted by reasons that are not names of users", async () => {
  const { metrics, lines } = figures();
  for (const reason of ["OutOfcpu", "OutOfexample.com/gpu", "OutOfexample.com/tpu", "NodeAffinity"]) {
    metrics.rejected(reason);
  }
  assert.deepEqual(await lines("kubelet_admission"), [
    'kubelet_admission_rejections_total{reason="OutOfcpu"} 1',
    'kubelet_admission_rejections_total{reason="OutOfExtendedResources"} 2',
    'kubelet_admission_rejections_total{reason="Other"} 1',
  ]);
});

Deno.test("each end of a container is counted once", async () => {
  const { metrics, lines } = figures();
  const first: PodStatus = {
    initContainerStatuses: [ended("first", 0, 1)],
    containerStatuses: runs(1).containerStatuses!,
  };
  const last: PodStatus = { ...first, containerStatuses: [ended("main", 1, 2, 3)] };
  metrics.changed({}, first);
  metrics.changed(first, last);
  metrics.changed(last, last);
  assert.deepEqual(await lines("kubelet_terminated_containers_total"), [
    'kubelet_terminated_containers_total{container_type="init_container",exit_code="0",reason="Completed"} 1',
    'kubelet_terminated_containers_total{container_type="container",exit_code="3",reason="Error"} 1',
  ]);
});
