/** Metrics of what stands behind the requests. */
import type { Registrations } from "./aggregation/registrations.ts";
import type { SeveralCachers } from "./cache/mod.ts";
import { buildLabels, versionInfo } from "./endpoints/about.ts";
import type { RequestFilters } from "./filters/build.ts";
import type { ServerInputs } from "./inputs.ts";
import { extensionMetrics } from "./metrics/extensions.ts";
import { featureMetrics } from "./metrics/features.ts";
import type { ServerMetrics } from "./metrics/registry.ts";
import type { ShownOptions } from "./metrics/shown.ts";
import { lastingMetric } from "./metrics/lasting.ts";
import { buildMetric, processMetrics } from "./metrics/process.ts";
import { spanMetrics } from "./metrics/spans.ts";
import { flowMetrics } from "./metrics/flow_control.ts";
import { leaderMetrics, storeMetrics } from "./metrics/store.ts";
import type { PeerParts } from "./peers/make.ts";
import type { RequestScope } from "./request.ts";
import type { Backend } from "./storage/backend.ts";

/** Parts of a server that are measured. */
export interface Measured {
  readonly metrics: ServerMetrics;
  readonly cacher: SeveralCachers;
  /** Stores beside the first, each once. */
  readonly others: readonly Backend[];
  readonly extensions: Registrations;
  readonly fairness: RequestFilters["fairness"];
  /** Leases that several servers want, by name: whether this one has it. */
  readonly leading: ReadonlyMap<string, boolean>;
  readonly peers: PeerParts["metrics"];
  /** Requests that last as long as their clients want, at work now. */
  readonly lasting: () => Iterable<RequestScope>;
  readonly shown: Omit<ShownOptions, "about">;
}

/** Registers them all, and settles which are shown. What must be asked for is, until the signal aborts. */
export function measure(inputs: ServerInputs, parts: Measured, signal: AbortSignal): void {
  const { options, backend, now } = inputs, { metrics, fairness } = parts;
  const { storeCountMetricPollPeriod: countPeriod, storeDbMetricPollInterval: sizeInterval } = options;
  const { local } = options.product;
  storeMetrics(metrics, parts.cacher, [backend, ...parts.others], { countPeriod, sizeInterval, now, local }, signal);
  extensionMetrics(metrics, parts.extensions);
  featureMetrics(metrics, options.gates);
  buildMetric(metrics, buildLabels(versionInfo(options, inputs.platform)));
  if (inputs.process) processMetrics(metrics, inputs.process, now);
  metrics.derived([lastingMetric(parts.lasting)]);
  if (fairness) metrics.derived(flowMetrics(fairness));
  if (options.gates.enabled("CoordinatedLeaderElection")) leaderMetrics(metrics, parts.leading);
  metrics.derived(inputs.signer?.metrics.rows() ?? []);
  inputs.encryption?.metrics.register(metrics.registry);
  metrics.derived(inputs.encryption?.reloads.rows() ?? []);
  if (inputs.egress) metrics.derived(inputs.egress.rows());
  if (inputs.tracing) spanMetrics(metrics, inputs.tracing.counts);
  metrics.derived(parts.peers?.rows() ?? []);
  metrics.show(parts.shown);
}
