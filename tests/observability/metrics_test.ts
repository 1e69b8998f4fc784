/** Which metrics are shown, and how. */
import assert from "node:assert/strict";
import { allowedLabels, constrained } from "../../server/metrics/allowed_labels.ts";
import { annotated, isHidden, type Promised } from "../../server/metrics/stability.ts";
import { readProcess } from "../../server/listen/mod.ts";
import { metricLabels } from "../../server/options/metric_labels.ts";
import { parseOptions } from "../../server/options/mod.ts";
import { startTestServer, withServer } from "../fixture/server.ts";

const faultsOf = (...flags: string[]): string => {
  const parsed = parseOptions(flags);
  return parsed.kind === "errors" ? parsed.errors.join("\n") : "";
};

async function metricsOf(flags: readonly string[], ...paths: string[]): Promise<string> {
  const parsed = parseOptions(flags);
  assert.equal(parsed.kind, "run", JSON.stringify(parsed));
  if (parsed.kind !== "run") throw new Error();
  const t = await startTestServer(flags, { metricLabels: metricLabels(parsed.options) });
  try {
    for (const path of paths) await t.fetch(path);
    return (await t.fetch("/metrics")).text;
  } finally {
    await t.stop();
  }
}

const STABLE: Promised = { stability: "STABLE", deprecated: "1.30.0" };
const SHOWN: readonly [Promised, minor: number, hidden: boolean, start: string][] = [
  [{ stability: "ALPHA" }, 37, false, "[ALPHA] text"],
  [STABLE, 29, false, "[STABLE] text"],
  [STABLE, 30, false, "[STABLE] (Deprecated since 1.30.0) text"],
  [STABLE, 32, false, "[STABLE] (Deprecated since 1.30.0) text"],
  [STABLE, 33, true, "[STABLE] (Deprecated since 1.30.0) text"],
  [{ stability: "BETA", deprecated: "1.30.0" }, 30, false, "[BETA] (Deprecated since 1.30.0) text"],
  [{ stability: "BETA", deprecated: "1.30.0" }, 31, true, "[BETA] (Deprecated since 1.30.0) text"],
  [{ stability: "ALPHA", deprecated: "1.30.0" }, 30, true, "[ALPHA] (Deprecated since 1.30.0) text"],
];
for (const [promised, minor, hidden, text] of SHOWN) {
  Deno.test(`${promised.stability}, deprecated in ${promised.deprecated ?? "none"}: in 1.${minor}`, () => {
    const version = { major: 1, minor };
    assert.equal(isHidden(promised, version), hidden);
    assert.equal(annotated("text", promised, version), text);
  });
}

