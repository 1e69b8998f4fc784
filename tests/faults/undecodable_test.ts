/** Objects that cannot be decoded, as somebody wrote them into the store past the servers. */
import assert from "node:assert/strict";
import { memoryBackend } from "../../server/storage/memory.ts";
import { Faulty } from "../cache/_faulty.ts";
import { until, World } from "../controllers/_world.ts";
import { startTestServer } from "../fixture/server.ts";

const GARBAGE = new TextEncoder().encode("garbage");

for (
  const [prefix, path] of [
    ["namespaces/", "/api/v1/namespaces"],
    ["services/specs/default/", "/api/v1/namespaces/default/services"],
    ["clusterroles/", "/apis/rbac.authorization.k8s.io/v1/clusterroles"],
    ["apiregistration.k8s.io/apiservices/", "/apis/apiregistration.k8s.io/v1/apiservices"],
    [
      "apiextensions.k8s.io/customresourcedefinitions/",
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    ],
  ] as const
) {
  Deno.test(`a server starts and works beside one that cannot be decoded of ${path}, and takes it away when told`, async () => {
    const backend = memoryBackend();
    await backend.commit([{ key: `/registry/${prefix}bad`, value: GARBAGE }]);
    const t = await startTestServer(["--controllers=*"], { backend });
    const service = { metadata: { name: "a" }, spec: { type: "NodePort", ports: [{ port: 80 }] } };
    const made = await t.fetch("/api/v1/namespaces/default/services", { body: service });
    assert.equal(made.status, 201, made.text);
    assert.equal((await t.fetch(path)).status, 500);
    const unsafe = { ignoreStoreReadErrorWithClusterBreakingPotential: true };
    const gone = await t.fetch(`${path}/bad`, { method: "DELETE", body: unsafe });
    assert.equal(gone.status, 200, gone.text);
    assert.equal((await t.fetch(path)).status, 200);
    await t.stop();
    await backend.close();
  });
}

Deno.test("controllers go on beside a namespace that cannot be decoded when the caches are read anew", async () => {
  const backend = Faulty.make();
  const w = await World.start("namespace", [], { backend });
  await backend.inner.commit([{ key: "/registry/namespaces/bad", value: GARBAGE }]);
  const { cache } = w.test.server.registries.byId("namespaces")!;
  const anew = Promise.withResolvers<void>();
  cache.listen({ changed: () => {}, reset: () => anew.resolve() });
  backend.breakLog();
  await until("the log has broken", () => !cache.ready);
  await backend.inner.commit([{ key: "/registry/other", value: GARBAGE }]);
  await backend.inner.compact(await backend.inner.revision());
  await anew.promise;
  await until("the cache is read", () => cache.ready);
  await w.namespace("a");
  await w.remove("/api/v1/namespaces/a");
  await w.gone("/api/v1/namespaces/a");
  await w.stop();
  await backend.inner.close();
});

Deno.test("what cannot be decoded has its name all the same", async () => {
  const backend = memoryBackend();
  const t = await startTestServer([], { backend });
  await backend.commit([{ key: "/registry/configmaps/default/bad", value: GARBAGE }]);
  const made = await t.fetch("/api/v1/namespaces/default/configmaps", { body: { metadata: { name: "bad" } } });
  assert.equal(made.status, 409, made.text);
  await t.stop();
  await backend.close();
});
