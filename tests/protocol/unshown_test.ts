/** What reads do not show and writes see all the same: defaults that are not at rest, empty lists, notations of quantities. */
import assert from "node:assert/strict";
import type { TestServer } from "../fixture/server.ts";
import { APPLY, map, maps, MERGE, namespace, ok, patchOf, sharedServer } from "../spec/_spec.ts";

const server = sharedServer();
const test = (name: string, run: (t: TestServer, ns: string) => Promise<void>) =>
  Deno.test({
    name: `unshown: ${name}`,
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      const t = await server();
      await run(t, await namespace(t));
    },
  });

const containers = [{ name: "c", image: "i" }];
const job = (labels: object) => ({
  metadata: { name: "x" },
  spec: { template: { metadata: { labels }, spec: { restartPolicy: "Never", containers } } },
});
const claim = {
  metadata: { name: "x" },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
};

/** How often writes that change nothing move the version, one after another. */
const SAME: readonly [name: string, path: string, body: object, moves: number][] = [
  ["a job whose labels come with its pods' generated ones", "/apis/batch/v1/namespaces/{}/jobs", job({}), 1],
  ["a job that took its template's labels", "/apis/batch/v1/namespaces/{}/jobs", job({ a: "b" }), 0],
  ["a claim, whose phase is filled in", "/api/v1/namespaces/{}/persistentvolumeclaims", claim, 1],
  ["a config map", "/api/v1/namespaces/{}/configmaps", map("x"), 0],
];

for (const [name, path, body, moves] of SAME) {
  test(`the same again: ${name}`, async (t, ns) => {
    const all = path.replace("{}", ns), one = `${all}/x`;
    const made = await ok(t, all, { body });
    const { body: read } = await ok(t, one);
    assert.deepEqual(read, made.body);
    const writes = [
      { method: "PUT", body: read },
      patchOf(MERGE, {}),
      { method: "PUT", body: { ...read, metadata: { ...read.metadata, resourceVersion: "" } } },
    ];
    const versions = new Set([read.metadata.resourceVersion]);
    for (const write of writes) {
      const { body } = await ok(t, one, write);
      versions.add(body.metadata.resourceVersion);
      assert.deepEqual({ ...body, metadata: { ...body.metadata, resourceVersion: "" } }, {
        ...read,
        metadata: { ...read.metadata, resourceVersion: "" },
      });
    }
    assert.equal(versions.size, moves + 1);
  });
}

const slice = (endpoint: object) => ({
  metadata: { name: "x" },
  addressType: "IPv4",
  endpoints: [{ addresses: ["10.1.2.3"], ...endpoint }],
});
const range = (limit: object) => ({ metadata: { name: "x" }, spec: { limits: [{ type: "Container", ...limit }] } });
const policy = (values?: string[]) => ({
  metadata: { name: "x" },
  spec: { selector: { matchExpressions: [{ key: "a", operator: "Exists", ...(values ? { values } : {}) }] } },
});

/** A first object by one manager, the next by another, and whether that one owns the list then, which shows no change. */
const OWNED: readonly [name: string, path: string, first: object, next: object, field: string, taken: boolean][] = [
  [
    "an empty map in it",
    "/apis/discovery.k8s.io/v1/namespaces/{}/endpointslices",
    slice({}),
    slice({
      deprecatedTopology: {},
    }),
    "f:endpoints",
    true,
  ],
  ["nothing", "/apis/discovery.k8s.io/v1/namespaces/{}/endpointslices", slice({}), slice({}), "f:endpoints", false],
  ["an empty list in it", "/apis/policy/v1/namespaces/{}/poddisruptionbudgets", policy(), policy([]), "f:spec", true],
  [
    "an empty list beside it",
    "/apis/discovery.k8s.io/v1/namespaces/{}/endpointslices",
    slice({}),
    {
      ...slice({}),
      ports: [],
    },
    "f:endpoints",
    false,
  ],
  [
    "a quantity's notation",
    "/api/v1/namespaces/{}/limitranges",
    range({ max: { cpu: "2" } }),
    range({
      max: { cpu: "2000m" },
    }),
    "f:spec",
    true,
  ],
];

for (const [name, path, first, next, field, taken] of OWNED) {
  for (const how of ["PUT", "PATCH"]) {
    test(`a list owned whole changes its owner by ${name} (${how})`, async (t, ns) => {
      const all = path.replace("{}", ns), one = `${all}/x?fieldManager=second`;
      const made = await ok(t, `${all}?fieldManager=first`, { body: first });
      const { resourceVersion } = made.body.metadata, put = { ...next, metadata: { name: "x", resourceVersion } };
      const write = how === "PUT" ? { method: "PUT", body: put } : patchOf(MERGE, next);
      const { body } = await ok(t, one, write);
      const owners = body.metadata.managedFields.filter((e: { fieldsV1: object }) => field in e.fieldsV1);
      assert.deepEqual(owners.map((e: { manager: string }) => e.manager).includes("second"), taken);
      const { metadata: _a, ...was } = made.body, { metadata: _b, ...is } = body;
      if (!("ports" in next)) assert.deepEqual(is, was);
    });
  }
}

