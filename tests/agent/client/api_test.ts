import assert from "node:assert/strict";
import { ApiError } from "../../../agent/types.ts";
import type { Dialect } from "../../../schema/product.ts";
import { ServerProcess, until } from "../../e2e/_server.ts";
import type { Loose } from "../../fixture/loose.ts";
import { clientOf, Told } from "./_client.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const map = (name: string, data: Record<string, string> = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default" },
  data,
});

async function writes(file: string, dialect: Dialect, orchApiContentType: string) {
  const api = clientOf(file, dialect, { orchApiContentType });
  const made: Loose = await api.request("POST", MAPS, { body: map("a", { k: "1" }) });
  assert.deepEqual([made.apiVersion, made.kind, made.data], ["v1", "ConfigMap", { k: "1" }]);
  await assert.rejects(
    api.request("POST", MAPS, { body: map("a") }),
    (e) => e instanceof ApiError && e.code === 409 && e.reason === "AlreadyExists",
  );
  const merge = { body: { data: { k: "2" } }, patch: "application/merge-patch+json" };
  const patched: Loose = await api.request("PATCH", `${MAPS}/a`, merge);
  assert.equal(patched.data.k, "2");
  await api.request("PUT", `${MAPS}/a`, { body: { ...patched, data: { k: "3" } } });
  const list: Loose = await api.request("GET", MAPS, { query: { fieldSelector: "metadata.name=a" } });
  assert.deepEqual(list.items.map((i: Loose) => [i.apiVersion, i.kind, i.data.k]), [["v1", "ConfigMap", "3"]]);
  // A kind that has no Protobuf form, and one whose group has a name of the dialect.
  const local = (text: string) => dialect === "orch" ? text.replace("k8s", "orch") : text;
  const group = local("apiextensions.k8s.io");
  const definitions: Loose = await api.request("GET", `/apis/${group}/v1/customresourcedefinitions`);
  assert.equal(definitions.kind, "CustomResourceDefinitionList");
  const lease = { apiVersion: local("coordination.k8s.io/v1"), kind: "Lease", metadata: { name: "l" }, spec: {} };
  const held: Loose = await api.request("POST", `/apis/${lease.apiVersion}/namespaces/default/leases`, { body: lease });
  assert.equal(held.apiVersion, lease.apiVersion);
  assert.match(await api.request("GET", "/healthz"), /^ok$/);
  const preconditions = { uid: made.metadata.uid };
  await api.request("DELETE", `${MAPS}/a`, { body: { apiVersion: "v1", kind: "DeleteOptions", preconditions } });
  await api.request("DELETE", `/apis/${lease.apiVersion}/namespaces/default/leases/l`);
  await assert.rejects(api.request("GET", `${MAPS}/a`), (e) => e instanceof ApiError && e.code === 404);
  api.renew();
}

for (const dialect of ["kubernetes", "orch"] as const) {
  Deno.test(`the agent's client and a server of dialect ${dialect}, through a restart`, async () => {
    const server = await ServerProcess.start(dialect);
    const stop = new AbortController();
    try {
      for (const type of ["application/vnd.kubernetes.protobuf", "application/json"]) {
        await writes(server.kubeconfig, dialect, type);
      }
      const binary = clientOf(server.kubeconfig, dialect);
      const text = clientOf(server.kubeconfig, dialect, { orchApiContentType: "application/json" });
      const told = [new Told(), new Told()] as const;
      const query = { labelSelector: "app" };
      const ends = [binary, text].map((api, i) => api.follow(MAPS, query, told[i]!, stop.signal));
      const all = (what: string, holds: (t: Told) => boolean) => until(what, () => told.every(holds));
      const labelled = (name: string) => ({ ...map(name), metadata: { name, labels: { app: "x" } } });
      await all("the list is there", (t) => t.replaced === 1);
      await binary.request("POST", MAPS, { body: labelled("b") });
      await binary.request("POST", MAPS, { body: map("none") });
      await all("an addition is told", (t) => t.objects.get("b")?.kind === "ConfigMap");
      await server.stop();
      await assert.rejects(binary.request("GET", MAPS));
      await server.run();
      const patch = "application/merge-patch+json";
      await text.request("PATCH", `${MAPS}/b`, { body: { data: { after: "yes" } }, patch });
      await all("what happened after the restart is told", (t) => t.objects.get("b")?.data?.after === "yes");
      await binary.request("DELETE", `${MAPS}/b`);
      await all("a deletion is told", (t) => !t.objects.has("b"));
      assert.ok(told.every((t) => !t.objects.has("none")));
      stop.abort();
      await Promise.all(ends);
      binary.renew();
      text.renew();
    } finally {
      stop.abort();
      await server.end();
    }
  });
}
