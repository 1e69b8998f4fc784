/** When keys that are due are deleted. */
import assert from "node:assert/strict";
import { ExpiryTimer } from "../../server/storage/expiry.ts";

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
