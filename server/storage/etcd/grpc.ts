/** Native gRPC. */
import { type ClientOptions, GrpcClient } from "../../../schema/grpc/client.ts";
import type { Call } from "../../../schema/grpc/call.ts";
import type { CallLimits } from "../../../schema/grpc/ending.ts";
import { GrpcError } from "../../../schema/grpc/status.ts";
import type { GrpcStream } from "../../../schema/grpc/stream.ts";
import type { Target } from "../../../schema/grpc/target.ts";
import { reach, type Way } from "../../grpc/reach.ts";
import { RPC, type WatchRequest, type WatchResponse } from "./messages.ts";
import type { Transport, WatchCall, WatchHandlers } from "./transport.ts";

const OPTIONS: ClientOptions = {
  backOff: { first: 100, most: 2_000 },
  waits: false,
  limits: { received: Infinity, sent: Infinity },
  // A member that hangs is found out; etcd allows a ping every 5 s.
  keepAlive: { every: 10_000, within: 5_000 },
};

// A member cut off from the others ends the stream rather than saying nothing.
const WATCH = { ...RPC.watch, headers: { hasleader: "true" } };

/** One member. */
export class GrpcTransport implements Transport {
  readonly canAsk = true;
  readonly #client: GrpcClient;

  constructor(readonly address: string, target: Target, way?: Way) {
    this.#client = new GrpcClient(address, reach(target, way), OPTIONS);
  }

  call<Q, R>(call: Call<Q, R>, request: Q, limits: CallLimits): Promise<R> {
    return this.#client.call(call, request, limits);
  }

  watch(create: WatchRequest, { message, end }: WatchHandlers): WatchCall {
    const stop = new AbortController();
    let stream: GrpcStream<WatchRequest, WatchResponse> | undefined;
    const run = async () => {
      stream = await this.#client.open(WATCH, { signal: stop.signal });
      stream.write(create);
      for (let told = await stream.next(); told; told = await stream.next()) stop.signal.aborted || message(told);
      throw new GrpcError("Unavailable", "the watch ended");
    };
    run().catch((e) => stop.signal.aborted || end(e));
    return { progress: () => void stream?.write({ progress: {} }), cancel: () => stop.abort() };
  }

  leave(): void {
    this.#client.leave();
  }

  close(): void {
    this.#client.close();
  }
}
