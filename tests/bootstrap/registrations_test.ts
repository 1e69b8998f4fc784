/** Registrations of the server's own group versions, when a server comes back. */
import assert from "node:assert/strict";
import { define, definition, DEFINITIONS, until, version } from "../customresources/_crd.ts";
import { startTestServer } from "../fixture/server.ts";
import { memoryBackend } from "../../server/storage/memory.ts";

const SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";
const MERGE = { "content-type": "application/merge-patch+json" };
const MANAGED = "kube-aggregator.kubernetes.io/automanaged";
const elsewhere = { service: { namespace: "none", name: "none", port: 443 }, insecureSkipTLSVerify: true };

Deno.test("they are put right, but for those that somebody made his own, and versions that are not served any more go", async () => {
  const backend = memoryBackend();
  const first = await startTestServer(["--runtime-config=api/all=true"], { backend });
  const change = async (name: string, body: unknown) =>
    assert.equal((await first.fetch(`${SERVICES}/${name}`, { method: "PATCH", headers: MERGE, body })).status, 200);
  const alpha = "v1alpha1.internal.apiserver.k8s.io", { body: was } = await first.fetch(`${SERVICES}/v1.apps`);
  assert.equal((await first.fetch(`${SERVICES}/${alpha}`)).status, 200);
  await change("v1.apps", { spec: elsewhere });
  await change("v1.batch", { metadata: { labels: null }, spec: elsewhere });
  assert.equal((await first.fetch("/apis/apps/v1/deployments")).status, 503);
  await first.stop();
  const second = await startTestServer([], { backend });
  assert.deepEqual((await second.fetch(`${SERVICES}/v1.apps`)).body.spec, was.spec);
  assert.equal((await second.fetch("/apis/apps/v1/deployments")).status, 200);
  const { spec, metadata } = (await second.fetch(`${SERVICES}/v1.batch`)).body;
  assert.deepEqual([spec.service.name, metadata.labels?.[MANAGED]], ["none", undefined]);
  assert.equal((await second.fetch(`${SERVICES}/${alpha}`)).status, 404);
  await second.stop();
  await backend.close();
});

Deno.test("what extension servers and definitions have registered stays", async () => {
  const backend = memoryBackend(), names = ["v1.other.example.com", "v1.defined.example.com"];
  const first = await startTestServer([], { backend });
  for (const [i, name] of names.entries()) {
    const spec = { group: name.slice(3), version: "v1", groupPriorityMinimum: 1, versionPriority: 1, ...elsewhere };
    const labels = i === 0 ? {} : { [MANAGED]: "true" };
    assert.equal((await first.fetch(SERVICES, { body: { metadata: { name, labels }, spec } })).status, 201);
  }
  await first.stop();
  const second = await startTestServer([], { backend });
  for (const name of names) assert.equal((await second.fetch(`${SERVICES}/${name}`)).status, 200);
  await second.stop();
  await backend.close();
});

Deno.test("those of definitions are nobody's but their own controller's: made late, left as they are, and gone with the definition", async () => {
  const backend = memoryBackend(),
    name = `${SERVICES}/v1.example.com`,
    controllers = ["--controllers=apiservice-registration"];
  const first = await startTestServer([], { backend });
  await define(first, definition([version({})]));
  await first.stop();
  const second = await startTestServer(controllers, { backend });
  const { body } = await until(() => second.fetch(name), (a) => a.status === 200);
  assert.deepEqual([body.metadata.labels, body.spec.groupPriorityMinimum], [{ [MANAGED]: "true" }, 1000]);
  await second.stop();
  const third = await startTestServer(controllers, { backend });
  assert.equal((await third.fetch(name)).body.metadata.resourceVersion, body.metadata.resourceVersion);
  await third.fetch(`${DEFINITIONS}/things.example.com`, { method: "DELETE" });
  await until(() => third.fetch(name), (a) => a.status === 404);
  await third.stop();
  await backend.close();
});
