/** Corners of the write side: what a request may leave out or say twice, and who owns what afterwards. */
import assert from "node:assert/strict";
import type { Answer, TestServer } from "../fixture/server.ts";
import { parseCbor } from "../../schema/codec/cbor.ts";
import type { JsonMap } from "../../schema/model/types.ts";
import { Turns } from "../../server/registry/turns.ts";
import type { Backend } from "../../server/storage/backend.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import {
  APPLY,
  JSON_PATCH,
  map,
  maps,
  MERGE,
  namespace,
  ok,
  patchOf,
  sharedServer,
  STRATEGIC,
  withServer,
} from "../spec/_spec.ts";

const server = sharedServer();

/** Sends a config map "a" first; then the rows, each with the status wanted and what else must hold. */
type Row = readonly [
  name: string,
  send: (t: TestServer, ns: string) => Promise<Answer>,
  status: number,
  holds?: (body: Answer["body"], a: Answer) => void,
];

const patch = (type: string, body: unknown, query = "") => (t: TestServer, ns: string) =>
  t.fetch(maps(ns, "a") + query, patchOf(type, body));
const put = (metadata: Record<string, unknown>) => (t: TestServer, ns: string) =>
  t.fetch(maps(ns, "a"), { method: "PUT", body: map("a", { k: "put" }, metadata) });
const cause = (field: string) => (body: Answer["body"]) =>
  assert.deepEqual(body.details.causes.map((c: { field: string }) => c.field), [field]);

const ROWS: readonly Row[] = [
  ["version 0 names no version", put({ resourceVersion: "0" }), 200],
  ["nor does it in a merge patch", patch(MERGE, { metadata: { resourceVersion: "0" }, data: { n: "1" } }), 200],
  ["a self link is dropped", put({ selfLink: "/x" }), 200, (b) => assert.equal(b.metadata.selfLink, undefined)],
  ["a kind taken away is the endpoint's", patch(MERGE, { kind: null }), 200],
  ["another kind is not", patch(MERGE, { kind: "Secret" }), 422, cause("patch")],
  ["without a version nothing is known of an object", patch(JSON_PATCH, [{ op: "remove", path: "/apiVersion" }]), 400],
  ["a strategic merge sets fields of the kind at hand", patch(STRATEGIC, { kind: "Secret", apiVersion: "z/v1" }), 200],
  ["null is no strategic merge", patch(STRATEGIC, "null"), 200],
  ["a strategic replacement of all needs its name", patch(STRATEGIC, { $patch: "replace" }), 400],
  [
    "and replaces all",
    patch(STRATEGIC, { $patch: "replace", metadata: { name: "a" }, data: { z: "1" } }),
    200,
    (b) => assert.deepEqual(b.data, { z: "1" }),
  ],
  [
    "of what a patch says twice the last counts",
    patch(MERGE, `{"data":{"x":"1"},"data":{"y":"2"}}`),
    200,
    (b) => assert.deepEqual([b.data.x, b.data.y], [undefined, "2"]),
  ],
  [
    "operations tell of members that they do not have",
    patch(JSON_PATCH, [{ op: "add", path: "/data/q", value: "1", more: 1 }]),
    200,
    (_b, a) => assert.deepEqual(a.warnings, [`json patch unknown field "[0].more"`]),
  ],
  [
    "and are refused when told to be strict",
    patch(JSON_PATCH, [{ op: "add", path: "/data/q", value: "1", more: 1 }], "?fieldValidation=Strict"),
    422,
    cause("patch"),
  ],
  ["a type that is no patch", patch("text/plain", {}), 415, (b) => assert.deepEqual(b.details, {})],
  [
    "an applied object needs no name where there is one",
    patch(APPLY, { ...map("a"), metadata: {} }, "?fieldManager=m"),
    200,
  ],
  [
    "a version that is a word names nothing to create",
    (t, ns) => t.fetch(`${maps(ns, "new")}?fieldManager=m`, patchOf(APPLY, map("new", {}, { resourceVersion: "abc" }))),
    400,
  ],
  [
    "nothing is created without a name",
    (t, ns) => t.fetch(`${maps(ns, "new")}?fieldManager=m`, patchOf(APPLY, { ...map("new"), metadata: {} })),
    400,
  ],
  [
    "an envelope of nothing is no body",
    (t, ns) =>
      t.fetch(maps(ns), {
        method: "POST",
        headers: { "content-type": "application/vnd.kubernetes.protobuf" },
        body: "k8s\0",
      }),
    400,
  ],
  ["a name in a path holds no percent sign", (t, ns) => t.fetch(maps(ns, "a%25b")), 400],
  [
    "a new object may say version 0",
    (t, ns) => t.fetch(maps(ns), { body: map("b", {}, { resourceVersion: "0" }) }),
    201,
  ],
  [
    "bytes that are null are empty",
    (t, ns) => t.fetch(maps(ns), { body: { ...map("c"), binaryData: { b: null } } }),
    201,
    (b) => assert.deepEqual(b.binaryData, { b: "" }),
  ],
  [
    "what a member of any JSON says twice is nobody's business",
    (t, ns) =>
      t.fetch(`/apis/apps/v1/namespaces/${ns}/controllerrevisions?fieldValidation=Strict`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: `{"metadata":{"name":"r"},"revision":1,"data":{"a":1,"a":2}}`,
      }),
    201,
  ],
  [
    "what an operation's value says twice, the object says twice",
    patch(JSON_PATCH, `[{"op":"add","path":"/data","value":{"a":"b","a":"c"}}]`),
    200,
    (_b, a) => assert.deepEqual(a.warnings, [`json patch duplicate field "[0].value.a"`, `duplicate field "data.a"`]),
  ],
  [
    "a list that is always written and empty reads as null",
    (t, ns) =>
      t.fetch(`/api/v1/namespaces/${ns}/limitranges`, { body: { metadata: { name: "l" }, spec: { limits: [] } } }),
    201,
    (b) => assert.equal(b.spec.limits, null),
  ],
];

