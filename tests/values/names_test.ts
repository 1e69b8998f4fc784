import assert from "node:assert/strict";
import * as names from "../../schema/values/names.ts";

/** Good and bad texts of each check. */
const TABLE: [keyof typeof names, string[], string[]][] = [
  [
    "isDns1123Label",
    ["a", "ab", "abc", "a1", "a-1", "a--1--2--b", "0", "01", "012", "1a", "1-a", "1--a--b--2", "a".repeat(63)],
    ["", "A", "ABC", "aBc", "-", "a-", "-a", "1-", "_", "a_", "a.a", "a b", "a ", "é", "a\n", "a".repeat(64)],
  ],
  [
    "isDns1123Subdomain",
    ["a", "a.a", "ab.a", "a1.a", "0.a", "0.1", "a.b.c", "abc.xyz", "1-2.3-4", "a".repeat(253)],
    ["", "A", ".", "a.", ".a", "a..b", "a.-b", "a-.b", "a_b", "a.B", "a/b", "a\n", "a".repeat(254)],
  ],
  ["isDns1123SubdomainCaseless", ["A.b", "foo.COM"], ["", "a_b", "a."]],
  ["isDns1123SubdomainWithUnderscore", ["_a.b", "a_b.c", "_sip._tcp.x"], ["", "a.", "-a", "A"]],
  ["isWildcardDns1123Subdomain", ["*.example.com", "*.a", "*.a.b-c"], [
    "*",
    "*.",
    "a.*",
    "*.*.a",
    "example.com",
    "*a.b",
    "**.a",
  ]],
  ["isDns1035Label", ["a", "ab", "a1", "a-1", "a--b", "a".repeat(63)], [
    "",
    "0",
    "1a",
    "a.b",
    "A",
    "-a",
    "a-",
    "a_b",
    "a".repeat(64),
  ]],
  [
    "isQualifiedName",
    [
      "simple",
      "now-with-dashes",
      "1-starts-with-num",
      "1234",
      "simple/simple",
      "now-with-dashes/simple",
      "1.2.3.4/5678",
      "Uppercase_Is_OK_123",
      "example.com/Uppercase_Is_OK_123",
      "a".repeat(63),
      "a".repeat(253) + "/" + "b".repeat(63),
    ],
    [
      "",
      "nospecialchars%^=@",
      "cantendwithadash-",
      "-cantstartwithadash-",
      "only/one/slash",
      "Example.com/abc",
      "example_com/abc",
      "example.com/",
      "/simple",
      "a".repeat(64),
      "a".repeat(254) + "/abc",
      "a b",
      "a\n",
    ],
  ],
  ["isPrefixedLabelKey", ["a.b/c", "a/c"], ["c", "", "/c", "a/"]],
  ["isLabelValue", ["", "simple", "1-s_w.n", "UPPER", "a".repeat(63)], [
    "-a",
    "a-",
    ".a",
    "a/b",
    "a b",
    "a".repeat(64),
    "é",
    "a\n",
  ]],
  ["isCIdentifier", ["a", "_", "a1_B", "_0"], ["", "1a", "a-b", "a.b", "a b", "é"]],
  ["isEnvVarName", ["A", "a.b-c_D", "_", "-", ".a"], ["", "1A", "a=b", ".", "..", "..a", "a b", "é"]],
  ["isRelaxedEnvVarName", ["A", "1A", "a b", "{}!~", "."], ["", "a=b", "\t", "é", "a\u007f", "\n"]],
  ["isConfigMapKey", ["a", "good", ".good", "a.b_c-D", "...".replace("..", ".a"), "a".repeat(253)], [
    "",
    ".",
    "..",
    "..bad",
    "a/b",
    "a b",
    "a".repeat(254),
  ]],
  ["isPortName", ["a", "telnet", "re-mail-ck", "pop3", "a".repeat(15), "1a"], [
    "",
    "1",
    "80",
    "a".repeat(16),
    "-a",
    "a-",
    "a--b",
    "A",
    "a_b",
    "a b",
  ]],
  ["isPathSegmentName", ["foo", "x.y", "...", "é", "a:b", "", "sys:ABC"], [".", "..", "a/b", "a%b", "/"]],
  ["isHttpHeaderName", ["X-Header-Name", "a"], ["", "Host:", "a b", "é"]],
  ["isHttpPath", ["/a/b", "a:b@".replace("@", ""), "~"], ["", "a b", "a?b", "a#b", "é"]],
  ["isPercentText", ["0%", "1%", "150%"], ["", "%", "1", "-1%", "1.5%", "1%%"]],
  ["isFullyQualifiedDomainName", ["a.b", "a.b.", "dev.k8s.local"], [
    "",
    ".",
    "a",
    "a.b..",
    "A.b",
    "a_.b",
    "a." + "b".repeat(64),
  ]],
  ["isFullyQualifiedName", ["a.b.c", "x.example.com"], ["", "a", "a.b", "a.b.C"]],
  ["isDomainPrefixedPath", ["a/b", "acme.io/a/b/c"], ["", "a", "a/", "/a", "A/b", "a/b c"]],
  ["isDomainPrefixedKey", ["a/b", "acme.io/a"], ["", "a", "a/", "/a", "a/b/c"]],
  ["isUuid", ["00000000-0000-4000-8000-0123456789ab"], [
    "",
    "00000000-0000-4000-8000-0123456789AB",
    "0000000000004000800001234567 89ab",
  ]],
  ["isDecimalInteger", ["0", "5", "-5", "12345678901234567890"], [
    "",
    "-",
    "-0",
    "00",
    "01",
    "+1",
    "1.0",
    "1e5",
    " 1",
    "1\n",
    "١",
  ]],
];

