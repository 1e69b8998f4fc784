/** Numbers of custom objects that a float does not tell apart, and how numbers are shown. */
import assert from "node:assert/strict";
import type { Schema } from "../../schema/customresources/schema.ts";
import { validateLists, validateRules } from "../../schema/customresources/mod.ts";
import { validateSchema } from "../../schema/customresources/validate.ts";
import type { Json } from "../../schema/model/types.ts";
import { ErrorList } from "../../schema/rules/errors.ts";
import { definition, DEFINITIONS, thing, THINGS, version, withThings } from "./_crd.ts";

const BIG = 2n ** 53n;

const checked = (schema: Schema, v: Json): ErrorList => {
  const errors = new ErrorList(), whole: Schema = { type: "object", properties: { v: schema } };
  validateSchema({ v }, whole, "", errors);
  validateLists({ v }, whole, errors);
  validateRules({ v }, undefined, whole, errors);
  return errors;
};
const messages = (schema: Schema, v: Json): (string | undefined)[] => checked(schema, v).causes.map((c) => c.message);

const rule = (text: string): Schema => ({ "x-kubernetes-validations": [{ rule: text }] });

Deno.test("a rule of a number takes whole numbers of any size", () => {
  for (const v of [1, BIG, BIG + 1n, -(2n ** 63n), 1e300]) {
    assert.deepEqual(messages({ type: "number", ...rule("self < 1.0 || self > 0.5") }, v), [], String(v));
  }
  assert.deepEqual(messages({ type: "integer", ...rule(`self == ${BIG + 1n}`) }, BIG + 1n), []);
});

Deno.test("a default may be a whole number of any size", () =>
  withThings(definition([version({ n: { type: "integer", default: 1 } })]), async (s) => {
    const at = `${DEFINITIONS}/things.example.com`, headers = { "content-type": "application/json" };
    const text = JSON.stringify((await s.fetch(at)).body).replace('"default":1', `"default":${BIG + 1n}`);
    const put = await s.fetch(at, { method: "PUT", headers, body: text });
    assert.equal(put.status, 200, put.text);
    assert.ok((await s.fetch(THINGS, { body: thing("t", {}) })).text.includes(`"n":${BIG + 1n}`));
  }));

Deno.test("sets and keys of lists tell large whole numbers apart", () => {
  const set: Schema = { type: "array", "x-kubernetes-list-type": "set", items: { type: "integer" } };
  assert.deepEqual(messages(set, [BIG, BIG + 1n]), []);
  assert.equal(checked(set, [BIG, BIG + 1n, BIG]).causes[0]?.field, "v[2]");
  const item: Schema = { type: "object", properties: { k: { type: "integer" } } };
  const map: Schema = {
    type: "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["k"],
    items: item,
  };
  assert.deepEqual(messages(map, [{ k: BIG }, { k: BIG + 1n }]), []);
});

Deno.test("a large number that was written with an exponent is no whole one", () => {
  assert.deepEqual(checked({ type: "integer" }, 1e18).causes.map((c) => c.reason), ["FieldValueTypeInvalid"]);
  assert.deepEqual(messages({ type: "integer" }, 10n ** 18n), []);
});

const SHOWN: readonly [schema: Schema, value: Json, message: string][] = [
  [{ type: "number", maximum: 1000000 }, 1234567.5, "1.2345675e+06: v in body should be less than or equal to 1e+06"],
  [{ type: "number", maximum: 1000000 }, 1234567, "1234567: v in body should be less than or equal to 1000000"],
  [{ type: "number", minimum: 1 }, 0.00001, "1e-05: v in body should be greater than or equal to 1"],
  [{ type: "number", ...rule("self < 0.0") }, 1e21, "1e+21: failed rule: self < 0.0"],
  [{ type: "integer", maximum: 1 }, BIG + 1n, "9007199254740993: v in body should be less than or equal to 1"],
];

Deno.test("numbers are shown as the public server writes them", () => {
  for (const [schema, value, message] of SHOWN) {
    assert.deepEqual(messages(schema, value), [`Invalid value: ${message}`]);
  }
  assert.deepEqual(messages({ type: "string", nullable: true, enum: ["a"] }, null), [
    'Unsupported value: null: supported values: "a"',
  ]);
});
