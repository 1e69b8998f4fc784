/** Custom objects that were stored under other rules than hold now. */
import assert from "node:assert/strict";
import { memoryBackend } from "../../server/storage/memory.ts";
import { startTestServer } from "../fixture/server.ts";
import type { Loose } from "../fixture/loose.ts";
import {
  apply,
  causes,
  define,
  definition,
  DEFINITIONS,
  established,
  patch,
  thing,
  THINGS,
  until,
  version,
  withThings,
} from "./_crd.ts";

const FREE: Loose = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const TEMPLATE: Loose = { template: FREE };

Deno.test("of what becomes an embedded object later, what is no metadata goes, and the rest can be read", () =>
  withThings(definition([version(TEMPLATE)]), async (s) => {
    const template = {
      apiVersion: 1,
      kind: "Pod",
      metadata: { name: "a", labels: { n: 1 }, annotations: { a: "b" }, more: true },
      spec: {},
    };
    assert.equal((await s.fetch(THINGS, { body: thing("a", { template }) })).status, 201);
    assert.equal((await s.fetch(THINGS, { body: thing("b", { template: { metadata: 1 } }) })).status, 201);
    const embedded = { ...FREE, "x-kubernetes-embedded-resource": true };
    const versions = [version({ template: embedded })];
    assert.equal((await patch(s, `${DEFINITIONS}/things.example.com`, { spec: { versions } })).status, 200);
    const got = await until(() => s.fetch(`${THINGS}/a`), (a) => a.body.spec?.template.apiVersion !== 1);
    assert.deepEqual(got.body.spec.template, {
      kind: "Pod",
      metadata: { name: "a", annotations: { a: "b" } },
      spec: {},
    });
    const list = await s.fetch(THINGS);
    assert.deepEqual(list.body.items.map((o: Loose) => o.spec.template.metadata), [
      { name: "a", annotations: { a: "b" } },
      1,
    ]);
    assert.equal((await s.fetch(THINGS, { body: thing("c", { template }) })).status, 400);
    assert.equal((await s.fetch(`${THINGS}/b`, { method: "DELETE" })).status, 200);
  }));

Deno.test("of metadata that was stored wrong, each member that can be read is", async () => {
  const backend = memoryBackend();
  const s = await startTestServer(["--disable-admission-plugins=ServiceAccount"], { backend });
  await define(s, definition([version({ n: { type: "integer" } })]));
  const metadata = {
    name: "a",
    namespace: "default",
    uid: "u",
    creationTimestamp: "2020-01-01T00:00:00Z",
    generation: null,
    annotations: { a: 1, b: "c" },
    labels: { l: "x y" },
    more: 1,
  };
  const value = new TextEncoder().encode(JSON.stringify(thing("a", { n: 1 }, { metadata })));
  await backend.commit([{ key: "/registry/example.com/things/default/a", value }]);
  const { annotations: _a, more: _m, ...kept } = metadata;
  const got = await s.fetch(`${THINGS}/a`);
  assert.equal(got.status, 200, got.text);
  assert.deepEqual({ ...got.body.metadata, resourceVersion: "" }, { ...kept, generation: 1, resourceVersion: "" });
  assert.equal((await s.fetch(`${THINGS}/a`, { method: "DELETE" })).status, 200);
  await s.stop();
  await backend.close();
});

Deno.test("what is stored in the place of a custom object and is none cannot be read, and says so", async () => {
  const backend = memoryBackend();
  const s = await startTestServer(["--disable-admission-plugins=ServiceAccount"], { backend });
  await define(s, definition([version({ n: { type: "integer" } })]));
  for (const [name, text] of [["a", ""], ["b", "null"], ["c", "[1]"], ["d", "text"]] as const) {
    await backend.commit([{
      key: `/registry/example.com/things/default/${name}`,
      value: new TextEncoder().encode(text),
    }]);
    const { status, body } = await s.fetch(`${THINGS}/${name}`);
    assert.deepEqual([status, body.message], [500, "Internal error occurred: what is stored is no object"], text);
    const unsafe = { ignoreStoreReadErrorWithClusterBreakingPotential: true };
    assert.equal((await s.fetch(`${THINGS}/${name}`, { method: "DELETE", body: unsafe })).status, 200);
  }
  await s.stop();
  await backend.close();
});

