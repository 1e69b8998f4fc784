/** What caches of tokens come to, under the public server's names. */
import { Buckets } from "./buckets.ts";
import { ByLabels, counterOf, type DerivedMetric, histogramOf, observedOf } from "./by_labels.ts";

/** Upper bounds of the buckets, seconds: those of the public server. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** See the top of the file. */
export class TokenCacheMetrics {
  readonly #requests = new ByLabels(() => new Buckets(SECONDS));
  readonly #fetched = new ByLabels(() => 0);
  readonly #active = new ByLabels(() => 0);

  /** @param now the clock that requests are timed by, ms */
  constructor(readonly now: () => number) {}

  /** A token's answer was there. @param since when it was asked for, by the clock */
  hit(since: number): void {
    this.#asked("hit", since);
  }

  /** A token's answer is waited for, whoever asks for it. */
  async missed<T>(since: number, answer: Promise<T>): Promise<T> {
    const blocked = this.#active.at({ status: "blocked" });
    blocked.value++;
    try {
      return await answer;
    } finally {
      blocked.value--;
      this.#asked("miss", since);
    }
  }

  /** A token's answer is asked for. */
  async fetched<T>(answer: Promise<T>): Promise<T> {
    const running = this.#active.at({ status: "in_flight" });
    running.value++;
    let status = "error";
    try {
      const came = await answer;
      status = "ok";
      return came;
    } finally {
      running.value--;
      this.#fetched.at({ status }).value++;
    }
  }

  #asked(status: "hit" | "miss", since: number): void {
    this.#requests.at({ status }).value.add((this.now() - since) / 1000);
  }

  /** All metrics. */
  rows(): readonly DerivedMetric[] {
    return [
      {
        name: "authentication_token_cache_active_fetch_count",
        help: "Requests that wait for a token's answer, and answers that are being asked for",
        type: "gauge",
        samples: counterOf(this.#active),
      },
      {
        name: "authentication_token_cache_fetch_total",
        help: "Answers that were asked for, by whether one came",
        type: "counter",
        samples: counterOf(this.#fetched),
      },
      {
        name: "authentication_token_cache_request_total",
        help: "Requests with tokens, by whether the answer was there",
        type: "counter",
        samples: observedOf(this.#requests),
      },
      {
        name: "authentication_token_cache_request_duration_seconds",
        help: "Time of these requests",
        type: "histogram",
        samples: histogramOf(this.#requests),
      },
    ];
  }
}
