/** Paths of the agent's servers that need no containers. */
import assert from "node:assert/strict";
import net from "node:net";
import { Registry } from "prom-client";
import { featureMetrics } from "../../../agent/http/mod.ts";
import type { Pod } from "../../../schema/api/core_v1.ts";
import { FeatureGates } from "../../../schema/flags/gates/feature_gates.ts";
import { CLOCK } from "../../../agent/clock.ts";
import type { Clock } from "../../../agent/types.ts";
import { freePort } from "../../fixture/free_port.ts";
import { until } from "../../listen/_fixture.ts";
import { get, podView, withServers } from "./_parts.ts";

const web = { apiVersion: "v1", kind: "Pod", metadata: { name: "web", namespace: "default", uid: "u1" } } as Pod;

Deno.test("agent servers: health, pods, and what is not there", async () => {
  let ill: string | undefined;
  const health = [{ name: "syncloop", check: () => Promise.resolve(ill) }];
  const healthzPort = freePort(), readOnlyPort = freePort();
  const metrics = new Registry();
  featureMetrics(metrics, new FeatureGates(new Map([["ContainerStopSignals", true]])));
  const own = { health, pods: podView([web]), metrics };
  await withServers(own, { healthzPort, readOnlyPort }, async ({ port }) => {
    const plain = { plain: true };
    assert.equal((await get(port, "/healthz")).text, "ok");
    assert.equal((await get(port, "/healthz/syncloop")).text, "ok");
    const verbose = "[+]ping ok\n[+]log ok\n[+]syncloop ok\nhealthz check passed\n";
    assert.equal((await get(port, "/healthz?verbose")).text, verbose);
    ill = "pleg was last seen active 5m ago";
    const failed = await get(port, "/healthz");
    assert.equal(failed.status, 500);
    assert.equal(failed.text, "[+]ping ok\n[+]log ok\n[-]syncloop failed: reason withheld\nhealthz check failed\n");
    assert.equal((await get(port, "/healthz/syncloop")).text, `internal server error: ${ill}\n`);
    assert.equal((await get(port, "/healthz?exclude=syncloop")).text, "ok");
    const pings = await get(healthzPort, "/healthz?verbose", plain);
    assert.equal(pings.text, "[+]ping ok\nhealthz check passed\n");
    const list = JSON.parse((await get(readOnlyPort, "/pods", plain)).text);
    assert.deepEqual(list, { kind: "PodList", apiVersion: "v1", metadata: {}, items: [{ metadata: web.metadata }] });
    const disabled = await get(readOnlyPort, "/exec/default/web/main?command=x", plain);
    assert.deepEqual([disabled.status, disabled.text], [405, "Debug endpoints are disabled.\n"]);
    assert.equal((await get(readOnlyPort, "/configz", plain)).status, 404);
    assert.deepEqual(JSON.parse((await get(port, "/configz")).text), {
      kubeletconfig: { kind: "KubeletConfiguration" },
    });
    const wrong = await get(port, "/pods", { method: "POST" });
    assert.deepEqual([wrong.status, wrong.headers.allow], [405, "GET"]);
    assert.equal((await get(port, "/pods/%zz")).status, 400);
    const upgraded = await get(port, "/pods", { headers: { connection: "Upgrade", upgrade: "h2c" } });
    assert.equal(upgraded.status, 200);
    const { text } = await get(readOnlyPort, "/metrics", plain);
    const row = 'kubelet_http_requests_total{long_running="false",method="GET",path="pods",server_type="readwrite"} 1';
    assert.ok(text.includes(row), text);
    assert.match(text, /^kubernetes_feature_enabled\{name="ContainerStopSignals",stage="ALPHA"\} 1$/m);
    assert.match(text, /^kubernetes_feature_enabled\{name="NodeSwap",stage=""\} 1$/m);
  });
});

