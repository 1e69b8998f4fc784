/** Values at the edges of schemas: numbers, formats, null, embedded metadata. */
import assert from "node:assert/strict";
import { applyDefaults } from "../../schema/customresources/defaults.ts";
import { coerceEmbedded } from "../../schema/customresources/embedded.ts";
import type { Schema } from "../../schema/customresources/schema.ts";
import { validateEmbedded, validateLists, validateRules } from "../../schema/customresources/mod.ts";
import { hasUnknown, prune } from "../../schema/customresources/prune.ts";
import { validateSchema } from "../../schema/customresources/validate.ts";
import type { Json, JsonMap } from "../../schema/model/types.ts";
import { ErrorList } from "../../schema/rules/errors.ts";
import type { Loose } from "../fixture/loose.ts";

const TYPE = "FieldValueTypeInvalid v", WHOLE = "FieldValueInvalid <nil>", BAD = "FieldValueInvalid v";

const VALUES: readonly [name: string, schema: Schema, value: Json, faults: readonly string[]][] = [
  ["a fraction for an integer", { type: "integer" }, 2.5, [TYPE, WHOLE]],
  ["more than 64 bits", { type: "integer" }, 2 ** 64, [TYPE, WHOLE]],
  ["more than 32 bits", { type: "integer", format: "int32" }, 2 ** 31, [WHOLE]],
  ["the last of 32 bits", { type: "integer", format: "int32" }, -(2 ** 31), []],
  ["more than a short float", { type: "number", format: "float" }, -4e38, [WHOLE]],
  ["a whole number by a half", { type: "number", multipleOf: 0.5 }, 2, [BAD]],
  ["a fraction by a half", { type: "number", multipleOf: 0.5 }, 2.5, []],
  ["a whole number below a bound's fraction", { type: "number", maximum: 2.5 }, 3, [BAD]],
  ["a whole number at a bound's whole part", { type: "number", minimum: 2.5 }, 2, []],
  ["null among the values", { type: "string", nullable: true, enum: ["x", null] }, null, ["FieldValueNotSupported v"]],
  ["a top name of one letter", { type: "string", format: "hostname" }, "host.x", [TYPE]],
  ["a name of labels", { type: "string", format: "hostname" }, "my-host.example", []],
  ["a member that is forbidden", { type: "object", additionalProperties: false }, { a: 1 }, [BAD]],
  ["zeros before", { type: "string", format: "ipv4" }, "010.1.1.1", []],
  ["the least of 64 bits", { type: "integer" }, -(2n ** 63n), []],
  ["as many characters as there may be", { type: "string", maxLength: 2, minLength: 2 }, "a\u{1f600}", []],
  ["a bound that is not in", { type: "number", minimum: 2, exclusiveMinimum: true }, 2, [BAD]],
  ["an upper bound that is not in", { type: "number", maximum: 2, exclusiveMaximum: true }, 2, [BAD]],
  ["a fraction by another, as near as floats come", { type: "number", multipleOf: 0.01 }, 0.07, []],
  ["more than a float counts by a half", { type: "number", multipleOf: 0.5 }, 1e300, [BAD]],
  ["as many items as there may be", { type: "array", minItems: 1, maxItems: 1 }, [1], []],
  ["as many members as there may be", { type: "object", minProperties: 1, maxProperties: 1 }, { a: 1 }, []],
  ["the same item twice", { type: "array", uniqueItems: true }, [{ a: 1 }, 1, { a: 1 }], [BAD]],
  ["what it must not be", { not: { type: "integer" } }, 1, [WHOLE]],
  ["what it may be", { not: { type: "integer" } }, "a", []],
  ["a member beside those that are forbidden", { properties: { a: {} }, additionalProperties: false }, { a: 1 }, []],
  ["a member that every object inherits", { required: ["constructor"] }, {}, ["FieldValueRequired v.constructor"]],
];

Deno.test("schemas judge numbers and texts at their edges", () => {
  for (const [name, schema, value, faults] of VALUES) {
    const errors = new ErrorList();
    validateSchema({ v: value }, { type: "object", properties: { v: schema } }, "", errors);
    assert.deepEqual(errors.causes.map((c) => `${c.reason} ${c.field}`).sort(), [...faults].sort(), name);
  }
});

const SMALL: Schema = { type: "integer", maximum: 1 };
const ITEM: Schema = { type: "object", properties: { k: { type: "integer", default: 7 }, x: SMALL } };
const KEYED: Schema = {
  type: "array",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["k"],
  items: ITEM,
};