for (const [name, send, status, holds] of ROWS) {
  Deno.test({
    name: `writes: ${name}`,
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      const t = await server(), ns = await namespace(t);
      await ok(t, maps(ns), { body: map("a", { k: "v" }) });
      const answer = await send(t, ns);
      assert.equal(answer.status, status, answer.text);
      holds?.(answer.body, answer);
    },
  });
}

const deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "d" },
  spec: {
    replicas: 1,
    selector: { matchLabels: { a: "b" } },
    template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } },
  },
};

Deno.test({
  name: "writes: a scale shows no owners, and is that of its object",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const t = await server(), ns = await namespace(t), at = `/apis/apps/v1/namespaces/${ns}/deployments`;
    await ok(t, at, { body: deployment });
    const scale = (type: string, body: unknown) => t.fetch(`${at}/d/scale?fieldManager=s`, patchOf(type, body));
    const done = await scale(MERGE, { spec: { replicas: 3 } });
    assert.deepEqual([done.status, done.body.metadata.managedFields], [200, undefined]);
    assert.equal((await scale(MERGE, { metadata: { name: "x" } })).status, 400);
    assert.equal((await scale(JSON_PATCH, [{ op: "replace", path: "/metadata/uid", value: "u" }])).status, 409);
    const floats = [[MERGE, `{"spec":{"replicas":2.0}}`], [
      JSON_PATCH,
      `[{"op":"replace","path":"/spec/replicas","value":2.0}]`,
    ]] as const;
    for (const [type, body] of floats) {
      const { status, body: { message } } = await scale(type, body);
      assert.equal(status, 422, "an integer takes no float");
      assert.match(message, /cannot unmarshal number 2\.0 into /);
    }
    const read = async (version: string) => (await t.fetch(`${at}/d/scale?resourceVersion=${version}`)).status;
    assert.deepEqual([await read("0"), await read("x"), await read(done.body.metadata.resourceVersion)], [
      200,
      400,
      200,
    ]);
  },
});

