/** Statuses on a real API server. */
import assert from "node:assert/strict";
import { Registry } from "prom-client";
import type { Pod, PodStatus } from "../../../schema/api/core_v1.ts";
import { productOf } from "../../../schema/product.ts";
import { ApiError } from "../../../agent/types.ts";
import { canonical, merged } from "../../../agent/status/merge.ts";
import { StatusManager } from "../../../agent/status/mod.ts";
import { statusPatch } from "../../../agent/status/patch.ts";
import { withServer } from "../../fixture/server.ts";
import { TestClock } from "../probes/parts.ts";
import { TestApi, until } from "../sources/test_api.ts";

const PODS = "/api/v1/namespaces/default/pods";
const at = "2026-01-02T03:04:05Z";
const condition = (type: string, status = "True", more = {}) => ({ type, status, lastTransitionTime: at, ...more });
const running: PodStatus = {
  phase: "Running",
  startTime: at,
  podIP: "10.0.0.1",
  podIPs: [{ ip: "10.0.0.1" }],
  conditions: [condition("Ready"), condition("PodScheduled")],
  containerStatuses: [{
    ...{ name: "c", image: "i", imageID: "i", ready: true, restartCount: 0 },
    state: { running: { startedAt: "2026-01-02T03:04:05.678Z" } },
  }],
  allocatedResources: { cpu: "1000m" },
  qosClass: "BestEffort",
};

/** Runs with a pod `a` on a server, and statuses that go there. */
async function world(
  run: (w: {
    api: TestApi;
    statuses: StatusManager;
    pod: Pod;
    get: () => Promise<Pod>;
    look: () => Promise<void>;
    own: Map<string, Pod>;
    mirrors: Map<string, Pod>;
    clock: TestClock;
    metrics: Registry;
  }) => Promise<void>,
): Promise<void> {
  await withServer(["--disable-admission-plugins=ServiceAccount"], async (t) => {
    const api = new TestApi(t);
    const body = { metadata: { name: "a" }, spec: { nodeName: "n1", containers: [{ name: "c", image: "i" }] } };
    const pod = await api.request<Pod>("POST", PODS, { body });
    const own = new Map([[pod.metadata!.uid!, pod]]), mirrors = new Map<string, Pod>();
    const clock = new TestClock();
    const metrics = new Registry();
    const statuses = new StatusManager({
      ...{ api, product: productOf("kubernetes"), clock, log: () => {}, metrics },
      seen: (uid) => own.get(uid),
      mirror: (p) => mirrors.get(p.metadata!.name!),
    });
    const stop = new AbortController();
    const done = statuses.run(stop.signal);
    const get = () => api.request<Pod>("GET", `${PODS}/a`);
    const look = async () => {
      await clock.pass(10_000);
      // What the look began is answered: it waits for the next one.
      await until(() => clock.waiting);
    };
    try {
      await run({ api, statuses, pod, get, look, own, mirrors, clock, metrics });
    } finally {
      stop.abort();
      await done;
    }
  });
}

Deno.test("a status is sent once, as a patch of what differs, and conditions of others stay", async () => {
  await world(async ({ api, statuses, pod, get, look, own, metrics }) => {
    const uid = pod.metadata!.uid!;
    statuses.set(pod, running);
    await until(async () => (await get()).status!.phase === "Running");
    const patches = () => api.sent.filter((s) => s.startsWith("PATCH")).length;
    await until(() => patches() === 1);
    const took = "kubelet_pod_status_sync_duration_seconds_count 1";
    await until(async () => (await metrics.metrics()).split("\n").includes(took));
    statuses.set(pod, { ...running, allocatedResources: { cpu: "1" } });
    await api.request("PATCH", `${PODS}/a/status`, {
      patch: "application/strategic-merge-patch+json",
      body: { status: { conditions: [condition("example.org/gate")], podIPs: [{ ip: "10.0.0.1" }] } },
    });
    own.set(uid, await get());
    await look();
    assert.equal(patches(), 2);
    statuses.set(pod, { ...running, conditions: [condition("Ready", "False"), condition("Initialized")] });
    await until(async () => (await get()).status!.conditions?.some((c) => c.type === "Initialized"));
    const { conditions, containerStatuses } = (await get()).status!;
    assert.deepEqual(conditions!.map((c) => `${c.type} ${c.status}`).sort(), [
      "Initialized True",
      "Ready False",
      "example.org/gate True",
    ]);
    assert.equal(containerStatuses![0]!.state!.running!.startedAt, at);
    // What another one broke is set right at the next look.
    await api.request("PATCH", `${PODS}/a/status`, {
      patch: "application/merge-patch+json",
      body: { status: { phase: "Pending" } },
    });
    own.set(uid, await get());
    await look();
    await until(async () => (await get()).status!.phase === "Running");
  });
});

