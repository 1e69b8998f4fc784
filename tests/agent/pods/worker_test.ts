/** Leading pods, where the runtime does not answer or has not yet. */
import assert from "node:assert/strict";
import { Registry } from "prom-client";
import type { Pod } from "../../../schema/api/core_v1.ts";
import type { PodHost } from "../../../agent/pods/host.ts";
import { PodMetrics } from "../../../agent/pods/metrics.ts";
import { LABEL, PodManager, type PodOptions, type PodParts } from "../../../agent/pods/mod.ts";
import { Turns } from "../../../agent/pods/within.ts";
import { PodWorker } from "../../../agent/pods/worker.ts";
import { TestClock, told } from "../probes/parts.ts";
import { pod, READY } from "./_fixture.ts";

/** Leads a pod for 25 s while the runtime does not answer; how often it was asked, and the events. */
async function unanswered(led: (now: number) => Pod, syncFrequency: number) {
  const clock = new TestClock(), { events, lines } = told();
  let asked = 0;
  const listContainers = async () => {
    asked++;
    await new Promise((resolve) => setTimeout(resolve, 0));
    throw new Error("connection refused");
  };
  const parts = { runtime: { listContainers }, clock, events, log: () => {}, random: () => 0 };
  const host = {
    parts,
    options: { syncFrequency },
    reads: new Turns(1),
    room: () => ({ taken: () => [], changed() {} }),
    metrics: new PodMetrics(
      new Registry(),
      () => clock.now(),
      () => ({ wanted: [], led: [], orphans: 0, isStatic: () => false }),
    ),
  } as unknown as PodHost;
  const worker = new PodWorker(host, led(clock.now()), undefined, () => true);
  const done = worker.run();
  await clock.pass(25_000);
  worker.stop();
  await done;
  return { asked, lines };
}

Deno.test("a pod whose deadline is over waits between its rounds while the runtime does not answer", async () => {
  const late = (now: number): Pod => ({
    ...pod({ activeDeadlineSeconds: 1 }),
    status: { phase: "Running", startTime: new Date(now - 60_000).toISOString() },
  });
  const { asked, lines } = await unanswered(late, 60_000);
  assert.equal(asked, 3);
  assert.equal(lines.filter((line) => line.includes("DeadlineExceeded")).length, 1);
});

Deno.test("a pod is looked at when its deadline comes, however long the pause is", async () => {
  const soon = (now: number): Pod => ({
    ...pod({ activeDeadlineSeconds: 63 }),
    status: { phase: "Running", startTime: new Date(now - 60_000).toISOString() },
  });
  assert.equal((await unanswered(soon, 60_000)).asked, 4);
});

Deno.test("a pause after a fault, or of a container that keeps ending, is no longer than pods go without a look", async () => {
  assert.equal((await unanswered(() => pod({}), 5_000)).asked, 6);
});

Deno.test("what ended of a pod is not taken away before anybody leads it", async () => {
  const removed: string[] = [];
  const left = (uid: string) => ({
    ...{ id: `of-${uid}`, podSandboxId: "box", metadata: { name: "main" }, state: "EXITED", createdAt: 1n },
    labels: { [LABEL.uid]: uid },
  });
  const runtime = {
    listContainers: () => Promise.resolve([left("u1"), left("gone")]),
    listPodSandboxes: () => Promise.resolve([]),
    containerStatus: () => Promise.resolve({ labels: {}, logPath: "/nowhere/main/0.log" }),
    removeContainer: async (id: string) => void removed.push(id),
  };
  const parts = {
    clock: new TestClock(),
    runtime,
    sourcesReady: () => true,
    gate: () => true,
    log: () => {},
  } as unknown as PodParts;
  const options = { maximumDeadContainersPerContainer: 1, maximumDeadContainers: -1 } as PodOptions;
  const manager = new PodManager(parts, options);
  manager.set([pod({ restartPolicy: "Never" })]);
  await manager.removeEnded();
  assert.deepEqual(removed, ["of-gone"]);
});

Deno.test("a pod that the node has not taken yet is none that could be evicted", async () => {
  const asked = Promise.withResolvers<void>(),
    answer = Promise.withResolvers<undefined>(),
    life = new AbortController();
  const runtime = {
    version: () => Promise.resolve({ runtimeName: "test" }),
    listContainers: () => Promise.resolve([]),
    listPodSandboxes: () => Promise.resolve([]),
  };
  const take = () => {
    asked.resolve();
    return answer.promise;
  };
  const own = { runtime, take, clock: new TestClock(), sourcesReady: () => false, gate: () => true, log: () => {} };
  const manager = new PodManager(own as unknown as PodParts, { maximumDeadContainers: -1 } as PodOptions);
  manager.set([pod({})]);
  const run = manager.run(life.signal);
  await asked.promise;
  assert.deepEqual(manager.active().map((p) => p.metadata!.uid), ["u1"]);
  assert.deepEqual(manager.allotted(), []);
  life.abort();
  answer.resolve(undefined);
  await run;
});

Deno.test("a pod that was over before the agent's start takes nothing of the node", () => {
  const host = { parts: {}, options: {}, room: () => {} } as unknown as PodHost;
  const found = (phase: "Running" | "Failed") =>
    new PodWorker(host, { ...pod({}), status: { phase } }, undefined, () => true).isActive;
  assert.deepEqual([found("Running"), found("Failed")], [true, false]);
});

