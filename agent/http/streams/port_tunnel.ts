/** Port forwarding by SPDY inside of a client's WebSocket (`SPDY/3.1+portforward.k8s.io`). */
import type { Answer } from "../answer.ts";
import type { Incoming } from "../listen/listen.ts";
import { join } from "./join.ts";
import { openStream } from "./tunnel.ts";
import { acceptSocket, bytesOf, offered } from "./websocket.ts";

const BEGIN = "SPDY/3.1+", END = "portforward.k8s.io";

/** The subprotocol that carries SPDY; undefined: the client offers none. */
export const tunnelProtocol = (incoming: Incoming): string | undefined =>
  offered(incoming).find((protocol) => protocol.startsWith(BEGIN) && protocol.endsWith(END));

/** Serves a client's WebSocket by what is at a URL of the runtime. Undefined: it is served. */
export async function tunnelPorts(
  incoming: Incoming,
  protocol: string,
  url: string,
  idleMs: number,
): Promise<Answer | undefined> {
  const spoken = protocol.slice(BEGIN.length);
  const headers = { connection: "Upgrade", upgrade: "SPDY/3.1", "x-stream-protocol-version": spoken };
  const opened = await openStream("POST", url, headers, incoming.signal);
  if ("body" in opened) return opened;
  const { stream, first } = opened, ws = acceptSocket(incoming, protocol);
  if (!ws) {
    stream.destroy();
    return undefined;
  }
  const client = bytesOf(ws);
  if (first.length > 0) client.write(first);
  join(client, stream, idleMs);
  return undefined;
}
