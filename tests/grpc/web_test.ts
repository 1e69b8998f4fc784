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

/** Runs with an endpoint that answers so. */
async function answered(
  answer: () => Response | Promise<Response>,
  run: (at: WebTransport) => Promise<void>,
): Promise<void> {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, answer);
  const transport = new WebTransport(`http://127.0.0.1:${server.addr.port}`);
  try {
    await run(transport);
  } finally {
    transport.close();
    await server.shutdown();
  }
}

const trailers = (text: string): Uint8Array => {
  const bytes = frame(new TextEncoder().encode(text));
  bytes[0] = 0x80;
  return bytes;
};
const sent = (...parts: Uint8Array[]) => new Response(concat(parts) as Uint8Array<ArrayBuffer>);

/** What an endpoint answers, other than a message and that all went well → the status that is told. */
const REFUSALS: readonly [answer: () => Response, status: string, details: RegExp][] = [
  [() => new Response("no", { status: 401 }), "Unauthenticated", /answers HTTP 401$/],
  [() => new Response("no", { status: 403 }), "PermissionDenied", /answers HTTP 403$/],
  [() => new Response(frame(new Uint8Array()) as Uint8Array<ArrayBuffer>, { status: 502 }), "Unavailable", /HTTP 502$/],
  [() => new Response(null, { headers: { "grpc-status": "11", "grpc-message": "gone" } }), "OutOfRange", /^gone$/],
  [() => sent(trailers("grpc-status: 0\r\n")), "Internal", /^no answer$/],
  [() => sent(frame(new Uint8Array()), trailers("grpc-status: 8\r\n")), "ResourceExhausted", /^$/],
];

Deno.test("gRPC-web: what is no message with a good end is told by its status", async () => {
  for (const [answer, status, details] of REFUSALS) {
    await answered(answer, async (transport) => {
      const call = transport.call(RPC.range, { key: new Uint8Array([1]) }, { timeout: 60_000 });
      await assert.rejects(
        call,
        (e) => e instanceof GrpcError && e.status === status && details.test(e.details),
        status,
      );
    });
  }
});

Deno.test("gRPC-web: a call that is not answered ends in its time, or with the connection", async () => {
  const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()],
    { promise, resolve } = Promise.withResolvers<Response>();
  let n = 0;
  await answered(() => (asked[n++]!.resolve(), promise), async (transport) => {
    const call = (timeout: number) => transport.call(RPC.range, { key: new Uint8Array([1]) }, { timeout });
    await assert.rejects(call(100), { name: "GrpcError", status: "Canceled" });
    const last = assert.rejects(call(20_000), { name: "GrpcError", status: "Unavailable" });
    await asked[1]!.promise;
    transport.close();
    await last;
    resolve(new Response());
  });
});

Deno.test("gRPC-web: a watch tells each message and that it ended, and nothing once it is given up", async () => {
  let body!: ReadableStreamDefaultController<Uint8Array>;
  const stream = () => new Response(new ReadableStream({ start: (controller) => void (body = controller) }));
  await answered(stream, async (transport) => {
    for (const givenUp of [false, true]) {
      const told: string[] = [], begun = Promise.withResolvers<void>(), ended = Promise.withResolvers<void>();
      const watch = transport.watch({}, {
        message: () => (told.push("message"), begun.resolve()),
        end: ({ status }) => (told.push(status), ended.resolve()),
      });
      while (!body) await new Promise((done) => setTimeout(done, 1));
      body.enqueue(frame(new Uint8Array()));
      await begun.promise;
      if (givenUp) watch.cancel();
      try {
        body.enqueue(frame(new Uint8Array()));
        body.close();
      } catch { /* it was given up */ }
      if (!givenUp) await ended.promise;
      else for (let i = 0; i < 20; i++) await new Promise((done) => setTimeout(done));
      assert.deepEqual(told, givenUp ? ["message"] : ["message", "message", "Unavailable"]);
      body = undefined!;
    }
  });
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
