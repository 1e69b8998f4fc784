import assert from "node:assert/strict";
import { CelError, compile, type Type, type Value } from "../../schema/cel/mod.ts";

const run = (text: string, values: Record<string, Value> = {}, types: Record<string, Type> = {}): Value =>
  compile(text, new Map(Object.entries(types))).run(values);

const TRUE = [
  "1 + 2 * 3 == 7 && -7 / 2 == -3 && -7 % 2 == -1",
  "1u + 2u == 3u && 1.5 * 2.0 == 3.0",
  "1 < 2.5 && 3u > 2 && 'a' < 'b'",
  "'abc'.contains('b') && 'abc'.startsWith('a') && 'abc'.endsWith('c') && 'abc'.matches('^[a-c]+$')",
  "size('é😀') == 2 && [1, 2].size() == 2 && {'a': 1}.size() == 1",
  "2 in [1, 2] && 'k' in {'k': 1} && !(3 in [1, 2])",
  "[1, 2, 3].all(x, x > 0) && [1, 2, 3].exists(x, x == 2) && [1, 2, 3].exists_one(x, x > 2)",
  "[1, 2, 3].map(x, x * 2) == [2, 4, 6] && [1, 2, 3].map(x, x > 1, x * 2) == [4, 6]",
  "[1, 2, 3].filter(x, x > 1) == [2, 3]",
  "[5, 6].all(i, v, v == i + 5) && {'a': 1}.all(k, v, k == 'a' && v == 1)",
  "true || 1 / 0 == 1",
  "!(false && 1 / 0 == 1)",
  "(1 > 0 ? 'a' : 'b') == 'a'",
  "r'\\d' == '\\\\d' && \"\"\"a\nb\"\"\".size() == 3 && b'a' == bytes('a')",
  "int('42') == 42 && string(1.5) == '1.5' && double(2) == 2.0 && uint(3) == 3u && bool('true')",
  "type(1) == int && type('a') == string && type([]) == list",
  "timestamp('2020-01-02T03:04:05Z').getFullYear() == 2020 && timestamp('2020-01-02T03:04:05Z').getHours() == 3",
  "timestamp('2020-01-01T01:00:00Z') - timestamp('2020-01-01T00:00:00Z') == duration('1h')",
  "duration('90m').getHours() == 1 && string(duration('90s')) == '90s'",
  "'a,b,c'.split(',') == ['a', 'b', 'c'] && ['a', 'b'].join('-') == 'a-b' && 'abc'.substring(1, 2) == 'b'",
  "'hello'.charAt(1) == 'e' && 'hello'.indexOf('l') == 2 && 'hello'.lastIndexOf('l') == 3 && 'Ab'.lowerAscii() == 'ab'",
  "'a.b'.replace('.', '/') == 'a/b' && ' a '.trim() == 'a'",
  "'%s has %d of %.2f'.format(['x', 3, 1.5]) == 'x has 3 of 1.50'",
  "[1, 2, 3].sum() == 6 && [3, 1].min() == 1 && [3, 1].max() == 3 && [1, 2].isSorted() && [1, 2].indexOf(2) == 1",
  "sets.contains([1, 2], [2]) && sets.intersects([1], [1, 2]) && sets.equivalent([1, 2], [2, 1])",
  "'a1b2'.find('[0-9]') == '1' && 'a1b2'.findAll('[0-9]') == ['1', '2']",
  "quantity('1Gi').isGreaterThan(quantity('1G')) && quantity('1500m').compareTo(quantity('1.5')) == 0 && isQuantity('2Ki')",
  "quantity('1').add(quantity('500m')) == quantity('1500m') && quantity('4').asInteger() == 4",
  "ip('10.0.0.1').family() == 4 && cidr('10.0.0.0/8').containsIP('10.1.2.3') && !isIP('x') && isCIDR('::/0')",
  "url('https://a.example:8080/p?q=1').getHost() == 'a.example:8080' && isURL('/path') && !isURL('a b')",
  "optional.of(1).hasValue() && optional.none().orValue(5) == 5 && {'a': 1}[?'a'].orValue(0) == 1",
  "{'a': 1}.?b.orValue(7) == 7 && [1][?3].hasValue() == false",
  "format.dns1123Label().validate('a-b').hasValue() == false && format.named('none').hasValue() == false",
  "[1, 2].transformList(i, v, i + v) == [1, 3]",
  "format.named('uuid').value().validate('x').value().size() == 1",
  "'%s %d %.1f'.format([['a'], 5, 1.5]) == '[\"a\"] 5 1.5' && '%s'.format([{'a': 1}]) == '{\"a\":1}'",
  "[1.5, 2.5].sum() == 4.0 && duration('1.5s').getMilliseconds() == 1500 && sign(quantity('-1')) == -1",
  "[?optional.of(1), 2] == [1, 2] && {'a': 1, ?'b': optional.none()} == {'a': 1}",
  "dyn(1) == 1.0 && dyn('a') != 1",
  "-9223372036854775808 < 0 && 9223372036854775807 > 0",
];

Deno.test("expressions are true that should be", () => {
  for (const text of TRUE) assert.equal(run(text), true, text);
});

Deno.test("what has no value says so", () => {
  for (
    const text of [
      "1 / 0",
      "[1][5]",
      "{'a': 1}['b']",
      "9223372036854775807 + 1",
      "[].min()",
      "int(dyn('x'))",
    ]
  ) assert.throws(() => run(text), CelError, text);
});

Deno.test("what is no expression, or has no type, is refused before it is evaluated", () => {
  for (
    const text of [
      "1 +",
      "'a' + 1",
      "1 == 'a'",
      "x",
      "nope(1)",
      "'a'.nope()",
      "cel.bind(x, 3, x * x)",
      "[1, 'a']",
      "{'a': 1, 'b': 'c'}",
      "int('a')",
      "duration('a')",
      "'a'.matches('[')",
      "'%d'.format(['a'])",
      "'%s %s'.format([1])",
      "'%q'.format([1])",
      "1 ? 2 : 3",
      "[1].all(x, x)",
      "has(1)",
      "!1",
      "1 && true",
      "if",
      "'a",
      "(((1)",
      "1 in 2",
    ]
  ) assert.throws(() => compile(text, new Map()), CelError, text);
});

Deno.test("an evaluation that takes too long is stopped", () => {
  const list = Array.from({ length: 200 }, (_, i) => BigInt(i));
  const types = { l: { k: "list", of: { k: "int" } } } as const;
  assert.throws(
    () => run("l.all(a, l.all(b, l.all(c, l.all(d, a + b + c + d >= 0))))", { l: list }, types),
    /cost limit/,
  );
});
