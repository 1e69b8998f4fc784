/** What discovery tells of custom resources. */
import assert from "node:assert/strict";
import type { TestServer } from "../fixture/server.ts";
import type { Loose } from "../fixture/loose.ts";
import { API, definition, DEFINITIONS, patch, thing, THINGS, until, version, withThings } from "./_crd.ts";

const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const DEFINED = `${DEFINITIONS}/things.example.com`;

async function aggregated(s: TestServer): Promise<Loose> {
  const { body } = await s.fetch("/apis", { headers: { accept: AGGREGATED } });
  return body.items.find((g: Loose) => g.metadata.name === "example.com").versions[0].resources[0];
}

Deno.test("the aggregated document names the whole kinds of custom resources, and their parts as definitions do", () => {
  const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
  const parts = { subresources: { status: {}, scale } };
  return withThings(definition([version({ replicas: { type: "integer" } }, parts)]), async (s) => {
    const own = { group: "example.com", version: "v1", kind: "Thing" };
    const { responseKind, subresources } = await aggregated(s);
    assert.deepEqual(responseKind, own);
    assert.deepEqual(subresources.map((p: Loose) => [p.subresource, p.responseKind]), [
      ["status", own],
      ["scale", { group: "autoscaling", version: "v1", kind: "Scale" }],
    ]);
  });
});

Deno.test("while a definition goes, discovery names the verbs that read and delete", () =>
  withThings(definition([version({})]), async (s) => {
    await s.fetch(THINGS, { body: thing("a", {}, { metadata: { name: "a", finalizers: ["example.com/wait"] } }) });
    const hash = (await s.fetch(API)).body.resources[0].storageVersionHash;
    await s.fetch(DEFINED, { method: "DELETE" });
    await until(
      () => s.fetch(DEFINED),
      (a) => a.body.status.conditions.some((c: Loose) => c.type === "Terminating" && c.status === "True"),
    );
    const verbs = ["delete", "deletecollection", "get", "list", "watch"];
    const [row] = (await s.fetch(API)).body.resources;
    assert.deepEqual([row.verbs, row.storageVersionHash], [verbs, hash]);
    assert.deepEqual((await aggregated(s)).verbs, verbs);
    assert.equal((await patch(s, `${THINGS}/a`, { metadata: { labels: { a: "b" } } })).status, 200);
    assert.equal((await patch(s, `${THINGS}/a`, { metadata: { finalizers: null } })).status, 200);
    await until(() => s.fetch(DEFINED), (a) => a.status === 404);
  }));

Deno.test("versions of custom resources are told whatever the method, those of others to who asks for them", () =>
  withThings(definition([version({})]), async (s) => {
    for (const [path, status] of [[API, 200], ["/apis/apps/v1", 405], ["/apis/apiregistration.k8s.io", 405]] as const) {
      assert.equal((await s.fetch(path, { method: "POST" })).status, status, path);
    }
    const { body } = await s.fetch(API, { headers: { accept: "application/*" } });
    assert.equal(body.kind, "APIResourceList");
  }));

Deno.test("a custom resource whose storage version is not served has no hash of it", () => {
  const old = { ...version({}), name: "v1alpha1", served: false };
  return withThings(definition([version({}, { storage: false }), old]), async (s) => {
    const [row] = (await s.fetch(API)).body.resources;
    assert.equal(row.name, "things");
    assert.equal(row.storageVersionHash, undefined);
  });
});
