import assert from "node:assert/strict";
import { encodeJson, MAX_DEPTH, parseJson, stringifyJson } from "../../schema/codec/json.ts";
import type { Json } from "../../schema/model/types.ts";
import { ValueError } from "../../schema/values/error.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (b: Uint8Array) => new TextDecoder().decode(b);

Deno.test("json: values, from text and from bytes", () => {
  const table: [string, Json][] = [
    ["null", null],
    [" true\n", true],
    ["-0.5e3", -500],
    ['"a\\u00e9\\n"', "aé\n"],
    ["[]", []],
    ['{"a":{"b":[1,"x",null]}}', { a: { b: [1, "x", null] } }],
    ['"\u{1F600}"', "\u{1F600}"],
  ];
  for (const [input, want] of table) {
    assert.deepEqual(parseJson(input).tree, want);
    assert.deepEqual(parseJson(bytes(input)).tree, want);
  }
});

Deno.test("json: whole numbers of 64 bits are kept; wider ones are floats", () => {
  const table: [string, Json][] = [
    ["9007199254740991", 9007199254740991],
    ["9007199254740993", 9007199254740993n],
    ["-9007199254740993", -9007199254740993n],
    ["9223372036854775807", 9223372036854775807n],
    ["-9223372036854775808", -9223372036854775808n],
    ["123456789012345678901234567890", 123456789012345678901234567890],
    ["123456789012345678901", 123456789012345678901],
    ["9007199254740993.0", 9007199254740992],
    ["12345678901234567e3", 12345678901234567000],
  ];
  for (const [input, want] of table) {
    assert.deepEqual(parseJson(`{"a":[${input}]}`).tree, { a: [want] }, input);
    assert.deepEqual(parseJson(input).tree, want, input);
  }
  assert.deepEqual(parseJson('["a:1e999", 1e-999, 0e999, 1e308]').tree, ["a:1e999", 0, 0, 1e308]);
  for (const input of ["1e999", "[-1E+400]", "1" + "0".repeat(400)]) {
    assert.throws(() => parseJson(input), /is out of range/);
  }
  const mixed = '{"s":"12345678901234567","n":12345678901234567,"m": 5}';
  assert.deepEqual(parseJson(mixed).tree, { s: "12345678901234567", n: 12345678901234567n, m: 5 });
  assert.equal(stringifyJson(parseJson(mixed).tree), '{"s":"12345678901234567","n":12345678901234567,"m":5}');
});

Deno.test("json: bytes that are not UTF-8 and half surrogates become U+FFFD", () => {
  assert.equal(parseJson(Uint8Array.of(0x22, 0xff, 0x61, 0x22)).tree, "\ufffda");
  assert.equal(parseJson('"\\ud800x"').tree, "\ufffdx");
  assert.deepEqual(parseJson('{"\\udc00":["\\ud83d\\ude00"]}').tree, { "\ufffd": ["\u{1F600}"] });
  const twice = parseJson('{"\\udc00":1,"\\udc01":"\\ud800"}', { duplicates: true });
  assert.deepEqual(twice.tree, { "\ufffd": "\ufffd" });
  assert.deepEqual(twice.duplicates, ['duplicate field "\ufffd"']);
});

Deno.test("json: a key named __proto__ is a key", () => {
  for (
    const input of ['{"__proto__":{"x":1}}', '{"__proto__":{"x":12345678901234567}}', '{"__proto__":{"x":"\\ud800"}}']
  ) {
    const tree = parseJson(input).tree as Record<string, unknown>;
    assert.deepEqual(Object.keys(tree), ["__proto__"]);
    assert.equal(Object.getPrototypeOf(tree), Object.prototype);
  }
});

