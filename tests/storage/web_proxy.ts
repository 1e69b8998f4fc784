/** A gRPC-web proxy before an etcd member, as Envoy would be one. */
import { Buffer } from "node:buffer";
import * as grpc from "../libraries/grpc.ts";
import { frame, frames } from "../../server/storage/etcd/web.ts";

/** A running proxy. */
export interface WebProxy {
  readonly url: string;
  /** Ends all that is open and refuses what comes, or takes it again. */
  cut(on: boolean): void;
  close(): Promise<void>;
}

/** Starts one on a free loopback port. */
export function webProxy(endpoint: string): WebProxy {
  const client = new grpc.Client(new URL(endpoint).host, grpc.credentials.createInsecure());
  const open = new Set<grpc.ClientDuplexStream<Buffer, Buffer>>();
  let refuse = false;

  async function handle(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (refuse) return new Response(null, { status: 503 });
    const messages = await Array.fromAsync(frames(request.body!));
    const same = (bytes: Buffer) => bytes;
    const call = client.makeBidiStreamRequest<Buffer, Buffer>(pathname, same, same);
    open.add(call);
    for (const { bytes } of messages) call.write(Buffer.from(bytes));
    if (!pathname.endsWith("/Watch")) call.end();
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const finish = (code: number, message: string) => {
          open.delete(call);
          const text = new TextEncoder().encode(
            `grpc-status: ${code}\r\ngrpc-message: ${encodeURIComponent(message)}\r\n`,
          );
          const trailers = frame(text);
          trailers[0] = 0x80;
          try {
            controller.enqueue(trailers);
            controller.close();
          } catch { /* the client has gone */ }
        };
        call.on("data", (bytes: Buffer) => controller.enqueue(frame(bytes)));
        call.on("error", (error: grpc.ServiceError) => finish(error.code, error.details));
        call.on("end", () => open.has(call) && finish(0, ""));
      },
      cancel: () => {
        open.delete(call);
        call.cancel();
      },
    });
    return new Response(body, { headers: { "content-type": "application/grpc-web+proto" } });
  }

  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, handle);
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    cut(on) {
      refuse = on;
      if (on) { for (const call of open) call.cancel(); }
    },
    async close() {
      for (const call of open) call.cancel();
      client.close();
      await server.shutdown();
    },
  };
}
