/** Calls to one service of the runtime, by gRPC on a Unix socket. */
import type { Call } from "../../schema/grpc/call.ts";
import { type ClientOptions, GrpcClient } from "../../schema/grpc/client.ts";
import type { CallLimits } from "../../schema/grpc/ending.ts";
import { GrpcError } from "../../schema/grpc/status.ts";
import { UNIX } from "../grpc.ts";
import { RuntimeError } from "./types.ts";

/** Bytes of an answer at most; the same of a request. */
const MOST = 16 * 1024 * 1024;

const OPTIONS: ClientOptions = {
  backOff: { first: 100, most: 3_000 },
  waits: false,
  limits: { received: MOST, sent: MOST },
};

/** See the top of the file. It connects with the first call and again after each loss; calls while nobody listens fail at once. */
export class Channel {
  readonly #client: GrpcClient;

  /** @param endpoint see {@linkcode socketOf} */
  constructor(endpoint: string) {
    this.#client = new GrpcClient(socketOf(endpoint), UNIX, OPTIONS);
  }

  /** @throws RuntimeError */
  async call<Q, R>(call: Call<Q, R>, request: Q, limits: CallLimits): Promise<R> {
    try {
      return await this.#client.call(call, request, limits);
    } catch (e) {
      throw told(e);
    }
  }

  /** One request, and its answers as they come; who stops to read ends the call. @throws RuntimeError */
  async *stream<Q, R>(call: Call<Q, R>, request: Q, limits: CallLimits): AsyncGenerator<R, void> {
    try {
      yield* this.#client.stream(call, request, limits);
    } catch (e) {
      throw told(e);
    }
  }

  /** Ends calls under way, and the connection. */
  close(): void {
    this.#client.close();
  }
}

const told = (e: unknown): unknown => e instanceof GrpcError ? new RuntimeError(e.status, e.details, e) : e;

/**
 * The socket of an endpoint: a path, with `unix://` or without, or an abstract name after `@`.
 * @throws Error for one of another kind
 */
export function socketOf(endpoint: string): string {
  const place = endpoint.replace(/^unix:(?:\/\/)?/, "");
  if (/^[@/]/.test(place)) return place;
  throw new Error(`runtime endpoint ${JSON.stringify(endpoint)} is no path of a Unix socket`);
}
