import assert from "node:assert/strict";
import { BOOL, compile, type Spent } from "../../schema/cel/mod.ts";
import { extentOf, sizesBelow, timesInRequest } from "../../schema/customresources/cel_sizes.ts";
import { celType, celValue } from "../../schema/customresources/cel_types.ts";
import type { Schema } from "../../schema/customresources/schema.ts";
import type { Json } from "../../schema/model/types.ts";

const TEXT: Schema = { type: "string" }, SHORT: Schema = { type: "string", maxLength: 10 };
const LIST: Schema = { type: "array", items: TEXT }, FIVE: Schema = { type: "array", maxItems: 5, items: SHORT };
const THING: Schema = {
  type: "object",
  properties: {
    t: TEXT,
    s: SHORT,
    l: LIST,
    f: FIVE,
    n: { type: "integer" },
    m: { type: "object", additionalProperties: SHORT },
  },
};

function program(schema: Schema, rule: string) {
  return compile(rule, new Map([["self", celType(schema, "self")!]]), BOOL);
}

const ESTIMATES: readonly (readonly [Schema, string, number])[] = [
  [{ type: "integer" }, "self == 1", 1],
  [{ type: "integer" }, "self > 1", 2],
  [SHORT, "self == 'abc'", 2],
  [SHORT, "self.contains('abc')", 1 + 4],
  [SHORT, "self.matches('^[a-z]+$')", 1 + 5 * 2],
  [SHORT, "matches(self, '^[a-z]+$')", 1 + 5 * 2],
  [TEXT, "self.startsWith('abcdefghijk')", 1 + 2],
  [{ type: "string", enum: ["a", "bb"] }, "self.contains('abc')", 1 + 1],
  [FIVE, "self.all(x, x == 'a')", 2 + 5 * (2 + 1 + 1 + 1)],
  [FIVE, "self.exists(x, x.startsWith('a'))", 2 + 5 * (3 + 1 + 2)],
  [FIVE, "self.map(x, x + 'a').size() == 5", 12 + 5 * (2 + 10 + 1 + 5) + 1 + 1],
  [FIVE, "self.sort() == self", 1 + 1 + 10 + 53 + 1 + 1],
  [THING, "has(self.n) && self.n > 1", 1 + 3],
  [THING, "self.f.all(x, self.f.exists(y, x == y))", 3 + 5 * (3 + 2 + 1 + 5 * (3 + 1 + 2 + 4))],
  [THING, "self.n > 1 ? self.s == 'a' : true", 3 + 3],
  [THING, "isIP(self.s)", 2 + 4],
  [THING, "self.s in self.f", 4 + 5],
  [{ "x-kubernetes-int-or-string": true, maxLength: 5 }, "type(self) == int && self > 1", 1 + 1 + 1 + 2 + 1 + 1],
];

Deno.test("what a rule costs at most follows from the bounds of its schema", () => {
  for (const [schema, rule, cost] of ESTIMATES) {
    assert.equal(program(schema, rule).costAtMost(sizesBelow(extentOf(schema)!)), cost, rule);
  }
});

Deno.test("how often a node fits into a request follows from its least size", () => {
  const rows: readonly (readonly [Schema, number])[] = [
    [TEXT, 1048576],
    [{ type: "boolean" }, 629145],
    [{ type: "object", required: ["ab"], properties: { ab: TEXT } }, Math.floor(3145728 / 11)],
    [{ type: "object", required: ["ab"], properties: { ab: { ...TEXT, default: "x" } } }, 1048576],
    [{ type: "string", format: "date-time" }, Math.floor(3145728 / 22)],
  ];
  for (const [schema, times] of rows) assert.equal(timesInRequest(extentOf(schema)!), times, JSON.stringify(schema));
});

const SELF: Json = { t: "hello world", s: "abc", l: ["a", "b", "c"], f: ["x", "yy"], n: 3, m: { k: "v" } };

const SPENT: readonly (readonly [string, number])[] = [
  ["true", 0],
  ["self.n == 3", 3],
  ["self.n in [1, 2, 3]", 2],
  ["self.s in self.l", 4 + 3],
  ["has(self.n) && self.n > 1", 1 + 3],
  ["self.n > 5 || self.s == 'abc'", 3 + 3],
  ["self.n > 1 ? self.s == 'abc' : self.t == ''", 3 + 3],
  ["self.l.all(x, x == 'z')", 2 + (3 + 1 + 1) + 2 + 1],
  ["self.l.exists(x, x == 'b')", 2 + 2 * (4 + 2) + 3 + 1],
  ["self.l.exists_one(x, x == 'b')", 2 + 3 * 2 + 2 + 2],
  ["self.l.filter(x, x > 'a').size() == 2", 2 + 3 * 2 + 2 * 13 + 1 + 1 + 1],
  ["self.l.map(x, x + 'y') == []", 2 + 3 * (12 + 2) + 1],
  ["self.l.map(x, 1).sum() == 3", 2 + 3 * 2 + 1 + 3 + 1],
  ["self.t.matches('^h')", 2 + 2],
  ["matches(self.t, '^h')", 2 + 2],
  ["self.t.contains('world')", 2 + 2],
  ["self.s.startsWith('hello world')", 2 + 2],
  ["self.t.endsWith('')", 2],
  ["self.m.all(k, self.m[k] == 'v')", 2 + 3 + 3 + 1 + 1],
  ["self.?s.orValue('') == 'abc'", 2 + 1],
  ["self.?s.optMap(v, v + 'd').orValue('') == 'abcd'", 2 + 1 + 1 + (2 + 1 + 1) + 1 + 1],
];

Deno.test("an evaluation tells what it cost", () => {
  for (const [rule, cost] of SPENT) {
    const spent: Spent = { cost: 0 };
    program(THING, rule).run({ self: celValue(SELF, THING) }, spent);
    assert.equal(spent.cost, cost, rule);
  }
});

Deno.test("an evaluation that costs more than one call may is cancelled", () => {
  const l = Array.from({ length: 1000 }, (_, i) => `${i}`), spent: Spent = { cost: 0 };
  const run = () =>
    program(LIST, "self.all(x, self.exists(y, y == 'none') || true)").run({ self: celValue(l, LIST) }, spent);
  assert.throws(run, /cost limit exceeded/);
  assert.ok(spent.cost > 1_000_000);
});

Deno.test("lists are sorted by a key, maps made of entries", () => {
  const self = celValue(SELF, THING);
  for (
    const rule of [
      "self.f.sortBy(x, -x.size()) == ['yy', 'x']",
      "self.m.transformMapEntry(k, v, {v: k}) == {'v': 'k'}",
      "self.f.transformMapEntry(i, x, i > 0, {x: i}) == {'yy': 1}",
    ]
  ) assert.equal(program(THING, rule).run({ self }), true, rule);
});
