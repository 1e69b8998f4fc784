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
