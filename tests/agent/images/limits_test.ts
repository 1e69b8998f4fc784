/** How many images are pulled at a time. */
import assert from "node:assert/strict";
import { Bucket } from "../../../agent/images/pull_limits.ts";
import { Turns } from "../../../agent/pods/within.ts";

Deno.test("so many run at a time, the others in their order, failures or not", async () => {
  for (const most of [1, 2, Infinity]) {
    const lanes = new Turns(most), begun: number[] = [];
    const ends = [0, 1, 2, 3].map(() => Promise.withResolvers<void>());
    const all = ends.map(({ promise }, i) => lanes.take(() => (begun.push(i), promise)).catch(() => {}));
    for (let done = 0; done <= 4; done++) {
      await new Promise((next) => setTimeout(next));
      assert.deepEqual(begun, [0, 1, 2, 3].slice(0, most + done));
      if (done === 1) ends[done]!.reject(new Error("no"));
      else ends[done]?.resolve();
    }
    await Promise.all(all);
  }
});

Deno.test("tokens come back with time, up to the burst", () => {
  const bucket = new Bucket(2, 3, 0);
  const take = (now: number) => bucket.take(now);
  assert.deepEqual([0, 0, 0, 0, 499, 500, 500, 1000].map(take), [true, true, true, false, false, true, false, true]);
  assert.deepEqual([60_000, 60_000, 60_000, 60_000, 59_000].map(take), [true, true, true, false, false]);
  assert.ok(new Bucket(0, 0, 0).take(0));
});