const UPDATED: readonly [name: string, schema: Schema, before: Json, value: Json, faults: readonly string[]][] = [
  ["a member as it was", ITEM, { k: 1, x: 5 }, { k: 2, x: 5 }, []],
  ["a member that changed", ITEM, { x: 5 }, { x: 6 }, [`${BAD}.x`]],
  ["items in another order", KEYED, [{ k: 1, x: 5 }, { k: 2 }], [{ k: 2, x: 0 }, { k: 1, x: 5 }], []],
  ["an item of another key", KEYED, [{ k: 1, x: 5 }], [{ k: 2, x: 5 }], [`${BAD}[0].x`]],
  ["an item whose key is a default", KEYED, [{ x: 5 }], [{ k: 2 }, { k: 7, x: 5 }], []],
  ["items without keys", { type: "array", items: ITEM }, [{ x: 5 }], [{ x: 5 }, {}], [`${BAD}[0].x`]],
  ["fewer items with keys", { ...KEYED, minItems: 2 }, [{ k: 1 }, { k: 2 }], [{ k: 1 }], [BAD]],
  ["fewer members", { ...ITEM, minProperties: 2 }, { k: 1, x: 1 }, { k: 1 }, [BAD]],
  ["fewer members of an item", { items: { minProperties: 2 } }, [{ a: 1, b: 1 }], [{ a: 1 }], [`${BAD}[0]`]],
  ["fewer items of an item", { items: { minItems: 2 } }, [[1, 2]], [[1]], [`${BAD}[0]`]],
  ["items as they were", { items: { minItems: 2 } }, [[1]], [[1]], []],
  ["members that nothing specifies", { required: ["r"] }, { u: 1 }, { u: 1 }, ["FieldValueRequired v.r"]],
];

Deno.test("on update a value that is as it was keeps its faults, and no other", () => {
  for (const [name, schema, before, value, faults] of UPDATED) {
    const errors = new ErrorList();
    validateSchema({ v: value }, { properties: { v: schema } }, "", errors, { value: { v: before } });
    assert.deepEqual(errors.causes.map((c) => `${c.reason} ${c.field}`), faults, name);
  }
});

const SPECIFIED: Schema = { type: "object", properties: { a: { type: "integer" } } };
const KEPT: Schema = { "x-kubernetes-preserve-unknown-fields": true };

const PRUNED: readonly [name: string, schema: Schema, value: Json, kept: Json, dropped: readonly string[]][] = [
  ["items of lists of lists", { items: { items: SPECIFIED } }, [[], [{ a: 1 }, { b: 1 }]], [[], [{ a: 1 }, {}]], [
    "v[1][1].b",
  ]],
  ["items of a list that keeps what is unknown", { type: "array", ...KEPT }, [{ b: { c: 1 } }], [{ b: { c: 1 } }], []],
  [
    "items of such a list, with a schema",
    { type: "array", ...KEPT, items: { properties: { o: SPECIFIED } } },
    [{
      o: { b: 1 },
      p: 1,
    }],
    [{ o: {}, p: 1 }],
    ["v[0].o.b"],
  ],
  ["values of a map", { additionalProperties: SPECIFIED }, { k: { a: 1, b: 1 } }, { k: { a: 1 } }, ["v.k.b"]],
  ["values of any kind", { additionalProperties: true }, { k: { a: 1 }, l: 1 }, { k: {}, l: 1 }, ["v.k.a"]],
  ["lists of any kind", { additionalProperties: true }, { k: ["text", { a: 1 }] }, { k: ["text", {}] }, ["v.k[1].a"]],
  ["values that are forbidden", { additionalProperties: false }, { k: 1 }, { k: 1 }, []],
  ["below what keeps the unknown", { ...KEPT, properties: { o: SPECIFIED } }, { o: { b: 1 }, p: { b: 1 } }, {
    o: {},
    p: { b: 1 },
  }, ["v.o.b"]],
  ["a type of no embedded object", SPECIFIED, { kind: "K", a: 1 }, { a: 1 }, ["v.kind"]],
  ["a type of an embedded object", { ...SPECIFIED, "x-kubernetes-embedded-resource": true }, { kind: "K", b: 1 }, {
    kind: "K",
  }, ["v.b"]],
  ["in the order of places", SPECIFIED, { d: 1, c: 1, b: 1 }, {}, ["v.b", "v.c", "v.d"]],
];

