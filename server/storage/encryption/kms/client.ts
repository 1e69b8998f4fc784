/** Calls to a key management service on a Unix socket, by gRPC without TLS. */
import { Buffer } from "node:buffer";
import * as grpc from "@grpc/grpc-js";
import { StorageError } from "../../backend.ts";
import type { Call } from "./messages.ts";

/** A call's end, for metrics: its path, the status' name and the time it took. */
export type CallEnd = (path: string, status: string, seconds: number) => void;

/** Codes that say nothing of the value: a later call may succeed. */
const PASSING = new Set<number>([
  grpc.status.CANCELLED,
  grpc.status.DEADLINE_EXCEEDED,
  grpc.status.RESOURCE_EXHAUSTED,
  grpc.status.ABORTED,
  grpc.status.UNAVAILABLE,
]);

/** See the top of the file. */
export class KmsClient {
  readonly #client: grpc.Client;

  /** `timeout`: of each call, waiting for the socket included, ms. */
  constructor(readonly name: string, socket: string, readonly timeout: number, readonly ended: CallEnd) {
    const path = socket.startsWith("@") ? `\0${socket.slice(1)}` : socket;
    this.#client = new grpc.Client(`unix:${path}`, grpc.credentials.createInsecure(), {
      "grpc.default_authority": "localhost",
      "grpc.enable_retries": 0,
      "grpc.initial_reconnect_backoff_ms": 100,
      "grpc.max_reconnect_backoff_ms": 1_000,
      "grpc.use_local_subchannel_pool": 1,
    });
  }

  /** @throws StorageError when the service does not answer, Error when it refuses */
  call<Q, R>({ path, encode, decode }: Call<Q, R>, request: Q): Promise<R> {
    const started = performance.now();
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(
        path,
        (message: Q) => Buffer.from(encode(message)),
        (bytes: Buffer) => decode(Uint8Array.from(bytes)),
        request,
        new grpc.Metadata({ waitForReady: true }),
        { deadline: Date.now() + this.timeout },
        (error, response) => {
          const code = error?.code ?? grpc.status.OK;
          this.ended(path, statusName(code), (performance.now() - started) / 1000);
          if (error) reject(this.#told(error));
          else resolve(response!);
        },
      );
    });
  }

  /** Ends calls under way, and the connection. */
  close(): void {
    this.#client.close();
  }

  #told(error: grpc.ServiceError): Error {
    const text = `key management service ${JSON.stringify(this.name)}: ${statusName(error.code)}: ${error.details}`;
    return PASSING.has(error.code)
      ? new StorageError("unavailable", text, { cause: error })
      : new Error(text, { cause: error });
  }
}

/** `DeadlineExceeded`. */
function statusName(code: number): string {
  const name = grpc.status[code] ?? "UNKNOWN";
  if (name === "OK") return name;
  return name.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
