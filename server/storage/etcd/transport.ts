/** How calls reach one endpoint: native gRPC (`grpc.ts`) or gRPC-web over fetch (`web.ts`). */
import type { Call } from "../../../schema/grpc/call.ts";
import type { CallLimits } from "../../../schema/grpc/ending.ts";
import type { GrpcError } from "../../../schema/grpc/status.ts";
import type { WatchRequest, WatchResponse } from "./messages.ts";

/** PEM, as bytes or text. */
export type Pem = Uint8Array | string;

/** Client side TLS. */
export interface Tls {
  readonly ca?: Pem;
  readonly cert?: Pem;
  readonly key?: Pem;
}

/** PEM as text. */
export function pemText(pem: Pem): string {
  return typeof pem === "string" ? pem : new TextDecoder().decode(pem);
}

/** An open watch. */
export interface WatchCall {
  /** Asks for a progress response; does nothing where the transport cannot. */
  progress(): void;
  cancel(): void;
}

/** What a watch tells. `end` comes once, last. */
export interface WatchHandlers {
  message(response: WatchResponse): void;
  end(error: GrpcError): void;
}

/** One endpoint. */
export interface Transport {
  readonly address: string;
  /** Whether {@linkcode WatchCall.progress} does anything. */
  readonly canAsk: boolean;
  /** @throws GrpcError */
  call<Q, R>(call: Call<Q, R>, request: Q, limits: CallLimits): Promise<R>;
  watch(create: WatchRequest, handlers: WatchHandlers): WatchCall;
  /** Takes no more calls; those under way go on. */
  leave(): void;
  /** Ends calls under way. */
  close(): void;
}
