/** Field sets: the public encoding row by row, and their algebra against plain sets of texts. */
import assert from "node:assert/strict";
import {
  compareElements,
  FieldSetError,
  keyElement,
  parseElement,
  type Path,
  pathText,
  valueElement,
} from "../../schema/merge/fieldpath.ts";
import { decodeFields, encodeFields } from "../../schema/merge/fields_v1.ts";
import { FieldSet } from "../../schema/merge/fieldset.ts";
import type { JsonMap } from "../../schema/model/types.ts";
import { randomJson } from "./_random.ts";
import { Random } from "../fixture/random.ts";

const K = keyElement({ name: "a" });

const ENCODED: [name: string, paths: Path[], fields: JsonMap][] = [
  ["nothing", [], {}],
  ["the object itself is not recorded", [[]], {}],
  ["a member", [["f:a"]], { "f:a": {} }],
  ["a member below another", [["f:a", "f:b"]], { "f:a": { "f:b": {} } }],
  ["both", [["f:a"], ["f:a", "f:b"]], { "f:a": { ".": {}, "f:b": {} } }],
  ["an item by key", [["f:a", K], ["f:a", K, "f:name"]], { "f:a": { [K]: { ".": {}, "f:name": {} } } }],
  ["a value", [["f:a", valueElement("x")]], { "f:a": { 'v:"x"': {} } }],
  ["an index", [["f:a", "i:10"], ["f:a", "i:9"]], { "f:a": { "i:9": {}, "i:10": {} } }],
];

for (const [name, paths, fields] of ENCODED) {
  Deno.test(`fieldsV1: ${name}`, () => {
    const set = FieldSet.of(...paths);
    assert.equal(JSON.stringify(encodeFields(set)), JSON.stringify(fields));
    assert.ok(decodeFields(JSON.parse(JSON.stringify(fields))).equals(set));
  });
}

Deno.test("fieldsV1: members in the public order", () => {
  const elements = [
    "f:",
    "f:A",
    "f:a",
    "f:b",
    "f:é",
    "f:\uffee",
    "f:\u{1f600}",
    keyElement({ a: 2, b: 1 }),
    keyElement({ a: 2, b: 10 }),
    keyElement({ a: 10 }),
    keyElement({ a: "x" }),
    keyElement({ b: 0 }),
    valueElement(-1),
    valueElement(1.5),
    valueElement(12),
    valueElement("a"),
    valueElement("b"),
    valueElement(false),
    valueElement(true),
    valueElement([1]),
    valueElement({ a: 1 }),
    valueElement(null),
    "i:2",
    "i:10",
  ];
  for (let seed = 1; seed <= 20; seed++) {
    const r = new Random(seed);
    const shuffled = elements.map((e) => [r.below(1e9), e] as const).sort(([a], [b]) => a - b).map(([, e]) => e);
    assert.deepEqual(shuffled.sort(compareElements), elements);
  }
});

const ELEMENTS: [given: string, canonical: string | undefined | FieldSetError][] = [
  ["f:name", "f:name"],
  ["f:", "f:"],
  ["f:a:b", "f:a:b"],
  ['k:{"b":1,"a":"x"}', 'k:{"a":"x","b":1}'],
  ['k: { "a" : 1.0 }', 'k:{"a":1}'],
  ["k:{}", "k:{}"],
  ['v:"a<b"', 'v:"a\\u003cb"'],
  ['v:"a\\u003cb"', 'v:"a\\u003cb"'],
  ["v:12345678901234567890", "v:12345678901234567890"],
  ["v: true ", "v:true"],
  ["i:007", "i:7"],
  ["i:-1", "i:-1"],
  ["x:later", undefined],
  ["f", new FieldSetError()],
  ["", new FieldSetError()],
  ["name", new FieldSetError()],
  ["k:[1]", new FieldSetError()],
  ["k:{", new FieldSetError()],
  ["k:{} x", new FieldSetError()],
  ["v:", new FieldSetError()],
  ["v:tru", new FieldSetError()],
  ["i:x", new FieldSetError()],
  ["i:1.5", new FieldSetError()],
];

for (const [given, want] of ELEMENTS) {
  Deno.test(`path element ${JSON.stringify(given)}`, () => {
    if (want instanceof FieldSetError) assert.throws(() => parseElement(given), FieldSetError);
    else assert.equal(parseElement(given), want);
  });
}

