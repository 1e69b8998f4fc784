/** What the server is, and what its process takes, under the names that every process of the public system has. */
import { PROCESS_METRICS, type ProcessFigures } from "../../schema/values/process_figures.ts";
import type { VersionInfo } from "../endpoints/about.ts";
import type { ServerMetrics } from "./registry.ts";

/** So long figures stand for those of now, ms: all lines of one answer have them from one reading. */
const FRESH_MS = 1000;

/** Shows them; `read` gives nothing where they cannot be told, and `now` is the clock, ms. */
export function processMetrics(
  metrics: ServerMetrics,
  read: () => ProcessFigures | undefined,
  now: () => number,
): void {
  let figures: ProcessFigures | undefined, at = -Infinity;
  const current = () => {
    if (Math.abs(now() - at) >= FRESH_MS) [figures, at] = [read(), now()];
    return figures;
  };
  for (const [name, help, figure, counter] of PROCESS_METRICS) {
    metrics.figure(name, help, counter ? "counter" : "gauge", () => {
      const told = current();
      return told ? [[{}, told[figure]]] : [];
    });
  }
}

/** Shows which version runs, in labels: the value is always 1. */
export function buildMetric(metrics: ServerMetrics, build: Readonly<Record<string, string>>): void {
  metrics.figure(
    "kubernetes_build_info",
    "The version that runs, in labels: the value is 1",
    "gauge",
    () => [[build, 1]],
  );
}

/** Shows the version of the program, the one that it emulates, and the oldest one that it is understood by: the value is always 1. */
export function versionMetric(metrics: ServerMetrics, { gitVersion, emulation, minCompatibility }: VersionInfo): void {
  const labels = {
    component: "kube",
    binary: gitVersion.replace(/^v|[-+].*$/g, ""),
    emulation: emulation.join("."),
    min_compat: minCompatibility.join("."),
  };
  metrics.figure("version_info", "Versions of the server, in labels: the value is 1", "gauge", () => [[labels, 1]]);
}

/** Shows how many clients came with whom no TLS connection came about. */
export function handshakeMetric(metrics: ServerMetrics, handshakes: { readonly failed: number }): void {
  metrics.figure(
    "apiserver_tls_handshake_errors_total",
    "Connections that ended in their TLS handshake",
    "counter",
    () => [[{}, handshakes.failed]],
  );
}
