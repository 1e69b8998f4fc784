import assert from "node:assert/strict";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import type { TestServer } from "../fixture/server.ts";
import {
  createMaps,
  map,
  maps,
  MERGE,
  namesOf,
  namespace,
  ok,
  openWatch,
  patchOf,
  refused,
  sharedServer,
  spec,
  withServer,
} from "./_spec.ts";

const server = sharedServer();

const TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1";
const accept = (type: string) => ({ headers: { accept: type } });

spec("Kinds", {
  "<Kind>List (for example PodList, ServiceList, NodeList)": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a");
    for (
      const [resource, kind] of [["pods", "PodList"], ["services", "ServiceList"], ["configmaps", "ConfigMapList"]]
    ) {
      const { body } = await ok(t, `/api/v1/namespaces/${ns}/${resource}`);
      assert.deepEqual(Object.keys(body), ["kind", "apiVersion", "metadata", "items"]);
      assert.equal(body.kind, kind);
      assert.equal(body.apiVersion, "v1");
    }
    assert.equal((await ok(t, "/api/v1/nodes")).body.kind, "NodeList");
    assert.deepEqual(namesOf((await ok(t, maps(ns))).body), ["a"]);
  },
  "Table (apiVersion meta.orch.io/v1)": async () => {
    const t = await server();
    const ns = await namespace(t);
    await ok(t, `/apis/coordination.k8s.io/v1/namespaces/${ns}/leases`, { body: { metadata: { name: "l" } } });
    const one = (await ok(t, maps(ns), accept(TABLE))).body;
    assert.equal(one.kind, "Table");
    assert.equal(one.apiVersion, "meta.k8s.io/v1");
    for (const c of one.columnDefinitions) assert.ok(c.name && c.type, JSON.stringify(c));
    // A type without columns of its own.
    await ok(t, `/api/v1/namespaces/${ns}/limitranges`, { body: { metadata: { name: "r" }, spec: { limits: [] } } });
    const { body } = await ok(t, `/api/v1/namespaces/${ns}/limitranges`, accept(TABLE));
    // deno-lint-ignore no-explicit-any -- an answer's body
    const columns = body.columnDefinitions.map((c: any) => `${c.name} ${c.type}`);
    assert.deepEqual(columns, ["Name string", "Created At date"]);
    const created = (await ok(t, `/api/v1/namespaces/${ns}/limitranges/r`)).body.metadata.creationTimestamp;
    assert.deepEqual(body.rows[0].cells, ["r", created]);
  },
  "PartialObjectMetadata / PartialObjectMetadataList (apiVersion meta.orch.io/v1)": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a");
    const one =
      (await ok(t, maps(ns, "a"), accept("application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"))).body;
    assert.deepEqual(Object.keys(one), ["kind", "apiVersion", "metadata"]);
    assert.equal(one.kind, "PartialObjectMetadata");
    assert.equal(one.apiVersion, "meta.k8s.io/v1");
    const many =
      (await ok(t, maps(ns), accept("application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"))).body;
    assert.equal(many.kind, "PartialObjectMetadataList");
    assert.ok(many.metadata.resourceVersion);
    assert.deepEqual(many.items.map((i: { kind: string }) => i.kind), ["PartialObjectMetadata"]);
    assert.equal(many.items[0].data, undefined);
  },
  "watch event": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a");
    const w = await openWatch(t, `${maps(ns)}?watch=1`);
    const [e] = await w.take(1);
    await w.stop();
    assert.deepEqual(Object.keys(e!), ["type", "object"]);
    assert.equal(e!.type, "ADDED");
    assert.equal(e!.object.kind, "ConfigMap");
  },
  "List": async () => {
    const t = await server();
    for (const path of ["/api/v1/namespaces", "/api/v1/pods", "/apis/apps/v1/deployments"]) {
      assert.notEqual((await ok(t, path)).body.kind, "List");
    }
    const ns = await namespace(t);
    await refused(t, 400, maps(ns), { body: { kind: "List", apiVersion: "v1", items: [map("a")] } });
  },
});

const PROTOBUF = "application/vnd.kubernetes.protobuf";

/** Fields of a message by number. */
function fields(bytes: Uint8Array): Map<number, Uint8Array> {
  const reader = new BinaryReader(bytes);
  const out = new Map<number, Uint8Array>();
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    assert.equal(wire, 2, `field ${number}`);
    out.set(number, reader.bytes());
  }
  return out;
}

