import assert from "node:assert/strict";
import type { Loose } from "../fixture/loose.ts";
import { startTestServer } from "../fixture/server.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import {
  API,
  apply,
  causes,
  define,
  definition,
  DEFINITIONS,
  established,
  patch,
  schema,
  thing,
  THINGS,
  until,
  version,
  withThings,
} from "./_crd.ts";

const SIMPLE = version({ x: { type: "integer" }, list: { type: "array", items: { type: "string" } } });
const THING = `${THINGS}/a`;
const CRD = `${DEFINITIONS}/things.example.com`;

Deno.test("a definition is served as soon as it is established, and stays so in another server", async () => {
  const backend = memoryBackend();
  const first = await startTestServer([], { backend });
  await define(first, definition([SIMPLE]));
  assert.equal((await first.fetch(THINGS, { body: thing("a", { x: 1 }) })).status, 201);
  const second = await startTestServer([], { backend });
  assert.deepEqual((await second.fetch(THING)).body.spec, { x: 1 });
  await first.fetch(CRD, { method: "DELETE" });
  await until(() => second.fetch(THINGS), (a) => a.status === 404);
  await first.stop();
  await second.stop();
  await backend.close();
});

Deno.test("a kind may be called as namespaces are", async () => {
  const names = { plural: "namespaces", singular: "namespace", kind: "Namespace", listKind: "NamespaceList" };
  const d = { ...definition([SIMPLE], { names }), metadata: { name: "namespaces.example.com" } };
  const own = (name: string, x: number) => ({ ...thing(name, { x }), kind: "Namespace" });
  await withThings(d, async (s) => {
    const within = `${API}/namespaces/default/namespaces`;
    assert.equal((await s.fetch(within, { body: own("a", 1) })).status, 201);
    assert.equal((await apply(s, `${within}/b`, own("b", 2), "m")).status, 201);
    assert.deepEqual((await s.fetch(`${within}/a`)).body.spec, { x: 1 });
    for (const path of [within, `${API}/namespaces`]) {
      const { body } = await s.fetch(path);
      assert.deepEqual(body.items.map((o: Loose) => o.metadata.name), ["a", "b"], path);
    }
    assert.equal((await s.fetch(`${within}/a`, { method: "DELETE" })).status, 200);
    assert.equal((await s.fetch(within, { method: "DELETE" })).body.items.length, 1);
  });
});

Deno.test("a watch goes on where it was after a restart, as that of a built-in kind does", async () => {
  const backend = memoryBackend();
  const first = await startTestServer([], { backend });
  await define(first, definition([SIMPLE]));
  const { body } = await first.fetch(THINGS, { body: thing("a", { x: 1 }) });
  assert.equal((await first.fetch(THINGS, { body: thing("b", { x: 2 }) })).status, 201);
  assert.equal((await first.fetch(THING, { method: "DELETE" })).status, 200);
  await first.stop();
  const second = await startTestServer([], { backend });
  const query = `watch=1&resourceVersion=${body.metadata.resourceVersion}&timeoutSeconds=1`;
  const events = (await (await second.open(`${THINGS}?${query}`)).text()).trim().split("\n").map((l) => JSON.parse(l));
  assert.deepEqual(events.map((e) => [e.type, e.object.metadata.name]), [["ADDED", "b"], ["DELETED", "a"]]);
  await second.stop();
  await backend.close();
});

Deno.test("at rest objects are JSON whatever --storage-media-type says, and CBOR with its gate; either is read", async () => {
  const backend = memoryBackend();
  const starts = async (name: string) => {
    const { value } = (await backend.get(`/registry/example.com/things/default/${name}`))!;
    return value.slice(0, 3).toHex();
  };
  const first = await startTestServer(["--storage-media-type=application/yaml"], { backend });
  await define(first, definition([SIMPLE]));
  assert.equal((await first.fetch(THINGS, { body: thing("json", { x: 1 }) })).status, 201);
  assert.deepEqual((await first.fetch(`${THINGS}/json`)).body.spec, { x: 1 });
  await first.stop();
  const second = await startTestServer(["--feature-gates=CBORServingAndStorage=true"], { backend });
  assert.equal((await second.fetch(THINGS, { body: thing("cbor", { x: 2 }) })).status, 201);
  assert.deepEqual([await starts("json"), await starts("cbor")], ["7b2261", "d9d9f7"]);
  await second.stop();
  const third = await startTestServer([], { backend });
  const { body } = await third.fetch(THINGS);
  assert.deepEqual(body.items.map((i: { spec: unknown }) => i.spec), [{ x: 2 }, { x: 1 }]);
  await third.stop();
  await backend.close();
});

