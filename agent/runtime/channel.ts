/** Calls to one service of the runtime, by gRPC on a Unix socket. */
import type { Call } from "../../schema/grpc/call.ts";
import { type ClientOptions, GrpcClient } from "../../schema/grpc/client.ts";
import type { CallLimits } from "../../schema/grpc/ending.ts";
import { GrpcError, type StatusName } from "../../schema/grpc/status.ts";
import { KIND } from "../../schema/tracing/span.ts";
import { UNIX } from "../../host/grpc.ts";
import { NO_TRACES, type Traces } from "../tracing/traces.ts";
import { RuntimeError } from "./types.ts";

/** Bytes of an answer at most; the same of a request. */
const MOST = 16 * 1024 * 1024;

const OPTIONS: ClientOptions = {
  backOff: { first: 100, most: 3_000 },
  waits: false,
  limits: { received: MOST, sent: MOST },
};

/** Status codes as spans tell them, where that is not {@linkcode coded}. */
const CODES: Readonly<Record<string, string>> = { OK: "OK", Canceled: "CANCELLED" };

/** `NotFound`: `NOT_FOUND` */
const coded = (status: StatusName): string => status.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();

/** See the top of the file. It connects with the first call and again after each loss; calls while nobody listens fail at once. */
export class Channel {
  readonly #client: GrpcClient;

  /** @param endpoint see {@linkcode socketOf} */
  constructor(endpoint: string, readonly traces: Traces = NO_TRACES) {
    this.#client = new GrpcClient(socketOf(endpoint), UNIX, OPTIONS);
  }

  /** @throws RuntimeError */
  call<Q, R>(call: Call<Q, R>, request: Q, limits: CallLimits): Promise<R> {
    const name = call.path.slice(1), attributes = () => ({ "rpc.system.name": "grpc", "rpc.method": name });
    return this.traces.work(name, attributes, async (span) => {
      const tell = (status: StatusName) => span.set({ "rpc.response.status_code": CODES[status] ?? coded(status) });
      try {
        const answer = await this.#client.call({ ...call, headers: span.headers() }, request, limits);
        tell("OK");
        return answer;
      } catch (e) {
        if (e instanceof GrpcError) tell(e.status);
        throw told(e);
      }
    }, KIND.client);
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
