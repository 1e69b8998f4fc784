import assert from "node:assert/strict";
import { bodyMedia, readBody } from "../../server/endpoints/body.ts";
import type { MediaType } from "../../server/negotiation/media.ts";
import { StatusError } from "../../schema/status.ts";

const bytes = (length: number) => new Uint8Array(length).fill(120);

/** Two pieces of half the length, and then the end, or an error. */
function pieces(length: number, broken = false): ReadableStream<Uint8Array> {
  let left = 2;
  return new ReadableStream({
    pull(controller) {
      if (left-- > 0) controller.enqueue(bytes(length / 2));
      else if (broken) controller.error(new Error("gone"));
      else controller.close();
    },
  });
}

function request(body: BodyInit | null, told?: number): Request {
  const headers: HeadersInit = told === undefined ? {} : { "content-length": String(told) };
  return new Request("http://x/", { method: "POST", body, headers });
}

const code = (wanted: number) => (e: unknown) => e instanceof StatusError && e.code === wanted;

Deno.test("a body comes whole, its length told or not", async () => {
  assert.equal((await readBody(request(bytes(2_000), 2_000))).byteLength, 2_000);
  assert.equal((await readBody(request(pieces(2_000), 2_000))).byteLength, 2_000);
  assert.equal((await readBody(request(pieces(2_000)))).byteLength, 2_000);
  assert.equal((await readBody(request(null))).byteLength, 0);
  assert.equal((await readBody(request(null, 0))).byteLength, 0);
});

Deno.test("a body past the limit is refused, by the length that is told and by the one that comes", async () => {
  await assert.rejects(readBody(request(bytes(10), 11), 10), code(413));
  await assert.rejects(readBody(request(pieces(12), 5), 10), code(413));
  await assert.rejects(readBody(request(pieces(12)), 10), code(413));
});

/** A body of so many pieces of a length, each at the begin of 64 KiB. */
const crumbs = (count: number, length: number) =>
  ReadableStream.from(Array.from({ length: count }, () => new Uint8Array(65_536).subarray(0, length)));

Deno.test("a body in small pieces is kept in its own length, and one of crumbs is a bad request", async () => {
  assert.equal((await readBody(request(crumbs(1_000, 1)))).byteLength, 1_000);
  assert.equal((await readBody(request(crumbs(5_000, 600)))).byteLength, 3_000_000);
  await assert.rejects(readBody(request(crumbs(1_300, 100))), code(400));
});

Deno.test("a body that breaks off is a bad request", async () => {
  await assert.rejects(readBody(request(pieces(4, true), 8)), code(400));
  await assert.rejects(readBody(request(pieces(4, true))), code(400));
});

Deno.test("the type of a body is read in time, whatever blanks are in it", () => {
  const offered = [{ type: "application", subtype: "json", metadataOnly: false } as MediaType];
  const long = " ".repeat(15_000);
  // Tried in all ways, the last two would not end within hours.
  for (const text of [`application/json${long}`, `application/json;${long}a${long}=${long}b${long};${long}`]) {
    assert.equal(bodyMedia(text, offered), offered[0]);
  }
  for (const text of [`application/json${long};(`, `application/json; a=b${long}(`]) {
    assert.throws(() => bodyMedia(text, offered), code(415));
  }
});
