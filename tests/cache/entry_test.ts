import assert from "node:assert/strict";
import { StatusError } from "../../schema/status.ts";
import type { Form, WriteNote } from "../../server/cache/mod.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { encode, Fixture, json, meta, object, text } from "./_fixture.ts";

Deno.test("a resource that nobody looks into is never decoded", async () => {
  await using f = new Fixture();
  await f.put({ namespace: "a", name: "x", value: 1 });
  await f.start();
  await f.put({ namespace: "a", name: "x", value: 2 });
  await f.remove({ namespace: "a", name: "x" });
  assert.equal(f.pods.snapshot().size, 0);
  assert.equal(f.codec.decoded, 0);
});

Deno.test("a form is made once, and facts once", async () => {
  await using f = new Fixture();
  await f.put({ namespace: "a", name: "x", labels: { l: "1" }, nodeName: "n1" });
  await f.start();
  const entry = f.pods.get("a", "x")!;
  assert.deepEqual([entry.uid, entry.labels, entry.fields], ["u-x", { l: "1" }, { "spec.nodeName": "n1" }]);
  assert.equal(f.codec.decoded, 1);
  const bytes = entry.bytes(json);
  assert.equal(text(entry.bytes(json)), text(bytes));
  assert.deepEqual([f.codec.decoded, f.codec.encoded], [2, 1]);
  assert.match(text(entry.bytes(meta)), /^\{"metadata":\{"name":"x",.*"resourceVersion":"2"\}\}$/);
});

Deno.test("a local write brings its facts and its JSON: nothing is decoded for its readers", async () => {
  await using f = await new Fixture().start();
  const shape = { namespace: "a", name: "x", labels: { l: "1" }, value: 1 };
  const written = object(shape);
  const make = (revision: number) =>
    encode({ ...written, metadata: { ...written.metadata, resourceVersion: `${revision}` } });
  const note: WriteNote = { object: written, json: { form: json, make } };
  const watcher = f.pods.watch({ since: f.pods.revision, matches: (entry) => entry.labels["l"] === "1" });
  const next = watcher.next();
  await f.put(shape, note);
  assert.match(text((await next)!.events[0]!.entry!.bytes(json)), /"resourceVersion":"2"/);
  assert.deepEqual([f.codec.decoded, f.codec.encoded], [0, 0]);
});

Deno.test("object() is the caller's own, peek() is shared", async () => {
  await using f = await new Fixture().start();
  await f.put({ namespace: "a", name: "x", value: 1 });
  const entry = f.pods.get("a", "x")!;
  const own = entry.object();
  own["spec"].value = 2;
  assert.equal(entry.object()["spec"].value, 1);
  const shared = entry.peek();
  assert.equal(entry.peek(), shared);
});

Deno.test("a damaged object fails where it is read, and matches no selector; all else works", async () => {
  await using f = await new Fixture().start();
  await f.backend.commit([{ key: "/registry/pods/a/bad", value: new TextEncoder().encode("{") }]);
  await f.put({ namespace: "a", name: "good" });
  const bad = f.pods.get("a", "bad")!;
  assert.equal(bad.error, undefined);
  for (const read of [() => bad.bytes(json), () => bad.object(), () => bad.peek()]) {
    assert.throws(read, (e) => e === bad.error && e instanceof StatusError && e.cause instanceof SyntaxError);
  }
  assert.match(bad.error!.message, /^Internal error occurred: .*JSON/);
  assert.deepEqual([bad.uid, bad.labels], ["", {}]);
  assert.equal(f.pods.snapshot().size, 2);
});

Deno.test("an object that has no such form fails in that one alone, and is not damaged", async () => {
  await using f = await new Fixture().start();
  await f.put({ namespace: "a", name: "x", labels: { l: "1" } });
  const { encode } = f.codec, none: Form = { ...json, key: "v2/json", version: "v2" };
  f.codec.encode = (of, form) => {
    if (form === none) throw new Error("no kind Thing in v2");
    return encode.call(f.codec, of, form);
  };
  const entry = f.pods.get("a", "x")!;
  for (const read of [() => entry.bytes(none), () => entry.made(none)]) {
    assert.throws(read, (e) => e instanceof StatusError && e.code === 500 && /no kind Thing in v2/.test(e.message));
  }
  assert.equal(entry.error, undefined);
  assert.match(text(entry.bytes(json)), /"name":"x"/);
  assert.deepEqual([entry.labels, entry.readable()?.metadata.name], [{ l: "1" }, "x"]);
});

Deno.test("secondary forms stay within their budget and are made again when needed", async () => {
  await using f = new Fixture(memoryBackend(), { limits: { formBytes: 20_000 } });
  await f.start();
  for (let i = 0; i < 100; i++) await f.put({ namespace: "a", name: `p${i}`, value: "x".repeat(500) });
  const all = () => [...f.pods.snapshot().range()].map((entry) => text(entry.bytes(json)));
  const first = all();
  assert.ok(f.cacher.stats.formBytes <= 20_000);
  assert.ok(f.cacher.stats.formsDropped > 50);
  assert.deepEqual(all(), first);
});

Deno.test("what was replaced and left the history gives all its bytes back", async () => {
  await using f = new Fixture(memoryBackend(), { limits: { hardCount: 10 } });
  await f.start();
  const others: Form[] = [json, meta];
  for (let value = 0; value < 200; value++) {
    await f.put({ namespace: "a", name: `p${value % 3}`, value, labels: { l: `${value % 2}` } });
    for (const form of others) f.pods.get("a", `p${value % 3}`)!.bytes(form);
  }
  for (let i = 0; i < 3; i++) await f.remove({ namespace: "a", name: `p${i}` });
  f.now += 1_000_000;
  f.cacher.tick();
  assert.equal(f.cacher.stats.forms, 0);
  assert.equal(f.cacher.stats.formBytes, 0);
  assert.deepEqual([f.pods.stats.entries, f.pods.stats.entryBytes], [0, 0]);
});
