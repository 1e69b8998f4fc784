/** Which tokens of service accounts are used, under the public server's names. */
import type { DerivedMetric } from "./by_labels.ts";

/** What is counted of tokens, by the metric's name. */
const COUNTED = {
  serviceaccount_valid_tokens_total: "Tokens taken that are bound to objects",
  serviceaccount_stale_tokens_total: "Tokens taken that should have been renewed",
  serviceaccount_legacy_tokens_total: "Tokens without an audience, as secrets keep them",
  serviceaccount_legacy_auto_token_uses_total: "Tokens taken of secrets that their account names",
  serviceaccount_legacy_manual_token_uses_total: "Tokens taken of secrets that somebody has made",
  serviceaccount_invalid_legacy_auto_token_uses_total: "Tokens refused that are marked as invalid",
} as const;

/** How a token was used. */
export type TokenUse = keyof typeof COUNTED extends `serviceaccount_${infer Use}_total` ? Use : never;

/** See the top of the file. */
export class ServiceAccountMetrics {
  readonly #uses = new Map<string, number>();

  /** A token was used. */
  used(use: TokenUse): void {
    const name = `serviceaccount_${use}_total`;
    this.#uses.set(name, (this.#uses.get(name) ?? 0) + 1);
  }

  /** All metrics. */
  rows(): readonly DerivedMetric[] {
    return Object.entries(COUNTED).map(([name, help]) => ({
      name,
      help,
      type: "counter",
      samples: (metricName) => [{ metricName, labels: {}, value: this.#uses.get(name) ?? 0 }],
    }));
  }
}