Deno.test("a list always says whether it goes on, one of metadata only if it does", () =>
  withThings(definition([SIMPLE]), async (s) => {
    for (const name of ["a", "b"]) assert.equal((await s.fetch(THINGS, { body: thing(name, {}) })).status, 201);
    const told = async (query: string, as = "") => {
      const headers = as ? { accept: `application/json;as=${as};v=v1;g=meta.k8s.io` } : {};
      return (await s.fetch(THINGS + query, { headers })).body.metadata.continue;
    };
    assert.equal(await told(""), "");
    assert.equal(await told("", "PartialObjectMetadataList"), undefined);
    assert.ok(await told("?limit=1"));
    assert.ok(await told("?limit=1", "PartialObjectMetadataList"));
  }));

Deno.test("empty lists, maps, zeros and nulls stay as clients sent them", () =>
  withThings(
    definition([version({
      list: { type: "array", items: { type: "string" } },
      map: { type: "object", additionalProperties: { type: "string" } },
      n: { type: "integer" },
      s: { type: "string" },
      b: { type: "boolean" },
      o: { type: "string", nullable: true },
    })]),
    async (s) => {
      const spec = { list: [], map: {}, n: 0, s: "", b: false, o: null };
      assert.deepEqual((await s.fetch(THINGS, { body: thing("a", spec) })).body.spec, spec);
      assert.deepEqual((await s.fetch(THING)).body.spec, spec);
      assert.deepEqual((await patch(s, THING, { spec: { n: 1 } })).body.spec, { ...spec, n: 1 });
    },
  ));

Deno.test("unknown fields are dropped and told of by their paths", () =>
  withThings(
    definition([version({
      e: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
      l: { type: "array", items: { type: "object", properties: {} } },
    })]),
    async (s) => {
      const e = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "e" } };
      const sent = { e: { ...e, metadata: { name: "e", more: 1 } }, l: [{ z: 1 }], y: 1 };
      const made = await s.fetch(THINGS, { body: { ...thing("a", sent), metadata: { name: "a", foo: 1 } } });
      assert.deepEqual(made.warnings, [
        'unknown field "metadata.foo"',
        'unknown field "spec.l[0].z"',
        'unknown field "spec.y"',
        'unknown field "spec.e.metadata.more"',
      ]);
      assert.deepEqual(made.body.spec, { e, l: [{}] });
    },
  ));

Deno.test("apply: owners by list keys, conflicts, force, and removal of what is applied no more", () =>
  withThings(
    definition([version({
      items: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"],
        items: {
          type: "object",
          required: ["name"],
          properties: { name: { type: "string" }, v: { type: "integer" } },
        },
      },
      map: { type: "object", additionalProperties: { type: "string" } },
      whole: { type: "array", items: { type: "string" } },
    })]),
    async (s) => {
      const made = await apply(
        s,
        THING,
        thing("a", { items: [{ name: "x", v: 1 }], map: { k: "1" }, whole: ["a"] }),
        "one",
      );
      assert.equal(made.status, 201, made.text);
      const both = await apply(s, THING, thing("a", { items: [{ name: "y", v: 2 }] }), "two");
      assert.deepEqual(both.body.spec.items, [{ name: "x", v: 1 }, { name: "y", v: 2 }]);
      const clash = await apply(s, THING, thing("a", { items: [{ name: "x", v: 9 }], whole: ["b"] }), "two");
      assert.equal(clash.status, 409);
      assert.deepEqual(causes(clash), [
        'FieldManagerConflict .spec.items[name="x"].v',
        "FieldManagerConflict .spec.whole",
      ]);
      const forced = await apply(s, THING, thing("a", { items: [{ name: "x", v: 9 }] }), "two", true);
      assert.deepEqual(forced.body.spec.items, [{ name: "x", v: 9 }]);
      const gone = await apply(s, THING, thing("a", { map: { k: "1" } }), "one");
      assert.equal(gone.body.spec.whole, undefined);
      assert.deepEqual(gone.body.metadata.managedFields.map((f: { manager: string }) => f.manager).sort(), [
        "one",
        "two",
      ]);
    },
  ));

