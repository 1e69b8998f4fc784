/** Configurations that change while the server runs, under the public server's names. */
import { createHash } from "node:crypto";
import type { Reloading } from "../reloaded.ts";
import type { Sample } from "./buckets.ts";
import type { DerivedMetric } from "./by_labels.ts";

type Outcome = "success" | "failure";

/** The configuration in use, and what became of others. */
export class ReloadMetrics {
  readonly #server: string;
  readonly #outcomes = new Map<Outcome, { count: number; at: number }>();
  #inUse: string | undefined;

  /**
   * @param what `authentication`, `authorization`, `encryption`, `manifest_admission`
   * @param server its name, told by a hash
   * @param text the configuration in use; undefined: it is not told of
   * @param now ms since the epoch
   * @param labels of one configuration among several
   */
  constructor(
    readonly what: string,
    server: string,
    text: string | undefined,
    readonly now: () => number,
    readonly labels: Readonly<Record<string, string>> = {},
  ) {
    this.#server = hashed(server);
    this.#inUse = text === undefined ? undefined : hashed(text);
  }

  /** See {@linkcode Reloading}. */
  readonly told: Required<Reloading>["told"] = (text, error) => {
    const outcome = error ? "failure" : "success";
    this.#outcomes.set(outcome, { count: (this.#outcomes.get(outcome)?.count ?? 0) + 1, at: this.now() / 1000 });
    if (!error) this.#inUse = hashed(text);
  };

  /** What is shown. */
  rows(): DerivedMetric[] {
    const name = (end: string) => `apiserver_${this.what}_config_controller_${end}`;
    const each = (value: "count" | "at") => (metricName: string): Sample[] =>
      [...this.#outcomes].map(([status, o]) => ({
        metricName,
        labels: { status, ...this.labels, apiserver_id_hash: this.#server },
        value: o[value],
      }));
    return [
      {
        name: name("automatic_reloads_total"),
        help: `Times that another ${this.what} configuration was taken into use, or refused`,
        type: "counter",
        samples: each("count"),
      },
      {
        name: name("automatic_reload_last_timestamp_seconds"),
        help: "When that last happened, in seconds since the epoch",
        type: "gauge",
        samples: each("at"),
      },
      {
        name: name("last_config_info"),
        help: `The ${this.what} configuration in use, by the hash of its file`,
        type: "gauge",
        samples: (metricName) =>
          this.#inUse === undefined ? [] : [{
            metricName,
            labels: { ...this.labels, apiserver_id_hash: this.#server, hash: this.#inUse },
            value: 1,
          }],
      },
    ];
  }
}

/** What is shown of several configurations of one kind, which differ by their labels. */
export function rowsTogether(all: readonly ReloadMetrics[]): DerivedMetric[] {
  const rows = all.map((one) => one.rows());
  return (rows[0] ?? []).map((row, i) => ({
    ...row,
    samples: (name) => rows.flatMap((own) => own[i]!.samples(name)),
  }));
}

/** `sha256:…` in hexadecimal digits. */
export const hashed = (text: string): string => `sha256:${createHash("sha256").update(text).digest("hex")}`;
