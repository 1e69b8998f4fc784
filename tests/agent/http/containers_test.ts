/** What the agent's servers tell of real containers, and do with them. */
import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import https from "node:https";
import { Registry } from "prom-client";
import { WebSocket } from "ws";
import { countedRuntime } from "../../../agent/http/mod.ts";
import { containerLog, podLogDirectory, refOf } from "../../../agent/pods/names.ts";
import { Hierarchy } from "../../../agent/resources/hierarchy.ts";
import { containerdMissing } from "../../fixture/containerd.ts";
import { ca, soon, until } from "../../listen/_fixture.ts";
import { type Running, withContainers } from "./_containers.ts";
import { get, podView, withServers } from "./_parts.ts";

const missing = containerdMissing();
if (missing) console.log(`containers are not tested: ${missing}`);

const PROTOCOL = "v5.channel.k8s.io";
const UPGRADE = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
};
const TIME = "2026-01-01T00:00:00Z";
/** The second one is memory: it is no share of the file system. */
const VOLUMES = [{ name: "data", time: TIME, usedBytes: 5, inodesUsed: 1 }, { name: "mem", time: TIME, usedBytes: 7 }];
const WANTED = [{ name: "main", script: "echo begin; sleep 1000", stdin: true }];

Deno.test({
  name: "agent servers on containers",
  ignore: missing !== undefined, // no containerd on this machine
}, async (t) => {
  await withContainers("u1", WANTED, async (running) => {
    const { pod, directory } = running, metrics = new Registry();
    const runtime = countedRuntime(running.runtime, metrics);
    const volumes = [{ name: "data", emptyDir: {} }, { name: "mem", emptyDir: { medium: "Memory" } }];
    const pods = podView([{ ...pod, spec: { ...pod.spec!, volumes } }]);
    const own = {
      metrics,
      runtime,
      pods,
      volumeStats: () => Promise.resolve(VOLUMES),
      tasks: () => Promise.resolve(3),
      hierarchy: await Hierarchy.open("/sys/fs/cgroup"),
    };
    const options = { podLogsDir: `${directory}/pods` };
    const log = `${podLogDirectory(options.podLogsDir, refOf(pod))}/${containerLog("main", 0)}`;
    await until("the container says something", async () => (await Deno.readTextFile(log)).includes("begin"));
    await withServers(own, options, async ({ port }) => {
      await t.step("statistics", () => statistics(port));
      await t.step("metrics", () => metricsOf(port, running));
      await t.step("checkpoints", () => checkpoints(port));
      await t.step("commands", () => commands(port));
      await t.step("streams as the runtime speaks them", () => streams(port));
      await t.step("ports inside of a WebSocket", () => tunneled(port));
      await t.step("streams that are translated", () => translated(port));
    });
    const limited = { ...options, streamingConnectionIdleTimeout: 3_000 };
    await withServers({ ...own, metrics: new Registry() }, limited, async ({ port }) => {
      await t.step("processes that end without reading their input", () => unread(port));
      await t.step("streams without traffic", () => idles(port, running));
    });
  });
});

