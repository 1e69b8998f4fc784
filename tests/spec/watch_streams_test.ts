import assert from "node:assert/strict";
import {
  createMaps,
  maps,
  MERGE,
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
    // Nor is it told what there is, as long as that is older.
    const query = "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=1";
    const initial = await openWatch(t, `${maps(ns)}?${query}&resourceVersion=999999999`);
    assert.notEqual((await initial.next())?.type, "ADDED");
    await initial.stop();
    // A version that does come is waited for: what is before it is not told.
    const at = Number((await ok(t, maps(ns))).body.metadata.resourceVersion) + 2;
    const later = await openWatch(t, `${maps(ns)}?watch=1&resourceVersion=${at}`);
    await createMaps(t, ns, "b", "c", "d");
    assert.deepEqual(told(await later.take(1)), ["ADDED d"]);
    await later.stop();
    const all = await openWatch(
      t,
      `${maps(ns)}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=${at + 2}`,
    );
    await createMaps(t, ns, "e");
    assert.deepEqual(told(await all.take(5)), ["a", "b", "c", "d", "e"].map((n) => `ADDED ${n}`));
    await all.stop();
  },
});