Deno.test("apply refuses what has not the type of its field", () =>
  withThings(definition([SIMPLE]), async (s) => {
    const bad = await apply(s, THING, thing("a", { x: "text" }), "one");
    assert.deepEqual([bad.status, bad.body.reason], [400, "BadRequest"], bad.text);
  }));

Deno.test("apply takes members that no schema names below what keeps them, and in objects of no named members", () => {
  const inner = { type: "object", properties: { name: { type: "string" } } };
  const open = { "x-kubernetes-preserve-unknown-fields": true };
  const spec = {
    list: { type: "array", items: inner, ...open },
    map: { type: "object", properties: { inner }, ...open },
    free: { type: "object" },
    inner,
  };
  return withThings(definition([version(spec)]), async (s) => {
    const more = { name: "n", more: 1 };
    const taken = await apply(s, THING, thing("a", { list: [more], map: { inner: more }, free: { more: 1 } }), "one");
    assert.equal(taken.status, 201, taken.text);
    assert.deepEqual(taken.body.spec, { list: [more], map: { inner: { name: "n" } }, free: {} });
    assert.equal((await apply(s, THING, thing("a", { inner: more }), "one")).status, 400);
  });
});

Deno.test("status is a part of its own, and generations count the rest", () =>
  withThings(definition([version({ x: { type: "integer" } }, { subresources: { status: {} } })]), async (s) => {
    const made = await s.fetch(THINGS, { body: thing("a", { x: 1 }, { status: { no: 1 } }) });
    assert.equal(made.body.status, undefined);
    const told = await patch(s, `${THING}/status`, {
      spec: { x: 5 },
      status: { ready: true },
      metadata: { labels: { a: "b" } },
    });
    assert.deepEqual([told.body.spec, told.body.status, told.body.metadata.generation], [{ x: 1 }, { ready: true }, 1]);
    assert.equal(told.body.metadata.labels, undefined);
    const next = await patch(s, THING, { spec: { x: 2 }, status: { ready: false } });
    assert.deepEqual([next.body.spec, next.body.status, next.body.metadata.generation], [{ x: 2 }, { ready: true }, 2]);
    const same = await patch(s, THING, { metadata: { labels: { a: "b" } } });
    assert.equal(same.body.metadata.generation, 2);
  }));

Deno.test("scale reads and writes the paths that the definition names", () =>
  withThings(
    definition([version({ size: { type: "object", properties: { n: { type: "integer" } } } }, {
      subresources: {
        status: {},
        scale: { specReplicasPath: ".spec.size.n", statusReplicasPath: ".status.n", labelSelectorPath: ".status.sel" },
      },
    })]),
    async (s) => {
      await s.fetch(THINGS, { body: thing("a", { size: { n: 3 } }) });
      await patch(s, `${THING}/status`, { status: { n: 2, sel: "app=x" } });
      const scale = await s.fetch(`${THING}/scale`);
      assert.equal(scale.body.kind, "Scale");
      assert.deepEqual([scale.body.spec, scale.body.status], [{ replicas: 3 }, { replicas: 2, selector: "app=x" }]);
      const more = await patch(s, `${THING}/scale`, { spec: { replicas: 5 } });
      assert.deepEqual(more.body.spec, { replicas: 5 }, more.text);
      const whole = await s.fetch(THING);
      assert.deepEqual([whole.body.spec.size, whole.body.metadata.generation], [{ n: 5 }, 2]);
      assert.equal((await patch(s, `${THING}/scale`, { spec: { replicas: -1 } })).status, 422);
      assert.deepEqual(causes(await patch(s, `${THING}/status`, { status: [] })), [
        "FieldValueInvalid .status.n",
        "FieldValueInvalid .status.sel",
        "FieldValueTypeInvalid status",
      ]);
      const negative = await patch(s, THING, { spec: { size: { n: -1 } } });
      assert.deepEqual(causes(negative), ["FieldValueInvalid .spec.size.n"]);
    },
  ));

