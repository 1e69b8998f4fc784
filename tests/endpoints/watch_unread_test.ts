/** Watches that nobody reads. */
import assert from "node:assert/strict";
import { Faulty } from "../cache/_faulty.ts";
import { watchOverSocket } from "../../server/endpoints/watch_socket.ts";
import type { WatchRun } from "../../server/endpoints/watch_run.ts";
import type { RequestScope } from "../../server/request.ts";
import { CLOSED, startTestServer, withServer } from "../fixture/server.ts";
import { until } from "../listen/_fixture.ts";

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

Deno.test("a watch whose client stops reading ends when it has fallen behind, and says so to who reads on", async () => {
  let now = 0;
  await withServer([], async (t) => {
    const lasting = async () =>
      /^apiserver_longrunning_requests\{.*"configmaps"/m.test((await t.fetch("/metrics")).text);
    const write = (name: string) =>
      t.fetch(MAPS, { body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name } } });
    const reader = (await t.open(`${MAPS}?watch=1&timeoutSeconds=7200`)).body!.getReader();
    const next = async () => JSON.parse(new TextDecoder().decode((await reader.read()).value));
    await write("a");
    assert.equal((await next()).type, "ADDED");
    await write("b");
    assert.ok(await lasting());
    now += 3_600_000;
    await write("c");
    await until("it has ended", async () => !await lasting());
    const { type, object } = await next();
    assert.deepEqual([type, object.code, object.reason], ["ERROR", 410, "Expired"]);
    assert.equal((await reader.read()).done, true);
  }, { elapsed: () => now });
});

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
    const watches = starts.map((v) => [v, t.open(`${MAPS}?watch=1&resourceVersion=${v}`, {}, user)] as const);
    await asked;
    t.server.endLasting();
    allow();
    for (const [version, watch] of watches) assert.equal(await (await watch).text(), "", version);
    assert.equal(cache.stats.watchers, before);
  } finally {
    await t.stop();
  }
});

for (const gone of [true, false]) {
  const left = gone ? "before its watch was let in" : "as its watch was let in";
  Deno.test({
    name: `of a client that left ${left}, and never opens its WebSocket, nothing stays`,
    sanitizeOps: true, // its timer
    fn() {
      const client = new AbortController(), ends: string[] = [];
      if (gone) client.abort();
      const socket = Object.assign(new EventTarget(), { readyState: 0, OPEN: 1, close: () => {} });
      const upgrade = () => ({ response: new Response(), socket: socket as unknown as WebSocket });
      const watcher = { next: () => new Promise<never>(() => {}), close: () => void ends.push("closed") };
      const run = { gone: client.signal, lifeMs: 60_000, source: watcher, ended: () => void ends.push("ended") };
      const scope = { headers: new Headers({ "sec-websocket-version": "13" }) };
      watchOverSocket(upgrade, run as unknown as WatchRun, scope as unknown as RequestScope);
      socket.readyState = 3;
      socket.dispatchEvent(new Event("close"));
      assert.deepEqual(ends, ["closed", "ended"]);
    },
  });
}

Deno.test("a watch whose cache is not ready any more when it is read is told to come again, as a new one is", async () => {
  const store = Faulty.make(), t = await startTestServer([], { backend: store });
  try {
    const { cache } = t.server.registries.byId("configmaps")!;
    const watch = await t.open(`${MAPS}?watch=1&resourceVersion=${cache.revision}`);
    store.failChanges = Infinity;
    store.breakLog();
    await until("that is noticed", async () => !cache.ready);
    const { type, object } = JSON.parse(await watch.text()), refused = await t.fetch(`${MAPS}?watch=1`);
    assert.equal(refused.status, 429);
    assert.deepEqual({ type, object }, { type: "ERROR", object: refused.body });
  } finally {
    store.failChanges = 0;
    await t.stop();
  }
});
