/** What the server is, and what its process takes, under the names that every process of the public system has. */
import { PROCESS_METRICS, type ProcessFigures } from "../../schema/values/process_figures.ts";
import type { ServerMetrics } from "./registry.ts";

/** Shows them; `read` gives nothing where they cannot be told. */
export function processMetrics(metrics: ServerMetrics, read: () => ProcessFigures | undefined): void {
  for (const [name, help, figure, counter] of PROCESS_METRICS) {
    metrics.figure(name, help, counter ? "counter" : "gauge", () => {
      const figures = read();
      return figures ? [[{}, figures[figure]]] : [];
    });
  }
}

/** Shows which version runs, in labels: the value is always 1. */
export function buildMetric(metrics: ServerMetrics, build: Readonly<Record<string, string>>): void {
  metrics.figure(
    "kubernetes_build_info",
    "The version that runs, in labels: the value is 1",
    "gauge",
    () => [[build, 1]],
  );
}
