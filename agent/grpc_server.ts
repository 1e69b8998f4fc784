/** The agent's own gRPC services, on Unix sockets: calls with one request, and one answer or many. */
import http2 from "node:http2";
import { dirname, join } from "node:path";
import { Duplex } from "node:stream";
import { streamOf } from "../schema/grpc/byte_stream.ts";
import { framed, MessageReader } from "../schema/grpc/framing.ts";
import { SentFrames } from "../schema/grpc/sent_frames.ts";
import { GrpcError, statusCode, type StatusName } from "../schema/grpc/status.ts";
import { decode, encode, type Table } from "../schema/grpc/wire.ts";
import { fileFault } from "./files.ts";

/** Bytes of a request at most. */
const MOST = 4 * 1024 * 1024;
/** Connections at a time, and calls at a time on each. */
const CONNECTIONS = 100, CALLS = 100;
/** Bytes of answers that wait to be sent, before who sends waits. */
const ROOM = 64 * 1024;
/** After a connection that could not be taken, ms. */
const PAUSE = 1_000;

/** A method of a service: its path, the shapes of both messages, and what answers. What it throws is `Unknown`, if no GrpcError. */
export interface Method {
  readonly path: string;
  readonly request: Table;
  readonly response: Table;
  readonly answer: (request: never) => object | Promise<object>;
}

/** A method of many answers. It goes on until it returns, or throws as others do. */
export interface StreamMethod extends Pick<Method, "path" | "request" | "response"> {
  /** @param send resolves when there is room for more, and rejects when the caller has gone, which the signal tells too */
  readonly stream: (
    request: never,
    send: (response: object) => Promise<void>,
    signal: AbortSignal,
  ) => Promise<void>;
}

/** Told how many bytes of an answer have gone, by stream. */
type Sent = Map<number, (count: number) => void>;

/** A server at work. */
export interface GrpcServer {
  /** Ends calls under way and takes the socket's file away, if nobody has put another in its place. */
  close(): void;
}

/** Listens at a path, instead of what was there. @throws Error: it cannot */
export function serveGrpc(path: string, methods: readonly (Method | StreamMethod)[]): GrpcServer {
  // The runtime takes a listener's file away some time after its end. Of another name, it is not that of who listens next.
  const own = join(dirname(path), `.${crypto.randomUUID().slice(0, 8)}`);
  const listener = listenAt(own, path);
  const { ino } = Deno.lstatSync(own);
  Deno.renameSync(own, path);
  const byPath = new Map(methods.map((method) => [method.path, method]));
  const streams = new Set<Duplex>();
  let closed = false;
  const take = (connection: Deno.Conn) => {
    if (streams.size >= CONNECTIONS) return connection.close();
    const sent: Sent = new Map();
    const frames = new SentFrames((stream, count) => sent.get(stream)?.(count), "server");
    const stream = new Duplex(streamOf(connection, () => {}, (bytes) => frames.read(bytes)));
    streams.add(stream);
    stream.on("error", () => {}).on("close", () => streams.delete(stream));
    const server = http2.createServer({ settings: { maxConcurrentStreams: CALLS } });
    server.on("session", (session) => session.on("error", () => {}));
    server.on("stream", (call: http2.ServerHttp2Stream, headers) => {
      call.on("error", () => {});
      serve(call, byPath.get(String(headers[":path"])), sent);
    });
    server.emit("connection", stream);
  };
  const accept = async () => {
    while (!closed) {
      const connection = await listener.accept().catch(() => undefined);
      if (connection) take(connection);
      else if (!closed) await new Promise((again) => setTimeout(again, PAUSE));
    }
  };
  accept();
  return {
    close() {
      closed = true;
      listener.close();
      for (const stream of streams) stream.destroy();
      try {
        if (Deno.lstatSync(path).ino === ino) Deno.removeSync(path);
      } catch {
        // Somebody else has taken it away.
      }
    },
  };
}

/** @param path what it will be called then, for the fault @throws Error */
function listenAt(own: string, path: string): Deno.UnixListener {
  try {
    return Deno.listen({ transport: "unix", path: own });
  } catch (e) {
    throw fileFault("listen at", path, e);
  }
}

/** Answers once all of the request is there. */
function serve(stream: http2.ServerHttp2Stream, method: Method | StreamMethod | undefined, sent: Sent): void {
  const reader = new MessageReader(MOST), messages: Uint8Array[] = [];
  stream.on("data", (piece: Uint8Array) => {
    try {
      for (const message of reader.read(piece)) messages.push(message);
      if (messages.length > 1) throw new GrpcError("Internal", "the request is more than one message");
    } catch (fault) {
      refuse(stream, fault as Error);
      stream.close();
    }
  });
  stream.on("end", async () => {
    if (isOver(stream)) return;
    try {
      if (!method) throw new GrpcError("Unimplemented", "unknown service or method");
      const [message] = messages;
      if (!message || !reader.empty) throw new GrpcError("Internal", "the request is no whole message");
      const request = decode(method.request, message, "zero") as never;
      if ("stream" in method) await answerMany(stream, method, request, sent);
      else reply(stream, encode(method.response, await method.answer(request)));
    } catch (fault) {
      refuse(stream, fault as Error);
    }
  });
}

const TYPE = { ":status": 200, "content-type": "application/grpc" } as const;
const statusOf = (name: StatusName) => ({ "grpc-status": `${statusCode(name)}` });

function reply(stream: http2.ServerHttp2Stream, message: Uint8Array): void {
  if (isOver(stream)) return;
  stream.respond(TYPE, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers(statusOf("OK")));
  stream.end(framed(message, Infinity));
}

async function answerMany(
  stream: http2.ServerHttp2Stream,
  method: StreamMethod,
  request: never,
  sent: Sent,
): Promise<void> {
  const over = new AbortController(), id = stream.id!;
  let unsent = 0, room = () => {}, fault: Error | undefined;
  sent.set(id, (count) => {
    unsent -= count;
    if (unsent <= ROOM) room();
  });
  stream.on("close", () => {
    sent.delete(id);
    over.abort();
    room();
  });
  const begin = () => {
    stream.respond(TYPE, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers(fault ? faultOf(fault) : statusOf("OK")));
  };
  const send = async (response: object): Promise<void> => {
    if (over.signal.aborted) throw new GrpcError("Canceled", "the caller has gone");
    if (!stream.headersSent) begin();
    const bytes = framed(encode(method.response, response), Infinity);
    unsent += bytes.length;
    // What it says of room is not so (docs/limits.md).
    stream.write(bytes);
    if (unsent > ROOM) await new Promise<void>((resolve) => room = resolve);
  };
  try {
    await method.stream(request, send, over.signal);
  } catch (e) {
    if (!stream.headersSent) throw e;
    fault = e as Error;
  }
  if (stream.destroyed || stream.closed) return;
  if (!stream.headersSent) begin();
  stream.end();
}

function refuse(stream: http2.ServerHttp2Stream, fault: Error): void {
  if (isOver(stream)) return;
  stream.respond({ ...TYPE, ...faultOf(fault) }, { endStream: true });
}

function faultOf(fault: Error): Record<string, string> {
  const [status, text] = fault instanceof GrpcError
    ? [fault.status, fault.details]
    : ["Unknown" as const, fault.message];
  return { ...statusOf(status), "grpc-message": encoded(text) };
}

const isOver = (stream: http2.ServerHttp2Stream): boolean => stream.destroyed || stream.closed || stream.headersSent;

/** Percent-encoded where it is no plain ASCII. */
const encoded = (text: string): string => text.toWellFormed().replace(/[^ -$&-~]+/g, encodeURIComponent);
