/** Values at the edges of schemas: numbers, formats, null, embedded metadata. */
import assert from "node:assert/strict";
import { coerceEmbedded } from "../../schema/customresources/embedded.ts";
import type { Schema } from "../../schema/customresources/schema.ts";
import { validateRules } from "../../schema/customresources/mod.ts";
import { validateSchema } from "../../schema/customresources/validate.ts";
import type { Json, JsonMap } from "../../schema/model/types.ts";
import { ErrorList } from "../../schema/rules/errors.ts";

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
  ["zeros before", { type: "string", format: "ipv4" }, "010.1.1.1", []],
];

Deno.test("schemas judge numbers and texts at their edges", () => {
  for (const [name, schema, value, faults] of VALUES) {
    const errors = new ErrorList();
    validateSchema({ v: value }, { type: "object", properties: { v: schema } }, "", errors);
    assert.deepEqual(errors.causes.map((c) => `${c.reason} ${c.field}`).sort(), [...faults].sort(), name);
  }
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

const EMBEDDED: Schema = {
  type: "object",
  properties: { e: { type: "object", "x-kubernetes-embedded-resource": true } },
};

Deno.test("metadata of embedded objects is read as metadata", () => {
  const tree: JsonMap = { e: { metadata: { name: "n", labels: {}, creationTimestamp: null, more: 1 } } };
  assert.deepEqual(coerceEmbedded(tree, EMBEDDED, true), ['unknown field "e.metadata.more"']);
  assert.deepEqual(tree, { e: { metadata: { name: "n" } } });
  for (const bad of [{ kind: 1 }, { metadata: { labels: { a: 1 } } }, { metadata: "text" }]) {
    assert.throws(() => coerceEmbedded({ e: bad as JsonMap }, EMBEDDED, false), { name: "DecodeError" });
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