Deno.test("metrics tell their stability; hidden ones come with --show-hidden-metrics-for-version", async () => {
  const hidden = await metricsOf([]);
  assert.match(hidden, /^# HELP apiserver_request_total \[STABLE\] /m);
  assert.match(hidden, /^# HELP apiserver_flowcontrol_nominal_limit_seats \[BETA\] /m);
  assert.match(hidden, /^# HELP apiserver_resource_objects \[ALPHA\] /m);
  assert.match(hidden, /^hidden_metrics_total 1$/m);
  assert.doesNotMatch(hidden, /apiserver_storage_objects/);
  const shown = await metricsOf(["--show-hidden-metrics-for-version=1.36"]);
  assert.match(shown, /^# HELP apiserver_storage_objects \[STABLE\] \(Deprecated since 1\.34\.0\) /m);
  assert.match(shown, /^hidden_metrics_total 0$/m);
  assert.match(shown, /^registered_metrics_total\{stability_level="STABLE",deprecated_version="1\.34\.0"\} 1$/m);
});

Deno.test("watches at work are counted, while they are", async () => {
  await withServer([], async (t) => {
    const metric = "apiserver_longrunning_requests";
    const counted = async () =>
      (await t.fetch("/metrics")).text.split("\n").filter((line) =>
        line.startsWith(`${metric}{`) && line.includes('resource="secrets"')
      );
    const before = await counted();
    const answers = [1, 2].map((n) => t.open(`/api/v1/namespaces/default/secrets?watch=1&timeoutSeconds=${600 + n}`));
    const bodies = (await Promise.all(answers)).map(({ body }) => body!);
    const labels = 'verb="WATCH",group="",version="v1",resource="secrets",subresource="",scope="namespace"';
    assert.deepEqual((await counted()).filter((line) => !before.includes(line)), [
      `${metric}{${labels},component="apiserver"} 2`,
    ]);
    for (const body of bodies) await body.cancel();
    assert.deepEqual(await counted(), before);
  });
});

Deno.test("the server tells what it is, and what its process takes", async () => {
  const figures = readProcess()!;
  assert.ok(figures.residentBytes > 1e7 && figures.cpuSeconds > 0 && figures.openFiles > 2, JSON.stringify(figures));
  // Each file of tests has its own clock of performance, which begins after the process.
  const now = Date.now() / 1000;
  assert.ok(figures.startSeconds < now - performance.now() / 1000 + 1, JSON.stringify(figures));
  assert.ok(figures.startSeconds > now - Deno.osUptime() - 1, JSON.stringify(figures));
  let read = 0;
  const t = await startTestServer([], { process: () => (read++, figures), now: () => 1_800_000_000_000 });
  try {
    const { text } = await t.fetch("/metrics");
    assert.match(text, new RegExp(`^process_resident_memory_bytes ${figures.residentBytes}$`, "m"));
    assert.match(text, /^# TYPE process_cpu_seconds_total counter$/m);
    assert.equal(read, 1, "all lines from one reading");
    assert.match(text, /^kubernetes_build_info\{major="1",minor="37",git_version="v1\.37\.0",.*\} 1$/m);
    assert.match(text, /^version_info\{component="kube",binary="1\.37\.0",emulation="1\.37",min_compat="1\.36"\} 1$/m);
    assert.ok(figures.receivedBytes > 0 && figures.sentBytes > 0, JSON.stringify(figures));
    assert.match(text, new RegExp(`^process_network_receive_bytes_total ${figures.receivedBytes}$`, "m"));
    assert.match(text, new RegExp(`^process_network_transmit_bytes_total ${figures.sentBytes}$`, "m"));
  } finally {
    await t.stop();
  }
});

Deno.test("metrics name groups as they are served", async () => {
  const own = await metricsOf(["--api-dialect=orch"]);
  assert.match(own, /^apiserver_resource_objects\{group="apiregistration\.orch\.io",resource="apiservices"\} /m);
  assert.match(own, /^apiserver_watch_cache_history_events\{group="storage\.orch\.io",resource="csinodes"\} /m);
  assert.doesNotMatch(own, /k8s\.io/);
  assert.match(await metricsOf([]), /^apiserver_resource_objects\{group="storage\.k8s\.io",resource="csinodes"\} /m);
});

Deno.test("objects are counted again though the clock was put back", async () => {
  let now = Date.now();
  await withServer([], async (t) => {
    const counted = async () =>
      (await t.fetch("/metrics")).text.match(/^apiserver_resource_objects\{.*resource="namespaces".* (\d+)$/m)?.[1];
    const before = Number(await counted());
    now -= 3_600_000;
    await t.fetch("/api/v1/namespaces", { method: "POST", body: { metadata: { name: "one" } } });
    assert.equal(Number(await counted()), before + 1);
  }, { now: () => now });
});

Deno.test("every feature tells its stage, and whether it is on", async () => {
  const text = await metricsOf(["--feature-gates=CBORServingAndStorage=true"]);
  assert.match(text, /^# HELP kubernetes_feature_enabled \[BETA\] /m);
  assert.match(text, /^kubernetes_feature_enabled\{name="CBORServingAndStorage",stage="ALPHA"\} 1$/m);
  assert.match(text, /^kubernetes_feature_enabled\{name="ShardedListAndWatch",stage="ALPHA"\} 0$/m);
  assert.match(text, /^kubernetes_feature_enabled\{name="DynamicResourceAllocation",stage=""\} 1$/m);
});

Deno.test("--disabled-metrics wins over --show-hidden-metrics-for-version", async () => {
  const flags = ["--show-hidden-metrics-for-version=1.36", "--disabled-metrics=apiserver_storage_objects,gone"];
  const text = await metricsOf(flags);
  assert.doesNotMatch(text, /apiserver_storage_objects/);
  assert.match(text, /^disabled_metrics_total 2$/m);
});

Deno.test("health checks tell their stability too", async () => {
  const t = await startTestServer([]);
  await t.fetch("/livez");
  const { text } = await t.fetch("/metrics/slis");
  await t.stop();
  assert.match(text, /^# HELP kubernetes_healthcheck \[STABLE\] /m);
  assert.doesNotMatch(text, /hidden_metrics_total/);
});

const PATHS = ["/api/v1/pods", "/api/v1/configmaps", "/api/v1/namespaces/default", "/version"];

Deno.test("--allow-metric-labels: other values are unexpected, and add up", async () => {
  const text = await metricsOf(["--allow-metric-labels=apiserver_request_total,resource=pods,nodes"], ...PATHS);
  const lines = text.split("\n").filter((l) => l.startsWith("apiserver_request_total{"));
  const resources = new Set(lines.map((l) => /resource="([^"]*)"/.exec(l)![1]));
  assert.deepEqual(resources, new Set(["pods", "unexpected"]));
  assert.match(text, /^cardinality_enforcement_unexpected_categorizations_total 3$/m);
  assert.match(text, /apiserver_request_duration_seconds_count\{[^}]*resource="configmaps"/);
});

Deno.test("several labels at once, quoted", async () => {
  const flag = '--allow-metric-labels="apiserver_request_total,verb=GET,LIST","apiserver_request_total,resource=pods"';
  const text = await metricsOf([flag], "/api/v1/pods", "/api/v1/nodes/none");
  assert.match(text, /apiserver_request_total\{verb="LIST",[^}]*resource="pods"/);
  assert.match(text, /apiserver_request_total\{verb="GET",[^}]*resource="unexpected"/);
});

Deno.test("--allow-metric-labels-manifest: the same as a file", async () => {
  const dir = await Deno.makeTempDir();
  const path = `${dir}/labels.yaml`;
  const flag = `--allow-metric-labels-manifest=${path}`;
  const write = (text: string) => Deno.writeTextFileSync(path, text);
  write('apiserver_request_total,resource: "pods,nodes"\napiserver_request_total,code: 200\n');
  const text = await metricsOf([flag], ...PATHS, "/api/v1/nodes/none");
  assert.match(text, /apiserver_request_total\{[^}]*resource="nodes",[^}]*code="unexpected"/);
  assert.match(text, /apiserver_request_total\{[^}]*resource="unexpected",[^}]*code="200"/);
  const read = () => metricLabels({ allowMetricLabels: {}, allowMetricLabelsManifest: path });
  for (const bad of ["- a\n", "a: b\n", "a,b:\n  - c\n", "{"]) {
    write(bad);
    assert.throws(read, /--allow-metric-labels-manifest/, bad);
  }
  write("");
  assert.equal(read().size, 0);
  await Deno.remove(dir, { recursive: true });
  assert.throws(read, /no such file/);
});

Deno.test("options of metrics that cannot be", () => {
  for (const version of ["1.37", "1.35", "1", "v1.36"]) {
    assert.match(faultsOf(`--show-hidden-metrics-for-version=${version}`), /1\.36/, version);
  }
  assert.match(faultsOf("--disabled-metrics=a,b-c"), /b-c/);
  assert.match(faultsOf("--allow-metric-labels=a=b"), /metricName,labelName/);
  assert.match(faultsOf("--allow-metric-labels=a,b-c=d"), /metricName,labelName/);
  assert.match(faultsOf("--allow-metric-labels=a,b"), /key=value/);
  assert.match(faultsOf("--allow-metric-labels=a,b=c", "--allow-metric-labels-manifest=f"), /cannot go with/);
});

Deno.test("gauges keep the last value, histograms add up by bucket", () => {
  const labels = allowedLabels({ "m,l": "a" }).get("m")!;
  const line = (l: string, value: number, rest = {}, metricName = "m") => ({
    metricName,
    labels: { l, ...rest },
    value,
  });
  const gauge = constrained([line("a", 1), line("b", 2), line("c", 3)], "gauge", labels);
  assert.deepEqual(gauge.samples.map((s) => [s.labels["l"], s.value]), [["a", 1], ["unexpected", 3]]);
  assert.equal(gauge.unexpected, 2);
  const parts = ["b", "c"].flatMap((l) => [
    line(l, 1, { le: "1" }, "m_bucket"),
    line(l, 2, { le: "+Inf" }, "m_bucket"),
    line(l, 0.5, {}, "m_sum"),
    line(l, 2, {}, "m_count"),
  ]);
  const histogram = constrained(parts, "histogram", labels);
  assert.deepEqual(histogram.samples.map((s) => s.value), [2, 4, 1, 4]);
  assert.equal(histogram.unexpected, 4);
});

Deno.test("DELETE lets counters and histograms count from nothing, unless --profiling=false", async () => {
  const posts = /^apiserver_request_total\{verb="POST".*resource="namespaces".* (\d+)$/m;
  for (const [flags, after] of [[[], 1], [["--profiling=false"], 2]] as const) {
    const t = await startTestServer([...flags]);
    try {
      const make = (name: string) =>
        t.fetch("/api/v1/namespaces", {
          method: "POST",
          body: { apiVersion: "v1", kind: "Namespace", metadata: { name } },
        });
      await make("one");
      assert.equal(posts.exec((await t.fetch("/metrics")).text)?.[1], "1");
      const reset = await t.fetch("/metrics", { method: "DELETE" });
      assert.equal(reset.status, 200);
      assert.equal(reset.text === "metrics reset\n", after === 1);
      await make("two");
      const { text } = await t.fetch("/metrics");
      assert.equal(posts.exec(text)?.[1], String(after));
      assert.match(
        text,
        new RegExp(`^apiserver_request_duration_seconds_count\\{verb="POST".*namespaces.* ${after}$`, "m"),
      );
      assert.match(text, /^apiserver_resource_objects\{.*resource="namespaces".* [1-9]/m);
      if (after === 1) assert.equal((await t.fetch("/metrics/slis", { method: "DELETE" })).text, "metrics reset\n");
    } finally {
      await t.stop();
    }
  }
});

Deno.test("what counts anew by itself after DELETE is not below nothing", async () => {
  const t = await startTestServer();
  try {
    const at = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    const define = async () => {
      const schema = { openAPIV3Schema: { type: "object" } };
      const body = {
        metadata: { name: "wides.example.com" },
        spec: {
          group: "example.com",
          scope: "Cluster",
          names: { plural: "wides", kind: "Wide" },
          versions: [{ name: "v1", served: true, storage: true, schema }],
        },
      };
      while ((await t.fetch(at, { body })).status !== 201);
      while ((await t.fetch("/apis/example.com/v1/wides")).status !== 200);
    };
    const make = async (name: string) => {
      const body = { apiVersion: "example.com/v1", kind: "Wide", metadata: { name } };
      assert.equal((await t.fetch("/apis/example.com/v1/wides", { body })).status, 201);
    };
    const figure = async (metric: string) => {
      const { text } = await t.fetch("/metrics");
      return new RegExp(`^${metric}\\{[^}]*"wides"[^}]*\\} (\\S+)$`, "m").exec(text)?.[1];
    };
    const received = () => figure("apiserver_watch_cache_events_received_total");
    await define();
    for (const name of ["a", "b", "c"]) await make(name);
    assert.equal(await received(), "3");
    assert.equal(await figure("apiserver_storage_events_received_total"), "3");
    const { body } = await t.fetch("/apis/example.com/v1/wides");
    assert.equal(await figure("apiserver_watch_cache_resource_version"), body.metadata.resourceVersion);
    await t.fetch("/metrics", { method: "DELETE" });
    assert.equal(await received(), "0");
    await t.fetch(`${at}/wides.example.com`, { method: "DELETE" });
    while ((await t.fetch(`${at}/wides.example.com`)).status !== 404);
    await define();
    await make("d");
    assert.equal(await received(), "1");
  } finally {
    await t.stop();
  }
});

Deno.test("pages of metrics are compressed for who takes that", async () => {
  const t = await startTestServer();
  try {
    for (const path of ["/metrics", "/metrics/slis"]) {
      const headers = { "accept-encoding": "gzip" };
      const answer = await t.server.app.fetch(new Request(`https://test${path}`, { headers }));
      assert.equal(answer.headers.get("content-encoding"), "gzip");
      const text = await new Response(answer.body!.pipeThrough(new DecompressionStream("gzip"))).text();
      assert.match(text, /^# HELP /);
      assert.match((await t.fetch(path)).text, /^# HELP /);
    }
  } finally {
    await t.stop();
  }
});
