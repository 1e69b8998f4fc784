/** How webhooks are reached. Injected: nothing here opens a connection. */

import type { Network } from "../../network.ts";

/** Where a webhook is. */
export interface HookAddress {
  /** Host and port to connect to: of a service its address in the cluster. */
  readonly host: string;
  readonly port: number;
  /** Name that the webhook's certificate must have, that is asked for, and by which credentials are found. */
  readonly name: string;
  /** Port by which credentials are found: of a service its own. */
  readonly namedPort: number;
  /** Path with query. */
  readonly path: string;
  /** By whose way it is reached; absent: directly. */
  readonly network?: Network | undefined;
  /** PEM of the authorities that vouch for the webhook; empty: the host's roots. */
  readonly ca: string;
}

/** Files that say who this server is to webhooks. Empty: none. */
export interface HookIdentity {
  /** Users by the hosts that they are for. */
  readonly connectionFile: string;
  /** A client certificate and its key, for hosts that have no user. */
  readonly certFile: string;
  readonly keyFile: string;
}

/** A webhook's answer. */
export interface HookAnswer {
  readonly status: number;
  readonly body: string;
}

/** Connections to webhooks, kept open and bounded in number. */
export interface HookTransport {
  /**
   * Posts JSON, with headers beside its own. Redirects are not followed.
   * @throws Error when there is no answer, it is too large, or the signal aborts
   */
  post(
    address: HookAddress,
    body: string,
    signal: AbortSignal,
    headers?: Readonly<Record<string, string>>,
  ): Promise<HookAnswer>;
  /** Ends the connections that are kept. */
  close(): void;
}