/** A body in Protobuf: its envelope without the prefix. */
async function envelope(t: TestServer, path: string): Promise<Map<number, Uint8Array>> {
  const response = await t.server.app.fetch(new Request(`https://test${path}`, { headers: { accept: PROTOBUF } }));
  assert.equal(response.headers.get("content-type"), PROTOBUF);
  const bytes = new Uint8Array(await response.arrayBuffer());
  assert.deepEqual([...bytes.subarray(0, 4)], [0x6b, 0x38, 0x73, 0x00]);
  return fields(bytes.subarray(4));
}
const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

spec("Protobuf envelope", {
  "Unknown | typeMeta": async () => {
    const t = await server();
    const type = fields((await envelope(t, "/api/v1/namespaces/default")).get(1)!);
    assert.deepEqual([...type.keys()], [1, 2]);
  },
  "Unknown | raw": async () => {
    const t = await server();
    // Field 1 of a namespace is its metadata, whose field 1 is the name.
    const raw = (await envelope(t, "/api/v1/namespaces/default")).get(2)!;
    assert.equal(text(fields(raw).get(1)!).includes("default"), true);
    // What is read is written back whole.
    const ns = await namespace(t);
    await createMaps(t, ns, "a");
    const url = `https://test${maps(ns, "a")}`;
    const got = await t.server.app.fetch(new Request(url, { headers: { accept: PROTOBUF } }));
    const put = { method: "PUT", headers: { "content-type": PROTOBUF }, body: await got.arrayBuffer() };
    assert.equal((await t.server.app.fetch(new Request(url, put))).status, 200);
  },
  "Unknown | contentEncoding": async () => {
    const t = await server();
    assert.equal(text((await envelope(t, "/api/v1/namespaces/default")).get(3)), "");
  },
  "Unknown | contentType": async () => {
    const t = await server();
    assert.equal(text((await envelope(t, "/api/v1/namespaces/default")).get(4)), "");
  },
  "TypeMeta | apiVersion": async () => {
    const t = await server();
    const type = fields((await envelope(t, "/apis/apps/v1/deployments")).get(1)!);
    assert.equal(text(type.get(1)), "apps/v1");
  },
  "TypeMeta | kind": async () => {
    const t = await server();
    const type = fields((await envelope(t, "/apis/apps/v1/deployments")).get(1)!);
    assert.equal(text(type.get(2)), "DeploymentList");
  },
});

