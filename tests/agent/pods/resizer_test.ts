import assert from "node:assert/strict";
import type { Container, PodCondition, PodSpec } from "../../../schema/api/core_v1.ts";
import { decide } from "../../../agent/pods/decide.ts";
import { PodMemory } from "../../../agent/pods/memory.ts";
import type { PodParts } from "../../../agent/pods/parts.ts";
import type { ResizeOptions } from "../../../agent/pods/resize.ts";
import { Resizer } from "../../../agent/pods/resizer.ts";
import type { PodState } from "../../../agent/pods/state.ts";
import { wholeStatus } from "../../../agent/pods/whole_status.ts";
import type { GroupMemory } from "../../../agent/types.ts";
import { TestClock } from "../probes/parts.ts";
import { attempt, pod, ready, sandbox, state } from "./_fixture.ts";

const on = () => true;

/** A node that gives all that is asked for, and keeps what it is told. */
class World {
  readonly told: string[] = [];
  readonly updated: string[] = [];
  swap = 0;
  group: GroupMemory | undefined;
  /** Of what the node has too little. */
  lacks: string | undefined;
  gate: (name: string) => boolean = on;

  resizer(options: ResizeOptions = {}): Resizer {
    const parts = {
      admit: () => this.lacks === undefined ? undefined : { reason: "OutOfcpu", message: this.lacks },
      clock: new TestClock(),
      gate: (name: string) => this.gate(name),
      events: {
        pod: (_pod: unknown, _type: string, reason: string, message: string) => this.told.push(`${reason} ${message}`),
      },
      resources: {
        container: () => ({ unified: { "memory.swap.max": `${this.swap}` } }),
        pod: () => Promise.resolve("/pod"),
        memory: () => Promise.resolve(this.group),
      },
      runtime: {
        updateContainerResources: async (id: string) => void this.updated.push(id),
        listContainerStats: () => Promise.resolve([]),
      },
    };
    return new Resizer(parts as unknown as PodParts, options, { taken: () => [], changed() {} });
  }
}

const main = (memory: string, more: Partial<Container> = {}): Container => ({
  name: "main",
  image: "app:1",
  resources: { requests: { memory, cpu: "1" } },
  ...more,
});

const seen = (spec: Partial<PodSpec>, runs: PodState) => {
  const memory = new PodMemory(pod(spec));
  memory.see(runs);
  return memory;
};
const decision = (memory: PodMemory) =>
  decide({ pod: memory.pod, state: memory.state, probes: ready, restartAll: false });

Deno.test("a container that may swap keeps its memory while it runs", () => {
  const world = new World(), resizer = world.resizer(), runs = state([attempt(main("1Mi"))]);
  world.swap = 4096;
  resizer.allot(pod({ containers: [main("1Mi")] }), runs);
  const wanted = { containers: [main("2Mi")] };
  assert.deepEqual(resizer.allot(pod(wanted), runs).spec!.containers, [main("1Mi")]);
  const [pending] = resizer.conditions(seen(wanted, runs));
  assert.deepEqual([pending?.type, pending?.reason, pending?.message], [
    "PodResizePending",
    "Infeasible",
    "In-place resize of containers with swap is not supported.",
  ]);
  const restarts = main("2Mi", { resizePolicy: [{ resourceName: "memory", restartPolicy: "RestartContainer" }] });
  assert.deepEqual(resizer.allot(pod({ containers: [restarts] }), runs).spec!.containers, [restarts]);
});

Deno.test("what can never be changed: processors of its own, the whole pod without its gate", () => {
  const world = new World(), runs = state([attempt(main("1Mi"))]);
  const full = (cpu: string) =>
    main("1Mi", { resources: { requests: { cpu, memory: "1Mi" }, limits: { cpu, memory: "1Mi" } } });
  const why = (options: ResizeOptions, before: Partial<PodSpec>, after: Partial<PodSpec>) => {
    const resizer = world.resizer(options);
    resizer.allot(pod(before), state([]));
    resizer.allot(pod(after), runs);
    return resizer.conditions(seen(after, runs)).find((c) => c.type === "PodResizePending")?.message;
  };
  assert.equal(
    why({ cpuManagerPolicy: "static" }, { containers: [full("1")] }, { containers: [full("2")] }),
    'Resize is infeasible for Guaranteed Pods alongside CPU Manager policy "static"',
  );
  assert.equal(
    why({ memoryManagerPolicy: "Static" }, { containers: [full("1")] }, { containers: [full("2")] }),
    undefined,
  );
  world.gate = (name) => name !== "InPlacePodLevelResourcesVerticalScaling";
  const whole = (cpu: string) => ({ containers: [main("1Mi")], resources: { limits: { cpu } } });
  assert.equal(why({}, whole("1"), whole("2")), "InPlacePodLevelResourcesVerticalScaling is disabled");
});

