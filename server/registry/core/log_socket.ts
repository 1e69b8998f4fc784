/** A log over a WebSocket: what comes goes out in messages, binary, or text in base64. */
import type { Product } from "../../../schema/product.ts";
import { StatusError } from "../../../schema/status.ts";
import { asksUpgrade } from "../../proxy/headers.ts";
import type { RequestScope } from "../../request.ts";
import { OFFERED, offered } from "./socket_protocols.ts";
import { handshake } from "../../endpoints/handshake.ts";
import { room } from "../../endpoints/socket_room.ts";

/** Subprotocols that are spoken, beside none. */
const NAMES = ["binary.k8s.io", "base64.binary.k8s.io"];

/** A chunk as a message. */
interface Form {
  (chunk: Uint8Array): string | Uint8Array<ArrayBuffer>;
}
const formOf = (protocol: string): Form =>
  protocol.startsWith("base64.") ? (chunk) => chunk.toBase64() : (chunk) => chunk.slice();

const ENDED = 1000;

/** The answer that makes a WebSocket of the request; undefined where none is asked for. @throws StatusError 403 for other subprotocols, 400 */
export function logOverSocket(
  scope: RequestScope,
  body: ReadableStream<Uint8Array>,
  { local }: Product,
): Response | undefined {
  const { headers, connection, request } = scope;
  if (headers.get("upgrade")?.toLowerCase() !== "websocket" || !asksUpgrade(headers) || !connection.upgrade) {
    return undefined;
  }
  const asked = offered(headers);
  const protocol = asked.length === 0 ? "" : asked.find((p) => NAMES.some((name) => p === name || p === local(name)));
  const drop = () => void body.cancel().catch(() => {});
  if (protocol === undefined) {
    drop();
    throw new StatusError(403, "Forbidden", `${OFFERED}: none of ${asked.join(", ")} is spoken here`);
  }
  const { response, socket } = handshake(scope, () => connection.upgrade!(request, protocol || undefined), drop);
  const end = () => scope.cancel?.();
  socket.addEventListener("close", end, { once: true });
  socket.addEventListener("error", end, { once: true });
  socket.addEventListener("open", () => void send(socket, body, formOf(protocol), scope).finally(end), {
    once: true,
  });
  return response;
}

/** Sends until the log or the client ends. Never throws. */
async function send(
  socket: WebSocket,
  body: ReadableStream<Uint8Array>,
  form: Form,
  { signal, pace }: RequestScope,
): Promise<void> {
  try {
    // An empty message tells that there is a log, before there is anything in it.
    socket.send(form(new Uint8Array()));
    for await (const chunk of body) {
      if (!await room(socket, signal)) break;
      const message = form(chunk);
      await pace?.take(message.length, signal);
      socket.send(message);
    }
  } catch {
    // The agent or the client is gone: the socket's end says so.
  }
  if (socket.readyState <= socket.OPEN) socket.close(ENDED);
}
