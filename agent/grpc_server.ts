/** The agent's own gRPC services, on Unix sockets: calls with one request and one answer. */
import http2 from "node:http2";
import { dirname, join } from "node:path";
import { Duplex } from "node:stream";
import { streamOf } from "../schema/grpc/byte_stream.ts";
import { framed, MessageReader } from "../schema/grpc/framing.ts";
import { GrpcError, statusCode, type StatusName } from "../schema/grpc/status.ts";
import { decode, encode, type Table } from "../schema/grpc/wire.ts";

/** Bytes of a request at most. */
const MOST = 4 * 1024 * 1024;
/** Connections at a time, and calls at a time on each. */
const CONNECTIONS = 100, CALLS = 100;
/** After a connection that could not be taken, ms. */
const PAUSE = 1_000;

/** A method of a service: its path, the shapes of both messages, and what answers. What it throws is `Unknown`, if no GrpcError. */
export interface Method {
  readonly path: string;
  readonly request: Table;
  readonly response: Table;
  readonly answer: (request: never) => object | Promise<object>;
}

/** A server at work. */
export interface GrpcServer {
  /** Ends calls under way and takes the socket's file away. */
  close(): void;
}

/** Listens at a path, instead of what was there. @throws Error: it cannot */
export function serveGrpc(path: string, methods: readonly Method[]): GrpcServer {
  // The runtime takes a listener's file away some time after its end. Of another name, it is not that of who listens next.
  const own = join(dirname(path), `.${crypto.randomUUID().slice(0, 8)}`);
  const listener = Deno.listen({ transport: "unix", path: own });
  Deno.renameSync(own, path);
  const byPath = new Map(methods.map((method) => [method.path, method]));
  const streams = new Set<Duplex>();
  const server = http2.createServer({ settings: { maxConcurrentStreams: CALLS } });
  server.on("session", (session) => session.on("error", () => {}));
  server.on("stream", (stream: http2.ServerHttp2Stream, headers) => {
    stream.on("error", () => {});
    serve(stream, byPath.get(String(headers[":path"])));
  });
  let closed = false;
  const take = (connection: Deno.Conn) => {
    if (streams.size >= CONNECTIONS) return connection.close();
    const stream = new Duplex(streamOf(connection, () => {}));
    streams.add(stream);
    stream.on("error", () => {}).on("close", () => streams.delete(stream));
    server.emit("connection", stream);
  };
  const accept = async () => {
    while (!closed) {
      const connection = await listener.accept().catch(() => undefined);
      if (connection) take(connection);
      else if (!closed) await new Promise((again) => setTimeout(again, PAUSE));
    }
    server.close();
  };
  accept();
  return {
    close() {
      closed = true;
      listener.close();
      for (const stream of streams) stream.destroy();
      try {
        Deno.removeSync(path);
      } catch {
        // Somebody else has.
      }
    },
  };
}

/** Answers once all of the request is there. */
function serve(stream: http2.ServerHttp2Stream, method: Method | undefined): void {
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
      const response = await method.answer(decode(method.request, message, "zero") as never);
      reply(stream, encode(method.response, response));
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

function refuse(stream: http2.ServerHttp2Stream, fault: Error): void {
  if (isOver(stream)) return;
  const [status, text] = fault instanceof GrpcError
    ? [fault.status, fault.details]
    : ["Unknown" as const, fault.message];
  stream.respond({ ...TYPE, ...statusOf(status), "grpc-message": encoded(text) }, { endStream: true });
}

const isOver = (stream: http2.ServerHttp2Stream): boolean => stream.destroyed || stream.closed || stream.headersSent;

/** Percent-encoded where it is no plain ASCII. */
const encoded = (text: string): string => text.toWellFormed().replace(/[^ -$&-~]+/g, encodeURIComponent);
