/** One listener of HTTP/1.1, plain or over TLS. */
import http, { type IncomingMessage, ServerResponse } from "node:http";
import net, { type AddressInfo, type Socket } from "node:net";
import { connectionsFor } from "../../../schema/values/descriptors.ts";
import { hostPort } from "../../../schema/values/host_port.ts";
import { socketHost } from "../../../schema/values/socket_address.ts";
import { Connections, LIMITS, type Limits, type Peer } from "./connections.ts";
import { pauseBelow } from "../../../host/flow.ts";
import { listenFault } from "../../../host/listen_fault.ts";
import { Handshakes, type TlsSettings } from "./tls.ts";

/** A request that came, with what its connection is. */
export interface Incoming {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly peer: Peer;
  /** Of a request to upgrade: what came after its head. The connection is given to whoever answers. */
  readonly upgrade?: { readonly first: Uint8Array };
  /** Ends when the client goes or the answer is whole. */
  readonly signal: AbortSignal;
}

/** How to listen. */
export interface ListenOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Absent: plain. */
  readonly tls?: Omit<TlsSettings, "secure" | "failed">;
  readonly limits?: Partial<Limits>;
  now(): number;
  /** A request. What it throws cuts the connection. */
  handle(incoming: Incoming): Promise<void>;
  /** A connection that came to nothing. */
  failed(error: Error): void;
}

/** A listener at work. */
export interface Listener {
  readonly port: number;
  /** Takes no more connections; those with a request at work are cut after so many ms. */
  close(graceMs: number): Promise<void>;
}

const SWEEP_MS = 1_000;
/** Of all headers of a request, bytes. */
const MAX_HEAD = 256 * 1024;
/** Of a body that was answered before its end, bytes; each piece counts for so many at least: one of a byte takes the same time. */
const MAX_UNREAD = 4 * 1024 * 1024, PIECE = 512;
/** Pause of the system before it asks whether a client without traffic is there, ms. */
const ALIVE_MS = 30_000;
/** How often closing looks whether all is answered, ms. */
const CLOSING_MS = 20;

/** Listens. @throws Error when the address cannot be had */
export async function listen(options: ListenOptions): Promise<Listener> {
  const read = (path: string) => Deno.readTextFile(path).catch(() => undefined);
  const most = connectionsFor(await read("/proc/self/limits"), LIMITS.connections);
  const connections = new Connections({ ...LIMITS, connections: most, ...options.limits }, options.now);
  const requests = requestServer(connections, options);
  const begin = (peer: Peer) => {
    if (connections.join(peer)) requests.emit("connection", peer.socket);
    else peer.socket.destroy();
  };
  const handshakes = options.tls && new Handshakes({
    ...options.tls,
    failed: options.failed,
    secure: (secure, raw) => {
      pauseBelow(secure, raw);
      begin({ socket: secure, raw, secure });
    },
  });
  const server = net.createServer((raw) => {
    raw.on("error", () => {});
    // Without an address the client has left already.
    if (raw.remoteAddress === undefined || !connections.accept(raw)) return void raw.destroy();
    raw.setNoDelay(true);
    raw.setKeepAlive(true, ALIVE_MS);
    if (handshakes) handshakes.begin(raw);
    else begin({ socket: raw, raw });
  });
  await listening(server, options, socketHost(options.host, await read("/proc/sys/net/ipv6/bindv6only")));
  const sweeper = setInterval(() => connections.sweep(), SWEEP_MS);
  Deno.unrefTimer(sweeper as unknown as number);
  return {
    port: (server.address() as AddressInfo).port,
    async close(graceMs) {
      server.close();
      const end = options.now() + graceMs;
      while (!connections.endIdle() && options.now() < end) await new Promise((done) => setTimeout(done, CLOSING_MS));
      connections.endAll();
      clearInterval(sweeper);
    },
  };
}

/** Reads the rest of a body away; where it is long, or comes in tiny pieces, its connection ends. */
function discard(request: IncomingMessage): void {
  let left = MAX_UNREAD;
  request.on("data", (piece: Uint8Array) => {
    left -= Math.max(piece.length, PIECE);
    if (left < 0) request.socket.destroy();
  });
}

function listening(server: net.Server, { host, port }: ListenOptions, at: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      reject(new Error(`cannot listen on ${hostPort(host, port)}: ${listenFault(cause)}`, { cause }));
    });
    server.listen({ host: at, port }, () => {
      server.removeAllListeners("error").on("error", () => {});
      resolve();
    });
  });
}

/** The server of requests: it never listens, connections are handed to it. */
function requestServer(connections: Connections, { handle }: ListenOptions): http.Server {
  const server = http.createServer({ maxHeaderSize: MAX_HEAD });
  // The runtime ends connections of one that does not listen with their first answer.
  Object.defineProperty(server, "listening", { value: true });
  // What is idle is swept with all others.
  server.keepAliveTimeout = 0;
  server.headersTimeout = 0;
  server.requestTimeout = 0;
  const take = (request: IncomingMessage, response: ServerResponse, upgrade?: { readonly first: Uint8Array }) => {
    const { socket } = request;
    const peer = connections.peerOf(socket), turn = peer && !socket.destroyed && connections.work(socket);
    if (!turn) return void socket.destroy();
    const abort = new AbortController();
    const end = () => {
      if (abort.signal.aborted) return;
      abort.abort();
      turn.over();
    };
    // One that is answered without an upgrade is over then, though its client may stay.
    if (upgrade) response.once("finish", end);
    // What nobody has read of a body lies before the next request.
    else {
      // Has it be held back until then: what nobody has begun to read is thrown away by the runtime itself, without end.
      request.read(0);
      response.once("finish", () => discard(request));
    }
    (upgrade ? socket : response).once("close", end);
    response.on("error", () => {});
    const incoming = { request, response, peer, signal: abort.signal, ...(upgrade ? { upgrade } : {}) };
    const begin = async () => {
      if (socket.destroyed) return;
      if (upgrade) response.assignSocket(socket);
      await handle(incoming);
    };
    // One after the other, however many a client sends ahead: each may have files open, and thousands fit a few packets.
    (turn.begins?.then(begin) ?? begin()).catch(() => socket.destroy());
  };
  server.on("request", (request, response) => take(request, response));
  server.on("upgrade", (request, socket, first) => {
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.once("finish", () => (socket as Socket).end());
    take(request, response, { first });
  });
  server.on("clientError", (_, socket) => {
    if (socket.writable) socket.end("HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n400 Bad Request");
    else socket.destroy();
  });
  return server;
}
