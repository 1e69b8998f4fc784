/** The agent's servers. */
export { startServers } from "./servers.ts";
export type { HttpParts, Servers } from "./types.ts";
export { featureMetrics } from "./metrics/process.ts";
export { countedRuntime } from "./metrics/runtime_operations.ts";
