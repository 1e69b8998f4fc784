import assert from "node:assert/strict";
import { fnv64a } from "../../schema/values/fnv.ts";
import { seeded } from "../fixture/random.ts";

Deno.test("fnv: published vectors", () => {
  const table: [string, bigint][] = [
    ["", 0xcbf29ce484222325n],
    ["a", 0xaf63dc4c8601ec8cn],
    ["b", 0xaf63df4c8601f1a5n],
    ["foobar", 0x85944171f73967e8n],
  ];
  for (const [text, wide] of table) {
    assert.equal(fnv64a(text), wide, text);
  }
});

Deno.test("fnv: random bytes agree with the definition in big integers", () => {
  const random = seeded(1);
  for (let i = 0; i < 500; i++) {
    const bytes = Uint8Array.from({ length: Math.floor(random() * 40) }, () => Math.floor(random() * 256));
    let want = 0xcbf29ce484222325n;
    for (const b of bytes) want = BigInt.asUintN(64, (want ^ BigInt(b)) * 0x100000001b3n);
    assert.equal(fnv64a(bytes), want);
  }
});
