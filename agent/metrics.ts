/** How the rooms of the agent make their metrics. */
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** A figure and its labels. */
export interface Figure {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Bounds of times that are not said to be others, s. */
export const SECONDS: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Bounds that grow by a factor. */
export const growingBounds = (first: number, factor: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => first * factor ** i);

/** Makes the metrics of a registry. */
export class Metrics {
  constructor(readonly registry: Registry) {}

  counter<L extends string = never>(name: string, help: string, ...labelNames: L[]): Counter<L> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  gauge<L extends string = never>(name: string, help: string, ...labelNames: L[]): Gauge<L> {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }

  histogram<L extends string = never>(
    name: string,
    help: string,
    bounds: readonly number[],
    ...labelNames: L[]
  ): Histogram<L> {
    return new Histogram({ name, help, labelNames, buckets: [...bounds], registers: [this.registry] });
  }

  /** One that is asked for when it is read. */
  derived(
    name: string,
    help: string,
    type: "gauge" | "counter",
    figures: () => readonly Figure[] | Promise<readonly Figure[]>,
  ): void {
    const get = async () => ({ name, help, type, aggregator: "sum", values: await figures() });
    this.registry.registerMetric({ name, get, reset: () => {} } as unknown as Gauge);
  }
}
