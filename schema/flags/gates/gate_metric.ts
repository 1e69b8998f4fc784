/** The metric of feature gates: which are on, and how far each has come. */
import type { FeatureGates } from "./feature_gates.ts";

/** Its name, help and labels. */
export const GATE_METRIC = {
  name: "kubernetes_feature_enabled",
  help: "Whether a feature is on (1) or off (0), by name and stage; stable ones have no stage",
  labels: ["name", "stage"],
} as const;

/** A gate's labels and value. */
export interface GateSample {
  readonly labels: { readonly name: string; readonly stage: string };
  readonly value: number;
}

/** One for every gate. */
export function gateSamples(gates: Pick<FeatureGates, "entries">): readonly GateSample[] {
  return [...gates.entries()].map(({ name, stage, enabled }) => ({
    labels: { name, stage: stage === "GA" ? "" : stage },
    value: enabled ? 1 : 0,
  }));
}
