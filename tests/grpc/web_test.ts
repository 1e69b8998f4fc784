/** gRPC-web: what its trailers tell, and frames that come in pieces of any length. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { GrpcError } from "../../schema/grpc/status.ts";
import { concat } from "../../schema/values/bytes.ts";
import { RPC } from "../../server/storage/etcd/messages.ts";
import { frame, frames, WebTransport } from "../../server/storage/etcd/web.ts";

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

const pieces = (whole: Uint8Array, length: number): ReadableStream<Uint8Array> =>
  ReadableStream.from(function* () {
    for (let at = 0; at < whole.length; at += length) yield whole.subarray(at, at + length);
  }());

Deno.test("gRPC-web: frames are the same however they are cut", async () => {
  const messages = [0, 1, 0, 4, 300, 0].map((length, i) => new Uint8Array(length).fill(i));
  const whole = concat(messages.map(frame));
  for (let length = 1; length <= whole.length; length++) {
    const found = await Array.fromAsync(frames(pieces(whole, length)));
    assert.deepEqual(found.map(({ bytes }) => Uint8Array.from(bytes)), messages, `${length} bytes`);
    const cut = Array.fromAsync(frames(pieces(whole.subarray(0, -1), length)));
    await assert.rejects(cut, (e) => e instanceof GrpcError && e.status === "Unavailable");
  }
});

Deno.test("gRPC-web: a frame of many pieces is put together once", async () => {
  const page = new Uint8Array(4 << 20).fill(7);
  const [only, ...others] = await Array.fromAsync(frames(pieces(frame(page), 8)));
  assert.deepEqual([only!.flags, Buffer.compare(only!.bytes, page), others], [0, 0, []]);
});