Deno.test("names: what each check takes and refuses", () => {
  for (const [name, good, bad] of TABLE) {
    const check = names[name] as names.NameCheck;
    for (const text of good) assert.deepEqual(check(text), [], `${name} ${JSON.stringify(text)}`);
    for (const text of bad) assert.notEqual(check(text).length, 0, `${name} ${JSON.stringify(text)}`);
  }
});

Deno.test("names: the words that clients know", () => {
  const table: [string[], string[]][] = [
    [names.isDns1123Label("a.b"), ["must not contain dots"]],
    [names.isDns1123Label("A"), [
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    ]],
    [names.isDns1123Subdomain("a".repeat(254)), ["must be no more than 253 characters"]],
    [names.isLabelValue("a".repeat(64)), ["must be no more than 63 bytes"]],
    [names.isQualifiedName(""), [
      "name part must be non-empty",
      "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ]],
    [names.isQualifiedName("/x"), ["prefix part must be non-empty"]],
    [names.isConfigMapKey(".."), ["must not be '..'"]],
    [names.isPathSegmentName("a/b%"), ["may not contain '/'", "may not contain '%'"]],
    [names.isPathSegmentName(".."), ["may not be '..'"]],
    [names.isPortNumber(0), ["must be between 1 and 65535, inclusive"]],
    [names.isPortName("1"), ["must contain at least one letter (a-z)"]],
  ];
  for (const [got, want] of table) assert.deepEqual(got, want);
});

Deno.test("names: lengths count bytes", () => {
  assert.ok(names.isLabelValue("é".repeat(32)).includes("must be no more than 63 bytes"));
  assert.ok(!names.isLabelValue("é".repeat(31)).includes("must be no more than 63 bytes"));
});

Deno.test("names: a base to which a suffix comes may end with a dash", () => {
  const label = names.asPrefix(names.isDns1123Label);
  assert.deepEqual(label("my-"), []);
  assert.deepEqual(label("my"), []);
  assert.notEqual(label("-").length, 0);
  assert.notEqual(label("My-").length, 0);
});
