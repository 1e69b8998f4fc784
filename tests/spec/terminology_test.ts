import assert from "node:assert/strict";
import { createMaps, maps, namespace, ok, refused, sharedServer, spec } from "./_spec.ts";
import type { Loose } from "../fixture/loose.ts";

const server = sharedServer(["--runtime-config=api/all=true"]);

const review = {
  spec: { user: "u", resourceAttributes: { verb: "get", resource: "pods" } },
};

spec("Terminology", {
  "resource type": async () => {
    const t = await server();
    const types = (await ok(t, "/api/v1")).body.resources;
    for (const name of ["pods", "namespaces", "services"]) {
      assert.ok(types.some((r: Loose) => r.name === name), name);
    }
  },
  "kind": async () => {
    const t = await server();
    const kinds = (await ok(t, "/api/v1")).body.resources.filter((r: Loose) => r.name === "pods").map((r: Loose) =>
      r.kind
    );
    assert.deepEqual(kinds, ["Pod"]);
  },
  "collection": async () => {
    const t = await server();
    const list = (await ok(t, "/api/v1/namespaces")).body;
    assert.equal(list.kind, "NamespaceList");
    assert.ok(Array.isArray(list.items));
  },
  "resource": async () => {
    const t = await server();
    const one = (await ok(t, "/api/v1/namespaces/default")).body;
    assert.equal(one.kind, "Namespace");
    assert.equal(one.metadata.name, "default");
  },
  "subresource": async () => {
    const t = await server();
    const status = (await ok(t, "/api/v1/namespaces/default/status")).body;
    assert.equal(status.metadata.name, "default");
  },
  "object resource type": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a");
    assert.equal((await ok(t, maps(ns, "a"))).body.kind, "ConfigMap");
  },
  "virtual resource type": async () => {
    const t = await server();
    const path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
    const a = await ok(t, path, { body: review });
    assert.equal(a.body.kind, "SubjectAccessReview");
    assert.equal(a.body.status.allowed, false);
    await refused(t, 405, path); // it is an operation: nothing is kept to be read
    const eviction = (await ok(t, "/api/v1")).body.resources.find((r: Loose) => r.name === "pods/eviction");
    assert.deepEqual(eviction.verbs, ["create"]);
  },
});
