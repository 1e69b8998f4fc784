import assert from "node:assert/strict";
import { parseYaml, stringifyYaml } from "../../schema/codec/yaml.ts";
import type { Json } from "../../schema/model/types.ts";
import { ValueError } from "../../schema/values/error.ts";
import { samples } from "./_golden.ts";

Deno.test("yaml: samples read as their JSON and write as their YAML", () => {
  for (const { name, json, yaml } of samples()) {
    if (yaml !== undefined) {
      assert.deepEqual(parseYaml(yaml, { duplicates: true }), { tree: json, duplicates: [] }, name);
      assert.equal(stringifyYaml(json), yaml, name);
    }
    assert.deepEqual(parseYaml(stringifyYaml(json)).tree, json, name);
  }
});

Deno.test("yaml: plain scalars by YAML 1.1", () => {
  const table: [string, Json][] = [
    ["yes", true],
    ["On", true],
    ["y", true],
    ["TRUE", true],
    ["no", false],
    ["OFF", false],
    ["N", false],
    ["yEs", "yEs"],
    ["~", null],
    ["null", null],
    ["", null],
    ["nUll", "nUll"],
    ["1", 1],
    ["+1", 1],
    ["-17", -17],
    ["1_000", 1000],
    ["0777", 511],
    ["0o17", 15],
    ["08", 8],
    ["0x1F", 31],
    ["-0b11", -3],
    ["0x", "0x"],
    ["9007199254740993", 9007199254740993n],
    ["9223372036854775807", 9223372036854775807n],
    ["1.5", 1.5],
    ["1.", 1],
    [".5", 0.5],
    ["1e3", 1000],
    ["-1.5E-2", -0.015],
    ["1e", "1e"],
    ["1e400", "1e400"],
    ["1.2.3", "1.2.3"],
    ["12:30:45", "12:30:45"],
    ["2001-12-14", "2001-12-14"],
    ["2001-12-14T21:59:43Z", "2001-12-14T21:59:43Z"],
    ["2001-12-14 21:59:43", "2001-12-14 21:59:43"],
    ["1Gi", "1Gi"],
    ["'1'", "1"],
    ['"yes"', "yes"],
    ["!!str 1", "1"],
    ["!!int '7'", 7],
    ["!!float 1", 1],
    ["!!binary aGVsbG8=", "hello"],
    ["!mine x", "x"],
    ["! 12", "12"],
    ["a b  c", "a b  c"],
    ["-", null],
  ];
  for (const [input, want] of table) {
    const tree = parseYaml(input === "-" ? "k: \n" : `k: ${input}\n`).tree;
    assert.deepEqual(tree, { k: want }, input);
  }
});

Deno.test("yaml: documents, blocks, anchors, merges, keys", () => {
  const table: [string, Json][] = [
    ["", null],
    ["# nothing\n", null],
    ["--- a\n--- b\n", "a"],
    ["a: 1\n---\n]: broken", { a: 1 }],
    ["%YAML 1.1\n---\na: 1\n...\n", { a: 1 }],
    ["\ufeffa: 1", { a: 1 }],
    ["a: |\n  x\n  y\nb: >-\n  p\n  q\n", { a: "x\ny\n", b: "p q" }],
    ["a: |+\n  x\n\n", { a: "x\n\n" }],
    ["- a\n- - b\n  - c\n- d: 1\n  e:\n  - 2\n", ["a", ["b", "c"], { d: 1, e: [2] }]],
    ["args: [\n  a,\n  b\n]\nm: {\n  c: 1,\n}\n", { args: ["a", "b"], m: { c: 1 } }],
    ["a: &x [1, 2]\nb: *x\n", { a: [1, 2], b: [1, 2] }],
    ["a: &x\nb: *x\n", { a: null, b: null }],
    ["b: &b {p: 1, q: 2}\nc:\n  q: 3\n  <<: *b\n", { b: { p: 1, q: 2 }, c: { q: 3, p: 1 } }],
    ["a: {<<: [{x: 1}, {x: 2, z: 3}]}\n", { a: { x: 1, z: 3 } }],
    ["'<<': 1\n", { "<<": 1 }],
    ["1: a\ntrue: b\n1.5: c\nno: d\n0x10: e\n", { "1": "a", true: "b", "1.5": "c", false: "d", "16": "e" }],
    ["? a\n: b\n", { a: "b" }],
    ["[a: 1, b]", [{ a: 1 }, "b"]],
    ['{"a": [1, {"b": null}]}', { a: [1, { b: null }] }],
    ["{a: 1, b}", { a: 1, b: null }],
    ["args: [apply, -f, -]\nm: {a: -}\n", { args: ["apply", "-f", "-"], m: { a: "-" } }],
    ["a: -]\nb:\n- -\n-", { a: "-]", b: [[null], null] }],
    ['a: "\\ud83d\\ude00"', { a: "😀" }],
  ];
  for (const [input, want] of table) {
    assert.deepEqual(parseYaml(input).tree, want, input);
    assert.deepEqual(parseYaml(new TextEncoder().encode(input)).tree, want, input);
  }
});

