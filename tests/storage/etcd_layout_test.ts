/** A store as the public server writes it: its keys and envelopes, put there by etcd alone, and what is written read the same way. */
import assert from "node:assert/strict";
import { Keys } from "../../server/storage/etcd/keys.ts";
import { openEtcd } from "../../server/storage/etcd/mod.ts";
import { startTestServer } from "../fixture/server.ts";
import { noEtcd, startEtcd } from "./etcd_server.ts";

const missing = await noEtcd();

/** A prefix and what comes after a key of it → from where to where in etcd. */
const RANGES: readonly [
  prefix: string,
  after: string | undefined,
  range: readonly [from: string, to: string] | undefined,
][] = [
  ["/kept/pods/", undefined, ["/registry/pods/", "/registry/pods0"]],
  ["/kept/\u00e9", undefined, ["/registry/\u00e9", "/registry/\u00ea"]],
  ["/ke", undefined, ["/registry/", "/registry0"]],
  ["/other/", undefined, undefined],
  ["/kept/pods/", "/kept/pods/a", ["/registry/pods/a\0", "/registry/pods0"]],
  ["/kept/pods/", "/kept/nodes/a", ["/registry/pods/", "/registry/pods0"]],
  ["/kept/pods/", "/kept/services/a", undefined],
];

Deno.test("etcd keys: those under the root stand under the prefix, and nothing else is of the store", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  for (const end of ["", "/"]) {
    const keys = new Keys(`/registry${end}`, `/kept${end}`);
    assert.deepEqual(keys.object("/kept/pods/a"), bytes("/registry/pods/a"));
    for (const other of ["/keptpods/a", "/registry/pods/a"]) assert.throws(() => keys.object(other), TypeError);
    for (const [prefix, after, range] of RANGES) {
      assert.deepEqual(keys.range(prefix, after), range?.map(bytes), `${prefix} after ${after}`);
    }
    const read = ["/registry/pods/a", "/registry.meta/mark", "/registrypods/a", "/registry"].map((k) =>
      keys.read(bytes(k))
    );
    assert.deepEqual(read, [{ object: "/kept/pods/a" }, { meta: "mark" }, undefined, undefined]);
    assert.deepEqual(keys.watched, [bytes("/registry.meta/"), bytes("/registry0")]);
  }
});

/** Fields of the wire: a number and a text, a message, or a number. */
const varint = (n: number): number[] => n < 128 ? [n] : [n & 127 | 128, ...varint(n >> 7)];
const field = (
  number: number,
  value: readonly number[],
): number[] => [...varint(number << 3 | 2), ...varint(value.length), ...value];
const text = (number: number, value: string): number[] => field(number, [...new TextEncoder().encode(value)]);
/** `k8s`, a zero, and what kind of thing the bytes are. */
const envelope = (apiVersion: string, kind: string, raw: readonly number[]): Uint8Array =>
  Uint8Array.from([
    ...[0x6b, 0x38, 0x73, 0],
    ...field(1, [...text(1, apiVersion), ...text(2, kind)]),
    ...field(2, raw),
    ...text(3, ""),
    ...text(4, ""),
  ]);
const meta = (name: string, namespace: string): number[] =>
  field(1, [...text(1, name), ...text(3, namespace), ...text(5, `uid-${name}`)]);
const pair = (key: string, value: string): number[] => [...text(1, key), ...text(2, value)];

/** Key below the root → what lies there; a custom kind's objects lie as JSON. */
const THERE: Readonly<Record<string, Uint8Array>> = {
  "namespaces/shop": envelope("v1", "Namespace", meta("shop", "")),
  "configmaps/shop/a": envelope("v1", "ConfigMap", [...meta("a", "shop"), ...field(2, pair("k", "v"))]),
  "minions/n1": envelope("v1", "Node", meta("n1", "")),
  "ingressclasses/c": new TextEncoder().encode(
    JSON.stringify({
      kind: "IngressClass",
      apiVersion: "networking.k8s.io/v1",
      metadata: { name: "c", uid: "u" },
      spec: { controller: "x.io/y" },
    }),
  ),
  "apiextensions.k8s.io/customresourcedefinitions/things.example.com": new TextEncoder().encode(
    JSON.stringify({
      kind: "CustomResourceDefinition",
      apiVersion: "apiextensions.k8s.io/v1beta1",
      metadata: { name: "things.example.com", uid: "u-things" },
      spec: {
        group: "example.com",
        version: "v1",
        names: { plural: "things", singular: "thing", kind: "Thing", listKind: "ThingList" },
        scope: "Namespaced",
        validation: { openAPIV3Schema: { type: "object" } },
        versions: [{ name: "v1", served: true, storage: true }],
        preserveUnknownFields: false,
      },
    }),
  ),
};
const DEFINITION = "apiextensions.k8s.io/customresourcedefinitions/things.example.com";

