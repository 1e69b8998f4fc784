import assert from "node:assert/strict";
import { unready } from "./_held.ts";
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

const server = sharedServer(["--feature-gates=CBORServingAndStorage=true"]);

spec("Watch streams", {
  "rule 1": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a");
    const w = await openWatch(t, `${maps(ns)}?watch=1`);
    assert.equal(w.response.headers.get("content-type"), "application/json");
    assert.equal(w.response.headers.get("content-length"), null);
    assert.deepEqual(Object.keys((await w.next())!), ["type", "object"]);
    await w.stop();
  },
  "rule 2": async () => {
    const t = await server();
    const ns = await namespace(t);
    const [at] = await createMaps(t, ns, "before");
    const w = await openWatch(t, `${maps(ns)}?watch=1&resourceVersion=${at}`);
    await createMaps(t, ns, "a");
    await ok(t, maps(ns, "a"), patchOf(MERGE, { data: { k: "v" } }));
    await ok(t, maps(ns, "a"), { method: "DELETE" });
    const events = await w.take(3);
    await w.stop();
    assert.deepEqual(told(events), ["ADDED a", "MODIFIED a", "DELETED a"]);
    assert.deepEqual(events[1]!.object.data, { k: "v" });
    const versions = events.map((e) => Number(e.object.metadata.resourceVersion));
    assert.ok(versions[0]! < versions[1]! && versions[1]! < versions[2]!);
  },
  "rule 3": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a");
    const query = "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
    const w = await openWatch(t, `${maps(ns)}${query}&allowWatchBookmarks=true`);
    const [, bookmark] = await w.take(2);
    await w.stop();
    assert.equal(bookmark!.type, "BOOKMARK");
    const { kind, apiVersion, metadata, ...rest } = bookmark!.object;
    assert.deepEqual([kind, apiVersion], ["ConfigMap", "v1"]);
    assert.match(metadata.resourceVersion, /^[1-9]\d*$/);
    assert.equal(metadata.name, undefined);
    assert.deepEqual(rest, {});
    // Without asking for them there are none.
    const silent = await openWatch(t, `${maps(ns)}${query}`);
    await silent.take(1);
    await createMaps(t, ns, "b");
    assert.deepEqual(told(await silent.take(1)), ["ADDED b"]);
    await silent.stop();
  },
  "rule 4": async () => {
    const t = await server();
    const ns = await namespace(t);
    const [, now] = await createMaps(t, ns, "a", "b");
    const query = "?watch=1&allowWatchBookmarks=1&sendInitialEvents=true";
    await refused(t, 422, `${maps(ns)}${query}`);
    await refused(t, 422, `${maps(ns)}${query}&resourceVersionMatch=Exact`);
    for (const version of ["", "&resourceVersion=", `&resourceVersion=${now}`]) {
      const w = await openWatch(t, `${maps(ns)}${query}&resourceVersionMatch=NotOlderThan${version}`);
      const events = await w.take(3);
      assert.deepEqual(events.map((e) => e.type), ["ADDED", "ADDED", "BOOKMARK"]);
      assert.ok(Number(events[2]!.object.metadata.resourceVersion) >= Number(now));
      assert.equal(events[2]!.object.metadata.annotations["k8s.io/initial-events-end"], "true");
      await ok(t, maps(ns, "a"), patchOf(MERGE, { data: { at: version } }));
      assert.deepEqual(told(await w.take(1)), ["MODIFIED a"]);
      await w.stop();
    }
    await withServer(["--feature-gates=WatchList=false"], async (off) => {
      await refused(off, 422, `${maps("default")}${query}&resourceVersionMatch=NotOlderThan`);
    });
  },
  "rule 5": async () => {
    const t = await server();
    const ns = await namespace(t);
    const w = await openWatch(t, `${maps(ns)}?watch=1&resourceVersion=999999999&timeoutSeconds=1`);
    await createMaps(t, ns, "a"); // before the version asked for
    assert.equal(await w.next(), undefined);
  },
});

