/** What is read from the store while it is written to: every change is there once, and nothing is told of before it is whole. */
import assert from "node:assert/strict";
import type { ResourceCache } from "../../server/cache/mod.ts";
import { RevisionError } from "../../server/storage/backend.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { later } from "../../server/storage/unreadable.ts";
import { Faulty } from "./_faulty.ts";
import { encode, Fixture, object, seen, take } from "./_fixture.ts";

/** A store that can fail, and caches of `pods` and `nodes` over it; `late` is for those who add it. */
class Site extends Fixture {
  readonly store: Faulty;

  constructor(limits: Record<string, number> = {}) {
    const store = Faulty.make();
    super(store, { limits: { retryMs: 2, retryMaxMs: 4, pageSize: 2, replay: 0, ...limits } });
    this.store = store;
  }

  /** Writes a late object, or what stands in its place. */
  async late(value: number | Uint8Array, name = "l"): Promise<void> {
    const bytes = typeof value === "number" ? encode(object({ namespace: "a", name, value })) : value;
    await this.backend.commit([{ key: `/registry/late/a/${name}`, value: bytes }]);
  }

  add(id = "late"): ResourceCache {
    return this.cacher.add(this.resource(id, true));
  }

  /** What is added from now on begins with what is newest. */
  forgetPast(): void {
    this.now += 61_000;
    this.cacher.tick();
  }

  /** The log breaks, and cannot be followed until it is mended. */
  async break(): Promise<void> {
    this.store.failChanges = Infinity;
    this.store.breakLog();
    await until(() => !this.pods.ready);
  }

  mend(): void {
    this.store.failChanges = 0;
  }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((done) => setTimeout(done, 1));
}

/** All that can happen without anything from outside has happened. */
const settled = () => new Promise((done) => setTimeout(done, 10));

const all = (cache: ResourceCache) => [...cache.snapshot().range()].map(seen);

Deno.test("what was read is not applied again when the log brings it later; what follows is", async () => {
  await using f = await new Site().start();
  f.forgetPast();
  f.store.held = [];
  await f.late(1);
  await f.late(2);
  const late = f.add(), heard: string[] = [];
  late.listen({ changed: (entry) => void heard.push(seen(entry)), reset: () => {} });
  await settled();
  assert.equal(late.ready, false, "the log has not come as far as the read");
  f.store.tellOn();
  await f.cacher.whenReady("late");
  assert.deepEqual([all(late), heard, late.oldest], [["a/l=2@3"], [], 3]);
  await f.late(3);
  assert.deepEqual(heard, ["a/l=3@4"]);
});

Deno.test("what changes while others are read before it is not lost", async () => {
  await using f = await new Site({ loads: 1 }).start();
  await f.late(1);
  const gate = Promise.withResolvers<void>();
  f.store.gate = gate.promise;
  f.add("first");
  const late = f.add();
  await f.late(2);
  gate.resolve();
  await f.cacher.whenReady();
  assert.deepEqual(await take(late.watch({ since: late.oldest }), 2), ["ADDED a/l=1@2", "MODIFIED a/l=2@3"]);
});

Deno.test("a resource whose first read fails begins with what is newest then", async () => {
  await using f = await new Site().start();
  await f.late(1);
  await f.late(2);
  f.store.failRanges = 1;
  const late = f.add(), heard: string[] = [];
  late.listen({ changed: (entry) => void heard.push(seen(entry)), reset: () => {} });
  await f.cacher.whenReady();
  assert.deepEqual([all(late), heard, late.oldest, late.stats.broke], [["a/l=2@3"], [], 3, 1]);
});

Deno.test("what is read while the log breaks is not ready before the log is followed again", async () => {
  await using f = await new Site().start();
  const gate = Promise.withResolvers<void>();
  f.store.gate = gate.promise;
  const late = f.add();
  await f.break();
  gate.resolve();
  await settled();
  assert.equal(late.ready, false);
  await f.late(1);
  f.mend();
  await f.cacher.whenReady();
  assert.deepEqual([all(late), late.stats.loaded], [["a/l=1@2"], 1]);
});

for (const fails of [false, true]) {
  Deno.test(`of two reads of a resource the first does not count any more${fails ? ", even if it fails" : ""}`, async () => {
    await using f = await new Site().start();
    f.forgetPast();
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    f.store.gate = first.promise;
    const late = f.add();
    await f.break();
    f.store.gate = second.promise;
    const { ranges } = f.store;
    f.mend();
    await until(() => f.store.ranges > ranges);
    await f.late(1);
    if (fails) second.resolve();
    else first.resolve();
    await settled();
    assert.equal(late.ready, fails);
    if (fails) first.reject(new Error("no answer"));
    else second.resolve();
    await settled();
    await f.cacher.whenReady();
    assert.deepEqual([all(late), late.stats.loaded], [["a/l=1@2"], 1]);
  });
}

Deno.test("what was being read when the log broke is not read once more if it counts", async () => {
  await using f = await new Site({ loads: 1 }).start();
  const gate = Promise.withResolvers<void>();
  f.store.gate = gate.promise;
  const late = f.add();
  await f.break();
  f.mend();
  await f.cacher.whenReady("pods");
  gate.resolve();
  await f.cacher.whenReady("late");
  await settled();
  assert.equal(late.stats.loaded, 1);
});

