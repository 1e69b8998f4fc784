/**
 * GOAWAY under load, in a process of its own: a runtime that cannot bear it dies of it, with no error to catch.
 *
 *     deno run -A tests/listen/_goaway_drill.ts server|grpc
 */
import { Buffer } from "node:buffer";
import * as grpc from "@grpc/grpc-js";
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

async function grpcServer(): Promise<{ server: grpc.Server; port: number }> {
  // Each connection is told to go away after a few hundredths of a second, with calls in flight.
  const server = new grpc.Server({ "grpc.max_connection_age_ms": 20, "grpc.max_connection_age_grace_ms": 500 });
  server.addService(ECHO, {
    echo: (call: grpc.ServerUnaryCall<Buffer, Buffer>, done: grpc.sendUnaryData<Buffer>) =>
      void setTimeout(() => done(null, call.request), 1),
  });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (e, port) => e ? reject(e) : resolve(port));
  return { server, port: await promise };
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
    for (let i = 0; i < 100; i++) await call();
  }));
  client.close();
  server.forceShutdown();
  return answered;
}

const answered = await (Deno.args[0] === "grpc" ? toGrpcClient() : toServer());
console.log(`alive after ${answered} answers`);
Deno.exit(answered > 100 ? 0 : 1);