Deno.test("the scale of an object without the replicas that its definition names is set, not read; it is of its object alone", () => {
  const scale = { specReplicasPath: ".spec.n", statusReplicasPath: ".status.n" };
  return withThings(definition([version({ n: { type: "integer" } }, { subresources: { scale } })]), async (s) => {
    await s.fetch(THINGS, { body: thing("a", {}) });
    const unread = await s.fetch(`${THING}/scale`);
    assert.deepEqual([unread.status, unread.body.reason], [500, "InternalError"]);
    assert.match(unread.body.message, /the spec replicas field ".spec.n" does not exist$/);
    const unset = await patch(s, `${THING}/scale`, { metadata: { labels: { a: "b" } } });
    assert.deepEqual([unset.status, unset.body.message], [400, 'the spec replicas field ".spec.n" cannot be empty']);
    const made = await patch(s, `${THING}/scale`, { spec: { replicas: 3 } });
    assert.deepEqual([made.body.spec, (await s.fetch(THING)).body.spec], [{ replicas: 3 }, { n: 3 }], made.text);
    for (const [metadata, status] of [[{ name: "b" }, 400], [{ namespace: "b" }, 400], [{ uid: "b" }, 409]] as const) {
      const body = { ...made.body, metadata: { ...made.body.metadata, ...metadata } };
      assert.equal((await s.fetch(`${THING}/scale`, { method: "PUT", body })).status, status);
    }
  });
});

Deno.test("each version has its own schema, columns and validation; what another one knows is lost on a write", () =>
  withThings(
    definition([
      SIMPLE,
      version({ x: { type: "integer" }, only: { type: "integer", minimum: 3 }, d: { type: "string", default: "dd" } }, {
        name: "v2",
        storage: false,
        additionalPrinterColumns: [{ name: "D", type: "string", jsonPath: ".spec.x" }],
      }),
    ]),
    async (s) => {
      const V2 = "/apis/example.com/v2/namespaces/default/things";
      await s.fetch(THINGS, { body: thing("a", { x: 1, list: ["q"] }) });
      const seen = await s.fetch(`${V2}/a`);
      assert.deepEqual([seen.body.apiVersion, seen.body.spec], ["example.com/v2", { x: 1 }]);
      const bad = await patch(s, `${V2}/a`, { spec: { only: 1 } });
      assert.deepEqual(causes(bad), ["FieldValueInvalid spec.only"]);
      assert.equal((await patch(s, `${V2}/a`, { spec: { only: 4 } })).body.metadata.generation, 2);
      assert.deepEqual((await s.fetch(THING)).body.spec, { x: 1 });
      // Each version has columns of its own, whichever was shown before.
      const headers = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
      const cells = async (path: string) => (await s.fetch(path, { headers })).body.rows[0].cells;
      assert.deepEqual(await cells(V2), ["a", "1"]);
      assert.match((await cells(THINGS))[1], /^\d+s$/);
      assert.deepEqual(await cells(V2), ["a", "1"]);
      const groups = await s.fetch("/apis/example.com");
      assert.equal(groups.body.preferredVersion.version, "v2");
    },
  ));

Deno.test("generations count what changes in the version of the request, be it lost in the one that is stored", () => {
  const only = version({ x: { type: "integer" }, only: { type: "integer", default: 1 } }, {
    name: "v2",
    storage: false,
  });
  return withThings(definition([SIMPLE, only]), async (s) => {
    const label = (path: string, a: string) => patch(s, path, { metadata: { labels: { a } } });
    const V2 = "/apis/example.com/v2/namespaces/default/things/a";
    await s.fetch(THINGS, { body: thing("a", { x: 1 }) });
    assert.equal((await label(THING, "1")).body.metadata.generation, 1);
    const lost = await label(V2, "2");
    assert.deepEqual([lost.body.spec, lost.body.metadata.generation], [{ x: 1 }, 2]);
  });
});