Deno.test("what a schema does not specify goes, and is told by its place", () => {
  for (const [name, schema, value, kept, dropped] of PRUNED) {
    const object: JsonMap = { kind: "K", v: structuredClone(value) };
    assert.deepEqual(prune(object, { type: "object", properties: { v: schema } }), dropped, name);
    assert.deepEqual(object, { kind: "K", v: kept }, name);
  }
});

Deno.test("of what a schema does not specify a thousand places are told, fewer where they are long", () => {
  const many = (count: number, length: number): JsonMap =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}`.padEnd(length, "x"), 1]));
  assert.equal(prune(many(2000, 4), { type: "object" }).length, 1000);
  const object = many(30, 100_000);
  assert.ok(prune(object, { type: "object" }).length < 30);
  assert.deepEqual(object, {}, "all of it goes");
});

Deno.test("what only asks for what a schema does not specify leaves it there", () => {
  const value = { e: { kind: "K", b: 1 } };
  assert.equal(hasUnknown(value, { properties: { e: SPECIFIED } }), true);
  assert.deepEqual(value, { e: { kind: "K", b: 1 } });
  assert.equal(hasUnknown({ kind: "K" }, SPECIFIED), true);
  assert.equal(hasUnknown([{ a: 1 }, { b: 1 }], { items: SPECIFIED }), true);
  assert.equal(hasUnknown({ kind: "K" }, { ...SPECIFIED, "x-kubernetes-embedded-resource": true }), false);
});

const ONE: Schema = { type: "integer", default: 1 }, NONE: Schema = { type: "integer" };
const NULLABLE: Schema = { type: "integer", nullable: true };

const DEFAULTED: readonly [name: string, schema: Schema, value: Json, filled: Json][] = [
  ["what is absent", { properties: { a: ONE, b: NONE } }, {}, { a: 1 }],
  ["null that a member may not have", { properties: { a: ONE, b: NONE } }, { a: null, b: null }, { a: 1 }],
  ["null that it may have", { properties: { a: { ...ONE, nullable: true }, b: NULLABLE } }, { a: null, b: null }, {
    a: null,
    b: null,
  }],
  ["null that nothing is said of", { properties: { a: ONE } }, { b: null, l: [null], m: { k: null } }, {
    a: 1,
    b: null,
    l: [null],
    m: { k: null },
  }],
  ["a default of null", { properties: { a: { ...NONE, default: null } } }, { a: null }, {}],
  ["null in maps", { additionalProperties: ONE }, { k: null, l: 2 }, { k: 1, l: 2 }],
  ["null in maps without a default", { additionalProperties: NONE }, { k: null, l: 2 }, { l: 2 }],
  ["null in lists", { items: ONE }, [null, 2], [1, 2]],
  ["null in lists without a default", { items: NONE }, [null, 2], [null, 2]],
  ["members of items", { items: { properties: { a: ONE, b: NONE } } }, [{ b: null }, { a: 2 }], [{ a: 1 }, { a: 2 }]],
  ["members of a default", { properties: { o: { default: {}, properties: { a: ONE } } } }, {}, { o: { a: 1 } }],
];

Deno.test("defaults fill what is absent, and null where it is not allowed", () => {
  for (const [name, schema, value, filled] of DEFAULTED) {
    const object: JsonMap = { v: structuredClone(value) };
    applyDefaults(object, { type: "object", properties: { v: schema } });
    assert.deepEqual(object, { v: filled }, name);
  }
  const merged: JsonMap = { a: null, b: null };
  applyDefaults(merged, { properties: { a: ONE, b: NONE } }, true);
  assert.deepEqual(merged, { a: 1, b: null }, "server-side apply keeps null");
});

Deno.test("objects share no default", () => {
  const value = { default: { m: { k: "v" } } };
  const schema: Schema = { properties: { a: value, l: { items: value }, m: { additionalProperties: value } } };
  const filled = (): JsonMap => {
    const object: JsonMap = { l: [null], m: { k: null } };
    applyDefaults(object, schema);
    return object;
  };
  const [one, other] = [filled(), filled()], { a, l, m } = one as Loose;
  for (const part of [a, l[0], m.k]) part.m.k = "w";
  assert.deepEqual(other, { a: value.default, l: [value.default], m: { k: value.default } });
  assert.equal(value.default.m.k, "v");
});

const SET: Schema = { "x-kubernetes-list-type": "set" };
const MAP: Schema = { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k", "l"] };

const TWICE: readonly [name: string, schema: Schema, value: Json, faults: readonly string[]][] = [
  ["thrice the same", SET, ["a", "b", "a", "a"], ["FieldValueDuplicate v[2]"]],
  ["members in another order", SET, [{ a: 1, b: 2 }, { b: 2, a: 1 }], ["FieldValueDuplicate v[1]"]],
  ["sets within maps and lists", { additionalProperties: { items: SET } }, { k: [[], ["a", "a"]] }, [
    "FieldValueDuplicate v[k][1][1]",
  ]],
  ["keys that are absent", MAP, [{ k: 1 }, { k: 1, l: 1 }, { k: 1, more: 1 }], ["FieldValueDuplicate v[2]"]],
  ["keys that are told of by null", MAP, [null, { k: 1 }, {}, null], ["FieldValueDuplicate v[2]"]],
  ["a first item that is no object", MAP, ["a", { k: 1 }], ["FieldValueInvalid v[0]"]],
  ["whole numbers of 64 bits", SET, [2n ** 60n, 2n ** 60n + 1n, 2n ** 60n], ["FieldValueDuplicate v[2]"]],
  ["sets that are members", { properties: { s: SET } }, { s: ["a", "a"] }, ["FieldValueDuplicate v.s[1]"]],
  ["items that are no objects", MAP, [{ k: 1 }, "a", "a"], ["FieldValueInvalid v[1]"]],
  ["no list", SET, "aa", []],
  ["a list that is neither", {}, ["a", "a"], []],
];

Deno.test("what stands twice in sets and lists with keys is told once, wherever they are", () => {
  for (const [name, schema, value, faults] of TWICE) {
    const errors = new ErrorList();
    validateLists({ v: value }, { properties: { v: schema } }, errors);
    assert.deepEqual(errors.causes.map((c) => `${c.reason} ${c.field}`), faults, name);
  }
});

Deno.test("a member named as what objects inherit has its default as any other", () => {
  const properties = JSON.parse('{"__proto__":{"type":"object","default":{"a":1}},"constructor":{"default":2}}');
  const object: JsonMap = {};
  applyDefaults(object, { type: "object", properties });
  assert.deepEqual([Object.keys(object), object["a"], object["constructor"]], [
    ["__proto__", "constructor"],
    undefined,
    2,
  ]);
});

const FOUND: readonly [value: Json, type: string][] = [
  [5, "integer"],
  [1.5, "number"],
  [true, "boolean"],
  [{ secret: "x" }, "object"],
  [["x"], "array"],
  [null, "null"],
];

Deno.test("of a value of another type the type is told, not the value", () => {
  for (const [value, type] of FOUND) {
    const errors = new ErrorList();
    validateSchema({ v: value }, { type: "object", properties: { v: { type: "string" } } }, "", errors);
    assert.match(errors.causes[0]?.message ?? "", new RegExp(`^Invalid value: "${type}": `));
  }
});

const WORDS: readonly [schema: Schema, value: Json, message: string][] = [
  [{ type: "string", format: "uuid" }, 5, `Invalid value: "int64": v in body must be of type uuid: "int64"`],
  [{ type: "string", format: "cidr" }, 2.5, `Invalid value: "float64": v in body must be of type cidr: "float64"`],
  [{ type: "integer", format: "int32" }, {}, `Invalid value: "": v in body must be of type int32: ""`],
  [{ type: "integer", format: "int32" }, "a", `Invalid value: "string": v in body must be of type integer: "string"`],
  [{ type: "string", enum: ["a"] }, "a\u00a0", String.raw`Unsupported value: "a\u00a0": supported values: "a"`],
  [{ type: "integer", enum: [1, 2] }, 3, `Unsupported value: 3: supported values: "1", "2"`],
  [
    { type: "integer", maximum: 2.5 },
    1,
    `Invalid value: "": Maximum boundary value must be of type integer (default format) in v`,
  ],
  [
    { type: "integer", format: "int32" },
    2 ** 31,
    `Invalid value: "": Checked value must be of type integer with format int32 in v`,
  ],
  [{ type: "number", multipleOf: 0.5 }, 2, `Invalid value: 0: factor MultipleOf declared for v must be positive: 0`],
  [{ type: "object", minProperties: 2 }, { a: 1 }, `Invalid value: 1: v in body should have at least 2 properties`],
  [{ type: "array", maxItems: 1 }, [1, 2], `Too many: 2: must have at most 1 item`],
  [{ type: "array", maxItems: 2 }, [1, 2, 3], `Too many: 3: must have at most 2 items`],
  [{ type: "string", maxLength: 1 }, "ab", `Too long: may not be more than 1 byte`],
];

Deno.test("what is wrong with values is told in the public server's words", () => {
  for (const [schema, value, message] of WORDS) {
    const errors = new ErrorList();
    validateSchema({ v: value }, { type: "object", properties: { v: schema } }, "", errors);
    assert.deepEqual(errors.causes.map((c) => c.message), [message]);
  }
});

Deno.test("the place of the whole is empty, and what a map of values holds begins with a dot", () => {
  const places = (schema: Schema, value: Json) => {
    const errors = new ErrorList();
    validateSchema(value, schema, "default", errors);
    return errors.causes.map((c) => [c.field, c.message]);
  };
  assert.deepEqual(places({ type: "object" }, 1), [
    ["default", `Invalid value: "integer":  in body must be of type object: "integer"`],
  ]);
  assert.deepEqual(places({ type: "object", additionalProperties: { type: "string" } }, { a: 1 }), [
    ["default.a", `Invalid value: "integer": .a in body must be of type string: "integer"`],
  ]);
});

const EMBEDDED: Schema = {
  type: "object",
  properties: { e: { type: "object", "x-kubernetes-embedded-resource": true } },
};

Deno.test("metadata of embedded objects is read as metadata", () => {
  const tree: JsonMap = { e: { metadata: { name: "n", labels: {}, creationTimestamp: null, more: 1 } } };
  assert.deepEqual(coerceEmbedded(tree, EMBEDDED, { strict: true }), ['unknown field "e.metadata.more"']);
  assert.deepEqual(tree, { e: { metadata: { name: "n" } } });
  const rows = [
    [{ kind: 1 }, /^e\.kind: Invalid value: 1: must be a string$/],
    [{ metadata: { labels: { a: 1 } } }, /^e\.metadata: Invalid value: .*: json: cannot unmarshal number/],
    [{ metadata: "text" }, /^e\.metadata: Invalid value: "text": /],
  ] as const;
  for (const [e, message] of rows) {
    assert.throws(() => coerceEmbedded({ e: e as JsonMap }, EMBEDDED, {}), { name: "DecodeError", message });
  }
});

Deno.test("embedded metadata leaves out what is empty, but says that an object goes at once", () => {
  const metadata = {
    name: "",
    generation: 0,
    labels: {},
    finalizers: [],
    deletionGracePeriodSeconds: 0,
    namespace: "n",
  };
  const tree: JsonMap = { e: { metadata } };
  coerceEmbedded(tree, EMBEDDED, {});
  assert.deepEqual(tree, { e: { metadata: { deletionGracePeriodSeconds: 0, namespace: "n" } } });
});

const TYPES: readonly [e: JsonMap, faults: readonly string[]][] = [
  [{ apiVersion: "v1", kind: "Pod" }, []],
  [{ apiVersion: "apps/v1", kind: "Pod", metadata: { labels: { a: "b" }, namespace: "n" } }, []],
  [{ apiVersion: "a/b/c", kind: "P_d" }, ["FieldValueInvalid e.apiVersion", "FieldValueInvalid e.kind"]],
  [{ apiVersion: "", kind: 1 }, ["FieldValueInvalid e.apiVersion", "FieldValueInvalid e.kind"]],
  [{}, ["FieldValueRequired e.apiVersion", "FieldValueRequired e.kind"]],
  [{ apiVersion: "v1", kind: "Pod", metadata: { name: "a/b" } }, ["FieldValueInvalid e.metadata.name"]],
];

Deno.test("an embedded object has a type, and metadata that any object may have", () => {
  for (const [e, faults] of TYPES) {
    const errors = new ErrorList();
    validateEmbedded({ e }, EMBEDDED, errors);
    assert.deepEqual(errors.causes.map((c) => `${c.reason} ${c.field}`), faults, JSON.stringify(e));
  }
});

Deno.test("embedded objects stand in lists and maps, too; the whole is none", () => {
  const e = EMBEDDED.properties!["e"]!, errors = new ErrorList();
  const schema: Schema = {
    ...e,
    properties: {
      l: { type: "array", items: e },
      m: { type: "object", additionalProperties: e },
      o: { type: "object", properties: { e } },
    },
  };
  validateEmbedded({ l: [{ kind: "K" }, { kind: "K" }], m: { a: { kind: "K" } }, o: { e: {} } }, schema, errors);
  const places = ["l[0].apiVersion", "l[1].apiVersion", "m[a].apiVersion", "o.e.apiVersion", "o.e.kind"];
  assert.deepEqual(errors.causes.map((c) => c.field), places);
  const tree = { metadata: null, l: [{ metadata: null }], m: { a: { metadata: { name: "" } } } };
  for (const stored of [false, true]) {
    const read = structuredClone(tree);
    assert.deepEqual(coerceEmbedded(read, schema, { stored }), []);
    assert.deepEqual(read, { metadata: null, l: [{ metadata: {} }], m: { a: { metadata: {} } } });
  }
});

/** Objects of one member, and how often it was read. */
function counted(count: number, name: string): { items: JsonMap[]; reads: () => number } {
  let reads = 0;
  const items = Array.from(
    { length: count },
    (_, i): JsonMap => Object.defineProperty({}, name, { enumerable: true, get: () => (reads++, i) }),
  );
  return { items, reads: () => reads };
}

Deno.test("an update of a long list looks at each item a few times, not at each for each", () => {
  const count = 3000;
  const item = (rules: Schema): Schema => ({ type: "object", properties: { n: { type: "integer" } }, ...rules });
  const keyed: Schema = { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["n"] };
  const broken: Schema = { "x-kubernetes-validations": [{ rule: "self.n < 0" }] };
  for (const [list, rules] of [[keyed, {}], [keyed, broken], [{}, broken]] as const) {
    const schema: Schema = { type: "object", properties: { l: { type: "array", items: item(rules), ...list } } };
    const now = counted(count, "n"), old = counted(count, "n"), errors = new ErrorList();
    const before = { l: old.items.toReversed() }, next = { l: list === keyed ? now.items : now.items.toReversed() };
    validateSchema(next, schema, "", errors, { value: before });
    validateRules(next, before, schema, errors);
    assert.deepEqual([errors.causes.length, errors.notes.length], [0, rules === broken ? 1000 : 0]);
    assert.ok(now.reads() + old.reads() < 40 * count, `${now.reads()} and ${old.reads()} reads`);
  }
});

Deno.test("a long list is read once for all rules of a node, and not for those that do not ask", () => {
  const count = 100;
  let reads = 0;
  const list = (): Json[] =>
    Array.from({ length: count }).reduce<Json[]>(
      (l, _, i) => Object.defineProperty(l, i, { enumerable: true, get: () => (reads++, i) }),
      [],
    );
  const validations = (...of: string[]) =>
    Array.from({ length: 30 }, (_, i) => of.map((rule) => ({ rule: `${rule} || ${i} < 0` }))).flat();
  const own = { type: "array", items: { type: "integer" } };
  const rows: readonly (readonly [rules: string[], most: number])[] = [
    [["self.size() > 0"], 2],
    [["self.size() > 0", "self == oldSelf"], 3],
    [["1 > 0"], 1],
  ];
  for (const [rules, most] of rows) {
    const schema: Schema = {
      type: "object",
      properties: { l: { ...own, "x-kubernetes-validations": validations(...rules) } },
    };
    const errors = new ErrorList();
    reads = 0;
    validateRules({ l: list() }, { l: list() }, schema, errors);
    assert.deepEqual(errors.causes, []);
    assert.ok(reads <= most * count, `${reads} reads`);
  }
});

Deno.test("a hundred thousand items that are none of five thousand supported values are told without a text for each", () => {
  const values = Array.from({ length: 5_000 }, (_, i) => `v${i}`);
  const items: Schema = { type: "string", enum: values };
  const list: Schema = { type: "object", properties: { l: { type: "array", items } } };
  const errors = new ErrorList();
  validateSchema({ l: Array.from({ length: 100_000 }, () => "v4999") }, list, "", errors);
  assert.deepEqual(errors.causes, []);
  validateSchema({ l: Array.from({ length: 100_000 }, () => "none") }, list, "", errors);
  assert.equal(errors.causes.length, 100_000);
  assert.deepEqual(errors.causes[1], {
    reason: "FieldValueNotSupported",
    message: `Unsupported value: "none": supported values: ${values.map((v) => JSON.stringify(v)).join(", ")}`,
    field: "l[1]",
  });
});
