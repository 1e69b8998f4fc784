/** WebSockets, by the runtime's own means. */
import type { Upgraded } from "../request.ts";

/** Seconds between pings; a client that leaves one unanswered is gone. */
const IDLE_SECONDS = 30;
const OFFERED = "sec-websocket-protocol";

/** See `Connection.upgrade`. */
export function upgrade(request: Request, protocol: string | undefined): Upgraded {
  if (protocol === undefined) return Deno.upgradeWebSocket(request, { idleTimeout: IDLE_SECONDS });
  spell(request, protocol);
  return Deno.upgradeWebSocket(request, { idleTimeout: IDLE_SECONDS, protocol });
}

/** The runtime looks for the protocol in a list with one space after each comma, which no client needs to write. */
function spell(request: Request, protocol: string): void {
  if (request.headers.get(OFFERED)?.split(", ").includes(protocol)) return;
  const headers = new Headers(request.headers);
  headers.set(OFFERED, protocol);
  Object.defineProperty(request, "headers", { value: headers });
}
