/** Resources that do more than the generic registry. Rows by public id. */
import type { Strategy } from "./strategy.ts";

/** See {@linkcode Strategy}. */
export const STRATEGIES: Readonly<Record<string, Strategy>> = {
  "events": { garbage: "none" },
  "events.events.k8s.io": { garbage: "none" },
};