Deno.test({
  name:
    "writes: what is left of a number too large for its field is told by the field, where fields are set one by one",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const t = await server(), ns = await namespace(t), at = `/apis/apps/v1/namespaces/${ns}/deployments`;
    await ok(t, at, { body: deployment });
    const spec = { ...deployment.spec, replicas: 2 ** 31 };
    const rows: readonly [type: string, body: unknown, field: string][] = [
      [APPLY, { ...deployment, spec }, "spec.replicas"],
      [STRATEGIC, { spec: { replicas: 2 ** 32 + 2 ** 31 } }, "spec.replicas"],
      [STRATEGIC, {
        spec: { template: { spec: { containers: [{ name: "c", ports: [{ containerPort: 2 ** 40 }] }] } } },
      }, "spec.template.spec.containers[0].ports[0].containerPort"],
      [MERGE, { spec: { replicas: 2 ** 31 } }, "patch"],
    ];
    for (const [type, body, field] of rows) {
      const answer = await t.fetch(`${at}/d?fieldManager=m${type === APPLY ? "&force=true" : ""}`, patchOf(type, body));
      assert.equal(answer.status, 422, answer.text);
      assert.deepEqual(answer.body.details.causes.map((c: { field: string }) => c.field), [field]);
    }
  },
});

Deno.test({
  name: "writes: a status without labels leaves a replication controller those of its template",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const t = await server(), ns = await namespace(t), at = `/api/v1/namespaces/${ns}/replicationcontrollers`;
    const metadata = { name: "r", labels: { own: "1" } };
    const template = deployment.spec.template;
    await ok(t, at, { body: { metadata, spec: { selector: { a: "b" }, template } } });
    const status = { metadata: { name: "r" }, status: { replicas: 1 } };
    const { body } = await ok(t, `${at}/r/status`, { method: "PUT", body: status });
    assert.deepEqual(body.metadata.labels, { a: "b" });
  },
});

Deno.test({
  name: "writes: a pod's status keeps the claims that a writer leaves out, and gives up those sent empty",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const t = await server(), ns = await namespace(t), at = `/api/v1/namespaces/${ns}/pods`;
    await ok(t, `/api/v1/namespaces/${ns}/serviceaccounts`, { body: { metadata: { name: "default" } } });
    const resourceClaims = [{ name: "c", resourceClaimTemplateName: "t" }];
    await ok(t, at, {
      body: {
        metadata: { name: "p" },
        spec: { ...deployment.spec.template.spec, resourceClaims },
      },
    });
    const status = (type: string, status: unknown) => ok(t, `${at}/p/status`, patchOf(type, { status }));
    const claims = [{ name: "c", resourceClaimName: "made" }];
    await status(MERGE, { resourceClaimStatuses: claims });
    await status(MERGE, { resourceClaimStatuses: null });
    const { body: put } = await ok(t, `${at}/p/status`, {
      method: "PUT",
      body: { metadata: { name: "p" }, status: { phase: "Running" } },
    });
    assert.deepEqual(put.status.resourceClaimStatuses, claims);
    const { body } = await status(MERGE, { resourceClaimStatuses: [] });
    assert.deepEqual([body.status.resourceClaimStatuses, body.status.phase], [undefined, "Running"]);
  },
});

Deno.test({
  name: "writes: what another group's version owns is not known in this one",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const t = await server(), ns = await namespace(t);
    const event = { apiVersion: "v1", kind: "Event", metadata: { name: "e" }, involvedObject: { namespace: ns } };
    await ok(t, `/api/v1/namespaces/${ns}/events/e?fieldManager=one`, patchOf(APPLY, event));
    const other = `/apis/events.k8s.io/v1/namespaces/${ns}/events/e?fieldManager=two`;
    const { body } = await ok(t, other, patchOf(MERGE, { metadata: { labels: { a: "b" } } }));
    assert.deepEqual(body.metadata.managedFields.map((m: { manager: string }) => m.manager), ["two"]);
  },
});