spec("Watch events", {
  "ADDED": async () => {
    const t = await server();
    const ns = await namespace(t);
    await ok(t, maps(ns), { body: map("a", { k: "v" }) });
    const w = await openWatch(t, `${maps(ns)}?watch=1`);
    await ok(t, maps(ns), { body: map("b", { k: "w" }) });
    const events = await w.take(2);
    await w.stop();
    assert.deepEqual(told(events), ["ADDED a", "ADDED b"]);
    assert.deepEqual(events.map((e) => e.object.data), [{ k: "v" }, { k: "w" }]);
    assert.deepEqual(events[1]!.object, (await ok(t, maps(ns, "b"))).body);
  },
  "MODIFIED": async () => {
    const t = await server();
    const ns = await namespace(t);
    const [at] = await createMaps(t, ns, "a");
    const w = await openWatch(t, `${maps(ns)}?watch=1&resourceVersion=${at}`);
    const { body } = await ok(t, maps(ns, "a"), patchOf(MERGE, { data: { k: "v" } }));
    const [event] = await w.take(1);
    await w.stop();
    assert.equal(event!.type, "MODIFIED");
    assert.deepEqual(event!.object, body);
  },
  "BOOKMARK": async () => {
    const t = await server();
    const ns = await namespace(t);
    const query = "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    const w = await openWatch(t, `/api/v1/namespaces/${ns}/pods${query}`);
    const [event] = await w.take(1);
    await w.stop();
    assert.equal(event!.type, "BOOKMARK");
    assert.equal(event!.object.kind, "Pod");
    assert.deepEqual(Object.keys(event!.object.metadata).sort(), ["annotations", "resourceVersion"]);
  },
  "rule 1": async () => {
    const t = await server();
    const ns = await namespace(t);
    const [at] = await createMaps(t, ns, "a");
    const first = await openWatch(t, `${maps(ns)}?watch=1&resourceVersion=${at}`);
    await createMaps(t, ns, "b");
    const [event] = await first.take(1);
    await first.stop();
    await createMaps(t, ns, "c");
    const resumed = await openWatch(t, `${maps(ns)}?watch=1&resourceVersion=${event!.object.metadata.resourceVersion}`);
    assert.deepEqual(told(await resumed.take(1)), ["ADDED c"]);
    await resumed.stop();
  },
  "rule 2": async () => {
    let now = Date.now();
    await withServer([], async (t) => {
      const [at] = await createMaps(t, "default", "a", "b");
      now += 6 * 60_000;
      await createMaps(t, "default", "c");
      const w = await openWatch(t, `${maps("default")}?watch=1&resourceVersion=${at}`);
      const [event] = await w.take(1);
      assert.deepEqual([event!.type, event!.object.code, event!.object.reason], ["ERROR", 410, "Expired"]);
      assert.equal(await w.next(), undefined);
    }, { now: () => now });
  },
  "rule 3": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a", "b");
    const json = await openWatch(t, `${maps(ns)}?watch=1`);
    assert.deepEqual(told(await json.take(2)), ["ADDED a", "ADDED b"]);
    await json.stop();
    const headers = { accept: "application/cbor" };
    const cbor = await t.server.app.fetch(new Request(`https://test${maps(ns)}?watch=1`, { headers }));
    assert.equal(cbor.headers.get("content-type"), "application/cbor-seq");
    await cbor.body!.cancel();
  },
});

spec("Client list-then-watch flow", {
  "list done": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a");
    const { resourceVersion } = (await ok(t, maps(ns))).body.metadata;
    await createMaps(t, ns, "b");
    const w = await openWatch(t, `${maps(ns)}?watch=1&resourceVersion=${resourceVersion}`);
    await createMaps(t, ns, "c");
    assert.deepEqual(told(await w.take(2)), ["ADDED b", "ADDED c"]);
    await w.stop();
  },
  "streaming": async () => {
    const t = await server();
    const ns = await namespace(t);
    const seen: string[] = [];
    let at = (await ok(t, maps(ns))).body.metadata.resourceVersion;
    for (const name of ["a", "b", "c", "d"]) { // the connection is lost after each event
      const w = await openWatch(t, `${maps(ns)}?watch=1&resourceVersion=${at}`);
      await createMaps(t, ns, name);
      const [event] = await w.take(1);
      seen.push(...told([event!]));
      at = event!.object.metadata.resourceVersion;
      await w.stop();
    }
    assert.deepEqual(seen, ["ADDED a", "ADDED b", "ADDED c", "ADDED d"]);
  },
  "watch requested": async () => {
    let now = Date.now();
    await withServer([], async (t) => {
      const [at] = await createMaps(t, "default", "a");
      await createMaps(t, "default", "b");
      now += 6 * 60_000;
      await createMaps(t, "default", "c");
      const old = await openWatch(t, `${maps("default")}?watch=1&resourceVersion=${at}`);
      assert.equal((await old.next())!.object.code, 410);
      const list = (await ok(t, maps("default"))).body;
      assert.deepEqual(namesOf(list), ["a", "b", "c"]);
      const w = await openWatch(t, `${maps("default")}?watch=1&resourceVersion=${list.metadata.resourceVersion}`);
      await createMaps(t, "default", "d");
      assert.deepEqual(told(await w.take(1)), ["ADDED d"]);
      await w.stop();
    }, { now: () => now });
  },
});

