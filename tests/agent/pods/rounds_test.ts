/** What one round of a pod comes to. */
import assert from "node:assert/strict";
import { Registry } from "prom-client";
import type { PodHost } from "../../../agent/pods/host.ts";
import { PodMemory } from "../../../agent/pods/memory.ts";
import { PodMetrics } from "../../../agent/pods/metrics.ts";
import { Resizer } from "../../../agent/pods/resizer.ts";
import { RoundFault, Rounds } from "../../../agent/pods/rounds.ts";
import { Turns } from "../../../agent/pods/within.ts";
import { NotMounted } from "../../../agent/types.ts";
import { withDirectory } from "../../fixture/directory.ts";
import { TestClock, told } from "../probes/parts.ts";
import { NO_CLAIMS, NO_DEVICES, pod, ready } from "./_fixture.ts";

Deno.test("volumes that cannot be made are tried again soon, then ever later, and each is told of", () =>
  withDirectory(async (rootDir) => {
    const { events, lines } = told(), { signal } = new AbortController();
    let fault = new NotMounted(["one", "two"], true);
    const none = () => Promise.resolve([]);
    const parts = {
      ...{ events, clock: new TestClock(), devices: NO_DEVICES, claims: NO_CLAIMS, gate: () => false },
      runtime: { listContainers: none, listPodSandboxes: none },
      runtimeHandler: () => Promise.resolve(""),
      probes: { state: ready },
      resources: { pod: () => Promise.resolve("") },
      volumes: { mount: () => Promise.reject(fault) },
      status: { set: () => {} },
      isStatic: () => false,
      hostIPs: () => [],
    };
    const metrics = new PodMetrics(
      new Registry(),
      () => 0,
      () => ({ wanted: [], led: [], orphans: 0, isStatic: () => false }),
    );
    const options = { rootDir }, reads = new Turns(1), runtimeName = () => "test";
    const host = { parts, options, reads, runtimeName, metrics } as unknown as PodHost;
    const memory = new PodMemory(pod({}));
    const rounds = new Rounds(
      host,
      memory,
      new Resizer(host.parts, host.options, { taken: () => [], changed() {} }),
      undefined,
    );
    const pause = () =>
      rounds.syncing(signal).then(() => "none", (e) => e instanceof RoundFault ? e.pause : "the usual one");
    assert.deepEqual([await pause(), await pause(), await pause()], [500, 1_000, 2_000]);
    assert.deepEqual(lines.slice(0, 2), ["Warning|FailedMount|one|", "Warning|FailedMount|two|"]);
    for (let tries = 0; tries < 10; tries++) await pause();
    assert.equal(await pause(), 122_000);
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
