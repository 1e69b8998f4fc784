/** Histograms in plain numbers: counted for next to nothing, turned into a metric when they are read. */

import { NativeBuckets } from "./native.ts";

/** One line of a metric in the Prometheus model. */
export interface Sample {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** Of a histogram's `_count`: the same observations by bounds of their own; undefined: not counted so. */
  readonly native?: NativeBuckets | undefined;
}

/** Counts of one set of labels. */
export class Buckets {
  readonly #counts: number[];
  readonly #native = new NativeBuckets();
  #count = 0;
  #sum = 0;

  /** @param bounds upper bounds, ascending */
  constructor(readonly bounds: readonly number[]) {
    this.#counts = bounds.map(() => 0);
  }

  /** Observations so far. */
  get count(): number {
    return this.#count;
  }

  /** One observation; less than nothing, as where the clock was put back, is nothing. */
  add(observed: number): void {
    const value = observed > 0 ? observed : 0;
    this.#count++;
    this.#sum += value;
    this.#native.add(value);
    const { bounds } = this;
    for (let i = 0; i < bounds.length; i++) {
      if (value <= bounds[i]!) {
        this.#counts[i]!++;
        return;
      }
    }
  }

  /** The lines of a histogram under a metric's name. */
  samples(metric: string, labels: Readonly<Record<string, string>>): Sample[] {
    let total = 0;
    const below = this.bounds.map((le, i): Sample => {
      total += this.#counts[i]!;
      return { metricName: `${metric}_bucket`, labels: { ...labels, le: boundText(le) }, value: total };
    });
    return [
      ...below,
      { metricName: `${metric}_bucket`, labels: { ...labels, le: "+Inf" }, value: this.#count },
      { metricName: `${metric}_sum`, labels, value: this.#sum },
      { metricName: `${metric}_count`, labels, value: this.#count, native: this.#native },
    ];
  }
}

/** A bound as the public server writes it: scrapers compare texts. */
const boundText = (bound: number): string =>
  bound >= 1e6 || bound < 1e-4 ? bound.toExponential().replace(/e([+-])(\d)$/, "e$10$2") : String(bound);