/** This runtime makes none, and is asked. */
async function checkpoints(port: number): Promise<void> {
  const ask = async (path: string) => {
    const { status, text } = await get(port, `/checkpoint/${path}`, { method: "POST" });
    return [status, text];
  };
  const [status, text] = await ask("default/web/main");
  assert.equal(status, 500);
  assert.match(String(text), /^checkpointing of default\/web\/main failed \(.*(unknown method|not implemented)/i);
  assert.deepEqual(await ask("default/none/main"), [404, "pod does not exist"]);
  assert.deepEqual(await ask("default/web/none"), [404, "container none does not exist"]);
  assert.deepEqual(await ask("default/web/main?timeout=x"), [404, "cannot parse value of timeout parameter"]);
  assert.equal((await get(port, "/checkpoint/default/web/main")).status, 405);
}

async function statistics(port: number): Promise<void> {
  const { status, text, headers } = await get(port, "/stats/summary");
  assert.deepEqual([status, headers["content-type"]], [200, "application/json"]);
  const { node, pods } = JSON.parse(text);
  assert.equal(node.nodeName, "node-a");
  assert.ok(node.cpu.usageCoreNanoSeconds > 1e9);
  assert.ok(node.memory.workingSetBytes + node.memory.availableBytes > 1e9);
  assert.ok(node.fs.capacityBytes >= node.fs.usedBytes && node.runtime.imageFs.capacityBytes > 0);
  assert.ok(node.rlimit.maxpid >= node.rlimit.curproc && node.rlimit.curproc > 0);
  const [{ podRef, containers: [main], ...pod }] = pods;
  assert.deepEqual([podRef, main.name], [{ name: "web", namespace: "default", uid: "u1" }, "main"]);
  assert.ok(main.cpu.usageCoreNanoSeconds > 0 && main.memory.workingSetBytes > 0);
  assert.ok(main.logs.usedBytes > 0 && main.rootfs.capacityBytes > main.rootfs.usedBytes);
  assert.equal(pod["ephemeral-storage"].usedBytes, main.logs.usedBytes + main.rootfs.usedBytes + 5);
  assert.deepEqual(pod.volume, VOLUMES);
  assert.deepEqual(pod.process_stats, { process_count: 3 });
  const core = JSON.parse((await get(port, "/stats/summary?only_cpu_and_memory=true")).text);
  assert.deepEqual(Object.keys(core.node), ["nodeName", "startTime", "cpu", "memory", "swap"]);
  assert.deepEqual(Object.keys(core.pods[0].containers[0]), ["name", "startTime", "cpu", "memory"]);
}

async function metricsOf(port: number, { ids }: Running): Promise<void> {
  const resource = (await get(port, "/metrics/resource")).text;
  const labels = 'container="main",pod="web",namespace="default"';
  assert.match(resource, new RegExp(`^container_cpu_usage_seconds_total{${labels}} [\\d.]+ \\d{13}$`, "m"));
  assert.match(resource, /^pod_memory_working_set_bytes{pod="web",namespace="default"} \d+ \d{13}$/m);
  assert.match(resource, /^node_cpu_usage_seconds_total [\d.]+ \d{13}$/m);
  assert.match(resource, /^resource_scrape_error 0$/m);
  const id = ids.get("main");
  const cadvisor = (await get(port, "/metrics/cadvisor")).text;
  const own = `container="main",id="[^"]*/${id}",image="[^"]*",name="${id}",namespace="default",pod="web"`;
  for (const name of ["memory_working_set_bytes", "cpu_user_seconds_total", "spec_cpu_shares", "threads"]) {
    assert.match(cadvisor, new RegExp(`^container_${name}{${own}} [\\d.]+$`, "m"));
  }
  assert.match(cadvisor, new RegExp(`^container_cpu_usage_seconds_total{${own},cpu="total"} [\\d.]+$`, "m"));
  assert.match(cadvisor, /^container_memory_working_set_bytes{container="",id="\/",.*} \d+$/m);
  assert.match(cadvisor, /^machine_memory_bytes{boot_id="[^"]+",machine_id="[^"]*",system_uuid="[^"]*"} \d{8,}$/m);
  const { text } = await get(port, "/metrics");
  const rows = [
    /^kubelet_running_pods 1$/m,
    /^kubelet_running_containers{container_state="running"} 1$/m,
    /^kubelet_runtime_operations_total{operation_type="list_container_stats"} \d+$/m,
    /^kubelet_node_name{node="node-a"} 1$/m,
    /^kubelet_cgroup_version [12]$/m,
    /^process_virtual_memory_max_bytes \d+$/m,
    /^process_resident_memory_bytes \d{7,}$/m,
  ];
  for (const row of rows) assert.match(text, row);
}

async function commands(port: number): Promise<void> {
  const run = (path: string, method = "POST") => get(port, path, { method });
  assert.equal((await run("/run/default/web/main?cmd=echo+a+b")).text, "a b\n");
  assert.equal((await run("/run/default/web/u1/main?cmd=id+-u")).text, "0\n");
  const failed = await run("/run/default/web/main?cmd=ls+/none");
  assert.equal(failed.status, 500);
  assert.match(failed.text, /^command 'ls \/none' exited with 1: ls: /);
  assert.deepEqual((await run("/run/default/web/none?cmd=x")).text, 'container not found ("none")');
  assert.equal((await run("/run/default/none/main?cmd=x")).status, 404);
  assert.equal((await run("/exec/default/web/u2/main?output=1&command=x")).status, 404);
  assert.equal((await run("/exec/default/web/main?command=x")).status, 400);
  const plain = await run("/exec/default/web/main?output=1&command=x");
  assert.deepEqual([plain.status, plain.text], [500, "Upgrade request required\n"]);
  const items = JSON.parse((await run("/runningpods/", "GET")).text).items;
  assert.deepEqual(items[0].spec.containers.map((c: { name: string }) => c.name), ["main"]);
}

/** A WebSocket to the agent and what came by it, as text; a channel is the first character. */
function open(port: number, path: string, protocol: string) {
  const ws = new WebSocket(`wss://127.0.0.1:${port}${path}`, [protocol], { ca: ca.cert });
  const got: string[] = [];
  ws.on("message", (data: Uint8Array) => got.push(new TextDecoder().decode(new Uint8Array(data))));
  ws.on("error", (e: Error) => got.push(e.message));
  return { ws, got, closed: soon(new Promise((done) => ws.once("close", done)), "the end") };
}

/** How the process ended: what came last, by its channel. */
function lastWords({ got }: { readonly got: readonly string[] }): string {
  assert.equal(got.at(-1)?.[0], "\u0003", got.join());
  return got.at(-1)!.slice(1);
}

const command = (script: string) => new URLSearchParams([["command", "sh"], ["command", "-c"], ["command", script]]);

async function streams(port: number): Promise<void> {
  const main = "/exec/default/web/main";
  const old = open(port, `${main}?output=1&error=1&${command("echo out; exit 4")}`, "v4.channel.k8s.io");
  await old.closed;
  assert.ok(old.got.includes("\u0001out\n"), old.got.join());
  assert.match(old.got.at(-1)!, /"reason":"NonZeroExitCode".*"message":"4"/);
  const refused = open(port, "/portForward/default/web?port=1x", "v4.channel.k8s.io");
  await refused.closed;
  assert.deepEqual(refused.got, ["Unexpected server response: 400"]);
  const bad = await get(port, "/portForward/default/web?port=70000", {
    headers: { ...UPGRADE, "sec-websocket-protocol": "v4.channel.k8s.io" },
  });
  const range = 'strconv.ParseUint: parsing "70000": value out of range';
  assert.equal(bad.text, `unable to parse "70000" as a port: ${range}`);
}

/** Ports inside of a WebSocket, whose subprotocol is no token as the library has them. */
async function tunneled(port: number): Promise<void> {
  const headers = { ...UPGRADE, "sec-websocket-protocol": "SPDY/3.1+portforward.k8s.io" };
  const path = "/portForward/default/web";
  const asked = https.request({ host: "127.0.0.1", port, path, ca: ca.cert, agent: false, headers });
  const upgraded = new Promise<IncomingMessage>((done, failed) => {
    asked.on("upgrade", (response, socket) => {
      socket.destroy();
      done(response);
    });
    asked.on("response", ({ statusCode }) => failed(new Error(`answered by ${statusCode}`))).on("error", failed);
  });
  asked.end();
  assert.equal((await upgraded).headers["sec-websocket-protocol"], "SPDY/3.1+portforward.k8s.io");
}

async function translated(port: number): Promise<void> {
  const main = "/exec/default/web/main";
  const send = (ws: WebSocket, channel: number, text: string) =>
    ws.send(Uint8Array.of(channel, ...new TextEncoder().encode(text)));
  const cat = open(port, `${main}?input=1&output=1&error=1&${command("cat; echo over >&2; exit 5")}`, PROTOCOL);
  cat.ws.on("open", () => {
    send(cat.ws, 0, "typed");
    send(cat.ws, 255, "\0");
  });
  await cat.closed;
  assert.equal(cat.got.filter((m) => m[0] === "\u0001").map((m) => m.slice(1)).join(""), "typed");
  assert.ok(cat.got.includes("\u0002over\n"));
  assert.match(lastWords(cat), /"reason":"NonZeroExitCode".*"message":"5"/);
  const sized = "until stty size 2>/dev/null | grep 40; do sleep 0.1; done";
  const terminal = open(port, `${main}?input=1&output=1&tty=1&${command(sized)}`, PROTOCOL);
  terminal.ws.on("open", () => send(terminal.ws, 4, '{"Width":100,"Height":40}'));
  await terminal.closed;
  assert.match(terminal.got.join(""), /40 100\r\n/);
  const { text } = await get(port, "/metrics");
  assert.match(text, /^kubelet_websocket_streaming_requests_total{subresource="exec"} 2$/m);
  // A process that is asked for in vain.
  const none = open(port, `${main}?output=1&command=/none`, PROTOCOL);
  await none.closed;
  assert.match(lastWords(none), /"status":"Failure".*no such file or directory/);
}

/**
 * Each is told how its process ended. The runtime may say nothing of one (docs/limits.md); the agent's time limit ends it then, and what
 * there is to be told is not made up.
 */
async function unread(port: number): Promise<void> {
  const script = command("echo out; exit 4"), input = new Uint8Array(3 * 1024 * 1024);
  const all = Array.from(
    { length: 12 },
    () => open(port, `/exec/default/web/main?input=1&output=1&${script}`, PROTOCOL),
  );
  for (const { ws } of all) ws.on("open", () => ws.send(input));
  await Promise.all(all.map(({ closed }) => closed));
  const told = all.filter(({ got }) => !/the connection was idle/.test(got.at(-1)!));
  for (const one of told) assert.match(lastWords(one), /"reason":"NonZeroExitCode".*"message":"4"/);
  assert.ok(told.every(({ got }) => got.includes("\u0001out\n")));
}

/** Nothing comes and nothing goes: the time limit ends it. */
async function idles(port: number, { runtime }: Running): Promise<void> {
  const idle = open(port, `/exec/default/web/main?output=1&${command("sleep 1000")}`, PROTOCOL);
  const { closed } = open(port, "/attach/default/web/main?input=1&output=1", "v4.channel.k8s.io");
  await idle.closed;
  assert.match(lastWords(idle), /the connection was idle/);
  await closed;
  assert.equal((await runtime.listContainers()).length, 1);
}
