/** Watches that begin with what there is are compressed (gate WatchListCompression). */
import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { Gzip } from "../../server/endpoints/watch_gzip.ts";
import { concat } from "../../schema/values/bytes.ts";
import { createMaps, maps, namespace, ok, sharedServer, told, within, withServer } from "../spec/_spec.ts";
import type { TestServer } from "../fixture/server.ts";

const LIST = "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
const server = sharedServer();

const open = async (t: TestServer, path: string, takes = "gzip") =>
  await t.server.app.fetch(new Request(`https://test${path}`, { headers: { "accept-encoding": takes } }));

/** The lines of a compressed stream, each as soon as it is sent. */
async function* linesOf(response: Response): AsyncGenerator<string> {
  let text = "";
  const unzipped = response.body!.pipeThrough(new DecompressionStream("gzip"));
  for await (const part of unzipped.pipeThrough(new TextDecoderStream())) {
    const lines = (text + part).split("\n");
    text = lines.pop()!;
    yield* lines;
  }
  assert.equal(text, "");
}

async function take(lines: AsyncGenerator<string>, n: number) {
  const events = [];
  while (events.length < n) events.push(JSON.parse((await within(lines.next(), "an event")).value!));
  return events;
}

Deno.test("each event of a compressed watch is there when it is sent, and the stream has its end", async () => {
  const t = await server(), ns = await namespace(t);
  await createMaps(t, ns, "a", "b");
  const text = "what does not get small by being compressed ".repeat(1000);
  await ok(t, maps(ns), { method: "POST", body: { metadata: { name: "long" }, data: { text } } });
  const response = await open(t, `${maps(ns)}${LIST}&timeoutSeconds=5`);
  assert.equal(response.headers.get("content-encoding"), "gzip");
  assert.equal(response.headers.get("vary"), "Accept-Encoding");
  assert.equal(response.headers.get("content-type"), "application/json");
  const lines = linesOf(response), first = await take(lines, 4);
  assert.deepEqual(told(first.slice(0, 3)), ["ADDED a", "ADDED b", "ADDED long"]);
  assert.equal(first[2].object.data.text, text);
  assert.equal(first[3].type, "BOOKMARK");
  await createMaps(t, ns, "c");
  assert.deepEqual(told(await take(lines, 1)), ["ADDED c"]);
  await ok(t, maps(ns), { method: "POST", body: { metadata: { name: "longer" }, data: { text: text + text } } });
  assert.deepEqual(told(await take(lines, 1)), ["ADDED longer"]);
  for await (const line of lines) assert.equal(JSON.parse(line).type, "BOOKMARK");
});

Deno.test("a failure is told within the compressed stream", async () => {
  const t = await server(), ns = await namespace(t);
  const response = await open(t, `${maps(ns)}${LIST}&resourceVersion=999999999&timeoutSeconds=1`);
  const [event] = await take(linesOf(response), 1);
  assert.equal(event.type, "ERROR");
});

Deno.test("watches that are not asked to begin with what there is, or by clients that do not take gzip, stay plain", async () => {
  const t = await server(), ns = await namespace(t);
  const plain = async (t: TestServer, query: string, takes?: string) => {
    const response = await open(t, `${maps(ns)}${query}`, takes);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-encoding"), null);
    await response.body!.cancel();
  };
  await plain(t, LIST, "identity");
  await plain(t, "?watch=1");
  await plain(t, LIST.replace("&allowWatchBookmarks=true", ""));
  await plain(t, LIST.replace("sendInitialEvents=true", "sendInitialEvents=false"));
  await withServer(["--feature-gates=WatchListCompression=false"], (off) => plain(off, LIST));
});

Deno.test("a client that goes just as it is sent the end of a compressed watch harms nobody", async () => {
  const t = await server(), ns = await namespace(t), abort = new AbortController();
  const headers = { "accept-encoding": "gzip" }, { signal } = abort;
  const response = await t.server.app.fetch(new Request(`https://test${maps(ns)}${LIST}`, { headers, signal }));
  assert.equal(response.headers.get("content-encoding"), "gzip");
  const reader = response.body!.getReader();
  assert.equal((await reader.read()).done, false);
  const next = reader.read(), { prototype } = ReadableStreamDefaultController, { enqueue } = prototype;
  // As the runtime does it, which sends what it is given at once.
  let left: Promise<void> | undefined;
  prototype.enqueue = function (chunk) {
    enqueue.call(this, chunk);
    left = reader.cancel();
  };
  try {
    abort.abort();
  } finally {
    prototype.enqueue = enqueue;
  }
  assert.ok(left, "the end was sent");
  await Promise.all([next, left]);
});

Deno.test("parts of any length make one gzip member, and those of equal bytes are compressed once", () => {
  const parts = [0, 1, 4095, 4096, 70_000].map((n) => Uint8Array.from({ length: n }, (_, i) => (i * i) % 251));
  const zip = new Gzip(), whole = concat([...parts.map((p) => zip.part(p)), zip.end()]);
  assert.deepEqual(new Uint8Array(gunzipSync(whole)), concat(parts));
  assert.equal(new Gzip().end().length, 23);
  const begun = () => {
    const one = new Gzip();
    one.part(parts[1]!);
    return one.part(parts[4]!);
  };
  assert.equal(begun(), begun());
});
