/** Outcomes of health checks as metrics: `/metrics/slis`. */
import { Counter, Gauge, Registry } from "prom-client";
import type { HealthObserver } from "../endpoints/health.ts";
import { ShownMetrics, type ShownOptions } from "./shown.ts";

/** See the top of the file. A check counts when somebody asks for it. */
export class HealthMetrics {
  readonly #registry = new Registry();
  readonly #last = new Gauge({
    name: "kubernetes_healthcheck",
    help: "Last outcome of a health check: 1 is well",
    labelNames: ["name", "type"],
    registers: [this.#registry],
  });
  readonly #total = new Counter({
    name: "kubernetes_healthchecks_total",
    help: "Outcomes of health checks",
    labelNames: ["name", "type", "status"],
    registers: [this.#registry],
  });

  readonly #shown: ShownMetrics;

  constructor(options: Omit<ShownOptions, "about">) {
    this.#shown = new ShownMetrics(this.#registry, { ...options, about: false });
  }

  /** Takes an outcome. */
  readonly observe: HealthObserver = (name, type, ok) => {
    this.#last.set({ name, type }, ok ? 1 : 0);
    this.#total.inc({ name, type, status: ok ? "success" : "error" });
  };

  /** Everything, as text. */
  text(): Promise<string> {
    return this.#shown.text();
  }

  /** The same as Protobuf messages. */
  protobuf(): Promise<Uint8Array> {
    return this.#shown.protobuf();
  }

  /** Counters count from nothing again. */
  reset(): Promise<void> {
    return this.#shown.reset();
  }
}