test(
  "a list's item without its key leaves owners as they were, and stands in the way of the first apply",
  async (t, ns) => {
    const path = `/api/v1/namespaces/${ns}/serviceaccounts`;
    const made = await ok(t, path, { body: { metadata: { name: "x" }, secrets: [{ name: "s" }] } });
    assert.equal(made.body.metadata.managedFields.length, 1);
    const { body } = await ok(t, `${path}/x?fieldManager=other`, patchOf(MERGE, { secrets: [{ name: "" }] }));
    assert.deepEqual(body.metadata.managedFields, made.body.metadata.managedFields);
    await ok(t, `${path}/x`, patchOf(MERGE, { metadata: { managedFields: [{}] } }));
    const applied = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "x", labels: { a: "b" } } };
    const refused = await t.fetch(`${path}/x?fieldManager=m`, patchOf(APPLY, applied));
    const { reason, message } = refused.body;
    assert.deepEqual([refused.status, reason, message.includes(".secrets")], [500, undefined, true], refused.text);
  },
);

/** What may not change, and does by being empty where it was absent. */
const FIXED: readonly [path: string, object: object, next: object, field: string][] = [
  ["/api/v1/namespaces/{}/configmaps", { data: { a: "b" }, immutable: true }, { binaryData: {} }, "binaryData"],
  ["/api/v1/namespaces/{}/secrets", { immutable: true }, { data: {} }, "data"],
];

for (const [path, object, next, field] of FIXED) {
  test(`${field} that was absent is not to be empty`, async (t, ns) => {
    const all = path.replace("{}", ns), first = { metadata: { name: "x" }, ...object };
    await ok(t, all, { body: first });
    const refused = await t.fetch(`${all}/x`, { method: "PUT", body: { ...first, ...next } });
    assert.equal(refused.status, 422);
    assert.deepEqual(refused.body.details.causes.map((c: { field: string }) => c.field), [field]);
    await ok(t, `${all}/x`, { method: "PUT", body: first });
  });
}

test("an empty list of webhooks is another generation each time, also when applied", async (t) => {
  const path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
  const kind = { apiVersion: "admissionregistration.k8s.io/v1", kind: "ValidatingWebhookConfiguration" };
  const body = { ...kind, metadata: { name: "unshown" } };
  await ok(t, path, { body });
  const writes = [
    patchOf(MERGE, {}),
    patchOf(MERGE, { webhooks: [] }),
    patchOf(APPLY, { ...body, webhooks: [] }),
    patchOf(APPLY, body),
  ];
  const generations = [];
  for (const write of writes) {
    generations.push((await ok(t, `${path}/unshown?fieldManager=m`, write)).body.metadata.generation);
  }
  await ok(t, `${path}/unshown`, { method: "DELETE" });
  assert.deepEqual(generations, [1, 2, 3, 3]);
});

test("a watch that asks for lists ends with its first event", async (t, ns) => {
  await ok(t, maps(ns), { body: map("a") });
  const accept = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
  const watch = await t.fetch(`${maps(ns)}?watch=1&timeoutSeconds=20`, { headers: { accept } });
  assert.deepEqual([watch.status, watch.text], [200, ""]);
});

const GROUP = "unshown.example.com";
const schema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        size: { type: "integer" },
        color: { type: "string", default: "red" },
        tags: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
      },
    },
    status: { type: "object", properties: { phase: { type: "string" } } },
  },
};
const version = (name: string) => ({
  name,
  served: true,
  storage: name === "v1",
  schema: { openAPIV3Schema: schema },
  subresources: { status: {} },
});
const thing = (v: string, spec: object) => ({
  apiVersion: `${GROUP}/${v}`,
  kind: "Thing",
  metadata: { name: "x" },
  spec,
});

/** Of custom objects: what is written, and the colour and the number of owners after that. */
const CUSTOM: readonly [name: string, version: string, path: string, write: object, color: string, owners: number][] = [
  ["what is given up in another version", "v1", "", patchOf(APPLY, thing("v1", { size: 1 })), "red", 2],
  ["a status beside a spec that does not fit", "v1", "/status", patchOf(MERGE, { spec: { size: "1" } }), "blue", 2],
  ["an item twice, seen in a version", "v2", "/status", patchOf(MERGE, { spec: { tags: ["a", "a"] } }), "blue", 2],
  ["an item twice, seen in two", "v1", "/status", patchOf(MERGE, { spec: { tags: ["a", "a"] } }), "blue", 2],
];

test("custom objects keep their owners through versions, and by what does not fit", async (t, ns) => {
  const names = { plural: "things", kind: "Thing", singular: "thing", listKind: "ThingList" };
  const body = {
    metadata: { name: `things.${GROUP}` },
    spec: { group: GROUP, scope: "Namespaced", names, versions: ["v1", "v2"].map(version) },
  };
  await ok(t, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", { body });
  for (const [name, v, path, write, color, owners] of CUSTOM) {
    const all = (v: string) => `/apis/${GROUP}/${v}/namespaces/${ns}/things`;
    await ok(t, `${all("v2")}/x?fieldManager=a`, patchOf(APPLY, thing("v2", { color: "blue" })));
    await ok(t, `${all("v2")}/x?fieldManager=b`, patchOf(APPLY, thing("v2", { size: 1 })));
    const { body } = await ok(t, `${all(v)}/x${path}?fieldManager=a`, write);
    assert.deepEqual([name, body.spec.color, body.metadata.managedFields?.length ?? 0], [name, color, owners]);
    await ok(t, `${all(v)}/x`, { method: "DELETE" });
  }
});
