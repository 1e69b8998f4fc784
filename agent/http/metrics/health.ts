/** Outcomes of health checks as metrics (`/metrics/slis`). */
import { Counter, Gauge, Registry } from "prom-client";
import type { HealthObserver } from "../health.ts";

const TYPE = "healthz";

/** See the top of the file. A check counts when somebody asks for it. */
export class HealthMetrics {
  readonly registry = new Registry();
  readonly #last = new Gauge({
    name: "kubernetes_healthcheck",
    help: "This metric records the result of a single healthcheck.",
    labelNames: ["name", "type"],
    registers: [this.registry],
  });
  readonly #total = new Counter({
    name: "kubernetes_healthchecks_total",
    help: "This metric records the results of all healthcheck.",
    labelNames: ["name", "type", "status"],
    registers: [this.registry],
  });

  /** Takes an outcome. */
  readonly observe: HealthObserver = (name, ok) => {
    this.#last.set({ name, type: TYPE }, ok ? 1 : 0);
    this.#total.inc({ name, type: TYPE, status: ok ? "success" : "error" });
  };
}