Deno.test("agent servers: paths lie alone or in trees", async () => {
  const readOnlyPort = freePort();
  await withServers({ pods: podView([web]) }, { readOnlyPort }, async ({ port }) => {
    const told = async (path: string, o: Parameters<typeof get>[2] = {}) => {
      const { status, text, headers } = await get(port, path, o);
      return [status, headers.location ?? text];
    };
    const nothing = [404, "404 page not found\n"];
    for (const path of ["/none", "/healthz/", "/healthz/none", "/configz/", "/metrics/", "/pods%2f"]) {
      assert.deepEqual(await told(path), nothing, path);
    }
    assert.deepEqual(await told("/pods/none"), [404, "404: Page Not Found"]);
    assert.deepEqual(await told("/exec/"), [404, "404: Page Not Found"]);
    assert.equal((await told("/%70ods/"))[0], 200);
    const elsewhere = { "/runningpods": "/runningpods/", "/logs?a=b": "/logs/?a=b", "/debug/pprof": "/debug/pprof/" };
    const unclean = { "//pods": "/pods", "/a/../pods/./": "/pods/", "/logs/..": "/" };
    for (const [path, location] of Object.entries({ ...elsewhere, ...unclean })) {
      assert.deepEqual(await told(path), [307, location], path);
    }
    const page = '<a href="/logs/?a=b&amp;c">Temporary Redirect</a>.\n\n';
    assert.equal((await get(port, "/logs?a=b&c")).text, page);
    assert.equal((await get(port, "/logs?a=b&c", { method: "POST" })).text, "");
    const plain = await get(readOnlyPort, "/exec", { plain: true });
    assert.deepEqual([plain.status, plain.headers.location], [307, "/exec/"]);
    const wanted = "406: Not Acceptable\n\nAvailable representations: ";
    assert.deepEqual(await told("/pods", { headers: { accept: "text/html" } }), [406, `${wanted}application/json`]);
    assert.deepEqual(await told("/exec/a/b/c", { headers: { accept: "text/html" } }), [406, wanted]);
    assert.equal((await told("/pods", { headers: { accept: "text/html, application/json;q=0.1" } }))[0], 200);
  });
});

Deno.test("agent servers: what pods were given, where the gate is on", async () => {
  const spec = { containers: [{ name: "main", image: "app:1", resources: { limits: { cpu: "500m" } } }] };
  const given: Pod = { ...web, spec, status: { phase: "Running" } };
  const pods = { ...podView([]), allocated: () => [given] };
  const bare = { metadata: web.metadata, spec, status: {} };
  await withServers({ pods, gate: () => true }, {}, async ({ port }) => {
    const list = await get(port, "/allocatedPods");
    assert.deepEqual(JSON.parse(list.text), { kind: "PodList", apiVersion: "v1", metadata: {}, items: [bare] });
    assert.equal(list.headers["content-type"], "application/json");
    for (const path of ["default/web", "default/web/u1"]) {
      const { text } = await get(port, `/allocatedPods/${path}`);
      assert.deepEqual(JSON.parse(text), { kind: "Pod", apiVersion: "v1", ...bare });
    }
    for (const path of ["default/other", "other/web", "default/web/u2"]) {
      const { status, text } = await get(port, `/allocatedPods/${path}`);
      assert.deepEqual([status, text], [404, "pod not found"]);
    }
    assert.equal((await get(port, "/allocatedPods", { method: "POST" })).status, 405);
  });
  await withServers({ pods }, {}, async ({ port }) => assert.equal((await get(port, "/allocatedPods")).status, 404));
  const readOnlyPort = freePort();
  await withServers({ pods, gate: () => true }, { readOnlyPort, enableDebuggingHandlers: false }, async ({ port }) => {
    assert.equal((await get(port, "/allocatedPods")).status, 404);
    assert.equal((await get(readOnlyPort, "/allocatedPods", { plain: true })).status, 404);
    assert.equal((await get(port, "/checkpoint/default/web/main", { method: "POST" })).status, 404);
  });
});

Deno.test("agent servers: what it is and how it was started, as text and as objects", () =>
  withServers({ flags: () => [["v", "2"], ["a", "b"]] }, {}, async ({ port }) => {
    assert.match((await get(port, "/flagz")).text, /\norchlet flagz\n.*\na=b\nv=2\n$/s);
    assert.match((await get(port, "/statusz")).text, /\nBinary version: 1\.37\.0\n/);
    const as = (kind: string) => ({ headers: { accept: `application/json;as=${kind};v=v1beta1;g=config.k8s.io` } });
    assert.deepEqual(JSON.parse((await get(port, "/flagz", as("Flagz"))).text), {
      kind: "Flagz",
      apiVersion: "config.k8s.io/v1beta1",
      metadata: { name: "orchlet" },
      flags: { a: "b", v: "2" },
    });
    const { kind, binaryVersion, paths } = JSON.parse((await get(port, "/statusz", as("Statusz"))).text);
    assert.deepEqual([kind, binaryVersion, paths.includes("/healthz")], ["Statusz", "1.37.0", true]);
    const refused = await get(port, "/statusz", { headers: { accept: "application/json" } });
    assert.deepEqual([refused.status, JSON.parse(refused.text).reason], [406, "NotAcceptable"]);
    const level = await get(port, "/debug/flags/v");
    assert.deepEqual([level.status, level.text], [406, "unsupported http method\n"]);
  }));

