/** The file of `--tracing-config-file`. */
import assert from "node:assert/strict";
import { productOf } from "../../schema/product.ts";
import { readTracingConfig } from "../../server/options/tracing_config.ts";
import { openTracing } from "../../server/options/tracing_files.ts";
import { parseOptions } from "../../server/options/mod.ts";
import { Tracer } from "../../schema/tracing/tracer.ts";
import { passedOn, remoteContext } from "../../schema/tracing/context.ts";
import { socketsClosed } from "../fixture/sockets_closed.ts";
import { Collector } from "./_collector.ts";
import { config } from "./_traced.ts";

const K8S = productOf("kubernetes"), ORCH = productOf("orch");

Deno.test("every version is read, in the names of the dialect or the public ones", () => {
  for (const version of ["v1", "v1beta1", "v1alpha1"]) {
    const text = config({ endpoint: "collector:1234", samplingRatePerMillion: 7 }, version);
    for (const product of [K8S, ORCH]) {
      assert.deepEqual(readTracingConfig(text, product), { endpoint: "collector:1234", perMillion: 7 });
    }
    const own = readTracingConfig(text.replace("apiserver.config.k8s.io", "apiserver.config.orch.io"), ORCH);
    assert.equal(own.perMillion, 7);
  }
  assert.deepEqual(readTracingConfig(config({}), K8S), { endpoint: "localhost:4317", perMillion: 0 });
  const yaml = "apiVersion: apiserver.config.k8s.io/v1\nkind: TracingConfiguration\nsamplingRatePerMillion: 1000000\n";
  assert.equal(readTracingConfig(yaml, K8S).perMillion, 1_000_000);
});

const REFUSED: readonly (readonly [text: string, why: RegExp])[] = [
  [config({}, "v2"), /"apiserver.config.k8s.io\/v2" is no TracingConfiguration/],
  [config({}).replace("apiserver.config.k8s.io", "apiserver.k8s.io"), /is no TracingConfiguration/],
  [config({}).replace("TracingConfiguration", "AuditPolicy"), /kind "AuditPolicy"/],
  ["", /is no TracingConfiguration/],
  ["{", /--tracing-config-file/],
  [config({ samplingRate: 1 }), /samplingRate/],
  [`${config({ endpoint: "a" }).slice(0, -1)},"endpoint":"b"}`, /endpoint/],
  [config({ samplingRatePerMillion: "1" }), /samplingRatePerMillion/],
  [config({ samplingRatePerMillion: -1 }), /samplingRatePerMillion: Invalid value: -1/],
  [config({ samplingRatePerMillion: 1_000_001 }), /samplingRatePerMillion: Invalid value: 1000001/],
  [config({ endpoint: "http://localhost:4317" }), /endpoint: Invalid value.*"http"/],
  [config({ endpoint: "//localhost:4317" }), /endpoint: Invalid value/],
  [config({ endpoint: "local host:4317" }), /endpoint: Invalid value/],
  [config({ endpoint: "localhost:otlp" }), /endpoint: Invalid value/],
  [config({ endpoint: "dns://local%zz" }), /endpoint: Invalid value/],
];

Deno.test("a file that is not right is refused, with what is wrong", () => {
  for (const [text, why] of REFUSED) assert.throws(() => readTracingConfig(text, K8S), why, text);
});

Deno.test("endpoints are those of gRPC", () => {
  const good = ["localhost:4317", "collector", "[::1]:4317", "dns://ns/host:1", "unix:///run/c", "unix-abstract://c"];
  for (const endpoint of [...good, "unix:/run/c"]) {
    assert.equal(readTracingConfig(config({ endpoint }), K8S).endpoint, endpoint);
  }
});