spec("Watch cache readiness", {
  "server starting, caches uninitialized": () =>
    unready(async (t, release) => {
      assert.equal((await t.fetch("/readyz")).status, 500);
      release();
      await t.server.cacher.whenReady();
      for (let i = 0; (await t.fetch("/readyz")).status !== 200; i++) {
        assert.ok(i < 200, "never ready");
        await new Promise((done) => setTimeout(done, 5));
      }
    }),
  "cache uninitialized (startup, resync, or disconnect)": () =>
    unready(async (t) => {
      for (const query of ["?watch=1", "", "?limit=1&labelSelector=a%3Db", "?fieldSelector=metadata.name%3Da"]) {
        const answer = await refused(t, 429, maps("default") + query);
        assert.ok(answer.headers.get("retry-after"));
      }
    }),
  "cache uninitialized": () =>
    unready(async (t) => {
      assert.equal((await ok(t, maps("default", "a"))).body.metadata.name, "a");
      assert.deepEqual(namesOf((await ok(t, `${maps("default")}?limit=5`)).body), ["a"]);
    }),
});

const DELETE = { method: "DELETE" };

spec("Object deletion (two phases: finalization, then removal)", {
  "live (deletionTimestamp absent)": async () => {
    const now = Date.UTC(2030, 5, 6, 7, 8, 9);
    await withServer([], async (t) => {
      await ok(t, maps("default"), { body: map("a", {}, { finalizers: ["example.com/hold"] }) });
      const answer = await ok(t, maps("default", "a"), DELETE);
      assert.equal(answer.body.metadata.deletionTimestamp, "2030-06-06T07:08:09Z");
      assert.equal((await ok(t, maps("default", "a"))).body.metadata.deletionTimestamp, "2030-06-06T07:08:09Z");
    }, { now: () => now });
  },
  "finalizing": async () => {
    const t = await server();
    const ns = await namespace(t);
    await ok(t, maps(ns), { body: map("a", {}, { finalizers: ["example.com/x", "example.com/y"] }) });
    await ok(t, maps(ns, "a"), DELETE);
    await ok(t, maps(ns, "a"), patchOf(MERGE, { metadata: { finalizers: ["example.com/y"] } }));
    await ok(t, maps(ns, "a"));
    // None can be added any more.
    await refused(
      t,
      422,
      maps(ns, "a"),
      patchOf(MERGE, { metadata: { finalizers: ["example.com/y", "example.com/z"] } }),
    );
    const at = (await ok(t, maps(ns))).body.metadata.resourceVersion;
    await ok(t, maps(ns, "a"), patchOf(MERGE, { metadata: { finalizers: null } }));
    await refused(t, 404, maps(ns, "a"));
    const w = await openWatch(t, `${maps(ns)}?watch=1&resourceVersion=${at}`);
    assert.deepEqual(told(await w.take(1)), ["DELETED a"]);
    await w.stop();
  },
  "live or finalizing": async () => {
    const t = await server();
    const ns = await namespace(t);
    await ok(t, maps(ns), { body: map("bad", {}, { finalizers: ["example.com/hold"] }) });
    await ok(t, maps(ns, "bad"), DELETE);
    await t.backend.commit([{
      key: `/registry/configmaps/${ns}/bad`,
      value: new TextEncoder().encode("k8s\0damaged"),
    }]);
    await refused(t, 500, maps(ns, "bad"), DELETE);
    const unsafe = { ignoreStoreReadErrorWithClusterBreakingPotential: true };
    await ok(t, maps(ns, "bad"), { method: "DELETE", body: unsafe });
    await refused(t, 404, maps(ns, "bad"));
  },
});
