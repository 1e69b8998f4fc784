/** The order of texts by their UTF-8 bytes. */
import { Buffer } from "node:buffer";
import assert from "node:assert/strict";
import { compareUnits, compareUtf8, orderKey } from "../../schema/values/utf8.ts";

const KEYS = ["", "a", "a-b/x", "a/x", "aa", "é", "\ud7ff", "\ue000", "\uff5e", "\uffff", "\u{10000}", "\u{1f600}"];

Deno.test("utf8: keys are ordered by UTF-8 bytes", () => {
  assert.deepEqual(KEYS.toReversed().sort(compareUtf8), KEYS);
  for (const a of KEYS) {
    for (const b of KEYS) {
      const bytes = Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      assert.equal(Math.sign(compareUtf8(a, b)), bytes, `${a} ${b}`);
      assert.equal(compareUnits(orderKey(a), orderKey(b)), bytes, `${a} ${b}`);
    }
  }
});

Deno.test("utf8: the key of an order keeps prefixes", () => {
  for (const key of KEYS) assert.ok(orderKey(`${key}x`).startsWith(orderKey(key)));
});
