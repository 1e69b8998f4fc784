/** How long certificates are still good, and how their renewal goes. */
import type { Registry } from "prom-client";
import { Metrics } from "../metrics.ts";
import { lifeOf } from "./pair.ts";

const HOUR = 3600, DAY = 24 * HOUR, MONTH = 30 * DAY;
const LIVES = [60, HOUR, 4 * HOUR, DAY, 7 * DAY, MONTH, 3 * MONTH, 6 * MONTH, 12 * MONTH, 48 * MONTH];
const TTL = "The value is in seconds until certificate expiry (negative if already expired).";

/** Told of renewals. */
export interface RenewalFigures {
  /** @param cert the one that gives way; undefined: there was none */
  renewed(cert: string | undefined): void;
  failed(): void;
}

/** Of the certificate that the agent shows the API server. @param cert as it is now; undefined: none is good */
export function clientFigures(registry: Registry, now: () => number, cert: () => string | undefined): RenewalFigures {
  const m = new Metrics(registry);
  addTtl(
    m,
    "client",
    `Gauge of the TTL (time-to-live) of the Kubelet's client certificate. ${TTL} If client certificate is invalid or unused, the value will be +INF.`,
    now,
    cert,
  );
  const failures = m.counter(
    "kubelet_certificate_manager_client_expiration_renew_errors",
    "Counter of certificate renewal errors.",
  );
  return { renewed: () => {}, failed: () => failures.inc() };
}

/** Of the certificate that the agent's server shows. @param cert as {@linkcode clientFigures} */
export function servingFigures(registry: Registry, now: () => number, cert: () => string | undefined): RenewalFigures {
  const m = new Metrics(registry);
  addTtl(
    m,
    "server",
    `Gauge of the shortest TTL (time-to-live) of the Kubelet's serving certificate. ${TTL} If serving certificate is invalid or unused, the value will be +INF.`,
    now,
    cert,
  );
  const failures = m.counter("kubelet_server_expiration_renew_errors", "Counter of certificate renewal errors.");
  const lives = m.histogram(
    "kubelet_certificate_manager_server_rotation_seconds",
    "Histogram of the number of seconds the previous certificate lived before being rotated.",
    LIVES,
  );
  return {
    renewed: (old) => {
      if (old !== undefined) lives.observe((now() - lifeOf(old).from) / 1000);
    },
    failed: () => failures.inc(),
  };
}

function addTtl(m: Metrics, of: string, help: string, now: () => number, cert: () => string | undefined): void {
  m.derived(`kubelet_certificate_manager_${of}_ttl_seconds`, help, "gauge", () => {
    const used = cert();
    return [{ labels: {}, value: used === undefined ? Infinity : Math.trunc((lifeOf(used).to - now()) / 1000) }];
  });
}
