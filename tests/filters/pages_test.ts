/** Pages and metrics for operators (specification, "Health endpoints", "Other paths"). */
import assert from "node:assert/strict";
import { healthChecks, type HealthParts } from "../../server/health.ts";
import { productOf } from "../../schema/product.ts";
import { type HealthCheck, healthPaths } from "../../server/endpoints/health.ts";
import { NO_CONNECTION } from "../../server/filters/env.ts";
import { scopeOf } from "../../server/filters/scope.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { served } from "./_server.ts";

Deno.test("health checks are named as the public server names them", () =>
  served([], async (s) => {
    const { text } = await s.fetch("/readyz?verbose");
    for (const name of ["ping", "etcd", "etcd-readiness", "informer-sync", "shutdown"]) {
      assert.ok(text.includes(`[+]${name} ok\n`), name);
    }
    assert.ok(text.includes("[+]poststarthook/priority-and-fairness-filter ok"));
    assert.ok(text.includes("[+]autoregister-completion ok"));
    assert.ok(text.includes("[+]poststarthook/apiservice-registration-controller ok"));
    assert.ok(!text.includes("rbac/bootstrap-roles"), "RBAC is not among the modes");
    assert.equal((await s.fetch("/readyz/poststarthook/bootstrap-controller")).status, 200);
    const live = (await s.fetch("/livez?verbose")).text;
    assert.ok(!live.includes("[+]informer-sync") && !live.includes("[+]shutdown"));
  }));

Deno.test("without priority and fairness another filter is ready, and its objects are there all the same", () =>
  served(["--enable-priority-and-fairness=false"], async (s) => {
    const { text } = await s.fetch("/readyz?verbose");
    for (const name of ["max-in-flight-filter", "priority-and-fairness-config-producer"]) {
      assert.ok(text.includes(`[+]poststarthook/${name} ok\n`), name);
    }
    assert.ok(!text.includes("priority-and-fairness-filter"));
  }));

const parts = (more: Partial<HealthParts>): HealthParts => ({
  product: productOf("kubernetes"),
  rbac: true,
  fairness: true,
  peers: { found: true, finds: false },
  controllers: new Set(),
  reached: "filters",
  versions: undefined,
  cachesReady: false,
  stopping: false,
  healthTimeout: 5,
  readyTimeout: 5,
  inGrace: false,
  store: () => Promise.resolve(),
  otherStores: [],
  encryption: [],
  encryptionFollowed: false,
  ...more,
});

Deno.test("a file of encryption that is followed has a check; services that encrypt are no matter of livez", () => {
  const checks = (encryptionFollowed: boolean) =>
    healthChecks(
      parts({ encryptionFollowed, encryption: [{ name: "kms-providers", check: () => Promise.resolve() }] }),
    );
  const reload = "poststarthook/start-encryption-provider-config-automatic-reload";
  assert.deepEqual([true, false].map((f) => checks(f).some((c) => c.name === reload)), [true, false]);
  assert.deepEqual(checks(false).find((c) => c.name === "kms-providers")!.of, ["readyz", "healthz"]);
});

Deno.test("while start-up work is not done its check fails; livez takes it for well in its grace period", async () => {
  for (const inGrace of [false, true]) {
    const check = healthChecks(parts({ inGrace })).find((c) => c.name === "poststarthook/bootstrap-controller")!;
    await assert.rejects(async () => await check.check(AbortSignal.timeout(1000)));
    assert.deepEqual(check.spared ?? [], inGrace ? ["livez"] : []);
  }
});

Deno.test("a failure that an endpoint takes for well is counted as well there", async () => {
  const seen: string[] = [];
  const failing = {
    name: "late",
    of: ["livez", "readyz"],
    spared: ["livez"],
    check: () => Promise.reject(new Error("no")),
  };
  const paths = healthPaths(() => [failing as HealthCheck], () => {}, (...what) => seen.push(what.join(" ")));
  const ask = async (path: string) =>
    (await paths.get(path)!(
      scopeOf(new Request(`https://h${path}`), NO_CONNECTION, { now: () => 0, auditId: () => "x" }),
    ))
      .status;
  assert.deepEqual([await ask("/livez"), await ask("/readyz")], [200, 500]);
  assert.deepEqual(seen, ["late livez true", "late readyz false"]);
});

Deno.test("a store that does not answer in time fails its checks", async () => {
  const check = healthChecks(parts({ store: () => new Promise(() => {}) })).find((c) => c.name === "etcd")!;
  await assert.rejects(async () => await check.check(new AbortController().signal), /within 5 ms/);
});

Deno.test("a store that has months to answer is waited for, one that has less than no time is late", async () => {
  const answered = Promise.withResolvers<void>();
  const check = (healthTimeout: number) =>
    healthChecks(parts({ healthTimeout, store: () => answered.promise })).find((c) => c.name === "etcd")!
      .check(new AbortController().signal);
  const patient = Promise.resolve(check(90 * 24 * 3_600_000));
  await assert.rejects(async () => await check(-1), /within 0 ms/);
  await assert.rejects(async () => await check(5), /within 5 ms/);
  answered.resolve();
  await patient;
});