Deno.test("yaml: lines end with a carriage return or U+0085, too", () => {
  const read = (text: string) => parseYaml(text).tree;
  assert.deepEqual(read("a: 1\rb: 2\r"), { a: 1, b: 2 });
  assert.deepEqual(read("a: 1\u0085b: 2\u0085"), { a: 1, b: 2 });
  assert.deepEqual(read("a: x\u0085  y\nb: 'x\r\n  y'\n"), { a: "x y", b: "x y" });
  assert.deepEqual(read("a: |\n  x\r  y\u0085  z\r\nb: 1\n"), { a: "x\ny\nz\n", b: 1 });
  assert.deepEqual(read("a: 1 # x\u0085b: 2\n"), { a: 1, b: 2 });
});

Deno.test("yaml: UTF-16 by the mark at its beginning", () => {
  const units = Uint16Array.from("\ufeffa: é\n", (c) => c.charCodeAt(0));
  const little = new Uint8Array(units.buffer), big = new Uint8Array(new Uint16Array(units).buffer);
  for (let i = 0; i < big.length; i += 2) [big[i], big[i + 1]] = [big[i + 1]!, big[i]!];
  for (const bytes of [little, big]) assert.deepEqual(parseYaml(bytes).tree, { a: "é" });
});

Deno.test("yaml: a directive of version 1.1 is taken", () => {
  assert.deepEqual(parseYaml("%YAML 1.1\n%TAG !e! tag:e.org,2000:\n---\na: b\n").tree, { a: "b" });
});

Deno.test("yaml: a whole float that 64 bits hold is an integer", () => {
  assert.deepEqual(parseYaml("- 1e18\n- 9007199254740993.0\n- 1e19\n- 2e3\n").tree, [
    10n ** 18n,
    2n ** 53n,
    1e19,
    2000,
  ]);
});

Deno.test("yaml: a float that is a key is written in the fewest digits that 32 bits need", () => {
  const rows = [
    ["1.10", "1.1"],
    ["1e10", "1e+10"],
    ["1234567.5", "1.2345675e+06"],
    ["0.1", "0.1"],
    [".inf", ".inf"],
    [
      "-.inf",
      "-.inf",
    ],
    [".nan", ".nan"],
    ["1e300", ".inf"],
  ];
  for (const [key, name] of rows) assert.deepEqual(parseYaml(`${key}: 1`).tree, { [name!]: 1 });
});

Deno.test("yaml: an alias is a copy", () => {
  const { a, b } = parseYaml("a: &x {k: 1}\nb: *x\n").tree as { a: { k: number }; b: { k: number } };
  a.k = 2;
  assert.equal(b.k, 1);
  assert.deepEqual(parseYaml("[&x 1, &y [&x 2], &x 3, *y, *x]").tree, [1, [2], 3, [2], 3], "the last before it");
});

Deno.test("yaml: a key named __proto__ is a key", () => {
  for (const input of ["__proto__: {x: 1}\n", "a: &a {__proto__: 1}\nb: {<<: *a}\n"]) {
    const tree = parseYaml(input).tree as Record<string, Record<string, unknown>>;
    const map = tree.b ?? tree;
    assert.deepEqual(Object.keys(map), ["__proto__"]);
    assert.equal(Object.getPrototypeOf(map), Object.prototype);
  }
});

Deno.test("yaml: duplicate keys by line, when asked for; the last one wins", () => {
  const input = "a: 1\nb:\n  c: 1\n  c: 2\na: 3\n";
  const want = ['line 4: key "c" already set in map', 'line 5: key "a" already set in map'];
  assert.deepEqual(parseYaml(input, { duplicates: true }), { tree: { a: 3, b: { c: 2 } }, duplicates: want });
  assert.deepEqual(parseYaml(input).duplicates, []);
  assert.deepEqual(parseYaml('{"a":1,\n"a":2}', { duplicates: true }).duplicates, [
    'line 2: key "a" already set in map',
  ]);
});

