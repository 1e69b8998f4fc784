/** What must hold of the options of metrics. */
import { allowedLabels } from "../metrics/allowed_labels.ts";
import type { OptionName, OptionValues } from "./table.ts";
import { BINARY_VERSION } from "../../schema/version.ts";

type MetricOptions = Pick<
  OptionValues,
  "allowMetricLabels" | "allowMetricLabelsManifest" | "disabledMetrics" | "showHiddenMetricsForVersion"
>;

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const BEFORE = `${BINARY_VERSION.major}.${BINARY_VERSION.minor - 1}`;

/** What does not hold. */
export function metricFaults(o: MetricOptions, given: ReadonlySet<OptionName>): string[] {
  const faults: string[] = [];
  const hidden = o.showHiddenMetricsForVersion;
  if (hidden !== "" && hidden !== BEFORE) {
    faults.push(`--show-hidden-metrics-for-version: ${JSON.stringify(hidden)} should be ${BEFORE}, the version before`);
  }
  const bad = o.disabledMetrics.find((name) => !NAME.test(name));
  if (bad !== undefined) faults.push(`--disabled-metrics: ${JSON.stringify(bad)} should be the name of a metric`);
  if (given.has("allow-metric-labels") && o.allowMetricLabelsManifest !== "") {
    faults.push("--allow-metric-labels: cannot go with --allow-metric-labels-manifest");
  }
  try {
    allowedLabels(o.allowMetricLabels);
  } catch (e) {
    faults.push(`--allow-metric-labels: ${(e as Error).message}`);
  }
  return faults;
}
