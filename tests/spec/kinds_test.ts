import assert from "node:assert/strict";
import { createMaps, map, maps, namesOf, namespace, ok, openWatch, refused, sharedServer, spec } from "./_spec.ts";
import type { Loose } from "../fixture/loose.ts";

const server = sharedServer();

const TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1";

const accept = (type: string) => ({ headers: { accept: type } });

spec("Kinds", {
  "<Kind>List (for example PodList, ServiceList, NodeList)": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a");
    for (
      const [resource, kind] of [["pods", "PodList"], ["services", "ServiceList"], ["configmaps", "ConfigMapList"]]
    ) {
      const { body } = await ok(t, `/api/v1/namespaces/${ns}/${resource}`);
      assert.deepEqual(Object.keys(body), ["kind", "apiVersion", "metadata", "items"]);
      assert.equal(body.kind, kind);
      assert.equal(body.apiVersion, "v1");
    }
    assert.equal((await ok(t, "/api/v1/nodes")).body.kind, "NodeList");
    assert.deepEqual(namesOf((await ok(t, maps(ns))).body), ["a"]);
  },
  "Table (apiVersion meta.orch.io/v1)": async () => {
    const t = await server();
    const ns = await namespace(t);
    await ok(t, `/apis/coordination.k8s.io/v1/namespaces/${ns}/leases`, { body: { metadata: { name: "l" } } });
    const one = (await ok(t, maps(ns), accept(TABLE))).body;
    assert.equal(one.kind, "Table");
    assert.equal(one.apiVersion, "meta.k8s.io/v1");
    for (const c of one.columnDefinitions) assert.ok(c.name && c.type, JSON.stringify(c));
    // A type without columns of its own.
    await ok(t, `/api/v1/namespaces/${ns}/limitranges`, { body: { metadata: { name: "r" }, spec: { limits: [] } } });
    const { body } = await ok(t, `/api/v1/namespaces/${ns}/limitranges`, accept(TABLE));
    const columns = body.columnDefinitions.map((c: Loose) => `${c.name} ${c.type}`);
    assert.deepEqual(columns, ["Name string", "Created At date"]);
    const created = (await ok(t, `/api/v1/namespaces/${ns}/limitranges/r`)).body.metadata.creationTimestamp;
    assert.deepEqual(body.rows[0].cells, ["r", created]);
  },
  "PartialObjectMetadata / PartialObjectMetadataList (apiVersion meta.orch.io/v1)": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a");
    const one =
      (await ok(t, maps(ns, "a"), accept("application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"))).body;
    assert.deepEqual(Object.keys(one), ["kind", "apiVersion", "metadata"]);
    assert.equal(one.kind, "PartialObjectMetadata");
    assert.equal(one.apiVersion, "meta.k8s.io/v1");
    const many =
      (await ok(t, maps(ns), accept("application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"))).body;
    assert.equal(many.kind, "PartialObjectMetadataList");
    assert.ok(many.metadata.resourceVersion);
    assert.deepEqual(many.items.map((i: { kind: string }) => i.kind), ["PartialObjectMetadata"]);
    assert.equal(many.items[0].data, undefined);
  },
  "watch event": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a");
    const w = await openWatch(t, `${maps(ns)}?watch=1`);
    const [e] = await w.take(1);
    await w.stop();
    assert.deepEqual(Object.keys(e!), ["type", "object"]);
    assert.equal(e!.type, "ADDED");
    assert.equal(e!.object.kind, "ConfigMap");
  },
  "List": async () => {
    const t = await server();
    for (const path of ["/api/v1/namespaces", "/api/v1/pods", "/apis/apps/v1/deployments"]) {
      assert.notEqual((await ok(t, path)).body.kind, "List");
    }
    const ns = await namespace(t);
    await refused(t, 400, maps(ns), { body: { kind: "List", apiVersion: "v1", items: [map("a")] } });
  },
});
