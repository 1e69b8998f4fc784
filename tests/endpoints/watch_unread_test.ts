/** Watches that nobody reads. */
import assert from "node:assert/strict";
import { withServer } from "../fixture/server.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";

Deno.test("a watch whose answer nobody has begun to read ends with its time, and with who left", () =>
  withServer([], async (t) => {
    const { cache } = t.server.registries.byId("configmaps")!, before = cache.stats.watchers;
    const ended = async () => {
      for (let i = 0; i < 1000 && cache.stats.watchers > before; i++) await new Promise((r) => setTimeout(r, 5));
      assert.equal(cache.stats.watchers, before);
    };
    const unread = await t.open(`${MAPS}?watch=1&timeoutSeconds=1`);
    assert.equal(cache.stats.watchers, before + 1);
    await ended();
    assert.equal(await unread.text(), "");
    const left = await t.open(`${MAPS}?watch=1`);
    assert.equal(cache.stats.watchers, before + 1);
    await left.body!.cancel();
    await ended();
  }));
