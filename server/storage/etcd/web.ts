/** gRPC-web over fetch: for proxies and hosts that have nothing else. A watch is one stream with its request up front. */
import type { Call } from "../../../schema/grpc/call.ts";
import { type CallLimits, cancelled } from "../../../schema/grpc/ending.ts";
import { messageOf } from "../../../schema/grpc/headers.ts";
import { GrpcError, type StatusName, statusName } from "../../../schema/grpc/status.ts";
import { concat } from "../../../schema/values/bytes.ts";
import type { Material } from "../../grpc/tls.ts";
import { RPC, type WatchRequest } from "./messages.ts";
import type { Transport, WatchCall, WatchHandlers } from "./transport.ts";

/** Bytes before a message: flags and its length. */
const HEAD = 5;
/** First byte of a frame: trailers rather than a message. */
const TRAILERS = 0x80;

/** An endpoint `http(s)://host:port/path`. */
export class WebTransport implements Transport {
  readonly canAsk = false;
  readonly #client: Deno.HttpClient | undefined;
  readonly #closed = new AbortController();

  constructor(readonly address: string, tls?: Material) {
    if (tls?.ca || tls?.cert) this.#client = Deno.createHttpClient(httpClient(tls));
  }

  async call<Q, R>(call: Call<Q, R>, request: Q, { signal, timeout }: CallLimits): Promise<R> {
    let answer: R | undefined;
    const ends = [...signal ? [signal] : [], ...timeout === undefined ? [] : [AbortSignal.timeout(timeout)]];
    await this.#run(call, request, AbortSignal.any(ends), (message) => answer = message);
    if (answer === undefined) throw new GrpcError("Internal", "no answer");
    return answer;
  }

  watch(create: WatchRequest, handlers: WatchHandlers): WatchCall {
    const abort = new AbortController();
    const message = (response: Parameters<WatchHandlers["message"]>[0]) =>
      abort.signal.aborted || handlers.message(response);
    this.#run(RPC.watch, create, abort.signal, message).then(
      () => abort.signal.aborted || handlers.end(new GrpcError("Unavailable", "the watch ended")),
      (error) => abort.signal.aborted || handlers.end(error),
    );
    return { progress: () => {}, cancel: () => abort.abort() };
  }

  async #run<Q, R>(call: Call<Q, R>, request: Q, signal: AbortSignal, message: (m: R) => void): Promise<void> {
    try {
      const response = await fetch(this.address + call.path, {
        method: "POST",
        headers: {
          "content-type": "application/grpc-web+proto",
          "x-grpc-web": "1",
          accept: "application/grpc-web+proto",
        },
        body: frame(call.encode(request)) as Uint8Array<ArrayBuffer>,
        signal: AbortSignal.any([signal, this.#closed.signal]),
        ...this.#client && { client: this.#client },
      });
      if (response.headers.has("grpc-status")) status(response.headers);
      if (!response.ok || !response.body) {
        await response.body?.cancel();
        throw new GrpcError(httpStatus(response.status), `${this.address} answers HTTP ${response.status}`);
      }
      for await (const { flags, bytes } of frames(response.body)) {
        if (flags & TRAILERS) status(trailers(bytes));
        else message(call.decode(bytes));
      }
    } catch (error) {
      if (error instanceof GrpcError) throw error;
      if (signal.aborted) throw cancelled();
      throw new GrpcError("Unavailable", error instanceof Error ? error.message : String(error), { cause: error });
    }
  }

  /** Calls under way need nothing of it. */
  leave(): void {}

  close(): void {
    this.#closed.abort();
    this.#client?.close();
  }
}

function httpClient(tls: Material): Parameters<typeof Deno.createHttpClient>[0] {
  return {
    ...tls.ca && { caCerts: [tls.ca] },
    ...tls.cert && tls.key && { cert: tls.cert, key: tls.key },
  } as Parameters<typeof Deno.createHttpClient>[0];
}

function httpStatus(status: number): StatusName {
  return status === 401 ? "Unauthenticated" : status === 403 ? "PermissionDenied" : "Unavailable";
}

/** A message with its head. */
export function frame(message: Uint8Array): Uint8Array {
  const out = new Uint8Array(HEAD + message.length);
  new DataView(out.buffer).setUint32(1, message.length);
  out.set(message, HEAD);
  return out;
}

/** The frames of a body, however it is cut. @throws GrpcError `Unavailable` when it ends within a frame */
export async function* frames(body: ReadableStream<Uint8Array>): AsyncGenerator<{ flags: number; bytes: Uint8Array }> {
  let held: Uint8Array[] = [], size = 0, wanted = HEAD;
  for await (const chunk of body) {
    held.push(chunk);
    size += chunk.length;
    // A page comes in many pieces, which are put together once.
    if (size < wanted) continue;
    let rest: Uint8Array = concat(held);
    while (rest.length >= (wanted = frameEnd(rest))) {
      yield { flags: rest[0]!, bytes: rest.subarray(HEAD, wanted) };
      rest = rest.subarray(wanted);
    }
    held = [rest];
    size = rest.length;
  }
  if (size > 0) throw new GrpcError("Unavailable", "the answer was cut short");
}

/** Where the first frame ends; of one whose head is not there, where the head does. */
const frameEnd = (bytes: Uint8Array): number =>
  bytes.length < HEAD ? HEAD : HEAD + new DataView(bytes.buffer, bytes.byteOffset).getUint32(1);

function trailers(bytes: Uint8Array): Headers {
  const out = new Headers();
  for (const line of new TextDecoder().decode(bytes).split("\r\n")) {
    const at = line.indexOf(":");
    if (at > 0) out.append(line.slice(0, at).trim(), line.slice(at + 1).trim());
  }
  return out;
}

function status(headers: Headers): void {
  const code = Number(headers.get("grpc-status") ?? 0);
  if (code !== 0) throw new GrpcError(statusName(code), messageOf(headers.get("grpc-message") ?? ""));
}
