import assert from "node:assert/strict";
import { CacheNotReady } from "../../server/cache/mod.ts";
import { Fixture, seen, take } from "./_fixture.ts";

async function setUp() {
  const f = new Fixture();
  f.cacher.remove("pods");
  f.cacher.add({ ...f.resource("pods", true), uncached: true });
  for (let i = 0; i < 3; i++) await f.put({ namespace: "a", name: `p${i}`, value: i });
  return await f.start();
}

Deno.test("an uncached resource holds nothing, is read from the store, and holds back no readiness", async () => {
  await using f = await setUp();
  assert.deepEqual(f.cacher.ready(), [{ id: "nodes", ready: true }]);
  assert.throws(() => f.pods.snapshot(), CacheNotReady);
  assert.deepEqual((await f.pods.store.list()).entries.map(seen), ["a/p0=0@2", "a/p1=1@3", "a/p2=2@4"]);
  assert.equal(f.pods.stats.entries, 0);
});

Deno.test("a watch of an uncached resource starts where it was asked to, and what it needs goes when it ends", async () => {
  await using f = await setUp();
  const cache = await f.cacher.open("pods", 3);
  const watcher = cache.watch({ since: 3 });
  assert.deepEqual(await take(watcher, 1), ["ADDED a/p2=2@4"]);
  await f.put({ namespace: "a", name: "p0", value: 9 });
  assert.deepEqual(await take(watcher, 1), ["MODIFIED a/p0=9@5"]);
  assert.equal(await f.cacher.open("pods", 4), cache);
  f.now += 60_000;
  f.cacher.tick();
  assert.equal(await f.cacher.open("pods"), cache);
  watcher.close();
  f.now += 31_000;
  f.cacher.tick();
  f.now += 31_000;
  f.cacher.tick();
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.equal(cache.readiness.state, "closed");
  assert.notEqual(await f.cacher.open("pods"), cache);
});
