/** gRPC-web: what its trailers tell. */
import assert from "node:assert/strict";
import { GrpcError } from "../../schema/grpc/status.ts";
import { RPC } from "../../server/storage/etcd/messages.ts";
import { frame, WebTransport } from "../../server/storage/etcd/web.ts";

const MESSAGES: readonly [sent: string, told: string][] = [
  ["compacted%20here", "compacted here"],
  ["100% sure", "100% sure"],
  ["%e2%82%ac %zz", "\u20ac %zz"],
  ["%ff", "\ufffd"],
];
Deno.test("gRPC-web: a refusal keeps its status whatever its message looks like", async () => {
  for (const [sent, told] of MESSAGES) {
    const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, () => {
      const body = frame(new TextEncoder().encode(`grpc-status: 11\r\ngrpc-message: ${sent}\r\n`));
      body[0] = 0x80;
      return new Response(body as Uint8Array<ArrayBuffer>, {
        headers: { "content-type": "application/grpc-web+proto" },
      });
    });
    const transport = new WebTransport(`http://127.0.0.1:${server.addr.port}`);
    const call = transport.call(RPC.range, { key: new Uint8Array([1]) }, {});
    await assert.rejects(call, (e) => e instanceof GrpcError && e.status === "OutOfRange" && e.details === told);
    transport.close();
    await server.shutdown();
  }
});
