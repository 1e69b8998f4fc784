/** Metrics in Prometheus's Protobuf format: messages `io.prometheus.client.MetricFamily`, each after its length. */
import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { encode, type Table } from "../../schema/grpc/wire.ts";
import type { Sample } from "./buckets.ts";
import type { NativeBuckets } from "./native.ts";

/** A metric with all its lines. */
export interface Family {
  readonly name: string;
  readonly help: string;
  /** `counter`, `gauge` or `histogram`. */
  readonly type: string;
  readonly values: readonly Sample[];
}

const LABEL: Table = [[1, "name", "string"], [2, "value", "string"]];
const VALUE: Table = [[1, "value", "double"]];
const BUCKET: Table = [[1, "cumulativeCount", "int"], [2, "upperBound", "double"]];
const SPAN: Table = [[1, "offset", "sint"], [2, "length", "int"]];
const HISTOGRAM: Table = [
  [1, "sampleCount", "int"],
  [2, "sampleSum", "double"],
  [3, "bucket", BUCKET, "repeated"],
  [5, "schema", "sint"],
  [6, "zeroThreshold", "double"],
  [7, "zeroCount", "int"],
  [12, "positiveSpan", SPAN, "repeated"],
  [13, "positiveDelta", "sint", "repeated"],
];
const METRIC: Table = [
  [1, "label", LABEL, "repeated"],
  [2, "gauge", VALUE],
  [3, "counter", VALUE],
  [7, "histogram", HISTOGRAM],
];
const FAMILY: Table = [
  [1, "name", "string"],
  [2, "help", "string"],
  [3, "type", { words: ["counter", "gauge", "summary", "untyped", "histogram"] }],
  [4, "metric", METRIC, "repeated"],
];

/** A histogram's lines of the same labels. */
interface Series {
  readonly labels: Sample["labels"];
  readonly bucket: { readonly cumulativeCount: number; readonly upperBound: number }[];
  sampleCount: number;
  sampleSum: number;
  native: NativeBuckets | undefined;
}

/** The bytes. Metrics without a line are left out. `native`: with native histograms beside the buckets. */
export function metricFamilies(families: readonly Family[], native: boolean): Uint8Array {
  const writer = new BinaryWriter();
  for (const family of families) {
    if (family.values.length > 0) writer.bytes(encode(FAMILY, { ...family, metric: metricsOf(family, native) }));
  }
  return writer.finish();
}

function metricsOf({ name, type, values }: Family, native: boolean): object[] {
  if (type !== "histogram") return values.map(({ labels, value }) => ({ label: labelsOf(labels), [type]: { value } }));
  return seriesOf(name, values).map(({ labels, native: buckets, ...classic }) => ({
    label: labelsOf(labels),
    histogram: { ...classic, ...(native ? buckets?.told() : {}) },
  }));
}

/** In the order in which they came. The last bucket is the count. */
function seriesOf(name: string, values: readonly Sample[]): Series[] {
  const all = new Map<string, Series>();
  for (const { metricName, labels: { le, ...labels }, value, native } of values) {
    const key = JSON.stringify(labels);
    let series = all.get(key);
    if (!series) all.set(key, series = { labels, bucket: [], sampleCount: 0, sampleSum: 0, native: undefined });
    if (metricName === `${name}_sum`) series.sampleSum = value;
    else if (metricName === `${name}_count`) Object.assign(series, { sampleCount: value, native });
    else if (le !== "+Inf") series.bucket.push({ cumulativeCount: value, upperBound: Number(le) });
  }
  return [...all.values()];
}

function labelsOf(labels: Sample["labels"]): object[] {
  return Object.keys(labels).sort().map((name) => ({ name, value: String(labels[name]) }));
}
