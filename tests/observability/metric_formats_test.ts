/** In which forms metrics are told. */
import assert from "node:assert/strict";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import { Buckets } from "../../server/metrics/buckets.ts";
import { NativeBuckets } from "../../server/metrics/native.ts";
import { metricFamilies } from "../../server/metrics/protobuf.ts";
import { decode, type Table } from "../../schema/grpc/wire.ts";
import { withServer } from "../fixture/server.ts";

const steps = (from: number, to: number, by: number) =>
  Array.from({ length: Math.ceil((to - from) / by) }, (_, i) => 2 ** ((from + i * by) / 8 + 0.01));

// What Prometheus's library for Go makes of the same observations.
const NATIVE: readonly [string, number[], schema: number, zeros: number, spans: number[][], deltas: number[]][] = [
  ["nothing", [], 3, 0, [], []],
  [
    "some far apart",
    [0, 1e-50, 0.001, 0.001, 0.0011, 0.5, 1, 1.05, 1.09, 2, 2.0001, 4, 100],
    3,
    2,
    [[-79, 2], [69, 1], [7, 2], [6, 2], [6, 1], [37, 1]],
    [2, -1, 0, 0, 1, -1, 0, 0, 0],
  ],
  ["small gaps", steps(0, 9, 3), 3, 0, [[1, 7]], [1, -1, 0, 1, -1, 0, 1]],
  ["more buckets than may be", steps(0, 200, 1), 2, 0, [[1, 100]], [2, ...Array<number>(99).fill(0)]],
];
for (const [name, values, schema, zeroCount, spans, positiveDelta] of NATIVE) {
  Deno.test(`a native histogram of ${name}`, () => {
    const buckets = new NativeBuckets();
    for (const value of values) buckets.add(value);
    const positiveSpan = spans.map(([offset, length]) => ({ offset, length }));
    const zeroThreshold = 2.938735877055719e-39;
    assert.deepEqual(buckets.told(), { schema, zeroThreshold, zeroCount, positiveSpan, positiveDelta });
  });
}

const VALUE: Table = [[1, "value", "double"]];
const HISTOGRAM: Table = [
  [1, "count", "int"],
  [2, "sum", "double"],
  [3, "buckets", [[1, "below", "int"], [2, "bound", "double"]], "repeated"],
  [5, "schema", "sint"],
  [12, "spans", [[1, "offset", "sint"], [2, "length", "int"]], "repeated"],
  [13, "deltas", "sint", "repeated"],
];
const FAMILY: Table = [
  [1, "name", "string"],
  [2, "help", "string"],
  [3, "type", "enum"],
  [4, "metrics", [
    [1, "labels", [[1, "name", "string"], [2, "value", "string"]], "repeated"],
    [2, "gauge", VALUE],
    [3, "counter", VALUE],
    [7, "histogram", HISTOGRAM],
  ], "repeated"],
];
interface Metric {
  readonly labels: readonly { name: string; value: string }[];
  readonly gauge?: { value: number };
  readonly counter?: { value: number };
  readonly histogram?: {
    count: number;
    sum: number;
    buckets: { below: number; bound: number }[];
    schema?: number;
    spans: { offset: number; length: number }[];
    deltas: number[];
  };
}
interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: number;
  readonly metrics: readonly Metric[];
}

function familiesIn(bytes: Uint8Array): Map<string, Family> {
  const reader = new BinaryReader(bytes), all = new Map<string, Family>();
  while (reader.pos < reader.len) {
    const family = decode<Family>(FAMILY, reader.bytes());
    all.set(family.name, family);
  }
  return all;
}

