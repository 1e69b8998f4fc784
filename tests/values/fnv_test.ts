import assert from "node:assert/strict";
import { fnv32, fnv32a, fnv64a, fnv64aHalves } from "../../schema/values/fnv.ts";
import { seeded } from "../fixture/random.ts";

Deno.test("fnv: published vectors", () => {
  const table: [string, number, number, bigint][] = [
    ["", 0x811c9dc5, 0x811c9dc5, 0xcbf29ce484222325n],
    ["a", 0x050c5d7e, 0xe40c292c, 0xaf63dc4c8601ec8cn],
    ["b", 0x050c5d7d, 0xe70c2de5, 0xaf63df4c8601f1a5n],
    ["foobar", 0x31f0b262, 0xbf9cf968, 0x85944171f73967e8n],
  ];
  for (const [text, one, oneA, wide] of table) {
    assert.equal(fnv32(text), one, text);
    assert.equal(fnv32a(text), oneA, text);
    assert.equal(fnv64a(text), wide, text);
  }
});

Deno.test("fnv: the halves agree with the definition in big integers", () => {
  const random = seeded(1);
  for (let i = 0; i < 500; i++) {
    const bytes = Uint8Array.from({ length: Math.floor(random() * 40) }, () => Math.floor(random() * 256));
    let want = 0xcbf29ce484222325n;
    for (const b of bytes) want = BigInt.asUintN(64, (want ^ BigInt(b)) * 0x100000001b3n);
    const { high, low } = fnv64aHalves(bytes);
    assert.equal(BigInt(high) << 32n | BigInt(low), want);
  }
});
