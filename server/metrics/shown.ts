/** Which metrics are shown, and how: disabled and hidden ones are not, each tells its promise, labels keep to their lists. */
import { type Gauge, Registry } from "prom-client";
import { type AllowedLabels, constrained } from "./allowed_labels.ts";
import type { Sample } from "./buckets.ts";
import { type Family, metricFamilies } from "./protobuf.ts";
import { annotated, isHidden, promiseOf } from "./stability.ts";

/** See the top of the file. */
export interface ShownOptions {
  /** That of the server, whatever it emulates. */
  readonly version: { readonly major: number; readonly minor: number };
  /** `--disabled-metrics` */
  readonly disabled: readonly string[];
  /** `--show-hidden-metrics-for-version` is given. */
  readonly showHidden: boolean;
  readonly allowed: AllowedLabels;
  /** `NativeHistograms`: who takes Protobuf gets them beside the buckets. */
  readonly native: boolean;
  /** Metrics of the metrics are shown too. */
  readonly about: boolean;
}

/** A metric as a registry asks for it. */
interface Asked {
  readonly name: string;
  get(): Promise<Family>;
}

/** What counts: the others tell what is. */
const COUNTING = new Set(["counter", "histogram"]);

/** The metrics of a registry as they are shown. */
export class ShownMetrics {
  readonly #kept: readonly Asked[];
  /** Values when it was last counted from nothing, by name and labels. */
  readonly #since = new Map<string, number>();
  readonly #shown: readonly Asked[];
  /** Each writes one metric. */
  readonly #writers: readonly Registry[];
  readonly #disabled: number;
  readonly #hidden: number;
  readonly #registered: readonly Sample[];
  readonly #unexpected = new Map<string, number>();

  constructor(registry: Registry, readonly o: ShownOptions) {
    const all = registry.getMetricsAsArray() as unknown as Asked[];
    const off = new Set(o.disabled);
    const hides = (name: string) => off.has(name) || (!o.showHidden && isHidden(promiseOf(name), o.version));
    const kept = all.filter(({ name }) => !hides(name));
    const own = (o.about ? this.#own() : []).filter(({ name }) => !hides(name));
    this.#disabled = off.size;
    this.#hidden = all.length - kept.length;
    this.#kept = kept;
    this.#registered = registered([...kept, ...own].map(({ name }) => name));
    this.#shown = [...kept, ...own].map((metric) => this.#asked(metric));
    this.#writers = this.#shown.map(writerOf);
  }

  /** All of them in the text format, in the order in which they were made. */
  async text(): Promise<string> {
    const texts: string[] = [];
    // One after the other: the last ones tell of those before.
    for (const writer of this.#writers) texts.push(await writer.metrics());
    return texts.join("");
  }

  /** All of them as Protobuf messages, each after its length. */
  async protobuf(): Promise<Uint8Array> {
    const families: Family[] = [];
    for (const metric of this.#shown) families.push(await metric.get());
    return metricFamilies(families, this.o.native);
  }

  /** Counters and histograms count from nothing again. */
  async reset(): Promise<void> {
    for (const metric of this.#kept) {
      const told = await metric.get();
      if (COUNTING.has(told.type)) { for (const s of told.values) this.#since.set(keyOf(told, s), s.value); }
    }
  }

  #counted(told: Family): Family {
    if (this.#since.size === 0 || !COUNTING.has(told.type)) return told;
    const since = (s: Sample) => this.#since.get(keyOf(told, s)) ?? 0;
    // What is lower than it was counts anew by itself, as of a resource that was defined again.
    const anew = new Set(told.values.filter((s) => s.value < since(s)).map(seriesOf));
    for (const s of told.values) if (anew.has(seriesOf(s))) this.#since.delete(keyOf(told, s));
    const counted = (s: Sample): Sample => since(s) === 0 ? s : { ...s, value: s.value - since(s), native: undefined };
    return { ...told, values: told.values.map(counted) };
  }

  /** The metric as it is shown. */
  #asked(metric: Asked): Asked {
    const { o } = this;
    const get = async () => {
      const told = this.#counted(await metric.get());
      const labels = o.allowed.get(told.name);
      const help = annotated(told.help, promiseOf(told.name), o.version);
      if (!labels) return { ...told, help };
      const named = told.values.map((s) => s.metricName === undefined ? { ...s, metricName: told.name } : s);
      const { samples, unexpected } = constrained(named, told.type, labels);
      this.#unexpected.set(told.name, unexpected);
      return { ...told, help, values: samples };
    };
    return { name: metric.name, get };
  }

  /** Metrics of metrics. */
  #own(): Asked[] {
    const row = (name: string, help: string, values: () => readonly Sample[]): Asked => ({
      name,
      get: () => Promise.resolve({ name, help, type: "counter", values: values() }),
    });
    const one = (name: string, help: string, value: () => number) =>
      row(name, help, () => [{ metricName: name, labels: {}, value: value() }]);
    return [
      one("disabled_metrics_total", "Metrics that are disabled", () => this.#disabled),
      one("hidden_metrics_total", "Metrics that are not shown", () => this.#hidden),
      row(REGISTERED, "Metrics shown, by stability and the version that deprecates them", () => this.#registered),
      one(
        "cardinality_enforcement_unexpected_categorizations_total",
        "Values of labels that were outside their list",
        () => this.#unexpected.values().reduce((sum, n) => sum + n, 0),
      ),
    ];
  }
}

function writerOf(metric: Asked): Registry {
  const one = new Registry();
  one.registerMetric(metric as unknown as Gauge);
  return one;
}

function keyOf({ name }: Family, { metricName = name, labels }: Sample): string {
  return JSON.stringify([metricName, labels]);
}

/** All lines of a histogram of the same labels are one. */
const seriesOf = ({ labels }: Sample): string => JSON.stringify({ ...labels, le: undefined });

const REGISTERED = "registered_metrics_total";

function registered(names: readonly string[]): Sample[] {
  const counts = new Map<string, { labels: Record<string, string>; value: number }>();
  for (const name of names) {
    const promised = promiseOf(name);
    const labels = { stability_level: promised.stability, deprecated_version: promised.deprecated ?? "" };
    const key = Object.values(labels).join(" ");
    const same = counts.get(key);
    if (same) same.value++;
    else counts.set(key, { labels, value: 1 });
  }
  return [...counts.values()].map((c) => ({ metricName: REGISTERED, ...c }));
}