Deno.test("json: what is wrong, in the public words", () => {
  const table: [string, string][] = [
    ["", "unexpected end of JSON input"],
    ["{", "unexpected end of JSON input"],
    ['{"a"', "unexpected end of JSON input"],
    ["[1,2", "unexpected end of JSON input"],
    ['"abc', "unexpected end of JSON input"],
    ["tru", "unexpected end of JSON input"],
    ["x", "invalid character 'x' looking for beginning of value"],
    ["[1,]", "invalid character ']' looking for beginning of value"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ["{a:1}", "invalid character 'a' looking for beginning of object key string"],
    ["[1 2]", "invalid character '2' after array element"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b":2}', "invalid character '\"' after object key:value pair"],
    ["nul1", "invalid character '1' in literal null (expecting 'l')"],
    ["01", "invalid character '1' after top-level value"],
    ["-x", "invalid character 'x' in numeric literal"],
    ["1.x", "invalid character 'x' after decimal point in numeric literal"],
    ["1ex", "invalid character 'x' in exponent of numeric literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u00g0"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['"\\u000g"', "invalid character 'g' in \\u hexadecimal character escape"],
    ["[1e+2 x", "invalid character 'x' after array element"],
    ["\x7f", "invalid character '\\x7f' looking for beginning of value"],
    ['"a\nb"', "invalid character '\\n' in string literal"],
    ['"\u0001"', "invalid character '\\x01' in string literal"],
    ["{} {}", "invalid character '{' after top-level value"],
    ["\ufeff{}", "invalid character '\ufeff' looking for beginning of value"],
    ["'a'", "invalid character '\\'' looking for beginning of value"],
  ];
  for (const [input, message] of table) {
    assert.throws(() => parseJson(input), (e: unknown) => e instanceof ValueError && e.message === message, input);
    assert.throws(() => parseJson(bytes(input)), { message }, input);
  }
});

Deno.test("json: depth is bounded, in good and in broken texts", () => {
  const nested = (n: number) => "[".repeat(n) + "]".repeat(n);
  const maps = (n: number) => '{"a":'.repeat(n) + "1" + "}".repeat(n);
  parseJson(nested(MAX_DEPTH));
  parseJson(maps(MAX_DEPTH), { duplicates: true });
  parseJson("[" + "[],".repeat(5000) + "1]");
  for (
    const input of [
      nested(MAX_DEPTH + 1),
      maps(MAX_DEPTH + 1),
      nested(1_000_000),
      "[12345678901234567," + nested(100_000) + "]",
    ]
  ) {
    assert.throws(() => parseJson(input, { duplicates: true }), /exceeded max depth/);
  }
  assert.throws(() => parseJson("[".repeat(1_000_000)), /unexpected end/);
});

Deno.test("json: duplicate fields by place, each once, when asked for", () => {
  const table: [string, string[]][] = [
    ["{}", []],
    ['{"a":1,"b":1}', []],
    ['{"a":1,"a":2}', ['duplicate field "a"']],
    ['{"a":1,"a":2,"a":3}', ['duplicate field "a"']],
    ['{"a":1,"\\u0061":2}', ['duplicate field "a"']],
    ['{"spec":{"x":[{"y":1},{"y":1,"y":2}]}}', ['duplicate field "spec.x[1].y"']],
    ['[[{"a":[]}],[{"a":1,"b":[{}],"a":2}]]', ['duplicate field "[1][0].a"']],
    ['{"a":{"x":1},"b":{"x":1,"x":2},"a":{}}', ['duplicate field "b.x"', 'duplicate field "a"']],
    ['{"a":"{\\"b\\":1,\\"b\\":2}","c":"\\\\","d":"]"}', []],
    ['{"c":"\\\\","d":1,"d":2}', ['duplicate field "d"']],
    ['{"a":[{},"b"],"a":1}', ['duplicate field "a"']],
    ['{"a":[1,2,{"b":"x"},{"b":"y"}]}', []],
    ['{"toString":1,"__proto__":1,"__proto__":2}', ['duplicate field "__proto__"']],
  ];
  for (const [input, want] of table) {
    assert.deepEqual(parseJson(input, { duplicates: true }).duplicates, want, input);
    assert.deepEqual(parseJson(input).duplicates, []);
  }
  const wide = `{${Array.from({ length: 20 }, (_, i) => `"k${i}":${i}`).join(",")},"k0":1,"k15":1}`;
  assert.deepEqual(parseJson(wide, { duplicates: true }).duplicates, ['duplicate field "k0"', 'duplicate field "k15"']);
  const many = "{" + Array.from({ length: 500 }, (_, i) => `"k${i % 250}":${i}`).join(",") + "}";
  assert.equal(parseJson(many, { duplicates: true }).duplicates.length, 100);
});

Deno.test("json: bodies", () => {
  const value: Json = { a: [], b: {}, c: "<a&b>\u2028", d: 2n ** 60n, e: [1, { f: null }] };
  assert.equal(
    text(encodeJson(value)),
    '{"a":[],"b":{},"c":"\\u003ca\\u0026b\\u003e\\u2028","d":1152921504606846976,"e":[1,{"f":null}]}\n',
  );
  assert.equal(text(encodeJson({ a: [1, {}], b: [] }, true)), '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": []\n}');
  assert.equal(stringifyJson(1e21), "1e+21");
  assert.equal(text(encodeJson({ a: [1, { f: null }] })), '{"a":[1,{"f":null}]}\n');
});

Deno.test("json: keys that are whole numbers stand among the others by their bytes, as the public server writes maps", () => {
  const table: [string, string][] = [
    ['{"9":1,"10":2}', '{"10":2,"9":1}'],
    ['{"a":0,"9":1,"10":2,"-1":3,"007":4}', '{"-1":3,"007":4,"10":2,"9":1,"a":0}'],
    [
      '{"b":{"2":[{"1":0,"00":1}],"11":12345678901234567},"a":"\\"5\\":"}', // what has no such key keeps its order
      '{"b":{"11":12345678901234567,"2":[{"00":1,"1":0}]},"a":"\\"5\\":"}',
    ],
    ['{"5":9007199254740993,"41":9007199254740993}', '{"41":9007199254740993,"5":9007199254740993}'],
    ['{"4294967296":1,"9":2}', '{"4294967296":1,"9":2}'],
  ];
  for (const [input, want] of table) {
    const { tree } = parseJson(input);
    assert.equal(stringifyJson(tree), want);
    assert.equal(text(encodeJson(tree)), want + "\n");
    assert.equal(stringifyJson(tree, true).replace(/\n */g, "").replaceAll('": ', '":'), want);
  }
});

Deno.test("json: a place deep down that stands there again and again is one report, and costs no time", () => {
  const key = "a".repeat(1000), deep = MAX_DEPTH - 10;
  const text = `{"${key}":`.repeat(deep) + "{" + '"x":1,'.repeat(300_000) + '"x":1}' + "}".repeat(deep);
  const want = `${`${key}.`.repeat(deep)}x`;
  assert.deepEqual(parseJson(text, { duplicates: true, whole: true }).duplicates, [`duplicate field "${want}"`]);
});
