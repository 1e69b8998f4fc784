import assert from "node:assert/strict";
import { lengthOf, sharedBody } from "../../server/large_body.ts";
import { withServer } from "../fixture/server.ts";

Deno.test("a large body is copied as its client takes it, and left when that takes too long", async () => {
  const bytes = crypto.getRandomValues(new Uint8Array(64 * 1024)), large = new Uint8Array(1 << 20);
  for (let at = 0; at < large.length; at += bytes.length) large.set(bytes.map((b) => b ^ (at >> 16)), at);
  assert.equal(sharedBody(bytes, 1000), bytes);
  const body = sharedBody(large, 60_000);
  assert.ok(body instanceof ReadableStream);
  assert.deepEqual(await new Response(body).bytes(), large);
  assert.deepEqual(lengthOf(large), { "content-length": "1048576" });
  const reader = (sharedBody(large, 1) as ReadableStream<Uint8Array>).getReader();
  await assert.rejects(reader.closed, /not whole within/);
});

Deno.test("large answers tell their length: documents, packed and not, and objects", () =>
  withServer([], async (t) => {
    const data = { a: "x".repeat(500_000) };
    await t.fetch("/api/v1/namespaces/default/configmaps", { body: { metadata: { name: "large" }, data } });
    const rows = [
      ["/openapi/v2", "identity"],
      ["/openapi/v2", "gzip"],
      ["/api/v1/namespaces/default/configmaps/large", "identity"],
    ] as const;
    for (const [path, encoding] of rows) {
      const answer = await t.open(path, { headers: { "accept-encoding": encoding } });
      assert.equal(answer.headers.get("content-length"), String((await answer.bytes()).length), `${path} ${encoding}`);
    }
  }));
