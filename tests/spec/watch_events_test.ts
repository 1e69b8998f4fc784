import assert from "node:assert/strict";
import type { Json, Obj } from "../../schema/model/types.ts";
import {
  createMaps,
  map,
  maps,
  MERGE,
  namespace,
  ok,
  openWatch,
  patchOf,
  sharedServer,
  spec,
  told,
  withServer,
} from "./_spec.ts";

interface Row {
  readonly cells: Json[];
  readonly object: Obj;
}

const server = sharedServer(["--feature-gates=CBORServingAndStorage=true"]);

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
    // As Tables: a row of an object that has nothing else.
    const table = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
    for (const [resource, cells] of [["pods", ["", "0/0", "", "0"]], ["limitranges", ["", "0001-01-01T00:00:00Z"]]]) {
      for (const include of ["", "None", "Object"]) {
        const path = `/api/v1/namespaces/${ns}/${resource}${query}&includeObject=${include}`;
        const w = await openWatch(t, path, table);
        const [bookmark] = await w.take(1);
        await w.stop();
        const { kind, rows: [row] } = bookmark!.object as { kind: string; rows: Row[] };
        assert.equal(kind, "Table");
        assert.deepEqual(row!.cells.slice(0, cells!.length), cells);
        assert.deepEqual(row!.object.metadata.annotations, { "k8s.io/initial-events-end": "true" });
        assert.equal(row!.object.kind === "PartialObjectMetadata", include !== "Object");
      }
    }
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
