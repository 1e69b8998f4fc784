/** Which features are on, and how far each has come. */
import type { ServerMetrics } from "./registry.ts";

interface Gate {
  readonly name: string;
  readonly stage: string;
  readonly enabled: boolean;
}

/** Shows every gate, with its stage; stable ones have none. */
export function featureMetrics(metrics: ServerMetrics, gates: () => Iterable<Gate>): void {
  metrics.gauge(
    "kubernetes_feature_enabled",
    "Whether a feature is on (1) or off (0), by name and stage; stable ones have no stage",
    ["name", "stage"],
    (set) => {
      for (const { name, stage, enabled } of gates()) {
        set({ name, stage: stage === "GA" ? "" : stage }, enabled ? 1 : 0);
      }
    },
  );
}