Deno.test("yaml: a hundred duplicate keys are told, fewer where they are long", () => {
  const told = (key: string) =>
    parseYaml(`a: &a {${key}: 1, ${key}: 2}\nb:\n${"- *a\n".repeat(5000)}`, { duplicates: true }).duplicates;
  assert.equal(told("k").length, 100);
  assert.ok(told("k".repeat(50_000)).length < 30);
});

Deno.test("yaml: what is wrong", () => {
  const laughs = Array.from(
    { length: 9 },
    (_, i) => `k${i}: &a${i} [${i ? Array(10).fill(`*a${i - 1}`).join(",") : "x,x,x"}]`,
  );
  const table: [string, RegExp][] = [
    ["\ta: 1", /line 1/],
    ["a:\n\t- b", /line 2/],
    ["a: [1, 2", /line/],
    ["a: b: c", /line 1/],
    ["a: 'x", /line/],
    ["a: - b", /line 1/],
    ["a: @x", /line 1/],
    ["a: {<<: [[{b: 1}]]}", /map merge requires map or sequence of maps/],
    ["a: *x", /unknown anchor 'x' referenced/],
    ["a: &x [*x]", /anchor 'x' value contains itself/],
    ["~: 1", /unsupported map key/],
    ["[a]: 1", /unsupported map key/],
    ["? {a: 1}\n: 1", /unsupported map key/],
    ["a: .nan", /NaN/],
    ["a: -.inf", /infinities/],
    ["a: !!int x", /cannot decode !!str `x` as a !!int/],
    ["a: !!binary '*'", /base64/],
    ["<<: 3", /map merge requires/],
    ["<<: [3]", /map merge requires/],
    ["a: \u0001", /control characters/],
    ["a: \0", /control characters/],
    [laughs.join("\n"), /excessive aliasing/],
    ["a: &a []\nb: &b [" + "*a,".repeat(999) + "]\nc:\n  <<: [" + "*b,".repeat(999) + "]", /excessive aliasing/],
    ["]".repeat(100_000), /line 1: /],
    ["\n\n]", /line 3: /],
    ["a: ]\nb: 1", /line 1: /],
    ["a: [1]]\nb: 2", /line 1: /],
    ["a:\n  b: {c: d}}\ne: f", /line 2: /],
    ["- a\nb: c", /line 2: /],
    ["a: |\n  b\n}\n", /line 3: /],
    ['a: "\\ud800"', /half of a Unicode character/],
    ["a: [- ]", /line 1: /],
    ["%TAG ! a\n".repeat(1000), /too many directives/],
    ["%a\n---\n{}\n", /unknown directive/],
    ["%YAML 1.2\n---\n{}\n", /incompatible YAML/],
    ["%YAML 1.1\n%YAML 1.1\n---\n{}\n", /duplicate %YAML/],
    ["- a\n".repeat(300_000), /document is too large/],
    ["- ".repeat(5000) + "a", /max depth/],
    ["[".repeat(20_000), /line|max depth/],
    ["{a: ".repeat(2000) + "1" + "}".repeat(2000), /max depth|line/],
  ];
  for (const [input, why] of table) {
    assert.throws(
      () => parseYaml(input),
      (e: unknown) => e instanceof ValueError && why.test(e.message),
      input.slice(0, 40),
    );
  }
  assert.throws(() => parseYaml(Uint8Array.of(0x61, 0xff)), /yaml: invalid UTF-8/);
  assert.throws(() => parseYaml(Uint8Array.of(0xff, 0xfe, 0x00, 0xd8)), /yaml: invalid UTF-16LE/);
});

