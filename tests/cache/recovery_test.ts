/** What happens to caches and watches when the store fails, and when resources come and go (specification, "Watch cache readiness"). */
import assert from "node:assert/strict";
import { CacheNotReady, type ResourceCache } from "../../server/cache/mod.ts";
import { type RangePage, StorageError } from "../../server/storage/backend.ts";
import { Faulty } from "./_faulty.ts";
import { encode, Fixture, json, object, seen, take } from "./_fixture.ts";

const limits = { retryMs: 2, retryMaxMs: 4, pageSize: 2, replay: 0 };

async function setUp() {
  const store = Faulty.make();
  const f = new Fixture(store, { limits });
  for (let i = 0; i < 5; i++) await f.put({ namespace: "a", name: `p${i}`, value: i });
  return { store, f };
}

Deno.test("the store is read in pages of one revision, whatever is written meanwhile", async () => {
  const { store, f } = await setUp();
  await using _ = f;
  const gate = Promise.withResolvers<void>();
  store.gate = gate.promise;
  const started = f.start();
  await f.put({ namespace: "a", name: "p3", value: 33 });
  await f.remove({ namespace: "a", name: "p4" });
  gate.resolve();
  await started;
  assert.ok(store.ranges >= 3);
  assert.deepEqual([...f.pods.snapshot().range()].map(seen), ["a/p0=0@2", "a/p1=1@3", "a/p2=2@4", "a/p3=33@7"]);
  assert.equal(f.pods.oldest, 6);
});

Deno.test("until it is loaded a cache is not ready and says so; a failing store is tried again", async () => {
  const { store, f } = await setUp();
  await using _ = f;
  assert.deepEqual(f.cacher.ready(), [{ id: "pods", ready: false }, { id: "nodes", ready: false }]);
  assert.throws(() => f.pods.snapshot(), CacheNotReady);
  assert.throws(() => f.pods.get("a", "p1"), CacheNotReady);
  assert.throws(() => f.pods.watch({ since: 1 }), CacheNotReady);
  store.failRanges = 2;
  await f.start();
  assert.equal(f.errors.length, 2);
  assert.equal(f.pods.snapshot().size, 5);
});

Deno.test("each failure in a row is waited for longer, to a bound, and after progress as at first", async () => {
  const store = Faulty.make(), { setTimeout: real } = globalThis;
  await using f = new Fixture(store, { limits: { ...limits, retryMs: 1_000, retryMaxMs: 8_000 } });
  const waits: number[] = [];
  const waited = async (times: number) => {
    while (waits.length < times) await new Promise((done) => real(done, 1));
    await f.cacher.whenReady();
    return waits.splice(0);
  };
  try {
    globalThis.setTimeout = ((run: () => void, ms: number) => {
      if (ms < 500 || ms > 8_000) return real(run, ms);
      waits.push(ms);
      return real(run, 0);
    }) as typeof setTimeout;
    await f.put({ namespace: "a", name: "x", value: 1 });
    store.failChanges = 5;
    await f.start();
    assert.deepEqual(await waited(5), [500, 1_000, 2_000, 4_000, 4_000]);
    await f.put({ namespace: "a", name: "x", value: 2 });
    store.breakLog();
    assert.deepEqual(await waited(1), [500]);
    store.failRanges = 5;
    f.cacher.add(f.resource("late", true));
    assert.deepEqual(await waited(5), [500, 1_000, 2_000, 4_000, 4_000]);
  } finally {
    globalThis.setTimeout = real;
  }
});

Deno.test("reads past the cache work before it is ready", async () => {
  const { f } = await setUp();
  await using _ = f;
  assert.equal(seen((await f.pods.store.get("a", "p1"))!), "a/p1=1@3");
  assert.equal(await f.pods.store.get("a", "p9"), undefined);
  const page = await f.pods.store.list({ namespace: "a", after: "a/p0", limit: 2 });
  assert.deepEqual([page.entries.map(seen), page.more, page.revision], [["a/p1=1@3", "a/p2=2@4"], true, 6]);
  const past = await f.pods.store.list({ at: 3 });
  assert.deepEqual(past.entries.map(seen), ["a/p0=0@2", "a/p1=1@3"]);
});