Deno.test("a pod that ended stays ended, is not deleted unless it is to be, and is forgotten when it is gone", async () => {
  await world(async ({ api, statuses, pod, get, look, own }) => {
    const uid = pod.metadata!.uid!;
    const failed: PodStatus = { ...running, phase: "Failed", reason: "Evicted", message: "m" };
    statuses.set(pod, failed);
    statuses.set(pod, running);
    await until(async () => (await get()).status!.phase === "Failed");
    const { status } = await get();
    assert.deepEqual([status!.reason, status!.conditions!.find((c) => c.type === "Ready")?.status], [
      "Evicted",
      "False",
    ]);
    statuses.ended(pod);
    await until(() => api.sent.filter((s) => s.startsWith("GET")).length > 3);
    assert.equal((await get()).metadata!.deletionTimestamp, undefined);
    own.delete(uid);
    await look();
    assert.equal(statuses.get(uid), undefined);
    assert.ok(!api.sent.some((s) => s.startsWith("DELETE")));
  });
});

Deno.test("what others broke is set right, though the host's clock was set back", async () => {
  await world(async ({ api, statuses, pod, get, look, own, clock }) => {
    statuses.set(pod, running);
    await until(async () => (await get()).status!.phase === "Running");
    await look();
    clock.set(-3_600_000);
    const body = { status: { phase: "Pending" } };
    await api.request("PATCH", `${PODS}/a/status`, { patch: "application/merge-patch+json", body });
    own.set(pod.metadata!.uid!, await get());
    await look();
    await look();
    assert.equal((await get()).status!.phase, "Running");
  });
});

for (const refusal of [new Error("connection refused"), new ApiError(409, "Conflict", "modified meanwhile")]) {
  Deno.test(`a pod that is being deleted goes after its last status, if need be at the next look: ${refusal.message}`, async () => {
    await world(async ({ api, statuses, pod, get, look, own }) => {
      const uid = pod.metadata!.uid!;
      statuses.set(pod, { ...running, conditions: [condition("Ready", "False")] });
      await until(async () => (await get()).status!.phase === "Running");
      await api.request("DELETE", `${PODS}/a`);
      const going = await get();
      own.set(uid, going);
      Object.assign(api, { refuse: "DELETE", refusal });
      statuses.ended(going);
      await until(() => api.refuse === undefined);
      const ended = await get();
      assert.equal(ended.status!.phase, "Failed");
      own.set(uid, ended);
      await look();
      await until(() => get().then(() => false, () => true));
      await until(() => !statuses.get(uid));
    });
  });
}

Deno.test("a pod of the same name and another uid is left alone", async () => {
  await world(async ({ statuses, pod, get, own }) => {
    const before = (await get()).status;
    const gone = { ...pod, metadata: { ...pod.metadata, uid: "other" } };
    own.set("other", gone);
    statuses.set(gone, running);
    assert.ok(statuses.get("other"));
    await until(() => !statuses.get("other"));
    assert.deepEqual((await get()).status, before);
  });
});

for (const verb of ["PATCH", "DELETE"]) {
  Deno.test(`a pod that takes another's place between two requests is left alone: ${verb}`, async () => {
    await world(async ({ api, statuses, pod, get, own }) => {
      const { metadata: { uid = "" } = {}, spec } = pod, body = { metadata: { name: "a" }, spec };
      const replace = async () => {
        await api.server.fetch(`${PODS}/a`, { method: "DELETE", body: { gracePeriodSeconds: 0 } });
        await api.server.fetch(PODS, { method: "POST", body });
      };
      if (verb === "DELETE") {
        await api.request("DELETE", `${PODS}/a`);
        own.set(uid, await get());
      }
      api.before = { verb, work: replace };
      if (verb === "DELETE") statuses.ended(own.get(uid)!);
      else statuses.set(pod, running);
      await until(async () => (await get()).metadata!.uid !== uid);
      own.delete(uid);
      statuses.look();
      await until(() => !statuses.get(uid));
      assert.equal((await get()).status!.phase, "Pending");
    });
  });
}

