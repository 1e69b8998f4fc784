/** What each function and operator gives, at its edges, as the public server has it. */
import assert from "node:assert/strict";
import { compile } from "../../schema/cel/mod.ts";

const ROWS: readonly (readonly [about: string, ...expressions: string[]])[] = [
  [
    "arithmetic",
    "1.5 + 2.25 == 3.75 && 1.5 - 2.0 == -0.5 && 7.0 / 2.0 == 3.5 && 3u * 4u == 12u && 9u / 4u == 2u && 9u % 4u == 1u",
    "-7 % 3 == -1 && 7 / -2 == -3 && 5 - 7 == -2 && 5u - 3u == 2u && -(-3) == 3 && -(1.5) == -1.5",
    "b'a' + b'\\xff' == b'a\\xff' && [1] + [] + [2, 1] == [1, 2, 1] && '' + 'é' == 'é'",
  ],
  [
    "order",
    "false < true && true >= true && !(true < false) && b'\\x01' < b'\\x02' && b'a' < b'ab' && 'Z' < 'a' && '￿' < '😀'",
    "timestamp(1) > timestamp(0) && duration('-1s') < duration('0s') && 1u <= 1 && -1 < 0u && 2.0 >= 2u && !(1.0 > 1)",
  ],
  [
    "equality",
    "[1, 2] != [1] && [1] != [1, 2] && [1, 2] != [1, 3] && dyn([1]) == [1.0] && {'a': [1]} != {'a': [2]} && {'a': 1} != {'b': 1}",
    "dyn({1: 'a'}) == {1u: 'a'} && optional.of(1) != optional.none() && optional.none() == optional.none() && optional.of(1) != optional.of(2)",
    "b'a' != b'b' && dyn(b'a') != 'a' && type(1) != type(1u) && dyn(null) == null && dyn(0) != null && dyn([1]) != {0: 1}",
  ],
  [
    "membership",
    "!(1 in []) && 1.0 in [dyn(1)] && 'a' in ['b', 'a'] && [1] in [[2], [1]] && dyn(1u) in {1: 'a'} && !('b' in {'a': 1}) && !(dyn('1') in [1])",
  ],
  [
    "lists",
    "[3, 1, 2].sort() == [1, 2, 3] && ['b', 'a'].sort() == ['a', 'b'] && [true, false].sort() == [false, true]",
    "[1, 1].isSorted() && ![2, 1].isSorted() && [1, 3, 2].isSorted() == false && ['a', 'b'].isSorted()",
    "[1u, 2u].sum() == 3u && [1.5, 1.0].sum() == 2.5 && [duration('1s'), duration('2s')].sum() == duration('3s') && [].sum() == 0",
    "[2, 3, 2].indexOf(2) == 0 && [2, 3, 2].lastIndexOf(2) == 2 && [2].indexOf(5) == -1 && [2].lastIndexOf(5) == -1",
    "[2, 3, 1].min() == 1 && [2, 3, 1].max() == 3 && ['b', 'a'].min() == 'a' && [duration('1s'), duration('2s')].max() == duration('2s')",
    "[1, 2, 3, 4].slice(1, 3) == [2, 3] && [1].slice(0, 0) == [] && [1].slice(1, 1) == [] && [1, 2].slice(0, 2) == [1, 2]",
    "[[[1], [2]], [[3]]].flatten(2) == [1, 2, 3] && [[[1], [2]], [[3]]].flatten(1) == [[1], [2], [3]] && [[1], [2, 3]].flatten() == [1, 2, 3] && [[1]].flatten(0) == [[1]]",
    "[1, 2, 1, 3, 2].distinct() == [1, 2, 3] && [[1], [1]].distinct() == [[1]] && [1, 2, 3].reverse() == [3, 2, 1]",
    "[1, 2].first().value() == 1 && [1, 2].last().value() == 2 && ![].first().hasValue() && ![].last().hasValue()",
    "lists.range(3) == [0, 1, 2] && lists.range(0) == [] && ['b', 'a', 'c'].sortBy(x, x == 'c' ? 0 : 1) == ['c', 'b', 'a']",
  ],
  [
    "sets",
    "sets.contains([1, 2], []) && !sets.contains([1], [1, 2]) && sets.contains([1, 1], [1]) && sets.equivalent([1, 1], [1]) && sets.equivalent([], [])",
    "!sets.equivalent([1], [1, 2]) && !sets.equivalent([1, 2], [1]) && !sets.intersects([1], []) && !sets.intersects([1], [2]) && sets.intersects([1, 2], [2, 3])",
  ],
  [
    "texts",
    "'a😀b'.charAt(1) == '😀' && 'ab'.charAt(2) == '' && 'ab'.charAt(0) == 'a' && 'a😀b'.indexOf('b') == 2 && 'a😀b'.substring(2) == 'b'",
    "'hello'.indexOf('h') == 0 && 'hello'.indexOf('z') == -1 && 'hello'.indexOf('l', 3) == 3 && 'hello'.indexOf('l', 4) == -1 && 'hello'.indexOf('h', 1) == -1",
    "'hello'.lastIndexOf('h') == 0 && 'hello'.lastIndexOf('l', 2) == 2 && 'hello'.lastIndexOf('l', 1) == -1 && 'hello'.lastIndexOf('') == 5 && 'aaa'.lastIndexOf('aa') == 1",
    "'abc'.substring(0) == 'abc' && 'abc'.substring(3) == '' && 'abc'.substring(1, 1) == '' && 'abc'.substring(0, 3) == 'abc' && 'a😀b'.substring(0, 2) == 'a😀'",
    "'aXbXc'.replace('X', '') == 'abc' && 'aaa'.replace('aa', 'b') == 'ba' && 'abab'.replace('b', 'c', 1) == 'acab' && 'ab'.replace('', '-') == '-a-b-' && 'ab'.replace('b', 'c', 0) == 'ab' && 'ab'.replace('', '-', 2) == '-a-b'",
    "'a,b,c'.split(',', 2) == ['a', 'b,c'] && 'a,b'.split(',', 0) == [] && 'a,b'.split(',', 1) == ['a,b'] && 'a,b'.split(',', -1) == ['a', 'b'] && 'ab'.split('') == ['a', 'b'] && ''.split(',') == [''] && ','.split(',') == ['', '']",
    "'ÀbZ'.lowerAscii() == 'Àbz' && 'àbz'.upperAscii() == 'àBZ' && '  a b\\t'.trim() == 'a b' && [].join(',') == '' && ['a'].join(',') == 'a' && ['a', 'b'].join() == 'ab'",
    "'abc'.find('b+') == 'b' && 'abc'.find('z') == '' && 'abab'.findAll('b') == ['b', 'b'] && 'abab'.findAll('b', 1) == ['b'] && 'abab'.findAll('b', 0) == [] && 'abab'.findAll('b', -1) == ['b', 'b']",
    "!'abc'.contains('d') && 'abc'.contains('') && !'abc'.startsWith('b') && !'abc'.endsWith('b') && !'abc'.matches('^b') && 'abc'.matches('b')",
  ],
  [
    "formats of texts",
    "'%b %b %o %x %X %x %X'.format([true, 5, 8, 255, 255u, 'é', b'\\xab']) == '1 101 10 ff FF c3a9 AB'",
    "'%d %d%%'.format([-3, 4u]) == '-3 4%' && '%s %s %s'.format([null, 1u, 1.0]) == 'null 1 1' && '%s'.format([type(1)]) == 'int'",
    "'%f %f'.format(['NaN', 'Infinity']) == 'NaN ∞' && '%f'.format(['-Infinity']) == '-∞' && '%e'.format([0.00012]) == '1.200000×10⁻⁰⁴' && '%.3f'.format([-1.0]) == '-1.000'",
    "'%s'.format([{'b': 1, 'a': [true, null]}]) == '{\"a\":[true, null], \"b\":1}' && '%s'.format([[b'a', 'é', 1u]]) == '[b\"a\", \"é\", 1]'",
    "'%s'.format([['\\u0001\\u2028', '\\u007f<é']]) == r'[\"\\x01\\u2028\", \"\\x7f<é\"]' && '%s %s'.format([double('inf'), [double('-inf')]]) == '+Inf [\"-Inf\"]'",
    "'%s %s'.format([duration('1.5s'), timestamp(0)]) == '1.5s 1970-01-01T00:00:00Z' && '%s'.format([[duration('1s')]]) == '[duration(\"1s\")]'",
  ],
  [
    "conversions",
    "int(2.9) == 2 && int(-2.9) == -2 && uint(2.9) == 2u && int('-7') == -7 && int('+7') == 7 && uint('18446744073709551615') == 18446744073709551615u",
    "int(timestamp('1969-12-31T23:59:59.5Z')) == -1 && string(timestamp('1969-12-31T23:59:59.5Z')) == '1969-12-31T23:59:59.5Z' && timestamp(1) == timestamp('1970-01-01T00:00:01Z')",
    "double('1.5e3') == 1500.0 && double('-Inf') < 0.0 && double('+inf') > 0.0 && double('.5') == 0.5 && string(double('nan')) == 'NaN' && double(3u) == 3.0",
    "double('1_0.2_5e1_0') == 102500000000.0 && double('5.') == 5.0",
    "['1', 't', 'T', 'true', 'TRUE', 'True'].all(s, bool(s)) && ['0', 'f', 'F', 'false', 'FALSE', 'False'].all(s, !bool(s))",
    "string(true) == 'true' && string(1e21) == '1e+21' && string(1.0) == '1' && string(b'\\xc3\\xa9') == 'é' && bytes('é') == b'\\xc3\\xa9' && string(18446744073709551615u) == '18446744073709551615'",
    "string(duration('1h')) == '3600s' && string(duration('-100ms')) == '-0.1s' && string(duration('0s')) == '0s'",
  ],
  [
    "times",
    "timestamp('2024-02-29T12:34:56.789Z').getFullYear() == 2024 && timestamp('2024-02-29T12:34:56.789Z').getMonth() == 1 && timestamp('2024-02-29T12:34:56.789Z').getDate() == 29 && timestamp('2024-02-29T12:34:56.789Z').getDayOfMonth() == 28",
    "timestamp('2024-02-29T12:34:56.789Z').getDayOfWeek() == 4 && timestamp('2024-02-29T12:34:56.789Z').getDayOfYear() == 59 && timestamp('2024-02-29T12:34:56.789Z').getMinutes() == 34 && timestamp('2024-02-29T12:34:56.789Z').getMilliseconds() == 789",
    "timestamp('2024-01-01T00:00:00Z').getHours('-01:30') == 22 && timestamp('2024-01-01T00:00:00Z').getMinutes('+05:45') == 45 && timestamp('2024-01-01T00:00:00Z').getDayOfYear('-00:01') == 364",
    "timestamp('2024-01-31T00:00:00Z') + duration('24h') == timestamp('2024-02-01T00:00:00Z') && duration('1s') + timestamp(0) == timestamp(1) && timestamp(0) - duration('1s') == timestamp(-1)",
    "timestamp(5) - timestamp(7) == duration('-2s') && duration('1s') - duration('2s') == duration('-1s') && timestamp('2024-01-01T00:00:00-02:00') == timestamp('2024-01-01T02:00:00Z')",
    "duration('-90m').getHours() == -1 && duration('90s').getMinutes() == 1 && duration('1500ms').getSeconds() == 1 && duration('1h').getMilliseconds() == 3600000",
  ],
  [
    "loops",
    "{'a': 1, 'b': 2}.transformMap(k, v, v * 2) == {'a': 2, 'b': 4} && {'a': 1, 'b': 2}.transformMap(k, v, v > 1, k) == {'b': 'b'} && ['x'].transformMap(i, v, v) == {0: 'x'}",
    "[1, 2, 3].transformList(i, v, i > 0, v) == [2, 3] && {'a': 1}.map(k, k) == ['a'] && {'a': 1, 'b': 2}.filter(k, k == 'b') == ['b']",
    "[1, 2].exists_one(i, v, v == 2) && ![1, 1].exists_one(x, x == 1) && ![].exists_one(x, true) && [1, 2].existsOne(i, v, i == 0) && ![].exists(x, true) && [].all(x, false)",
    "[1, 2].exists(i, v, i == 1 && v == 2) && !{'a': 1}.all(k, v, v == 2) && ![1, 2].all(x, x < 2) && [0, 1].exists(x, 1 / x == 1) && ![0, 2].all(x, 4 / x == 1)",
  ],
  [
    "optionals",
    "optional.of(1).or(optional.of(2)).value() == 1 && optional.none().or(optional.of(2)).value() == 2 && optional.of(1).orValue(2) == 1 && optional.of(null).orValue(dyn(2)) == null",
    "[0, 1].map(x, optional.ofNonZeroValue(x).hasValue()) == [false, true] && [false, true].map(x, optional.ofNonZeroValue(x).hasValue()) == [false, true] && ['', 'a'].map(x, optional.ofNonZeroValue(x).hasValue()) == [false, true]",
    "[0u, 1u].map(x, optional.ofNonZeroValue(x).hasValue()) == [false, true] && [0.0, 0.5].map(x, optional.ofNonZeroValue(x).hasValue()) == [false, true] && [[], [0]].map(x, optional.ofNonZeroValue(x).hasValue()) == [false, true] && [{}, {'': 0}].map(x, optional.ofNonZeroValue(x).hasValue()) == [false, true]",
    "optional.of(2).optMap(x, x + 1).value() == 3 && optional.of(2).optFlatMap(x, optional.none()).hasValue() == false && optional.of({'a': {'b': 1}}).a.b.value() == 1 && !optional.of({'a': 1}).b.hasValue()",
    "{?'a': optional.of(1), 'b': 2} == {'a': 1, 'b': 2} && [?optional.none(), 2] == [2] && [1, 2][?1].value() == 2 && ![1][?-1].hasValue() && dyn([1, 2])[1u] == 2 && dyn([1, 2])[1.0] == 2",
  ],
  [
    "quantities",
    "sign(quantity('0')) == 0 && sign(quantity('5m')) == 1 && sign(quantity('-5m')) == -1 && quantity('1k').asInteger() == 1000 && quantity('1.5').asApproximateFloat() == 1.5",
    "quantity('1').sub(quantity('3')) == quantity('-2') && quantity('1').add(2) == quantity('3') && quantity('1').sub(2) == quantity('-1') && quantity('1Ki').compareTo(quantity('1k')) == 1 && quantity('1').compareTo(quantity('2')) == -1",
    "!quantity('1').isLessThan(quantity('1')) && !quantity('1').isGreaterThan(quantity('1')) && quantity('999m').isLessThan(quantity('1')) && !isQuantity('1 ') && !isQuantity('x') && isQuantity('-1.5Gi')",
  ],
  [
    "addresses",
    "ip('127.0.0.1').isLoopback() && ip('::').isUnspecified() && ip('fe80::1').isLinkLocalUnicast() && ip('ff02::1').isLinkLocalMulticast() && ip('8.8.8.8').isGlobalUnicast() && !ip('127.0.0.1').isGlobalUnicast() && ip('::1').family() == 6",
    "ip.isCanonical('::1') && !ip.isCanonical('0::1') && string(ip('2001:DB8::0')) == '2001:db8::' && !isIP('1.2.3') && !isIP('::ffff:1.2.3.4') && ip('1.2.3.4') != ip('1.2.3.5')",
    "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') && !cidr('10.1.0.0/16').containsCIDR('10.0.0.0/8') && cidr('10.0.0.0/8').containsCIDR(cidr('10.0.0.0/8')) && !cidr('10.0.0.0/8').containsCIDR('11.0.0.0/16') && !cidr('10.0.0.0/8').containsIP('11.0.0.1') && !cidr('10.0.0.0/8').containsIP(ip('::1'))",
    "cidr('10.1.2.3/8').masked() == cidr('10.0.0.0/8') && cidr('10.1.2.3/8').ip() == ip('10.1.2.3') && cidr('::/64').prefixLength() == 64 && string(cidr('10.1.2.3/8')) == '10.1.2.3/8' && !isCIDR('10.0.0.1') && !isCIDR('10.0.0.0/33')",
  ],
  [
    "URLs",
    "url('https://a.b/c?d=e').getScheme() == 'https' && url('/c').getScheme() == '' && url('/?').getEscapedPath() == '/' && url('https://a.b').getPort() == '' && url('http://[::1]:8/').getPort() == '8' && url('https://a.b/?').getQuery() == {}",
    "url('http://%C3%A9.b:8/').getHost() == 'é.b:8' && url('http://[fe80::1%25e%20h]:8/x').getHostname() == 'fe80::1%e h'",
    "['http://a[b/', 'http://a[b]/', 'http://[::1'].all(u, !isURL(u)) && isURL('http://a]b/')",
    "!isURL('https://:b:c/') && isURL('https://:80/') && url('https://a/?x=%41&x=b').getQuery()['x'] == ['A', 'b'] && url('https://a/%41').getEscapedPath() == '/%41'",
  ],
  [
    "versions",
    "semver('1.2.3').major() == 1 && semver('1.2.3').minor() == 2 && semver('1.2.3').patch() == 3 && semver('1.0.0-a.1').isLessThan(semver('1.0.0-a.b')) && semver('1.0.0').isGreaterThan(semver('1.0.0-rc.1')) && semver('1.0.0+a.0') == semver('1.0.0')",
    "semver('1.10.0').compareTo(semver('1.9.0')) == 1 && semver('1.0.0').compareTo(semver('1.0.0')) == 0 && !isSemver('1.0') && isSemver('v1.0', true) && semver('v01.2', true) == semver('1.2.0') && isSemver('1.0.0-a0b') && !isSemver('1.0.0-01') && !isSemver('1.0.0', false) == false",
  ],
  [
    "named formats",
    "!format.uuid().validate('00000000000000000000000000000000').hasValue() && format.uuid().validate('0').hasValue() && !format.date().validate('2024-02-29').hasValue() && format.date().validate('2023-02-29').hasValue() && !format.datetime().validate('2024-01-01T00:00:00Z').hasValue()",
    "format.named('dns1123Label').value() == format.dns1123Label() && !format.byte().validate('YWI=').hasValue() && format.byte().validate('Y').hasValue() && format.uri().validate('a').hasValue() && !format.labelValue().validate('').hasValue() && !format.dns1123LabelPrefix().validate('a-').hasValue()",
  ],
  [
    "what is decided by one side",
    "(1 / 0 == 1 || true) && !(1 / 0 == 1 && false) && (true || 1 / 0 == 1) && !(false && 1 / 0 == 1) && (false ? 1 / 0 == 1 : true) && [1][?5].orValue(2) == 2",
  ],
];

Deno.test("functions and operators give what the public server has them give", () => {
  for (const [about, ...expressions] of ROWS) {
    for (const text of expressions) assert.equal(compile(text, new Map()).run({}), true, `${about}: ${text}`);
  }
});
