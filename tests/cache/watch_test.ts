import assert from "node:assert/strict";
import type { Entry, WatchEnded, WatchOptions } from "../../server/cache/mod.ts";
import { RevisionError } from "../../server/storage/backend.ts";
import type { CachedSnapshot } from "../../server/cache/snapshot.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { Fixture, json, lines, take, text, told } from "./_fixture.ts";

function labelled(value: string): Pick<WatchOptions, "matches" | "group"> {
  return { matches: (entry: Entry) => entry.labels["l"] === value, group: `l=${value}` };
}

/** Lets timers of no delay run. */
function soon(ms = 0): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

Deno.test("an object that starts or stops matching arrives as ADDED or DELETED", async () => {
  await using f = await new Fixture().start();
  const watcher = f.pods.watch({ since: f.pods.revision, ...labelled("1") });
  const x = { namespace: "a", name: "x" };
  await f.put({ ...x, labels: { l: "2" }, value: 1 });
  await f.put({ ...x, labels: { l: "1" }, value: 2 });
  await f.put({ ...x, labels: { l: "1" }, value: 3 });
  await f.put({ ...x, labels: { l: "2" }, value: 4 });
  await f.put({ ...x, labels: { l: "1" }, value: 5 });
  await f.remove(x);
  assert.deepEqual(await take(watcher, 5), [
    "ADDED a/x=2@3",
    "MODIFIED a/x=3@4",
    // The previous state, at the revision that ended its matching.
    "DELETED a/x=3@5",
    "ADDED a/x=5@6",
    "DELETED a/x=5@7",
  ]);
});

Deno.test("a watch by node sees pods come to the node and leave it", async () => {
  await using f = await new Fixture().start();
  const watch = (value: string) => f.pods.watch({ since: f.pods.revision, field: { name: "spec.nodeName", value } });
  const [unbound, bound] = [watch(""), watch("n1")];
  await f.put({ namespace: "a", name: "x", value: 1 });
  await f.put({ namespace: "a", name: "x", value: 2, nodeName: "n1" });
  await f.put({ namespace: "a", name: "x", value: 3, nodeName: "n2" });
  assert.deepEqual(await take(unbound, 2), ["ADDED a/x=1@2", "DELETED a/x=1@3"]);
  assert.deepEqual(await take(bound, 2), ["ADDED a/x=2@3", "DELETED a/x=2@4"]);
});

Deno.test("an event reaches only selections that can match it", async () => {
  await using f = await new Fixture().start();
  let asked = 0;
  const matches = () => {
    asked++;
    return true;
  };
  const open = (options: Partial<WatchOptions>) => f.pods.watch({ since: f.pods.revision, matches, ...options }).next();
  for (let i = 0; i < 50; i++) {
    void open({ namespace: "a", name: `p${i}` });
    void open({ namespace: `ns${i}` });
    void open({ field: { name: "spec.nodeName", value: `n${i}` } });
  }
  await f.put({ namespace: "a", name: "p7", nodeName: "n9" });
  assert.equal(asked, 2);
  assert.equal(f.pods.stats.feeds, 150);
});

Deno.test("a watch of nothing that happens keeps nothing", async () => {
  await using f = await new Fixture().start();
  const stop = new AbortController();
  const watchers = [{}, { namespace: "z" }, { namespace: "z", name: "y" }].map((where) =>
    f.pods.watch({ since: f.pods.revision, signal: stop.signal, ...where })
  );
  const next = watchers.map((watcher) => watcher.next());
  assert.equal(f.pods.stats.watchers, 3);
  stop.abort();
  assert.deepEqual(await Promise.all(next), [undefined, undefined, undefined]);
  assert.deepEqual([f.pods.stats.watchers, f.pods.stats.feeds], [0, 0]);
  const late = f.pods.watch({ since: f.pods.revision, signal: stop.signal });
  assert.equal(f.pods.stats.watchers, 0, "who has gone before");
  assert.equal(await late.next(), undefined);
});

