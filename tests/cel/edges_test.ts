/** Edges of the language and its libraries, as the public server has them. */
import assert from "node:assert/strict";
import {
  BOOL,
  CelError,
  compile,
  compileFault,
  compilePatch,
  ConstantError,
  DURATION,
  DYN,
  EntryMap,
  INT,
  listOf,
  located,
  STRING,
  typeText,
} from "../../schema/cel/mod.ts";

const NONE = new Map();

const TRUE = [
  "[,] == [] && {,} == {} && [1,] == [1] && [?optional.none(),] == []",
  "'hello'.indexOf('o', 20) == -1 && 'hello'.indexOf('', 3) == 3 && 'hello'.lastIndexOf('h', 5) == -1",
  "'%.2e'.format([1234.5]) == '1.234500×10⁰³'",
  "('a' + '%d').format([1, 2]) == 'a1'",
  "'%.0f %.0f %.1f'.format([2.5, 3.5, 0.25]) == '2 4 0.2'",
  "string(1000000.0) == '1e+06' && string(999999.0) == '999999' && string(0.00001) == '1e-05' && string(-0.0) == '-0'",
  "string(timestamp('2024-01-02T03:04:05+05:30')) == '2024-01-02T03:04:05+05:30'",
  "timestamp('2024-01-02T03:04:05+05:30') == timestamp('2024-01-01T21:34:05Z')",
  "timestamp('2024-01-02T03:04:05.1234567891Z').getMilliseconds() == 123",
  "int(5u) == 5 && double(5u) == 5.0 && string(5u) == '5' && double('1_0') == 10.0",
  "optional.unwrap([optional.of(1), optional.none()]) == [1] && [optional.of('a')].unwrapOpt() == ['a']",
  "type(optional.of(1)) == optional_type && type(ip('10.0.0.1')) == net.IP && type(cidr('10.0.0.0/8')) == net.CIDR",
  "[[], [1]].map(x, x.size()) == [0, 1] && {'a': [], 'b': [1]}.size() == 2 && [{}, {'a': 1}].size() == 2",
  "url('https://EX.com:443/a/../b c').getHost() == 'EX.com:443' && url('https://ex.com:443').getPort() == '443'",
  "url('https://ex.com/a/../b c').getEscapedPath() == '/a/../b%20c' && url('https://ex.com/a[b]').getEscapedPath() == '/a[b]'",
  "url('//ex.com/a').getHost() == 'ex.com' && url('mailto:a@b.c').getHost() == '' && url('https://u:p@[::1]:8/').getHostname() == '::1'",
  "url('https://e.x/?a=1&b;c&a=%zz&a=2+3#f').getQuery() == {'a': ['1', '2 3']} && url('HTTP://a') == url('http://a')",
  "[':', '', 'a', '#x', 'http://a b/', 'http://[a]/', 'http://a:b/', 'http://a/%zz', 'http://{a}'].all(u, !isURL(u))",
  "['*', '//', 'a:b', 'https://', 'http://a:99999', 'http://a/b c', 'http://a/?q=%zz'].all(u, isURL(u))",
  "'%.1f %f'.format([1234567.25, -1234.5]) == '1,234,567.2 -1,234.500000' && '%s'.format([[1234.5]]) == '[1234.500000]'",
  "timestamp('2024-07-10T12:00:00Z').getHours('+2:00') == 14 && timestamp('2024-07-10T12:00:00Z').getHours('') == 12",
  "timestamp('1969-12-31T23:59:59.5Z').getSeconds() == 59 && !ip('255.255.255.255').isGlobalUnicast()",
  "!optional.ofNonZeroValue(b'').hasValue() && !optional.ofNonZeroValue(duration('0s')).hasValue()",
  "optional.ofNonZeroValue(timestamp(0)).hasValue() && format.byte().validate('').hasValue()",
  "!has(dyn('a').b) && !dyn(1).?b.hasValue() && !dyn(null)[?0].hasValue() && !optional.of(dyn('a'))[?0].hasValue()",
  "google.protobuf.Int32Value{value: 5} == 5 && google.protobuf.StringValue{} == ''",
  "google.protobuf.Duration{seconds: 1, nanos: 500000000} == duration('1.5s')",
  "cidr('10.0.0.0/8') != null && null != quantity('1') && null != url('/a') && format.dns1123Label() != null",
  "type(quantity('1')) != type(url('/a')) && '%s'.format([type(quantity('1'))]) == 'kubernetes.Quantity'",
  "string(duration('-1.5s') - duration('100ns')) == '-1.5000000999999998s' && string(duration('100ns')) == '0.0000001s'",
  "int(duration('1.5s')) == 1500000000 && uint(9223372036854775808.0) == 9223372036854775808u",
  "timestamp('2023-01-01T00:00:00,5Z').getMilliseconds() == 500 && !({'a': 1} in {}) && !(null in {})",
  "timestamp('0001-01-01T00:00:00Z').getFullYear('America/New_York') == 0",
  "timestamp('0001-01-01T00:00:00Z').getSeconds('America/New_York') == 58",
  "timestamp('2024-07-10T23:59:59.5Z').getDate('Asia/Tokyo') == 11",
  "'%.1000f'.format([1.5]).size() == 1002 && '%.20f'.format([0.1]) == '0.10000000000000000555'",
  "'%.2f %.1f %.3f'.format([1e21, -0.25, -0.0004]) == '1,000,000,000,000,000,000,000.00 -0.2 -0.000'",
  "!isSemver('18446744073709551616.0.0') && !isSemver('2023-01-01', true) && isSemver('2023.1', true)",
  "!isURL('https://ex.com:80:90/')",
  "['1Gi', '1.5k', '1e18', '999999999999999999', '99999Gi', '1Ti', '0', '5.'].all(q, quantity(q).isInteger())",
  "!['1.0', '1000m', '1.5Gi', '1Pi', '1.0Ki', '1000000000000000000', '10E', '999Ti'].exists(q, quantity(q).isInteger())",
  "quantity('0.0').add(quantity('1')).asInteger() == 1 && !quantity('1.0').sub(1).isInteger()",
  "'\u0085\u00a0\u1680text\u0085'.trim() == 'text' && '\u180etext\u200b\ufeff'.trim() == '\u180etext\u200b\ufeff' && ' '.trim() == ''",
  "strings.quote('\\a\\b\\f\\n\\r\\t\\v\"\\\\\u0001') == '\"\\\\a\\\\b\\\\f\\\\n\\\\r\\\\t\\\\v\\\\\"\\\\\\\\\u0001\"'",
  "!(9223372036854775807 < 9223372036854775808.0) && dyn(9223372036854775807) == 9223372036854775808.0 && 1u < 1.5",
  "google.protobuf.Value{bool_value: true} == true && google.protobuf.ListValue{values: [1]} == [1]",
  "[duration('1s')].filter(d, false).sum() == duration('0s') && [1u].filter(u, false).sum() + 1u == 1u",
  String.raw`'''a\\'''.size() == 2 && b'''\x41\\'''.size() == 2 && """\"a""\\""".size() == 5 && """\"""" == '"'`,
  "dyn([1, 2]).flatten() == [1, 2] && [dyn(1), dyn([2])].flatten() == [1, 2]",
];

