/** How long containers of a pod are given to end, and in which order, by a clock that the test tells. */
import assert from "node:assert/strict";
import type { Container, Pod, PodSpec } from "../../../schema/api/core_v1.ts";
import { killContainer, type KillHow, killPod } from "../../../agent/pods/kill.ts";
import { PodMemory } from "../../../agent/pods/memory.ts";
import type { PodParts } from "../../../agent/pods/parts.ts";
import { RuntimeError } from "../../../agent/runtime/types.ts";
import { TestClock, told } from "../probes/parts.ts";
import { attempt, exited, pod, sandbox, state } from "./_fixture.ts";

const c = (name: string, more: Partial<Container> = {}): Container => ({ name, image: "app:1", ...more });
const hook = { lifecycle: { preStop: { exec: { command: ["stop"] } } } };
const sidecar = { restartPolicy: "Always" } as const;

/** A pod whose containers all run. Hooks take `hooks` ms and come to `ok`; containers end as long after their signal as `ends` says, ms. */
function world(spec: Partial<PodSpec>, metadata: Pod["metadata"] = {}) {
  const clock = new TestClock(), { lines, events } = told(), life = new AbortController();
  const w = { clock, lines, life, hooks: 0, ok: true, ends: {} as Record<string, number>, done: [] as string[] };
  const of = pod({ terminationGracePeriodSeconds: 10, ...spec }, metadata), memory = new PodMemory(of);
  const all = [...of.spec!.initContainers ?? [], ...of.spec!.containers!];
  memory.see(state(all.map((one) => attempt(one, { id: one.name })), [sandbox({ id: "box" })]));
  const seconds = () => clock.ticks() / 1000;
  const runtime = {
    stopContainer: async (id: string, grace: number) => {
      w.done.push(`${seconds()}: ${id} has ${grace}`);
      await clock.wait(w.ends[id] ?? 0);
    },
    stopPodSandbox: (id: string) => Promise.resolve(void w.done.push(`${seconds()}: ${id}`)),
  };
  const handlers = {
    run: async ({ id }: { id: string }) => {
      w.done.push(`${seconds()}: hook of ${id}`);
      await clock.wait(w.hooks);
      return { ok: w.ok, output: "" };
    },
  };
  const parts = { clock, events, runtime, handlers, hostIPs: () => [] } as unknown as PodParts;
  const kill = (grace?: number, signal = life.signal) => killPod(parts, memory, grace, signal);
  const one = (how: Partial<KillHow>) =>
    killContainer(parts, memory, all[0]!.name, all[0]!, { reason: "Unknown", ...how }, life.signal);
  return Object.assign(w, { memory, runtime, kill, one });
}

Deno.test("a container has what its hook left of the pod's time, and two seconds at the least", async () => {
  for (const [ms, grace] of [[0, 10], [3_500, 7], [9_500, 2], [60_000, 2]] as const) {
    const w = world({ containers: [c("main", hook)] });
    w.hooks = ms;
    const killed = w.kill();
    await w.clock.pass(60_000);
    await killed;
    const at = Math.min(ms / 1000, 10);
    assert.deepEqual(w.done, ["0: hook of main", `${at}: main has ${grace}`, `${at}: box`]);
  }
});

Deno.test("a hook that fails after its time is told of, for half a minute", async () => {
  for (const [ms, isTold] of [[39_000, true], [41_000, false]] as const) {
    const w = world({ containers: [c("main", hook)] });
    [w.hooks, w.ok] = [ms, false];
    const killed = w.kill();
    await w.clock.pass(60_000);
    await killed;
    assert.equal(w.lines.some((line) => line.includes("FailedPreStopHook")), isTold);
  }
});

Deno.test("how long it has goes by the deletion, the probe that failed, the pod", async () => {
  const probe = { terminationGracePeriodSeconds: 4, exec: {} };
  const main = c("main", { livenessProbe: probe, startupProbe: { exec: {} } });
  const deleted = { deletionTimestamp: "2026-01-01T00:00:00Z", deletionGracePeriodSeconds: 6 };
  const table: readonly (readonly [Pod["metadata"], Partial<PodSpec>, Partial<KillHow>, number])[] = [
    [{}, {}, {}, 10],
    [{}, {}, { reason: "LivenessProbe" }, 4],
    [{}, {}, { reason: "StartupProbe" }, 10],
    [deleted, {}, { reason: "LivenessProbe" }, 6],
    [deleted, {}, { grace: 3 }, 3],
    [{}, {}, { grace: 0 }, 2],
    [{}, { terminationGracePeriodSeconds: undefined as never }, {}, 2],
  ];
  for (const [metadata, spec, how, grace] of table) {
    const w = world({ containers: [main], ...spec }, metadata);
    await w.one(how);
    assert.deepEqual(w.done, [`0: main has ${grace}`]);
  }
});

Deno.test("without any time there is no hook", async () => {
  const w = world({ containers: [c("main", hook)] });
  await w.kill(0);
  assert.deepEqual(w.done, ["0: main has 2", "0: box"]);
});

Deno.test("sidecars end after the containers, the last of them first, and none later than the pod's time", async () => {
  const spec = { initContainers: [c("one", sidecar), c("two", sidecar)], containers: [c("main")] };
  const w = world(spec);
  w.ends = { main: 3_000, two: 4_000 };
  const killed = w.kill();
  await w.clock.pass(60_000);
  await killed;
  assert.deepEqual(w.done, ["0: main has 10", "3: two has 7", "7: one has 3", "7: box"]);
  const late = world(spec);
  late.ends = { main: 15_000 };
  const end = late.kill();
  await late.clock.pass(60_000);
  await end;
  assert.deepEqual(late.done, ["0: main has 10", "10: two has 2", "10: one has 2", "15: box"]);
});

Deno.test("what has ended or is gone holds up no sidecar", async () => {
  const w = world({ initContainers: [c("side", sidecar)], containers: [c("main")] });
  w.runtime.stopContainer = (id) => {
    w.done.push(id);
    return id === "main" ? Promise.reject(new RuntimeError("NotFound", "no such container")) : Promise.resolve();
  };
  await w.kill();
  assert.deepEqual(w.done, ["main", "side", "0: box"]);
  const [side, main] = [c("side", sidecar), c("main")], over = world({ initContainers: [side], containers: [main] });
  over.memory.see(state([attempt(side, { id: "side" }), exited(main, 0)], [sandbox({ id: "box" })]));
  const killed = over.kill();
  await over.clock.pass(60_000);
  await killed;
  assert.deepEqual(over.done, ["0: side has 10", "0: box"]);
});

Deno.test("a hook that was cut short is run again, one that was over is not", async () => {
  const w = world({ containers: [c("main", hook)] }), first = new AbortController();
  w.hooks = 5_000;
  const cut = w.kill(10, first.signal).catch(() => {});
  await w.clock.pass(1_000);
  first.abort();
  await cut;
  const second = new AbortController(), again = w.kill(8, second.signal).catch(() => {});
  w.ends = { main: 60_000 };
  await w.clock.pass(6_000);
  second.abort();
  await again;
  const last = w.kill(4);
  await w.clock.pass(60_000);
  await last;
  assert.deepEqual(w.done.slice(0, 4), ["0: hook of main", "1: hook of main", "6: main has 3", "7: main has 4"]);
});