/** What a client makes → where it lies. */
const MADE: readonly [path: string, body: Record<string, unknown>, key: string][] = [
  ["/api/v1/namespaces/shop/services", {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "s" },
    spec: { ports: [{ port: 80 }] },
  }, "services/specs/shop/s"],
  [
    "/api/v1/namespaces/shop/endpoints",
    { apiVersion: "v1", kind: "Endpoints", metadata: { name: "e" } },
    "services/endpoints/shop/e",
  ],
  ["/api/v1/nodes", { apiVersion: "v1", kind: "Node", metadata: { name: "n2" } }, "minions/n2"],
  ["/apis/apps/v1/namespaces/shop/controllerrevisions", {
    apiVersion: "apps/v1",
    kind: "ControllerRevision",
    metadata: { name: "r" },
    revision: 1,
    data: {},
  }, "controllerrevisions/shop/r"],
  ["/apis/rbac.authorization.k8s.io/v1/namespaces/shop/roles", {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "Role",
    metadata: { name: "r" },
    rules: [],
  }, "roles/shop/r"],
  ["/apis/networking.k8s.io/v1/namespaces/shop/ingresses", {
    apiVersion: "networking.k8s.io/v1",
    kind: "Ingress",
    metadata: { name: "i" },
    spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } },
  }, "ingress/shop/i"],
  ["/apis/policy/v1/namespaces/shop/poddisruptionbudgets", {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: "p" },
    spec: {},
  }, "poddisruptionbudgets/shop/p"],
  ["/apis/coordination.k8s.io/v1/namespaces/shop/leases", {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name: "l" },
    spec: {},
  }, "leases/shop/l"],
];

Deno.test({
  name: missing ? `etcd layout (${missing})` : "etcd: a public server's store is read, and written as it would be",
  ignore: missing !== undefined, // no etcd binary on this machine
  async fn() {
    await using cluster = await startEtcd();
    const { endpoints } = cluster;
    const raw = await openEtcd({ endpoints, prefix: "/registry" });
    for (const [key, value] of Object.entries(THERE)) await raw.commit([{ key, value, expect: 0 }]);
    const backend = await openEtcd({ endpoints, prefix: "/registry", root: "/registry" });
    const s = await startTestServer([], { backend });
    try {
      const map = await s.fetch("/api/v1/namespaces/shop/configmaps/a");
      assert.deepEqual([map.body.metadata.uid, map.body.data], ["uid-a", { k: "v" }]);
      assert.equal((await s.fetch("/api/v1/nodes/n1")).body.metadata.uid, "uid-n1");
      assert.equal((await s.fetch("/apis/networking.k8s.io/v1/ingressclasses/c")).body.spec.controller, "x.io/y");
      const things = `/apis/${DEFINITION.replace("/", "/v1/")}`, read = await s.fetch(things);
      assert.deepEqual(read.body.spec.versions[0].schema, { openAPIV3Schema: { type: "object" } });
      const changed = await s.fetch(things, {
        method: "PUT",
        body: { ...read.body, metadata: { ...read.body.metadata, labels: { a: "b" } } },
      });
      assert.equal(changed.status, 200, changed.text);
      const rests = JSON.parse(new TextDecoder().decode((await raw.get(DEFINITION))!.value));
      assert.deepEqual([rests.apiVersion, rests.spec.validation, rests.spec.versions, rests.metadata.labels], [
        "apiextensions.k8s.io/v1beta1",
        { openAPIV3Schema: { type: "object" } },
        [{ name: "v1", served: true, storage: true }],
        { a: "b" },
      ]);
      for (const [path, body, key] of MADE) {
        const made = await s.fetch(path, { body });
        assert.equal(made.status, 201, made.text);
        const { value } = (await raw.get(key))!;
        assert.deepEqual([...value.subarray(0, 4)], [0x6b, 0x38, 0x73, 0], key);
        assert.ok(new TextDecoder().decode(value).includes(body["kind"] as string));
      }
    } finally {
      await s.stop();
      await backend.close();
      await raw.close();
    }
  },
});

Deno.test({
  name: missing ? `etcd keys (${missing})` : "etcd: keys that are no UTF-8 are nobody's, and pages go on past them",
  ignore: missing !== undefined, // no etcd binary on this machine
  async fn() {
    await using cluster = await startEtcd();
    const { endpoints } = cluster;
    const putRaw = async (key: number[]) => {
      const body = JSON.stringify({ key: Uint8Array.from(key).toBase64(), value: "eA==" });
      const answer = await fetch(`${endpoints[0]}/v3/kv/put`, { method: "POST", body });
      assert.equal(answer.status, 200, await answer.text());
    };
    const begin = [...new TextEncoder().encode("/registry/configmaps/a/")];
    const backend = await openEtcd({ endpoints, prefix: "/registry" });
    try {
      const value = new TextEncoder().encode("x");
      // Between the two: what is read as U+FFFD sorts behind the second.
      for (const key of ["configmaps/a/b", "configmaps/a/\u00e9"]) await backend.commit([{ key, value, expect: 0 }]);
      for (let i = 0; i < 40; i++) await putRaw([...begin, 0xc0, i]);
      const all = await backend.range("configmaps/");
      assert.deepEqual([all.items.map((i) => i.key), all.more], [["configmaps/a/b", "configmaps/a/\u00e9"], false]);
      const page = await backend.range("configmaps/", { limit: 1 });
      assert.deepEqual([page.items.map((i) => i.key), page.more], [["configmaps/a/b"], true]);
      const next = await backend.range("configmaps/", { limit: 1, after: "configmaps/a/b" });
      assert.deepEqual([next.items.map((i) => i.key), next.more], [["configmaps/a/\u00e9"], false]);
    } finally {
      await backend.close();
    }
  },
});
