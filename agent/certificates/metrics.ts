/** How long certificates are still good, and how their renewal goes. */
import type { Registry } from "prom-client";
import { Metrics } from "../metrics.ts";
import { lifeOf } from "./pair.ts";

const HOUR = 3600, DAY = 24 * HOUR, MONTH = 30 * DAY;
const LIVES = [60, HOUR, 4 * HOUR, DAY, 7 * DAY, MONTH, 3 * MONTH, 6 * MONTH, 12 * MONTH, 48 * MONTH];

/** Told of renewals. */
export interface RenewalFigures {
  /** @param cert the one that gives way; undefined: there was none */
  renewed(cert: string | undefined): void;
  failed(): void;
}

/** Of the certificate that the agent shows the API server. @param cert as it is now; undefined: none is good */
export function clientFigures(registry: Registry, now: () => number, cert: () => string | undefined): RenewalFigures {
  const m = new Metrics(registry);
  addTtl(m, "client", now, cert);
  const failures = m.counter(
    "kubelet_certificate_manager_client_expiration_renew_errors",
    "Renewals of a certificate that failed.",
  );
  return { renewed: () => {}, failed: () => failures.inc() };
}

/** Of the certificate that the agent's server shows. @param cert as {@linkcode clientFigures} */
export function servingFigures(registry: Registry, now: () => number, cert: () => string | undefined): RenewalFigures {
  const m = new Metrics(registry);
  addTtl(m, "server", now, cert);
  const failures = m.counter("kubelet_server_expiration_renew_errors", "Renewals of a certificate that failed.");
  const lives = m.histogram(
    "kubelet_certificate_manager_server_rotation_seconds",
    "How old a certificate was when another took its place, s.",
    LIVES,
  );
  return {
    renewed: (old) => {
      if (old !== undefined) lives.observe((now() - lifeOf(old).from) / 1000);
    },
    failed: () => failures.inc(),
  };
}

function addTtl(m: Metrics, of: "client" | "server", now: () => number, cert: () => string | undefined): void {
  const help = `How long the agent's certificate as a ${of} is still good, s; below zero afterwards, +Inf without one.`;
  m.derived(`kubelet_certificate_manager_${of}_ttl_seconds`, help, "gauge", () => {
    const used = cert();
    return [{ labels: {}, value: used === undefined ? Infinity : Math.trunc((lifeOf(used).to - now()) / 1000) }];
  });
}
