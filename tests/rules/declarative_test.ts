import assert from "node:assert/strict";
import type { Field, Json, Kind, Message, Obj, Scalar } from "../../schema/model/types.ts";
import { productOf } from "../../schema/product.ts";
import { builtInMessage, messageIds } from "../../schema/messages.ts";
import { MODULES } from "../../schema/modules.ts";
import { declarative, TAG_NAMES } from "../../schema/rules/declarative.ts";
import { ErrorList } from "../../schema/rules/errors.ts";
import { Path } from "../../schema/rules/path.ts";

type Extra = Partial<Field>;

function field(name: string, type: Scalar | Message, validate: Record<string, Json>, extra: Extra = {}): Field {
  return {
    ...{ name, number: 1, type, repeated: false, map: false, inline: false, pointer: false, required: false },
    ...{ optional: true, omitempty: true, omitzero: false, nullable: false },
    ...extra,
    validate,
  };
}

function message(...fields: Field[]): Message {
  const byName = new Map(fields.map((f) => [f.name, f]));
  return { id: "t", fields, json: fields, byName, wire: [] };
}

function run(m: Message, now: object, old?: object, gates: readonly string[] = [], before?: ErrorList): string[] {
  const kind: Kind = {
    ...{ group: "g", publicGroup: "g", version: "v1", kind: "K", apiVersion: "g/v1", protobuf: false },
    message: m,
  };
  const errors = before ?? new ErrorList();
  const ctx = {
    ...{ product: productOf("kubernetes"), gate: (g: string) => gates.includes(g), now: () => 0 },
    ...{ allowPrivileged: false, verb: old ? "update" as const : "create" as const, subresource: "" },
  };
  declarative(kind, now as Obj, old as Obj | undefined, errors, ctx);
  return errors.causes.map((c) => `${c.field} ${c.reason?.replace("FieldValue", "")}`).sort();
}

const one = (tags: Record<string, Json>, extra: Extra = {}, type: Scalar | Message = "string") =>
  message(field("a", type, tags, extra));

Deno.test("tags: presence", () => {
  assert.deepEqual(run(one({ required: true }), {}), ["a Required"]);
  assert.deepEqual(run(one({ required: true }), { a: "" }), ["a Required"]);
  assert.deepEqual(run(one({ required: true }, { pointer: true }), { a: "" }), []);
  assert.deepEqual(run(one({ required: true, maxLength: 1 }), {}), ["a Required"]);
  assert.deepEqual(run(one({ optional: true, format: "k8s-short-name" }), { a: "" }), []);
  assert.deepEqual(run(one({ forbidden: true }), { a: "x" }), ["a Forbidden"]);
});

Deno.test("tags: sizes and values", () => {
  const list = { repeated: true };
  assert.deepEqual(run(one({ maxItems: 1 }, list), { a: ["x", "y"] }), ["a TooMany"]);
  assert.deepEqual(run(one({ maxLength: 2 }), { a: "äöü" }), ["a TooLong"]);
  assert.deepEqual(run(one({ maxBytes: 3 }), { a: "äö" }), ["a TooLong"]);
  assert.deepEqual(run(one({ minimum: 1, maximum: 2 }, {}, "int32"), { a: 0 }), ["a Invalid"]);
  assert.deepEqual(run(one({ minimum: 1, maximum: 2 }, {}, "int32"), { a: 3 }), ["a Invalid"]);
  assert.deepEqual(run(one({ enum: true }, { enum: ["x"] }), { a: "y" }), ["a NotSupported"]);
  assert.deepEqual(run(one({ format: "k8s-short-name" }), { a: "A" }), ["a Invalid"]);
  assert.deepEqual(run(one({ "eachVal>maxLength": 1 }, list), { a: ["x", "yy"] }), ["a[1] TooLong"]);
  assert.deepEqual(run(one({ "eachKey>maxLength": 1 }, { map: true }), { a: { x: "", yy: "" } }).length, 1);
});

Deno.test("tags: lists with identity", () => {
  const item = message(field("k", "string", {}), field("v", "string", { immutable: true }));
  const m = one({ listType: "map", listMapKey: "k" }, { repeated: true }, item);
  assert.deepEqual(run(m, { a: [{ k: "x" }, { k: "x" }] }), ["a[1] Duplicate"]);
  assert.deepEqual(run(m, { a: [{ k: "y", v: "2" }, { k: "x", v: "1" }] }, { a: [{ k: "x", v: "1" }] }), []);
  assert.deepEqual(run(m, { a: [{ k: "x", v: "2" }] }, { a: [{ k: "x", v: "1" }] }), ["a[0].v Invalid"]);
  assert.deepEqual(run(one({ listType: "set" }, { repeated: true }), { a: ["x", "x"] }), ["a[1] Duplicate"]);
});

