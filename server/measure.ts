/** Metrics of what stands behind the requests. */
import { fullName } from "./catalog/full_name.ts";
import { buildLabels, versionInfo } from "./endpoints/about.ts";
import { otherStores, type ServerInputs } from "./inputs.ts";
import { extensionMetrics } from "./metrics/extensions.ts";
import { featureMetrics } from "./metrics/features.ts";
import { lastingMetric } from "./metrics/lasting.ts";
import { buildMetric, handshakeMetric, processMetrics, versionMetric } from "./metrics/process.ts";
import { spanMetrics } from "./metrics/spans.ts";
import { flowMetrics } from "./metrics/flow_control.ts";
import { leaderMetrics, storeMetrics } from "./metrics/store.ts";
import type { ServerParts } from "./parts.ts";
import { shownMetrics } from "./shown_metrics.ts";

/**
 * Registers the metrics of its parts, and settles which are shown. What must be asked for is, until the signal aborts.
 * `leading`: leases that several servers want, by name, and whether this one has it.
 */
export function measure(
  inputs: ServerInputs,
  parts: ServerParts,
  leading: ReadonlyMap<string, boolean>,
  signal: AbortSignal,
): void {
  const { options, backend, now } = inputs, { metrics, filters: { fairness, gate } } = parts;
  const { storeCountMetricPollPeriod: countPeriod, storeDbMetricPollInterval: sizeInterval } = options;
  const { catalog, cacher } = parts.data;
  const nameOf = (id: string) => {
    const resource = catalog.resource(id);
    return resource ? fullName(resource) : options.product.local(id);
  };
  const stores = [backend, ...otherStores(inputs)];
  storeMetrics(metrics, cacher, stores, { countPeriod, sizeInterval, now, nameOf }, signal);
  extensionMetrics(metrics, parts.aggregator.registrations);
  featureMetrics(metrics, options.gates);
  const version = versionInfo(options, inputs.platform);
  buildMetric(metrics, buildLabels(version));
  versionMetric(metrics, version);
  if (inputs.process) processMetrics(metrics, inputs.process, now);
  metrics.derived([lastingMetric(() => gate.lasting)]);
  if (fairness) metrics.derived(flowMetrics(fairness));
  if (options.gates.enabled("CoordinatedLeaderElection")) leaderMetrics(metrics, leading);
  metrics.derived(inputs.signer?.metrics.rows() ?? []);
  inputs.encryption?.metrics.register(metrics.registry);
  metrics.derived(inputs.encryption?.metrics.rows() ?? []);
  metrics.derived(inputs.encryption?.reloads.rows() ?? []);
  if (inputs.handshakes) handshakeMetric(metrics, inputs.handshakes);
  if (inputs.egress) metrics.derived(inputs.egress.rows());
  if (inputs.tracing) spanMetrics(metrics, inputs.tracing.counts);
  metrics.derived(parts.peers.metrics?.rows() ?? []);
  metrics.show(shownMetrics(inputs));
}
