import assert from "node:assert/strict";
import {
  createMaps,
  map,
  maps,
  MERGE,
  namesOf,
  namespace,
  ok,
  openWatch,
  patchOf,
  refused,
  sharedServer,
  spec,
  told,
  withServer,
} from "./_spec.ts";

const server = sharedServer();

spec("Query parameters", {
  "watch": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a", "b");
    for (const value of ["1", "true"]) {
      const w = await openWatch(t, `${maps(ns)}?watch=${value}`);
      assert.deepEqual(told(await w.take(2)), ["ADDED a", "ADDED b"]);
      await w.stop();
    }
    const one = await openWatch(t, `${maps(ns)}?watch=1&fieldSelector=metadata.name%3Db`);
    assert.deepEqual(told(await one.take(1)), ["ADDED b"]);
    await one.stop();
    const named = await openWatch(t, `${maps(ns, "b")}?watch=1`);
    await ok(t, maps(ns, "a"), patchOf(MERGE, { data: { k: "v" } }));
    await ok(t, maps(ns, "b"), patchOf(MERGE, { data: { k: "v" } }));
    assert.deepEqual(told(await named.take(2)), ["ADDED b", "MODIFIED b"]);
    await named.stop();
    for (const value of ["0", "false"]) {
      assert.equal((await ok(t, `${maps(ns)}?watch=${value}`)).body.kind, "ConfigMapList");
    }
  },
  "resourceVersion": async () => {
    const t = await server();
    const ns = await namespace(t);
    const [at] = await createMaps(t, ns, "a");
    await createMaps(t, ns, "b");
    await ok(t, `${maps(ns, "a")}?resourceVersion=${at}`);
    await ok(t, `${maps(ns)}?resourceVersion=${at}`);
    const w = await openWatch(t, `${maps(ns)}?watch=1&resourceVersion=${at}`);
    assert.deepEqual(told(await w.take(1)), ["ADDED b"]);
    await w.stop();
    for (const path of [maps(ns, "a") + "?", `${maps(ns)}?`, `${maps(ns)}?watch=1&`]) {
      await refused(t, 400, `${path}resourceVersion=x`);
    }
  },
  "resourceVersionMatch": async () => {
    const t = await server();
    const ns = await namespace(t);
    const [at] = await createMaps(t, ns, "a");
    await createMaps(t, ns, "b");
    const list = async (match: string) =>
      namesOf((await ok(t, `${maps(ns)}?resourceVersion=${at}&resourceVersionMatch=${match}`)).body);
    assert.deepEqual(await list("Exact"), ["a"]);
    assert.deepEqual(await list("NotOlderThan"), ["a", "b"]);
    for (const match of ["Exact", "NotOlderThan"]) {
      await refused(t, 400, `${maps(ns)}?resourceVersionMatch=${match}`);
    }
    await refused(t, 400, `${maps(ns)}?resourceVersion=${at}&resourceVersionMatch=other`);
  },
  "limit": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a", "b", "c");
    for (const [limit, count] of [[1, 1], [2, 2], [3, 3], [9, 3], [0, 3]]) {
      assert.equal((await ok(t, `${maps(ns)}?limit=${limit}`)).body.items.length, count);
    }
    await refused(t, 400, `${maps(ns)}?limit=many`);
  },
  "continue": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a", "b", "c");
    const token = encodeURIComponent((await ok(t, `${maps(ns)}?limit=2`)).body.metadata.continue);
    assert.deepEqual(namesOf((await ok(t, `${maps(ns)}?limit=2&continue=${token}`)).body), ["c"]);
    await refused(t, 400, `${maps(ns)}?limit=2&continue=!`);
  },
  "allowWatchBookmarks": async () => {
    const t = await server();
    const ns = await namespace(t);
    const query = "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=";
    for (const [value, type] of [["true", "BOOKMARK"], ["false", "ADDED"]]) {
      const w = await openWatch(t, maps(ns) + query + value);
      if (type === "ADDED") await createMaps(t, ns, "a");
      assert.equal((await w.take(1))[0]!.type, type);
      await w.stop();
    }
  },
  "sendInitialEvents": async () => {
    const t = await server();
    const ns = await namespace(t);
    const [, at] = await createMaps(t, ns, "a", "b");
    const query = `?watch=1&resourceVersionMatch=NotOlderThan&resourceVersion=${at}&sendInitialEvents=`;
    const all = await openWatch(t, `${maps(ns)}${query}true`);
    assert.deepEqual(told(await all.take(2)), ["ADDED a", "ADDED b"]);
    await all.stop();
    const none = await openWatch(t, `${maps(ns)}${query}false`);
    await createMaps(t, ns, "c");
    assert.deepEqual(told(await none.take(1)), ["ADDED c"]);
    await none.stop();
    await refused(t, 422, `${maps(ns)}?sendInitialEvents=true`);
  },
  "shardSelector": () =>
    withServer(["--feature-gates=ShardedListAndWatch=true"], async (t) => {
      await createMaps(t, "default", "a", "b", "c", "d");
      const half = (start: string, end: string) =>
        `?shardSelector=${encodeURIComponent(`shardRange(object.metadata.uid, '0x${start}', '0x${end}')`)}`;
      const names = async (q: string) => namesOf((await ok(t, maps("default") + q)).body);
      const low = await names(half("0000000000000000", "8000000000000000"));
      const high = await names(half("8000000000000000", "10000000000000000"));
      assert.deepEqual([...low, ...high].sort(), ["a", "b", "c", "d"]);
    }),
  "fieldValidation": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "there");
    const odd = (name: string) => ({ ...map(name), other: 1 });
    const requests = (level: string): [string, Parameters<typeof ok>[2]][] => [
      [`${maps(ns)}?fieldValidation=${level}`, { body: odd(`made-${level.toLowerCase()}`) }],
      [`${maps(ns, "there")}?fieldValidation=${level}`, { method: "PUT", body: odd("there") }],
      [`${maps(ns, "there")}?fieldValidation=${level}`, patchOf(MERGE, { other: 1 })],
    ];
    for (const [path, init] of requests("Ignore")) assert.deepEqual((await ok(t, path, init)).warnings, []);
    for (const [path, init] of requests("Warn")) {
      assert.deepEqual((await ok(t, path, init)).warnings, ['unknown field "other"']);
    }
    const [post, put, patch] = requests("Strict");
    await refused(t, 400, ...post!);
    await refused(t, 400, ...put!);
    await refused(t, 422, ...patch!); // public servers call a patch that does not apply invalid
    const [path, init] = requests("default")[1]!;
    assert.equal((await ok(t, path.replace(/\?.*/, ""), init)).warnings.length, 1);
    await refused(t, 422, path, init);
  },
  "dryRun": async () => {
    const t = await server();
    const ns = await namespace(t);
    const [at] = await createMaps(t, ns, "a");
    await ok(t, `${maps(ns)}?dryRun=All`, { body: map("b") });
    const put = { method: "PUT", body: map("a", { k: "v" }) };
    assert.deepEqual((await ok(t, `${maps(ns, "a")}?dryRun=All`, put)).body.data, { k: "v" });
    await ok(t, `${maps(ns, "a")}?dryRun=All`, patchOf(MERGE, { data: { k: "w" } }));
    for (const path of [maps(ns, "a"), maps(ns)]) {
      await ok(t, `${path}?dryRun=All`, { method: "DELETE" });
      // With a body, too, of which other options come.
      await ok(t, `${path}?dryRun=All`, { method: "DELETE", body: { propagationPolicy: "Foreground" } });
      await refused(t, 422, `${path}?dryRun=Some`, { method: "DELETE", body: {} });
    }
    const { body } = await ok(t, maps(ns));
    assert.deepEqual(namesOf(body), ["a"]);
    assert.equal(body.items[0].metadata.resourceVersion, at);
    await refused(t, 422, `${maps(ns)}?dryRun=Some`, { body: map("c") });
    for (const empty of ["dryRun", "dryRun="]) await ok(t, `${maps(ns)}?${empty}`, { body: map("d") });
    await refused(t, 404, maps(ns, "d"));
  },
  "pretty": async () => {
    const t = await server();
    for (const path of ["/api/v1/namespaces/default", "/api/v1/namespaces", "/api/v1/namespaces/missing", "/apis"]) {
      const plain = await t.fetch(path);
      for (const flag of ["pretty=true", "pretty=1", "pretty"]) {
        const pretty = await t.fetch(`${path}?${flag}`);
        assert.ok(pretty.text.split("\n").length > 5, `${path}?${flag}`);
        assert.deepEqual(pretty.body, plain.body);
      }
      for (const { text } of [plain, await t.fetch(`${path}?pretty=false`)]) {
        assert.equal(text.trim().split("\n").length, 1);
      }
    }
  },
});
