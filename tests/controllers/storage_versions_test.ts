/** Storage versions: what a server tells of itself, who may write meanwhile, and what is collected. */
import assert from "node:assert/strict";
import type { JsonMap, Obj } from "../../schema/model/types.ts";
import { productOf } from "../../schema/product.ts";
import { StatusError } from "../../schema/status.ts";
import { storageVersionFilter } from "../../server/filters/storage_versions.ts";
import type { RequestScope, User } from "../../server/request.ts";
import { type Backend, StorageError } from "../../server/storage/backend.ts";
import type { VersionEntry } from "../../server/storageversions/entries.ts";
import { StorageVersions } from "../../server/storageversions/manager.ts";
import { withServer, withServers } from "../../server/storageversions/status.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { ADMIN, startTestServer } from "../fixture/server.ts";
import { until, World } from "./_world.ts";

const FLAGS = ["--feature-gates=StorageVersionAPI=true", "--runtime-config=internal.apiserver.k8s.io/v1alpha1=true"];
const VERSIONS = "/apis/internal.apiserver.k8s.io/v1alpha1/storageversions";
const LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
const identityOf = async (w: World): Promise<string> => {
  const leases = (await w.get(`${LEASES}?labelSelector=apiserver.kubernetes.io/identity`)) as unknown as {
    items: Obj[];
  };
  return leases.items[0]!.metadata.name!;
};
const serversOf = (obj: Obj | undefined): string[] =>
  (obj?.["status"]?.storageVersions ?? []).map((s: JsonMap) => s["apiServerID"]);

Deno.test("a server tells in what version it keeps each resource before it is ready", async () => {
  const w = await World.start("-*", FLAGS);
  const server = await identityOf(w);
  const { status } = (await w.get(`${VERSIONS}/apps.deployments`))!;
  assert.deepEqual(status.storageVersions, [{
    apiServerID: server,
    encodingVersion: "apps/v1",
    decodableVersions: ["apps/v1", "apps/v1beta2", "apps/v1beta1"],
    servedVersions: ["apps/v1"],
  }]);
  assert.equal(status.commonEncodingVersion, "apps/v1");
  const told = status.conditions.map(({ type, status, reason }: JsonMap) => [type, status, reason]);
  assert.deepEqual(told, [["AllEncodingVersionsEqual", "True", "CommonEncodingVersionSet"]]);
  const { items } = (await w.get(VERSIONS)) as unknown as { items: Obj[] };
  const names = items.map((v) => v.metadata.name!);
  assert.ok(names.includes("core.events") && !names.some((n) => n.startsWith("events.k8s.io.")), "stored once");
  assert.ok(!names.some((n) => /reviews$|core\.bindings|componentstatuses/.test(n)), "what is not kept has none");
  assert.match((await w.test.fetch("/readyz?verbose")).text, /built-in-resources-storage-version-updater ok/);
  await w.stop();
});

Deno.test("a second start changes nothing that is told already", async () => {
  const backend = memoryBackend();
  const one = await World.start("-*", FLAGS, { backend });
  const before = (await one.get(`${VERSIONS}/core.pods`))!.metadata.resourceVersion;
  await one.stop();
  const two = await World.start("-*", FLAGS, { backend });
  assert.equal((await two.get(`${VERSIONS}/core.pods`))!.metadata.resourceVersion, before);
  await two.stop();
  await backend.close();
});

for (
  const flags of [[], FLAGS.slice(0, 1), [
    ...FLAGS.slice(1),
    "--feature-gates=StorageVersionAPI=true,APIServerIdentity=false",
  ]]
) {
  Deno.test(`nothing is told with ${flags.join(" ") || "the defaults"}`, async () => {
    const w = await World.start("storage-version-garbage-collector", flags);
    const { items = [] } = ((await w.get(VERSIONS)) ?? {}) as { items?: Obj[] };
    assert.deepEqual(items, []);
    await w.stop();
  });
}

Deno.test("servers whose identity lease is gone are taken out, and what nobody is left in goes", async () => {
  const w = await World.start("storage-version-garbage-collector", FLAGS);
  const server = await identityOf(w), labels = { "apiserver.kubernetes.io/identity": "kube-apiserver" };
  const spec = { holderIdentity: "x", leaseDurationSeconds: 3600, renewTime: "2026-01-01T00:00:00.000000Z" };
  const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "other", labels }, spec };
  await w.create(LEASES, lease);
  const say = async (name: string, ids: string[], encodingVersion: string) => {
    const status = {
      storageVersions: ids.map((apiServerID) => ({
        apiServerID,
        encodingVersion,
        decodableVersions: [encodingVersion],
      })),
      commonEncodingVersion: encodingVersion,
    };
    const headers = { "content-type": "application/merge-patch+json" };
    const answer = await w.test.fetch(`${VERSIONS}/${name}/status`, { method: "PATCH", body: { status }, headers });
    assert.equal(answer.status, 200, answer.text);
  };
  const version = (name: string) => ({
    apiVersion: "internal.apiserver.k8s.io/v1alpha1",
    kind: "StorageVersion",
    metadata: { name },
    spec: {},
  });
  await w.create(VERSIONS, version("x.example.things"));
  await say("x.example.things", ["other"], "x.example/v1");
  await say("core.pods", [server, "other"], "v1");
  await say("core.services", [server, "nobody"], "v1");
  await until(
    "one that never was is taken out",
    async () => serversOf(await w.get(`${VERSIONS}/core.services`)).length === 1,
  );
  assert.deepEqual(serversOf(await w.get(`${VERSIONS}/core.pods`)), [server, "other"]);
  await w.remove(`${LEASES}/other`);
  await w.gone(`${VERSIONS}/x.example.things`);
  await until("it is taken out", async () => serversOf(await w.get(`${VERSIONS}/core.pods`)).length === 1);
  await w.create(VERSIONS, version("x.example.others"));
  assert.ok(await w.get(`${VERSIONS}/x.example.others`), "one that nobody says anything in stays");
  await w.stop();
});

