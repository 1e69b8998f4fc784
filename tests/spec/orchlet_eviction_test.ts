/** Options of the node agent about the end of pods for want of resources, by their rows. */
import assert from "node:assert/strict";
import type { PodSpec } from "../../schema/api/core_v1.ts";
import type { Base } from "../../agent/base.ts";
import { until } from "../listen/_fixture.ts";
import { type Host, type HostParts, ImpatientClock, onHost, sized, withHost } from "./_host.ts";
import { faultsOf, withFront } from "./_orchlet.ts";
import { ok, spec } from "./_spec.ts";

const Gi = 2 ** 30, HOUR = 3_600_000;
const LOW = "memory.available<1Gi";

/** A kernel of 4 GiB with so much of it free. */
const memoryText = (free: number) => `MemTotal: 4194304 kB\nMemFree: ${free / 1024} kB\n`;
const setFree = ({ roots }: Base, free: number) => Deno.writeTextFile(`${roots.proc}/meminfo`, memoryText(free));

const pressed = ({ agent }: Host): boolean =>
  agent.node.node().status!.conditions!.some(({ type, status }) => type === "MemoryPressure" && status === "True");

/** An agent with pods of the API server, which may be ended as static ones may not. */
async function withPods(
  flags: readonly string[],
  names: readonly string[],
  run: (host: Host, evicted: (name: string) => Promise<string>) => Promise<void>,
  { spec = {}, ...o }: HostParts & { readonly spec?: Partial<PodSpec> } = {},
): Promise<void> {
  await withFront(["--api-dialect=kubernetes"], async (front) => {
    await withHost(flags, async (host) => {
      await host.node();
      for (const name of names) {
        const body = { metadata: { name }, spec: { nodeName: "localhost", containers: [sized(name)], ...spec } };
        await ok(front.t, "/api/v1/namespaces/default/pods", { body });
        await host.running(name);
      }
      await run(host, async (name) => {
        let status = { phase: "", reason: "", message: "" };
        await until(`${name} is ended`, async () => {
          status = (await front.t.fetch(`/api/v1/namespaces/default/pods/${name}`)).body.status;
          return status.phase === "Failed";
        });
        assert.equal(status.reason, "Evicted");
        return status.message;
      });
    }, { front, proc: { meminfo: memoryText(4 * Gi) }, ...o });
  });
}

/** The seconds that a pod which asks for 30 gets. */
async function graceOf(...flags: string[]): Promise<number> {
  let grace = 0;
  const soft = [`--eviction-soft=${LOW}`, "--eviction-soft-grace-period=memory.available=0s"];
  await withPods([...soft, ...flags], ["a"], async (host, evicted) => {
    await setFree(host.base, Gi / 2);
    await evicted("a");
    grace = host.memory.stops[0]![1];
  }, { spec: { terminationGracePeriodSeconds: 30 } });
  return grace;
}

spec(
  "Node agent options",
  onHost({
    "--eviction-hard, --eviction-soft, --eviction-soft-grace-period, --eviction-minimum-reclaim": async () => {
      const hard = [`--eviction-hard=${LOW}`, "--eviction-minimum-reclaim=memory.available=1Gi"];
      await withPods(hard, ["a", "b"], async (host, evicted) => {
        // What the threshold keeps free is not for pods.
        assert.equal(host.agent.node.node().status!.allocatable!["memory"], `${4096 - 1024 - 200}Mi`);
        await setFree(host.base, Gi / 2);
        const messages = await Promise.all(["a", "b"].map(evicted));
        // With the first of them there is more than the threshold, but not by as much as must be won back.
        const said = (available: string) =>
          `The node was low on resource: memory. Threshold quantity: 1Gi, available: ${available}. `;
        assert.deepEqual(messages.sort(), [said("1536Mi"), said("512Mi")]);
      }, {
        // The end of the first is waited for 30 times: on a busy machine it takes a second.
        clock: new ImpatientClock(500),
        base: (base) => ({
          ...base,
          runtime: {
            ...base.runtime,
            async stopContainer(id, seconds) {
              await setFree(base, 1.5 * Gi);
              await base.runtime.stopContainer(id, seconds);
            },
          },
        }),
      });
      const clock = new ImpatientClock();
      const soft = [`--eviction-soft=${LOW}`, "--eviction-soft-grace-period=memory.available=1h"];
      await withPods(soft, ["a"], async (host, evicted) => {
        await setFree(host.base, Gi / 2);
        await until("it is told", () => pressed(host));
        assert.equal(host.memory.container("a")!.state, "RUNNING");
        clock.pass(HOUR);
        await evicted("a");
      }, { clock });
      assert.match(faultsOf(soft[0]!), /needs --eviction-soft-grace-period/);
      assert.match(faultsOf("--eviction-hard=disk<1Gi"), /no such signal/);
    },
    "--eviction-max-pod-grace-period": async () => {
      assert.equal(await graceOf("--eviction-max-pod-grace-period=7"), 7);
      assert.equal(await graceOf("--eviction-max-pod-grace-period=-1"), 30);
    },
    "--eviction-pressure-transition-period": async () => {
      const clock = new ImpatientClock();
      const flags = [`--eviction-hard=${LOW}`, "--eviction-pressure-transition-period=1h"];
      await withHost(flags, async (host) => {
        await until("it is told", () => pressed(host));
        await setFree(host.base, 3 * Gi);
        clock.pass(HOUR / 2);
        const now = clock.now();
        const beaten = () => Date.parse(host.agent.node.node().status!.conditions![0]!.lastHeartbeatTime!);
        await until("the node is told anew", () => beaten() > now);
        assert.ok(pressed(host));
        clock.pass(HOUR);
        await until("it is over", () => !pressed(host));
      }, { clock, proc: { meminfo: memoryText(Gi / 2) } });
    },
  }),
);