Deno.test("what others alone say of a pod is no news", async () => {
  await world(async ({ api, statuses, pod, get, look, own }) => {
    statuses.set(pod, running);
    await until(async () => (await get()).status!.phase === "Running");
    const there = await get();
    own.set(pod.metadata!.uid!, { ...there, status: { ...there.status, resourceClaimStatuses: [{ name: "r" }] } });
    await look();
    api.sent.length = 0;
    await look();
    assert.deepEqual(api.sent, []);
  });
});

Deno.test("of a pod that its source has no more the server is told nothing", async () => {
  await world(async ({ api, statuses, pod, look, own }) => {
    own.delete(pod.metadata!.uid!);
    api.sent.length = 0;
    statuses.set(pod, running);
    await look();
    assert.equal(statuses.get(pod.metadata!.uid!), undefined);
    assert.deepEqual(api.sent, []);
  });
});

Deno.test("a static pod's status stands in its mirror, and in the next one", async () => {
  await world(async ({ api, statuses, pod, get, look, own, mirrors }) => {
    const metadata = { ...pod.metadata, uid: "h", annotations: { "kubernetes.io/config.source": "file" } };
    const fixed = { ...pod, metadata };
    own.set("h", fixed);
    statuses.set(fixed, running);
    await until(() => api.sent.includes(`GET ${PODS}/a`));
    assert.notEqual((await get()).status!.phase, "Running");
    mirrors.set("a", pod);
    statuses.look();
    await until(async () => (await get()).status!.phase === "Running");
    await api.request("DELETE", `${PODS}/a`, { body: { gracePeriodSeconds: 0 } });
    await look();
    assert.ok(statuses.get("h"));
    mirrors.set("a", await api.request<Pod>("POST", PODS, { body: { metadata: { name: "a" }, spec: pod.spec } }));
    statuses.look();
    await until(async () => (await get()).status!.phase === "Running");
    own.delete("h");
    await look();
    await until(() => !statuses.get("h"));
  });
});

Deno.test("merges and patches, as values", () => {
  const LATER = "2026-01-01T00:01:00Z";
  const there = canonical({
    phase: "Running",
    conditions: [condition("Ready"), condition("DisruptionTarget"), condition("mine")],
    resourceClaimStatuses: [{ name: "r" }],
  });
  const disrupted = {
    ...running,
    conditions: [...running.conditions!, condition("DisruptionTarget", "True", { reason: "r" })],
  };
  const types = (s: PodStatus) => s.conditions!.map((c) => `${c.type} ${c.reason ?? ""}`.trim());
  assert.deepEqual(types(merged(there, disrupted, LATER)), ["DisruptionTarget", "mine", "Ready", "PodScheduled"]);
  const end = merged(there, { ...disrupted, phase: "Succeeded" }, LATER);
  assert.deepEqual(types(end), ["mine", "Ready PodCompleted", "PodScheduled", "DisruptionTarget r"]);
  assert.deepEqual(end.resourceClaimStatuses, [{ name: "r" }]);
  const since = (s: PodStatus) => s.conditions!.find((c) => c.type === "DisruptionTarget")!.lastTransitionTime;
  assert.equal(since(end), since(there), "others have said so before");
  const first = merged({ phase: "Running" }, { ...disrupted, phase: "Failed" }, LATER);
  assert.equal(since(first), LATER, "it is told with the end");
  assert.equal(merged(end, running, LATER).phase, "Succeeded");
  // A start is told once, and what was seen of the spec is not taken back.
  const told = merged({ startTime: at, observedGeneration: 3 }, { startTime: LATER, observedGeneration: 2 }, LATER);
  assert.deepEqual([told.startTime, told.observedGeneration], [at, 3]);
  const patch = statusPatch(
    { message: "m", podIPs: [{ ip: "1" }, { ip: "2" }], allocatedResources: { cpu: "1", memory: "1" } },
    { reason: "r", podIPs: [{ ip: "2" }], allocatedResources: { cpu: "2" } },
  );
  assert.deepEqual(patch, {
    message: null,
    reason: "r",
    "$setElementOrder/podIPs": [{ ip: "2" }],
    podIPs: [{ $patch: "delete", ip: "1" }],
    allocatedResources: { cpu: "2", memory: null },
  });
  assert.equal(statusPatch(running, { ...running }), undefined);
});