Deno.test("a name that another definition has is refused until it is free", async () => {
  const s = await startTestServer();
  await define(s, definition([SIMPLE]));
  const other = definition([SIMPLE], { names: { plural: "others", kind: "Thing", shortNames: ["th"] } });
  other.metadata.name = "others.example.com";
  await s.fetch(DEFINITIONS, { body: other });
  const read = () => s.fetch(`${DEFINITIONS}/others.example.com`);
  const refused = await until(read, (a) => a.body.status.conditions?.length > 0);
  const [names, is] = refused.body.status.conditions;
  assert.deepEqual([names.type, names.status, names.reason], ["NamesAccepted", "False", "ListKindConflict"]);
  assert.deepEqual([is.type, is.status, is.reason], ["Established", "False", "NotAccepted"]);
  assert.equal((await s.fetch(`${API}/namespaces/default/others`)).status, 404);
  await s.fetch(CRD, { method: "DELETE" });
  await until(read, established);
  assert.equal((await s.fetch(`${API}/namespaces/default/others`)).status, 200);
  await s.stop();
});

Deno.test("a definition made anew may have another scope", () =>
  withThings(definition([SIMPLE], { scope: "Cluster" }), async (s) => {
    const create = async (path: string) => (await s.fetch(path, { body: thing("a", { x: 1 }) })).status;
    assert.equal(await create(`${API}/things`), 201);
    for (const [scope, good, bad] of [["Namespaced", THINGS, `${API}/things`], ["Cluster", `${API}/things`, THINGS]]) {
      await s.fetch(CRD, { method: "DELETE" });
      await until(() => s.fetch(CRD), (a) => a.status === 404);
      await define(s, definition([SIMPLE], { scope }));
      assert.equal(await create(bad!), 404, "as of the old scope");
      assert.equal(await create(`${API}/namespaces/none/things`), 404, "a namespace that is not there");
      assert.equal(await create(good!), 201);
    }
  }));

Deno.test("a definition goes when its last object has gone, and takes no new ones meanwhile", () =>
  withThings(definition([SIMPLE]), async (s) => {
    const held = thing("a", { x: 1 });
    held.metadata.finalizers = ["example.com/hold"];
    await s.fetch(THINGS, { body: held });
    await s.fetch(THINGS, { body: thing("b", { x: 1 }) });
    const marked = await s.fetch(CRD, { method: "DELETE" });
    assert.equal(marked.body.status.conditions.at(-1).reason, "InstanceDeletionPending");
    await until(() => s.fetch(THINGS), (a) => a.body.items?.length === 1);
    assert.equal((await s.fetch(THINGS, { body: thing("c", { x: 1 }) })).status, 403);
    assert.equal((await s.fetch(CRD)).status, 200);
    await patch(s, THING, { metadata: { finalizers: null } });
    await until(() => s.fetch(CRD), (a) => a.status === 404);
    await until(() => s.fetch(THINGS), (a) => a.status === 404);
    assert.equal((await s.fetch("/apis/example.com")).status, 404);
  }));

Deno.test("a definition that another finalizer holds tells the end of its objects, and is marked once however often it is deleted", () =>
  withThings(definition([SIMPLE]), async (s) => {
    await patch(s, CRD, { metadata: { finalizers: ["example.com/hold"] } });
    const wrong = await s.fetch(CRD, { method: "DELETE", body: { preconditions: { uid: "x" } } });
    assert.deepEqual([wrong.status, wrong.body.details.kind], [409, "customresourcedefinitions"]);
    const marked = await s.fetch(CRD, { method: "DELETE", body: { propagationPolicy: "Orphan" } });
    assert.deepEqual(marked.body.metadata.finalizers, [
      "example.com/hold",
      "customresourcecleanup.apiextensions.k8s.io",
    ]);
    await until(() => s.fetch(CRD), (a) => a.body.metadata.finalizers.length === 1);
    for (let i = 0; i < 2; i++) {
      const { metadata, status } = (await s.fetch(CRD, { method: "DELETE" })).body;
      assert.deepEqual([metadata.generation, metadata.finalizers], [1, ["example.com/hold"]]);
      assert.equal(status.conditions.at(-1).reason, "InstanceDeletionCompleted");
    }
    await patch(s, CRD, { metadata: { finalizers: null } });
    assert.equal((await s.fetch(CRD)).status, 404);
  }));

