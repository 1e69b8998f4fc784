/** Graceful shutdown of the host: who ends when, with a logind that tests lead. */
import assert from "node:assert/strict";
import { Registry } from "prom-client";
import type { Pod } from "../../../schema/api/core_v1.ts";
import { groupsOf, type Period, periodsOf, type ShutdownOptions } from "../../../agent/shutdown/groups.ts";
import type { Logind } from "../../../agent/shutdown/logind.ts";
import { NodeShutdown, type ShutdownParts } from "../../../agent/shutdown/mod.ts";
import { ShutdownTimes } from "../../../agent/shutdown/times.ts";
import { IMAGES } from "../../fixture/busybox_image.ts";
import { containerdMissing, startContainerd } from "../../fixture/containerd.ts";
import { until } from "../../listen/_fixture.ts";
import { clock, Node } from "../pods/_node.ts";

const podOf = (name: string, priority?: number, terminationGracePeriodSeconds?: number): Pod => ({
  metadata: { name, namespace: "default", uid: `uid-${name}`, generation: 1 },
  spec: {
    containers: [],
    ...(priority === undefined ? {} : { priority }),
    ...(terminationGracePeriodSeconds === undefined ? {} : { terminationGracePeriodSeconds }),
  },
});
const names = (pods: readonly Pod[]) => pods.map(({ metadata }) => metadata!.name);
const CRITICAL = 2_000_000_000;

/** A logind that waits for 5 s, and does what its test says. */
class LedLogind implements Logind {
  waits = 5_000;
  /** It does what it is told. */
  isObedient = true;
  readonly said: string[] = [];
  readonly #over = Promise.withResolvers<void>();
  readonly over = this.#over.promise;
  tell: (begins: boolean) => void = () => {};
  #locks = 0;
  /** Loses the lock that is held. */
  lose = () => {};

  delay = () => Promise.resolve(this.waits);
  setDelay = (ms: number) => {
    this.said.push(`wait ${ms}`);
    if (this.isObedient) this.waits = ms;
    return Promise.resolve();
  };
  lock = () => {
    const nth = ++this.#locks;
    const lost = Promise.withResolvers<void>();
    this.lose = lost.resolve;
    this.said.push(`lock ${nth}`);
    const release = () => {
      this.said.push(`release ${nth}`);
      lost.resolve();
    };
    return Promise.resolve({ release, lost: lost.promise });
  };
  hear = (told: (begins: boolean) => void) => {
    this.tell = told;
    return Promise.resolve();
  };
  close = () => this.#over.resolve();

  /** It lives until the signal. */
  until(signal: AbortSignal): Promise<this> {
    signal.addEventListener("abort", this.close, { once: true });
    return Promise.resolve(this);
  }
}

/** Runs with a manager at work. Waiting takes no time until `forever` is set. */
async function withShutdown(
  periods: readonly Period[],
  own: Partial<ShutdownParts>,
  run: (o: { shutdown: NodeShutdown; said: string[]; waited: number[] }) => Promise<void>,
): Promise<void> {
  const said: string[] = [], waited: number[] = [], life = new AbortController();
  const shutdown = new NodeShutdown({
    periods,
    logind: () => Promise.reject(new Error("nobody listens")),
    pods: () => [],
    end: () => Promise.resolve(),
    tell: () => void said.push("tell"),
    events: { node: (type, reason, message) => void said.push(`${type} ${reason} ${message}`) },
    clock: {
      now: () => Date.UTC(2026, 0, 1),
      ticks: () => 0,
      wait: (ms, signal) => {
        waited.push(ms);
        return clock.wait(Math.min(ms, 5), signal);
      },
    },
    log: (level, text, detail) => void said.push(`${level} ${text}: ${detail}`),
    ...own,
  });
  const running = shutdown.run(life.signal);
  try {
    await run({ shutdown, said, waited });
  } finally {
    life.abort();
    await running;
  }
}

