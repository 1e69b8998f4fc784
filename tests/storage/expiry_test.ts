/** When keys that are due are deleted. */
import assert from "node:assert/strict";
import { ExpiryIndex, ExpiryTimer } from "../../server/storage/expiry.ts";

Deno.test("expiry: a sweep that fails is tried again a second later, one that is not done at once", async () => {
  let sweeps = 0;
  const waits: number[] = [];
  const done = Promise.withResolvers<void>();
  const { setTimeout: real } = globalThis;
  const sweep = (): Promise<void> => {
    if (++sweeps === 3) done.resolve();
    return sweeps === 1 ? Promise.reject(new Error("the disk is full")) : Promise.resolve();
  };
  const timer = new ExpiryTimer(() => 1, sweep, () => 1_000);
  try {
    globalThis.setTimeout = ((run: () => void, ms: number) => {
      waits.push(ms);
      return real(run, 0);
    }) as typeof setTimeout;
    timer.arm();
    await done.promise;
    timer.stop();
  } finally {
    globalThis.setTimeout = real;
  }
  assert.deepEqual(waits.slice(0, 3), [20, 1_000, 20]);
});

Deno.test("expiry: nothing is waited for any more after the end, be it within a sweep", async () => {
  let waits = 0;
  const swept = Promise.withResolvers<void>(), { setTimeout: real } = globalThis;
  const timer = new ExpiryTimer(() => 1, async () => {
    timer.stop();
    await swept.promise;
  }, () => 1_000);
  try {
    globalThis.setTimeout = ((run: () => void) => {
      waits++;
      return real(run, 0);
    }) as typeof setTimeout;
    timer.arm();
    await new Promise((done) => real(done, 0));
    swept.resolve();
    await new Promise((done) => real(done, 0));
    timer.arm();
  } finally {
    globalThis.setTimeout = real;
  }
  assert.equal(waits, 1);
});

Deno.test("expiry: what is due comes with the oldest first, so many at most, and as it was when it was to expire", () => {
  const index = new ExpiryIndex();
  for (const [key, at] of [["a", 30], ["b", 10], ["c", 20], ["d", 40]] as const) index.set(`k/${key}`, at, at);
  index.set("k/b", 50, 25);
  index.set("k/c", 60, undefined);
  const due = (limit: number) => index.due(30, limit).map(({ key, value, expect }) => [key, value, expect]);
  assert.deepEqual(due(9), [["k/b", null, 50], ["k/a", null, 30]]);
  assert.deepEqual(due(1), [["k/b", null, 50]]);
  assert.deepEqual([index.next(), index.size], [25, 3]);
});
