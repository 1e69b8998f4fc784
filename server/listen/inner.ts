/** The HTTP server behind the terminator: plain, on a loopback port, for known sources only. */
import type { AppHandler } from "./types.ts";
import type { Peer, Peers } from "./peers.ts";

/** What {@linkcode serveInner} needs. */
export interface InnerOptions {
  readonly handler: AppHandler;
  readonly peers: Peers;
  onError(error: unknown): void;
  /** Called at each request's start, before the handler. */
  onRequest?(peer: Peer): void;
}

/** The inner server at work. */
export interface Inner {
  readonly port: number;
  /** Sends GOAWAY, ends idle connections, lets requests in flight end. Resolves when all have. */
  shutdown(): Promise<void>;
  /** Cuts everything. */
  abort(): void;
}

const refused = () =>
  new Response("Connections to this port are made by the listener only\n", {
    status: 403,
    headers: { connection: "close" },
  });

/** Starts `Deno.serve` on a free loopback port. It tells HTTP/1.1 from HTTP/2 by the first bytes. */
export function serveInner({ handler, peers, onError, onRequest }: InnerOptions): Inner {
  const abort = new AbortController();
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    signal: abort.signal,
    onListen() {},
    onError(error) {
      onError(error);
      return new Response(null, { status: 500 });
    },
  }, (request, info) => {
    const { hostname, port } = info.remoteAddr;
    const peer = peers.find(hostname, port);
    if (peer === undefined) return refused();
    peer.inFlight++;
    peer.requests++;
    const ended = () => {
      peer.inFlight--;
      peer.quietSince = Date.now();
    };
    info.completed.then(ended, ended);
    onRequest?.(peer);
    return handler(request, peer.connection);
  });
  return {
    port: server.addr.port,
    shutdown: () => server.shutdown(),
    abort: () => abort.abort(),
  };
}
