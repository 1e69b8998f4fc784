/** Calls to one service of the runtime, by gRPC on a Unix socket. */
import { Buffer } from "node:buffer";
import * as grpc from "@grpc/grpc-js";
import type { Call } from "../../schema/grpc/call.ts";
import { statusName } from "../../schema/grpc/status.ts";
import { RuntimeError } from "./types.ts";

/** Bytes of an answer at most; the same of a request. */
const MOST = 16 * 1024 * 1024;

const OPTIONS: grpc.ChannelOptions = {
  "grpc.default_authority": "localhost",
  "grpc.enable_retries": 0,
  "grpc.initial_reconnect_backoff_ms": 100,
  "grpc.max_reconnect_backoff_ms": 3_000,
  "grpc.max_receive_message_length": MOST,
  "grpc.max_send_message_length": MOST,
  // Each has a connection of its own: one that is closed takes none from another.
  "grpc.use_local_subchannel_pool": 1,
};

/** What ends a call that has no answer: so many ms, or the signal. */
export interface Limits {
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** See the top of the file. It connects with the first call and again after each loss; calls while nobody listens fail at once. */
export class Channel {
  readonly #client: grpc.Client;
  #closed = false;

  /** @param endpoint see {@linkcode targetOf} */
  constructor(endpoint: string) {
    this.#client = new grpc.Client(targetOf(endpoint), grpc.credentials.createInsecure(), OPTIONS);
  }

  /** @throws RuntimeError */
  call<Q, R>({ path, encode, decode }: Call<Q, R>, request: Q, { timeout, signal }: Limits): Promise<R> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(new RuntimeError("Canceled", "the connection is closed"));
      const call = this.#client.makeUnaryRequest(
        path,
        (message: Q) => Buffer.from(encode(message)),
        (bytes: Buffer) => decode(Uint8Array.from(bytes)),
        request,
        { deadline: timeout === undefined ? Infinity : Date.now() + timeout },
        (error, response) => {
          signal?.removeEventListener("abort", cancel);
          if (error) reject(new RuntimeError(statusName(error.code), error.details, error));
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
    this.#closed = true;
    this.#client.close();
  }
}

/**
 * The address of an endpoint for gRPC: of a path, with `unix://` or without, or of an abstract name after `@`.
 * @throws Error for one of another kind
 */
export function targetOf(endpoint: string): string {
  const place = endpoint.replace(/^unix:(?:\/\/)?/, "");
  if (place.startsWith("@")) return `unix:\0${place.slice(1)}`;
  if (place.startsWith("/")) return `unix:${place}`;
  throw new Error(`runtime endpoint ${JSON.stringify(endpoint)} is no path of a Unix socket`);
}
