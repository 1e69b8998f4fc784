/** What comes of calls to an external signer, under the public server's names. */
import { Buckets, type Sample } from "../../metrics/buckets.ts";
import { ByLabels, counterOf, type DerivedMetric, histogramOf } from "../../metrics/by_labels.ts";

/** Upper bounds of the buckets, seconds: those of the public server. */
const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** See the top of the file. Codes are names of gRPC statuses, `unknown-non-grpc` for failures that are none. */
export class SignerMetrics {
  readonly #calls = new ByLabels(() => new Buckets(SECONDS));
  readonly #fetches = new ByLabels(() => 0);
  readonly #signatures = new ByLabels(() => 0);
  #fetchedAt: number | undefined;
  #keysOf: number | undefined;

  /** A call ended. */
  called(method: string, code: string, seconds: number): void {
    this.#calls.at({ method, code }).value.add(seconds);
  }

  /** A token was signed, or not. */
  signed(code: string): void {
    this.#signatures.at({ code }).value++;
  }

  /** The keys could not be had. */
  fetchFailed(code: string): void {
    this.#fetches.at({ code }).value++;
  }

  /** The keys were had: at `now`, and as they were at `timestamp`; seconds since the epoch. */
  fetched(now: number, timestamp: number): void {
    this.#fetches.at({ code: "OK" }).value++;
    this.#fetchedAt = now;
    this.#keysOf = timestamp;
  }

  /** All metrics. */
  rows(): readonly DerivedMetric[] {
    const row = (name: string, help: string, type: DerivedMetric["type"], samples: DerivedMetric["samples"]) => ({
      name: `apiserver_externaljwt_${name}`,
      help,
      type,
      samples,
    });
    const one = (read: () => number | undefined) => (metricName: string): Sample[] => {
      const value = read();
      return value === undefined ? [] : [{ metricName, labels: {}, value }];
    };
    return [
      row("fetch_keys_success_timestamp", "When keys were last had", "gauge", one(() => this.#fetchedAt)),
      row("fetch_keys_data_timestamp", "When those keys were as they are", "gauge", one(() => this.#keysOf)),
      row("fetch_keys_request_total", "Attempts to have the keys", "counter", counterOf(this.#fetches)),
      row("sign_request_total", "Attempts to have a token signed", "counter", counterOf(this.#signatures)),
      row("request_duration_seconds", "Time of calls to the signer", "histogram", histogramOf(this.#calls)),
    ];
  }
}
