/** Requests that last as long as their clients want (watches, logs, what runs in containers), at work now. */
import type { RequestScope } from "../request.ts";
import { ByLabels, counterOf, type DerivedMetric } from "./by_labels.ts";
import { requestLabels } from "./requests.ts";

/** How many there are of each kind, counted when it is asked. */
export function lastingMetric(lasting: () => Iterable<RequestScope>): DerivedMetric {
  return {
    name: "apiserver_longrunning_requests",
    help: "Requests at work that last as long as their clients want",
    type: "gauge",
    samples: (metric) => {
      const counts = new ByLabels(() => 0);
      for (const scope of lasting()) counts.at(requestLabels(scope)).value++;
      return counterOf(counts)(metric);
    },
  };
}