Deno.test("shutdown: times by priority, of the configuration or of the two times", () => {
  const all = () => true;
  const none: ShutdownOptions = {
    shutdownGracePeriod: 0,
    shutdownGracePeriodCriticalPods: 0,
    shutdownGracePeriodByPodPriority: undefined,
  };
  assert.deepEqual(periodsOf(none, all), []);
  const two = { ...none, shutdownGracePeriod: 30_000, shutdownGracePeriodCriticalPods: 10_500 };
  const expected = [{ priority: 0, seconds: 19 }, { priority: CRITICAL, seconds: 10 }];
  assert.deepEqual(periodsOf(two, all), expected);
  const byPriority = [{ priority: 5, shutdownGracePeriodSeconds: 2n }, { priority: 1, shutdownGracePeriodSeconds: 3n }];
  const many = { ...none, shutdownGracePeriodByPodPriority: byPriority };
  assert.deepEqual(periodsOf(many, all), [{ priority: 1, seconds: 3 }, { priority: 5, seconds: 2 }]);
  assert.deepEqual(periodsOf(many, (gate) => gate !== "GracefulNodeShutdownBasedOnPodPriority"), []);
  assert.deepEqual(periodsOf(two, (gate) => gate !== "GracefulNodeShutdown"), []);
});

Deno.test("shutdown: pods go with the highest priority that is not above theirs", () => {
  const periods = [0, 10, 20].map((priority) => ({ priority, seconds: 1 }));
  const pods = [["a", -1], ["b", 0], ["c", 9], ["d", 10], ["e", 99], ["f", undefined]] as const;
  const groups = groupsOf(periods, pods.map(([name, priority]) => podOf(name, priority)));
  assert.deepEqual(groups.map((group) => names(group.pods)), [["a", "b", "c", "f"], ["d"], ["e"]]);
  assert.deepEqual(groupsOf([], [podOf("a")]), []);
});

Deno.test("shutdown: where there is no logind, or it does not wait so long, that is said once", async () => {
  const periods = [{ priority: 0, seconds: 10 }];
  await withShutdown(periods, {}, async ({ said }) => {
    await until("it gives up", () => said.length > 0);
    assert.deepEqual(said, ["warn the host's shutdown will not wait for pods: nobody listens"]);
  });
  const logind = new LedLogind();
  logind.isObedient = false;
  await withShutdown(periods, { logind: (signal) => logind.until(signal) }, async ({ said, waited }) => {
    await until("it gives up", () => said.length > 0);
    const why = "InhibitDelayMaxSec to update to 10s (ShutdownGracePeriod), current value is 5s";
    assert.match(said[0]!, new RegExp(`timed out after 5 attempts waiting for logind ${RegExp.escape(why)}$`));
    assert.deepEqual(waited, [100, 200, 400, 800, 1600]);
    assert.deepEqual(logind.said, ["wait 10000"]);
  });
});

Deno.test("shutdown: pods end in their order and time, then the host goes on; it is called off and begun again", async () => {
  const dir = await Deno.makeTempDir(), metrics = new Registry();
  const times = new ShutdownTimes(`${dir}/state`, metrics);
  const logind = new LedLogind(), again = new LedLogind(), found = [logind, again];
  const ended: string[] = [], stuck = Promise.withResolvers<void>();
  const periods = [{ priority: 0, seconds: 3 }, { priority: 7, seconds: 0 }, { priority: CRITICAL, seconds: 4 }];
  const own: Partial<ShutdownParts> = {
    logind: (signal) => found.shift()!.until(signal),
    pods: () => [podOf("critical", CRITICAL, 2), podOf("stuck", 0, 30), podOf("quick", -5)],
    end: (pod, seconds) => {
      const [name] = names([pod]);
      ended.push(`${name} ${seconds}`);
      return name === "stuck" ? stuck.promise : Promise.resolve();
    },
    times,
  };
  await withShutdown(periods, own, async ({ shutdown, said, waited }) => {
    await until("it is heard", () => logind.said.length === 2);
    assert.deepEqual(logind.said, ["wait 7000", "lock 1"]);
    assert.deepEqual([shutdown.fault(), shutdown.refusal()], [undefined, undefined]);
    logind.tell(true);
    await until("the host may go on", () => logind.said.includes("release 1"));
    assert.deepEqual(ended, ["stuck 3", "quick 3", "critical 2"]);
    // For one that does not end it waits as long as may be, for no pods not at all.
    assert.deepEqual(waited.filter((ms) => ms > 0), [3_000, 4_000]);
    assert.equal(shutdown.fault(), "node is shutting down");
    const message = "Pod was rejected as the node is shutting down.";
    assert.deepEqual(shutdown.refusal(), { reason: "NodeShutdown", message });
    const at = "2026-01-01T00:00:00.000Z";
    assert.deepEqual(JSON.parse(await Deno.readTextFile(`${dir}/state`)), { startTime: at, endTime: at });
    assert.match(await metrics.metrics(), /^kubelet_graceful_shutdown_end_time_seconds 1767225600$/m);
    logind.tell(false);
    await until("it holds a lock again", () => logind.said.includes("lock 2"));
    assert.equal(shutdown.fault(), undefined);
    assert.deepEqual(said, [
      "Normal NodeShutdown Shutdown manager detected shutdown event",
      "tell",
      "Normal NodeShutdown Shutdown manager detected shutdown cancellation",
      "tell",
    ]);
    logind.close();
    await until("logind is found again", () => again.said.includes("lock 1"));
    assert.equal(logind.said.at(-1), "release 2");
    again.tell(true);
    await until("the host may go on", () => again.said.includes("release 1"));
  });
  const kept = new Registry();
  await new ShutdownTimes(`${dir}/state`, kept).restore();
  assert.match(await kept.metrics(), /^kubelet_graceful_shutdown_start_time_seconds 1767225600$/m);
  await new ShutdownTimes(`${dir}/none`, new Registry()).restore();
  await Deno.remove(dir, { recursive: true });
});