Deno.test("a changed definition is served at once: schema, subresources, versions", () =>
  withThings(definition([SIMPLE]), async (s) => {
    await s.fetch(THINGS, { body: thing("a", { x: 1 }) });
    const changed = await patch(s, CRD, [
      {
        op: "add",
        path: "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/y",
        value: { type: "string", default: "q" },
      },
      { op: "add", path: "/spec/versions/0/subresources", value: { status: {} } },
    ], "application/json-patch+json");
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual((await s.fetch(THING)).body.spec, { x: 1, y: "q" });
    assert.equal((await s.fetch(`${THING}/status`)).status, 200);
    const applied = await apply(s, THING, thing("a", { y: "z" }), "me", true);
    assert.deepEqual(applied.body.spec, { x: 1, y: "z" }, applied.text);
  }));

Deno.test("kinds go with their versions, and with their definition", () =>
  withThings(definition([SIMPLE, { ...SIMPLE, name: "v2", storage: false }]), async (s) => {
    const known = () => ["v1", "v2"].filter((v) => s.server.catalog.scheme.kind(`example.com/${v}`, "Thing"));
    assert.deepEqual(known(), ["v1", "v2"]);
    await patch(s, CRD, { spec: { versions: [SIMPLE] } });
    assert.deepEqual(known(), ["v1"]);
    await s.fetch(CRD, { method: "DELETE" });
    await until(() => s.fetch(CRD), (a) => a.status === 404);
    assert.deepEqual(known(), []);
  }));

Deno.test("lists, deletecollection, watches and field selectors", () =>
  withThings(
    definition([version({ c: { type: "string" } }, { selectableFields: [{ jsonPath: ".spec.c" }] })]),
    async (s) => {
      for (const [n, c] of [["a", "red"], ["b", "blue"], ["c", "red"]] as const) {
        await s.fetch(THINGS, { body: thing(n, { c }) });
      }
      const red = await s.fetch(`${THINGS}?fieldSelector=spec.c%3Dred`);
      assert.deepEqual(red.body.items.map((i: { metadata: { name: string } }) => i.metadata.name), ["a", "c"]);
      assert.equal(red.body.items[0].kind, "Thing");
      assert.equal(red.body.metadata.continue, "");
      const page = await s.fetch(`${THINGS}?limit=2`);
      assert.ok(page.body.metadata.continue);
      const gone = await s.fetch(`${THINGS}?fieldSelector=spec.c%3Dred`, { method: "DELETE" });
      assert.equal(gone.status, 200, gone.text);
      assert.equal((await s.fetch(THINGS)).body.items.length, 1);
      const watch = await s.open(`${THINGS}?watch=1&resourceVersion=0&timeoutSeconds=1`);
      const text = await watch.text();
      const event = JSON.parse(text.split("\n")[0]!);
      assert.deepEqual([event.type, event.object.kind, event.object.metadata.name], ["ADDED", "Thing", "b"]);
    },
  ));