Deno.test({
  name: "writes: what a new object is filled with is shown by a dry run too",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const t = await server(), ns = await namespace(t), path = `/api/v1/namespaces/${ns}/persistentvolumeclaims`;
    const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1" } } };
    for (const query of ["?dryRun=All", ""]) {
      const { body } = await ok(t, path + query, { body: { metadata: { name: "c" }, spec } });
      assert.deepEqual(body.status, { phase: "Pending" }, query);
    }
  },
});

Deno.test({
  name: "writes: a deletion that says nothing of dependants leaves what an earlier one has said",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const t = await server(), ns = await namespace(t);
    for (const [policy, finalizer] of [["Foreground", "foregroundDeletion"], ["Orphan", "orphan"]] as const) {
      await ok(t, maps(ns), { body: map(finalizer.toLowerCase()) });
      const one = maps(ns, finalizer.toLowerCase());
      for (const query of [`?propagationPolicy=${policy}`, ""]) {
        await ok(t, one + query, { method: "DELETE" });
        assert.deepEqual((await ok(t, one)).body.metadata.finalizers, [finalizer], policy + query);
      }
    }
  },
});

Deno.test({
  name: "writes: nothing begins as what is being deleted, whatever brings it into being",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const t = await server(), ns = await namespace(t);
    const metadata = {
      deletionTimestamp: "2020-01-01T00:00:00Z",
      deletionGracePeriodSeconds: 5,
      finalizers: ["a.b/c"],
    };
    const leases = `/apis/coordination.k8s.io/v1/namespaces/${ns}/leases`;
    const made = [
      await ok(t, maps(ns), { body: { metadata: { ...metadata, name: "sent" } } }),
      await ok(
        t,
        `${maps(ns, "applied")}?fieldManager=m`,
        patchOf(APPLY, { ...map("applied"), metadata: { ...metadata, name: "applied" } }),
      ),
      await ok(t, `${leases}/put`, { method: "PUT", body: { metadata: { ...metadata, name: "put" } } }),
    ];
    for (const { body } of made) {
      const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = body.metadata;
      assert.deepEqual([deletionTimestamp, deletionGracePeriodSeconds, finalizers], [undefined, undefined, ["a.b/c"]]);
    }
  },
});

Deno.test({
  name: "writes: families of a headless service without selector, kept and released",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const t = await server(), ns = await namespace(t), at = `/api/v1/namespaces/${ns}/services`;
    const made = await ok(t, at, {
      body: { metadata: { name: "h" }, spec: { clusterIP: "None", ports: [{ port: 1 }] } },
    });
    assert.deepEqual(made.body.spec.ipFamilies, ["IPv4", "IPv6"]);
    const again = await ok(t, `${at}/h`, patchOf(MERGE, { spec: { ports: [{ port: 2 }] } }));
    assert.equal(again.body.spec.ipFamilyPolicy, "RequireDualStack");
    const selecting = await t.fetch(`${at}/h`, patchOf(MERGE, { spec: { selector: { a: "b" } } }));
    const fields = selecting.body.details.causes.map((c: { field: string }) => c.field);
    assert.deepEqual(fields.sort(), ["spec.ipFamilies[1]", "spec.ipFamilyPolicy"]);
    const single = { spec: { selector: { a: "b" }, ipFamilyPolicy: "SingleStack" } };
    const released = await ok(t, `${at}/h`, patchOf(MERGE, single));
    assert.deepEqual(released.body.spec.ipFamilies, ["IPv4"]);
  },
});

