import assert from "node:assert/strict";
import {
  allow,
  createMaps,
  map,
  maps,
  MERGE,
  namespace,
  ok,
  openWatch,
  patchOf,
  refused,
  sharedServer,
  somebody,
  spec,
  told,
} from "./_spec.ts";

const server = sharedServer(["--disable-admission-plugins=ServiceAccount"]);

spec("What the service does", {
  "rule 1": async () => {
    const t = await server();
    const ns = await namespace(t);
    assert.equal((await ok(t, maps(ns), { body: map("a") })).status, 201);
    assert.equal((await ok(t, maps(ns, "a"))).status, 200);
    await ok(t, maps(ns, "a"), { method: "PUT", body: map("a", { k: "v" }) });
    await ok(t, maps(ns, "a"), patchOf(MERGE, { data: { k: "w" } }));
    await ok(t, maps(ns, "a"), { method: "DELETE" });
    await refused(t, 404, maps(ns, "a"));
  },
  "rule 2": async () => {
    const t = await server();
    const ns = await namespace(t);
    await ok(t, `/api/v1/namespaces/${ns}/replicationcontrollers`, { body: controller("rc") });
    const path = `/api/v1/namespaces/${ns}/replicationcontrollers/rc`;
    assert.equal((await ok(t, `${path}/scale`)).body.kind, "Scale"); // another representation
    await allow(t, ns, "scaler", ["get"], ["replicationcontrollers/scale"]);
    await ok(t, `${path}/scale`, {}, somebody("scaler")); // authorized on its own
    await refused(t, 403, path, {}, somebody("scaler"));
  },
  "rule 3": async () => {
    const t = await server();
    const ns = await namespace(t);
    const w = await openWatch(t, `${maps(ns)}?watch=1`);
    await createMaps(t, ns, "a", "b");
    assert.deepEqual(told(await w.take(2)), ["ADDED a", "ADDED b"]);
    await w.stop();
  },
  "rule 4": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a", "b", "c");
    assert.equal((await ok(t, maps(ns))).body.items.length, 3);
    assert.equal((await ok(t, `${maps(ns)}?limit=2`)).body.items.length, 2);
  },
  "rule 5": async () => {
    const t = await server();
    for (const type of ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"]) {
      const a = await ok(t, "/api/v1/namespaces/default", { headers: { accept: type } });
      assert.equal(a.headers.get("content-type"), type);
    }
    for (const as of ["Table", "PartialObjectMetadataList"]) {
      const accept = `application/json;as=${as};g=meta.k8s.io;v=v1`;
      assert.equal((await ok(t, "/api/v1/namespaces", { headers: { accept } })).body.kind, as);
    }
  },
  "rule 6": async () => {
    const t = await server();
    for (const path of ["/livez", "/readyz", "/healthz"]) assert.equal((await ok(t, path)).text, "ok");
  },
});

const controller = (name: string) => ({
  metadata: { name },
  spec: {
    replicas: 1,
    selector: { app: name },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: "c", image: "i" }] } },
  },
});
