/** Passing requests on to another server. Contracts; connections are made by the process (`options/proxy_client.ts`). */
import type { Duplex } from "node:stream";
import type { Network } from "../network.ts";

/** How the other server is verified, and who this one is to it. */
export interface ProxyTls {
  /** Name that its certificate must have, and that is asked for; an IP address is verified as one. */
  readonly name: string;
  /** PEM of the authorities that vouch for it; empty: the host's roots. */
  readonly ca: string;
  /** Its certificate is not looked at. */
  readonly insecure: boolean;
  /** PEM of this server's certificate and key; both or none. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** Where a request goes. */
export interface ProxyTarget {
  /** Host (an IPv6 address without brackets) and port to connect to. */
  readonly host: string;
  readonly port: number;
  /** By whose way it is reached: nodes and services are of the cluster. Absent: directly. */
  readonly network?: Network | undefined;
  /** Absent: plain HTTP. */
  readonly tls?: ProxyTls | undefined;
  /** Header `Host`. */
  readonly authority: string;
  /** Path with query. */
  readonly path: string;
  /** Within this time a connection must be there, TLS included, ms. Default 30,000. */
  readonly connectMs?: number;
}

/** Headers in order; a name may stand several times. */
export type ProxyHeaders = readonly (readonly [name: string, value: string])[];

/** What is sent. */
export interface ProxyRequest {
  readonly method: string;
  /** Without `Host` and without those that are of one connection. */
  readonly headers: ProxyHeaders;
  readonly body: ReadableStream<Uint8Array> | null;
}

/** An answer, its body not read yet. Whoever has it reads the body or cancels it. */
export interface ProxyAnswer {
  readonly status: number;
  readonly headers: ProxyHeaders;
  readonly body: ReadableStream<Uint8Array>;
}

/** The other server speaks another protocol from here on. */
export interface ProxyTunnel {
  /** 101. */
  readonly status: number;
  readonly headers: ProxyHeaders;
  /** Bytes that came with the answer already. */
  readonly first: Uint8Array;
  readonly stream: Duplex;
}

/** Connections to other servers, kept open and used again. */
export interface ProxyTransport {
  /**
   * Sends a request. Redirects are not followed, nothing is decompressed. The signal ends the request and the answer's body:
   * with an error when it aborts for a reason of its own, else silently.
   * @throws Error when there is no answer, or the signal aborts
   */
  send(target: ProxyTarget, request: ProxyRequest, signal: AbortSignal): Promise<ProxyAnswer>;
  /**
   * Sends a request to upgrade, whose headers must have `Connection` and `Upgrade`. The signal ends the request and the tunnel.
   * @throws Error when there is no answer, or the signal aborts
   */
  upgrade(target: ProxyTarget, request: ProxyRequest, signal: AbortSignal): Promise<ProxyAnswer | ProxyTunnel>;
  /** Ends the connections that are kept. */
  close(): void;
}

/** Whether the other server took the upgrade. */
export const isTunnel = (answer: ProxyAnswer | ProxyTunnel): answer is ProxyTunnel => "stream" in answer;