Deno.test("encodings: YAML and CBOR for objects, Protobuf for their metadata alone", () =>
  withThings(definition([SIMPLE]), async (s) => {
    await s.fetch(THINGS, { body: thing("a", { x: 1 }) });
    const accept = (accept: string) =>
      s.open(THING, { headers: { accept } }).then(async (r) => [r.status, (await r.bytes()).length > 0]);
    assert.deepEqual(await accept("application/vnd.kubernetes.protobuf"), [406, true]);
    assert.deepEqual(
      await accept("application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"),
      [200, true],
    );
    assert.deepEqual(await accept("application/yaml"), [200, true]);
    assert.deepEqual(await accept("application/cbor"), [200, true]);
    const sent = await s.fetch(THINGS, {
      method: "POST",
      headers: { "content-type": "application/vnd.kubernetes.protobuf" },
      body: new Uint8Array([0x6b, 0x38, 0x73, 0]),
    });
    assert.equal(sent.status, 415);
  }, ["--feature-gates=CBORServingAndStorage=true"]));

Deno.test("embedded objects have a type and sound metadata", () =>
  withThings(
    definition([version({
      t: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
    })]),
    async (s) => {
      const t = {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "x", labels: { a: "b" }, bogus: 1 },
        spec: { any: 1 },
      };
      const made = await s.fetch(THINGS, { body: thing("a", { t }) });
      assert.deepEqual(made.body.spec.t.spec, { any: 1 }, made.text);
      assert.equal(made.body.spec.t.metadata.bogus, undefined);
      const bad = await s.fetch(THINGS, {
        body: thing("b", { t: { kind: "Pod", metadata: { labels: { "a b": "c" } } } }),
      });
      assert.deepEqual(causes(bad), [
        "FieldValueInvalid spec.t.metadata.labels",
        "FieldValueRequired spec.t.apiVersion",
      ]);
    },
  ));

Deno.test("what a default gives an embedded object is read as its metadata", () => {
  const text = (value: string) => ({ type: "string", default: value });
  const embedded = (more: Loose) => ({ type: "object", "x-kubernetes-embedded-resource": true, ...more });
  const type = { apiVersion: text("v1"), kind: text("Pod") };
  const metadata = { name: "x", bogus: "y" };
  return withThings(
    definition([version({
      members: embedded({
        properties: {
          ...type,
          metadata: { type: "object", properties: { name: text("x"), bogus: text("y") } },
        },
      }),
      whole: embedded({ properties: { ...type, metadata: { type: "object", default: metadata } } }),
      above: {
        type: "object",
        properties: { t: embedded({ properties: { foo: { type: "string" } } }) },
        default: { t: { apiVersion: "v1", kind: "Pod", metadata } },
      },
    })]),
    async (s) => {
      const made = await s.fetch(THINGS, { body: thing("a", { members: { metadata: {} }, whole: {} }) });
      const t = { apiVersion: "v1", kind: "Pod", metadata: { name: "x" } };
      assert.deepEqual(made.body.spec, { members: t, whole: t, above: { t } }, made.text);
      assert.deepEqual((await s.fetch(`${THINGS}/a`)).body.spec, made.body.spec);
    },
  );
});

Deno.test("sets and lists with keys hold nothing twice", () =>
  withThings(
    definition([version({
      s: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
      m: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
        items: { type: "object", required: ["k"], properties: { k: { type: "string" } } },
      },
    })]),
    async (s) => {
      const bad = await s.fetch(THINGS, { body: thing("a", { s: ["x", "x"], m: [{ k: "1" }, { k: "1" }] }) });
      assert.deepEqual(causes(bad), ["FieldValueDuplicate spec.m[1]", "FieldValueDuplicate spec.s[1]"]);
    },
  ));

Deno.test("a deprecated version warns with its own text, and finalizers without a domain are advised against", () =>
  withThings(
    definition([version({ x: { type: "integer" } }, { deprecated: true, deprecationWarning: "use something else" })]),
    async (s) => {
      const t = thing("a", { x: 1 });
      t.metadata.finalizers = ["hold"];
      const made = await s.fetch(THINGS, { body: t });
      assert.equal(made.warnings[0], "use something else");
      assert.match(made.warnings[1]!, /prefer a domain-qualified finalizer name/);
    },
  ));