Deno.test("the end of a pod wakes those that wait for it, and no others from their pauses", async () => {
  const clock = new TestClock(), { events, lines } = told(), life = new AbortController();
  const refused: string[] = [];
  const list = (labels?: Record<string, string>) =>
    labels?.[LABEL.uid] === "u1" ? Promise.reject(new Error("not now")) : Promise.resolve([]);
  const own = {
    runtime: {
      version: () => Promise.resolve({ runtimeName: "test" }),
      listContainers: list,
      listPodSandboxes: () => Promise.resolve([]),
    },
    take: (p: Pod) => Promise.resolve(p.metadata!.uid === "u1" ? undefined : { reason: "No", message: "not here" }),
    volumes: { unmount: () => Promise.resolve() },
    resources: { release: () => Promise.resolve() },
    users: { release: () => Promise.resolve() },
    status: { set: (p: Pod) => void refused.push(p.metadata!.uid!), ended: () => {} },
    probes: { forgetPod: () => {} },
    ...{ clock, events, sourcesReady: () => true, gate: () => true, log: () => {}, random: () => 0 },
  };
  const manager = new PodManager(
    own as unknown as PodParts,
    { syncFrequency: 60_000, maximumDeadContainers: -1, rootDir: "/nowhere", podLogsDir: "/nowhere" } as PodOptions,
  );
  const same = (uid: string) => pod({}, { name: "other", uid });
  const first = pod({}), all = [first, same("u2"), same("u3")];
  manager.set(all);
  const run = manager.run(life.signal);
  await clock.pass(1_500);
  assert.deepEqual(refused, ["u2"], "one of the same name waits");
  manager.set(all.filter((p) => p.metadata!.uid !== "u2"));
  await clock.pass(1_500);
  assert.deepEqual(refused, ["u2", "u3"]);
  await clock.pass(1_500);
  assert.equal(lines.filter((line) => line.includes("FailedSync")).length, 1);
  life.abort();
  await run;
});

Deno.test("a pod that no source has any more takes nothing from those that come, though it has not ended", async () => {
  const clock = new TestClock(), { events } = told(), life = new AbortController(), asked: string[] = [];
  const uid = (p: Pod) => p.metadata!.uid!;
  const own = {
    runtime: {
      version: () => Promise.resolve({ runtimeName: "test" }),
      listContainers: (labels?: object) => labels ? Promise.reject(new Error("not now")) : Promise.resolve([]),
      listPodSandboxes: () => Promise.resolve([]),
    },
    take: (p: Pod, others: readonly Pod[]) => {
      asked.push(`${uid(p)} beside ${others.map(uid)}`);
      return Promise.resolve(undefined);
    },
    resources: { release: () => Promise.resolve() },
    status: { set: () => {}, ended: () => {} },
    ...{ clock, events, sourcesReady: () => true, gate: () => true, log: () => {}, random: () => 0 },
  };
  const options = { syncFrequency: 60_000, maximumDeadContainers: -1, rootDir: "/nowhere", podLogsDir: "/nowhere" };
  const manager = new PodManager(own as unknown as PodParts, options as PodOptions);
  const named = (uid: string) => pod({}, { name: uid, uid });
  manager.set([named("u1")]);
  const run = manager.run(life.signal);
  await clock.pass(1_500);
  manager.set([named("u1"), named("u2")]);
  await clock.pass(1_500);
  manager.set([named("u2"), named("u3")]);
  await clock.pass(1_500);
  assert.deepEqual(asked, ["u1 beside ", "u2 beside u1", "u3 beside u2"]);
  assert.ok(manager.runs("default", "u1"));
  life.abort();
  await run;
});

Deno.test("a pod that is given more while the node takes another one counts that, until it is refused", async () => {
  const clock = new TestClock(), { events, lines } = told(), life = new AbortController(), asked: string[] = [];
  const uid = (p: Pod) => p.metadata!.uid!, answer = Promise.withResolvers<{ reason: string; message: string }>();
  const full = { reason: "OutOfcpu", message: "no room" };
  const own = {
    runtime: {
      version: () => Promise.resolve({ runtimeName: "test" }),
      listContainers: () => Promise.resolve([]),
      listPodSandboxes: () => Promise.resolve([]),
    },
    take: (p: Pod) => uid(p) === "u2" ? answer.promise : Promise.resolve(undefined),
    admit: (p: Pod, others: readonly Pod[]) => {
      asked.push(`${uid(p)} beside ${others.map(uid)}`);
      return others.length > 0 ? full : undefined;
    },
    runtimeHandler: () => Promise.resolve(""),
    networkFault: () => "none yet",
    status: { set: () => {}, ended: () => {} },
    probes: { state: () => READY, forgetPod: () => {} },
    devices: { health: () => [] },
    claims: { health: () => [] },
    ...{ hostIPs: () => [], isStatic: () => false },
    ...{ clock, events, sourcesReady: () => true, gate: () => true, log: () => {}, random: () => 0 },
  };
  const options = { syncFrequency: 60_000, maximumDeadContainers: -1, rootDir: "/nowhere", podLogsDir: "/nowhere" };
  const manager = new PodManager(own as unknown as PodParts, options as PodOptions);
  const first = (cpu: string, generation: number) =>
    pod({ containers: [{ name: "main", image: "app:1", resources: { requests: { cpu } } }] }, { generation });
  const second = pod({}, { name: "u2", uid: "u2" });
  manager.set([first("1", 1)]);
  const run = manager.run(life.signal);
  await clock.pass(1_500);
  manager.set([first("1", 1), second]);
  await clock.pass(1_500);
  assert.deepEqual(asked, []);
  manager.set([first("2", 2), second]);
  await clock.pass(500);
  assert.deepEqual([...new Set(asked)], ["u1 beside u2"]);
  answer.resolve(full);
  await clock.pass(500);
  assert.equal(asked.at(-1), "u1 beside ");
  assert.ok(lines.some((line) => line.includes("ResizeStarted")));
  life.abort();
  await run;
});
