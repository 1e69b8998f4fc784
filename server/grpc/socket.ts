/** Calls to a plugin on a Unix socket, by gRPC without TLS. */
import { UNIX } from "../../host/grpc.ts";
import type { Call } from "../../schema/grpc/call.ts";
import { type ClientOptions, GrpcClient } from "../../schema/grpc/client.ts";
import { GrpcError, type StatusName } from "../../schema/grpc/status.ts";

/** A call's end, for metrics: its path, the status' name and the time it took. */
export type CallEnd = (path: string, status: string, seconds: number) => void;

/** How long a call may take, waiting for the socket included, ms; and what ends it before. */
export interface CallLimits {
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

/** Statuses that say nothing of what was asked: a later call may succeed. */
const PASSING: ReadonlySet<StatusName> = new Set([
  "Canceled",
  "DeadlineExceeded",
  "ResourceExhausted",
  "Aborted",
  "Unavailable",
]);

const OPTIONS: ClientOptions = { backOff: { first: 100, most: 1_000 }, waits: true };

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
  readonly #client: GrpcClient;

  /** @param socket its path, or the name of an abstract one after `@` */
  constructor(socket: string, readonly ended: CallEnd) {
    this.#client = new GrpcClient(socket, UNIX, OPTIONS);
  }

  /** Answers are of at most 4 MiB. @throws CallFailure */
  async call<Q, R>(call: Call<Q, R>, request: Q, limits: CallLimits): Promise<R> {
    const started = performance.now();
    const over = (status: StatusName) => this.ended(call.path, status, (performance.now() - started) / 1000);
    try {
      const answer = await this.#client.call(call, request, limits);
      over("OK");
      return answer;
    } catch (e) {
      if (!(e instanceof GrpcError)) throw e;
      over(e.status);
      throw new CallFailure(e.status, e.details, PASSING.has(e.status), e);
    }
  }

  /** Ends calls under way, and the connection. */
  close(): void {
    this.#client.close();
  }
}
