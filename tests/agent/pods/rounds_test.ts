/** What one round of a pod comes to. */
import assert from "node:assert/strict";
import { Registry } from "prom-client";
import type { PodHost } from "../../../agent/pods/host.ts";
import { PodMemory } from "../../../agent/pods/memory.ts";
import { PodMetrics } from "../../../agent/pods/metrics.ts";
import { Resizer } from "../../../agent/pods/resizer.ts";
import { RoundFault, Rounds } from "../../../agent/pods/rounds.ts";
import { Turns } from "../../../agent/pods/within.ts";
import { NotMounted, PodRefused } from "../../../agent/types.ts";
import { withDirectory } from "../../fixture/directory.ts";
import { TestClock, told } from "../probes/parts.ts";
import { NO_CLAIMS, NO_DEVICES, pod, ready, sandbox } from "./_fixture.ts";

/** Rounds of a pod of which the runtime has nothing. */
function roundsOf(options: { rootDir: string }, more: object, events: PodHost["parts"]["events"]): Rounds {
  const none = () => Promise.resolve([]);
  const parts = {
    ...{ events, clock: new TestClock(), devices: NO_DEVICES, claims: NO_CLAIMS, gate: () => false },
    runtime: { listContainers: none, listPodSandboxes: none },
    runtimeHandler: () => Promise.resolve(""),
    probes: { state: ready, forgetPod: () => {} },
    resources: { pod: () => Promise.resolve("") },
    status: { set: () => {} },
    isStatic: () => false,
    hostIPs: () => [],
    ...more,
  };
  const metrics = new PodMetrics(
    new Registry(),
    () => 0,
    () => ({ wanted: [], led: [], orphans: 0, isStatic: () => false }),
  );
  const host = {
    ...{ parts, options, reads: new Turns(1), runtimeName: () => "test", metrics },
  } as unknown as PodHost;
  const resizer = new Resizer(host.parts, host.options, { taken: () => [], changed() {} });
  return new Rounds(host, new PodMemory(pod({})), resizer, undefined);
}

Deno.test("volumes that cannot be made are tried again soon, then ever later, and each is told of", () =>
  withDirectory(async (rootDir) => {
    const { events, lines } = told(), { signal } = new AbortController(), options = { rootDir };
    let fault: NotMounted | undefined = new NotMounted(["one", "two"], true);
    const mount = () => fault ? Promise.reject(fault) : Promise.resolve(new Map());
    const rounds = roundsOf(options, { volumes: { mount } }, events);
    const pause = () =>
      rounds.syncing(signal).then(() => "none", (e) => e instanceof RoundFault ? e.pause : "the usual one");
    assert.deepEqual([await pause(), await pause(), await pause()], [500, 1_000, 2_000]);
    assert.deepEqual(lines.slice(0, 2), ["Warning|FailedMount|one|", "Warning|FailedMount|two|"]);
    for (let tries = 0; tries < 10; tries++) await pause();
    assert.equal(await pause(), 122_000);
    fault = undefined;
    await pause();
    fault = new NotMounted(["once more"], true);
    assert.equal(await pause(), 500, "they were made meanwhile");
    fault = new NotMounted(["nobody makes it"], false);
    assert.equal(await pause(), "the usual one");
    lines.length = 0;
    await Deno.writeTextFile(`${rootDir}/file`, "");
    options.rootDir = `${rootDir}/file`;
    assert.equal(await pause(), "the usual one");
    const made = `mkdir ${rootDir}/file/pods/u1: not a directory`;
    assert.deepEqual(lines, [
      `Warning|FailedToMakePodDataDirectories|error making pod data directories: ${made}|`,
    ]);
  }));

Deno.test("what a pod claims is taken back before it is told that it has ended, if need be at another try", async () => {
  const { events } = told(), { signal } = new AbortController(), done: string[] = [];
  const set = (_pod: unknown, { phase }: { phase?: string }) => void done.push(phase ?? "");
  let isStuck = true;
  const unprepare = () => {
    done.push("taken back");
    return isStuck ? Promise.reject(new Error("the driver is away")) : Promise.resolve();
  };
  const rounds = roundsOf({ rootDir: "/nowhere" }, { claims: { ...NO_CLAIMS, unprepare }, status: { set } }, events);
  await assert.rejects(rounds.terminating(signal), /the driver is away/);
  isStuck = false;
  assert.deepEqual(await rounds.terminating(signal), { stage: "terminated" });
  assert.deepEqual(done, ["Pending", "taken back", "Pending", "taken back", "Failed"]);
});

Deno.test("a pod that cannot have what it asks for fails, and one that runs already goes on", () =>
  withDirectory(async (rootDir) => {
    const { events, lines } = told(), { signal } = new AbortController();
    const volumes = { mount: () => Promise.reject(new PodRefused("Refused", "not on this node")) };
    assert.deepEqual(await roundsOf({ rootDir }, { volumes }, events).syncing(signal), { stage: "terminated" });
    assert.deepEqual(lines.splice(0), ["Warning|Refused|not on this node|"]);
    const runtime = {
      listContainers: () => Promise.resolve([]),
      listPodSandboxes: () => Promise.resolve([sandbox()]),
      podSandboxStatus: () => Promise.resolve(sandbox()),
    };
    await assert.rejects(roundsOf({ rootDir }, { volumes, runtime }, events).syncing(signal), /not on this node/);
    assert.deepEqual(lines, ["Warning|FailedMount|not on this node|"]);
  }));
