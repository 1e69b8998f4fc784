/** Rows that say who does what only one may do, where no lock files can be had. */
import assert from "node:assert/strict";
import { KvStore, openKv } from "../../server/storage/denokv/kv.ts";
import { KEYS } from "../../server/storage/denokv/layout.ts";
import { LeaseSharing } from "../../server/storage/denokv/leases.ts";

Deno.test("leases: one that is let go while it is renewed is free, and who let it go has it no more", async () => {
  const store = new KvStore(await openKv(":memory:"), Math.random);
  const answer = Promise.withResolvers<void>();
  const { setInterval } = globalThis;
  let renew = () => {};
  globalThis.setInterval = ((call: () => void) => (renew = call, 0)) as unknown as typeof setInterval;
  try {
    const [one, other] = [new LeaseSharing(store), new LeaseSharing(store)];
    const atomic = store.atomic.bind(store);
    await one.guard(async () => {
      const written = Promise.withResolvers<void>();
      store.atomic = async (build) => {
        store.atomic = atomic;
        const result = await atomic(build);
        written.resolve();
        await answer.promise;
        return result;
      };
      renew();
      await written.promise;
      // The database did it, and its answer is on the way when the work ends.
      setTimeout(answer.resolve, 20);
    });
    await answer.promise;
    assert.equal((await store.get(KEYS.lease("gate"))).value, null);
    const both = await other.guard(() => one.tryGuard(() => Promise.resolve("in")));
    assert.equal(both, undefined);
    await Promise.all([one.close(), other.close()]);
  } finally {
    globalThis.setInterval = setInterval;
    store.kv.close();
  }
});