Deno.test("expressions are true that should be", () => {
  for (const text of TRUE) assert.equal(compile(text, NONE).run({}), true, text);
});

const NOT_WELL_FORMED = [
  "timestamp('2024-01-02t03:04:05Z')",
  "timestamp('2024-02-30T00:00:00Z')",
  "timestamp('2024-01-02T24:00:00Z')",
  "timestamp('0000-01-01T00:00:00Z')",
  "timestamp(253402300800)",
  "duration(3)",
  "`a`",
  "a.``",
  "a.`b$`",
  "a.`b`(1)",
  "b'\\u00e4'",
  "'\\ud800'",
  "'\\U00110000'",
  "null.size()",
  "[1] == null",
  "{'a': 1} == null",
  "1 in null",
  "optional.of(1).optFlatMap(x, x)",
  "[1, ?a.?b]",
  "[1].all(x, x, true)",
  "a.toString() == ''",
  "a.hasOwnProperty('b')",
  "google.protobuf.Nope{}",
  "[?]",
  "[?,]",
  "[,1]",
  "[1,,]",
  "google.protobuf.Duration{seconds: 'a'}",
  "1e400",
  "rb'a'",
];

Deno.test("expressions are refused that should be", () => {
  for (const text of NOT_WELL_FORMED) {
    assert.throws(
      () => compile(text, new Map([["a", DYN]])),
      (e) => e instanceof CelError && !(e instanceof ConstantError),
      text,
    );
  }
});

