/** WebSockets of clients that the runtime does not know to speak with. */
import type { Duplex } from "node:stream";
import { setInterval } from "node:timers";
import { createWebSocketStream, WebSocketServer } from "ws";
import type { Incoming } from "../listen/listen.ts";

/** What of a WebSocket is used. */
export interface WebSocket {
  /** Bytes on their way. */
  readonly bufferedAmount: number;
  send(data: Uint8Array, done?: () => void): void;
  close(code?: number, reason?: string): void;
  ping(): void;
  terminate(): void;
  pause(): void;
  resume(): void;
  on(event: "message", f: (data: Uint8Array, binary: boolean) => void): this;
  on(event: "close" | "ping", f: () => void): this;
  on(event: "error", f: (e: Error) => void): this;
}

/** Longest message that is taken, bytes. */
const MAX_MESSAGE = 32 * 1024 * 1024;
/** So often a quiet client is written to: that one which is held back has gone is told by nothing else. */
const PING_MS = 5_000;
/** The longest time that timers keep, ms: a client that is alive may take all the time of its connection for what it was sent. */
const CLOSE_MS = 2 ** 31 - 1;

/** Subprotocols that a client offers, in its order; none where it asks for no WebSocket. */
export function offered({ request: { headers }, upgrade }: Incoming): string[] {
  if (!upgrade || headers.upgrade?.toLowerCase() !== "websocket") return [];
  return (headers["sec-websocket-protocol"] ?? "").split(",").map((p) => p.trim()).filter((p) => p !== "");
}

/** Takes a client's WebSocket, in one of the subprotocols that it offers. Undefined: what it asked for was none, and it was told. */
export function acceptSocket({ request, response, upgrade }: Incoming, protocol: string): WebSocket | undefined {
  const { socket } = request;
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MAX_MESSAGE,
    closeTimeout: CLOSE_MS,
  });
  // The library takes no name that has a slash, as that of SPDY inside of a WebSocket has.
  server.on("headers", (lines: string[]) => void lines.push(`Sec-WebSocket-Protocol: ${protocol}`));
  const { "sec-websocket-protocol": _offered, ...headers } = request.headers;
  const asked = Object.create(request, { headers: { value: headers } });
  let made: WebSocket | undefined;
  response.detachSocket(socket);
  server.handleUpgrade(asked, socket, upgrade?.first, (ws: WebSocket) => made = ws);
  made?.on("error", () => {});
  if (made) ping(made);
  return made;
}

function ping(ws: WebSocket): void {
  const pings = setInterval(() => ws.bufferedAmount === 0 && ws.ping(), PING_MS);
  ws.on("close", () => clearInterval(pings));
}

/** What binary messages carry, as a stream of bytes. */
export const bytesOf = (ws: WebSocket): Duplex => createWebSocketStream(ws) as Duplex;
