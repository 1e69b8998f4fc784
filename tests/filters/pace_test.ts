/** `--max-connection-bytes-per-sec`. */
import assert from "node:assert/strict";
import { NO_CONNECTION } from "../../server/filters/env.ts";
import { Pace, paceFilter } from "../../server/filters/pace.ts";
import { scopeOf } from "../../server/filters/scope.ts";
import { served } from "./_server.ts";

/** A clock that only sleeping moves. */
function clock() {
  const at = { ms: 0 };
  const sleep = (ms: number) => Promise.resolve(void (at.ms += ms));
  return { at, sleep, now: () => at.ms };
}

Deno.test("a connection's bytes are spread over time, and a rest is not saved up", async () => {
  const { at, sleep, now } = clock();
  const pace = new Pace(1000, now, sleep);
  await pace.take(500);
  assert.equal(at.ms, 0, "the first at once");
  await pace.take(500);
  assert.equal(at.ms, 500);
  await pace.take(1);
  assert.equal(at.ms, 1000);
  at.ms = 100_000;
  await pace.take(2000);
  assert.equal(at.ms, 100_000);
  await pace.take(1);
  assert.equal(at.ms, 102_000);
});

Deno.test("long pieces are cut", () => {
  const { now, sleep } = clock();
  assert.equal(new Pace(80_000, now, sleep).piece, 10_000);
  assert.equal(new Pace(10, now, sleep).piece, 512);
});

Deno.test("what lasts on one connection has one pace, and whoever leaves an answer ends it at its source", async () => {
  const filter = paceFilter(1000, () => 0)!, connection = { ...NO_CONNECTION };
  const scopes = [connection, connection, { ...connection }].map((of) =>
    scopeOf(new Request("https://h/api/v1/pods?watch=1"), of, { now: () => 0, auditId: () => "x" })
  );
  let left = 0;
  for (const scope of scopes) {
    const body = new ReadableStream<Uint8Array>({ cancel: () => void left++ });
    await (await filter(scope, () => new Response(body))).body!.cancel();
  }
  assert.equal(left, 3);
  const [one, two, other] = scopes.map(({ pace }) => pace);
  assert.ok(one && one === two && other && other !== one);
});

Deno.test("a watch goes through whole at its pace, a list is not held back", () =>
  served(["--max-connection-bytes-per-sec=100000", "--cors-allowed-origins=^https://a$"], async (s) => {
    const maps = "/api/v1/namespaces/default/configmaps";
    const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "m" }, data: { k: "x".repeat(40_000) } };
    assert.equal((await s.fetch(maps, { body })).status, 201);
    const { items } = (await s.fetch(maps)).body;
    const watch = await s.open(`${maps}?watch=1&resourceVersion=0&fieldSelector=metadata.name%3Dm`, {
      headers: { origin: "https://a" },
    });
    assert.ok(watch.headers.get("audit-id"));
    assert.equal(watch.headers.get("vary"), "Origin");
    const pieces: string[] = [];
    for await (const piece of watch.body!.pipeThrough(new TextDecoderStream())) {
      pieces.push(piece);
      if (piece.endsWith("\n")) break;
    }
    assert.ok(pieces.length > 3 && pieces.every((p) => p.length <= 12_500), "cut to a part of a second's bytes");
    const { object } = JSON.parse(pieces.join(""));
    assert.deepEqual(object.data, items.find((i: { metadata: { name: string } }) => i.metadata.name === "m").data);
  }));
