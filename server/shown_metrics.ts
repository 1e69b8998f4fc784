/** Which metrics of a server are shown, from its options. */
import type { ServerInputs } from "./inputs.ts";
import type { ShownOptions } from "./metrics/shown.ts";
import { BINARY_VERSION } from "./options/mod.ts";

/** See the top of the file. */
export function shownMetrics({ options, metricLabels }: ServerInputs): Omit<ShownOptions, "about"> {
  return {
    version: BINARY_VERSION,
    disabled: options.disabledMetrics,
    showHidden: options.showHiddenMetricsForVersion !== "",
    native: options.gates.enabled("NativeHistograms"),
    allowed: metricLabels ?? new Map(),
  };
}
