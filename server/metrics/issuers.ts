/** What issuers of tokens come to, under the public server's names. Issuers are told by hashes. */
import type { IssuerTally } from "../authentication/jwt.ts";
import { Buckets, type Sample } from "./buckets.ts";
import { ByLabels, type DerivedMetric, histogramOf } from "./by_labels.ts";
import { hashed } from "./reloads.ts";

/** Upper bounds of the buckets, seconds: those of the public server. */
const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The last that came of an issuer's keys: when, in seconds since the epoch, and a hash of those that came. */
interface Keys {
  success?: number;
  failure?: number;
  hash?: string;
}

/** See the top of the file. */
export class IssuerMetrics implements IssuerTally {
  readonly #latency = new ByLabels(() => new Buckets(SECONDS));
  readonly #keys = new Map<string, Keys>();

  /**
   * @param server its name, told by a hash
   * @param now ms since the epoch
   * @param keys whether it is told of keys, too (gate `StructuredAuthenticationConfigurationJWKSMetrics`)
   */
  constructor(readonly server: string, readonly now: () => number, readonly keys: boolean) {}

  looked(issuer: string, result: "success" | "failure", ms: number): void {
    this.#latency.at({ result, jwt_issuer_hash: hashed(issuer) }).value.add(ms / 1000);
  }

  asked(issuer: string, keys: string | undefined): void {
    const known = this.#keys.get(issuer) ?? {}, at = this.now() / 1000;
    this.#keys.set(
      issuer,
      keys === undefined ? { ...known, failure: at } : { ...known, success: at, hash: hashed(keys) },
    );
  }

  only(issuers: readonly string[]): void {
    for (const issuer of this.#keys.keys()) if (!issuers.includes(issuer)) this.#keys.delete(issuer);
  }

  /** All metrics. */
  rows(): readonly DerivedMetric[] {
    const name = (end: string) => `apiserver_authentication_jwt_authenticator_${end}`;
    const latency: DerivedMetric = {
      name: name("latency_seconds"),
      help: "Time that tokens of issuers take, those apart whose answers are known",
      type: "histogram",
      samples: histogramOf(this.#latency),
    };
    if (!this.keys) return [latency];
    return [latency, {
      name: name("jwks_fetch_last_timestamp_seconds"),
      help: "When an issuer's keys came last, and when they did not, in seconds since the epoch",
      type: "gauge",
      samples: (metric) => this.#each(metric, ({ success, failure }) => [["success", success], ["failure", failure]]),
    }, {
      name: name("jwks_fetch_last_key_set_info"),
      help: "An issuer's keys that came last, by a hash",
      type: "gauge",
      samples: (metricName) =>
        [...this.#keys].flatMap(([issuer, { hash }]) =>
          hash === undefined ? [] : [{ metricName, labels: { ...this.#who(issuer), hash }, value: 1 }]
        ),
    }];
  }

  #each(metricName: string, times: (keys: Keys) => readonly (readonly [string, number | undefined])[]): Sample[] {
    return [...this.#keys].flatMap(([issuer, keys]) =>
      times(keys).flatMap(([result, value]) =>
        value === undefined ? [] : [{ metricName, labels: { result, ...this.#who(issuer) }, value }]
      )
    );
  }

  #who(issuer: string): Record<string, string> {
    return { jwt_issuer_hash: hashed(issuer), apiserver_id_hash: hashed(this.server) };
  }
}
