/** What expressions do with long texts and lists: each of these held the process, or took all its memory. */
import assert from "node:assert/strict";
import { BIND, BOOL, compile, type Spent } from "../../schema/cel/mod.ts";
import { celType, celValue } from "../../schema/customresources/cel_types.ts";
import type { Schema } from "../../schema/customresources/schema.ts";
import type { Json, JsonMap } from "../../schema/model/types.ts";

const TEXT: Schema = { type: "string" }, THING: Schema = { type: "object", properties: { n: TEXT } };
const SCHEMA: Schema = {
  type: "object",
  properties: {
    t: TEXT,
    part: TEXT,
    emoji: TEXT,
    url: TEXT,
    list: { type: "array", items: TEXT },
    things: { type: "array", items: THING },
    set: { type: "array", "x-kubernetes-list-type": "set", items: TEXT },
    times: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string", format: "date-time" } },
    keyed: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["n"],
      items: THING,
    },
    map: { type: "object", additionalProperties: TEXT },
    loose: { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { z: TEXT } },
  },
};

const many = (n: number, of: (i: number) => Json): Json[] => Array.from({ length: n }, (_, i) => of(i));
const entries = (n: number, v: Json): JsonMap => Object.fromEntries(many(n, (i) => [`k${i}`, v]) as [string, Json][]);
const OLD: JsonMap = {
  t: "a".repeat(1_000_000),
  part: "a".repeat(200_000) + "b" + "a".repeat(200_000),
  emoji: "😀".repeat(500_000),
  url: `https://[${"%25".repeat(500_000)}\u2028]`,
  list: many(50_000, (i) => `a${i}`),
  things: many(100_000, (i) => ({ n: `b${i}` })),
  set: many(200_000, (i) => `s${i}`),
  times: many(50_000, (i) => new Date(Number(i) * 1000).toISOString()),
  keyed: many(100_000, (i) => ({ n: `n${i}` })),
  map: entries(100_000, "v"),
  loose: entries(100_000, null),
};
const reversed = (v: Json | undefined): Json[] => (v as Json[]).toReversed();
const SELF: JsonMap = {
  ...OLD,
  loose: { ...OLD["loose"] as JsonMap },
  set: reversed(OLD["set"]),
  times: reversed(OLD["times"]),
  keyed: reversed(OLD["keyed"]),
};

const TYPE = celType(SCHEMA, "self")!;
function run(rule: string, spent?: Spent): unknown {
  const program = compile(rule, new Map([["self", TYPE], ["oldSelf", TYPE], [BIND, BOOL]]));
  return program.run({ self: celValue(SELF, SCHEMA), oldSelf: celValue(OLD, SCHEMA) }, spent);
}

const TRUE = [
  "self.t.indexOf(self.part) == -1 && self.t.lastIndexOf(self.part) == -1 && (self.t + self.part).indexOf(self.part) == 1000000",
  "(self.t + self.part + self.t).lastIndexOf(self.part) == 1000000 && self.t.lastIndexOf('a') == 999999",
  "self.t.replace(self.part, '') == self.t && self.t.replace('a', 'b', 500000).lastIndexOf('b') == 499999",
  "self.t.split(self.part).size() == 1 && (self.part + self.part).split(self.part).size() == 3",
  "self.part.findAll('[a-c]{100}').size() == 4000",
  "!isURL(self.url)",
  "self.set == oldSelf.set && self.keyed == oldSelf.keyed && self.times == oldSelf.times && self.loose == oldSelf.loose",
  "(self.set + oldSelf.set).size() == 200000 && (self.keyed + oldSelf.keyed).size() == 100000",
  "(self.times + oldSelf.times).size() == 50000",
  "self.list.all(x, self.things.size() > 0 && self.things[0].n != x)",
  "self.list.all(x, self.map.size() > 0)",
  "self.list.all(x, self.things.exists(y, true))",
  "self.list.all(x, self.t != x)",
  "self.list.all(x, self.emoji.size() == 500000)",
];

Deno.test("what is long is looked at a few times, not as often as it is long", () => {
  for (const rule of TRUE) assert.equal(run(rule), true, rule);
});