Deno.test({
  name: "writes: bindings and evictions are for the pod they name",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const t = await server(), ns = await namespace(t), pods = `/api/v1/namespaces/${ns}/pods`;
    const pod = { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }] } };
    await ok(t, `/api/v1/namespaces/${ns}/serviceaccounts`, { body: { metadata: { name: "default" } } });
    await ok(t, pods, { body: pod });
    const binding = (name: string, uid?: string) => ({
      metadata: { name, ...(uid && { uid }) },
      target: { name: "n" },
    });
    assert.equal((await t.fetch(`${pods}/p/binding`, { body: binding("other") })).status, 400);
    assert.equal((await t.fetch(`${pods}/p/binding`, { body: binding("p", "other") })).status, 409);
    const evict = (deleteOptions: Record<string, unknown>, name = "p") =>
      t.fetch(`${pods}/p/eviction`, { body: { metadata: { name }, deleteOptions } });
    assert.equal((await evict({}, "")).status, 400);
    const wrong = await evict({ propagationPolicy: "Sideways" });
    assert.deepEqual([wrong.status, wrong.body.details.kind], [422, "DeleteOptions"]);
    assert.equal((await evict({ preconditions: { uid: "other" } })).status, 409);
    const { resourceVersion } = (await ok(t, `${pods}/p`)).body.metadata;
    assert.equal((await evict({ preconditions: { resourceVersion } })).status, 201);
    // The collection of old gives a binding a new life: the uid is not the pod's.
    await ok(t, pods, { body: { ...pod, metadata: { name: "q" } } });
    await ok(t, `/api/v1/namespaces/${ns}/bindings`, { body: binding("q", "other") });
  },
});

Deno.test("writes: a pod that is bound is expected on no other node any more", async () => {
  for (const [flags, left] of [[[], undefined], [["ClearingNominatedNodeNameAfterBinding=false"], "m"]] as const) {
    const off = ["--disable-admission-plugins=ServiceAccount", ...flags.map((f) => `--feature-gates=${f}`)];
    await withServer(off, async (t) => {
      const ns = await namespace(t), pods = `/api/v1/namespaces/${ns}/pods`;
      await ok(t, pods, { body: { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }] } } });
      await ok(t, `${pods}/p/status`, {
        method: "PATCH",
        headers: { "content-type": "application/merge-patch+json" },
        body: { status: { nominatedNodeName: "m" } },
      });
      await ok(t, `${pods}/p/binding`, { body: { metadata: { name: "p" }, target: { name: "n" } } });
      const { spec, status } = (await ok(t, `${pods}/p`)).body;
      assert.deepEqual([spec.nodeName, status.nominatedNodeName], ["n", left]);
    });
  }
});

Deno.test("writes: labels of a binding go to its pod, but where pods are given none of their place", async () => {
  for (const [gate, labels] of [["true", { a: "2", b: "1" }], ["false", { a: "1" }]] as const) {
    const off = ["--disable-admission-plugins=ServiceAccount", `--feature-gates=PodTopologyLabelsAdmission=${gate}`];
    await withServer(off, async (t) => {
      const ns = await namespace(t), pods = `/api/v1/namespaces/${ns}/pods`;
      const metadata = { name: "p", labels: { a: "1" } };
      await ok(t, pods, { body: { metadata, spec: { containers: [{ name: "c", image: "i" }] } } });
      const given = { name: "p", labels: { a: "2", b: "1" }, annotations: { c: "1" } };
      await ok(t, `${pods}/p/binding`, { body: { metadata: given, target: { name: "n" } } });
      const { metadata: now } = (await ok(t, `${pods}/p`)).body;
      assert.deepEqual([now.labels, now.annotations], [labels, { c: "1" }]);
    });
  }
});