Deno.test("a start older than the history is expired, one yet to come is waited for", async () => {
  await using f = new Fixture(memoryBackend(), { limits: { hardCount: 2 } });
  await f.start();
  for (let value = 1; value <= 5; value++) await f.put({ namespace: "a", name: "x", value });
  assert.throws(
    () => f.pods.watch({ since: 2 }),
    (error) => error instanceof RevisionError && error.kind === "compacted",
  );
  assert.equal(f.pods.oldest, 4);
  assert.equal(f.pods.snapshotAt(3), undefined);
  assert.equal(f.pods.snapshotAt(7), undefined);
  const watcher = f.pods.watch({ since: 8 });
  const events = take(watcher, 1);
  for (let value = 6; value <= 8; value++) await f.put({ namespace: "a", name: "x", value });
  assert.deepEqual(await events, ["MODIFIED a/x=8@9"]);
});

Deno.test("a watcher that falls out of the history ends, wherever it stood", async () => {
  await using f = new Fixture(memoryBackend(), { limits: { hardCount: 3, joinMs: 0 } });
  await f.start();
  const ended: string[] = [];
  const onEnded = (error: WatchEnded) => void ended.push(error.reason);
  const options = { since: f.pods.revision, maxBufferedBytes: 1, onEnded };
  const replaying = f.pods.watch(options);
  const live = f.pods.watch(options);
  const first = live.next();
  for (let value = 1; value <= 3; value++) await f.put({ namespace: "a", name: "x", value });
  assert.equal((await first)!.events.length, 1);
  await f.put({ namespace: "a", name: "x", value: 4 });
  await f.put({ namespace: "a", name: "x", value: 5 });
  assert.deepEqual(ended, ["too-slow"]);
  assert.equal((await live.next())!.error!.reason, "too-slow");
  assert.equal(await live.next(), undefined);
  assert.equal((await replaying.next())!.error!.reason, "too-slow");
  assert.equal(f.pods.stats.tooSlow, 2);
  assert.equal(f.pods.stats.watchers, 0);
});

Deno.test("a slow watcher reads on from where it was", async () => {
  await using f = await new Fixture().start();
  const watcher = f.pods.watch({ since: f.pods.revision, maxBufferedBytes: 600 });
  const first = take(watcher, 1);
  for (let value = 1; value <= 50; value++) await f.put({ namespace: "a", name: "x", value });
  const all = [...await first, ...await take(watcher, 49)];
  assert.deepEqual(all.slice(1), Array.from({ length: 49 }, (_, i) => `MODIFIED a/x=${i + 2}@${i + 3}`));
});

Deno.test("many watchers under load are given joined windows, and all the same bytes", async () => {
  await using f = new Fixture(memoryBackend(), { limits: { joinMs: 25 } });
  await f.start();
  const made = new Set<Uint8Array>();
  let delivered = 0;
  let batches = 0;
  const stop = new AbortController();
  const run = async () => {
    const watcher = f.pods.watch({ since: f.pods.revision, signal: stop.signal });
    for (let batch = await watcher.next(); batch !== undefined; batch = await watcher.next()) {
      delivered += batch.events.length;
      batches++;
      made.add(f.pods.batchBytes(batch, json, lines));
    }
  };
  const running = Array.from({ length: 500 }, run);
  for (let value = 1; value <= 40; value++) {
    await f.put({ namespace: "a", name: "x", value });
    f.now += 1;
  }
  await soon(60);
  assert.equal(delivered, 500 * 40);
  assert.equal(f.codec.encoded, 40);
  assert.equal(batches, 500 * made.size);
  assert.ok(made.size <= 10, `${made.size} windows`);
  assert.equal([...made].map(text).join("").split("\n").length, 41);
  stop.abort();
  await Promise.all(running);
});

Deno.test("few watchers hear at once", async () => {
  await using f = await new Fixture().start();
  const watcher = f.pods.watch({ since: f.pods.revision });
  for (let value = 1; value <= 3; value++) {
    let came = "";
    void watcher.next().then((batch) => came = batch!.events.map(told).join());
    await f.put({ namespace: "a", name: "x", value });
    await Promise.resolve();
    assert.match(came, new RegExp(`a/x=${value}`));
    f.now += 1;
  }
});

