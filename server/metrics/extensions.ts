/** Metrics of extension servers, under the public server's names. */
import type { Registrations } from "../aggregation/registrations.ts";
import type { ServerMetrics } from "./registry.ts";

/** Registers them. */
export function extensionMetrics(metrics: ServerMetrics, registrations: Registrations): void {
  metrics.figure(
    "aggregator_unavailable_apiservice",
    "Whether an APIService is unavailable (1), by its name",
    "gauge",
    () => registrations.unavailable(),
  );
  metrics.figure(
    "aggregator_unavailable_apiservice_total",
    "How often an APIService became unavailable, by its name and the reason",
    "counter",
    () => registrations.losses(),
  );
}
