/** A gRPC service of plain bytes on a Unix socket, for tests, and calls of it. */
import { Buffer } from "node:buffer";
import * as grpc from "../libraries/grpc.ts";
import { UNIX } from "../../host/grpc.ts";
import type { Call } from "../../schema/grpc/call.ts";
import { type ClientOptions, GrpcClient } from "../../schema/grpc/client.ts";
import { GrpcError, type StatusName } from "../../schema/grpc/status.ts";
import { socketsClosed } from "../fixture/sockets_closed.ts";

/** A call of bytes. */
export type BytesCall = Call<Uint8Array, Uint8Array>;
/** By name; every path is a call. */
export const callTo = (name: string): BytesCall => ({
  path: `/trial.Trial/${name}`,
  encode: (b) => b,
  decode: (b) => b,
});
/** A text as bytes, and back. */
export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
/** See {@linkcode bytes}. */
export const text = (b: Uint8Array | undefined): string => new TextDecoder().decode(b);

/** Options of a client that fails at once. */
export const AT_ONCE: ClientOptions = { backOff: { first: 20, most: 200 }, waits: false };
/** Of one that waits. */
export const WAITING: ClientOptions = { ...AT_ONCE, waits: true };

/** A client, closed after. */
export async function using<T>(
  path: string,
  options: ClientOptions,
  run: (client: GrpcClient) => Promise<T>,
): Promise<T> {
  const client = new GrpcClient(path, UNIX, options);
  try {
    return await run(client);
  } finally {
    client.close();
  }
}

/** For `assert.rejects`. */
export const failsWith = (status: StatusName, details?: RegExp) => (e: unknown): boolean =>
  e instanceof GrpcError && e.status === status && (details?.test(e.details) ?? true) || (() => {
    throw e;
  })();

/** Resolves when it is so. */
export async function until(so: () => boolean): Promise<void> {
  while (!so()) await new Promise((done) => setTimeout(done, 5));
}

type Server = grpc.ServerUnaryCall<Buffer, Buffer>;
type Answer = grpc.sendUnaryData<Buffer>;

/** See the top of the file. */
export class Trial {
  /** Calls that nobody answers and that are not over. */
  open = 0;
  /** What calls came with, by header. */
  readonly timeouts: (number | undefined)[] = [];
  #server = new grpc.Server();

  constructor(readonly path: string) {}

  async start(): Promise<this> {
    this.#server = new grpc.Server({
      "grpc.max_receive_message_length": -1,
      "grpc.max_send_message_length": -1,
    });
    const rows: [string, boolean, boolean, grpc.UntypedHandleCall][] = [
      ["echo", false, false, (call: Server, answer: Answer) => answer(null, call.request)],
      ["length", false, false, (call: Server, answer: Answer) => answer(null, Buffer.alloc(Number(call.request), 7))],
      ["fail", false, false, (call: Server, answer: Answer) => answer({ code: 5, details: String(call.request) })],
      ["never", false, false, (call: Server) => this.#hold(call)],
      ["count", false, true, (call: grpc.ServerWritableStream<Buffer, Buffer>) => this.#count(call)],
      ["chat", true, true, (call: grpc.ServerDuplexStream<Buffer, Buffer>) => {
        call.on("error", () => {});
        call.on("data", (b: Buffer) => call.write(Buffer.from(`so ${b}`)));
        call.on("end", () => call.end());
      }],
    ];
    const same = (b: Buffer) => b;
    for (const [name, requestStream, responseStream, handle] of rows) {
      const method = { path: `/trial.Trial/${name}`, requestStream, responseStream };
      const shapes = {
        requestSerialize: same,
        requestDeserialize: same,
        responseSerialize: same,
        responseDeserialize: same,
      };
      this.#server.addService({ [name]: { ...method, ...shapes } }, { [name]: handle });
    }
    await new Promise<void>((resolve, reject) =>
      this.#server.bindAsync(
        `unix:${this.path.replace(/^@/, "\0")}`,
        grpc.ServerCredentials.createInsecure(),
        (e) => e ? reject(e) : resolve(),
      )
    );
    return this;
  }

  /** At once: connections break. */
  kill(): void {
    this.#server.forceShutdown();
  }

  /** Connections get GOAWAY; resolves when calls under way have ended. */
  leave(): Promise<void> {
    return new Promise((resolve, reject) => this.#server.tryShutdown((e) => e ? reject(e) : resolve()));
  }

  #hold(call: grpc.ServerUnaryCall<Buffer, Buffer> | grpc.ServerWritableStream<Buffer, Buffer>): void {
    const deadline = call.getDeadline();
    this.timeouts.push(deadline === Infinity ? undefined : Number(deadline) - Date.now());
    this.open++;
    (call as Server).on("cancelled", () => this.open--);
  }

  /** As many answers as asked for, each as long as asked for; then for ever nothing where a third word says so. */
  async #count(call: grpc.ServerWritableStream<Buffer, Buffer>): Promise<void> {
    const [count, length, rest] = String(call.request).split(" ");
    if (rest) this.#hold(call);
    for (let i = 0; i < Number(count) && !call.cancelled; i++) {
      const answer = Buffer.alloc(Math.max(Number(length), 4));
      answer.writeUInt32BE(i);
      if (!call.write(answer)) await drained(call);
    }
    if (!rest) call.end();
  }
}

function drained(call: grpc.ServerWritableStream<Buffer, Buffer>): Promise<void> {
  return new Promise((done) => {
    const over = () => {
      call.off("drain", over).off("cancelled", over);
      done();
    };
    call.on("drain", over).on("cancelled", over);
  });
}

/** A service on a socket of its own, ended after. */
export async function trial(run: (server: Trial) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir();
  const server = await new Trial(`${dir}/trial.sock`).start();
  try {
    await run(server);
  } finally {
    server.kill();
    await socketsClosed();
    await Deno.remove(dir, { recursive: true });
  }
}