const doubled = (list: string): string => `cel.bind(x, ${list}, `.concat("cel.bind(x, x + x, ".repeat(40));
const TOO_MUCH = [
  `${doubled("self.list")}x.size() > 0${")".repeat(41)}`,
  "self.list.map(x, self.things + self.things).size() > 0",
  "self.list.map(x, self.things).flatten().size() > 0",
  "lists.range(1000000000).size() > 0",
  "self.things.distinct().size() > 0",
  "self.set.sort().size() > 0",
  "self.list.map(x, self.t).join().size() > 0",
  "self.t.replace('', self.part).size() > 0",
  "'%s'.format([self.list.map(x, self.t)]).size() > 0",
  "self.list.map(x, self.t.replace('a', 'b', 1)).size() > 0",
  "self.list.map(x, self.things).flatten().size() > 0 || true",
  "self.t.matches('^(.{0,1000})*$')",
  "self.t.find('(b?){1000}c') == ''",
  "self.t.findAll('(b?){1000}c').size() == 0 || true",
  "self.t.findAll('a(.*b)?').size() == 0 || true",
];

Deno.test("an expression that would make too much of little is cancelled before it does", () => {
  for (const rule of TOO_MUCH) {
    assert.throws(() => run(rule), { message: "operation cancelled: actual cost limit exceeded" }, rule);
  }
});

Deno.test("what costs are told of a call before it is made", () => {
  const rows: readonly (readonly [string, number])[] = [
    ["lists.range(3) == []", 3 + 11 + 0],
    ["lists.range(3).slice(1, 3) == []", 14 + 2 + 11],
    ["lists.range(3).reverse() == []", 14 + 3 + 11],
    ["dyn(['ab', '😀']).join('--') == ''", 1],
  ];
  for (const [rule, cost] of rows) {
    const spent: Spent = { cost: 0 };
    run(rule, spent);
    assert.equal(spent.cost, cost, rule);
  }
});

const CHARACTERS = [
  "'a😀b😀'.replace('', '-') == '-a-😀-b-😀-' && 'a😀b'.replace('', '-', 2) == '-a-😀b'",
  "'a😀b😀'.indexOf('b') == 2 && 'a😀b😀'.lastIndexOf('😀') == 3 && 'a😀b😀'.indexOf('😀', 2) == 3",
  "'a😀b😀'.charAt(1) == '😀' && 'a😀b'.charAt(3) == '' && 'a😀b'.substring(1, 2) == '😀' && 'a😀b'.substring(2) == 'b'",
  "'a😀b'.split('') == ['a', '😀', 'b'] && 'a😀b'.split('', 2) == ['a', '😀b'] && ''.split('') == []",
  "'a,b,c'.split(',', 2) == ['a', 'b,c'] && 'a,b,c'.split(',', 0) == [] && 'aaa'.split('aa') == ['', 'a'] && ''.split(',') == ['']",
  "'aaaa'.replace('aa', 'b') == 'bb' && 'aaaa'.replace('a', 'b', 0) == 'aaaa' && 'aaa'.replace('a', 'aa', 2) == 'aaaaa'",
  "'abcabc'.lastIndexOf('abc', 2) == 0 && 'abc'.lastIndexOf('') == 3 && 'abc'.indexOf('') == 0",
  "int('-0000000000000000000000000000012') == -12 && int('+007') == 7 && uint('007') == 7u",
  "int('000') == 0 && int('-0') == 0 && uint('0') == 0u && uint('00100') == 100u",
  "!isSemver('99999999999999999999999.0.0')",
];

Deno.test("texts are of characters, wherever they are cut", () => {
  for (const rule of CHARACTERS) assert.equal(run(rule), true, rule);
  assert.throws(() => run(`int('${"9".repeat(30)}') == 0`), /integer overflow/);
  for (const text of ["", "+", "x0", `${"0".repeat(1 << 20)}x`]) {
    for (const type of ["int", "uint"]) {
      assert.throws(() => run(`string(${type}('${text}')) == ''`), /type conversion error from 'string' to 'u?int'/);
    }
  }
});

Deno.test("a literal of bytes may be long", () => {
  assert.equal(run(`b'${"a".repeat(200_000)}'.size() == 200000`), true);
});
