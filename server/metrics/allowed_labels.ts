/** Values that labels of metrics may take (`--allow-metric-labels`): all others become one. */
import type { Sample } from "./buckets.ts";

/** Allowed values by metric and label. */
export type AllowedLabels = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

/** What a value outside the list becomes. */
const UNEXPECTED = "unexpected";

const KEY = /^([a-zA-Z_:][a-zA-Z0-9_:]*),([a-zA-Z_][a-zA-Z0-9_]*)$/;

/** From `metric,label` → `value,value`. @throws Error for a key that is none */
export function allowedLabels(mapping: Readonly<Record<string, string>>): AllowedLabels {
  const all = new Map<string, Map<string, ReadonlySet<string>>>();
  for (const [key, values] of Object.entries(mapping)) {
    const [, metric, label] = KEY.exec(key) ?? [];
    if (metric === undefined) throw new Error(`${JSON.stringify(key)} should be metricName,labelName`);
    let labels = all.get(metric);
    if (!labels) all.set(metric, labels = new Map());
    labels.set(label!, new Set(values.split(",")));
  }
  return all;
}

/** A metric's lines after that: of lines that became equal there is one. */
export interface Constrained {
  readonly samples: Sample[];
  /** Observations with a value outside the list, once for each such label. */
  readonly unexpected: number;
}

/** Counters and histograms add up; of a gauge the last line stands, as the last value set would. */
export function constrained(
  samples: readonly Sample[],
  type: string,
  labels: ReadonlyMap<string, ReadonlySet<string>>,
): Constrained {
  const all = new Map<string, { -readonly [K in keyof Sample]: Sample[K] }>();
  let unexpected = 0;
  for (const sample of samples) {
    const changed = { ...sample.labels };
    let outside = 0;
    for (const [label, values] of labels) {
      const value = changed[label];
      if (value === undefined || values.has(value)) continue;
      changed[label] = UNEXPECTED;
      outside++;
    }
    unexpected += outside * weightOf(sample, type);
    const key = `${sample.metricName} ${JSON.stringify(changed)}`;
    const same = all.get(key);
    if (!same) {
      all.set(key, { ...sample, labels: changed });
      continue;
    }
    same.value = type === "gauge" ? sample.value : same.value + sample.value;
    same.native = undefined;
  }
  return { samples: [...all.values()], unexpected };
}

/** How many observations a line stands for. */
function weightOf({ metricName, value }: Sample, type: string): number {
  if (type === "gauge") return 1;
  if (type === "counter") return value;
  return metricName?.endsWith("_count") ? value : 0;
}
