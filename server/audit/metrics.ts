/** What comes of audit events, under the public server's names. */
import type { ServerMetrics } from "../metrics/registry.ts";
import { type Level, LEVELS } from "./types.ts";

/** Counters of a server that records. */
export class AuditMetrics {
  /** Events made. */
  events = 0;
  /** Requests refused because their first event could not be stored. */
  rejected = 0;
  readonly #levels = [0, 0, 0, 0];
  readonly #errors = new Map<string, number>();

  /** A request was looked at. */
  level(level: Level): void {
    this.#levels[level]!++;
  }

  /** Events were lost. */
  failed(plugin: string, count: number): void {
    this.#errors.set(plugin, (this.#errors.get(plugin) ?? 0) + count);
  }

  /** Shows them among a server's metrics. */
  register(metrics: Pick<ServerMetrics, "figure">): void {
    const one = (n: number) => [[{}, n]] as const;
    metrics.figure("apiserver_audit_event_total", "Audit events made", "counter", () => one(this.events));
    metrics.figure(
      "apiserver_audit_error_total",
      "Audit events that were lost, by the part that lost them",
      "counter",
      () => [...this.#errors].map(([plugin, n]) => [{ plugin }, n] as const),
    );
    metrics.figure(
      "apiserver_audit_level_total",
      "Requests, by the level that the audit policy gives them",
      "counter",
      () => LEVELS.map((level, i) => [{ level }, this.#levels[i]!] as const).filter(([, n]) => n > 0),
    );
    metrics.figure(
      "apiserver_audit_requests_rejected_total",
      "Requests refused because their audit event could not be stored",
      "counter",
      () => one(this.rejected),
    );
  }
}
