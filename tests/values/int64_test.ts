import assert from "node:assert/strict";
import { parseInt64 } from "../../schema/values/int64.ts";

Deno.test("texts of integers of 64 bits", () => {
  const most = 2n ** 63n - 1n;
  assert.equal(parseInt64(String(most)), most);
  assert.equal(parseInt64(`+${most}`), most);
  assert.equal(parseInt64(String(-most - 1n)), -most - 1n);
  assert.equal(parseInt64(`-${"0".repeat(100)}7`), -7n);
  assert.equal(parseInt64("0"), 0n);
  for (const bad of ["", "-", "1.0", "0x1", " 1", "1_0", String(most + 1n), String(-most - 2n)]) {
    assert.equal(parseInt64(bad), undefined, bad);
  }
});