Deno.test("writes: bytes are byte strings in CBOR, in single objects, lists and watches; refusals are in it too, wherever they come from", () =>
  withServer(["--feature-gates=CBORServingAndStorage=true"], async (t) => {
    const ns = await namespace(t), secrets = `/api/v1/namespaces/${ns}/secrets`;
    const headers = { accept: "application/cbor" }, hello = new TextEncoder().encode("\x45hello"); // a string of five bytes
    await ok(t, secrets, { body: { metadata: { name: "s" }, data: { a: "aGVsbG8=" } } });
    const holds = async (path: string) => {
      const response = await t.open(path, { headers });
      const reader = response.body!.getReader(), { value } = await reader.read();
      await reader.cancel();
      const text = String.fromCharCode(...value as Uint8Array);
      assert.ok(text.includes(String.fromCharCode(...hello)), path);
    };
    await holds(`${secrets}/s`);
    await holds(secrets);
    await holds(`${secrets}?watch=1`);
    const refused = {
      "/api/v1/nothing": 404,
      [`${secrets}/none`]: 404,
      [`${secrets}?timeout=x`]: 400,
      "/version": 406,
    };
    for (const [path, status] of Object.entries(refused)) {
      const a = await t.open(path, { headers });
      assert.deepEqual([a.status, a.headers.get("content-type")], [status, "application/cbor"], path);
      const told = parseCbor(new Uint8Array(await a.arrayBuffer())).tree;
      assert.deepEqual((told as JsonMap)["code"], status);
    }
    // Of what no answer can be given in it is told in JSON.
    const table = await t.fetch(`${secrets}/s`, {
      headers: { accept: "application/cbor;as=Table;v=v1;g=meta.k8s.io" },
    });
    assert.deepEqual([table.status, table.headers.get("content-type")], [406, "application/json"]);
  }));

Deno.test("a hundred patches of one object at once are all made", () =>
  withServer([], async (t) => {
    const ns = await namespace(t);
    const keys = Array.from({ length: 100 }, (_, i) => `k${i}`);
    await t.fetch(maps(ns), { body: map("a", {}) });
    const sent = keys.map((k) => t.fetch(maps(ns, "a"), patchOf(MERGE, { data: { [k]: "1" } })));
    const refused = (await Promise.all(sent)).filter((a) => a.status !== 200);
    assert.deepEqual(refused.map((a) => a.text), []);
    assert.deepEqual(Object.keys((await t.fetch(maps(ns, "a"))).body.data).length, keys.length);
  }));

Deno.test("who waits for a turn of one that waits for him gets it in the end", async () => {
  const turns = new Turns();
  const inner = () => turns.tryAgain("a", () => Promise.resolve("inner"));
  assert.equal(await turns.tryAgain("a", inner), "inner");
  assert.equal(await turns.tryAgain("a", () => Promise.resolve(undefined)), undefined);
});

Deno.test("priority classes of the system stay for who names them, and go with all others", async () => {
  await withServer([], async (t) => {
    const path = "/apis/scheduling.k8s.io/v1/priorityclasses", named = `${path}/system-node-critical`;
    const refused = async () => {
      const { status, body } = await t.fetch(named, { method: "DELETE" });
      assert.deepEqual([status, body.reason], [403, "Forbidden"]);
    };
    assert.equal((await t.fetch(path, { body: { metadata: { name: "own" }, value: 1 } })).status, 201);
    await refused();
    const { status, body } = await t.fetch(path, { method: "DELETE" });
    assert.deepEqual([status, body.items.length], [200, 3]);
    assert.deepEqual((await t.fetch(path)).body.items, []);
    await refused();
  });
});