Deno.test("a broken log ends watches, and is followed on from where it broke: watches resume without a gap", async () => {
  const { store, f } = await setUp();
  await using _ = f;
  await f.start();
  const watcher = f.pods.watch({ since: f.pods.revision });
  const first = take(watcher, 1);
  await f.put({ namespace: "a", name: "x", value: 1 });
  assert.deepEqual(await first, ["ADDED a/x=1@7"]);
  const ended = watcher.next();
  const { ranges } = store;
  store.breakLog();
  assert.equal((await ended)!.error!.reason, "not-ready");
  assert.equal(await watcher.next(), undefined);
  assert.equal(f.pods.ready, false);
  assert.throws(() => f.pods.snapshot(), CacheNotReady);
  await f.put({ namespace: "a", name: "x", value: 2 });
  await f.cacher.whenReady();
  assert.equal(await f.pods.waitFor(8, 60_000), true);
  assert.deepEqual(await take(f.pods.watch({ since: 6 }), 2), ["ADDED a/x=1@7", "MODIFIED a/x=2@8"]);
  assert.equal(store.ranges, ranges);
});

Deno.test("when the log was compacted meanwhile, everything is read again and history starts anew", async () => {
  const { store, f } = await setUp();
  await using _ = f;
  await f.start();
  await f.put({ namespace: "a", name: "x", value: 1 });
  const before = f.pods.snapshot(), { changes, stats } = f.pods;
  store.failChanges = 1;
  store.breakLog();
  await new Promise((resolve) => setTimeout(resolve, 0));
  await f.put({ namespace: "a", name: "x", value: 2 });
  await f.remove({ namespace: "a", name: "p0" });
  await store.compact(9);
  await f.cacher.whenReady();
  assert.equal(f.pods.oldest, 9);
  const now = ["a/p1=1@3", "a/p2=2@4", "a/p3=3@5", "a/p4=4@6", "a/x=2@8"];
  assert.deepEqual([...f.pods.snapshotAt(9)!.range()].map(seen), now);
  assert.deepEqual([...f.pods.snapshot().range()].map(seen), now);
  assert.throws(() => f.pods.watch({ since: 8 }), { name: "RevisionError" });
  // What was derived is stale, and what was there does not count any more.
  assert.notEqual(f.pods.changes, changes);
  assert.ok(f.pods.stats.entryBytes < stats.entryBytes);
  // Who still holds an old snapshot can read on.
  assert.deepEqual([...before.range()].map(seen).slice(-1), ["a/x=1@7"]);
});

Deno.test("a resource added at run time is loaded beside the running log", async () => {
  const { store, f } = await setUp();
  await using _ = f;
  await f.start();
  const put = async (name: string, value: number) => {
    const change = { key: `/registry/g.io/things/a/${name}`, value: encode(object({ namespace: "a", name, value })) };
    await store.commit([change]);
  };
  await put("t1", 1);
  const gate = Promise.withResolvers<void>();
  store.gate = gate.promise;
  store.failRanges = 1;
  const resource = { ...f.resource("things.g.io", true), prefix: "/registry/g.io/things/" };
  const cache = f.cacher.add(resource);
  assert.equal(cache.ready, false);
  await new Promise((resolve) => setTimeout(resolve, 10));
  await put("t1", 2);
  await put("t2", 3);
  gate.resolve();
  await f.cacher.whenReady();
  assert.deepEqual([...cache.snapshot().range()].map(seen), ["a/t1=2@8", "a/t2=3@9"]);
  assert.equal(f.cacher.stats.forms, 2, "what is loaded keeps its forms");
  const watcher = cache.watch({ since: cache.revision });
  const ended = watcher.next();
  f.cacher.remove("things.g.io");
  assert.equal((await ended)!.error!.reason, "closed");
  assert.equal(f.cacher.cache("things.g.io"), undefined);
  await put("t3", 4);
  assert.deepEqual(f.errors.map(({ message }) => message), ["no range"]);
});

Deno.test("stopping ends all watches", async () => {
  const { f } = await setUp();
  await f.start();
  const watcher = f.pods.watch({ since: f.pods.revision });
  const ended = watcher.next();
  await f[Symbol.asyncDispose]();
  assert.equal((await ended)!.error!.reason, "closed");
});

Deno.test("a watch resumes over a restart of the server", async () => {
  const store = Faulty.make();
  await using f = new Fixture(store, { limits: { replay: 4 } });
  for (let i = 0; i < 8; i++) await f.put({ namespace: "a", name: `p${i % 3}`, value: i });
  await f.start();
  assert.equal(f.pods.revision, 9);
  assert.equal(f.pods.oldest, 5);
  const watcher = f.pods.watch({ since: 6 });
  assert.deepEqual(await take(watcher, 3), ["MODIFIED a/p2=5@7", "MODIFIED a/p0=6@8", "MODIFIED a/p1=7@9"]);
  assert.deepEqual([...f.pods.snapshotAt(5)!.range()].map(seen), ["a/p0=3@5", "a/p1=1@3", "a/p2=2@4"]);
});

