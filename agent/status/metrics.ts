/** How long statuses are on their way to the API server. */
import type { Registry } from "prom-client";
import { Metrics } from "../metrics.ts";

const TIMES = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 20, 30, 45, 60];

/** Adds the figure to a registry; what it returns is told of each way, in ms. */
export function statusTimes(registry: Registry): (ms: number) => void {
  const times = new Metrics(registry).histogram(
    "kubelet_pod_status_sync_duration_seconds",
    "How long after its first change a pod's status stands in the API, s.",
    TIMES,
  );
  return (ms) => times.observe(ms / 1000);
}