const NAMES: Loose = { plural: "things", singular: "thing", kind: "Thing", listKind: "ThingList" };
const SPEC: Loose = { type: "object", properties: { a: { type: "string" } } };

/** Definitions from before v1, which kept what no schema knows, as they lie in stores that were taken over. */
const OLD: Readonly<Record<string, { spec: Loose; apiVersion: string; faults: RegExp; documented: boolean }>> = {
  "a v1 definition that keeps what is unknown": {
    apiVersion: "apiextensions.k8s.io/v1",
    spec: { ...definition([version({ a: { type: "string" } })]).spec, preserveUnknownFields: true },
    faults: /^spec.preserveUnknownFields: [^,]*$/,
    documented: true,
  },
  "a v1beta1 definition whose schema is not structural": {
    apiVersion: "apiextensions.k8s.io/v1beta1",
    spec: {
      group: "example.com",
      version: "v1",
      scope: "Namespaced",
      names: NAMES,
      validation: { openAPIV3Schema: { properties: { spec: SPEC, status: {} } } },
      versions: [{ name: "v1", served: true, storage: true }],
    },
    faults: /preserveUnknownFields: .*openAPIV3Schema.properties\[status\].type: /,
    documented: false,
  },
};

for (const [what, { spec, apiVersion, faults, documented }] of Object.entries(OLD)) {
  Deno.test(`${what} loses nothing of its objects, and says what is wrong until it is put right`, async () => {
    const backend = memoryBackend(), stored = thing("old", { a: "x", more: { b: 1 } }, { top: [1] });
    const put = (key: string, o: Loose) =>
      backend.commit([{ key: `/registry/${key}`, value: new TextEncoder().encode(JSON.stringify(o)) }]);
    const system = { uid: "u", creationTimestamp: "2019-01-01T00:00:00Z" };
    const metadata = { name: "things.example.com", ...system };
    await put(`apiextensions.k8s.io/customresourcedefinitions/${metadata.name}`, {
      apiVersion,
      kind: "CustomResourceDefinition",
      metadata,
      spec,
      status: { acceptedNames: NAMES, conditions: [], storedVersions: ["v1"] },
    });
    const own = { ...stored, metadata: { name: "old", namespace: "default", ...system } };
    await put("example.com/things/default/old", own);
    const s = await startTestServer(["--disable-admission-plugins=ServiceAccount"], { backend });
    const path = `${DEFINITIONS}/things.example.com`;
    const condition = (d: Loose) => d.status.conditions?.find((c: Loose) => c.type === "NonStructuralSchema");
    const told = condition((await until(() => s.fetch(path), (a) => established(a) && condition(a.body))).body);
    assert.deepEqual([told.status, told.reason], ["True", "Violations"]);
    assert.match(told.message, faults);

    const { spec: _s, metadata: _m, ...rest } = (await s.fetch(`${THINGS}/old`)).body;
    assert.deepEqual(rest, { apiVersion: "example.com/v1", kind: "Thing", top: [1] });
    const labelled = await patch(s, `${THINGS}/old`, { metadata: { labels: { l: "v" } } });
    assert.deepEqual(labelled.body.spec, { a: "x", more: { b: 1 } });
    const made = await s.fetch(`${THINGS}?fieldValidation=Strict`, {
      body: thing("new", { a: "y", n: null }, { b: 2 }),
    });
    assert.deepEqual([made.status, made.body.spec, made.body.b], [201, { a: "y", n: null }, 2]);
    const applied = await apply(s, `${THINGS}/new`, thing("new", { more: { c: 3 } }), "m");
    assert.deepEqual(applied.body.spec, { a: "y", n: null, more: { c: 3 } });
    assert.deepEqual(causes(await s.fetch(THINGS, { body: thing("bad", { a: 1 }) })), ["FieldValueTypeInvalid spec.a"]);
    const { definitions } = (await s.fetch("/openapi/v2")).body;
    assert.equal(definitions["com.example.v1.Thing"].properties?.spec?.properties, undefined);
    const { components } = (await s.fetch("/openapi/v3/apis/example.com/v1")).body;
    assert.equal(!!components.schemas["com.example.v1.Thing"].properties?.spec.properties, documented);

    const now = (await s.fetch(path)).body;
    now.spec.versions[0].schema = { openAPIV3Schema: { type: "object", properties: { spec: SPEC } } };
    now.spec.preserveUnknownFields = false;
    assert.equal((await s.fetch(path, { method: "PUT", body: now })).status, 200);
    await until(() => s.fetch(path), (a) => !condition(a.body));
    const pruned = await until(() => s.fetch(`${THINGS}/old`), (a) => a.body.top === undefined);
    assert.deepEqual(pruned.body.spec, { a: "x" });
    await s.stop();
    await backend.close();
  });
}