Deno.test("what is one or the other is of the type that holds both", () => {
  const type = (text: string) => typeText(compile(text, new Map([["a", DYN]])).type);
  for (const text of ["true ? a : true", "true ? true : a", "optional.of(true).orValue(a)", "([true] + [a])[0]"]) {
    assert.equal(type(text), "dyn", text);
  }
  for (
    const text of [
      "(true ? [] : [true])[0]",
      "optional.none().orValue(true)",
      "a[?0].orValue(true)",
      "a[?'b'].orValue(true)",
      "a.first().orValue(true)",
    ]
  ) assert.equal(type(text), "bool", text);
  assert.throws(() => type("[a[?'b'], optional.of(a)]"), CelError);
  assert.equal(type("[a.?b[?'c'], optional.of(a)]"), "list(optional_type(dyn))");
  assert.throws(() => compile("true ? a : true", new Map([["a", DYN]]), BOOL), CelError);
});

Deno.test("what was taken for one type may be of another that goes as well", () => {
  const a = new EntryMap();
  for (const [name, value] of [["n", 2.5], ["l", [1n, 2n]]] as const) a.set(name, value);
  for (
    const text of [
      "a[?'n'].orValue(0) > 1",
      "a[?'n'].value() < 3",
      "a.l.flatten().all(x, x < 2.5)",
      "a.l.first().orValue(0.5) == 1.0",
      "a.l.first().value() < 1.5",
      "a.l.sortBy(x, -x).first().orValue(1) == 2",
    ]
  ) assert.equal(compile(text, new Map([["a", DYN]]), BOOL).run({ a }), true, text);
});

Deno.test("constants that cannot be had are faults of their own", () => {
  for (
    const text of [
      "int('a')",
      "int(1e30)",
      "int(-9223372036854775808.0)",
      "uint(-0.5)",
      "uint(-1)",
      "int(double('NaN'))",
      "double('1e400')",
      "double('+nan')",
      "double('1_e5')",
      "double('1._5')",
      "double('1__0')",
      "string(null)",
      "int(dyn('a'))",
      "bool(dyn(1))",
      "uint('+1')",
      "'a'.find(string(dyn('(')))",
      "matches('a', '(')",
    ]
  ) {
    assert.throws(() => compile(text, NONE), ConstantError, text);
  }
});

Deno.test("what has no value says so", () => {
  for (
    const text of [
      "timestamp('9999-12-31T23:59:59Z') + duration('1s') == timestamp(0)",
      "'a'.indexOf('a', -1) == 0",
      "[[1]].flatten(-1) == []",
      "timestamp(0).getHours('+02') == 2",
      // The public server has them from files.
      "timestamp(0).getHours('PST') == 2",
      "timestamp(0).getHours('europe/berlin') == 2",
      "google.protobuf.Int32Value{value: 2147483648} == 0",
      "0.0 / 0.0 < 1.0",
      "[1.0, 0.0 / 0.0].max() == 1.0",
      "lists.range(-1) == []",
      "[18446744073709551615u, 1u].sum() == 0u",
      "[duration('2000000h'), duration('2000000h')].sum() == duration('1h')",
      "(-9223372036854775807 - 1) % -1 == 0",
      "'%s'.format([b'\\xff']) == ''",
      "'%s'.format([[b'\\xff']]) == ''",
      "'%.1001f'.format([1.5]) == ''",
    ]
  ) assert.throws(() => compile(text, NONE).run({}), CelError, text);
});

Deno.test("objects that expressions make", () => {
  const value = (text: string) => compilePatch(text, NONE).run({});
  for (
    const text of [
      "Object{a: 1}.a == 1 && !has(Object{}.a) && Object{}.a == null",
      "Object{a: 1} == Object{a: 1} && dyn(Object{}) != dyn({}) && dyn(Object{}) != dyn(Object.a{})",
      "JSONPatch{op: 'a'} == JSONPatch{op: 'a', path: ''} && JSONPatch{}.path == '' && !has(JSONPatch{}.path)",
      "has(JSONPatch{value: null}.value) && !has(JSONPatch{}.value)",
      "jsonpatch.escapeKey('a/b~c') == 'a~1b~0c'",
    ]
  ) assert.equal(value(text), true, text);
  assert.throws(() => value("Object{a: 1} == {'a': 1}"), CelError);
  assert.equal(typeText(compilePatch("[] + [JSONPatch{}]", NONE).type), "list(JSONPatch)");
  assert.equal(typeText(compilePatch("1 > 2 ? [] : [JSONPatch{}]", NONE).type), "list(JSONPatch)");
});

const TYPED = new Map([["i", INT], ["s", STRING], ["d", DURATION], ["l", listOf(STRING)]]);

