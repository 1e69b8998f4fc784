/** The agent's servers. */
export { startServers } from "./servers.ts";
export type { HealthCheck, HttpOptions, HttpParts, KeyPair, Servers } from "./types.ts";
export { featureMetrics } from "./metrics/process.ts";
export { countedRuntime } from "./metrics/runtime_operations.ts";
export { summaryOf, type SummarySources } from "./stats/summary.ts";
export { Rates } from "./stats/rates.ts";
export type { Summary } from "./stats/types.ts";