Deno.test("defaults of the stored version are not written with what comes in another one: readers see those of the time", async () => {
  const backend = memoryBackend(), size = (value: number): Loose => ({ size: { type: "integer", default: value } });
  const name: Loose = {
    name: { type: "string" },
    many: { type: "object", additionalProperties: { type: "string" } },
  };
  const versions = (value: number): Loose[] => [
    version(name, { storage: false }),
    version({ ...name, ...size(value) }, { name: "v2" }),
  ];
  const s = await startTestServer(["--disable-admission-plugins=ServiceAccount"], { backend });
  await define(s, definition(versions(1)));
  const path = `${THINGS}/a`, newer = path.replace("/v1/", "/v2/");
  const seen = async () => (await s.fetch(newer)).body.spec;
  const dry = await s.fetch(`${newer.slice(0, -2)}?dryRun=All`, {
    body: thing("a", {}, { apiVersion: "example.com/v2" }),
  });
  assert.deepEqual(dry.body.spec, { size: 1 });
  const made = await s.fetch(THINGS, { body: thing("a", { name: "x" }) });
  assert.deepEqual([made.status, made.body.spec], [201, { name: "x" }]);
  assert.deepEqual(await seen(), { name: "x", size: 1 });
  const whole = async () =>
    JSON.parse(new TextDecoder().decode((await backend.get("/registry/example.com/things/default/a"))!.value));
  const stored = async () => (await whole()).spec;
  assert.deepEqual([(await whole()).apiVersion, await stored()], ["example.com/v2", { name: "x" }]);
  const again = await s.fetch(path, { method: "PUT", body: made.body });
  assert.equal(again.body.metadata.resourceVersion, made.body.metadata.resourceVersion, "nothing is written");
  assert.equal((await patch(s, `${DEFINITIONS}/things.example.com`, { spec: { versions: versions(5) } })).status, 200);
  await until(() => s.fetch(newer), ({ body }) => body.spec?.size === 5);
  assert.deepEqual((await patch(s, path, { spec: { name: "y" } })).body.spec, { name: "y" });
  assert.deepEqual([await seen(), await stored()], [{ name: "y", size: 5 }, { name: "y" }]);
  const grown = await patch(s, newer, { spec: { name: "z" } });
  assert.deepEqual(grown.body.spec, { name: "z", size: 5 });
  assert.deepEqual(await stored(), { name: "z", size: 5 }, "who writes in the stored version writes what he sees");

  // Fits into the store without the owners of its fields alone, and is encoded a second time.
  const many = Object.fromEntries(
    Array.from({ length: 9000 }, (_, i) => [`${"a-key".repeat(40)}${i}`.slice(-200), "v"]),
  );
  assert.equal((await s.fetch(path, { method: "DELETE" })).status, 200);
  const large = await s.fetch(THINGS, { body: thing("a", { many }) });
  assert.deepEqual([large.status, large.body.metadata.managedFields], [201, undefined]);
  assert.deepEqual(Object.keys((await s.fetch(newer)).body.spec), ["many", "size"]);
  assert.deepEqual(Object.keys(await stored()), ["many"]);
  await s.stop();
});
