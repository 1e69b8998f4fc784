/** How long expressions in the schemas of custom kinds take, under the public server's names. */
import type { ExpressionTimes } from "../../schema/rules/types.ts";
import { Buckets } from "./buckets.ts";
import type { DerivedMetric } from "./by_labels.ts";

/** Upper bounds of the buckets, seconds: those of the public server. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** See the top of the file. */
export class ExpressionMetrics implements ExpressionTimes {
  readonly #compilation = new Buckets(SECONDS);
  readonly #evaluation = new Buckets(SECONDS);

  /** @param now the clock, ms */
  constructor(readonly now: () => number) {}

  compiled<T>(work: () => T): T {
    return this.#timed(this.#compilation, work);
  }

  evaluated<T>(work: () => T): T {
    return this.#timed(this.#evaluation, work);
  }

  #timed<T>(times: Buckets, work: () => T): T {
    const start = this.now();
    try {
      return work();
    } finally {
      times.add((this.now() - start) / 1000);
    }
  }

  /** All metrics. */
  rows(): readonly DerivedMetric[] {
    const row = (name: string, help: string, times: Buckets): DerivedMetric => ({
      name: `apiserver_cel_${name}_duration_seconds`,
      help,
      type: "histogram",
      samples: (metric) => times.samples(metric, {}),
    });
    return [
      row("compilation", "Time to compile the rules of a version of a definition", this.#compilation),
      row("evaluation", "Time to hold the rules of its schema against a custom object", this.#evaluation),
    ];
  }
}