Deno.test("livez and readyz fail when the store is gone", async () => {
  const inner = memoryBackend();
  let broken = false;
  const backend = new Proxy(inner, {
    get(target, name) {
      if (name === "health" && broken) return () => Promise.reject(new Error("gone"));
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  await served([], async (s) => {
    assert.equal((await s.fetch("/livez")).status, 200);
    broken = true;
    assert.equal((await s.fetch("/livez")).status, 500);
    assert.equal((await s.fetch("/livez?exclude=etcd")).status, 200);
  }, { backend });
  await inner.close();
});

Deno.test("/statusz, /flagz and /debug/pprof/ tell, and are gone when they are turned off", async () => {
  await served(["--max-requests-inflight=123"], async (s) => {
    assert.match((await s.fetch("/statusz")).text, /Emulation version: 1\.\d+/);
    assert.match((await s.fetch("/flagz")).text, /\nmax-requests-inflight=123\n/);
    assert.match((await s.fetch("/debug/pprof/")).text, /heap/);
    assert.equal((await s.fetch("/debug/pprof/profile")).status, 501);
    assert.match((await s.fetch("/debug/pprof")).text, /href="\/debug\/pprof\/"/);
    assert.equal((await s.fetch("/debug/pprof", { method: "POST" })).headers.get("content-type"), null);
  });
  const off = ["--profiling=false", "--feature-gates=ComponentStatusz=false,ComponentFlagz=false"];
  await served(off, async (s) => {
    for (const path of ["/statusz", "/flagz", "/debug/pprof/"]) assert.equal((await s.fetch(path)).status, 404, path);
  });
});

Deno.test("/ lists what is served, single checks too, but no page that profiles", () =>
  served([], async (s) => {
    const paths: string[] = (await s.fetch("/")).body.paths;
    assert.deepEqual(paths, [...new Set(paths)].sort());
    const some = [
      "/api/v1",
      "/apis/",
      "/apis/apps",
      "/apis/apps/v1",
      "/livez/etcd",
      "/metrics",
      "/openapi/v3/",
      "/version",
    ];
    for (const path of some) assert.ok(paths.includes(path), path);
    const told = (path: string) => !/^[/](index.html|debug[/].*|.*[*])?$/.test(path) && path !== "/livez/shutdown";
    assert.deepEqual(paths.filter((path) => !told(path)), []);
    for (const path of paths.filter((path) => path !== "/openapi/v3/")) {
      assert.equal((await s.fetch(path)).status, 200, path);
    }
  }));

Deno.test("metrics tell of objects, caches, flow control and health checks", () =>
  served([], async (s) => {
    await s.fetch("/livez");
    const { text } = await s.fetch("/metrics");
    assert.match(text, /apiserver_resource_objects\{group="",resource="namespaces"\} 4/);
    assert.match(text, /apiserver_resource_objects\{group="apps",resource="deployments"\} 0/);
    assert.match(text, /apiserver_flowcontrol_nominal_limit_seats\{priority_level="workload-low"\} \d+/);
    const slis = (await s.fetch("/metrics/slis")).text;
    assert.match(slis, /kubernetes_healthcheck\{name="etcd",type="livez"\} 1/);
  }));

Deno.test("requests are counted by their methods; reads, applying and ways to nodes have verbs of their own", () =>
  served(["--disable-admission-plugins=ServiceAccount"], async (s) => {
    const maps = "/api/v1/namespaces/default/configmaps", body = { metadata: { name: "a" } };
    const applied = { apiVersion: "v1", kind: "ConfigMap", ...body };
    const headers = { "content-type": "application/apply-patch+yaml" };
    await s.fetch(maps, { body });
    await s.fetch(`${maps}/a`, { method: "PUT", body });
    await s.fetch(`${maps}/a?fieldManager=m`, { method: "PATCH", headers, body: applied });
    await s.fetch(maps, { method: "DELETE" });
    await s.fetch("/api/v1/configmaps");
    await s.fetch("/api/v1/namespaces/default/pods/p/log");
    const { text } = await s.fetch("/metrics");
    const told = (verb: string, resource: string, scope: string) =>
      assert.match(
        text,
        new RegExp(`apiserver_request_total\\{verb="${verb}",[^}]*resource="${resource}",[^}]*scope="${scope}"`),
      );
    told("POST", "configmaps", "resource");
    told("PUT", "configmaps", "resource");
    told("APPLY", "configmaps", "resource");
    told("DELETE", "configmaps", "namespace");
    told("LIST", "configmaps", "cluster");
    told("CONNECT", "pods", "resource");
  }));

Deno.test("--disabled-metrics takes metrics out; a period of 0 turns counting off", () =>
  served(["--disabled-metrics=apiserver_request_total", "--store-count-metric-poll-period=0"], async (s) => {
    const { text } = await s.fetch("/metrics");
    assert.ok(!text.includes("apiserver_request_total"));
    assert.ok(!text.includes("apiserver_resource_objects"));
  }));
