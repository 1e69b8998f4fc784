/** Which features are on, and how far each has come. */
import type { FeatureGates } from "../../schema/flags/gates/feature_gates.ts";
import { GATE_METRIC, gateSamples } from "../../schema/flags/gates/gate_metric.ts";
import type { ServerMetrics } from "./registry.ts";

/** Shows every gate, with its stage; stable ones have none. */
export function featureMetrics(metrics: ServerMetrics, gates: FeatureGates): void {
  const { name, help, labels } = GATE_METRIC;
  metrics.gauge(name, help, [...labels], (set) => {
    for (const sample of gateSamples(gates)) set(sample.labels, sample.value);
  });
}
