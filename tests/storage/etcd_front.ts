/** What stands before a member and says that it has another version; all else is the member's. */
import { Buffer } from "node:buffer";
import { RPC } from "../../server/storage/etcd/messages.ts";
import * as grpc from "../libraries/grpc.ts";

/** Field 3 of a watch's request: it asks for progress. */
const PROGRESS = 0x1a;

/** A running one. */
export interface Front {
  readonly address: string;
  /** How often progress was asked for. */
  readonly asked: number;
  close(): void;
}

/** Starts one on a free loopback port. */
export async function front(endpoint: string, version: string): Promise<Front> {
  const client = new grpc.Client(new URL(endpoint).host, grpc.credentials.createInsecure());
  const server = new grpc.Server();
  const same = (bytes: Buffer) => bytes;
  let asked = 0;
  const told = Buffer.from([0x12, version.length, ...new TextEncoder().encode(version)]);

  const pass = (path: string) => (near: grpc.ServerDuplexStream<Buffer, Buffer>) => {
    const far = client.makeBidiStreamRequest<Buffer, Buffer>(path, same, same);
    near.on("data", (bytes: Buffer) => {
      if (path === RPC.watch.path && bytes[0] === PROGRESS) asked++;
      far.write(bytes);
    });
    near.on("end", () => far.end());
    near.on("cancelled", () => far.cancel());
    far.on("data", (bytes: Buffer) => near.write(bytes));
    far.on("error", (error: grpc.ServiceError) => near.emit("error", { code: error.code, details: error.details }));
    far.on("end", () => near.end());
  };
  const tell = (near: grpc.ServerDuplexStream<Buffer, Buffer>) => {
    near.resume();
    near.write(told);
    near.end();
  };
  for (const { path } of Object.values(RPC)) {
    const shape = { path, requestStream: true, responseStream: true };
    const bytes = {
      requestSerialize: same,
      requestDeserialize: same,
      responseSerialize: same,
      responseDeserialize: same,
    };
    server.addService({ call: { ...shape, ...bytes } }, { call: path === RPC.status.path ? tell : pass(path) });
  }
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync(
      "127.0.0.1:0",
      grpc.ServerCredentials.createInsecure(),
      (error, bound) => error ? reject(error) : resolve(bound),
    )
  );
  return {
    address: `http://127.0.0.1:${port}`,
    get asked() {
      return asked;
    },
    close() {
      server.forceShutdown();
      client.close();
    },
  };
}
