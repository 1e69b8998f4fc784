/** Native gRPC on grpc-js. */
import { Buffer } from "node:buffer";
import { isIP } from "node:net";
import { checkServerIdentity } from "node:tls";
import * as grpc from "@grpc/grpc-js";
import { RPC, type Rpc, type WatchRequest, type WatchResponse } from "./messages.ts";
import {
  CODE,
  type Pem,
  pemText,
  RpcError,
  type Tls,
  type Transport,
  type WatchCall,
  type WatchHandlers,
} from "./transport.ts";

const OPTIONS: grpc.ChannelOptions = {
  // A member that hangs is found out; etcd allows a ping every 5 s.
  "grpc.keepalive_time_ms": 10_000,
  "grpc.keepalive_timeout_ms": 5_000,
  "grpc.max_receive_message_length": -1,
  "grpc.max_send_message_length": -1,
  "grpc.initial_reconnect_backoff_ms": 100,
  "grpc.max_reconnect_backoff_ms": 2_000,
  "grpc.enable_retries": 0,
  // Each store has connections of its own: one that is closed takes none from another.
  "grpc.use_local_subchannel_pool": 1,
};

/** An endpoint `host:port`. */
export class GrpcTransport implements Transport {
  readonly canAsk = true;
  readonly #client: grpc.Client;

  /** `through`: the path of a socket that leads to the address; TLS is with the address all the same. */
  constructor(readonly address: string, secure: boolean, tls: Tls = {}, through?: string) {
    const pem = (pem?: Pem) => pem ? Buffer.from(pemText(pem)) : null;
    const { options, verify } = secure ? identity(address) : { options: {}, verify: {} };
    const credentials = secure
      ? grpc.credentials.createSsl(pem(tls.ca), pem(tls.key), pem(tls.cert), verify)
      : grpc.credentials.createInsecure();
    const led = through === undefined ? {} : { ...named(address, secure), "grpc.default_authority": address };
    const target = through === undefined ? address : `unix:${through}`;
    this.#client = new grpc.Client(target, credentials, { ...OPTIONS, ...led, ...options });
  }

  call<Q, R>(rpc: Rpc<Q, R>, request: Q, signal: AbortSignal): Promise<R> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(new RpcError(CODE.cancelled, "cancelled"));
      const call = this.#client.makeUnaryRequest(
        rpc.path,
        (message: Q) => asBuffer(rpc.encode(message)),
        (bytes: Buffer) => rpc.decode(plain(bytes)),
        request,
        (error, response) => {
          signal.removeEventListener("abort", cancel);
          if (error) reject(rpcError(error));
          else resolve(response!);
        },
      );
      const cancel = () => call.cancel();
      signal.addEventListener("abort", cancel, { once: true });
    });
  }

  watch(create: WatchRequest, handlers: WatchHandlers): WatchCall {
    const metadata = new grpc.Metadata();
    // A member cut off from the others ends the stream rather than saying nothing.
    metadata.set("hasleader", "true");
    const call = this.#client.makeBidiStreamRequest(
      RPC.watch.path,
      (message: WatchRequest) => asBuffer(RPC.watch.encode(message)),
      (bytes: Buffer) => RPC.watch.decode(plain(bytes)),
      metadata,
    );
    let ended = false;
    const end = (error: RpcError) => {
      if (ended) return;
      ended = true;
      handlers.end(error);
    };
    call.on("data", (response: WatchResponse) => ended || handlers.message(response));
    call.on("error", (error) => end(rpcError(error)));
    call.on("end", () => end(new RpcError(CODE.unavailable, "the watch ended")));
    call.write(create);
    return {
      progress: () => void (ended || call.write({ progress: {} })),
      cancel: () => {
        ended = true;
        call.cancel();
      },
    };
  }

  close(): void {
    this.#client.close();
  }
}

/** A name of no host. */
const NO_NAME = "address.invalid";

/**
 * TLS names no server by its address, and the runtime refuses one as `servername`, which grpc-js would set: for an address
 * another name is sent, and the certificate is checked for the address.
 */
function identity(address: string): { options: grpc.ChannelOptions; verify: grpc.VerifyOptions } {
  const host = hostOf(address);
  if (isIP(host) === 0) return { options: {}, verify: {} };
  return {
    options: { "grpc.ssl_target_name_override": NO_NAME },
    verify: { checkServerIdentity: (_host, certificate) => checkServerIdentity(host, certificate) },
  };
}

const hostOf = (address: string): string => address.replace(/:\d+$/, "").replace(/^\[|\]$/g, "");

/** The name that TLS over a socket asks for: that of the address. */
const named = (address: string, secure: boolean): grpc.ChannelOptions =>
  secure ? { "grpc.ssl_target_name_override": hostOf(address) } : {};

/** Not a Buffer, whose `slice` is no copy. */
function plain(bytes: Buffer): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function rpcError(error: Error): RpcError {
  const { code, details } = error as Partial<grpc.ServiceError>;
  return new RpcError(code ?? CODE.unknown, details || error.message, { cause: error });
}