/** Place and words of what is wrong. */
const WRONG: readonly [text: string, place: string, words: string][] = [
  ["d.size() < 3", "1:7", "found no matching overload for 'size' applied to 'duration.()'"],
  ["size(i)", "1:5", "found no matching overload for 'size' applied to '(int)'"],
  ["s + i", "1:3", "found no matching overload for '_+_' applied to '(string, int)'"],
  ["-s", "1:1", "found no matching overload for '-_' applied to '(string)'"],
  ["!i", "1:1", "found no matching overload for '!_' applied to '(int)'"],
  ["true && i", "1:9", "expected type 'bool' but found 'int'"],
  ["s ? 1 : 2", "1:3", "found no matching overload for '_?_:_' applied to '(string, int, int)'"],
  ["[1, s]", "1:5", "expected type 'int' but found 'string'"],
  ["{'a': 1, 'b': s}", "1:15", "expected type 'int' but found 'string'"],
  ["foo(1)", "1:4", "undeclared reference to 'foo' (in container '')"],
  ["s.startsWith(1)", "1:13", "found no matching overload for 'startsWith' applied to 'string.(int)'"],
  [
    "l.filter(x, i)",
    "1:9",
    "found no matching overload for '_?_:_' applied to '(int, list(string), list(string))'",
  ],
  [
    "cidr('10.0.0.0/8').containsIP(1)",
    "1:30",
    "found no matching overload for 'containsIP' applied to 'net.CIDR.(int)'",
  ],
  ["s.matches(')')", "1:11", "invalid matches argument"],
  ["dyn(s).true", "1:8", "Syntax error: mismatched input 'true'"],
  ["has(dyn(s).?null)", "1:13", "Syntax error: mismatched input 'null'"],
  ["dyn(s).`x-y`", "1:8", "unsupported syntax: '`'"],
  ["i == for", "1:6", "reserved identifier: for"],
  ["has(s)", "1:5", "invalid argument to has() macro"],
  ["has(l[0])", "1:6", "invalid argument to has() macro"],
  ["has(s, s)", "1:4", "undeclared reference to 'has' (in container '')"],
  [
    "s.all(x, true)",
    "1:1",
    "expression of type 'string' cannot be range of a comprehension (must be list, map, or dynamic)",
  ],
  ["[i, ?s]", "1:6", "expected type 'optional_type(string)' but found 'string'"],
  ["{'a': i, ?'b': s}", "1:16", "expected type 'optional_type(string)' but found 'string'"],
  ["'%s %d'.format([i, s])", "1:20", 'error during formatting: clause "%d" does not take a string'],
  ["'%s'.format([i, s])", "1:12", "too many arguments supplied to string.format (expected 1, got 2)"],
  ["9223372036854775808", "1:1", "invalid int literal"],
  ["18446744073709551616u", "1:1", "invalid uint literal"],
  ["\n  i +\n  s", "2:5", "found no matching overload for '_+_' applied to '(int, string)'"],
];

Deno.test("what is wrong with an expression is told with its place", () => {
  const told = (text: string): string => {
    try {
      compile(text, TYPED);
    } catch (e) {
      if (e instanceof CelError) return located(text, e);
      throw e;
    }
    return "";
  };
  for (const [text, place, words] of WRONG) {
    assert.equal(told(text).split("\n")[0], `ERROR: <input>:${place}: ${words}`);
  }
  assert.equal(told("\n\t'é' + i").split("\n").slice(1).join("\n"), " | \t'é' + i\n | ..．..^".replace("\t", " "));
});

