import assert from "node:assert/strict";
import { validateUpdate } from "../../schema/rules/mod.ts";
import { definitionRules } from "../../server/customresources/definition_rules.ts";
import { startTestServer } from "../fixture/server.ts";
import { Bench } from "../rules/_table.ts";
import { causes, definition, DEFINITIONS, patch, schema, thing, THINGS, version, withThings } from "./_crd.ts";
import type { Loose } from "../fixture/loose.ts";

const RULES = "x-kubernetes-validations";
const rules = (...list: Loose[]) => ({ [RULES]: list.map((r) => typeof r === "string" ? { rule: r } : r) });
const TEXT = { type: "string" }, SHORT = { type: "string", maxLength: 20 };
const list = (items: Loose, more: Loose = {}) => ({ type: "array", items, ...more });
const AT = "spec.validation.openAPIV3Schema.properties[spec].properties[a]", WHOLE = "spec.validation.openAPIV3Schema";

/** A schema of the member `a`, and what is wrong with it. */
const ROWS: readonly (readonly [what: string, schema: Loose, causes: string[]])[] = [
  ["bounded", list(SHORT, { maxItems: 10, ...rules("self.all(x, x.contains('abc'))") }), []],
  ["without bounds", list(TEXT, rules("self.all(x, x.contains('abc'))")), [
    `FieldValueForbidden ${AT}.${RULES}[0].rule`,
    `FieldValueForbidden ${AT}.${RULES}[0].rule`,
    `FieldValueForbidden ${WHOLE}`,
  ]],
  ["items without bounds", list({ ...SHORT, ...rules("self.startsWith('a')") }), []],
  ["dear items", list({ ...SHORT, ...rules("self.matches('^[a-z]+$')") }), [
    `FieldValueForbidden ${AT}.items.${RULES}[0].rule`,
  ]],
  ["few of them", list({ ...SHORT, ...rules("self.matches('^[a-z]+$')") }, { maxItems: 100 }), []],
  ["a dear message", {
    ...TEXT,
    ...rules({ rule: "true", messageExpression: "string(bytes(self + self)) + string(1)" }),
  }, [
    `FieldValueForbidden ${AT}.${RULES}[0].messageExpression`,
    `FieldValueForbidden ${AT}.${RULES}[0].messageExpression`,
    `FieldValueForbidden ${WHOLE}`,
  ]],
  ["together", {
    type: "object",
    properties: Object.fromEntries(
      [..."abcdefgh"].map((
        k,
        i,
      ) => [k, list(TEXT, { maxItems: 20 + i, ...rules("self.all(x, x.contains('abcdefghij'))") })]),
    ),
  }, []],
  ["nothing to look at", { "x-kubernetes-preserve-unknown-fields": true, ...rules("true", "false") }, [
    `InternalError ${AT}.${RULES}`,
  ]],
  ["a fault of the form beside", {
    type: "object",
    properties: { b: { ...TEXT, uniqueItems: true, ...rules("self.no") }, c: { ...TEXT, ...rules("self.no") } },
    ...rules("self.no"),
  }, [`FieldValueForbidden ${AT}.properties[b].uniqueItems`, `FieldValueInvalid ${AT}.properties[c].${RULES}[0].rule`]],
  ["a default against a rule", { ...TEXT, default: "x", ...rules("self == 'y'", "self.no") }, [
    `FieldValueInvalid ${AT}.default`,
    `FieldValueInvalid ${AT}.default`,
  ]],
  ["old values below an atomic map", {
    type: "object",
    "x-kubernetes-map-type": "atomic",
    properties: { b: { ...TEXT, ...rules("self == oldSelf") } },
  }, []],
];

Deno.test("definitions whose rules cost too much, or cannot hold, are refused", async () => {
  const s = await startTestServer(["--disable-admission-plugins=ServiceAccount"]);
  try {
    for (const [what, schema, expected] of ROWS) {
      const a = await s.fetch(`${DEFINITIONS}?dryRun=All`, { body: definition([version({ a: schema })]) });
      assert.deepEqual(causes(a), [...expected].sort(), what);
      assert.equal(a.status, expected.length ? 422 : 201, what);
    }
  } finally {
    await s.stop();
  }
});

Deno.test("names are no longer than names can be", async () => {
  const s = await startTestServer(["--disable-admission-plugins=ServiceAccount"]);
  const rule = (name: string) => `self.metadata.${name}.contains(self.metadata.${name})`;
  const told = async (properties: Loose) => {
    const { spec } = schema({}).properties;
    const openAPIV3Schema = {
      type: "object",
      properties: { spec, ...properties },
      ...rules(`${rule("name")} && ${rule("generateName")}`),
    };
    return causes(
      await s.fetch(`${DEFINITIONS}?dryRun=All`, { body: definition([version({}, { schema: { openAPIV3Schema } })]) }),
    );
  };
  try {
    assert.deepEqual(await told({}), []);
    assert.deepEqual(await told({ metadata: { type: "object", properties: { name: SHORT } } }), []);
  } finally {
    await s.stop();
  }
});