Deno.test("agent servers: an address that is taken is told, and nothing stays open", async () => {
  const taken = net.createServer().listen(0, "127.0.0.1");
  await new Promise((done) => taken.once("listening", done));
  const readOnlyPort = (taken.address() as net.AddressInfo).port;
  await assert.rejects(
    withServers({}, { readOnlyPort }, async () => {}),
    /cannot listen on 127\.0\.0\.1:\d+: the address is in use$/,
  );
  taken.close();
});

Deno.test("agent servers: an address of /healthz that is taken is told, and tried again", async () => {
  const taken = net.createServer().listen(0, "127.0.0.1");
  await new Promise((done) => taken.once("listening", done));
  const healthzPort = (taken.address() as net.AddressInfo).port, told: string[] = [], waits: number[] = [];
  let wake = () => {};
  const clock: Clock = {
    ...CLOCK,
    now: () => CLOCK.now(),
    ticks: () => CLOCK.ticks(),
    wait: (ms, signal) => {
      waits.push(ms);
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      signal?.addEventListener("abort", () => resolve(), { once: true });
      return promise;
    },
  };
  const log = (level: string, text: string, detail?: unknown) => void told.push(`${level} ${text}: ${detail}`);
  const fault = `error /healthz is not served: cannot listen on 127.0.0.1:${healthzPort}: the address is in use`;
  await withServers({ clock, log }, { healthzPort }, async (servers) => {
    assert.equal(servers.healthzPort, 0);
    assert.equal((await get(servers.port, "/healthz")).status, 200);
    assert.deepEqual([told, waits], [[fault], [5_000]]);
    wake();
    await until("it is tried again", () => waits.length === 2);
    await new Promise((done) => taken.close(done));
    wake();
    await until(
      "it is served",
      () => get(healthzPort, "/healthz", { plain: true }).then((a) => a.text === "ok", () => false),
    );
    assert.deepEqual(told, [fault, fault]);
  });
  await assert.rejects(get(healthzPort, "/healthz", { plain: true }), /ECONNREFUSED/);
});

Deno.test("agent servers: without debugging handlers there is health and no more", async () => {
  await withServers({}, { enableDebuggingHandlers: false }, async ({ port }) => {
    assert.equal((await get(port, "/healthz")).status, 200);
    assert.equal((await get(port, "/containerLogs/a/b/c")).status, 405);
    assert.equal((await get(port, "/logs/")).status, 405);
  });
  await withServers({}, { enableServer: false, readOnlyPort: 0 }, async ({ port, readOnlyPort }) => {
    assert.deepEqual([port, readOnlyPort], [0, 0]);
  });
});

Deno.test("agent servers: profiles are what the process takes and what takes its time, where they are not turned off", async () => {
  await withServers({}, {}, async ({ port }) => {
    assert.match((await get(port, "/debug/pprof/")).text, /^heap: bytes of the process/m);
    assert.ok(Number(/^rss: (\d+)$/m.exec((await get(port, "/debug/pprof/heap")).text)![1]) > 10_000_000);
    const { status, headers, text } = await get(port, "/debug/pprof/profile?seconds=1");
    assert.deepEqual([status, headers["content-type"], text[0]], [200, "application/octet-stream", "\x1f"]);
    assert.equal((await get(port, "/debug/pprof/profile?seconds=601")).status, 400);
    assert.equal((await get(port, "/debug/pprof/goroutine")).status, 501);
    assert.equal((await get(port, "/debug/pprof/none")).status, 404);
  });
  await withServers({}, { enableProfilingHandler: false }, async ({ port }) => {
    const { status, text } = await get(port, "/debug/pprof/heap");
    assert.deepEqual([status, text], [405, "profiling endpoint is disabled.\n"]);
  });
});
