import assert from "node:assert/strict";
import { Fixture, json, lines, seen, take, text } from "./_fixture.ts";

Deno.test("objects of the store are there once ready, later ones as they are committed", async () => {
  await using f = new Fixture();
  await f.put({ namespace: "a", name: "x", value: 1 });
  await f.put({ name: "n1" });
  await f.start();
  assert.equal(seen(f.pods.get("a", "x")!), "a/x=1@2");
  const { revision, namespace, name } = f.nodes.get("", "n1")!;
  assert.deepEqual([revision, namespace, name], [3, "", "n1"]);
  await f.put({ namespace: "a", name: "y", value: 2 });
  assert.equal(seen(f.pods.get("a", "y")!), "a/y=2@4");
  await f.remove({ namespace: "a", name: "x" });
  assert.equal(f.pods.get("a", "x"), undefined);
  assert.equal(f.nodes.revision, 5);
});

Deno.test("a watch from a snapshot has neither gap nor double", async () => {
  await using f = new Fixture();
  await f.put({ namespace: "a", name: "x", value: 1 });
  await f.start();
  const snapshot = f.pods.snapshot();
  await f.put({ namespace: "a", name: "x", value: 2 });
  const watcher = f.pods.watch({ since: { initial: snapshot }, initialEnd: true });
  assert.deepEqual(await take(watcher, 3), ["ADDED a/x=1@2", "BOOKMARK! 2", "MODIFIED a/x=2@3"]);
  await f.remove({ namespace: "a", name: "x" });
  assert.deepEqual(await take(watcher, 1), ["DELETED a/x=2@4"]);
  watcher.close();
  assert.equal(await watcher.next(), undefined);
});

Deno.test("watchers of the same selection write the same bytes", async () => {
  await using f = new Fixture();
  await f.start();
  const watchers = [1, 2, 3].map(() => f.pods.watch({ since: f.pods.revision }));
  const next = watchers.map((watcher) => watcher.next());
  await f.put({ namespace: "a", name: "x", value: 1 });
  const bytes = (await Promise.all(next)).map((batch) => f.pods.batchBytes(batch!, json, lines));
  assert.equal(bytes[0], bytes[1]);
  assert.equal(bytes[1], bytes[2]);
  assert.match(text(bytes[0]!), /^\{"type":"ADDED","object":\{.*\}\}\n$/);
  assert.equal(f.codec.encoded, 1);
});

Deno.test("what was sent is kept for others for some seconds, and forgotten when nobody asks for it any more", async () => {
  await using f = await new Fixture().start();
  f.cacher.tick();
  const next = f.pods.watch({ since: f.pods.revision }).next();
  await f.put({ namespace: "a", name: "x", value: 1 });
  const batch = (await next)!, send = () => f.pods.batchBytes(batch, json, lines);
  const after = (ms: number) => {
    f.now += ms;
    f.cacher.tick();
  };
  const sent = send(), { forms } = f.cacher.stats;
  for (let ms = 0; ms < 4_500; ms += 500) after(500);
  assert.deepEqual([send() === sent, forms, f.cacher.stats.forms], [true, 1, 0]);
  after(5_001);
  after(5_001);
  assert.deepEqual([send() === sent, text(send()) === text(sent)], [false, true]);
});

Deno.test("listeners hear of every change in order; one that throws is reported and stops nothing", async () => {
  await using f = await new Fixture().start();
  const heard: string[] = [];
  f.pods.listen({
    changed: () => {
      throw new Error("no");
    },
    reset: () => {},
  });
  const stop = f.pods.listen({
    changed: (entry, previous, deleted) =>
      void heard.push(`${seen(entry)}<${previous?.revision ?? ""}${deleted ? " deleted" : ""}`),
    reset: () => {},
  });
  await f.put({ namespace: "a", name: "x", value: 1 });
  await f.put({ namespace: "a", name: "x", value: 2 });
  await f.remove({ namespace: "a", name: "x" });
  stop();
  await f.put({ namespace: "a", name: "y", value: 3 });
  assert.deepEqual(heard, ["a/x=1@2<", "a/x=2@3<2", "a/x=2@4<3 deleted"]);
  assert.equal(f.errors.length, 4);
  assert.equal(f.pods.get("a", "y")!.revision, 5);
});

Deno.test("a snapshot is as new as the log, though nothing of its own resource has changed", async () => {
  await using f = new Fixture();
  await f.put({ namespace: "a", name: "p" });
  await f.start();
  const before = f.pods.snapshot();
  const revision = await f.put({ name: "n" });
  assert.equal(await f.pods.waitFor(revision, 60_000), true);
  const after = f.pods.snapshot();
  assert.deepEqual([before.revision, after.revision], [revision - 1, revision]);
  assert.deepEqual([...after.range()], [...before.range()]);
});
