/** A whole agent beside a logind of the host that is asked to power it off. */
import assert from "node:assert/strict";
import { openLogind } from "../../../agent/shutdown/logind.ts";
import type { Loose } from "../../fixture/loose.ts";
import { until } from "../../listen/_fixture.ts";
import { type Host, withHost } from "../../spec/_host.ts";
import { type Front, noAgent, withFront } from "../../spec/_orchlet.ts";
import { type HostLogind, noLogind, withLogind } from "./_host.ts";

const missing = noLogind ?? noAgent;
if (missing) console.log(`a shutdown with logind is not tested: ${missing}`);

const CONFIG = JSON.stringify({
  apiVersion: "kubelet.config.k8s.io/v1beta1",
  kind: "KubeletConfiguration",
  shutdownGracePeriod: "4s",
  shutdownGracePeriodCriticalPods: "1s",
});

/** What such a host has, which is files, does not matter here. */
const PLAIN = ["--cgroups-per-qos=false", "--enforce-node-allocatable=none", "--eviction-hard="];

/** With the system's bus at an address. */
async function atBus(address: string, run: () => Promise<void>): Promise<void> {
  const NAME = "DBUS_SYSTEM_BUS_ADDRESS", before = Deno.env.get(NAME);
  Deno.env.set(NAME, address);
  try {
    await run();
  } finally {
    if (before === undefined) Deno.env.delete(NAME);
    else Deno.env.set(NAME, before);
  }
}

/** What systemd says who holds locks. */
async function inhibitors(): Promise<string> {
  const { stdout } = await new Deno.Command("systemd-inhibit", { args: ["--list"] }).output();
  return new TextDecoder().decode(stdout);
}

const readyOf = (node: Loose) => node.status?.conditions?.find((c: Loose) => c.type === "Ready") ?? {};

Deno.test({
  name: "shutdown with logind: the host waits while pods end, and none is taken until it is called off",
  ignore: missing !== undefined, // no logind or bus on this machine
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    const sent: string[] = [];
    const before = async (request: Request) => {
      if (request.url.endsWith("/nodes/localhost/status")) sent.push(await request.clone().text());
    };
    const flags = (host: string) => {
      Deno.writeTextFileSync(`${host}/config.json`, CONFIG);
      return [`--config=${host}/config.json`, ...PLAIN];
    };
    const onHost = (logind: HostLogind) =>
      withFront(
        [],
        (front) => withHost(flags, (host) => poweredOff(host, logind, front, sent), { front, pods: { web: {} } }),
        { before },
      );
    await withLogind((logind) => atBus(logind.address, () => onHost(logind)));
  },
});

async function poweredOff(host: Host, { systemd, powerOff }: HostLogind, { t }: Front, sent: string[]): Promise<void> {
  const { running, pod, node, put } = host;
  await running("web");
  await node((n) => readyOf(n).status === "True");
  await until("a lock is held", async () => /kubelet/.test(await inhibitors()));
  await powerOff();
  const { status } = await pod("web-localhost", ({ status }) => status?.phase === "Failed");
  const message = "Pod was terminated in response to imminent node shutdown.";
  assert.deepEqual([status?.reason, status?.message], ["Terminated", message]);
  const why = status?.conditions?.find(({ type }) => type === "DisruptionTarget");
  assert.deepEqual([why?.status, why?.reason, why?.message], ["True", "TerminationByKubelet", message]);
  // The host goes on then, fails here, and the shutdown is called off.
  await until("the host goes on", () => systemd.asked.some(({ member }) => member === "StartUnit"));
  await node((n) => readyOf(n).status === "True");
  await put("later", {});
  await running("later");
  const words = ["event", "cancellation"].map((what) => `Shutdown manager detected shutdown ${what}`);
  await until("events tell of both", async () => {
    const { body } = await t.fetch("/api/v1/namespaces/default/events");
    const told = body.items.filter((e: Loose) => e.reason === "NodeShutdown").map((e: Loose) => e.message);
    return words.every((text) => told.includes(text));
  });
  assert.ok(sent.some((text) => text.includes('"message":"node is shutting down"')), sent.join("\n"));
}

Deno.test({
  name: "logind: it is told to wait longer by a file, and waits for who holds a lock",
  ignore: missing !== undefined, // no logind or bus on this machine
  fn: () =>
    withLogind(({ address, systemd }) =>
      atBus(address, async () => {
        const dir = await Deno.makeTempDir();
        const life = new AbortController();
        const logind = await openLogind(life.signal, `${dir}/conf.d`);
        assert.equal(await logind.delay(), 5_000);
        await logind.setDelay(7_000);
        assert.match(await Deno.readTextFile(`${dir}/conf.d/99-kubelet.conf`), /^\[Login\]\nInhibitDelayMaxSec=7$/m);
        const asked = systemd.asked.find(({ member }) => member === "KillUnit");
        assert.deepEqual(asked?.body, ["systemd-logind.service", "all", 1]);
        const lock = await logind.lock();
        assert.match(await inhibitors(), /kubelet +0 +root +\d+ +systemd-inhibit +shutdown +Kubelet needs time/);
        lock.release();
        await until("it is released", async () => !/kubelet/.test(await inhibitors()));
        await lock.lost;
        const other = await logind.lock();
        const [, holder] = /kubelet +0 +root +(\d+) /.exec(await inhibitors())!;
        Deno.kill(Number(holder), "SIGKILL");
        await other.lost;
        await logind.lock();
        life.abort();
        await until("it is released", async () => !/kubelet/.test(await inhibitors()));
        await logind.over;
        await Deno.remove(dir, { recursive: true });
      })
    ),
});
