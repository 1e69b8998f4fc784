/** One driver of volumes, asked by its socket. */
import type { Call } from "../../../schema/grpc/call.ts";
import type { GrpcClient } from "../../../schema/grpc/client.ts";
import { GrpcError } from "../../../schema/grpc/status.ts";
import { openPlugin } from "../../plugins/mod.ts";
import { type Ability, CALLS } from "./calls.ts";

/** Longest time of a call, ms. */
const TIME = 120_000;

/** Codes after which the driver may still be at work. */
const PENDING: ReadonlySet<string> = new Set([
  "Canceled",
  "DeadlineExceeded",
  "Unavailable",
  "ResourceExhausted",
  "Aborted",
]);

/** What a driver refused, or did not answer. */
export class CsiError extends Error {
  override readonly name = "CsiError";

  /** @param code gRPC's name */
  constructor(readonly code: string, message: string, cause: unknown) {
    super(`rpc error: code = ${code} desc = ${message}`, { cause });
  }

  /** Whether nothing of it is under way any more. */
  get isFinal(): boolean {
    return !PENDING.has(this.code);
  }
}

/** See the top of the file. */
export class CsiDriver {
  readonly #client: GrpcClient;

  /** @param endpoint path of its socket */
  constructor(readonly name: string, readonly endpoint: string) {
    this.#client = openPlugin(endpoint);
  }

  /** @throws CsiError */
  async call<Q, R>(call: Call<Q, R>, request: Q, signal?: AbortSignal): Promise<R> {
    try {
      return await this.#client.call(call, request, { timeout: TIME, signal });
    } catch (e) {
      throw e instanceof GrpcError ? new CsiError(e.status, e.details, e) : e;
    }
  }

  /** What its service can do. @throws CsiError */
  async abilities(signal?: AbortSignal): Promise<ReadonlySet<Ability>> {
    const { capabilities } = await this.call(CALLS.abilities, {}, signal);
    return new Set(capabilities.flatMap(({ rpc }) => rpc ? [rpc.type] : []));
  }

  close(): void {
    this.#client.close();
  }
}
