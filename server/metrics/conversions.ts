/** What webhooks that convert custom objects come to, under the public server's names. */
import { Buckets } from "./buckets.ts";
import { ByLabels, counterOf, type DerivedMetric, histogramOf } from "./by_labels.ts";

/** Upper bounds of the buckets, seconds: those of the public server. */
const CALLS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 45, 60];
const CONVERSIONS = Array.from({ length: 15 }, (_, i) => 0.001 * 2 ** i);

/** What a call failed by; empty: it did not. */
export type CallFailure =
  | ""
  | "conversion_webhook_call_failure"
  | "conversion_webhook_malformed_response_failure"
  | "conversion_webhook_partial_response_failure"
  | "conversion_webhook_invalid_converted_object_failure"
  | "conversion_webhook_no_objects_returned_failure";

/** A conversion of objects of one definition from one version to another. */
export interface Conversion {
  readonly definition: string;
  readonly from: string;
  readonly to: string;
  readonly ms: number;
  readonly succeeded: boolean;
}

/** See the top of the file. */
export class ConversionMetrics {
  readonly #requests = new ByLabels(() => 0);
  readonly #calls = new ByLabels(() => new Buckets(CALLS));
  readonly #conversions = new ByLabels(() => new Buckets(CONVERSIONS));

  /** A call of a webhook. */
  called(ms: number, failure_type: CallFailure): void {
    const labels = { result: failure_type === "" ? "success" : "failure", failure_type };
    this.#requests.at(labels).value++;
    this.#calls.at(labels).value.add(ms / 1000);
  }

  /** All that one request had to be converted. */
  converted({ definition, from, to, ms, succeeded }: Conversion): void {
    const labels = { crd_name: definition, from_version: from, to_version: to, succeeded: String(succeeded) };
    this.#conversions.at(labels).value.add(ms / 1000);
  }

  /** All metrics. */
  rows(): readonly DerivedMetric[] {
    return [
      {
        name: "apiserver_conversion_webhook_request_total",
        help: "Calls of conversion webhooks, by outcome and what they failed by",
        type: "counter",
        samples: counterOf(this.#requests),
      },
      {
        name: "apiserver_conversion_webhook_duration_seconds",
        help: "Time of conversion webhooks",
        type: "histogram",
        samples: histogramOf(this.#calls),
      },
      {
        name: "apiserver_crd_conversion_webhook_duration_seconds",
        help: "Time of conversions by webhooks, by definition and versions",
        type: "histogram",
        samples: histogramOf(this.#conversions),
      },
    ];
  }
}