Deno.test("path texts as messages show them", () => {
  assert.equal(pathText(["f:spec", "f:containers", K, "f:args"]), '.spec.containers[name="a"].args');
  assert.equal(
    pathText(["f:spec", "f:ports", keyElement({ port: 80, protocol: "TCP" })]),
    '.spec.ports[port=80,protocol="TCP"]',
  );
  assert.equal(pathText(["f:metadata", "f:finalizers", valueElement("x.io/a")]), '.metadata.finalizers[="x.io/a"]');
  assert.equal(pathText(["f:a", "i:3"]), ".a[3]");
});

Deno.test("fieldsV1: malformed ones", () => {
  for (const fields of [1, "a", [], null, { "f:a": 1 }, { "f:a": [] }, { a: {} }, { "f:a": { "k:x": {} } }]) {
    assert.throws(() => decodeFields(fields), FieldSetError, JSON.stringify(fields));
  }
  assert.ok(decodeFields({ "x:later": { "y": 1 } }).empty);
  assert.ok(decodeFields({ "f:a": null }).has(["f:a"]));
  assert.ok(decodeFields({ "f:a": { ".": 5 } }).has(["f:a"]));
});

const NAMES = ["f:a", "f:b", "f:c", K, keyElement({ name: "b" }), valueElement("x"), "i:1"];

function randomSet(r: Random): FieldSet {
  const paths = Array.from({ length: r.below(12) }, () => Array.from({ length: 1 + r.below(4) }, () => r.pick(NAMES)));
  return FieldSet.of(...paths);
}

const texts = (s: FieldSet) => new Set(s.paths().map((p) => p.join("/")));
const sorted = (s: Iterable<string>) => [...s].sort();

Deno.test("field sets: algebra as on plain sets, 3,000 seeded pairs", () => {
  for (let seed = 1; seed <= 3000; seed++) {
    const r = new Random(seed);
    const a = randomSet(r);
    const b = randomSet(r);
    const [x, y] = [texts(a), texts(b)];
    const isBelow = (t: string, s: Set<string>) => [...s].some((p) => t === p || t.startsWith(p + "/"));
    const hint = `seed ${seed}`;
    assert.deepEqual(sorted(texts(a.union(b))), sorted(x.union(y)), hint);
    assert.deepEqual(sorted(texts(a.intersection(b))), sorted(x.intersection(y)), hint);
    assert.deepEqual(sorted(texts(a.difference(b))), sorted(x.difference(y)), hint);
    assert.deepEqual(sorted(texts(a.recursiveDifference(b))), sorted([...x].filter((t) => !isBelow(t, y))), hint);
    assert.deepEqual(
      sorted(texts(a.leaves())),
      sorted([...x].filter((t) => ![...x].some((o) => o.startsWith(t + "/")))),
      hint,
    );
    assert.equal(a.size, x.size, hint);
    for (const p of b.paths()) assert.equal(a.has(p), x.has(p.join("/")), hint);
    assert.ok(a.union(b).equals(b.union(a)), hint);
    assert.ok(a.difference(b).union(a.intersection(b)).equals(a), hint);
    assert.equal(a.equals(b), sorted(x).join() === sorted(y).join(), hint);
    assert.ok(decodeFields(JSON.parse(JSON.stringify(encodeFields(a)))).equals(a), hint);
    for (const s of [a.intersection(b), a.difference(b), a.recursiveDifference(b)]) {
      assert.equal(s.empty, s.size === 0, hint);
    }
  }
});

Deno.test("fieldsV1: JSON of all sorts is read or refused with a FieldSetError, 5,000 seeded", () => {
  const mangle = (r: Random, v: unknown): unknown => {
    if (typeof v !== "object" || v === null || Array.isArray(v)) return r.once(2) ? {} : v;
    return Object.fromEntries(
      Object.entries(v).map(([k, x]) => [r.pick(["f:", "k:", "v:", "i:", "", "z:"]) + k, mangle(r, x)]),
    );
  };
  for (let seed = 1; seed <= 5000; seed++) {
    const r = new Random(seed);
    const fields = mangle(r, randomJson(r, 4, { nulls: true })) as JsonMap;
    try {
      decodeFields(fields);
    } catch (e) {
      assert.ok(e instanceof FieldSetError, `seed ${seed}: ${e}`);
    }
  }
});
