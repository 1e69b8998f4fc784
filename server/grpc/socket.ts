/** Calls to a plugin on a Unix socket, by gRPC without TLS. */
import { Buffer } from "node:buffer";
import * as grpc from "@grpc/grpc-js";
import type { Call } from "../../schema/grpc/call.ts";
import { statusName } from "../../schema/grpc/status.ts";

/** A call's end, for metrics: its path, the status' name and the time it took. */
export type CallEnd = (path: string, status: string, seconds: number) => void;

/** How long a call may take, waiting for the socket included, ms; and what ends it before. */
export interface CallLimits {
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

/** Codes that say nothing of what was asked: a later call may succeed. */
const PASSING = new Set<number>([
  grpc.status.CANCELLED,
  grpc.status.DEADLINE_EXCEEDED,
  grpc.status.RESOURCE_EXHAUSTED,
  grpc.status.ABORTED,
  grpc.status.UNAVAILABLE,
]);

/** A call that failed. */
export class CallFailure extends Error {
  override readonly name = "CallFailure";

  /** @param status the status' name, `DeadlineExceeded`; @param passing a later call may succeed */
  constructor(readonly status: string, readonly details: string, readonly passing: boolean, cause: Error) {
    super(`${status}: ${details}`, { cause });
  }
}

/** See the top of the file. It connects with the first call, and again when the plugin comes back. */
export class SocketClient {
  readonly #client: grpc.Client;

  /** @param socket its path, or the name of an abstract one after `@` */
  constructor(socket: string, readonly ended: CallEnd) {
    const path = socket.startsWith("@") ? `\0${socket.slice(1)}` : socket;
    this.#client = new grpc.Client(`unix:${path}`, grpc.credentials.createInsecure(), {
      "grpc.default_authority": "localhost",
      "grpc.enable_retries": 0,
      "grpc.initial_reconnect_backoff_ms": 100,
      "grpc.max_reconnect_backoff_ms": 1_000,
      "grpc.use_local_subchannel_pool": 1,
    });
  }

  /** Answers are of at most 4 MiB. @throws CallFailure */
  call<Q, R>({ path, encode, decode }: Call<Q, R>, request: Q, { timeout, signal }: CallLimits): Promise<R> {
    const started = performance.now();
    return new Promise((resolve, reject) => {
      const call = this.#client.makeUnaryRequest(
        path,
        (message: Q) => Buffer.from(encode(message)),
        (bytes: Buffer) => decode(Uint8Array.from(bytes)),
        request,
        new grpc.Metadata({ waitForReady: true }),
        { deadline: Date.now() + timeout },
        (error, response) => {
          signal?.removeEventListener("abort", cancel);
          const status = statusName(error?.code ?? grpc.status.OK);
          this.ended(path, status, (performance.now() - started) / 1000);
          if (error) reject(new CallFailure(status, error.details, PASSING.has(error.code), error));
          else resolve(response!);
        },
      );
      const cancel = () => call.cancel();
      if (signal?.aborted) cancel();
      else signal?.addEventListener("abort", cancel, { once: true });
    });
  }

  /** Ends calls under way, and the connection. */
  close(): void {
    this.#client.close();
  }
}