Deno.test("shutdown: a lock that is lost is taken anew", async () => {
  const first = new LedLogind(),
    second = new LedLogind(),
    found = [first, second],
    periods = [{ priority: 0, seconds: 1 }];
  await withShutdown(periods, { logind: (signal) => found.shift()!.until(signal) }, async () => {
    await until("it holds a lock", () => first.said.includes("lock 1"));
    first.lose();
    await until("it holds a lock again", () => second.said.includes("lock 1"));
    // One that was let go as the host may go on is not lost.
    second.tell(true);
    await until("the host may go on", () => second.said.includes("release 1"));
    second.tell(false);
    await until("it holds a lock again", () => second.said.includes("lock 2"));
    assert.deepEqual(second.said, ["lock 1", "release 1", "lock 2"]);
  });
});

const missing = containerdMissing();
if (missing) console.log(`containers at a shutdown are not tested: ${missing}`);

Deno.test({
  name: "shutdown: containers of low priority are ended before those of high",
  ignore: missing !== undefined, // no containerd on this machine
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    const containerd = await startContainerd();
    const node = new Node(containerd), logind = new LedLogind();
    const shell = (name: string, priority: number, line: string): Pod => {
      const { metadata = {}, spec } = podOf(name, priority, 60);
      const main = { name: "main", image: IMAGES[0], command: ["/bin/sh", "-c", line] };
      return { metadata, spec: { ...spec, restartPolicy: "Always", containers: [main] } };
    };
    node.start();
    try {
      const FOREVER = "while :; do sleep 0.1; done";
      const pods = [
        shell("high", CRITICAL, `trap 'exit 0' TERM; ${FOREVER}`),
        shell("low", 0, `trap : TERM; ${FOREVER}`),
      ];
      node.set(...pods);
      for (const pod of pods) await node.status(pod.metadata!.uid!, (s) => s.phase === "Running");
      const own: Partial<ShutdownParts> = {
        logind: (signal) => logind.until(signal),
        pods: () => node.manager.pods(),
        end: (pod, seconds) => node.manager.evict(pod.metadata!.uid!, "Terminated", "words", seconds),
        clock,
      };
      const periods = [{ priority: 0, seconds: 20 }, { priority: CRITICAL, seconds: 20 }];
      // Nothing is left of the one that waits for its grace when the other is ended.
      pods[1]!.spec!.terminationGracePeriodSeconds = 2;
      await withShutdown(periods, own, async () => {
        await until("it is heard", () => logind.said.includes("lock 1"));
        logind.tell(true);
        await node.until(() => logind.said.includes("release 1"));
      });
      const ends = pods.map((pod) => {
        const { phase, reason, containerStatuses } = node.statuses.get(pod.metadata!.uid!)!;
        const { exitCode, finishedAt } = containerStatuses![0]!.state!.terminated!;
        return { said: [phase, reason, exitCode], at: Date.parse(finishedAt!) };
      });
      assert.deepEqual(ends.map(({ said }) => said), [["Succeeded", undefined, 0], ["Failed", "Terminated", 137]]);
      assert.ok(ends[0]!.at >= ends[1]!.at, JSON.stringify(ends));
    } finally {
      await node.stop();
      await containerd.stop();
    }
  },
});
