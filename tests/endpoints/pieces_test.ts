/** Bodies made of many parts. */
import assert from "node:assert/strict";
import { pieces } from "../../server/endpoints/pieces.ts";

Deno.test("texts and bytes of any length, more of them than a piece has room for, are put together whole", async () => {
  const UTF8 = new TextEncoder();
  for (const text of ["x".repeat(100_000), "é€".repeat(700), "\u{1f600}"]) {
    const count = Math.ceil(400_000 / text.length);
    const parts = Array.from({ length: count }, (_, i) => i % 3 === 2 ? UTF8.encode(text) : `${i}${text}`);
    const whole = parts.map((part) => typeof part === "string" ? part : text).join("");
    assert.equal(await new Response(pieces(parts.values())).text(), whole);
    const few = parts.slice(0, 1);
    assert.ok(pieces(few.values()) instanceof Uint8Array, "what is small is no stream");
  }
});
