import assert from "node:assert/strict";
import { causes, definition, DEFINITIONS, patch, thing, THINGS, version, withThings } from "./_crd.ts";
import { startTestServer } from "../fixture/server.ts";
import type { Loose } from "../fixture/loose.ts";

const RULES = "x-kubernetes-validations";
const THING = `${THINGS}/a`;

Deno.test("rules stand at members, items and map values, and tell where", () =>
  withThings(
    definition([version({
      n: { type: "integer", [RULES]: [{ rule: "self > 0", message: "too small" }] },
      l: { type: "array", maxItems: 3, items: { type: "string", maxLength: 9, [RULES]: [{ rule: "self != 'no'" }] } },
      m: { type: "object", additionalProperties: { type: "integer", [RULES]: [{ rule: "self < 5" }] } },
      "a-b": { type: "string" },
      t: {
        type: "object",
        properties: { when: { type: "string", format: "date-time" } },
        [RULES]: [
          {
            rule: "!has(self.when) || self.when > timestamp('2020-01-01T00:00:00Z')",
            messageExpression: "'late: %s'.format([self.when])",
          },
        ],
      },
      e: {
        type: "object",
        properties: { "a-b": { type: "string" }, namespace: { type: "string" } },
        [RULES]: [
          { rule: "self.a__dash__b == self.__namespace__", fieldPath: "['a-b']" },
          { rule: "has(self.namespace) && self.namespace == self.__namespace__" },
        ],
      },
    })]),
    async (s) => {
      const bad = await s.fetch(THINGS, {
        body: thing("a", {
          n: 0,
          l: ["yes", "no"],
          m: { k: 9 },
          t: { when: "2019-01-01T00:00:00Z" },
          e: { "a-b": "1", namespace: "2" },
        }),
      });
      assert.deepEqual(causes(bad), [
        "FieldValueInvalid spec.e.a-b",
        "FieldValueInvalid spec.l[1]",
        "FieldValueInvalid spec.m[k]",
        "FieldValueInvalid spec.n",
        "FieldValueInvalid spec.t",
      ]);
      assert.match(bad.body.message, /too small/);
      assert.match(bad.body.message, /late: 2019-01-01T00:00:00Z/);
      assert.match(bad.body.message, /failed rule: self < 5/);
    },
  ));

Deno.test("objects with members that are null are the same as themselves", () =>
  withThings(
    definition([version({
      o: {
        type: "object",
        properties: { a: { type: "string", nullable: true }, b: { type: "string", nullable: true } },
        [RULES]: [{ rule: "self == self && !has(self.a)" }, { rule: "self == oldSelf", reason: "FieldValueForbidden" }],
      },
    })]),
    async (s) => {
      const made = await s.fetch(THINGS, { body: thing("a", { o: { a: null } }) });
      assert.equal(made.status, 201);
      const put = (o: Loose) => s.fetch(THING, { method: "PUT", body: { ...made.body, spec: { o } } });
      assert.equal((await put({ a: null })).status, 200);
      assert.deepEqual(causes(await put({ b: null })), ["FieldValueForbidden spec.o"]);
      assert.deepEqual(causes(await put({})), ["FieldValueForbidden spec.o"]);
    },
  ));

