/** What lies beyond the server for requests that it passes on: agents of nodes, pods, and services. */
import type { ProxyTransport } from "../proxy/types.ts";
import type { Agents } from "./agents.ts";

/** See the top of the file. Given by whoever puts a server together. */
export interface Beyond {
  readonly transport: ProxyTransport;
  readonly agents: Agents;
  /** IP addresses of a host. @throws Error when it has none */
  lookup(host: string): Promise<readonly string[]>;
  /** Whether a header of a client, by its lower-case name, says to this server alone who asks. */
  withheld(name: string): boolean;
}