spec("Object metadata (metadata)", {
  "name": async () => {
    const t = await server();
    const ns = await namespace(t);
    assert.equal((await ok(t, maps(ns), { body: map("given") })).body.metadata.name, "given");
    const made = new Set<string>();
    for (let i = 0; i < 8; i++) {
      const { name } = (await ok(t, maps(ns), { body: { metadata: { generateName: "made-" } } })).body.metadata;
      assert.match(name, /^made-[a-z0-9]{5}$/);
      made.add(name);
    }
    assert.equal(made.size, 8);
  },
  "generateName": async () => {
    const t = await server();
    const ns = await namespace(t);
    const both = { metadata: { name: "own", generateName: "made-" } };
    assert.equal((await ok(t, maps(ns), { body: both })).body.metadata.name, "own");
    const { metadata } = (await ok(t, maps(ns), { body: { metadata: { generateName: "made-" } } })).body;
    assert.equal(metadata.generateName, "made-");
    assert.ok(metadata.name.startsWith("made-"));
  },
  "namespace": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a");
    assert.equal((await ok(t, maps(ns, "a"))).body.metadata.namespace, ns);
    assert.equal((await ok(t, "/api/v1/namespaces/default")).body.metadata.namespace, undefined);
    await refused(t, 400, maps(ns), { body: map("b", {}, { namespace: "elsewhere" }) });
  },
  "resourceVersion": async () => {
    const t = await server();
    const ns = await namespace(t);
    const [first] = await createMaps(t, ns, "a");
    const changed = (await ok(t, maps(ns, "a"), patchOf(MERGE, { data: { k: "v" } }))).body.metadata.resourceVersion;
    assert.ok(Number(changed) > Number(first));
    assert.equal((await ok(t, maps(ns, "a"))).body.metadata.resourceVersion, changed);
    await refused(t, 409, maps(ns, "a"), { method: "PUT", body: map("a", {}, { resourceVersion: first }) });
  },
  "uid": async () => {
    const t = await server();
    const ns = await namespace(t);
    const uids: string[] = [];
    for (let i = 0; i < 2; i++) {
      uids.push((await ok(t, maps(ns), { body: map("a") })).body.metadata.uid);
      await ok(t, maps(ns, "a"), { method: "DELETE" });
    }
    for (const uid of uids) assert.match(uid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.notEqual(uids[0], uids[1]);
  },
  "creationTimestamp": async () => {
    const now = Date.UTC(2030, 0, 2, 3, 4, 5);
    await withServer([], async (t) => {
      const body = map("a", {}, { creationTimestamp: "2001-01-01T00:00:00Z" });
      const made = (await ok(t, maps("default"), { body })).body;
      assert.equal(made.metadata.creationTimestamp, "2030-01-02T03:04:05Z");
    }, { now: () => now });
  },
  "deletionTimestamp": async () => {
    const t = await server();
    const ns = await namespace(t);
    const made = await ok(t, maps(ns), {
      body: map("a", {}, { finalizers: ["example.com/hold"], deletionTimestamp: "2001-01-01T00:00:00Z" }),
    });
    assert.equal(made.body.metadata.deletionTimestamp, undefined);
    await ok(t, maps(ns, "a"), { method: "DELETE" });
    const { deletionTimestamp } = (await ok(t, maps(ns, "a"))).body.metadata;
    assert.ok(Math.abs(Date.parse(deletionTimestamp) - Date.now()) < 60_000);
    await ok(t, maps(ns, "a"), { method: "DELETE" });
    assert.equal((await ok(t, maps(ns, "a"))).body.metadata.deletionTimestamp, deletionTimestamp);
  },
  "finalizers": async () => {
    const t = await server();
    const ns = await namespace(t);
    await ok(t, maps(ns), { body: map("a", {}, { finalizers: ["example.com/a", "example.com/b"] }) });
    await ok(t, maps(ns, "a"), { method: "DELETE" });
    const swapped = patchOf(MERGE, { metadata: { finalizers: ["example.com/b", "example.com/a"] } });
    assert.deepEqual((await ok(t, maps(ns, "a"), swapped)).body.metadata.finalizers, [
      "example.com/b",
      "example.com/a",
    ]);
    // The order says nothing: either may go first.
    await ok(t, maps(ns, "a"), patchOf(MERGE, { metadata: { finalizers: ["example.com/a"] } }));
    await ok(t, maps(ns, "a"), patchOf(MERGE, { metadata: { finalizers: [] } }));
    await refused(t, 404, maps(ns, "a"));
  },
});

spec("Collection (list) metadata", {
  "resourceVersion": async () => {
    const t = await server();
    const ns = await namespace(t);
    const [version] = await createMaps(t, ns, "a");
    const list = (await ok(t, maps(ns))).body;
    assert.ok(Number(list.metadata.resourceVersion) >= Number(version));
  },
  "continue": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a", "b");
    assert.equal((await ok(t, maps(ns))).body.metadata.continue, undefined);
    const first = (await ok(t, `${maps(ns)}?limit=1`)).body.metadata.continue;
    assert.ok(first);
    const last = (await ok(t, `${maps(ns)}?limit=1&continue=${first}`)).body.metadata;
    assert.equal(last.continue ?? "", "");
  },
  "remainingItemCount": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a", "b", "c");
    const count = async (query: string) => (await ok(t, `${maps(ns)}${query}`)).body.metadata.remainingItemCount;
    assert.equal(await count("?limit=1"), 2);
    assert.equal(await count("?limit=3"), undefined);
    assert.equal(await count(""), undefined);
    assert.equal(await count("?limit=1&labelSelector=x!%3Dy"), undefined);
    assert.equal(await count("?limit=1&fieldSelector=metadata.name!%3Dc"), undefined);
  },
  "shardInfo": () =>
    withServer(["--feature-gates=ShardedListAndWatch=true"], async (t) => {
      const selector = "shardRange(object.metadata.uid, '0x0000000000000000', '0x10000000000000000')";
      const { metadata } = (await ok(t, `${maps("default")}?shardSelector=${encodeURIComponent(selector)}`)).body;
      assert.deepEqual(metadata.shardInfo, { selector });
      assert.equal((await ok(t, maps("default"))).body.metadata.shardInfo, undefined);
    }),
});
