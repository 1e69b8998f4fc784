/** What webhooks come to, under the public server's names. */
import { Buckets } from "../../metrics/buckets.ts";
import { ByLabels, counterOf, type DerivedMetric, histogramOf } from "../../metrics/by_labels.ts";

/** Upper bounds of the buckets, seconds: those of the public server. */
const CALLS = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25];

/** How a call ended, for the counters. Codes beyond 600 count as 600. */
export interface CallEnd {
  readonly name: string;
  readonly type: string;
  readonly operation: string;
  readonly ms: number;
  readonly code: number;
  readonly rejected: boolean;
}

/** Counters of a server's webhooks. Names come from configurations, so there are few. */
export class HookMetrics {
  readonly #durations = new ByLabels(() => new Buckets(CALLS));
  readonly #requests = new ByLabels(() => 0);
  readonly #rejections = new ByLabels(() => 0);
  readonly #open = new ByLabels(() => 0);

  /** A call, or an attempt at one. */
  called({ name, type, operation, ms, code, rejected }: CallEnd): void {
    const told = String(rejected);
    this.#durations.at({ name, type, operation, rejected: told }).value.add(ms / 1000);
    this.#requests.at({ name, type, operation, code: String(Math.min(code, 600)), rejected: told }).value++;
  }

  /** A request was refused: by the webhook (`no_error`), or because something went wrong. */
  rejected(
    { name, type, operation, code }: Omit<CallEnd, "ms" | "rejected">,
    error_type: "no_error" | "calling_webhook_error" | "apiserver_internal_error",
  ): void {
    this.#rejections.at({ name, type, operation, error_type, rejection_code: String(Math.min(code, 600)) }).value++;
  }

  /** A failure was passed over. */
  failedOpen(name: string, type: string): void {
    this.#open.at({ name, type }).value++;
  }

  /** All metrics: name, text, type, and what gives the lines. */
  rows(): readonly DerivedMetric[] {
    const at = (
      name: string,
      help: string,
      type: DerivedMetric["type"],
      samples: DerivedMetric["samples"],
    ): DerivedMetric => ({
      name: `apiserver_admission_${name}`,
      help,
      type,
      samples,
    });
    return [
      at("webhook_admission_duration_seconds", "Time of admission webhooks", "histogram", histogramOf(this.#durations)),
      at(
        "webhook_request_total",
        "Calls of admission webhooks, by code and outcome",
        "counter",
        counterOf(this.#requests),
      ),
      at(
        "webhook_rejection_count",
        "Requests refused by an admission webhook or because of its failure",
        "counter",
        counterOf(this.#rejections),
      ),
      at("webhook_fail_open_count", "Failures of admission webhooks passed over", "counter", counterOf(this.#open)),
    ];
  }
}