Deno.test("metrics as Protobuf: those of a kind, their labels in order, a histogram's lines as one", () => {
  const buckets = new Buckets([0.5, 1]);
  for (const value of [0.25, 0.75, 3]) buckets.add(value);
  const lines = buckets.samples("h", { verb: "GET", code: "200" });
  const line = (metricName: string, value: number) => ({ metricName, labels: { b: "2", a: "1" }, value });
  const rows = [
    { name: "c", help: "counts", type: "counter", values: [line("c", 0)] },
    { name: "g", help: "is", type: "gauge", values: [line("g", -1.5)] },
    { name: "h", help: "lasts", type: "histogram", values: lines },
    { name: "none", help: "nothing", type: "counter", values: [] },
  ];
  const all = familiesIn(metricFamilies(rows, true));
  assert.deepEqual([...all.values()].map(({ name, help, type }) => [name, help, type]), [
    ["c", "counts", 0],
    ["g", "is", 1],
    ["h", "lasts", 4],
  ]);
  const labels = [{ name: "a", value: "1" }, { name: "b", value: "2" }];
  assert.deepEqual(all.get("c")!.metrics, [{ labels, counter: { value: 0 } }]);
  assert.deepEqual(all.get("g")!.metrics, [{ labels, gauge: { value: -1.5 } }]);
  const classic = { count: 3, sum: 4, buckets: [{ below: 1, bound: 0.5 }, { below: 2, bound: 1 }] };
  const histogramOf = (families: Map<string, Family>) => {
    const [metric, ...others] = families.get("h")!.metrics;
    assert.deepEqual(others, []);
    assert.deepEqual(metric!.labels, [{ name: "code", value: "200" }, { name: "verb", value: "GET" }]);
    return metric!.histogram!;
  };
  const { schema, spans, deltas, ...rest } = histogramOf(all);
  assert.partialDeepStrictEqual(rest, classic);
  assert.deepEqual([schema, spans, deltas], [3, [{ offset: -16, length: 1 }, { offset: 12, length: 1 }, {
    offset: 15,
    length: 1,
  }], [1, 0, 0]]);
  const plain = histogramOf(familiesIn(metricFamilies(rows, false)));
  assert.deepEqual([plain.schema, plain.spans, plain.deltas], [undefined, [], []]);
});

const PROTOBUF = "application/vnd.google.protobuf";
const delimited = `${PROTOBUF};proto=io.prometheus.client.MetricFamily;encoding=delimited`;

Deno.test("a scraper gets the form that it names first", async () => {
  const text = (escaping = "underscores") => `text/plain; version=0.0.4; charset=utf-8; escaping=${escaping}`;
  const protobuf = (escaping = "underscores") =>
    `${PROTOBUF}; proto=io.prometheus.client.MetricFamily; encoding=delimited; escaping=${escaping}`;
  const rows: readonly [accept: string | undefined, type: string][] = [
    [undefined, text()],
    ["application/json", text()],
    ["text/plain;version=1.0.0;q=0.4", text()],
    ["text/plain;version=0.0.4;escaping=allow-utf-8", text("allow-utf-8")],
    ["text/plain;escaping=other", text()],
    ["application/openmetrics-text;version=1.0.0;escaping=dots", text("dots")],
    [PROTOBUF, text()],
    [delimited.replace("delimited", "compact-text"), text()],
    [delimited.replace("client.MetricFamily", "client.Other"), text()],
    [delimited, protobuf()],
    [`${delimited};escaping=values`, protobuf("values")],
    [`${delimited};q=0.4,text/plain;q=0.5`, text()],
    [`text/plain;version=0.0.4;q=0.4,application/openmetrics-text;q=0.5,${delimited};q=0.6`, protobuf()],
  ];
  await withServer([], async (t) => {
    for (const path of ["/metrics", "/metrics/slis"]) {
      for (const [accept, type] of rows) {
        const { headers } = await t.fetch(path, accept === undefined ? {} : { headers: { accept } });
        assert.equal(headers.get("content-type"), type, `${path} ${accept}`);
        assert.match(headers.get("process-start-time-unix")!, /^[0-9]+$/);
      }
    }
  });
});

for (const on of [true, false]) {
  Deno.test(`the gate NativeHistograms, ${on ? "on" : "off"}`, async () => {
    // Each look at the clock takes time: what takes none is in no bucket but that of nothing.
    let now = Date.now();
    await withServer([`--feature-gates=NativeHistograms=${on}`, "--profiling"], async (t) => {
      const asked = async () => {
        const answer = await t.server.app.fetch(
          new Request("https://localhost/metrics", { headers: { accept: delimited } }),
        );
        return familiesIn(new Uint8Array(await answer.arrayBuffer())).get("apiserver_request_duration_seconds");
      };
      await t.fetch("/api/v1/namespaces");
      const lists = (family: Family | undefined) =>
        family?.metrics.find(({ labels }) => labels.some(({ name, value }) => name === "verb" && value === "LIST"));
      const { histogram } = lists(await asked())!;
      assert.ok(histogram!.buckets.length > 5);
      assert.equal(histogram!.schema, on ? 3 : undefined);
      assert.equal(histogram!.deltas.length > 0, on);
      // Counted from nothing again, a histogram has its buckets alone.
      await t.fetch("/metrics", { method: "DELETE" });
      await t.fetch("/api/v1/namespaces");
      assert.equal(lists(await asked())!.histogram!.schema, undefined);
    }, { now: () => now++ });
  });
}
