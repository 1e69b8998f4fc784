/**
 * GOAWAY under load, in a process of its own: a runtime that cannot bear it dies of it, with no error to catch.
 *
 *     deno run -A tests/listen/_goaway_drill.ts server|grpc
 */
import { Buffer } from "node:buffer";
import http2 from "node:http2";
import type { AddressInfo } from "node:net";
import * as grpc from "../libraries/grpc.ts";
import { listen } from "../../server/listen/mod.ts";
import { exchange, serving, session } from "./_fixture.ts";

const CONNECTIONS = 8;
const STREAMS = 8;
const ROUNDS = 10;

/** A client closes busy connections with GOAWAY; our server must live. */
async function toServer(): Promise<number> {
  const body = new Uint8Array(1024);
  const listener = await listen(() => new Response(body), { hostname: "127.0.0.1", port: 0, tls: serving });
  let answered = 0;
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all(Array.from({ length: CONNECTIONS }, async () => {
      const client = session(listener.port);
      const gone = new Promise<void>((resolve) => client.once("close", () => resolve()));
      const load = Array.from({ length: STREAMS }, async () => {
        for (let i = 0; i < 50 && !client.destroyed; i++) {
          await exchange(client, { ":path": "/" }).then(() => answered++, () => {});
          if (i === 10) client.goaway(0);
          if (i === 12) client.destroy();
        }
      });
      await Promise.race([gone, Promise.all(load)]);
      client.destroy();
    }));
  }
  const last = session(listener.port);
  await exchange(last, { ":path": "/" });
  last.destroy();
  await listener.close(0);
  return answered;
}

const ECHO = {
  echo: {
    path: "/drill.Drill/Echo",
    requestStream: false,
    responseStream: false,
    requestSerialize: (b: Buffer) => b,
    requestDeserialize: (b: Buffer) => b,
    responseSerialize: (b: Buffer) => b,
    responseDeserialize: (b: Buffer) => b,
  },
} satisfies grpc.ServiceDefinition;

/** One gRPC message: not compressed, length, bytes. */
function message(bytes: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/**
 * A gRPC server by hand: every 40th call it tells the connection to go away, calls in flight partly above the last stream that it
 * names (the client has to end those at once, which is where runtimes died), partly below.
 */
async function grpcServer(): Promise<{ server: http2.Http2Server; port: number }> {
  const server = http2.createServer();
  let calls = 0;
  server.on("session", (session) => session.on("error", () => {}));
  server.on("stream", (stream: http2.ServerHttp2Stream) => {
    stream.on("error", () => {});
    stream.resume();
    stream.on("end", () => {
      if (stream.destroyed) return;
      stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
      stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
      stream.end(message(Buffer.alloc(1024)));
    });
    const { session } = stream;
    if (++calls % 40 !== 0 || session === undefined || session.destroyed) return;
    session.goaway(0, Math.max(1, (stream.id ?? 1) - 8));
    setTimeout(() => session.destroyed || session.close(), 5);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  return { server, port: (server.address() as AddressInfo).port };
}

/** A gRPC server sends GOAWAY again and again; our client must live, and its calls go on. */
async function toGrpcClient(): Promise<number> {
  const { server, port } = await grpcServer();
  const client = new grpc.Client(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  const { path, requestSerialize, responseDeserialize } = ECHO.echo;
  let answered = 0;
  const call = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, Buffer.alloc(1024), (error) => {
      if (error === null) answered++;
      else if (error.code !== grpc.status.UNAVAILABLE) throw error;
      resolve();
    });
    return promise;
  };
  await Promise.all(Array.from({ length: 16 }, async () => {
    for (let i = 0; i < 200; i++) await call();
  }));
  client.close();
  server.close();
  return answered;
}

const answered = await (Deno.args[0] === "grpc" ? toGrpcClient() : toServer());
console.log(`alive after ${answered} answers`);
Deno.exit(answered > 100 ? 0 : 1);
