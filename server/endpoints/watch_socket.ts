/** A watch over a WebSocket: each event is one message, text for JSON, binary for what is not text. */
import { StatusError } from "../../schema/status.ts";
import type { WatchBatch, Watcher } from "../cache/mod.ts";
import type { Pacer, RequestScope, Upgraded } from "../request.ts";
import { Batches, closesList, errorObject, lastWord, type WatchRun } from "./watch_run.ts";
import { room } from "./socket_room.ts";
import { handshake } from "./handshake.ts";

/** The watch has ended as a watch does: the client may open the next one. */
const ENDED = 1000;

const UTF8 = new TextDecoder();
/** Start of the subprotocol that carries a bearer token: authentication reads it, another one is chosen where there is one. */
const TOKEN_PROTOCOL = /^base64url\.bearer\.authorization\./;

/** What makes a WebSocket of the request, if it asks for one and its connection can become one. */
export function socketFor({ request, connection }: RequestScope): (() => Upgraded) | undefined {
  const { headers } = request;
  if (headers.get("upgrade")?.toLowerCase() !== "websocket" || !connection.upgrade) return undefined;
  if (!/(?:^|[,\s])upgrade(?:$|[,\s])/i.test(headers.get("connection") ?? "")) return undefined;
  const offered = headers.get("sec-websocket-protocol")?.split(",").map((p) => p.trim()) ?? [];
  // A client that offers nothing but a token still waits for the name of what was chosen.
  const protocol = offered.find((p) => p !== "" && !TOKEN_PROTOCOL.test(p)) ?? (offered[0] || undefined);
  return () => connection.upgrade!(request, protocol);
}

/** Sends a watch over the socket that `upgrade` makes; returns the answer to give. */
export function watchOverSocket(upgrade: () => Upgraded, run: WatchRun, scope: RequestScope): Response {
  const { response, socket } = handshake(scope, upgrade, () => opened(run)?.close());
  const end = new AbortController();
  const stop = () => end.abort();
  const timer = setTimeout(stop, Math.max(0, run.lifeMs));
  run.gone.addEventListener("abort", stop, { once: true });
  socket.addEventListener("close", stop, { once: true });
  socket.addEventListener("error", stop, { once: true });
  const finish = (watcher: Watcher | undefined) => {
    clearTimeout(timer);
    run.gone.removeEventListener("abort", stop);
    watcher?.close();
    run.ended();
    if (socket.readyState <= socket.OPEN) socket.close(ENDED);
  };
  socket.addEventListener("open", () => void send(run, socket, end, scope.pace).then(finish), { once: true });
  // A client that goes before the handshake is done never opens the socket.
  end.signal.addEventListener("abort", () => {
    if (socket.readyState !== socket.OPEN) finish(opened(run));
  }, { once: true });
  if (run.gone.aborted) stop();
  return response;
}

/** The watcher that is open already. */
const opened = ({ source }: WatchRun): Watcher | undefined =>
  typeof source === "function" || source instanceof StatusError ? undefined : source;

/** Sends until the end; returns the watcher to close. Never throws. */
async function send(
  run: WatchRun,
  socket: WebSocket,
  end: AbortController,
  pace: Pacer | undefined,
): Promise<Watcher | undefined> {
  const { store, frames, source, tally, listed } = run;
  let watcher: Watcher | undefined;
  try {
    if (source instanceof StatusError) throw source;
    watcher = typeof source === "function" ? await source(end.signal) : source;
    const batches = new Batches(watcher, end.signal);
    for (;;) {
      const batch: WatchBatch | undefined = await batches.next();
      if (!batch) return watcher;
      for (const event of batch.events) {
        if (!await room(socket, end.signal)) return watcher;
        const message = frames.message(store.cache.batchBytes({ events: [event] }, frames.form, frames));
        await pace?.take(message.length, end.signal);
        put(socket, frames.text, message);
        tally?.sent(message);
      }
      if (listed && closesList(batch)) listed();
      if (!batch.error) continue;
      const told = lastWord(batch.error);
      if (told) throw told;
      return watcher;
    }
  } catch (e) {
    if (!end.signal.aborted) put(socket, frames.text, frames.message(frames.error(errorObject(e))));
    return watcher;
  }
}

function put(socket: WebSocket, text: boolean, bytes: Uint8Array): void {
  if (socket.readyState !== socket.OPEN) return;
  // Bytes may be shared with other watches: the socket copies what it is given.
  socket.send(text ? UTF8.decode(bytes) : bytes.slice());
}
