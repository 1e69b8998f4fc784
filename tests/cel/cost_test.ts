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

/** What rules cost at most, and what they cost with the values above, as the public server counts. */
const COUNTED: readonly (readonly [rule: string, most: number, spent: number])[] = [
  ["self.s.lowerAscii() == self.s.upperAscii()", 16, 7],
  ["self.s.trim().substring(1) == 'b'", 11, 5],
  ["self.s.replace('b', 'bb') == 'abbc'", 11, 4],
  ["self.s.replace(self.t, '') == self.t.replace('', self.s)", 629166, 13],
  ["self.s.split('b').size() == 2 && self.s.split('', 2).size() == 2", 24, 10],
  ["self.f.join('-') == self.f.join()", 65, 7],
  ["self.f.map(x, x.size()).sum() == 3 && self.f.max() == 'yy' && self.f.isSorted()", 144, 39],
  ["self.f.indexOf('yy') == self.f.lastIndexOf('x')", 55, 5],
  ["self.f.slice(1, 2).reverse() == self.f.distinct()", 90, 48],
  ["self.f.map(x, [x]).flatten() == self.f.sort()", 211, 84],
  ["self.f.sortBy(x, x.size()) == self.f && self.f.sortBy(x, x) == self.f", 316, 108],
  ["lists.range(3).all(i, i < self.n)", 36, 36],
  ["sets.contains(self.f, ['x']) && sets.intersects(self.f, self.f) && sets.equivalent(self.f, self.f)", 103, 27],
  ["self.s.find('[a-c]+') == 'abc' && self.s.findAll('.', 2).size() == 2", 22, 10],
  ["quantity(self.s.size() > 5 ? self.s : '1').isLessThan(quantity('2')) || isQuantity(self.s)", 18, 7],
  ["isIP(self.s) || isCIDR(self.s) || ip('10.0.0.1').isLoopback() || ip.isCanonical('::1')", 15, 9],
  ["cidr('10.0.0.0/8').containsIP('10.0.0.1') && cidr('10.0.0.0/8').containsIP(ip('10.0.0.1'))", 12, 6],
  [
    "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') && cidr('10.0.0.0/8').containsCIDR(cidr('10.1.0.0/16').masked())",
    21,
    13,
  ],
  ["cidr('10.0.0.0/8').ip() == ip('10.0.0.0') && cidr('::/0') == cidr('::/0')", 7, 7],
  [
    "url('https://a.b/c') == url('https://a.b/c') && quantity('1') == quantity('1') && semver('1.0.0') == semver('1.0.0')",
    12,
    11,
  ],
  ["semver('1.0.0').isLessThan(semver('1.0.1')) && isSemver(self.s) == false", 10, 7],
  ["format.dns1123Label().validate(self.s).hasValue() || format.named('uri').hasValue()", 134, 14],
  ["format.uuid() == format.uuid() || format.uri().validate(self.t).hasValue()", 10066349, 3],
  ["'%s %d'.format([self.s, self.n]) == 'abc 3' && self.s.format([]) == self.s", 38, 22],
  ["strings.quote(self.s) == '\"abc\"' && string(bytes(self.s)) == self.s", 35, 11],
  ["bytes(self.s) + b'x' == b'abcx' && bytes(self.s) < b'b' && self.s > self.t", 39, 14],
  ["self.f + self.l == self.l + self.f", 104868, 11],
  ["(self.f + self.f).all(x, x.contains('y')) || self.t + self.s == self.s", 314633, 22],
  ["self.m.exists(k, k == 'k' && self.m[k].startsWith('v'))", 3932153, 13],
  [
    "self.m.transformMap(k, v, v + k) == {'k': 'vk'} && self.m.transformMapEntry(k, v, {v: k}).size() == 1",
    16908344,
    49,
  ],
  ["self.l.transformList(i, x, i > 0, x + self.s).size() == 2", 329875403565, 43],
  ["self.l.exists_one(x, x == 'a') && self.l.existsOne(i, x, i == 1)", 8388608, 24],
  ["[self.s, self.t].map(x, x.size()) == [3, 11] && {'a': self.s}['a'] == 'abc' && {self.s: 1}.size() == 1", 132, 113],
  ["duration('1h') + duration('1s') < duration('2h') && timestamp(0).getHours() == 0 && string(self.n) == '3'", 12, 8],
  [
    "type(self.n) == int && dyn(self.s) == 'abc' && self.n in [1, 2, 3] && 'k' in self.m && self.s in [self.t, self.s]",
    44,
    31,
  ],
  ["self.n == 3 ? self.f.all(x, x.size() < 3) : self.l.all(x, x.size() < 3)", 6291455, 18],
  ["self.f.filter(x, x.size() > 1).map(x, x.upperAscii()).exists(x, x == 'YY')", 195, 44],
];

Deno.test("what calls cost is reckoned before and counted after as on the public server", () => {
  const self = celValue(SELF, THING);
  for (const [rule, most, cost] of COUNTED) {
    const of = program(THING, rule), spent: Spent = { cost: 0 };
    of.run({ self }, spent);
    assert.deepEqual([of.costAtMost(sizesBelow(extentOf(THING)!)), spent.cost], [most, cost], rule);
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