Deno.test("a version may keep rules that cost too much; another that comes to say the same may not", () => {
  const messageExpression = Array.from({ length: 9 }, (_, i) => `self[${i}]`).join(" + ");
  const dear = { a: list(TEXT, rules("true", { rule: "true", messageExpression })) };
  const bench = new Bench({
    kind: "apiextensions.k8s.io/v1/CustomResourceDefinition",
    resource: "customresourcedefinitions",
    namespaced: false,
    good: definition([]),
    rows: [],
  });
  const ruled = { ...bench.ruled, rules: definitionRules() }, ctx = bench.context();
  const second = (name: string, of: Loose) => version(of, { name, storage: false });
  const own = bench.create(definition([version(dear), second("v2", {})])).object;
  const shared = bench.create(definition([version(dear)])).object;
  const told = (versions: Loose[], was = own) => {
    const now = bench.create(definition(versions)).object;
    was.metadata.resourceVersion = now.metadata.resourceVersion = "1";
    return validateUpdate(ruled, now, was, { ...ctx, verb: "update", subresource: "" }).causes.map((c) => c.field);
  };
  const member = `x-kubernetes-validations[1].messageExpression`;
  const at = (i: number) => `spec.versions[${i}].schema.openAPIV3Schema.properties[spec].properties[a].${member}`;
  assert.deepEqual(told([version(dear), second("v2", { b: TEXT })]), []);
  assert.deepEqual(told([version(dear), second("v2", {}), second("v3", dear)]), [at(2)]);
  // What all versions have is any version's.
  assert.deepEqual(told([version(dear), second("v2", {}), second("v3", dear)], shared), []);
});

Deno.test("all rules of an object have one budget; what ends it is said once", () =>
  withThings(
    definition([version({
      l: list(
        list(SHORT, {
          maxItems: 40,
          ...rules(...[1, 2, 3, 4, 5, 6, 7].map((n) => `self.all(x, self.all(y, x != '${n}' || y != '${n}' || true))`)),
        }),
        { maxItems: 200 },
      ),
      n: list({ type: "integer" }, { maxItems: 400, ...rules("self.all(x, self.all(y, x != 0 || y > -1))") }),
    })]),
    async (s) => {
      const row = Array.from({ length: 40 }, (_, i) => `${i}`);
      const dear = await s.fetch(THINGS, { body: thing("a", { l: Array.from({ length: 200 }, () => row) }) });
      assert.equal(dear.status, 422);
      assert.equal(causes(dear).length, 1);
      const call = await s.fetch(THINGS, { body: thing("b", { n: Array.from({ length: 400 }, () => 0) }) });
      assert.deepEqual(causes(call), ["FieldValueInvalid spec.n"]);
      assert.equal((await s.fetch(THINGS, { body: thing("c", { l: [row] }) })).status, 201);
    },
  ));

Deno.test("what a rule forbids may stay as it is, with a warning", () =>
  withThings(
    definition([version({ x: { type: "integer" }, y: { type: "integer" }, l: list({ type: "integer" }) })]),
    async (s) => {
      assert.equal((await s.fetch(THINGS, { body: thing("a", { x: 1, y: 1, l: [1] }) })).status, 201);
      const properties = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties";
      const stricter = await patch(s, `${DEFINITIONS}/things.example.com`, [
        { op: "add", path: `${properties}/x/${RULES}`, value: [{ rule: "self > 10" }] },
        { op: "add", path: `${properties}/l/items/${RULES}`, value: [{ rule: "self > 10" }] },
      ], "application/json-patch+json");
      assert.equal(stricter.status, 200, stricter.text);
      for (let i = 0; i < 200; i++) {
        const kept = await patch(s, `${THINGS}/a?dryRun=All`, { spec: { y: 2 + i } });
        assert.equal(kept.status, 200, kept.text);
        if (kept.headers.get("warning")) break;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      const kept = await patch(s, `${THINGS}/a`, { spec: { y: 2 } });
      assert.match(kept.headers.get("warning") ?? "", /spec\.x.*spec\.l\[0\]/);
      assert.deepEqual(causes(await patch(s, `${THINGS}/a`, { spec: { x: 2 } })), ["FieldValueInvalid spec.x"]);
    },
  ));
