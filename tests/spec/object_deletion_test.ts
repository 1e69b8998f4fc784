import assert from "node:assert/strict";
import {
  map,
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
    // A namespace that nothing holds is marked by the first deletion and removed by the second.
    const one = "/api/v1/namespaces/unheld", body = { metadata: { name: "unheld" } };
    await ok(t, "/api/v1/namespaces", { body });
    await ok(t, `${one}/finalize`, { method: "PUT", body });
    const marked = await ok(t, one, DELETE);
    assert.equal(marked.body.status.phase, "Terminating");
    assert.ok((await ok(t, one)).body.metadata.deletionTimestamp);
    await ok(t, one, DELETE);
    await refused(t, 404, one);
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
