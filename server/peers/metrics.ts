/** What passing requests on to peers comes to, under the public server's names. */
import { ByLabels, counterOf, type DerivedMetric } from "../metrics/by_labels.ts";

/** What a request asked for. All empty: what a peer serves. */
export interface Asked {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** What hinders a server from knowing what a peer serves. */
export type DiscoveryFailure = "hostport_resolution" | "fetch_discovery";

/** Where an aggregated document came from. */
type Served = "hits" | "misses" | "nopeer";

/** See the top of the file. */
export class PeerMetrics {
  readonly #rerouted = new ByLabels(() => 0);
  readonly #failed = new ByLabels(() => 0);
  readonly #unknown = new ByLabels(() => 0);
  readonly #documents: Record<Served, number> = { hits: 0, misses: 0, nopeer: 0 };

  /** A peer answered, or the connection to it failed (503). */
  rerouted(code: number, { group, version, resource }: Asked): void {
    this.#rerouted.at({ code: String(code), group, version, resource }).value++;
  }

  /** A request was not passed on though peers serve what it asks for: none has an address. */
  unresolved({ group, version, resource }: Asked): void {
    this.#failed.at({ type: "endpoint_resolution", group, version, resource }).value++;
  }

  /** What a peer serves could not be had. */
  undiscovered(type: DiscoveryFailure): void {
    this.#unknown.at({ type }).value++;
  }

  /** An aggregated document was answered: kept from before, made anew, or the server's own because that was asked for. */
  served(how: Served): void {
    this.#documents[how]++;
  }

  /** All metrics. */
  rows(): readonly DerivedMetric[] {
    const plain = (how: Served) => (metricName: string) => [{ metricName, labels: {}, value: this.#documents[how] }];
    const row = (name: string, help: string, samples: DerivedMetric["samples"]): DerivedMetric => ({
      name,
      help,
      type: "counter",
      samples,
    });
    return [
      row(
        "apiserver_rerouted_request_total",
        "Requests passed on to peers, by code and what they ask for; all empty: what a peer serves",
        counterOf(this.#rerouted),
      ),
      row(
        "apiserver_peer_proxy_errors_total",
        "Requests that could not be passed on to a peer, by why and what they ask for",
        counterOf(this.#failed),
      ),
      row(
        "apiserver_peer_discovery_sync_errors_total",
        "Times that it could not be learnt what a peer serves, by why",
        counterOf(this.#unknown),
      ),
      row(
        "aggregator_discovery_peer_aggregated_cache_hits_total",
        "Aggregated discovery of all peers, answered with what was made before",
        plain("hits"),
      ),
      row(
        "aggregator_discovery_peer_aggregated_cache_misses_total",
        "Aggregated discovery of all peers, made anew",
        plain("misses"),
      ),
      row(
        "aggregator_discovery_nopeer_requests_total",
        "Aggregated discovery of this server alone, asked for as such",
        plain("nopeer"),
      ),
    ];
  }
}
