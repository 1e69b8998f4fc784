/** What rules find in values beside what these were, and what they say of it. */
import assert from "node:assert/strict";
import { validateRules } from "../../schema/customresources/mod.ts";
import type { Schema } from "../../schema/customresources/schema.ts";
import type { JsonMap } from "../../schema/model/types.ts";
import { ErrorList } from "../../schema/rules/errors.ts";

type Rules = NonNullable<Schema["x-kubernetes-validations"]>;
const ruled = (s: Schema, ...rules: Rules): Schema => ({ ...s, "x-kubernetes-validations": rules });
const object = (properties: Record<string, Schema>): Schema => ({ type: "object", properties });
const TEXT: Schema = { type: "string" }, INTEGER: Schema = { type: "integer" };
const list = (items: Schema, more: Schema = {}): Schema => ({ type: "array", items, ...more });
const SET: Schema = { "x-kubernetes-list-type": "set" };
const KEYED: Schema = { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"] };
const PAIR = object({ k: TEXT, v: INTEGER });
const same = { rule: "self == oldSelf" }, never = { rule: "false" };
const said = (messageExpression: string) =>
  ruled(object({ t: TEXT }), { ...never, message: " own ", messageExpression });
const OWN = ["o Invalid value: own"];

const ROWS: readonly (readonly [
  what: string,
  schema: Schema,
  now: JsonMap,
  was: JsonMap | undefined,
  faults: readonly string[],
])[] = [
  ["a line of text", object({ o: said("' it is ' + self.t + ' '") }), { o: { t: "so" } }, undefined, [
    "o Invalid value: it is so",
  ]],
  ["two lines", object({ o: said("'a\\nb'") }), { o: {} }, undefined, OWN],
  ["no text", object({ o: said("' '") }), { o: {} }, undefined, OWN],
  ["no value", object({ o: said("self.t") }), { o: {} }, undefined, OWN],
  ["more than 5 KiB", object({ o: said("self.t") }), { o: { t: "é".repeat(2561) } }, undefined, OWN],
  ["5 KiB", object({ o: said("self.t") }), { o: { t: "é".repeat(2560) } }, undefined, [
    `o Invalid value: ${"é".repeat(2560)}`,
  ]],
  [
    "parts of items that cannot be told again, of a list that is as it was",
    object({ l: list(object({ o: object({ n: ruled(INTEGER, never) }) })), p: INTEGER }),
    { l: [{ o: { n: 1 } }], p: 2 },
    { l: [{ o: { n: 1 } }], p: 1 },
    [],
  ],
  [
    "parts of items that cannot be told again, of a list that has another",
    object({ l: list(object({ o: object({ n: ruled(INTEGER, never) }) })) }),
    { l: [{ o: { n: 1 } }, {}] },
    { l: [{ o: { n: 1 } }] },
    ["l[0].o.n Invalid value: 1: failed rule: false"],
  ],
  [
    "a kind, which is another's word",
    object({ kind: ruled(TEXT, never), p: ruled(TEXT, never) }),
    { kind: "Thing", p: "a" },
    { kind: "Thing", p: "a" },
    ['kind Invalid value: "Thing": failed rule: false'],
  ],
  ["what was nothing before", object({ a: ruled({ ...TEXT, nullable: true }, same) }), { a: "a" }, { a: null }, []],
  [
    "what was nothing before, and is asked for",
    object({ a: ruled({ ...TEXT, nullable: true }, { rule: "oldSelf.hasValue()", optionalOldSelf: true }) }),
    { a: "a" },
    { a: null },
    ['a Invalid value: "a": failed rule: oldSelf.hasValue()'],
  ],
  ["a set in another order", object({ l: ruled(list(TEXT, SET), same) }), { l: ["a", "b"] }, { l: ["b", "a"] }, []],
  ["a set with another item", object({ l: ruled(list(TEXT, SET), same) }), { l: ["a", "b"] }, { l: ["b"] }, [
    "l Invalid value: failed rule: self == oldSelf",
  ]],
  [
    "a list with keys in another order",
    object({ l: ruled(list(PAIR, KEYED), same) }),
    { l: [{ k: "a", v: 1 }, { k: "b" }] },
    { l: [{ k: "b" }, { k: "a", v: 1 }] },
    [],
  ],
  ["a list in another order", object({ l: ruled(list(TEXT), same) }), { l: ["a", "b"] }, { l: ["b", "a"] }, [
    "l Invalid value: failed rule: self == oldSelf",
  ]],
  [
    "items told again by their keys",
    object({ l: list(ruled(PAIR, { rule: "self.v >= oldSelf.v" }), KEYED) }),
    { l: [{ k: "b", v: 1 }, { k: "a", v: 3 }, { k: "c", v: 0 }] },
    { l: [{ k: "a", v: 2 }, { k: "b", v: 2 }] },
    ["l[0] Invalid value: failed rule: self.v >= oldSelf.v"],
  ],
  [
    "whole numbers for any number",
    object({ n: ruled({ type: "number" }, { rule: "self / 2.0 == 1.5 && type(self) == double" }) }),
    { n: 3 },
    undefined,
    [],
  ],
  ["what did not change though it should", object({ a: ruled(TEXT, { rule: "self != oldSelf" }) }), { a: "a" }, {
    a: "a",
  }, ['a Invalid value: "a": failed rule: self != oldSelf']],
  ["an object with a member less", object({ o: ruled(PAIR, never) }), { o: { k: "a" } }, { o: { k: "a", v: 1 } }, [
    "o Invalid value: failed rule: false",
  ]],
  [
    "what is told of a part",
    object({
      o: ruled(object({ m: { type: "object", additionalProperties: TEXT } }), { ...never, fieldPath: ".m['k x']" }),
    }),
    { o: {} },
    undefined,
    ["o.m[k x] Invalid value: failed rule: false"],
  ],
  [
    "null members of objects and of maps",
    object({
      o: ruled(object({ a: { ...TEXT, nullable: true } }), { rule: "!has(self.a)" }),
      m: ruled({ type: "object", additionalProperties: { ...TEXT, nullable: true } }, {
        rule: "'a' in self && dyn(self.a) == null",
      }),
    }),
    { o: { a: null }, m: { a: null } },
    undefined,
    [],
  ],
];

Deno.test("rules look at values and what these were, and say what is wrong in a line", () => {
  for (const [what, schema, now, was, faults] of ROWS) {
    const errors = new ErrorList();
    validateRules(now, was, schema, errors);
    assert.deepEqual(errors.causes.map((c) => `${c.field} ${c.message}`).sort(), faults, what);
  }
});

Deno.test("what a rule finds in what is as it was is told beside", () => {
  const errors = new ErrorList(), value = { n: 1 };
  validateRules(value, value, object({ n: ruled(INTEGER, never) }), errors);
  assert.deepEqual([errors.causes, errors.notes], [[], ["n: Invalid value: 1: failed rule: false"]]);
});

Deno.test("rules are looked at until one has cost too much, or all have", () => {
  const schema = object({ l: list(ruled(TEXT, { rule: "self.contains(self)" })), p: ruled(TEXT, never) });
  const faults = (...texts: string[]) => {
    const errors = new ErrorList();
    validateRules({ l: texts, p: "" }, undefined, schema, errors);
    return errors.causes.map((c) => c.field);
  };
  const dear = "a".repeat(9000);
  assert.deepEqual(faults(...Array<string>(12).fill(dear)), ["p"]);
  assert.deepEqual(faults(...Array<string>(13).fill(dear)), ["l[12]"]);
  assert.deepEqual(faults("a".repeat(11_000)), ["l[0]"]);
});

Deno.test("what costs too much is told in the public server's words, by its type", () => {
  const dear = "self.all(a, self.all(b, a == a && b == b))", l = Array<string>(770).fill("a");
  const told = (schema: Schema, value: JsonMap) => {
    const errors = new ErrorList();
    validateRules(value, undefined, schema, errors);
    return errors.causes.map((c) => c.message);
  };
  const limit = "no further validation rules will be run due to call cost exceeds limit for";
  assert.deepEqual(told(object({ l: ruled(list(TEXT), { rule: dear }) }), { l }), [
    `Invalid value: "array": 'operation cancelled: actual cost limit exceeded': ${limit} rule: ${dear}`,
  ]);
  assert.deepEqual(told(object({ l: ruled(list(TEXT), { ...never, messageExpression: `string(${dear})` }) }), { l }), [
    `Invalid value: "array": ${limit} messageExpression: "string(${dear})"`,
  ]);
  const texts = Array<string>(13).fill("a".repeat(9000));
  const budget = "out of cost budget, no further validation rules will be run";
  assert.deepEqual(told(object({ l: list(ruled(TEXT, { rule: "self.contains(self)" })) }), { l: texts }), [
    `Invalid value: "string": validation failed due to running ${budget}`,
  ]);
  const messageExpression = "string(self.contains(self))";
  assert.deepEqual(
    told(object({ l: list(ruled(TEXT, { ...never, messageExpression })) }), { l: texts }).at(-1),
    `Invalid value: "string": messageExpression evaluation failed due to running ${budget}`,
  );
});