/** Eight changes of three late objects, the last before one of a pod, and what a cacher over them gives that comes to know of them later. */
async function withLate(body: (f: Fixture, add: () => Promise<ResourceCache>) => Promise<void>, softBytes = 1 << 20) {
  const store = Faulty.make();
  await using f = new Fixture(store, { limits: { ...limits, replay: 5, softBytes } });
  const write = (i: number) => {
    const name = `l${i % 3}`, value = i === 6 ? null : encode(object({ namespace: "a", name, value: i }));
    return store.commit([{ key: `/registry/late/a/${name}`, value }]);
  };
  for (let i = 0; i < 8; i++) await write(i);
  await f.put({ namespace: "a", name: "p", value: 0 });
  await f.start();
  await body(f, async () => {
    const late = f.cacher.add(f.resource("late", true));
    const written = write(8);
    await f.cacher.whenReady("late");
    await written;
    await late.waitFor(f.cacher.revision, 1000);
    return late;
  });
}

Deno.test("a watch of a resource that is added after the start resumes over a restart, too", () =>
  withLate(async (f, add) => {
    const late = await add();
    assert.deepEqual([late.oldest, [...late.snapshot().range()].map(seen)], [5, ["a/l1=7@9", "a/l2=8@11"]]);
    const watcher = late.watch({ since: 6 });
    const changes = ["MODIFIED a/l2=5@7", "DELETED a/l0=3@8", "MODIFIED a/l1=7@9", "MODIFIED a/l2=8@11"];
    assert.deepEqual(await take(watcher, 4), changes);
    assert.deepEqual([...late.snapshotAt(5)!.range()].map(seen), ["a/l0=3@5", "a/l1=1@3", "a/l2=2@4"]);
    assert.deepEqual(f.errors, []);
  }));

Deno.test("what is added once more, late or after too much begins with what is newest", async () => {
  const begins = async (before: (f: Fixture, add: () => Promise<ResourceCache>) => unknown, softBytes?: number) => {
    await withLate(async (f, add) => {
      await before(f, add);
      const late = await add();
      assert.ok(late.oldest >= 10, String(late.oldest));
      assert.deepEqual([...late.snapshot().range()].map((e) => e.name), ["l1", "l2"]);
      assert.deepEqual(f.errors, []);
    }, softBytes);
  };
  await begins((_, add) => add());
  await begins(async (f, add) => {
    await add();
    f.cacher.remove("late");
  });
  await begins((f) => {
    f.now += 61_000;
    f.cacher.tick();
  });
  await begins((f) => f.backend.compact(10));
  await begins(() => {}, 100);
});

Deno.test("what is removed gives its bytes back", async () => {
  const { f } = await setUp();
  await using _ = f;
  await f.start();
  await f.put({ namespace: "a", name: "p1", value: 2 });
  f.pods.get("a", "p1")!.bytes(json);
  f.cacher.remove("pods");
  assert.deepEqual([f.cacher.stats.storedBytes, f.cacher.stats.formBytes], [0, 0]);
});

Deno.test("a cache that is removed while its log is broken holds nothing more, and who derived from it hears", async () => {
  const { store, f } = await setUp();
  await using _ = f;
  await f.start();
  const { pods } = f;
  pods.snapshot().get("a", "p1")!.bytes(json);
  assert.notEqual(f.cacher.stats.forms, 0);
  store.failChanges = Infinity;
  store.breakLog();
  while (pods.ready) await new Promise((done) => setTimeout(done, 1));
  let resets = 0;
  pods.listen({ changed: () => {}, reset: () => resets++ });
  f.cacher.remove("pods");
  const { storedBytes, forms } = f.cacher.stats;
  assert.deepEqual([pods.stats.entries, storedBytes, forms, resets], [0, 0, 0, 1]);
});

Deno.test("a cache that is removed while the store is read holds nothing more", async () => {
  const { store, f } = await setUp();
  await using _ = f;
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const read = async (pages: number) => {
    while (store.ranges < pages) await new Promise((done) => setTimeout(done, 1));
  };
  store.gate = first.promise;
  const started = f.start(), { pods } = f;
  await read(1);
  store.gate = second.promise;
  first.resolve();
  await read(2);
  f.cacher.remove("pods");
  second.resolve();
  await started;
  assert.deepEqual([pods.stats.entries, f.cacher.stats.storedBytes], [0, 0]);
});