Deno.test("a resource that is removed when it was read, or before the log has come as far, takes nothing in any more", async () => {
  await using f = await new Site().start();
  f.forgetPast();
  f.store.held = [];
  await f.late(1);
  for (const isRead of [false, true]) {
    const late = f.add();
    await (isRead ? f.cacher.whenReady("late") : settled());
    f.cacher.remove("late");
    f.store.tellOn();
    await settled();
    await f.late(2);
    assert.deepEqual([late.stats.entries, f.cacher.stats.storedBytes], [0, 0]);
  }
});

Deno.test("a resource that lies below another one's prefix begins with what the other one has taken so far", async () => {
  await using f = await new Site().start();
  const write = async (key: string) => {
    const [name] = key.split("/").slice(-1);
    await f.backend.commit([{ key, value: encode(object({ namespace: "a", name: name! })) }]);
  };
  const outer = f.add("outer");
  await write("/registry/outer/inner/a/x");
  const inner = f.cacher.add({ ...f.resource("inner", true), prefix: "/registry/outer/inner/" });
  await f.cacher.whenReady();
  assert.deepEqual(all(inner), ["a/x=@2"]);
  f.forgetPast();
  await write("/registry/outer/a/y");
  const again = f.add("outer");
  await f.cacher.whenReady();
  assert.deepEqual([outer.ready, all(again)], [false, ["a/y=@3"]]);
});

for (const when of ["at the start", "later", "while it is read"] as const) {
  Deno.test(`a value that cannot be read ${when} keeps its resource from being ready, and no other one`, async () => {
    await using f = new Site();
    const sealed = later("the key service is away"), gate = Promise.withResolvers<void>();
    f.cacher.add(f.resource("late", true));
    for (const name of ["a", "k", "z"]) await f.late(1, name);
    if (when === "at the start") await f.late(sealed, "k");
    void f.start();
    await f.cacher.whenReady("pods");
    if (when !== "at the start") await f.cacher.whenReady("late");
    const held = f.cacher.stats.storedBytes;
    if (when === "later") await f.late(sealed, "k");
    if (when === "while it is read") {
      f.forgetPast();
      f.store.gate = gate.promise;
      f.add();
      await f.late(sealed, "k");
      gate.resolve();
    }
    await until(() => f.errors.length > 2);
    assert.match(f.errors[0]!.message, /key service is away/);
    assert.deepEqual([f.cacher.mustHave("late").ready, f.pods.ready], [false, true]);
    await f.late(2, "k");
    await f.cacher.whenReady("late");
    const late = f.cacher.mustHave("late"), { revision } = late;
    assert.deepEqual(all(late), ["a/a=1@2", `a/k=2@${revision}`, "a/z=1@4"]);
    if (when !== "at the start") assert.equal(f.cacher.stats.storedBytes, held);
    f.cacher.remove("late");
    assert.equal(f.cacher.stats.storedBytes, 0);
  });
}

Deno.test("a store that was compacted not long ago, or just now, is read as of then", async () => {
  await using f = new Site({ replay: 4 });
  for (let value = 0; value < 8; value++) await f.put({ namespace: "a", name: "p", value });
  await f.backend.compact(7);
  // Another server goes on, and compacts, once it was asked.
  Object.assign(f.store, { revision: () => 6 });
  await f.start();
  assert.deepEqual([f.pods.oldest, f.errors], [7, []]);
  assert.deepEqual(await take(f.pods.watch({ since: 7 }), 2), ["MODIFIED a/p=6@8", "MODIFIED a/p=7@9"]);
});

Deno.test("no cache is ready before the log has brought what stood when it began to be followed", async () => {
  await using f = new Site({ replay: 4 });
  for (let value = 0; value < 8; value++) await f.put({ namespace: "a", name: "p", value });
  f.store.held = [];
  const started = f.start();
  await until(() => f.store.held!.length > 0);
  await settled();
  assert.equal(f.pods.ready, false);
  // What it waited for then does not count for a log that is followed anew.
  f.store.held = undefined;
  let newest = 10;
  Object.assign(f.store, { revision: () => newest });
  f.store.breakLog();
  await until(() => f.pods.revision === 9);
  assert.equal(f.pods.ready, false);
  newest = await f.put({ namespace: "a", name: "p", value: 8 });
  await started;
  assert.deepEqual(all(f.pods), ["a/p=8@10"]);
});

Deno.test("a store that was put back to an earlier state is read anew", async () => {
  await using f = new Site();
  for (let value = 0; value < 8; value++) await f.put({ namespace: "a", name: "p", value });
  await f.start();
  f.store.inner = memoryBackend();
  await f.put({ namespace: "a", name: "q", value: 1 });
  f.store.breakLog(new RevisionError("compacted", 9, 2));
  await until(() => !f.pods.ready);
  await f.cacher.whenReady();
  assert.deepEqual([all(f.pods), f.pods.revision], [["a/q=1@2"], 2]);
});

Deno.test("a resource that is added while such a store is read has nothing of what was there before", async () => {
  await using f = await new Site().start();
  await f.late(1, "lost");
  f.store.inner = memoryBackend();
  await f.put({ namespace: "a", name: "q", value: 1 });
  const gate = Promise.withResolvers<void>(), { ranges } = f.store;
  f.store.gate = gate.promise;
  f.store.breakLog(new RevisionError("future", 3, 2));
  await until(() => f.store.ranges > ranges);
  const late = f.add();
  gate.resolve();
  await f.cacher.whenReady();
  assert.deepEqual([all(f.pods), all(late)], [["a/q=1@2"], []]);
});

Deno.test("what comes after the end is not read any more", async () => {
  const f = await new Site().start();
  await f[Symbol.asyncDispose]();
  const { ranges } = f.store;
  assert.equal(f.add().ready, false);
  await settled();
  assert.equal(f.store.ranges, ranges);
});