Deno.test("a deprecated version names the best one instead, also where a part is asked for that there is none of", () => {
  const old = version({}, { name: "v1beta1", storage: false, deprecated: true });
  const beside = version({}, { name: "v1beta2", storage: false });
  const away = version({}, { name: "v2", storage: false, served: false });
  return withThings(definition([old, beside, away, version({})]), async (s) => {
    const text = "example.com/v1beta1 Thing is deprecated; use example.com/v1 Thing";
    const list = THINGS.replace("/v1/", "/v1beta1/");
    assert.deepEqual((await s.fetch(list)).warnings, [text]);
    const part = await s.fetch(`${list}/a/status`);
    assert.deepEqual([part.status, part.warnings], [404, [text]]);
  });
});

Deno.test("a root that keeps what it does not know keeps it", () =>
  withThings(
    definition([{
      ...SIMPLE,
      schema: { openAPIV3Schema: schema({}, { "x-kubernetes-preserve-unknown-fields": true }) },
    }]),
    async (s) => {
      const made = await s.fetch(THINGS, { body: { ...thing("a", { gone: 1 }), extra: { any: [1, "x"] } } });
      assert.deepEqual([made.body.extra, made.body.spec], [{ any: [1, "x"] }, {}]);
      const applied = await apply(s, THING, { ...thing("a"), extra: { more: true } }, "me");
      assert.deepEqual(applied.body.extra, { any: [1, "x"], more: true }, applied.text);
    },
  ));

Deno.test("metadata that cannot be read is a bad request", () =>
  withThings(definition([SIMPLE]), async (s) => {
    const bad = await s.fetch(THINGS, { body: { ...thing("a"), metadata: { name: "a", labels: { a: 1 } } } });
    assert.equal(bad.status, 400, bad.text);
  }));

Deno.test("a body must say what it is, and that must be what the endpoint takes", () =>
  withThings(definition([SIMPLE]), async (s) => {
    const other = await s.fetch(THINGS, { body: { ...thing("a"), kind: "Other" } });
    assert.deepEqual([other.status, other.body.details.kind], [422, "Other"], other.text);
    assert.deepEqual(other.body.details.causes.map((c: { field: string }) => c.field), ["kind"]);
    const { kind: _k, ...nameless } = thing("a");
    for (const body of [nameless, { ...nameless, Kind: "Thing" }]) {
      assert.equal((await s.fetch(THINGS, { body })).status, 400, "by that very name");
    }
  }));

Deno.test("what a status write owns, what counts as a change, and what an applied configuration gives up", () =>
  withThings(definition([{ ...SIMPLE, subresources: { status: {} } }]), async (s) => {
    await s.fetch(THINGS, { body: thing("a", { x: 1, list: [] }) });
    const labelled = await patch(s, `${THING}/status`, { metadata: { labels: { a: "b" } }, status: { n: 1 } });
    const [, entry] = labelled.body.metadata.managedFields;
    assert.deepEqual(Object.keys(entry.fieldsV1), ["f:status"], labelled.text);
    // An empty list, null and nothing are three things: to drop one is a change of the spec.
    assert.equal((await patch(s, THING, { spec: { list: null } })).body.metadata.generation, 2);
    // What the only owner gives up leaves a null behind, which the schema refuses.
    await apply(s, `${THINGS}/b`, thing("b", { x: 1 }), "one");
    const emptied = await apply(s, `${THINGS}/b`, thing("b", {}), "one");
    assert.deepEqual([emptied.status, causes(emptied)], [422, ["FieldValueTypeInvalid spec"]], emptied.text);
  }));

Deno.test("methods that are not served name the resource; a POST takes its name from the body", () =>
  withThings(definition([{ ...SIMPLE, subresources: { status: {} } }]), async (s) => {
    const refused = await s.fetch(`${THING}/status`, { body: thing("a") });
    assert.deepEqual([refused.status, refused.body.details], [405, { group: "example.com", kind: "things" }]);
    const unreadable = await s.fetch(THINGS, { headers: { accept: "text/plain" } });
    assert.deepEqual([unreadable.status, unreadable.body.details], [406, undefined]);
    const made = await s.fetch(`${THINGS}/elsewhere`, { body: thing("a") });
    assert.deepEqual([made.status, made.body.metadata.name], [201, "a"], made.text);
  }));
