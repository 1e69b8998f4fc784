import assert from "node:assert/strict";
import {
  createMaps,
  map,
  maps,
  MERGE,
  namespace,
  ok,
  patchOf,
  refused,
  sharedServer,
  spec,
  withServer,
} from "./_spec.ts";

const server = sharedServer();

spec("Object metadata (metadata)", {
  "name": async () => {
    const t = await server();
    const ns = await namespace(t);
    assert.equal((await ok(t, maps(ns), { body: map("given") })).body.metadata.name, "given");
    const made = new Set<string>();
    for (let i = 0; i < 8; i++) {
      const { name } = (await ok(t, maps(ns), { body: { metadata: { generateName: "made-" } } })).body.metadata;
      assert.match(name, /^made-[a-z0-9]{5}$/);
      made.add(name);
    }
    assert.equal(made.size, 8);
  },
  "generateName": async () => {
    const t = await server();
    const ns = await namespace(t);
    const both = { metadata: { name: "own", generateName: "made-" } };
    assert.equal((await ok(t, maps(ns), { body: both })).body.metadata.name, "own");
    const { metadata } = (await ok(t, maps(ns), { body: { metadata: { generateName: "made-" } } })).body;
    assert.equal(metadata.generateName, "made-");
    assert.ok(metadata.name.startsWith("made-"));
  },
  "namespace": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a");
    assert.equal((await ok(t, maps(ns, "a"))).body.metadata.namespace, ns);
    assert.equal((await ok(t, "/api/v1/namespaces/default")).body.metadata.namespace, undefined);
    await refused(t, 400, maps(ns), { body: map("b", {}, { namespace: "elsewhere" }) });
  },
  "resourceVersion": async () => {
    const t = await server();
    const ns = await namespace(t);
    const [first] = await createMaps(t, ns, "a");
    const changed = (await ok(t, maps(ns, "a"), patchOf(MERGE, { data: { k: "v" } }))).body.metadata.resourceVersion;
    assert.ok(Number(changed) > Number(first));
    assert.equal((await ok(t, maps(ns, "a"))).body.metadata.resourceVersion, changed);
    await refused(t, 409, maps(ns, "a"), { method: "PUT", body: map("a", {}, { resourceVersion: first }) });
  },
  "uid": async () => {
    const t = await server();
    const ns = await namespace(t);
    const uids: string[] = [];
    for (let i = 0; i < 2; i++) {
      uids.push((await ok(t, maps(ns), { body: map("a") })).body.metadata.uid);
      await ok(t, maps(ns, "a"), { method: "DELETE" });
    }
    for (const uid of uids) assert.match(uid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.notEqual(uids[0], uids[1]);
  },
  "creationTimestamp": async () => {
    const now = Date.UTC(2030, 0, 2, 3, 4, 5);
    await withServer([], async (t) => {
      const body = map("a", {}, { creationTimestamp: "2001-01-01T00:00:00Z" });
      const made = (await ok(t, maps("default"), { body })).body;
      assert.equal(made.metadata.creationTimestamp, "2030-01-02T03:04:05Z");
    }, { now: () => now });
  },
  "deletionTimestamp": async () => {
    const t = await server();
    const ns = await namespace(t);
    const made = await ok(t, maps(ns), {
      body: map("a", {}, { finalizers: ["example.com/hold"], deletionTimestamp: "2001-01-01T00:00:00Z" }),
    });
    assert.equal(made.body.metadata.deletionTimestamp, undefined);
    await ok(t, maps(ns, "a"), { method: "DELETE" });
    const { deletionTimestamp } = (await ok(t, maps(ns, "a"))).body.metadata;
    assert.ok(Math.abs(Date.parse(deletionTimestamp) - Date.now()) < 60_000);
    await ok(t, maps(ns, "a"), { method: "DELETE" });
    assert.equal((await ok(t, maps(ns, "a"))).body.metadata.deletionTimestamp, deletionTimestamp);
  },
  "finalizers": async () => {
    const t = await server();
    const ns = await namespace(t);
    await ok(t, maps(ns), { body: map("a", {}, { finalizers: ["example.com/a", "example.com/b"] }) });
    await ok(t, maps(ns, "a"), { method: "DELETE" });
    const swapped = patchOf(MERGE, { metadata: { finalizers: ["example.com/b", "example.com/a"] } });
    assert.deepEqual((await ok(t, maps(ns, "a"), swapped)).body.metadata.finalizers, [
      "example.com/b",
      "example.com/a",
    ]);
    // The order says nothing: either may go first.
    await ok(t, maps(ns, "a"), patchOf(MERGE, { metadata: { finalizers: ["example.com/a"] } }));
    await ok(t, maps(ns, "a"), patchOf(MERGE, { metadata: { finalizers: [] } }));
    await refused(t, 404, maps(ns, "a"));
  },
});