Deno.test("yaml: how texts are written, and that they read back", () => {
  const table: [string, string][] = [
    ["", '""'],
    ["abc", "abc"],
    ["yes", '"yes"'],
    ["n", '"n"'],
    ["1", '"1"'],
    ["1.5", '"1.5"'],
    ["0x1f", '"0x1f"'],
    ["1_0", '"1_0"'],
    ["12:30", '"12:30"'],
    ["2001-01-01", '"2001-01-01"'],
    ["<<", '"<<"'],
    ["~", '"~"'],
    ["=", "="],
    ["1Gi", "1Gi"],
    ["a: b", "'a: b'"],
    ["x:", "'x:'"],
    [":x", ":x"],
    ["a #b", "'a #b'"],
    ["a#b", "a#b"],
    ["- x", "'- x'"],
    ["-x", "-x"],
    ["it's", "it's"],
    ["'q", "'''q'"],
    ["[x]", "'[x]'"],
    ["a, b", "a, b"],
    ["*a", "'*a'"],
    ["---", "'---'"],
    [" lead", "' lead'"],
    ["trail ", "'trail '"],
    ["tab\there", '"tab\\there"'],
    ["é", "é"],
    ["\u{1F600}", '"\\U0001F600"'],
    ["x\r\ny", '"x\\r\\ny"'],
    ["a \nb", '"a \\nb"'],
    ["a\nb", "|-\n  a\n  b"],
    ["a\nb\n", "|\n  a\n  b"],
    ["a\n\nb\n\n", "|+\n  a\n\n  b\n"],
    [" a\nb", "|2-\n   a\n  b"],
    ["\n", "|2+\n"],
  ];
  for (const [value, want] of table) {
    assert.equal(stringifyYaml({ k: value }), `k: ${want}\n`, JSON.stringify(value));
    for (const tree of [{ k: value }, [value], [[value]], { [value]: { [value]: [value] } }, value]) {
      assert.deepEqual(parseYaml(stringifyYaml(tree)).tree, tree, JSON.stringify(tree));
    }
  }
});

Deno.test("yaml: lines are folded past 80 columns and read back", () => {
  const word = "word ".repeat(40).trim();
  for (
    const value of [
      word,
      `it: ${word}`,
      `"${word}\t`,
      `${word}  ${word}`,
      "x".repeat(200),
      `${"y".repeat(100)} ${word}`,
    ]
  ) {
    const out = stringifyYaml({ key: value, list: [{ deep: [value] }] });
    assert.deepEqual(parseYaml(out).tree, { key: value, list: [{ deep: [value] }] });
  }
  assert.equal(
    stringifyYaml({ k: "abcd ".repeat(20).trim() }),
    `k: ${"abcd ".repeat(16).trim()}\n  ${"abcd ".repeat(4).trim()}\n`,
  );
});

Deno.test("yaml: collections, numbers and the order of keys", () => {
  const tree: Json = {
    a10: 1,
    a2: [],
    B: {},
    _: [[1, [2]], { x: 1, y: [{ z: null }] }],
    f: [1.5, 1234567.5, 0.00001, 1e21, -0.5, true],
    big: 2n ** 63n,
    whole: 1234567,
    nothing: undefined as never,
  };
  const want = `_:
- - 1
  - - 2
- x: 1
  "y":
  - z: null
B: {}
a2: []
a10: 1
big: 9223372036854775808
f:
- 1.5
- 1.2345675e+06
- 1e-05
- 1e+21
- -0.5
- true
whole: 1234567
`;
  assert.equal(stringifyYaml(tree), want);
  const keys = ["k".repeat(128), "é".repeat(64), "a b ".repeat(25).trim()];
  for (const key of keys) assert.equal(stringifyYaml({ [key]: 1 }), `${key}: 1\n`);
  const long = "k".repeat(129);
  const below: Json = { [long]: [1, { x: [] }], "a\nb": { c: 1, d: "2" }, ["é".repeat(65)]: {} };
  const wanted = `? |-
    a
    b
  : c: 1
    d: "2"
  ? ${long}
  : - 1
    - x: []
  ? ${"é".repeat(65)}
  : {}
`;
  assert.equal(stringifyYaml({ k: below }), `k:\n  ${wanted}`);
  assert.deepEqual(parseYaml(stringifyYaml({ k: below })).tree, { k: below });
});

Deno.test("yaml: many scalars, and keys of many digits, take time by their length alone", () => {
  const tree = Object.fromEntries(Array.from({ length: 300_000 }, (_, i) => [`k${i}`, "v"]));
  assert.ok(stringifyYaml(tree).endsWith("k299999: v\n"));
  const digits = "10".repeat(300_000);
  assert.deepEqual(parseYaml(stringifyYaml({ [`${digits}x0`]: 1, [`${digits}x1`]: 2 })).tree, {
    [`${digits}x0`]: 1,
    [`${digits}x1`]: 2,
  });
  const keys = ["00x0", '"0x0"', "a0", "a00", "a100", "a1000", "a10x", "a1x0", "a1x1", "b10", "b1a"];
  const shuffled = keys.map((key) => key.replaceAll('"', "")).reverse();
  assert.deepEqual(stringifyYaml(Object.fromEntries(shuffled.map((key) => [key, 1]))).split(": 1\n"), [...keys, ""]);
});
