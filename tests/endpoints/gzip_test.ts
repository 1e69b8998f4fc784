import assert from "node:assert/strict";
import { setImmediate } from "node:timers";
import { gunzipSync } from "node:zlib";
import { gzipped, zippedSlowly } from "../../server/endpoints/gzip.ts";
import { soon } from "../listen/_fixture.ts";

const PIECE = 64 * 1024;

/** Random bytes, which do not get smaller; `end` after so many pieces. */
function pieces(count: number, end: (controller: ReadableStreamDefaultController<Uint8Array>) => void) {
  const left = Promise.withResolvers<void>();
  let given = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (given === count) return end(controller);
      given++;
      controller.enqueue(crypto.getRandomValues(new Uint8Array(PIECE)));
    },
    cancel: () => left.resolve(),
  }, { highWaterMark: 0 });
  return { body, given: () => given, left: left.promise };
}

Deno.test("an answer is compressed as its client takes it, and left when the client leaves", async () => {
  const { body, given, left } = pieces(1000, (c) => c.close());
  const reader = gzipped(body).getReader();
  await reader.read();
  // What reads ahead does so by now.
  for (let turn = 0; turn < 20; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
  assert.ok(given() < 20, `${given()} pieces for one that was taken`);
  await reader.cancel();
  await soon(left, "the end of what was read from");
});

Deno.test("a compressed answer is whole, and others have their turn meanwhile", async () => {
  const { body } = pieces(100, (c) => c.close());
  let turns = 0;
  const timer = setInterval(() => turns++);
  const bytes = await new Response(gzipped(body)).bytes();
  clearInterval(timer);
  assert.equal(gunzipSync(bytes).length, 100 * PIECE);
  assert.ok(turns > 0, "a timer that was due was held back until the end");
});

Deno.test("a fault in the midst of an answer is one of its compressed form, and nobody else's", async () => {
  const { body } = pieces(3, (c) => c.error(new Error("the store is gone")));
  await assert.rejects(new Response(gzipped(body)).bytes(), /the store is gone/);
});

Deno.test("a document that is compressed in slices is whole, and others have their turn meanwhile", async () => {
  const document = Uint8Array.from({ length: 10 * PIECE + 1 }, (_, i) => i * i >> 7);
  let turns = 0;
  const timer = setInterval(() => turns++);
  const bytes = await zippedSlowly(document);
  clearInterval(timer);
  assert.deepEqual(new Uint8Array(gunzipSync(bytes)), document);
  assert.ok(turns > 0, "a timer that was due was held back until the end");
});
