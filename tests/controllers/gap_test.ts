/** What went while the log of the store could not be followed. */
import assert from "node:assert/strict";
import { type Backend, RevisionError } from "../../server/storage/backend.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { define, definition, DEFINITIONS, thing, THINGS, version } from "../customresources/_crd.ts";
import type { Outside } from "../../server/security.ts";
import { until, World } from "./_world.ts";

const KEY = "/registry/apiextensions.k8s.io/customresourcedefinitions/things.example.com";
const SERVICE = "/apis/apiregistration.k8s.io/v1/apiservices/v1.example.com";

/** A store, and what deletes a key of it so that nobody can hear of that. */
function gappy(): { backend: Backend; lose(key: string): Promise<void> } {
  const backend = memoryBackend();
  const { changes } = backend;
  const broken = new AbortController();
  backend.changes = async (prefix, since, deliver, signal) => {
    if (broken.signal.aborted) return await changes.call(backend, prefix, since, deliver, signal);
    const until = AbortSignal.any([signal, broken.signal]);
    await changes.call(backend, prefix, since, (batch) => broken.signal.aborted ? undefined : deliver(batch), until);
    if (!signal.aborted) throw new RevisionError("compacted", since, await backend.revision());
  };
  const lose = async (key: string) => {
    broken.abort();
    await backend.commit([{ key, value: null }]);
    await backend.compact(await backend.revision());
  };
  return { backend, lose };
}

Deno.test("the registration of a definition that went unheard goes too", async () => {
  const { backend, lose } = gappy();
  const w = await World.start("apiservice-registration", [], { backend });
  try {
    await define(w.test, definition([version({})]));
    await until("it is registered", async () => await w.get(SERVICE) !== undefined);
    await lose(KEY);
    await until("the definition is gone", async () => await w.get(`${DEFINITIONS}/things.example.com`) === undefined);
    await w.gone(SERVICE);
  } finally {
    await w.stop();
    await backend.close();
  }
});

Deno.test("a definition in a store of its own goes, though its last object went unheard", async () => {
  const { backend, lose } = gappy(), own = memoryBackend();
  const stores = new Map([["customresourcedefinitions.apiextensions.k8s.io", own]]);
  const w = await World.start("-*", [], { backend, stores });
  const path = `${DEFINITIONS}/things.example.com`, object = `${THINGS}/held`;
  try {
    await define(w.test, definition([version({})]));
    await w.create(THINGS, thing("held", {}, { metadata: { name: "held", finalizers: ["example.com/held"] } }));
    assert.equal(await w.remove(path), 200);
    await until("it is deleted", async () => (await w.get(object))?.metadata.deletionTimestamp !== undefined);
    await lose("/registry/example.com/things/default/held");
    await w.gone(path);
  } finally {
    await w.stop();
    await backend.close();
    await own.close();
  }
});

Deno.test("a group version whose registration went unheard is no other server's any more", async () => {
  const { backend, lose } = gappy();
  const w = await World.start("-*", [], { backend });
  const services = "/apis/apiregistration.k8s.io/v1/apiservices", name = "v1.shop.example";
  const status = async () => (await w.test.fetch("/apis/shop.example/v1/carts")).status;
  try {
    const spec = {
      group: "shop.example",
      version: "v1",
      service: { namespace: "default", name: "shop" },
      insecureSkipTLSVerify: true,
      groupPriorityMinimum: 1,
      versionPriority: 1,
    };
    await w.create(services, { apiVersion: "apiregistration.k8s.io/v1", kind: "APIService", metadata: { name }, spec });
    await until("it is another server's", async () => await status() === 503);
    await lose(`/registry/apiregistration.k8s.io/apiservices/${name}`);
    await until("it is nobody's", async () => await status() === 404);
  } finally {
    await w.stop();
    await backend.close();
  }
});

Deno.test("a service account of a store of its own that went unheard is made again", async () => {
  const { backend, lose } = gappy(), rest = memoryBackend();
  const w = await World.start("serviceaccount", [], { backend: rest, stores: new Map([["serviceaccounts", backend]]) });
  const path = "/api/v1/namespaces/default/serviceaccounts/default";
  const uid = async () => (await w.get(path))?.metadata.uid;
  try {
    await until("it is there", async () => await uid() !== undefined);
    const first = await uid();
    await lose("/registry/serviceaccounts/default/default");
    await until("there is another one", async () => ![undefined, first].includes(await uid()));
  } finally {
    await w.stop();
    await Promise.all([backend.close(), rest.close()]);
  }
});

