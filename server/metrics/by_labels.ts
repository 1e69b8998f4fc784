/** Metrics with labels, counted in plain numbers and turned into lines when they are read. */
import type { Buckets, Sample } from "./buckets.ts";

type Labels = Readonly<Record<string, string>>;

/** Values by labels, in the order in which they came about. Of few labels: nothing is forgotten. */
export class ByLabels<T> {
  readonly #all = new Map<string, { readonly labels: Labels; value: T }>();
  constructor(readonly make: () => T) {}

  /** The value of these labels, made where there is none yet. */
  at(labels: Labels): { readonly labels: Labels; value: T } {
    const key = Object.values(labels).join("\0");
    let found = this.#all.get(key);
    if (!found) this.#all.set(key, found = { labels, value: this.make() });
    return found;
  }

  /** All of them. */
  entries(): readonly { readonly labels: Labels; readonly value: T }[] {
    return [...this.#all.values()];
  }
}

/** A metric whose lines are asked for when it is read. */
export interface DerivedMetric {
  readonly name: string;
  readonly help: string;
  readonly type: "histogram" | "counter" | "gauge";
  readonly samples: (metric: string) => Sample[];
}

/** The lines of a histogram. */
export const histogramOf = (all: ByLabels<Buckets>) => (metric: string): Sample[] =>
  all.entries().flatMap(({ labels, value }) => value.samples(metric, labels));

/** The lines of a counter of what a histogram has observed. */
export const observedOf = (all: ByLabels<Buckets>) => (metricName: string): Sample[] =>
  all.entries().map(({ labels, value }) => ({ metricName, labels, value: value.count }));

/** The lines of a counter, or of a gauge. */
export const counterOf = (all: ByLabels<number>) => (metricName: string): Sample[] =>
  all.entries().map(({ labels, value }) => ({ metricName, labels, value }));
