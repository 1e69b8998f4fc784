/** Requests to the stores by resource and operation, under the names that they have where the only store is etcd. */
import type { StoreOperation } from "../storage/timing.ts";
import { Buckets, type Sample } from "./buckets.ts";
import type { DerivedMetric } from "./by_labels.ts";

/** Upper bounds of the buckets, seconds: those of the public server. */
const SECONDS = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];

interface Row {
  readonly operation: StoreOperation;
  readonly times: Buckets;
  failed: number;
}

/** See the top of the file. */
export class StoreRequests {
  /** By the resources' public ids. */
  readonly #rows = new Map<string, Map<StoreOperation, Row>>();

  /** A request came to its end. */
  readonly ended = (resource: string, operation: StoreOperation, ms: number, failed: boolean): void => {
    let rows = this.#rows.get(resource);
    if (!rows) this.#rows.set(resource, rows = new Map());
    let row = rows.get(operation);
    if (!row) rows.set(operation, row = { operation, times: new Buckets(SECONDS), failed: 0 });
    row.times.add(ms / 1000);
    if (failed) row.failed++;
  };

  /** All metrics. `named` gives the group and the name of a resource. */
  rows(named: (id: string) => { group: string; resource: string }): readonly DerivedMetric[] {
    const all =
      (lines: (row: Row, metric: string, labels: Readonly<Record<string, string>>) => Sample[]) => (metric: string) =>
        [...this.#rows].flatMap(([id, rows]) =>
          [...rows.values()].flatMap((row) => lines(row, metric, { operation: row.operation, ...named(id) }))
        );
    const one = (metricName: string, labels: Readonly<Record<string, string>>, value: number) =>
      value > 0 ? [{ metricName, labels, value }] : [];
    return [
      {
        name: "etcd_request_duration_seconds",
        help: "Time of requests to the store, whichever it is",
        type: "histogram",
        samples: all(({ times }, metric, labels) => times.samples(metric, labels)),
      },
      {
        name: "etcd_requests_total",
        help: "Requests to the store, whichever it is",
        type: "counter",
        samples: all(({ times }, metric, labels) => one(metric, labels, times.count)),
      },
      {
        name: "etcd_request_errors_total",
        help: "Requests that the store, whichever it is, could not do",
        type: "counter",
        samples: all(({ failed }, metric, labels) => one(metric, labels, failed)),
      },
    ];
  }
}
