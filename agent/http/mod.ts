/** The agent's servers. */
export { startServers } from "./servers.ts";
export type { HealthCheck, HttpOptions, HttpParts, KeyPair, Servers } from "./types.ts";