Deno.test("a pod as a whole: containers without limits of their own have its limits", async () => {
  const own = main("1Mi", { name: "own", resources: { limits: { cpu: "1" } } }), free = main("1Mi", { name: "free" });
  const spec = (cpu: string) => ({ containers: [own, free], resources: { limits: { cpu } } });
  const had = { resources: own.resources!, whole: { limits: { cpu: "2" } } };
  const runs = state([attempt(own, had), attempt(free, { ...had, resources: free.resources! })], [sandbox()]);
  const world = new World(), resizer = world.resizer(), memory = seen(spec("3"), runs);
  resizer.allot(pod(spec("2")), runs);
  memory.pod = resizer.allot(pod(spec("3")), runs);
  const [doing] = resizer.conditions(memory);
  assert.deepEqual([doing?.type, doing?.reason, doing?.observedGeneration], ["PodResizeInProgress", undefined, 1]);
  const wanted = decision(memory);
  assert.deepEqual(wanted.update.map(({ container }) => container.name), ["free"]);
  const running = { ...memory.pod, status: { phase: "Running" as const } };
  assert.equal(wholeStatus(running, runs, on).resources!.limits!["cpu"], "2");
  await resizer.cgroup(memory, wanted);
  assert.deepEqual(await resizer.apply(memory, wanted), { did: true, failed: false });
  assert.equal(world.updated.length, 1);
  const after = memory.see(runs);
  assert.deepEqual(resizer.conditions(memory), []);
  assert.deepEqual(wholeStatus(running, after, on), {
    allocatedResources: { cpu: "1", memory: "1Mi" },
    resources: { limits: { cpu: "3" }, requests: { cpu: "1", memory: "1Mi" } },
  });
  resizer.allot(pod(spec("3")), after);
  assert.deepEqual(world.told.map((t) => t.split(": ")[0]), [
    "ResizeStarted Pod resize started",
    "ResizeCompleted Pod resize completed",
  ]);
  assert.ok(
    world.told[0]!.includes('{"containers":[{"name":"own","resources":{"limits":{"cpu":"1"}}},'),
    world.told[0]!,
  );
});

Deno.test("what the node cannot give now is told once for a generation, and of when that was found", () => {
  const asks = (cpu: string, generation: number) =>
    pod({ containers: [main("1Mi", { resources: { requests: { cpu } } })] }, { generation });
  const world = new World(), resizer = world.resizer();
  const runs = state([attempt(asks("1", 1).spec!.containers![0]!)]), memory = seen(asks("1", 1).spec!, runs);
  resizer.allot(asks("1", 1), runs);
  for (const [generation, lacks] of [[2, "one"], [2, "two"], [3, "two"]] as const) {
    world.lacks = lacks;
    resizer.allot(asks("9", generation), runs);
  }
  assert.deepEqual(world.told.map((t) => t.split(": ")[0]), [
    "ResizeDeferred Pod resize OutOfcpu",
    "ResizeDeferred Pod resize OutOfcpu",
  ]);
  const [{ reason, message, observedGeneration, lastProbeTime }] = resizer.conditions(memory) as [PodCondition];
  assert.deepEqual([reason, message, observedGeneration], ["Deferred", "two", 3]);
  assert.match(lastProbeTime!, /^2023-/);
  assert.notEqual(resizer.deferredSince, undefined);
});

Deno.test("a pod's memory is not taken while it is in use", async () => {
  const limited = (memory: string) => main("1Mi", { resources: { limits: { memory } } });
  const spec = (memory: string) => ({ containers: [limited("9Mi")], resources: { limits: { memory } } });
  const runs = state([attempt(limited("9Mi"), { resources: limited("9Mi").resources!, whole: spec("8Mi").resources })]);
  const world = new World(), resizer = world.resizer(), memory = seen(spec("4Mi"), runs);
  resizer.allot(pod(spec("8Mi")), runs);
  memory.pod = resizer.allot(pod(spec("4Mi")), runs);
  world.group = { wanted: 4 << 20, limit: 8 << 20, used: 5 << 20 };
  const nothing = { ...decision(memory), update: [], kill: [] };
  await resizer.cgroup(memory, nothing);
  assert.deepEqual(await resizer.apply(memory, nothing), { did: true, failed: true });
  const [doing] = resizer.conditions(memory);
  const why =
    "cannot decrease memory limits: attempting to set pod memory limit (4194304) below current usage (5242880)";
  assert.deepEqual([doing?.reason, doing?.message], ["Error", why]);
  world.group = { ...world.group, used: 3 << 20 };
  await resizer.cgroup(memory, nothing);
  assert.deepEqual(await resizer.apply(memory, nothing), { did: true, failed: false });
});

Deno.test("init containers that run are changed as others are", () => {
  const init = main("1Mi", { name: "init" }), bigger = main("2Mi", { name: "init" });
  const box = [sandbox()], runs = state([attempt(init, { resources: init.resources! })], box);
  const memory = seen({ initContainers: [bigger], containers: [main("1Mi")] }, runs);
  assert.deepEqual(decision(memory).update.map(({ container }) => container.name), ["init"]);
});

Deno.test("what a container was given before the agent's start is known by its status", () => {
  const wanted = pod({ containers: [main("2Mi")] });
  const run = attempt(main("1Mi"), { resources: main("1Mi").resources! });
  wanted.status = {
    containerStatuses: [{
      name: "main",
      image: "",
      imageID: "",
      ready: true,
      restartCount: 0,
      containerID: `containerd://${run.id}`,
      state: { running: {} },
      resources: main("2Mi").resources!,
    }],
  };
  const memory = new PodMemory(wanted);
  memory.see(state([run], [sandbox()]));
  assert.deepEqual(decision(memory).update, []);
});