Deno.test("what was read before a read failed is let go", async () => {
  const { store, f } = await setUp();
  await using _ = f;
  const last = store.range;
  let fail = 2;
  Object.assign(store, {
    range: (prefix: string, page?: RangePage) => {
      if (page?.after !== undefined && fail-- > 0) return Promise.reject(new StorageError("unavailable", "no range"));
      return last.call(store, prefix, page);
    },
  });
  await f.start();
  const { storedBytes } = f.cacher.stats;
  fail = 2;
  const again = f.cacher.add(f.resource("pods", true));
  await f.cacher.whenReady("pods");
  assert.equal(again.snapshot().size, 5);
  assert.equal(f.cacher.stats.storedBytes, storedBytes);
  assert.equal(f.errors.length, 4);
  f.cacher.remove("pods");
  assert.equal(f.cacher.stats.storedBytes, 0);
});

Deno.test("resources that come together are loaded a few at a time, and each of them is", async () => {
  const store = Faulty.make();
  await using f = new Fixture(store, { limits: { ...limits, loads: 2 } });
  await f.start();
  const gate = Promise.withResolvers<void>();
  store.gate = gate.promise;
  const before = store.ranges;
  const ids = ["q1", "q2", "q3", "q4", "q5"];
  for (const id of ids) f.cacher.add(f.resource(id, true));
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(store.ranges - before, 2);
  assert.deepEqual(f.cacher.ready().filter(({ ready }) => ready).map(({ id }) => id), ["pods", "nodes"]);
  gate.resolve();
  await Promise.all(ids.map((id) => f.cacher.whenReady(id)));
  assert.equal(store.ranges - before, ids.length);
});

Deno.test("several who wait for one cache are all told, and who waits for one that never came when all ends", async () => {
  const { store, f } = await setUp();
  const gate = Promise.withResolvers<void>();
  store.gate = gate.promise;
  const starting = f.start();
  const waiting = Promise.all([f.cacher.whenReady("pods"), f.cacher.whenReady("pods"), f.cacher.whenReady()]);
  gate.resolve();
  await Promise.all([starting, waiting]);
  store.failChanges = Infinity;
  store.breakLog();
  while (f.pods.ready) await new Promise((done) => setTimeout(done, 1));
  const never = Promise.all([f.cacher.whenReady("pods"), f.cacher.whenReady("pods")]);
  await f[Symbol.asyncDispose]();
  await never;
  let told = false;
  void Promise.all([f.cacher.whenReady("pods"), f.cacher.whenReady()]).then(() => told = true);
  await new Promise((done) => setTimeout(done, 0));
  assert(told, "who asks when all has ended waits for ever");
});

Deno.test("who waits for one that goes before it is ready is told, and so is who waits for all", async () => {
  const { store, f } = await setUp();
  await using _ = f;
  await f.start();
  const gate = Promise.withResolvers<void>();
  store.gate = gate.promise;
  f.cacher.add(f.resource("late", true));
  const told: (string | undefined)[] = [];
  for (const id of ["late", undefined]) void f.cacher.whenReady(id).then(() => told.push(id));
  f.cacher.remove("late");
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.deepEqual(told, ["late", undefined]);
  gate.resolve();
});

Deno.test("a resource that came while the log was broken is loaded with it", async () => {
  const { store, f } = await setUp();
  await using _ = f;
  await f.start();
  store.failChanges = 2;
  store.breakLog();
  while (f.pods.ready) await new Promise((done) => setTimeout(done, 1));
  const late = f.cacher.add({ ...f.resource("late", true), prefix: "/registry/late/" });
  await store.commit([{ key: "/registry/late/a/l", value: encode(object({ namespace: "a", name: "l" })) }]);
  await f.cacher.whenReady();
  assert.deepEqual([...late.snapshot().range()].map((e) => e.name), ["l"]);
});

Deno.test("what is loaded at run time leaves out what lies in the place of another resource below its own", async () => {
  const store = Faulty.make();
  await using f = new Fixture(store, { limits });
  await f.start();
  for (const key of ["outer/a/x", "outer/inner/a/y"]) {
    const [name] = key.split("/").slice(-1);
    await store.commit([{ key: `/registry/${key}`, value: encode(object({ namespace: "a", name: name! })) }]);
  }
  const inner = f.cacher.add({ ...f.resource("inner", true), prefix: "/registry/outer/inner/" });
  const outer = f.cacher.add({ ...f.resource("outer", true), prefix: "/registry/outer/" });
  await f.cacher.whenReady();
  const names = [inner, outer].map((cache) => [...cache.snapshot().range()].map((e) => e.name));
  assert.deepEqual(names, [["y"], ["x"]]);
});