Deno.test("tags: what an update may do", () => {
  assert.deepEqual(run(one({ immutable: true }), { a: "y" }, { a: "x" }), ["a Invalid"]);
  assert.deepEqual(run(one({ update: "NoSet" }), { a: "x" }, {}), ["a Invalid"]);
  assert.deepEqual(run(one({ update: "NoUnset" }), {}, { a: "x" }), ["a Invalid"]);
  assert.deepEqual(run(one({ update: ["NoModify", "NoUnset"] }), { a: "x" }, {}), []);
  assert.deepEqual(run(one({ update: ["NoModify"] }), { a: "x" }, { a: "y" }), ["a Invalid"]);
  assert.deepEqual(run(one({ maxLength: 1 }), { a: "xx" }, { a: "xx" }), [], "unchanged fields are not looked at");
});

Deno.test("tags: gates and stages", () => {
  const gated = one({ "ifEnabled(G)>maxLength": 1, "ifDisabled(G)>forbidden": true });
  assert.deepEqual(run(gated, { a: "xx" }), ["a Forbidden"]);
  assert.deepEqual(run(gated, { a: "xx" }, undefined, ["G"]), ["a TooLong"]);
  assert.deepEqual(run(one({ "alpha@1.37:maxLength": 1 }), { a: "xx" }), []);
  assert.deepEqual(run(one({ "beta@1.37:maxLength": 1 }), { a: "xx" }), ["a TooLong"]);
});

Deno.test("tags: parts and neighbours", () => {
  const part = message(field("n", "string", {}));
  assert.deepEqual(run(one({ "subfield(n)>maxLength": 1 }, {}, part), { a: { n: "xx" } }), ["a.n TooLong"]);
  const pair = message(
    field("a", "string", { "dependentRequired(b)": true }),
    field("b", "string", {}, { pointer: true }),
  );
  assert.deepEqual(run(pair, { a: "x" }), ["b Required"]);
  assert.deepEqual(run(pair, { a: "x", b: "y" }), []);
});

Deno.test("tags: a cause that rules gave stands once", () => {
  const before = new ErrorList();
  before.tooLong(Path.of("a"), 1);
  assert.deepEqual(run(one({ maxLength: 1 }), { a: "xx" }, undefined, [], before), ["a TooLong"]);
});

Deno.test("tags: that a field may not change is another cause than a fault of its value, and stands once too", () => {
  const fault = new ErrorList(), change = new ErrorList(), once = new ErrorList();
  fault.invalid(Path.of("a"), "b", "must be good");
  assert.deepEqual(run(one({ immutable: true }), { a: "b" }, { a: "c" }, [], fault), ["a Invalid", "a Invalid"]);
  change.invalid(Path.of("a"), "b", "field is immutable");
  assert.deepEqual(run(one({ immutable: true }), { a: "b" }, { a: "c" }, [], change), ["a Invalid"]);
  once.invalid(Path.of("a"), "b", "field is immutable");
  assert.deepEqual(run(one({ update: ["NoModify"] }), { a: "b" }, { a: "c" }, [], once), ["a Invalid"]);
});

/** Tags that are no rules by their name alone: what they belong to, or where their rule is. */
const OTHER_TAGS: Readonly<Record<string, string>> = {
  listType: "keys and items of lists: uniqueRule",
  listMapKey: "keys and items of lists: uniqueRule",
  unique: "keys and items of lists: uniqueRule",
  customUnique: "uniqueness by hand: conditions of signing requests",
  unionMember: "unions: compileUnions",
  zeroOrOneOfMember: "unions: compileUnions",
  item: "carries membership of a union",
  modeDiscriminator: "read by ifMode",
  ifMode: "compileModes",
  ifEnabled: "compileTag",
  ifDisabled: "compileTag",
  subfield: "compileTag",
  eachKey: "compileTag",
  eachVal: "compileTag",
  opaqueType: "rules of the type are not the field's",
  customValidation: "by hand: eviction_responders.ts, conditions.ts",
};

Deno.test("every tag of the definitions is a rule, or belongs to one", () => {
  const seen = new Set<string>();
  const note = (validate: Readonly<Record<string, Json>> | undefined) => {
    for (const key of Object.keys(validate ?? {})) {
      for (const step of key.replace(/^(alpha|beta)@[\d.]+:/, "").split(">")) {
        seen.add(step.replace(/^(alpha|beta)@[\d.]+:/, "").replace(/\(.*$/, ""));
      }
    }
  };
  for (const module of MODULES) {
    for (const id of messageIds(module.short)) {
      for (const f of builtInMessage(id)!.json) note(f.validate);
    }
  }
  assert.deepEqual([...seen].filter((t) => !TAG_NAMES.includes(t) && !(t in OTHER_TAGS)), []);
  assert.deepEqual(Object.keys(OTHER_TAGS).filter((t) => !seen.has(t)), []);
});

Deno.test("tags: an entry that is called like what objects inherit is new where it was not there", () => {
  const map = { map: true }, old = { a: { x: "x" } };
  assert.deepEqual(run(one({ "eachKey>format": "k8s-short-name" }, map), { a: { toString: "x" } }, old), ["a Invalid"]);
  assert.deepEqual(run(one({ "eachVal>update": ["NoModify"] }, map), { a: { constructor: "x" } }, old), []);
  const inner = message(field("b", "string", { update: ["NoSet"] }));
  assert.deepEqual(run(one({}, map, inner), { a: { constructor: { b: "x" } } }, { a: { x: {} } }), []);
});
