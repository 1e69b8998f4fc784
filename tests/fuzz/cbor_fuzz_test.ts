import assert from "node:assert/strict";
import { encodeCbor, parseCbor, splitCborSequence } from "../../schema/codec/cbor.ts";
import { ValueError } from "../../schema/values/error.ts";
import { mutations, TREES } from "./_bytes.ts";

/** Each head byte, widest arguments, breaks and tags. */
const TOKENS = Array.from({ length: 256 }, (_, i) => Uint8Array.of(i));
for (const head of [0x1b, 0x3b, 0x5b, 0x7b, 0x9b, 0xbb, 0xdb]) {
  TOKENS.push(Uint8Array.of(head, 255, 255, 255, 255, 255, 255, 255, 255), Uint8Array.of(head - 1, 127, 255, 255, 255));
}
TOKENS.push(
  Uint8Array.of(0xd9, 0xd9, 0xf7),
  Uint8Array.of(0xc0),
  Uint8Array.of(0xc1, 0xfb),
  Uint8Array.of(0x61, 0x61),
  Uint8Array.of(0xf9, 0x7e, 0),
);

Deno.test("fuzz: 60,000 CBOR bodies are read, or refused with an error of our own; what is read writes and reads again", () => {
  const good = TREES.map((t) => encodeCbor(t));
  let read = 0;
  for (const body of mutations(5, 60_000, good, TOKENS)) {
    sequence(body);
    let tree;
    try {
      tree = parseCbor(body).tree;
    } catch (e) {
      if (!(e instanceof ValueError)) throw e;
      continue;
    }
    read++;
    const again = encodeCbor(tree);
    assert.deepEqual(encodeCbor(parseCbor(again).tree), again);
  }
  assert.ok(read > 500 && read < 55_000, `both ways are tried: ${read} were read`);
});

/** A body splits into items that together are the body, or is refused. */
function sequence(body: Uint8Array): void {
  try {
    const { items, rest } = splitCborSequence(body);
    assert.equal(items.reduce((n, i) => n + i.length, 0) + rest.length, body.length);
  } catch (e) {
    if (!(e instanceof ValueError)) throw e;
  }
}
