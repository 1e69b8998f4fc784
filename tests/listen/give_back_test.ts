/** When freed memory is given back. */
import assert from "node:assert/strict";
import { QuietTimes } from "../../host/give_back.ts";

Deno.test("memory is given back after work, while there is little to do, and no more when it was quiet for long", () => {
  const quiet = new QuietTimes();
  assert.equal(quiet.look(0.01), true, "starting is work");
  assert.equal(quiet.look(0.9), false, "not while there is work");
  assert.deepEqual([quiet.look(0.01), quiet.look(0.05)], [true, true]);
  assert.equal(quiet.look(0.5), false);
  const looks = Array.from({ length: 30 }, () => quiet.look(0.01));
  assert.deepEqual([looks.indexOf(false), looks.lastIndexOf(true)], [20, 19]);
});
