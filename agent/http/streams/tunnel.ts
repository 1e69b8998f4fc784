/** Gives a client's connection to the runtime's streaming server, whatever they speak (SPDY, WebSocket). */
import http, { type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import type { Duplex } from "node:stream";
import { withoutTokens } from "../../../schema/values/token_protocols.ts";
import { type Answer, faultAnswer, textAnswer } from "../answer.ts";
import type { Incoming } from "../listen/listen.ts";
import { join } from "./join.ts";
import { readsOn } from "../../../schema/values/reads_on.ts";
import { FrameBounds } from "./spdy_bounds.ts";

/** Within this time the runtime's server must have answered, ms. */
const ANSWER_MS = 30_000;
/** Bytes that are passed on of an answer that is no upgrade. */
const MAX_FAULT = 64 * 1024;
/** A client's headers that are for this server alone. */
const OWN: ReadonlySet<string> = new Set(["authorization"]);
/** Headers of an answer that tell how it came. */
const OF_CONNECTION: ReadonlySet<string> = new Set(["connection", "content-length", "keep-alive", "transfer-encoding"]);
const SPDY = /^spdy\/3/i;
const PROTOCOLS = "sec-websocket-protocol";

/** The runtime's answer: an upgraded connection, or why there is none. */
type Opened = { readonly stream: Duplex; readonly head: IncomingMessage; readonly first: Uint8Array } | Answer;

/**
 * Has the runtime's server answer a request to upgrade in this one's place: the same method and headers, at the URL. Undefined: the
 * connections are joined.
 */
export async function tunnel(incoming: Incoming, url: string, idleMs: number): Promise<Answer | undefined> {
  const { request, response, upgrade } = incoming;
  if (!upgrade) return faultAnswer(500, "Upgrade request required");
  const opened = await openStream(request.method ?? "", url, headersOf(request), incoming.signal);
  if ("body" in opened) return opened;
  const { socket } = request;
  response.detachSocket(socket);
  socket.write(headOf(opened.head), "latin1");
  if (opened.first.length > 0) socket.write(opened.first);
  if (upgrade.first.length > 0) opened.stream.write(upgrade.first);
  const bounds = SPDY.test(opened.head.headers.upgrade ?? "") ? new FrameBounds() : undefined;
  bounds?.pass(opened.first);
  join(socket, opened.stream, idleMs, bounds);
  return undefined;
}

/** Asks for an upgraded connection. Never rejects. */
export function openStream(
  method: string,
  url: string,
  headers: OutgoingHttpHeaders,
  signal: AbortSignal,
): Promise<Opened> {
  const { promise, resolve } = Promise.withResolvers<Opened>();
  const asked = http.request(url, { method, headers, agent: false });
  const failed = (text: string) => {
    asked.destroy();
    resolve(faultAnswer(500, text));
  };
  const late = setTimeout(() => failed("the container runtime did not answer in time"), ANSWER_MS);
  const gone = () => failed("the client has gone");
  signal.addEventListener("abort", gone, { once: true });
  asked.on("error", (e) => failed(`error dialing backend: ${e.message}`));
  asked.once("upgrade", (head, stream, first) => {
    stream.on("error", () => {});
    readsOn(stream);
    resolve({ head, stream, first });
  });
  asked.once("response", (response) => void refusal(response).then(resolve).finally(() => asked.destroy()));
  // It may have gone while the runtime was asked for the URL.
  if (signal.aborted) gone();
  else asked.end();
  return promise.finally(() => {
    clearTimeout(late);
    signal.removeEventListener("abort", gone);
  });
}

/** An answer that is no upgrade, passed on when it is a fault: its headers tell what would be taken. */
async function refusal(response: IncomingMessage): Promise<Answer> {
  const status = response.statusCode ?? 0;
  if (status < 400) return faultAnswer(500, `invalid upgrade response: status code ${status}`);
  let text = "";
  const headers = Object.entries(response.headers).filter(([name]) => !OF_CONNECTION.has(name));
  try {
    for await (const chunk of response) {
      text += new TextDecoder().decode(chunk);
      if (text.length > MAX_FAULT) break;
    }
  } catch {
    // It was cut off: what came of it is told.
  }
  return textAnswer(status, text, Object.fromEntries(headers));
}

/** A request's headers as they came, values of one name in their order, without tokens. */
function headersOf({ rawHeaders }: IncomingMessage): OutgoingHttpHeaders {
  const out = new Map<string, string | string[]>();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase(), given = rawHeaders[i + 1]!;
    const value = name === PROTOCOLS ? withoutTokens(given) : given;
    if (OWN.has(name) || (value === "" && given !== "")) continue;
    const before = out.get(name);
    out.set(name, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(out);
}

/** The head of an upgrade, as it goes over the connection. */
function headOf({ rawHeaders }: IncomingMessage): string {
  let lines = "";
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) lines += `${rawHeaders[i]}: ${rawHeaders[i + 1]}\r\n`;
  return `HTTP/1.1 101 Switching Protocols\r\n${lines}\r\n`;
}
