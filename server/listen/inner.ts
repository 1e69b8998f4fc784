/** The HTTP server behind the terminator: plain, on a loopback port, for known sources only. */
import type { AppHandler } from "./types.ts";
import type { Peer, Peers } from "./peers.ts";
import { readOff } from "./unread.ts";

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
  /**
   * Stops accepting, sends GOAWAY, ends idle connections, lets requests in flight end. Resolves when all have; a connection that is
   * to be cut is cut from the terminator's side. (Aborting the server by a signal after this throws where nobody can catch it.)
   */
  shutdown(): Promise<void>;
}

const refused = () =>
  new Response("Connections to this port are made by the listener only\n", {
    status: 403,
    headers: { connection: "close" },
  });

const BODILESS = new Set(["GET", "HEAD"]);
/** Bodies of a told length up to this are not watched as they are read, bytes. */
const SHORT = 4 * 1024 * 1024;

/**
 * A request that tells its peer as its body is read, where that may be long: bodies of HTTP/2 without a length have their windows.
 * Nothing is read before it is asked for.
 */
function watched(request: Request, peer: Peer): Request {
  const { method, headers } = request;
  const long = headers.has("transfer-encoding") || Number(headers.get("content-length")) > SHORT;
  const body = long && !BODILESS.has(method) ? request.body : null;
  if (body === null) return request;
  let reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined;
  const told = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = await (reader ??= body.getReader()).read();
      peer.heard();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader ? reader.cancel(reason) : body.cancel(reason),
  }, { highWaterMark: 0 });
  // A request made of this one would ask for its signal.
  return Object.defineProperty(request, "body", { value: told });
}

/** A WebSocket lives on after its request is done: its connection is never idle. Who is refused has sent all before the answer comes. */
function answered(request: Request, response: Response, peer: Peer): Response | Promise<Response> {
  if (response.status === 101) peer.upgraded = true;
  // Answers of HTTP/2 cannot say that their connection ends: that is told beside.
  if (response.status === 429 && peer.goAway && response.headers.get("connection") === "close") peer.goAway();
  if (response.status < 400 || BODILESS.has(request.method)) return response;
  return readOff(request).then(() => response);
}

/** Starts `Deno.serve` on a free loopback port. It tells HTTP/1.1 from HTTP/2 by the first bytes. */
export function serveInner({ handler, peers, onError, onRequest }: InnerOptions): Inner {
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
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
    peer.heard();
    const ended = () => {
      peer.inFlight--;
      peer.heard();
      peer.quietSince = performance.now();
    };
    info.completed.then(ended, ended);
    onRequest?.(peer);
    const asked = watched(request, peer), answer = handler(asked, peer.connection);
    return answer instanceof Promise ? answer.then((r) => answered(asked, r, peer)) : answered(asked, answer, peer);
  });
  return { port: server.addr.port, shutdown: () => server.shutdown() };
}
