import assert from "node:assert/strict";
import { encodeCbor } from "../../schema/codec/cbor_write.ts";
import { stringifyYaml } from "../../schema/codec/yaml.ts";
import { THINGS, withThings } from "./_things.ts";
import {
  APPLY,
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
  STRATEGIC,
  withServer,
} from "./_spec.ts";

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

spec("Patch types (by Content-Type of PATCH)", {
  "application/apply-patch+yaml": async () => {
    const t = await server();
    const ns = await namespace(t);
    const apply = (manager: string, data: Record<string, string>, force = "") =>
      [
        `${maps(ns, "a")}?fieldManager=${manager}${force}`,
        patchOf(APPLY, stringifyYaml({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data })),
      ] as const;
    assert.equal((await ok(t, ...apply("one", { k: "v" }))).status, 201); // absent: created
    assert.equal((await ok(t, ...apply("one", { k: "w" }))).status, 200);
    const clash = await refused(t, 409, ...apply("two", { k: "x" }));
    assert.equal(clash.body.details.causes[0].field, ".data.k");
    assert.equal((await ok(t, ...apply("two", { k: "x" }, "&force=true"))).body.data.k, "x");
    const json = patchOf(APPLY, { ...map("a", { own: "1" }) });
    assert.equal((await ok(t, `${maps(ns, "a")}?fieldManager=three`, json)).body.data.own, "1");
    await refused(t, 422, maps(ns, "a"), json); // who applies must be told
  },
  "application/apply-patch+cbor": async () => {
    const t = await server();
    const ns = await namespace(t);
    const body = encodeCbor(map("a", { k: "v" }));
    const patch = { method: "PATCH", headers: { "content-type": "application/apply-patch+cbor" }, body };
    await refused(t, 415, `${maps(ns, "a")}?fieldManager=one`, patch);
    await withServer(["--feature-gates=CBORServingAndStorage=true"], async (on) => {
      const a = await ok(on, `${maps("default", "a")}?fieldManager=one`, patch);
      assert.deepEqual([a.status, a.body.data], [201, { k: "v" }]);
    });
  },
  "application/json-patch+json": async () => {
    const t = await server();
    const ns = await namespace(t);
    await ok(t, maps(ns), { body: map("a", { k: "v" }) });
    const steps = (
      value: string,
    ) => [{ op: "test", path: "/data/k", value }, { op: "replace", path: "/data/k", value: "w" }];
    assert.equal((await ok(t, maps(ns, "a"), patchOf(JSON_PATCH, steps("v")))).body.data.k, "w");
    await refused(t, 422, maps(ns, "a"), patchOf(JSON_PATCH, steps("v")));
    await refused(t, 404, maps(ns, "b"), patchOf(JSON_PATCH, []));
    for (const value of [[], [{}]]) { // what comes of it is no object
      await refused(t, 422, maps(ns, "a"), patchOf(JSON_PATCH, [{ op: "replace", path: "", value }]));
    }
  },
  "application/merge-patch+json": async () => {
    const t = await server();
    const ns = await namespace(t);
    await ok(t, maps(ns), { body: map("a", { k: "v", l: "w" }) });
    const { body } = await ok(t, maps(ns, "a"), patchOf(MERGE, { data: { k: null, m: "x" } }));
    assert.deepEqual(body.data, { l: "w", m: "x" });
    await refused(t, 404, maps(ns, "b"), patchOf(MERGE, {}));
    for (const wrong of [{ apiVersion: false }, { apiVersion: 0 }, { kind: false }, { kind: 0 }]) {
      await refused(t, 422, maps(ns, "a"), patchOf(MERGE, wrong));
    }
  },
  "application/strategic-merge-patch+json": async () => {
    const t = await server();
    const ns = await namespace(t);
    await ok(t, deployments(ns), { body: deployment("a") });
    const containers = [{ name: "two", image: "new" }, { name: "one", $patch: "delete" }];
    const patch = { spec: { template: { spec: { containers } } } };
    const { body } = await ok(t, deployments(ns, "a"), patchOf(STRATEGIC, patch));
    const left = body.spec.template.spec.containers.map((c: { name: string; image: string }) => `${c.name} ${c.image}`);
    assert.deepEqual(left, ["two new"]);
    await withThings(t, async () => {
      await refused(t, 415, `${THINGS}/a`, patchOf(STRATEGIC, { spec: { size: 2 } }));
      assert.equal((await ok(t, `${THINGS}/a`, patchOf(MERGE, { spec: { size: 2 } }))).body.spec.size, 2);
    });
    for (const type of ["json-patch", "merge-patch", "strategic-merge-patch"]) { // none of them has a CBOR form
      await refused(t, 415, deployments(ns, "a"), patchOf(`application/${type}+cbor`, ""));
    }
  },
});