Deno.test("bookmarks tell how far the store is, about every interval and before the end", async () => {
  await using f = await new Fixture().start();
  const lifeMs = 100_000, end = f.now + lifeMs;
  const watcher = f.pods.watch({ since: f.pods.revision, bookmarks: { everyMs: 60_000, lifeMs } });
  const first = take(watcher, 1);
  await f.put({ name: "other-resource" });
  f.now += 59_000;
  f.cacher.tick();
  f.now += 2_000;
  f.cacher.tick();
  assert.deepEqual(await first, ["BOOKMARK 2"]);
  // Due while events are still to be read: it comes after them, and tells of them.
  await f.put({ namespace: "a", name: "x", value: 1 });
  f.now = end - 1000;
  f.cacher.tick();
  assert.deepEqual(await take(watcher, 2), ["ADDED a/x=1@3", "BOOKMARK 3"]);
  const next = take(watcher, 1);
  await f.put({ namespace: "a", name: "y", value: 2 });
  assert.deepEqual(await next, ["ADDED a/y=2@4"]);
});

Deno.test("watchers at one revision share their bookmark", async () => {
  await using f = await new Fixture().start();
  const next = [1, 2].map(() => f.pods.watch({ since: f.pods.revision, bookmarks: { everyMs: 1000 } }).next());
  f.now += 3000;
  f.cacher.tick();
  const [a, b] = await Promise.all(next);
  assert.equal(a!.events, b!.events);
});

Deno.test("with too much in hand batches shrink, and who does not move on is ended", async () => {
  await using f = new Fixture(memoryBackend(), { limits: { bufferedBytes: 1000, stalledMs: 5000, joinMs: 0 } });
  await f.start();
  const ended: string[] = [];
  const onEnded = (error: WatchEnded) => void ended.push(error.reason);
  const since = f.pods.revision;
  for (let value = 1; value <= 20; value++) await f.put({ namespace: "a", name: "x", value });
  const stalled = f.pods.watch({ since, onEnded });
  assert.equal((await stalled.next())!.events.length, 20);
  const other = f.pods.watch({ since });
  assert.equal((await other.next())!.events.length, 1);
  f.cacher.tick();
  assert.deepEqual(ended, []);
  f.now += 6000;
  await other.next();
  f.cacher.tick();
  assert.deepEqual(ended, ["too-slow"]);
  assert.ok(f.cacher.stats.heldBytes < 1000);
  assert.equal((await other.next())!.events.length, 18);
  other.close();
  assert.equal(f.cacher.stats.heldBytes, 0);
});

Deno.test("who does not move on while there is room ends when its events are too old, though nothing else happens", async () => {
  await using f = new Fixture(memoryBackend(), { limits: { joinMs: 0 } });
  await f.start();
  const ended: string[] = [];
  const watcher = f.pods.watch({ since: f.pods.revision, onEnded: (error) => void ended.push(error.reason) });
  const first = watcher.next();
  for (let value = 1; value <= 2; value++) await f.put({ namespace: "a", name: "x", value });
  assert.equal((await first)!.events.length, 1);
  const after = (ms: number) => {
    f.now += ms;
    f.cacher.tick();
    return [...ended];
  };
  assert.deepEqual([after(60_000), after(241_000)], [[], ["too-slow"]]);
});

Deno.test("a selection that throws ends its own watches only", async () => {
  await using f = await new Fixture().start();
  const matches = () => {
    throw new Error("no");
  };
  const bad = [1, 2, 3].map(() => take(f.pods.watch({ since: f.pods.revision, matches }), 1));
  const good = take(f.pods.watch({ since: f.pods.revision }), 1);
  await f.put({ namespace: "a", name: "x", value: 1 });
  assert.deepEqual(await Promise.all(bad), [["failed"], ["failed"], ["failed"]]);
  assert.deepEqual(await good, ["ADDED a/x=1@2"]);
  assert.equal(f.errors.length, 1);
  const late = f.pods.watch({ since: 1, matches });
  assert.equal((await late.next())!.error!.reason, "failed");
});