Deno.test("a flow schema is told that its level is gone, though that went unheard", async () => {
  const { backend, lose } = gappy(), rest = memoryBackend(), api = "/apis/flowcontrol.apiserver.k8s.io/v1";
  const stores = new Map([["prioritylevelconfigurations.flowcontrol.apiserver.k8s.io", backend]]);
  const w = await World.start("flow-schema-status", [], { backend: rest, stores });
  const dangling = async () => {
    const { status } = (await w.get(`${api}/flowschemas/some`))!;
    return status?.conditions?.find((c: { type: string }) => c.type === "Dangling")?.status;
  };
  try {
    const limited = { limitResponse: { type: "Reject" } };
    const level = { metadata: { name: "some" }, spec: { type: "Limited", limited } };
    const schema = { metadata: { name: "some" }, spec: { priorityLevelConfiguration: { name: "some" } } };
    await w.create(`${api}/prioritylevelconfigurations`, level);
    await w.create(`${api}/flowschemas`, schema);
    await until("the level is there", async () => await dangling() === "False");
    await lose("/registry/prioritylevelconfigurations/some");
    await until("it is gone", async () => await dangling() === "True");
  } finally {
    await w.stop();
    await Promise.all([backend.close(), rest.close()]);
  }
});

Deno.test("a server whose lease went unheard is taken out of storage versions", async () => {
  const { backend, lose } = gappy(), rest = memoryBackend();
  const stores = new Map([["leases.coordination.k8s.io", backend]]);
  const flags = ["--feature-gates=StorageVersionAPI=true", "--runtime-config=internal.apiserver.k8s.io/v1alpha1=true"];
  const w = await World.start("storage-version-garbage-collector", flags, { backend: rest, stores });
  const path = "/apis/internal.apiserver.k8s.io/v1alpha1/storageversions/core.pods";
  const servers = async () => (await w.get(path))!.status.storageVersions.length;
  try {
    const labels = { "apiserver.kubernetes.io/identity": "kube-apiserver" };
    await w.create("/apis/coordination.k8s.io/v1/namespaces/kube-system/leases", {
      metadata: { name: "other", labels },
    });
    const { status: { storageVersions: [own] } } = (await w.get(path))!;
    const all = [own.apiServerID, "other", "nobody"].map((apiServerID) => ({ ...own, apiServerID }));
    await w.patch(`${path}/status`, { status: { storageVersions: all } });
    await until("one that never was is taken out", async () => await servers() === 2);
    await lose("/registry/leases/kube-system/other");
    await until("it is taken out", async () => await servers() === 1);
  } finally {
    await w.stop();
    await Promise.all([backend.close(), rest.close()]);
  }
});

const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** Ways to a peer that serves one group more. */
const toPeer: Outside = {
  fetchText: () => () => Promise.reject(new Error("no way")),
  post: () => () => Promise.reject(new Error("no way")),
  hooks: () => ({ post: () => Promise.reject(new Error("no way")), close: () => {} }),
  proxy: () => ({
    send: () => {
      const versions = [{ version: "v1", resources: [{ resource: "carts", verbs: ["list"] }] }];
      const items = [{ metadata: { name: "shop.example" }, versions }];
      const body = new Blob([JSON.stringify({ kind: "APIGroupDiscoveryList", items })]).stream();
      return Promise.resolve({ status: 200, headers: [], body });
    },
    upgrade: () => Promise.reject(new Error("no way")),
    close: () => {},
  }),
  lookup: (host) => Promise.resolve([host]),
};

Deno.test("what a peer serves whose end went unheard is not told any more", async () => {
  const { backend, lose } = gappy();
  const moreFiles = { peers: () => ({ ca: "", cert: "", key: "" }) };
  const w = await World.start("-*", [], { backend, outside: toPeer, moreFiles });
  const told = async () => (await w.test.fetch("/apis", { headers: { accept: AGGREGATED } })).text;
  try {
    const labels = { "apiserver.kubernetes.io/identity": "kube-apiserver" };
    const annotations = { "kubernetes.io/peer-advertise-address": "192.0.2.7:6443" };
    const metadata = { name: "apiserver-peer", namespace: "kube-system", labels, annotations };
    await w.create("/apis/coordination.k8s.io/v1/namespaces/kube-system/leases", {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata,
      spec: { holderIdentity: "peer_1", leaseDurationSeconds: 3600, renewTime: "2026-01-01T00:00:00.000000Z" },
    });
    await until("its group is told", async () => (await told()).includes("shop.example"));
    await lose("/registry/leases/kube-system/apiserver-peer");
    await until("its group is not told", async () => !(await told()).includes("shop.example"));
  } finally {
    await w.stop();
    await backend.close();
  }
});