Deno.test("the grace of a pod that goes is made shorter, never longer, and ends at once where it would have ended", async () => {
  let now = Date.UTC(2030, 0, 1);
  const at = (seconds: number) => new Date(Date.UTC(2030, 0, 1) + seconds * 1000).toISOString().replace(".000Z", "Z");
  await withServer(["--disable-admission-plugins=ServiceAccount"], async (t) => {
    const pods = "/api/v1/namespaces/default/pods";
    const spec = { nodeName: "n1", terminationGracePeriodSeconds: 60, containers: [{ name: "c", image: "i" }] };
    await ok(t, pods, { body: { metadata: { name: "p" }, spec } });
    const go = async (seconds?: number) => {
      const body = seconds === undefined ? {} : { gracePeriodSeconds: seconds };
      const { deletionTimestamp, deletionGracePeriodSeconds, generation } =
        (await ok(t, `${pods}/p`, { method: "DELETE", body })).body.metadata;
      return [deletionTimestamp, deletionGracePeriodSeconds, generation];
    };
    assert.deepEqual(await go(), [at(60), 60, 2]);
    now += 10_000;
    for (const longer of [undefined, 60, 90]) assert.deepEqual(await go(longer), [at(60), 60, 2]);
    assert.deepEqual(await go(30), [at(30), 30, 2]);
    assert.deepEqual(await go(10), [at(10), 10, 2], "which is now");
    now += 10_000;
    assert.deepEqual(await go(5), [at(20), 1, 2], "which has been");
    await ok(t, pods, { body: { metadata: { name: "q" }, spec } });
    const negative = await ok(t, `${pods}/q?gracePeriodSeconds=-5`, { method: "DELETE" });
    assert.deepEqual(negative.body.metadata.deletionGracePeriodSeconds, 1);
    assert.equal((await ok(t, `${pods}/p?gracePeriodSeconds=0`, { method: "DELETE" })).body.metadata.name, "p");
    assert.equal((await t.fetch(`${pods}/p`)).status, 404);
  }, { now: () => now });
});

Deno.test("a scale is of no fewer than none, and its replicas are those of what is behind it", async () => {
  await withServer([], async (t) => {
    const one = "/apis/apps/v1/namespaces/default/deployments", labels = { a: "b" };
    const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } };
    await ok(t, one, { body: { metadata: { name: "d" }, spec: { selector: { matchLabels: labels }, template } } });
    const scale = (replicas: number) => t.fetch(`${one}/d/scale`, patchOf(MERGE, { spec: { replicas } }));
    const negative = await scale(-1);
    assert.equal(negative.status, 422);
    assert.deepEqual(negative.body.details.causes.map((c: { field: string }) => c.field), ["spec.replicas"]);
    assert.equal((await scale(3)).body.spec.replicas, 3);
    const odd = { labels: { "-": "x y" }, annotations: { "a/b/c": "" }, finalizers: ["odd"] };
    const taken = await t.fetch(`${one}/d/scale`, patchOf(MERGE, { metadata: odd }));
    assert.deepEqual([taken.status, Object.keys(odd).some((k) => k in taken.body.metadata)], [200, false], taken.text);
    assert.deepEqual((await scale(0)).body.spec, {});
    assert.equal((await ok(t, `${one}/d`)).body.spec.replicas, 0);
    const empty = { metadata: { name: "d" }, spec: {} };
    assert.deepEqual((await ok(t, `${one}/d/scale`, { method: "PUT", body: empty })).body.spec, {});
  });
});

Deno.test("a pod that is marked and removed at once does not take the next one of its name with it", async () => {
  const store = memoryBackend(), pods = "/api/v1/namespaces/default/pods", now = { gracePeriodSeconds: 0 };
  const body = { metadata: { name: "web-0" }, spec: { nodeName: "n", containers: [{ name: "c", image: "i" }] } };
  const flags = ["--disable-admission-plugins=ServiceAccount"];
  let between = async (): Promise<void> => {};
  // What this server has written is told to it late, as where the connection to the store is made anew.
  const commit: Backend["commit"] = async (changes) => {
    const done = await store.commit(changes);
    await between();
    return done;
  };
  const slow = new Proxy<Backend>(store, {
    get(target, name) {
      const value: unknown = name === "commit" ? commit : Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  await withServer(flags, async (other) => {
    await withServer(flags, async (t) => {
      await ok(t, pods, { body });
      between = async () => {
        between = async () => {};
        await ok(other, `${pods}/web-0`, { method: "DELETE", body: now });
        await ok(other, pods, { body });
      };
      await ok(t, `${pods}/web-0`, { method: "DELETE", body: now });
      const { deletionTimestamp } = (await ok(t, `${pods}/web-0`)).body.metadata;
      assert.equal(deletionTimestamp, undefined);
    }, { backend: slow });
  }, { backend: store });
  await store.close();
});