Deno.test("rules that compare with the old value, and values that were wrong before", () =>
  withThings(
    definition([version({
      keep: { type: "string", [RULES]: [{ rule: "self == oldSelf", message: "is immutable" }] },
      grow: {
        type: "integer",
        [RULES]: [{ rule: "!oldSelf.hasValue() || self >= oldSelf.value()", optionalOldSelf: true }],
      },
      x: { type: "integer" },
    })]),
    async (s) => {
      assert.equal((await s.fetch(THINGS, { body: thing("a", { keep: "k", grow: 2, x: 1 }) })).status, 201);
      assert.deepEqual(causes(await patch(s, THING, { spec: { keep: "l" } })), ["FieldValueInvalid spec.keep"]);
      assert.deepEqual(causes(await patch(s, THING, { spec: { grow: 1 } })), ["FieldValueInvalid spec.grow"]);
      assert.equal((await patch(s, THING, { spec: { grow: 3 } })).status, 200);
      await patch(s, `${DEFINITIONS}/things.example.com`, [{
        op: "add",
        path: "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/x/x-kubernetes-validations",
        value: [{ rule: "self > 10" }],
      }], "application/json-patch+json");
      assert.equal((await patch(s, THING, { spec: { grow: 4 } })).status, 200);
      assert.deepEqual(causes(await patch(s, THING, { spec: { x: 2 } })), ["FieldValueInvalid spec.x"]);
    },
  ));

Deno.test("what a value was cannot be asked for within a list whose items are not told again, which is named", async () => {
  const text = { type: "string", maxLength: 9, [RULES]: [{ rule: "self == oldSelf" }] };
  const item = { type: "object", required: ["k"], properties: { k: { type: "string" }, text } };
  const keyed = {
    type: "array",
    maxItems: 9,
    items: item,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["k"],
  };
  const outer = { type: "array", maxItems: 9, items: { type: "object", properties: { keyed } } };
  const s = await startTestServer();
  const create = async (spec: Loose) =>
    (await s.fetch(`${DEFINITIONS}?dryRun=All`, { body: definition([version(spec)]) })).body;
  assert.equal((await create({ keyed })).message, undefined);
  const within = "spec.validation.openAPIV3Schema.properties[spec].properties[outer]";
  const said = `oldSelf has no place within ${within}, whose items are not told again`;
  assert.equal((await create({ outer })).message.slice(-said.length), said);
  await s.stop();
});

Deno.test("an object that is no object of its kind is not looked at by rules", () =>
  withThings(
    definition([version({ n: { type: "integer" } }, {
      schema: {
        openAPIV3Schema: {
          type: "object",
          properties: {
            spec: {
              type: "object",
              required: ["q"],
              properties: { q: { type: "string" } },
              [RULES]: [{ rule: "self.q == 'x'" }],
            },
          },
        },
      },
    })]),
    async (s) => {
      const bad = await s.fetch(THINGS, { body: thing("a", {}) });
      assert.deepEqual(causes(bad), ["FieldValueInvalid <nil>", "FieldValueRequired spec.q"]);
    },
  ));

Deno.test("rules that do not compile are refused with their place", async () => {
  const s = await startTestServer();
  const bad = definition([
    version({
      a: {
        type: "integer",
        [RULES]: [{ rule: "self.foo", optionalOldSelf: true }, { rule: "self > 1", messageExpression: "1" }],
      },
    }),
    version({ b: { type: "string" } }, { name: "v2", storage: false }),
  ]);
  const at = "spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-validations";
  assert.deepEqual(causes(await s.fetch(DEFINITIONS, { body: bad })), [
    `FieldValueInvalid ${at}[0].optionalOldSelf`,
    `FieldValueInvalid ${at}[0].rule`,
    `FieldValueInvalid ${at}[1].messageExpression`,
  ]);
  await s.stop();
});