Deno.test("history is kept by age and by count", async () => {
  await using f = new Fixture(memoryBackend(), { limits: { softCount: 5 } });
  await f.start();
  for (let value = 1; value <= 10; value++) await f.put({ namespace: "a", name: "x", value });
  assert.equal(f.pods.stats.historyEvents, 10);
  f.now += 75_000;
  f.cacher.tick();
  assert.equal(f.pods.stats.historyEvents, 10, "more than the soft bound, but young");
  f.now += 1;
  f.cacher.tick();
  assert.equal(f.pods.stats.historyEvents, 5);
  f.now += 300_000;
  f.cacher.tick();
  assert.deepEqual([f.pods.stats.historyEvents, f.pods.stats.historyBytes], [0, 0]);
  assert.equal(f.pods.oldest, f.pods.revision);
});

Deno.test("history is kept by its bytes: too many go when they are old, far too many at once", async () => {
  await using f = new Fixture(memoryBackend(), { limits: { softBytes: 10_000, hardBytes: 20_000 } });
  await f.start();
  // What the history holds besides is the value before.
  const value = "x".repeat(4_000), events = () => f.pods.stats.historyEvents;
  for (let i = 0; i < 4; i++) await f.put({ namespace: "a", name: "x", value });
  assert.equal(events(), 4);
  f.now += 75_001;
  f.cacher.tick();
  assert.deepEqual([events(), f.pods.oldest], [2, f.pods.revision - 2]);
  for (let i = 0; i < 9; i++) await f.put({ namespace: "a", name: "x", value });
  assert.deepEqual([events(), f.pods.oldest], [4, f.pods.revision - 4]);
});

Deno.test("what watchers were shown of objects that have left or gone is given back with the history", async () => {
  await using f = await new Fixture().start();
  const x = { namespace: "a", name: "x" };
  const watchers = [labelled("1"), {}].map((selection) => f.pods.watch({ since: f.pods.revision, ...selection }));
  for (const l of ["1", "2", "1"]) await f.put({ ...x, labels: { l } });
  await f.remove(x);
  for (const watcher of watchers) assert.match((await take(watcher, 4)).at(-1)!, /^DELETED a\/x/);
  assert.notEqual(f.cacher.stats.formBytes, 0);
  f.now += 300_001;
  f.cacher.tick();
  assert.deepEqual([f.cacher.stats.formBytes, f.cacher.stats.storedBytes], [0, 0]);
});

Deno.test("states of the past are remembered for the pages of a list, and only some of them", async () => {
  await using f = await new Fixture().start();
  for (let value = 1; value <= 40; value++) await f.put({ namespace: "a", name: `p${value}`, value });
  const at = (revision: number) => f.pods.snapshotAt(revision) as CachedSnapshot;
  const first = at(5).contents;
  for (let revision = 6; revision < 21; revision++) at(revision);
  assert.equal(at(5).contents, first);
  for (let revision = 21; revision <= 36; revision++) at(revision);
  assert.notEqual(at(5).contents, first);
  assert.equal(at(5).size, 4);
});

Deno.test("a watch from a snapshot begins with what it selects: a namespace, a field, both", async () => {
  await using f = await new Fixture().start();
  await f.put({ namespace: "a", name: "p", nodeName: "n" });
  await f.put({ namespace: "b", name: "q", nodeName: "n" });
  await f.put({ namespace: "b", name: "r" });
  const revision = await f.put({ name: "other" });
  assert.equal(await f.pods.waitFor(revision, 60_000), true);
  const since = { initial: f.pods.snapshot() }, field = { name: "spec.nodeName", value: "n" };
  const begin = async (selection: Partial<WatchOptions>) =>
    await take(f.pods.watch({ since, initialEnd: true, ...selection }), selection.field && selection.namespace ? 2 : 3);
  assert.deepEqual(await begin({ namespace: "b" }), ["ADDED b/q=@3", "ADDED b/r=@4", "BOOKMARK! 5"]);
  assert.deepEqual(await begin({ field }), ["ADDED a/p=@2", "ADDED b/q=@3", "BOOKMARK! 5"]);
  assert.deepEqual(await begin({ namespace: "b", field }), ["ADDED b/q=@3", "BOOKMARK! 5"]);
});
