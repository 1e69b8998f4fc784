import assert from "node:assert/strict";
import { FrameRewriter, limitStreams } from "../../server/listen/frames.ts";
import { exchange, session, soon, until, withListener } from "./_fixture.ts";

const GOAWAY = 7;

function frame(type: number, flags: number, stream: number, payload: readonly number[]): number[] {
  return [
    payload.length >> 16,
    (payload.length >> 8) & 255,
    payload.length & 255,
    type,
    flags,
    0,
    0,
    0,
    stream,
    ...payload,
  ];
}

/** Types of the frames in bytes that must be whole frames. */
function types(bytes: readonly number[]): number[] {
  const out: number[] = [];
  for (let at = 0; at < bytes.length;) {
    out.push(bytes[at + 3]!);
    at += 9 + (bytes[at]! << 16 | bytes[at + 1]! << 8 | bytes[at + 2]!);
    assert.ok(at <= bytes.length, "a frame is cut");
  }
  return out;
}

const SETTINGS = frame(4, 0, 0, [0, 3, 0, 0, 0, 200, 0, 4, 0, 16, 0, 0]);
const STREAM = [
  ...SETTINGS,
  ...frame(4, 1, 0, []),
  // A header block of three frames: nothing may come between them.
  ...frame(1, 0, 1, [1, 2, 3]),
  ...frame(9, 0, 1, [4, 5]),
  ...frame(9, 4, 1, [6]),
  ...frame(0, 1, 1, Array.from({ length: 300 }, (_, i) => i & 255)),
  ...frame(6, 0, 0, [1, 2, 3, 4, 5, 6, 7, 8]),
];
const TYPES = types(STREAM);

Deno.test("frames: the stream limit is lowered, never raised, and added where there is none", () => {
  const limit = (bytes: Uint8Array) => new DataView(bytes.buffer).getUint32(11);
  assert.equal(limit(limitStreams(Uint8Array.from(SETTINGS), 10)), 10);
  assert.equal(limit(limitStreams(Uint8Array.from(SETTINGS), 1000)), 200);
  const added = limitStreams(Uint8Array.from(frame(4, 0, 0, [0, 4, 0, 16, 0, 0])), 7);
  assert.deepEqual([...added], frame(4, 0, 0, [0, 4, 0, 16, 0, 0, 0, 3, 0, 0, 0, 7]));
  assert.deepEqual([...limitStreams(Uint8Array.from(frame(4, 0, 0, [])), 7)], frame(4, 0, 0, [0, 3, 0, 0, 0, 7]));
});

Deno.test("frames: however the bytes are cut, GOAWAY comes once, between whole frames, outside header blocks", () => {
  for (const size of [1, 2, 5, 9, 10, 33, 64, 1000]) {
    for (let when = 0; when <= STREAM.length; when += 7) {
      const out: number[] = [];
      const rewriter = new FrameRewriter(0, (bytes) => void out.push(...bytes));
      for (let at = 0; at < STREAM.length; at += size) {
        if (at <= when && when < at + size) rewriter.goAway();
        out.push(...rewriter.push(Uint8Array.from(STREAM.slice(at, at + size))));
      }
      rewriter.goAway();
      const found = types(out);
      assert.equal(found.filter((t) => t === GOAWAY).length, 1);
      assert.deepEqual(found.filter((t) => t !== GOAWAY), TYPES);
      assert.equal(found[0], 4, "SETTINGS comes first");
      assert.ok(![9].includes(found[found.indexOf(GOAWAY) + 1]!), "not before a CONTINUATION");
    }
  }
});

Deno.test("frames: HTTP/1.1 passes unchanged", () => {
  const rewriter = new FrameRewriter(5, () => assert.fail("nothing is to be written"));
  const text = new TextEncoder().encode("HTTP/1.1 200 OK\r\n\r\n");
  assert.deepEqual(rewriter.push(text), text);
  rewriter.goAway();
  assert.equal(rewriter.push(text), text);
});

Deno.test("listener: the stream limit that a client hears of is the option's", async () => {
  for (const [maxStreams, expected] of [[0, 200], [7, 7]] as const) {
    await withListener(() => new Response("ok"), { http2: { maxStreams } }, async ({ port }) => {
      const client = session(port);
      const settings = new Promise<{ maxConcurrentStreams?: number }>((r) => client.once("remoteSettings", r));
      assert.equal((await exchange(client, { ":path": "/" })).body, "ok");
      assert.equal((await soon(settings, "SETTINGS")).maxConcurrentStreams, expected);
      client.close();
    });
  }
});

Deno.test("listener: by chance a client is told to go away, and what is in flight ends", async () => {
  const random = [0.9, 0.9, 0.001];
  const options = {
    http2: { goawayChance: 0.02 },
    // The first draws are for the source address of the connection.
    random: () => random.shift() ?? 0.5,
  };
  let answer = () => {};
  const handler = () => new Promise<Response>((resolve) => answer = () => resolve(new Response("ok")));
  await withListener(handler, { ...options, random: () => 0.001 }, async ({ url }) => {
    const { ca } = await import("./_fixture.ts");
    const http = Deno.createHttpClient({ caCerts: [ca.cert], http1: false });
    for (let i = 0; i < 3; i++) {
      let text = "";
      const asked = fetch(url, { client: http }).then(async (r) => text = await r.text());
      answer = () => {};
      await until("the request is answered", () => {
        answer();
        return text === "ok";
      });
      await asked;
    }
    http.close();
  });
  await withListener(() => new Response("ok"), { ...options, random: () => 0.001 }, async ({ port }) => {
    const client = session(port);
    const told = new Promise<number>((resolve) => client.once("goaway", resolve));
    const stream = client.request({ ":path": "/" });
    stream.on("error", () => {});
    stream.resume();
    assert.equal(await soon(told, "GOAWAY"), 0);
    client.destroy();
  });
});
