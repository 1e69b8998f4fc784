import assert from "node:assert/strict";
import { namesOf, namespace, ok, refused, sharedServer, spec } from "./_spec.ts";

const server = sharedServer();

const deployment = (name: string, replicas = 1) => ({
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: "one", image: "i" }, { name: "two", image: "j" }] },
    },
  },
});

const deployments = (ns: string, name = "") =>
  `/apis/apps/v1/namespaces/${ns}/deployments${name === "" ? "" : `/${name}`}`;

spec("Path shapes", {
  "cluster | GET | /apis/<group>/<version>/<resource_type>": async () => {
    const t = await server();
    assert.equal((await ok(t, "/apis/rbac.authorization.k8s.io/v1/clusterroles")).body.kind, "ClusterRoleList");
  },
  "cluster | GET | /apis/<group>/<version>/<resource_type>/<name>": async () => {
    const t = await server();
    const { body } = await ok(t, "/apis/rbac.authorization.k8s.io/v1/clusterroles/cluster-admin");
    assert.deepEqual([body.kind, body.metadata.name], ["ClusterRole", "cluster-admin"]);
    await refused(t, 404, "/apis/rbac.authorization.k8s.io/v1/clusterroles/nobodys");
  },
  "namespaced, all namespaces": async () => {
    const t = await server();
    const [one, other] = [await namespace(t), await namespace(t)];
    await ok(t, deployments(one), { body: deployment("a") });
    await ok(t, deployments(other), { body: deployment("b") });
    const { body } = await ok(t, "/apis/apps/v1/deployments");
    const found = body.items.map((i: { metadata: { namespace: string } }) => i.metadata.namespace);
    assert.ok(found.includes(one) && found.includes(other));
  },
  "namespaced | GET | /apis/<group>/<version>/namespaces/<namespace>/<resource_type>": async () => {
    const t = await server();
    const [one, other] = [await namespace(t), await namespace(t)];
    await ok(t, deployments(one), { body: deployment("a") });
    await ok(t, deployments(other), { body: deployment("b") });
    assert.deepEqual(namesOf((await ok(t, deployments(one))).body), ["a"]);
  },
  "namespaced | GET | /apis/<group>/<version>/namespaces/<namespace>/<resource_type>/<name>": async () => {
    const t = await server();
    const ns = await namespace(t);
    await ok(t, deployments(ns), { body: deployment("a") });
    assert.equal((await ok(t, deployments(ns, "a"))).body.kind, "Deployment");
    await refused(t, 404, deployments(ns, "b"));
  },
  "cluster subresource": async () => {
    const t = await server();
    const { name } = (await ok(t, "/api/v1/nodes", { body: { metadata: { generateName: "node-" } } })).body.metadata;
    assert.equal((await ok(t, `/api/v1/nodes/${name}/status`)).body.metadata.name, name);
    const { body } = await ok(t, "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/exempt/status");
    assert.equal(body.metadata.name, "exempt");
    await refused(t, 404, `/api/v1/nodes/${name}/nothing`);
  },
  "namespaced subresource": async () => {
    const t = await server();
    const ns = await namespace(t);
    await ok(t, deployments(ns), { body: deployment("a", 3) });
    const scale = (await ok(t, `${deployments(ns, "a")}/scale`)).body;
    assert.deepEqual([scale.kind, scale.apiVersion, scale.spec.replicas], ["Scale", "autoscaling/v1", 3]);
    assert.equal((await ok(t, `${deployments(ns, "a")}/status`)).body.kind, "Deployment");
    await refused(t, 404, `${deployments(ns, "a")}/nothing`);
  },
  "namespaces": async () => {
    const t = await server();
    assert.equal((await ok(t, "/api/v1/namespaces")).body.kind, "NamespaceList");
    const { body } = await ok(t, "/api/v1/namespaces/default");
    assert.deepEqual([body.kind, body.metadata.name], ["Namespace", "default"]);
  },
});
