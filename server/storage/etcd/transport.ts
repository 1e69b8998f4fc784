/** How calls reach one endpoint: native gRPC (`grpc.ts`) or gRPC-web over fetch (`web.ts`). */
import type { Rpc, WatchRequest, WatchResponse } from "./messages.ts";

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
  end(error: RpcError): void;
}

/** One endpoint. */
export interface Transport {
  readonly address: string;
  /** Whether {@linkcode WatchCall.progress} does anything. */
  readonly canAsk: boolean;
  /** @throws RpcError */
  call<Q, R>(rpc: Rpc<Q, R>, request: Q, signal: AbortSignal): Promise<R>;
  watch(create: WatchRequest, handlers: WatchHandlers): WatchCall;
  close(): void;
}

/** gRPC status codes that are told apart. */
export const CODE = {
  ok: 0,
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadline: 4,
  notFound: 5,
  permission: 7,
  exhausted: 8,
  precondition: 9,
  aborted: 10,
  outOfRange: 11,
  internal: 13,
  unavailable: 14,
  dataLoss: 15,
  unauthenticated: 16,
} as const;

/** A call that failed. */
export class RpcError extends Error {
  override readonly name = "RpcError";

  constructor(readonly code: number, message: string, options?: { cause?: unknown }) {
    super(message, options);
  }
}
