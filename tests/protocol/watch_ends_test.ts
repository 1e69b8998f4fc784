/** How a watch ends that its server cannot go on with: without an error where its client may resume it. */
import assert from "node:assert/strict";
import { startTestServer } from "../fixture/server.ts";
import { Faulty } from "../cache/_faulty.ts";
import { definition, DEFINITIONS, thing, THINGS, until, version } from "../customresources/_crd.ts";
import { createMaps, maps, ok, openWatch, told, withServer } from "../spec/_spec.ts";

Deno.test("a store that loses its log ends watches without an error, and they resume where they were", async () => {
  const store = Faulty.make();
  const t = await startTestServer([], { backend: store });
  try {
    const [since] = await createMaps(t, "default", "a");
    const path = `${maps("default")}?watch=1&resourceVersion=${since}`;
    const broken = await openWatch(t, path);
    store.breakLog();
    assert.equal(await broken.next(), undefined);
    await t.server.cacher.whenReady();
    await createMaps(t, "default", "b");
    const resumed = await openWatch(t, path);
    assert.deepEqual(told(await resumed.take(1)), ["ADDED b"]);
    await resumed.stop();
  } finally {
    await t.stop();
  }
});

Deno.test("a watch of custom objects tells that they are gone, and ends with their definition", () =>
  withServer([], async (t) => {
    await ok(t, DEFINITIONS, { body: definition([version({})]) });
    await until(() => t.fetch(THINGS), (a) => a.status === 200);
    await ok(t, THINGS, { body: thing("a") });
    const w = await openWatch(t, `${THINGS}?watch=1`);
    assert.deepEqual(told(await w.take(1)), ["ADDED a"]);
    await ok(t, `${DEFINITIONS}/things.example.com`, { method: "DELETE" });
    assert.deepEqual(told(await w.take(1)), ["DELETED a"]);
    assert.equal(await w.next(), undefined);
  }));
