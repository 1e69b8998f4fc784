/** gRPC-web over fetch: for proxies and hosts that have nothing else. A watch is one stream with its request up front. */
import { RPC, type Rpc, type WatchRequest } from "./messages.ts";
import { CODE, pemText, RpcError, type Tls, type Transport, type WatchCall, type WatchHandlers } from "./transport.ts";

/** First byte of a frame: trailers rather than a message. */
const TRAILERS = 0x80;

/** An endpoint `http(s)://host:port/path`. */
export class WebTransport implements Transport {
  readonly canAsk = false;
  readonly #client: Deno.HttpClient | undefined;
  readonly #closed = new AbortController();

  constructor(readonly address: string, tls?: Tls) {
    if (tls?.ca || tls?.cert) this.#client = Deno.createHttpClient(httpClient(tls));
  }

  async call<Q, R>(rpc: Rpc<Q, R>, request: Q, signal: AbortSignal): Promise<R> {
    let answer: R | undefined;
    await this.#run(rpc, request, signal, (message) => answer = message);
    if (answer === undefined) throw new RpcError(CODE.internal, "no answer");
    return answer;
  }

  watch(create: WatchRequest, handlers: WatchHandlers): WatchCall {
    const abort = new AbortController();
    const message = (response: Parameters<WatchHandlers["message"]>[0]) =>
      abort.signal.aborted || handlers.message(response);
    this.#run(RPC.watch, create, abort.signal, message).then(
      () => abort.signal.aborted || handlers.end(new RpcError(CODE.unavailable, "the watch ended")),
      (error) => abort.signal.aborted || handlers.end(error),
    );
    return { progress: () => {}, cancel: () => abort.abort() };
  }

  async #run<Q, R>(rpc: Rpc<Q, R>, request: Q, signal: AbortSignal, message: (m: R) => void): Promise<void> {
    try {
      const response = await fetch(this.address + rpc.path, {
        method: "POST",
        headers: {
          "content-type": "application/grpc-web+proto",
          "x-grpc-web": "1",
          accept: "application/grpc-web+proto",
        },
        body: frame(rpc.encode(request)) as Uint8Array<ArrayBuffer>,
        signal: AbortSignal.any([signal, this.#closed.signal]),
        ...this.#client && { client: this.#client },
      });
      if (response.headers.has("grpc-status")) status(response.headers);
      if (!response.ok || !response.body) {
        await response.body?.cancel();
        throw new RpcError(httpCode(response.status), `${this.address} answers HTTP ${response.status}`);
      }
      for await (const { flags, bytes } of frames(response.body)) {
        if (flags & TRAILERS) status(trailers(bytes));
        else message(rpc.decode(bytes));
      }
    } catch (error) {
      if (error instanceof RpcError) throw error;
      const code = signal.aborted ? CODE.cancelled : CODE.unavailable;
      throw new RpcError(code, error instanceof Error ? error.message : String(error), { cause: error });
    }
  }

  close(): void {
    this.#closed.abort();
    this.#client?.close();
  }
}

function httpClient(tls: Tls): Parameters<typeof Deno.createHttpClient>[0] {
  return {
    ...tls.ca && { caCerts: [pemText(tls.ca)] },
    ...tls.cert && tls.key && { cert: pemText(tls.cert), key: pemText(tls.key) },
  } as Parameters<typeof Deno.createHttpClient>[0];
}

function httpCode(status: number): number {
  return status === 401 ? CODE.unauthenticated : status === 403 ? CODE.permission : CODE.unavailable;
}

/** A message with its five bytes before it. */
export function frame(message: Uint8Array): Uint8Array {
  const out = new Uint8Array(5 + message.length);
  new DataView(out.buffer).setUint32(1, message.length);
  out.set(message, 5);
  return out;
}

/** The frames of a body, however it is cut. @throws RpcError `unavailable` when it ends within a frame */
export async function* frames(body: ReadableStream<Uint8Array>): AsyncGenerator<{ flags: number; bytes: Uint8Array }> {
  let held: Uint8Array = new Uint8Array(0);
  for await (const chunk of body) {
    held = held.length === 0 ? chunk : join(held, chunk);
    while (held.length >= 5) {
      const end = 5 + new DataView(held.buffer, held.byteOffset).getUint32(1);
      if (held.length < end) break;
      yield { flags: held[0]!, bytes: held.subarray(5, end) };
      held = held.subarray(end);
    }
  }
  if (held.length > 0) throw new RpcError(CODE.unavailable, "the answer was cut short");
}

function join(a: Uint8Array, b: Uint8Array): Uint8Array {
  const out = new Uint8Array(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}

function trailers(bytes: Uint8Array): Headers {
  const out = new Headers();
  for (const line of new TextDecoder().decode(bytes).split("\r\n")) {
    const at = line.indexOf(":");
    if (at > 0) out.append(line.slice(0, at).trim(), line.slice(at + 1).trim());
  }
  return out;
}

function status(headers: Headers): void {
  const code = Number(headers.get("grpc-status") ?? CODE.ok);
  if (code !== CODE.ok) throw new RpcError(code, decodeURIComponent(headers.get("grpc-message") ?? ""));
}
