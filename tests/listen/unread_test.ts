import assert from "node:assert/strict";
import { readOff } from "../../server/listen/unread.ts";

/** A request whose body gives so many pieces of 64 KiB, or another length, and then ends, or does not. */
function request(pieces: number, ends: boolean, length = 65_536) {
  const given = { pieces: 0 };
  const body = new ReadableStream<Uint8Array>({
    pull(to) {
      if (given.pieces < pieces) {
        given.pieces++;
        return to.enqueue(new Uint8Array(length));
      }
      if (ends) return to.close();
      return new Promise(() => {});
    },
  }, { highWaterMark: 0 });
  return { given, request: new Request("http://x/", { method: "POST", body }) };
}

for (
  const [what, pieces, ends, read] of [
    ["an ended body is read to its end", 3, true, 3],
    ["an endless one up to 4 MiB", 1000, false, 65],
    ["of one that stops what came", 1, false, 1],
  ] as const
) {
  Deno.test(`unread: ${what}`, async () => {
    const made = request(pieces, ends);
    await readOff(made.request);
    assert.equal(made.given.pieces, read);
  });
}

Deno.test("unread: of a body that comes in crumbs no more pieces are read than there are frames in 4 MiB", async () => {
  const made = request(100_000, false, 1);
  await readOff(made.request);
  assert.equal(made.given.pieces, 257);
});

Deno.test("unread: a body of more than that is not begun, nor one of who asks first, nor one that somebody else reads", async () => {
  const long = new Request("http://x/", { method: "POST", body: "x", headers: { "content-length": "5000000" } });
  await readOff(long);
  assert.equal(long.bodyUsed, false);
  const asks = new Request("http://x/", { method: "POST", body: "x", headers: { expect: "100-continue" } });
  await readOff(asks);
  assert.equal(asks.bodyUsed, false);
  const read = new Request("http://x/", { method: "POST", body: "x" });
  const reader = read.body!.getReader();
  await readOff(read);
  assert.equal((await reader.read()).done, false);
});

Deno.test("unread: the rest of a body that somebody has let go of is read", async () => {
  const made = request(3, true);
  const reader = made.request.body!.getReader();
  await reader.read();
  reader.releaseLock();
  await readOff(made.request);
  assert.equal(made.given.pieces, 3);
});
