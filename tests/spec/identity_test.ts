import assert from "node:assert/strict";
import { createMaps, map, maps, namespace, ok, refused, sharedServer, spec } from "./_spec.ts";

const server = sharedServer(["--runtime-config=api/all=true"]);

const lease = (name: string) => ({ metadata: { name }, spec: { holderIdentity: "x" } });
const review = {
  spec: { user: "u", resourceAttributes: { verb: "get", resource: "pods" } },
};

spec("Object identity", {
  "rule 1": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a");
    const again = await refused(t, 409, maps(ns), { body: map("a") });
    assert.equal(again.body.reason, "AlreadyExists");
    await refused(t, 422, maps(ns), { body: { kind: "ConfigMap", apiVersion: "v1" } });
    const first = await ok(t, "/apis/authorization.k8s.io/v1/subjectaccessreviews", { body: review });
    assert.equal(first.status, 201); // a virtual type needs no name, and may come twice
    await ok(t, "/apis/authorization.k8s.io/v1/subjectaccessreviews", { body: review });
  },
  "rule 2": async () => {
    const t = await server();
    const [one, other] = [await namespace(t), await namespace(t)];
    await createMaps(t, one, "a");
    await createMaps(t, other, "a");
    await ok(t, `/api/v1/namespaces/${one}/secrets`, { body: { metadata: { name: "a" } } });
    const uids = await Promise.all(
      [maps(one, "a"), maps(other, "a"), `/api/v1/namespaces/${one}/secrets/a`].map(async (p) =>
        (await ok(t, p)).body.metadata.uid
      ),
    );
    assert.equal(new Set(uids).size, 3);
  },
  "rule 3": async () => {
    const t = await server();
    const ns = await namespace(t);
    const event = {
      metadata: { name: "same", namespace: ns },
      involvedObject: { namespace: ns, kind: "Pod", name: "p" },
      reason: "R",
    };
    await ok(t, `/api/v1/namespaces/${ns}/events`, { body: event });
    await ok(t, `/apis/coordination.k8s.io/v1/namespaces/${ns}/leases`, { body: lease("same") });
    await ok(t, `/apis/apps/v1/namespaces/${ns}/controllerrevisions`, {
      body: { metadata: { name: "same" }, data: {}, revision: 1 },
    });
  },
  "rule 4": async () => {
    const t = await server();
    const ns = await namespace(t);
    const hpa = {
      metadata: { name: "h" },
      spec: { maxReplicas: 3, scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" } },
    };
    const path = (v: string) => `/apis/autoscaling/${v}/namespaces/${ns}/horizontalpodautoscalers`;
    const made = await ok(t, path("v1"), { body: hpa });
    const seen = await ok(t, `${path("v2")}/h`);
    assert.equal(seen.body.metadata.uid, made.body.metadata.uid);
    assert.equal(seen.body.apiVersion, "autoscaling/v2");
    assert.equal((await refused(t, 409, path("v2"), { body: hpa })).body.reason, "AlreadyExists");
  },
  "rule 5": async () => {
    const t = await server();
    await ok(t, "/api/v1/nodes", { body: { metadata: { name: "only" } } });
    await refused(t, 409, "/api/v1/nodes", { body: { metadata: { name: "only" } } });
    assert.equal((await ok(t, "/api/v1/nodes/only")).body.metadata.namespace, undefined);
    await refused(t, 404, "/api/v1/namespaces/default/nodes/only");
  },
});

spec("Terminology", {
  "resource type": async () => {
    const t = await server();
    const types = (await ok(t, "/api/v1")).body.resources;
    for (const name of ["pods", "namespaces", "services"]) {
      // deno-lint-ignore no-explicit-any -- an answer's body
      assert.ok(types.some((r: any) => r.name === name), name);
    }
  },
  "kind": async () => {
    const t = await server();
    // deno-lint-ignore no-explicit-any -- an answer's body
    const kinds = (await ok(t, "/api/v1")).body.resources.filter((r: any) => r.name === "pods").map((r: any) => r.kind);
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
    // deno-lint-ignore no-explicit-any -- an answer's body
    const eviction = (await ok(t, "/api/v1")).body.resources.find((r: any) => r.name === "pods/eviction");
    assert.deepEqual(eviction.verbs, ["create"]);
  },
});
