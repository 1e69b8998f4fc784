/** When probes run, and what they come to. */
import assert from "node:assert/strict";
import type { Probe } from "../../../schema/api/core_v1.ts";
import { Registry } from "prom-client";
import { NodeProbes, probeMetrics } from "../../../agent/probes/mod.ts";
import type { ContainerTarget } from "../../../agent/types.ts";
import { target, TestClock, told } from "./parts.ts";

/** Probes whose commands answer as the test says, by their one word; undefined: the runtime is broken. */
function world(agentAge = 3_600_000) {
  const clock = new TestClock();
  const { lines, events } = told();
  const registry = new Registry();
  const exits: Record<string, number | undefined> = { s: 0, l: 0, r: 0 };
  const asked: string[] = [];
  const changes: string[] = [];
  const execSync = (_id: string, cmd: readonly string[]) => {
    asked.push(cmd[0]!);
    const exitCode = exits[cmd[0]!];
    const output = { stdout: new TextEncoder().encode("out"), stderr: new Uint8Array() };
    return exitCode === undefined ? Promise.reject(new Error("broken")) : Promise.resolve({ ...output, exitCode });
  };
  const probes = new NodeProbes({
    runtime: { execSync },
    events,
    metrics: probeMetrics(registry),
    clock,
    gate: () => true,
    random: () => 0.5,
    agentStart: clock.ticks() - agentAge,
    changed: (uid) => void changes.push(uid),
  });
  /** Samples without those of buckets. */
  const figures = async () =>
    (await registry.metrics()).split("\n").filter((line) => line && !/^#|_bucket|_sum/.test(line)).sort();
  return { clock, figures, lines, exits, asked, changes, probes, start: clock.now() };
}

const probe = (word: string, more: Probe = {}): Probe => ({
  exec: { command: [word] },
  periodSeconds: 10,
  timeoutSeconds: 1,
  successThreshold: 1,
  failureThreshold: 2,
  ...more,
});

Deno.test("the startup probe gates the others", async () => {
  const w = world();
  w.exits.s = 1;
  const t = target({
    startupProbe: probe("s", { failureThreshold: 9 }),
    livenessProbe: probe("l"),
    readinessProbe: probe("r"),
  });
  w.probes.watch(t, w.start);
  w.probes.watch(t, w.start);
  await w.clock.pass(15_000);
  assert.deepEqual(w.asked, ["s", "s"]);
  assert.deepEqual(w.probes.state("id1"), { started: false, ready: false });
  assert.equal(w.lines[0], "Warning|Unhealthy|Startup probe failed: out|spec.containers{c}");
  w.exits.s = 0;
  await w.clock.pass(5_000);
  assert.deepEqual(w.asked.slice(2).sort(), ["l", "r", "s"]);
  assert.deepEqual(w.probes.state("id1"), { started: true, ready: true });
  await w.clock.pass(20_000);
  assert.equal(w.asked.filter((a) => a === "s").length, 3);
  w.probes.forgetPod("u1");
  const before = w.asked.length;
  await w.clock.pass(60_000);
  assert.equal(w.asked.length, before);
  assert.deepEqual(w.probes.state("id1"), { started: false, ready: false });
});

Deno.test("readiness begins false and goes by its thresholds", async () => {
  const w = world();
  w.probes.watch(target({ readinessProbe: probe("r", { initialDelaySeconds: 5, successThreshold: 2 }) }), w.start);
  await w.clock.pass(4_999);
  assert.deepEqual([w.asked.length, w.probes.state("id1").ready], [0, false]);
  await w.clock.pass(1);
  assert.deepEqual([w.asked.length, w.probes.state("id1").ready], [1, false]);
  await w.clock.pass(10_000);
  assert.deepEqual([w.asked.length, w.probes.state("id1").ready], [2, true]);
  w.exits.r = 1;
  await w.clock.pass(10_000);
  assert.equal(w.probes.state("id1").ready, true);
  await w.clock.pass(10_000);
  assert.equal(w.probes.state("id1").ready, false);
  assert.deepEqual(w.changes, ["u1", "u1"]);
  w.probes.forget("id1");
});

Deno.test("liveness fails at its threshold, says so once, and begins anew with another container", async () => {
  const w = world();
  w.exits.l = 1;
  const t = target({ livenessProbe: probe("l") });
  w.probes.watch(t, w.start);
  await w.clock.pass(0);
  assert.deepEqual(w.probes.state("id1"), { started: true, ready: true });
  await w.clock.pass(60_000);
  const failed = { probe: "liveness", message: "Container c failed liveness probe" };
  assert.deepEqual(w.probes.state("id1"), { started: true, ready: true, failed });
  assert.equal(w.asked.length, 2);
  w.probes.forget("id1");
  w.probes.watch({ ...t, id: "id2" }, w.clock.now());
  await w.clock.pass(0);
  assert.deepEqual([w.asked.length, w.probes.state("id2")], [3, { started: true, ready: true }]);
  w.probes.forgetPod("u1");
});

Deno.test("probes are counted by what they came to, until their pod is no longer probed", async () => {
  const w = world();
  w.exits.l = 1;
  w.exits.s = undefined;
  w.probes.watch(target({ livenessProbe: probe("l"), readinessProbe: probe("r") }), w.start);
  w.probes.watch({ ...target({ name: "d", startupProbe: probe("s") }), id: "id2" }, w.start);
  await w.clock.pass(20_000);
  const of = (type: string, more = "") => `{probe_type="${type}",container="c",pod="p",namespace="ns"${more}}`;
  assert.deepEqual(await w.figures(), [
    `prober_probe_duration_seconds_count${of("Readiness")} 3`,
    `prober_probe_total${of("Liveness", ',result="failed",pod_uid="u1"')} 2`,
    `prober_probe_total${of("Readiness", ',result="successful",pod_uid="u1"')} 3`,
  ]);
  w.probes.forgetPod("u1");
  assert.deepEqual(await w.figures(), []);
});

Deno.test("a container is probed on when the host's clock is set back", async () => {
  const w = world();
  w.probes.watch(target({ readinessProbe: probe("r") }), w.start);
  await w.clock.pass(10_000);
  w.clock.set(-3_600_000);
  await w.clock.pass(30_000);
  assert.equal(w.asked.length, 5);
  w.probes.forget("id1");
});

Deno.test("what cannot be asked is tried thrice and counts as nothing", async () => {
  const w = world();
  w.exits.l = undefined;
  const sidecar = target({ livenessProbe: probe("l", { failureThreshold: 1 }) });
  sidecar.pod.spec!.initContainers = [sidecar.container as never];
  w.probes.watch(sidecar, w.start);
  await w.clock.pass(10_000);
  assert.deepEqual([w.asked.length, w.probes.state("id1").failed], [6, undefined]);
  assert.equal(
    w.lines[0],
    "Warning|Unhealthy|Liveness probe errored and resulted in unknown state: broken|spec.initContainers{c}",
  );
  w.exits.l = 1;
  await w.clock.pass(10_000);
  assert.equal(w.probes.state("id1").failed?.message, "Init container c failed liveness probe");
  w.probes.forget("id1");
});

Deno.test("of a pod that ends readiness alone is probed on", async () => {
  const w = world();
  w.exits.s = 1;
  const t = target({ startupProbe: probe("s"), livenessProbe: probe("l"), readinessProbe: probe("r") });
  w.probes.watch(t, w.start);
  await w.clock.pass(0);
  w.probes.watch({ ...t, ends: true }, w.start);
  await w.clock.pass(30_000);
  assert.deepEqual([...new Set(w.asked.slice(1))], ["r"]);
  assert.deepEqual(w.probes.state("id1"), { started: true, ready: true });
  w.probes.forget("id1");
});

Deno.test("a container from before the agent keeps what it was, and a young agent spreads its probes", async () => {
  const w = world(0);
  const probed = { startupProbe: probe("s"), readinessProbe: probe("r") };
  const before: ContainerTarget = target(probed);
  before.pod.status = {
    conditions: [{ type: "Ready", status: "True" }],
    containerStatuses: [{ name: "c", started: true } as never],
  };
  w.probes.watch(before, w.start - 60_000);
  assert.deepEqual(w.probes.state("id1"), { started: true, ready: true });
  w.probes.watch({ ...before, id: "id2" }, w.start);
  assert.deepEqual(w.probes.state("id2"), { started: false, ready: false });
  await w.clock.pass(4_999);
  assert.equal(w.asked.length, 0);
  await w.clock.pass(1);
  assert.deepEqual([...w.asked].sort(), ["r", "r", "s"]);
  w.probes.forgetPod("u1");
});

Deno.test("a container that starts after the host's clock was set back is a new one, probed at once", async () => {
  const w = world();
  w.clock.set(-7_200_000);
  const t = target({ startupProbe: probe("s"), readinessProbe: probe("r") });
  // What was said of the one before it.
  t.pod.status = {
    conditions: [{ type: "Ready", status: "True" }],
    containerStatuses: [{ name: "c", started: true } as never],
  };
  w.probes.watch(t, w.clock.now());
  assert.deepEqual(w.probes.state("id1"), { started: false, ready: false });
  await w.clock.pass(0);
  assert.deepEqual(w.asked.sort(), ["r", "s"]);
  w.probes.forget("id1");
});

Deno.test("a delay is no longer than it is said, though the host's clock is set back", async () => {
  const w = world();
  w.clock.set(-3_600_000);
  w.probes.watch(target({ livenessProbe: probe("l", { initialDelaySeconds: 5 }) }), w.start);
  await w.clock.pass(5_000);
  assert.deepEqual(w.asked, ["l"]);
  w.probes.forget("id1");
});

Deno.test("probes begin at each period, however long one takes, and never two at once", async () => {
  const w = world(), began: number[] = [], pause = { ms: 3_000 };
  const execSync = async () => {
    began.push(w.clock.ticks());
    await w.clock.wait(pause.ms);
    return { stdout: new Uint8Array(), stderr: new Uint8Array(), exitCode: 0 };
  };
  Object.assign(w.probes.parts.runtime, { execSync });
  w.probes.watch(target({ livenessProbe: probe("l", { timeoutSeconds: 60 }) }), w.start);
  await w.clock.pass(20_000);
  pause.ms = 25_000;
  await w.clock.pass(60_000);
  assert.deepEqual(began, [0, 10_000, 20_000, 30_000, 55_000, 80_000]);
  w.probes.forget("id1");
});

Deno.test("a sidecar from before the agent has started, as its status says", () => {
  const w = world(0), t = target({ startupProbe: probe("s"), restartPolicy: "Always" });
  t.pod.status = { initContainerStatuses: [{ name: "c", started: true } as never] };
  w.probes.watch(t, w.start - 60_000);
  assert.equal(w.probes.state("id1").started, true);
  w.probes.forget("id1");
});
