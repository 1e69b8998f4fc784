/** Watches that nobody reads. */
import assert from "node:assert/strict";
import { CLOSED, startTestServer, withServer } from "../fixture/server.ts";

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

Deno.test("a watch that is ended before it is let in ends when it is, from whatever version it starts", async () => {
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const { promise: allowed, resolve: allow } = Promise.withResolvers<void>();
  const post = () => {
    ask();
    return allowed.then(() => ({ status: 200, body: JSON.stringify({ status: { allowed: true } }) }));
  };
  const t = await startTestServer(
    ["--authorization-mode=Webhook", "--authorization-webhook-config-file=/hook"],
    { outside: { ...CLOSED, post: () => post } },
  );
  try {
    const { cache } = t.server.registries.byId("configmaps")!, before = cache.stats.watchers;
    const starts = ["", "0", String(cache.revision)];
    const user = { name: "ann", groups: [] };
    const watches = starts.map((v) => t.open(`${MAPS}?watch=1&resourceVersion=${v}`, {}, user));
    await asked;
    t.server.endLasting();
    allow();
    for (const [i, watch] of watches.entries()) assert.equal(await (await watch).text(), "", starts[i]);
    assert.equal(cache.stats.watchers, before);
  } finally {
    await t.stop();
  }
});