Deno.test("all that is wrong with an expression is told, in the order of its places", () => {
  const told = (text: string): string[] => {
    try {
      compile(text, TYPED, BOOL);
    } catch (e) {
      if (e instanceof CelError) return located(text, e).split("\n").filter((line) => line.startsWith("ERROR"));
      throw e;
    }
    return [];
  };
  const ERRORS: readonly (readonly [expression: string, ...told: string[]])[] = [
    [
      "foo(bar)",
      "1:4: undeclared reference to 'foo' (in container '')",
      "1:5: undeclared reference to 'bar' (in container '')",
    ],
    ["i && s", "1:1: expected type 'bool' but found 'int'", "1:6: expected type 'bool' but found 'string'"],
    [
      "nope + 1 == s + i",
      "1:1: undeclared reference to 'nope' (in container '')",
      "1:15: found no matching overload for '_+_' applied to '(string, int)'",
    ],
    [
      "nope.size(1)",
      "1:1: undeclared reference to 'nope' (in container '')",
      "1:10: found no matching overload for 'size' applied to '!error!.(int)'",
    ],
    [
      "{'a': 1, 2: 'b'} == {}",
      "1:10: expected type 'string' but found 'int'",
      "1:13: expected type 'int' but found 'string'",
    ],
    ["duration('x') == duration('y')", "1:10: invalid duration argument", "1:27: invalid duration argument"],
    ["duration('x') == nope", "1:18: undeclared reference to 'nope' (in container '')"],
    ["[1, s] == [nope]", "1:12: undeclared reference to 'nope' (in container '')"],
    [
      "[[1, s, s], [1, s]] == [] || {'a': duration('x'), 'b': s, 'c': i} == {}",
      "1:6: expected type 'int' but found 'string'",
      "1:17: expected type 'int' but found 'string'",
      "1:45: invalid duration argument",
      "1:56: expected type 'duration' but found 'string'",
      "1:64: expected type 'duration' but found 'int'",
    ],
    [
      "l.all(x, x + 1 == y) || l.exists(x, z)",
      "1:12: found no matching overload for '_+_' applied to '(string, int)'",
      "1:19: undeclared reference to 'y' (in container '')",
      "1:37: undeclared reference to 'z' (in container '')",
    ],
  ];
  assert.throws(
    () => compilePatch("JSONPatch{op: 1, path: 2}", TYPED),
    (e: CelError) =>
      located("JSONPatch{op: 1, path: 2}", e).match(/^ERROR.*(?=: expected type of field)/gm)?.join() ===
        "ERROR: <input>:1:13,ERROR: <input>:1:22",
  );
  for (const [text, ...all] of ERRORS) assert.deepEqual(told(text), all.map((one) => `ERROR: <input>:${one}`), text);
  assert.equal(told(Array(200).fill("nope").join(" + ")).length, 100);
  // Each shows the whole line.
  assert.equal(told(Array(100).fill(`nope + '${"x".repeat(10_000)}'`).join(" + ")).length, 1);
});

Deno.test("what is wrong with values is told", () => {
  const told = (text: string): string => {
    try {
      compile(text, TYPED).run({ s: "a" });
    } catch (e) {
      if (e instanceof CelError) return e instanceof ConstantError ? compileFault(text, e) : e.message;
      throw e;
    }
    return "";
  };
  for (
    const [text, words] of [
      ["[1, 2].slice(-1, 1) == []", "cannot slice(-1, 1): an index is negative"],
      ["[1, 2].slice(2, 1) == []", "cannot slice(2, 1): the start is behind the end"],
      ["[1, 2].slice(0, 3) == []", "cannot slice(0, 3): the list has 2 items"],
      ["s.find(')') == ''", "program instantiation failed: error parsing regexp: unexpected ): `)`"],
      ["s.find(s + ')') == ''", "error parsing regexp: unexpected ): `a)`"],
    ]
  ) assert.equal(told(text!), words);
});

/** What is said of a value in which there is nothing to look up. */
const NOWHERE: readonly [text: string, value: unknown, said: string][] = [
  ["a.b", null, "no such key: b"],
  ["a.b", "text", "no such key: b"],
  ["a['b']", null, "no such key: b"],
  ["a[0]", 1n, "no such key: 0"],
  ["a.b", [1n], "a list has no member b"],
];

Deno.test("what has no parts says which one it does not have", () => {
  for (const [text, a, said] of NOWHERE) {
    const program = compile(text, new Map([["a", DYN]]));
    assert.throws(() => program.run({ a: a as null }), (e) => e instanceof CelError && e.message === said, text);
  }
});

Deno.test("a clock is made once for each time zone, however many an expression reads", () => {
  const zones = Intl.supportedValuesOf("timeZone");
  const program = compile("zones.all(z, timestamp(0).getHours(z) >= 0)", new Map([["zones", listOf(STRING)]]));
  const clock = Intl.DateTimeFormat;
  let made = 0;
  Intl.DateTimeFormat = new Proxy(clock, {
    construct: (target, given) => {
      made++;
      return Reflect.construct(target, given);
    },
  });
  try {
    for (let i = 0; i < 2; i++) assert.equal(program.run({ zones }), true);
  } finally {
    Intl.DateTimeFormat = clock;
  }
  assert.ok(zones.length > 100 && made <= zones.length, `${made} of ${zones.length}`);
});
