import assert from "node:assert/strict";
import { gunzipSync, gzipSync, inflateRawSync } from "node:zlib";
import { deflateRawSync } from "node:zlib";
import { PAGE_ENCODINGS, within } from "../../server/proxy/encodings.ts";

const SIZE = 32 * 1024 * 1024;
const bytesOf = async (body: ReadableStream<Uint8Array>) => new Uint8Array(await new Response(body).arrayBuffer());

Deno.test("What is packed a thousandfold is looked into piece by piece, and others have their turn meanwhile", async () => {
  const packed = new Uint8Array(gzipSync(new Uint8Array(SIZE)));
  let largest = 0, seen = 0, turns = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, out) {
      largest = Math.max(largest, piece.length);
      seen += piece.length;
      out.enqueue(piece);
    },
  });
  const body = within(new Blob([packed]).stream(), PAGE_ENCODINGS.get("gzip")!, (plain) => plain.pipeThrough(counted));
  const timer = setInterval(() => turns++);
  const out = await bytesOf(body);
  clearInterval(timer);
  assert.equal(seen, SIZE);
  assert.equal(gunzipSync(out).length, SIZE);
  assert.ok(largest <= 64 * 1024, `a piece of ${largest} bytes`);
  assert.ok(turns > 0, "a timer that was due was held back until the end");
});

Deno.test("A page is changed within its encoding; one that is cut off, or left, ends", async () => {
  const rows = [["gzip", gzipSync, gunzipSync], ["deflate", deflateRawSync, inflateRawSync]] as const;
  for (const [name, pack, unpack] of rows) {
    const encoding = PAGE_ENCODINGS.get(name)!, packed = new Uint8Array(pack("a page"));
    const same = (body: ReadableStream<Uint8Array>) => body;
    assert.equal(unpack(await bytesOf(within(new Blob([packed]).stream(), encoding, same))).toString(), "a page");
    await assert.rejects(bytesOf(within(new Blob([packed.subarray(0, -4)]).stream(), encoding, same)), name);
    const left = Promise.withResolvers<void>();
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(packed.subarray(0, 4)),
      cancel: () => left.resolve(),
    });
    const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("cut")) });
    await assert.rejects(bytesOf(within(broken, encoding, same)), /cut/);
    await within(endless, encoding, same).cancel();
    await left.promise;
  }
});
