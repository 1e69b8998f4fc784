/** Requests that last as long as their clients want (watches, logs, what runs in containers), at work now. */
import type { RequestScope } from "../request.ts";
import type { ServerMetrics } from "./registry.ts";
import { requestLabels } from "./requests.ts";

/** Shows how many there are of each kind, counted when it is asked. */
export function lastingMetric(metrics: ServerMetrics, lasting: () => Iterable<RequestScope>): void {
  metrics.figure(
    "apiserver_longrunning_requests",
    "Requests at work that last as long as their clients want",
    "gauge",
    () => {
      const counts = new Map<string, [labels: Record<string, string>, value: number]>();
      for (const scope of lasting()) {
        const labels = requestLabels(scope), key = Object.values(labels).join(" ");
        const same = counts.get(key);
        if (same) same[1]++;
        else counts.set(key, [labels, 1]);
      }
      return [...counts.values()];
    },
  );
}
