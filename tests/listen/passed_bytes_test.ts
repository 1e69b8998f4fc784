/** When the collector is asked to look at its young objects. */
import assert from "node:assert/strict";
import { PassedBytes } from "../../server/listen/passed_bytes.ts";

Deno.test("young objects are looked at after every 16 MB that went to clients, however they came", () => {
  let looks = 0;
  const passed = new PassedBytes(() => looks++);
  for (let i = 0; i < 1023; i++) passed.add(16 << 10);
  assert.equal(looks, 0);
  passed.add(16 << 10);
  assert.equal(looks, 1);
  passed.add(40 << 20);
  assert.equal(looks, 2, "once for one, however long");
  passed.add(1);
  assert.equal(looks, 2);
  new PassedBytes(undefined).add(64 << 20);
});
