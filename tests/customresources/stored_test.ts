/** Custom objects that were stored under other rules than hold now. */
import assert from "node:assert/strict";
import { memoryBackend } from "../../server/storage/memory.ts";
import { startTestServer } from "../fixture/server.ts";
import type { Loose } from "../fixture/loose.ts";
import { define, definition, DEFINITIONS, patch, thing, THINGS, until, version, withThings } from "./_crd.ts";

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

Deno.test("a definition of old keeps what its schema does not know, and says what is wrong with it", async () => {
  const backend = memoryBackend();
  const s = await startTestServer(["--disable-admission-plugins=ServiceAccount"], { backend });
  const name = "things.example.com", group = "example.com";
  const openAPIV3Schema = { type: "object", properties: { spec: { type: "object", properties: { a: {} } } } };
  const old = {
    apiVersion: "apiextensions.k8s.io/v1beta1",
    kind: "CustomResourceDefinition",
    metadata: { name, uid: "u", generation: 1, creationTimestamp: "2019-01-01T00:00:00Z" },
    spec: {
      group,
      version: "v1",
      scope: "Namespaced",
      names: { plural: "things", singular: "thing", kind: "Thing", listKind: "ThingList" },
      validation: { openAPIV3Schema },
      versions: [{ name: "v1", served: true, storage: true }],
    },
    status: { storedVersions: ["v1"] },
  };
  const key = `/registry/apiextensions.k8s.io/customresourcedefinitions/${name}`;
  await backend.commit([{ key, value: new TextEncoder().encode(JSON.stringify(old)) }]);
  const condition = (d: Loose) => d.status?.conditions?.find((c: Loose) => c.type === "NonStructuralSchema");
  const path = `${DEFINITIONS}/${name}`;
  const { body } = await until(() => s.fetch(path), (a) => condition(a.body) !== undefined);
  const { status, reason, message } = condition(body);
  assert.deepEqual([status, reason], ["True", "Violations"]);
  assert.match(
    message,
    /spec\.preserveUnknownFields: .*spec\.versions\[0\].*\.properties\[spec\]\.properties\[a\]\.type/,
  );
  const spec = { a: 1, b: { c: null } };
  const made = await until(() => s.fetch(THINGS, { body: thing("a", spec, { more: 1 }) }), (a) => a.status !== 404);
  assert.equal(made.status, 201, made.text);
  const got = (await s.fetch(`${THINGS}/a`)).body;
  assert.deepEqual([got.spec, got.more], [spec, 1]);
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const versions = [{ name: "v1", served: true, storage: true, schema }];
  const mended = await patch(s, path, { spec: { versions, preserveUnknownFields: false } });
  assert.equal(mended.status, 200, mended.text);
  await until(() => s.fetch(path), (a) => condition(a.body) === undefined);
  await s.stop();
  await backend.close();
});
