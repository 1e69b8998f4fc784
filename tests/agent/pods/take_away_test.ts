/** What is left of pods, where the runtime cannot take some of it away. */
import assert from "node:assert/strict";
import type { Pod } from "../../../schema/api/core_v1.ts";
import { killPod } from "../../../agent/pods/kill.ts";
import { PodMemory } from "../../../agent/pods/memory.ts";
import { LABEL, PodManager, type PodOptions, type PodParts } from "../../../agent/pods/mod.ts";
import { sweepHost } from "../../../agent/pods/sweep.ts";
import { withDirectory } from "../../fixture/directory.ts";
import { TestClock, told } from "../probes/parts.ts";
import { pod, sandbox, state } from "./_fixture.ts";

const busy = () => Promise.reject(new Error("device or resource busy"));

/** A runtime that has ended containers and sandboxes, and cannot take the first of each away. */
class Busy {
  readonly removed: string[] = [];
  left: readonly string[];

  constructor(readonly uid: string, ...left: string[]) {
    this.left = left;
  }

  version = () => Promise.resolve({ runtimeName: "test" });
  listContainers = () => this.#list((name) => ({ id: name, metadata: { name }, podSandboxId: `box-${name}` }));
  listPodSandboxes = () => this.#list((name) => ({ id: `box-${name}`, metadata: { attempt: 0 } }));
  containerStatus = (id: string) =>
    Promise.resolve({ id, labels: {}, logPath: "", annotations: {}, mounts: [], metadata: {} });
  podSandboxStatus = (id: string) => Promise.resolve({ id, state: "NOTREADY", metadata: { attempt: 0 } });
  stopPodSandbox = () => Promise.resolve();
  removeContainer = (id: string) => this.#remove(id);
  removePodSandbox = (id: string) => this.#remove(id);

  #list<T extends object>(of: (name: string) => T) {
    const labels = { [LABEL.uid]: this.uid };
    return Promise.resolve(this.left.map((name) => ({ ...of(name), labels, state: "EXITED", createdAt: 1n })));
  }

  #remove(id: string): Promise<void> {
    if (id.endsWith(this.left[0]!)) return busy();
    this.removed.push(id);
    return Promise.resolve();
  }
}

const options = { maximumDeadContainersPerContainer: 1, maximumDeadContainers: -1, syncFrequency: 60_000 };

Deno.test("a container that the runtime cannot take away does not keep the others that have ended", async () => {
  const runtime = new Busy("gone", "one", "two"), logged: string[] = [];
  const parts = {
    ...{ runtime, clock: new TestClock(), sourcesReady: () => true, gate: () => true },
    log: (_level: string, text: string) => logged.push(text),
  };
  await new PodManager(parts as unknown as PodParts, options as PodOptions).removeEnded();
  assert.deepEqual(runtime.removed, ["two", "box-two"]);
  assert.deepEqual(logged, ["what has ended is not all taken away"]);
});

Deno.test("a sandbox that does not stop does not keep the others of its pod", async () => {
  const stopped: string[] = [];
  const stopPodSandbox = (id: string) => id === "box1" ? busy() : Promise.resolve(void stopped.push(id));
  const memory = new PodMemory(pod({}));
  memory.see(state([], [sandbox({}, 1), sandbox({}, 0)]));
  const parts = { runtime: { stopPodSandbox } } as PodParts;
  await assert.rejects(killPod(parts, memory, 1, new AbortController().signal), /busy/);
  assert.deepEqual(stopped, ["box0"]);
});

Deno.test("a pod is over though the runtime cannot take a container of it away", () =>
  withDirectory(async (directory) => {
    const clock = new TestClock(), { events } = told(), life = new AbortController();
    const runtime = new Busy("u1", "one", "two"), over: string[] = [];
    const own = {
      ...{ runtime, clock, events, sourcesReady: () => true, gate: () => true, log: () => {}, random: () => 0 },
      volumes: { unmount: () => Promise.resolve() },
      resources: { release: () => Promise.resolve(), removeOrphans: () => Promise.resolve() },
      users: { release: () => Promise.resolve() },
      status: { set: () => {}, ended: (p: Pod) => void over.push(p.metadata!.uid!) },
      probes: { forgetPod: () => {}, forget: () => {} },
    };
    const places = { rootDir: directory, podLogsDir: `${directory}/logs` };
    const manager = new PodManager(own as unknown as PodParts, { ...options, ...places } as PodOptions);
    const deleted = pod({}, { deletionTimestamp: "2026-01-01T00:00:00Z", deletionGracePeriodSeconds: 1 });
    manager.set([{ ...deleted, status: { phase: "Succeeded" } }]);
    const run = manager.run(life.signal);
    await clock.pass(1_500);
    assert.deepEqual(over, ["u1"]);
    assert.deepEqual(runtime.removed, ["two", "box-two"]);
    life.abort();
    await run;
  }));

Deno.test("volumes that are not given back keep neither other pods' nor what has ended", () =>
  withDirectory(async (directory) => {
    const clock = new TestClock(), life = new AbortController(), hung = Promise.withResolvers<void>();
    const runtime = new Busy("gone", "none"), given: string[] = [];
    const own = {
      ...{ runtime, clock, sourcesReady: () => true, gate: () => true, log: () => {} },
      volumes: { unmount: ({ uid }: { uid: string }) => uid === "a" ? hung.promise : Promise.resolve() },
      resources: { release: () => Promise.resolve(), removeOrphans: () => Promise.resolve(void given.push("groups")) },
      users: { release: (uid: string) => Promise.resolve(void given.push(uid)) },
    };
    for (const uid of ["a", "b"]) await Deno.mkdir(`${directory}/pods/${uid}`, { recursive: true });
    const places = { rootDir: directory, podLogsDir: `${directory}/logs` };
    const manager = new PodManager(own as unknown as PodParts, { ...options, ...places } as PodOptions);
    const run = manager.run(life.signal);
    await clock.pass(1_500);
    assert.deepEqual(given, ["groups", "b"]);
    runtime.left = ["none", "two"];
    await clock.pass(1_500);
    assert.deepEqual(runtime.removed, ["two", "box-two"]);
    hung.resolve();
    life.abort();
    await run;
    assert.deepEqual(given, ["groups", "b", "a"]);
  }));

Deno.test("of hundreds of pods that are gone few are given back at a time, and all in the end", () =>
  withDirectory(async (directory) => {
    const uids = Array.from({ length: 200 }, (_, nth) => `gone${nth}`), given: string[] = [];
    let now = 0, most = 0;
    const own = {
      ...{ runtime: new Busy("gone"), log: () => {}, sourcesReady: () => true },
      volumes: {
        unmount: async ({ uid }: { uid: string }) => {
          most = Math.max(most, ++now);
          await Deno.remove(`${directory}/pods/${uid}`);
          now--;
        },
      },
      resources: { release: () => Promise.resolve(), removeOrphans: () => Promise.resolve() },
      users: { release: (uid: string) => Promise.resolve(void given.push(uid)) },
    };
    for (const uid of uids) await Deno.mkdir(`${directory}/pods/${uid}`, { recursive: true });
    const places = { rootDir: directory, podLogsDir: `${directory}/logs` };
    assert(await sweepHost(own as unknown as PodParts, { ...options, ...places } as PodOptions, () => true));
    assert.deepEqual(given.sort(), uids.sort());
    assert(most < 100, `${most} at a time`);
  }));