const ENTRY: VersionEntry = {
  name: "g.things",
  encodingVersion: "g/v1",
  decodableVersions: ["g/v1", "g/v1beta1"],
  servedVersions: ["g/v1"],
  ids: ["things.g"],
};
const obj = (status?: JsonMap) => ({ metadata: { name: "g.things" }, ...(status ? { status } : {}) }) as Obj;

Deno.test("servers that do not agree have no common version; its condition moves when that does", () => {
  const first = withServer(obj(), "a", ENTRY, 0)!;
  assert.equal(withServer(first, "a", ENTRY, 5000), undefined);
  const again = { ...first, metadata: { ...first.metadata, generation: 3 } };
  const two = withServer(again, "b", { ...ENTRY, encodingVersion: "g/v1beta1" }, 5000)!;
  assert.ok(!("commonEncodingVersion" in two["status"]));
  const [{ message, ...told }] = two["status"].conditions;
  assert.deepEqual(told, {
    type: "AllEncodingVersionsEqual",
    status: "False",
    observedGeneration: 3,
    lastTransitionTime: "1970-01-01T00:00:05Z",
    reason: "CommonEncodingVersionUnset",
  });
  assert.notEqual(message, first["status"].conditions[0].message);
  const left = withServers(two, [two["status"].storageVersions[1]], 9000)!["status"];
  assert.deepEqual([left.commonEncodingVersion, left.conditions[0].lastTransitionTime], [
    "g/v1beta1",
    "1970-01-01T00:00:09Z",
  ]);
  const moved = withServer(first, "a", { ...ENTRY, encodingVersion: "g/v1beta1" }, 7000)!["status"];
  assert.equal(moved.conditions[0].lastTransitionTime, "1970-01-01T00:00:07Z", "another version is a change too");
});

Deno.test("until it is told, writes of a resource wait, but for what servers need", async () => {
  const w = await World.start("-*", FLAGS);
  const { registries, catalog } = w.test.server, stop = new AbortController();
  const absent: VersionEntry = { ...ENTRY, name: "not a name", ids: ["pods", "leases.coordination.k8s.io"] };
  const entries = [{ ...ENTRY, name: "core.configmaps", ids: ["configmaps"] }, absent];
  const parts = { product: productOf("kubernetes"), registries, server: "s", entries, now: () => 0, log: () => {} };
  const versions = new StorageVersions(parts);
  const filter = storageVersionFilter(versions, catalog, "kube-system");
  const passes = (verb: string, resource: string, group = "", namespace = "default") => {
    const info = { isResource: true, verb, group, version: "v1", resource, namespace };
    try {
      filter({ info } as RequestScope, () => new Response());
      return true;
    } catch (e) {
      assert.ok(e instanceof StatusError && e.code === 503 && e.reason === "ServiceUnavailable");
      return false;
    }
  };
  assert.deepEqual([passes("create", "configmaps"), passes("list", "configmaps")], [false, true]);
  assert.equal(passes("create", "services"), true, "one that no entry is about");
  assert.equal(await versions.write(stop.signal), false);
  assert.deepEqual([versions.complete, passes("create", "configmaps"), passes("update", "pods")], [false, true, false]);
  assert.match(versions.pending("pods")!, /not a name/);
  assert.equal(passes("update", "leases", "coordination.k8s.io", "kube-system"), true);
  assert.equal(passes("update", "leases", "coordination.k8s.io"), false);
  await w.stop();
});

Deno.test("until it is told, who may not write is told so, and not that others wait", async () => {
  const store = memoryBackend();
  const commit: Backend["commit"] = (changes) =>
    changes.some(({ key }) => key.includes("storageversions"))
      ? Promise.reject(new StorageError("unavailable", "gone"))
      : store.commit(changes);
  const backend = new Proxy(store, {
    get(target, name) {
      const value: unknown = name === "commit" ? commit : Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const t = await startTestServer(FLAGS, { backend, wait: false });
  try {
    const write = (user: User) =>
      t.fetch("/api/v1/namespaces/default/configmaps", { body: { metadata: { name: "a" } } }, user);
    await until("writes wait", async () => /^storage version of/.test((await write(ADMIN)).body.message));
    const { status, body } = await write({ name: "jo", groups: ["system:authenticated"] });
    assert.equal(status, 403);
    assert.match(body.message, /^configmaps is forbidden: User "jo" cannot create/);
  } finally {
    await t.stop();
    await store.close();
  }
});