Deno.test("rules of a definition are told after what holds them, child before parent, and before what comes next", async () => {
  const s = await startTestServer();
  const broken = [{ rule: "self.nope" }];
  const list = { type: "array", items: { type: "string", [RULES]: [{ rule: "self.size() > 'a'" }] } };
  const v1 = version({ a: { type: "object", properties: { list }, [RULES]: broken } }, {
    additionalPrinterColumns: [{ name: "", type: "string", jsonPath: ".spec" }],
  });
  Object.assign(v1["schema"].openAPIV3Schema, { nullable: true, [RULES]: broken });
  const old = version({
    b: {
      type: "array",
      items: { type: "string" },
      [RULES]: [{ rule: "self.all(x, self.all(y, self.all(z, x == z)))", optionalOldSelf: false }, { rule: "self.no" }],
    },
  }, { name: "v2", storage: false });
  const answer = await s.fetch(DEFINITIONS, { body: definition([v1, old]) });
  const first = "spec.versions[0].schema.openAPIV3Schema", second = "spec.versions[1].schema.openAPIV3Schema";
  const at = `${first}.properties[spec].properties[a]`, other = `${second}.properties[spec].properties[b].${RULES}`;
  const told = answer.body.details.causes;
  assert.deepEqual(told.map((c: Loose) => `${c.reason} ${c.field}`.replace("FieldValue", "")), [
    `Forbidden ${first}.nullable`,
    `Invalid ${at}.properties[list].items.${RULES}[0].rule`,
    `Invalid ${at}.${RULES}[0].rule`,
    `Invalid ${first}.${RULES}[0].rule`,
    "Required spec.versions[0].additionalPrinterColumns[0].name",
    `Forbidden ${other}[0].rule`,
    `Invalid ${other}[0].optionalOldSelf`,
    `Invalid ${other}[1].rule`,
    `Forbidden ${other}[0].rule`,
    `Forbidden ${second}`,
  ]);
  assert.match(told[6].message, /^Invalid value: false: /);
  await s.stop();
});

const NO_SIGNATURE = "call arguments did not match a supported operator, function or macro signature";

Deno.test("what breaks a rule is shown when it is a scalar; of what a rule fails on the type is", () =>
  withThings(
    definition([version({
      n: { type: "integer", [RULES]: [{ rule: "self > 0" }] },
      o: { type: "object", properties: { z: { type: "integer" } }, [RULES]: [{ rule: "self.z / 0 == 1" }] },
      l: { type: "array", items: { type: "integer" }, [RULES]: [{ rule: "false", message: "never" }] },
      m: { type: "integer", [RULES]: [{ rule: "1 / self == 1", message: " is one " }] },
      u: { "x-kubernetes-int-or-string": true, [RULES]: [{ rule: "self > 1" }] },
      d: {
        type: "object",
        additionalProperties: { type: "integer" },
        [RULES]: [{ rule: "false", reason: "FieldValueDuplicate" }],
      },
    })]),
    async (s) => {
      const bad = await s.fetch(THINGS, { body: thing("a", { n: 0, o: { z: 1 }, l: [1], m: 0, u: "x", d: { k: 1 } }) });
      const messages = bad.body.details.causes.map((c: Loose) => `${c.field} ${c.message}`);
      assert.deepEqual(messages.sort(), [
        "spec.d Duplicate value",
        "spec.l Invalid value: never",
        'spec.m Invalid value: "integer": division by zero evaluating rule: is one',
        "spec.n Invalid value: 0: failed rule: self > 0",
        'spec.o Invalid value: "object": division by zero evaluating rule: self.z / 0 == 1',
        `spec.u Invalid value: "": 'no such overload': ${NO_SIGNATURE} for rule: self > 1`,
      ]);
      const unfit = await s.fetch(THINGS, { body: thing("a", { n: 1.5, l: "x" }) });
      const [first, , last] = unfit.body.details.causes.map((c: Loose) => c.message);
      assert.equal(first, 'Invalid value: "number": spec.n in body must be of type integer: "number"');
      assert.equal(last, 'Invalid value: "string": spec.l in body must be of type array: "string"');
    },
  ));

Deno.test("an object of another kind is held to the rules all the same", () =>
  withThings(
    definition([version({ n: { type: "integer", [RULES]: [{ rule: "self > 0" }] } })]),
    async (s) => {
      const bad = await s.fetch(THINGS, { body: { ...thing("a_", { n: 0, more: 1 }), kind: "Thong" } });
      assert.deepEqual(causes(bad), ["FieldValueInvalid kind", "FieldValueInvalid spec.n"]);
      assert.equal(bad.headers.get("warning"), null);
    },
  ));
