/** What custom objects say that they are, and applies that change nothing (specification, "Custom resources"). */
import assert from "node:assert/strict";
import { apply, causes, definition, patch, schema, thing, THINGS, version, withThings } from "./_crd.ts";
import type { Loose } from "../fixture/loose.ts";

const V2 = THINGS.replace("/v1/", "/v2/");
const other = (metadata: Loose): Loose => ({ apiVersion: "example.com/v1", kind: "Gadget", metadata });

Deno.test("a custom object of another kind is looked at after its name, its place and its version", () =>
  withThings(definition([version({}, { subresources: { status: {} } })]), async (s) => {
    const put = (name: string, body: Loose) => s.fetch(`${THINGS}/${name}`, { method: "PUT", body });
    assert.equal((await put("t", other({ name: "t" }))).status, 404);
    const made = await s.fetch(THINGS, { body: thing("t", {}) });
    assert.equal(made.status, 201);
    assert.equal((await put("t", other({ name: "u" }))).status, 400);
    assert.equal((await put("t", other({ name: "t", namespace: "elsewhere" }))).status, 400);
    assert.deepEqual(causes(await put("t", other({ name: "t" }))), ["FieldValueInvalid metadata.resourceVersion"]);
    const { resourceVersion } = made.body.metadata;
    const late = await put("t", other({ name: "t", resourceVersion }));
    assert.deepEqual([late.status, late.body.details.kind, causes(late)], [422, "Gadget", ["FieldValueInvalid kind"]]);
    const nameless = await s.fetch(THINGS, { body: other({ generateName: "g" }) });
    assert.deepEqual([nameless.status, causes(nameless)], [422, ["FieldValueInvalid kind"]]);
    assert.equal((await patch(s, `${THINGS}/t`, { kind: "Gadget" })).status, 422);
    const part = await patch(s, `${THINGS}/t/status`, { kind: "Gadget", status: { q: 1 } });
    assert.deepEqual([part.status, part.body.kind, part.body.status], [200, "Thing", { q: 1 }]);
  }));

Deno.test("of members that stand twice in a custom object the last counts whole", () => {
  const spec = { m: { type: "object", additionalProperties: { type: "integer" } } };
  return withThings(definition([version(spec)]), async (s) => {
    const body =
      `{"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "t"}, "spec": {"m": {"a": 1}, "m": {"b": 2}}}`;
    const headers = { "content-type": "application/json" };
    const made = await s.fetch(THINGS, { method: "POST", headers, body });
    assert.deepEqual([made.body.spec, made.warnings], [{ m: { b: 2 } }, ['duplicate field "spec.m"']]);
  });
});

Deno.test("what is unknown in an object of another version is told by the schema of that", () => {
  const second = { ...version({ b: { type: "string" } }, { storage: false }), name: "v2" };
  return withThings(definition([version({ a: { type: "string" } }), second]), async (s) => {
    const told = async (apiVersion: string) => {
      const body = { ...thing("t", { b: "1", z: 1 }), apiVersion };
      return (await s.fetch(`${THINGS}?fieldValidation=Strict`, { body })).body.message as string;
    };
    assert.match(await told("example.com/v2"), /strict decoding error: unknown field "spec\.z"$/);
    assert.match(await told("example.com/v3"), /strict decoding error: unknown field "spec"$/);
  });
});

Deno.test("an apply that changes nothing fills in nothing, in whatever version it comes", () => {
  const fields = { a: { type: "string" }, b: { type: "string" }, c: { type: "string" } };
  const first = version({ ...fields, b: { type: "string", default: "q" } });
  const second = {
    ...version({ ...fields, c: { type: "string", default: "r" } }, { storage: false }),
    name: "v2",
    schema: { openAPIV3Schema: schema({ ...fields, c: { type: "string", default: "r" } }) },
  };
  return withThings(definition([first, second]), async (s) => {
    assert.equal((await apply(s, `${THINGS}/t`, thing("t", { a: "1" }), "m")).status, 201);
    const as = (a: string) => ({ ...thing("t", { a }), apiVersion: "example.com/v2" });
    for (const manager of ["m", "n", "n"]) {
      const { status, body } = await apply(s, `${V2}/t`, as("1"), manager);
      assert.deepEqual([status, body.metadata.generation, (body.spec as Loose).b], [200, 1, "q"]);
    }
    const moved = await apply(s, `${V2}/t`, as("2"), "n", true);
    assert.deepEqual([moved.body.metadata.generation, moved.body.spec.a], [2, "2"]);
  });
});

Deno.test("columns of a Table hold numbers of any size", () => {
  const column = (name: string, type: string) => ({ name, type, jsonPath: ".spec.n" });
  const additionalPrinterColumns = [column("whole", "integer"), column("real", "number"), column("text", "string")];
  return withThings(definition([version({ n: { type: "integer" } }, { additionalPrinterColumns })]), async (s) => {
    const body =
      `{"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "t"}, "spec": {"n": 9007199254740995}}`;
    const headers = { "content-type": "application/json" };
    assert.equal((await s.fetch(THINGS, { method: "POST", headers, body })).status, 201);
    const table = { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" };
    for (const path of [THINGS, `${THINGS}/t`]) {
      const { status, text } = await s.fetch(path, { headers: table });
      assert.equal(status, 200);
      assert.ok(text.includes(`"cells":["t",9007199254740995,9007199254740996,"9007199254740995"]`), text);
    }
  });
});
