/** Metrics of connections through proxies, under the public server's names. */
import { Buckets } from "./buckets.ts";
import { ByLabels, counterOf, type DerivedMetric, histogramOf } from "./by_labels.ts";

/** How a proxy is spoken to, and by what. */
export interface DialLabels {
  readonly protocol: "http_connect" | "grpc";
  readonly transport: "tcp" | "uds";
}

/** Upper bounds of the buckets, seconds: those of the public server. */
const BOUNDS = [0.005, 0.025, 0.1, 0.5, 2.5, 12.5];

/** See the top of the file. */
export class EgressMetrics {
  readonly #starts = new ByLabels(() => 0);
  readonly #latencies = new ByLabels(() => new Buckets(BOUNDS));
  readonly #failures = new ByLabels(() => 0);

  /** A connection is begun. */
  started({ protocol, transport }: DialLabels): void {
    this.#starts.at({ protocol, transport }).value++;
  }

  /** It is there. */
  connected({ protocol, transport }: DialLabels, ms: number): void {
    this.#latencies.at({ protocol, transport }).value.add(ms / 1000);
  }

  /** It could not be made: the proxy was not reached (`connect`), or did not do as asked (`proxy`). */
  failed({ protocol, transport }: DialLabels, stage: "connect" | "proxy"): void {
    this.#failures.at({ protocol, transport, stage }).value++;
  }

  /** All metrics. */
  rows(): readonly DerivedMetric[] {
    return [
      {
        name: "apiserver_egress_dialer_dial_start_total",
        help: "Connections through proxies that were begun, by protocol and transport",
        type: "counter",
        samples: counterOf(this.#starts),
      },
      {
        name: "apiserver_egress_dialer_dial_duration_seconds",
        help: "Time until a connection through a proxy was there, by protocol and transport",
        type: "histogram",
        samples: histogramOf(this.#latencies),
      },
      {
        name: "apiserver_egress_dialer_dial_failure_count",
        help: "Connections through proxies that failed, by protocol, transport and stage",
        type: "counter",
        samples: counterOf(this.#failures),
      },
    ];
  }
}
