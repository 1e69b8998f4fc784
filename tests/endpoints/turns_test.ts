/** Long answers are made slice by slice: other requests have their turns meanwhile. */
import assert from "node:assert/strict";
import { clearImmediate, setImmediate } from "node:timers";
import { gunzipSync } from "node:zlib";
import { gzipped, zippedSlowly } from "../../server/endpoints/gzip.ts";
import { define, definition, version } from "../customresources/_crd.ts";
import { withServer } from "../fixture/server.ts";

const MB = 1 << 20;
const LONG = Uint8Array.from({ length: 4 * MB }, (_, i) => 97 + ((i * i) >> 7) % 20);

/** How often others had their turn while something was done. */
async function turnsOf<T>(work: () => Promise<T>): Promise<{ done: T; turns: number }> {
  // Timers go off once a millisecond at most, and less often on a busy machine.
  let turns = 0, next = setImmediate(count);
  function count(): void {
    turns++;
    next = setImmediate(count);
  }
  try {
    return { done: await work(), turns };
  } finally {
    clearImmediate(next);
  }
}

Deno.test("compression rests after each slice, at once or as a stream", async () => {
  const whole = await turnsOf(() => zippedSlowly(LONG));
  assert.deepEqual(new Uint8Array(gunzipSync(whole.done)), LONG);
  assert.ok(whole.turns >= 8, `${whole.turns} turns`);
  let at = 0;
  const source = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(LONG.slice(at, at += 64 * 1024));
      if (at >= LONG.length) controller.close();
    },
  }, { highWaterMark: 0 });
  const passed = await turnsOf(async () => new Uint8Array(await new Response(gzipped(source)).arrayBuffer()));
  assert.deepEqual(new Uint8Array(gunzipSync(passed.done)), LONG);
  assert.ok(passed.turns >= 8, `${passed.turns} turns`);
});

Deno.test("the document of version 2 is made with rests, in either form, and is whole though kinds come meanwhile", () =>
  withServer([], async (s) => {
    const protobuf = { accept: "application/com.github.proto-openapi.spec.v2@v1.0+protobuf" };
    const ask = async (headers: Record<string, string>) =>
      new Uint8Array(
        await (await s.server.app.fetch(new Request("https://test/openapi/v2", { headers }))).arrayBuffer(),
      );
    const json = await turnsOf(() => ask({}));
    assert.ok(json.done.length > MB && json.turns >= 4, `${json.turns} turns for ${json.done.length} bytes`);
    const form = await turnsOf(() => ask(protobuf));
    assert.ok(form.turns >= 4, `${form.turns} turns for ${form.done.length} bytes`);
    const definitions = async (bytes: Promise<Uint8Array>): Promise<Set<string>> => {
      const text = new TextDecoder().decode(await bytes), names = Object.keys(JSON.parse(text).definitions);
      for (const [, name] of text.matchAll(/"#\/definitions\/([^"]+)"/g)) assert.ok(names.includes(name!), name!);
      return new Set(names);
    };
    s.server.catalog.remove("configmaps");
    const during = definitions(ask({}));
    await define(s, definition([version({})]));
    await during;
    assert.ok((await definitions(ask({}))).has("com.example.v1.Thing"));
  }));
