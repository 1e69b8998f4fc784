import assert from "node:assert/strict";
import {
  createMaps,
  JSON_PATCH,
  map,
  maps,
  MERGE,
  namespace,
  ok,
  patchOf,
  refused,
  sharedServer,
  spec,
} from "./_spec.ts";

const server = sharedServer(["--disable-admission-plugins=ServiceAccount"]);

spec("Update rules", {
  "rule 1": async () => {
    const t = await server();
    const ns = await namespace(t);
    const [first] = await createMaps(t, ns, "a");
    const put = (resourceVersion: string, k: string) => ({ method: "PUT", body: map("a", { k }, { resourceVersion }) });
    const second = (await ok(t, maps(ns, "a"), put(first!, "v"))).body.metadata.resourceVersion;
    const stale = await refused(t, 409, maps(ns, "a"), put(first!, "w"));
    assert.equal(stale.body.reason, "Conflict");
    await ok(t, maps(ns, "a"), put(second, "w"));
  },
  "rule 2": async () => {
    const t = await server();
    const ns = await namespace(t);
    const [first] = await createMaps(t, ns, "a");
    await ok(t, maps(ns, "a"), patchOf(MERGE, { metadata: { resourceVersion: first }, data: { k: "v" } }));
    const stale = patchOf(MERGE, { metadata: { resourceVersion: first }, data: { k: "w" } });
    await refused(t, 409, maps(ns, "a"), stale);
    const test = [{ op: "test", path: "/data/k", value: "other" }, { op: "remove", path: "/data/k" }];
    await refused(t, 422, maps(ns, "a"), patchOf(JSON_PATCH, test));
    assert.deepEqual((await ok(t, maps(ns, "a"))).body.data, { k: "v" });
  },
  "rule 3": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a");
    const keys = Array.from({ length: 20 }, (_, i) => `k${i}`);
    // At the same time, without versions: none is lost, none is refused.
    await Promise.all(keys.map((k) => ok(t, maps(ns, "a"), patchOf(MERGE, { data: { [k]: "v" } }))));
    assert.deepEqual(Object.keys((await ok(t, maps(ns, "a"))).body.data).sort(), keys.toSorted());
  },
});