Deno.test("a collector on a socket is reached", async () => {
  const dir = await Deno.makeTempDir(), collector = new Collector();
  const endpoint = await collector.start(`unix:${dir}/otlp`);
  await Deno.writeTextFile(`${dir}/t.json`, config({ endpoint, samplingRatePerMillion: 1_000_000 }));
  const parsed = parseOptions([`--tracing-config-file=${dir}/t.json`]);
  assert.ok(parsed.kind === "run");
  const deps = {
    server: "s",
    random: (n: number) => new Uint8Array(n).fill(1),
    now: () => 1000,
    told: (e: unknown) => assert.fail(String(e)),
  };
  const { tracer, close, counts } = await openTracing(parsed.options, deps);
  const headers = new Headers();
  tracer.begin({ name: "x", headers, startedAt: 999, trusted: true, attributes: () => ({ a: 1.5, b: true }) }).end();
  await close(60_000);
  collector.stop();
  await socketsClosed();
  assert.deepEqual([counts.sent, collector.one("x").attributes], [1, { a: 1.5, b: true }]);
  assert.equal(collector.one("x").start, 999_000_000n);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("a file that is not there is refused at the start", async () => {
  const parsed = parseOptions(["--tracing-config-file=/nowhere/t.json"]);
  assert.ok(parsed.kind === "run");
  const deps = { server: "s", random: () => new Uint8Array(1), now: () => 0, told: () => {} };
  await assert.rejects(openTracing(parsed.options, deps), /--tracing-config-file: cannot read/);
});

Deno.test("the rate is that of traces' ids", () => {
  const begun = (perMillion: number, low: bigint) => {
    const id = new Uint8Array(16).fill(1);
    new DataView(id.buffer).setBigUint64(8, low);
    const ended: unknown[] = [];
    const tracer = new Tracer({
      perMillion,
      random: (n) => id.slice(0, n),
      now: () => 0,
      elapsed: () => 0,
      ended: (s) => ended.push(s),
    });
    const headers = new Headers();
    tracer.begin({ name: "x", headers, startedAt: 0, trusted: true, attributes: () => ({}) }).end();
    return ended.length === 1;
  };
  const half = 1n << 63n, most = (1n << 64n) - 1n;
  assert.deepEqual([begun(500_000, half - 1n), begun(500_000, half)], [true, false]);
  assert.deepEqual([begun(1_000_000, most), begun(0, 1n)], [true, false]);
});

const T = "a".repeat(32), S = "b".repeat(16);

Deno.test("contexts that are well-formed are read", () => {
  const of = (traceparent: string, tracestate?: string) =>
    remoteContext(new Headers({ traceparent, ...(tracestate ? { tracestate } : {}) }));
  assert.deepEqual(of(`00-${T}-${S}-01`), { traceId: T, spanId: S, sampled: true, state: "" });
  assert.equal(of(`00-${T}-${S}-02`)?.sampled, false);
  assert.equal(of(`cc-${T}-${S}-09-more`)?.sampled, true);
  const wrong = [
    "",
    `00-${T}-${S}`,
    `00-${T}-${S}-01-more`,
    `00-${T}-${S}-03`,
    `00-${T.toUpperCase()}-${S}-01`,
    `00-${"0".repeat(32)}-${S}-01`,
    `00-${T}-${"0".repeat(16)}-01`,
    `ff-${T}-${S}-01`,
  ];
  for (const text of wrong) assert.equal(of(text), undefined, text);
  assert.equal(of(`00-${T}-${S}-01`, "a=1, t@v=2")?.state, "a=1,t@v=2");
  for (const state of ["A=1", "a", "a=1,b=", Array.from({ length: 33 }, (_, i) => `k${i}=1`).join(",")]) {
    assert.equal(of(`00-${T}-${S}-01`, state)?.state, "", state);
  }
});

Deno.test("what a request came with is passed on where nothing is traced", () => {
  const traceparent = `00-${T}-${S}-01`;
  assert.deepEqual(passedOn(new Headers({ traceparent, baggage: "k=v" })), { traceparent, baggage: "k=v" });
  assert.deepEqual(passedOn(new Headers({ traceparent: "00-x", tracestate: "a=1" })), {});
  assert.deepEqual(passedOn(new Headers({ baggage: "k=v" })), { baggage: "k=v" });
});
