/** Syntaxes of names and texts in objects. */
import assert from "node:assert/strict";
import * as formats from "../../schema/rules/checks/formats.ts";

/** Good and bad texts of each. */
const TABLE: [keyof typeof formats, string[], string[]][] = [
  [
    "dnsLabel",
    ["a", "ab", "abc", "a1", "a-1", "a--1--2--b", "0", "01", "012", "1a", "1-a", "1--a--b--2", "a".repeat(63)],
    ["", "A", "ABC", "aBc", "-", "a-", "-a", "1-", "_", "a_", "a.a", "a b", "a ", "é", "a\n", "a".repeat(64)],
  ],
  [
    "dnsSubdomain",
    ["a", "a.a", "ab.a", "a1.a", "0.a", "0.1", "a.b.c", "abc.xyz", "1-2.3-4", "a".repeat(253)],
    ["", "A", ".", "a.", ".a", "a..b", "a.-b", "a-.b", "a_b", "a.B", "a/b", "a\n", "a".repeat(254)],
  ],
  ["dns1035Label", ["a", "ab", "a1", "a-1", "a--b", "a".repeat(63)], [
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
    "qualifiedName",
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
  ["labelValue", ["", "simple", "1-s_w.n", "UPPER", "a".repeat(63)], [
    "-a",
    "a-",
    ".a",
    "a/b",
    "a b",
    "a".repeat(64),
    "é",
    "a\n",
  ]],
  ["uuid", ["00000000-0000-4000-8000-0123456789ab"], [
    "",
    "00000000-0000-4000-8000-0123456789AB",
    "0000000000004000800001234567 89ab",
  ]],
  ["dnsSubdomainCaseless", ["A.b", "foo.COM"], ["", "a_b", "a."]],
  ["dnsSubdomainUnderscore", ["_a.b", "a_b.c", "_sip._tcp.x"], ["", "a.", "-a", "A"]],
  ["wildcardSubdomain", ["*.example.com", "*.a", "*.a.b-c"], [
    "*",
    "*.",
    "a.*",
    "*.*.a",
    "example.com",
    "*a.b",
    "**.a",
  ]],
  ["prefixedKey", ["a.b/c", "a/c"], ["c", "", "/c", "a/"]],
  ["cIdentifier", ["a", "_", "a1_B", "_0"], ["", "1a", "a-b", "a.b", "a b", "é"]],
  ["envName", ["A", "1A", "a b", "{}!~", "."], ["", "a=b", "\t", "é", "a\u007f", "\n"]],
  ["configKey", ["a", "good", ".good", "a.b_c-D", "...".replace("..", ".a"), "a".repeat(253)], [
    "",
    ".",
    "..",
    "..bad",
    "a/b",
    "a b",
    "a".repeat(254),
  ]],
  ["portName", ["a", "telnet", "re-mail-ck", "pop3", "a".repeat(15), "1a"], [
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
  ["pathSegment", ["foo", "x.y", "...", "é", "a:b", "", "sys:ABC"], [".", "..", "a/b", "a%b", "/"]],
  ["headerName", ["X-Header-Name", "a"], ["", "Host:", "a b", "é"]],
  ["percent", ["0%", "1%", "150%"], ["", "%", "1", "-1%", "1.5%", "1%%"]],
];

Deno.test("formats: what each takes and refuses", () => {
  for (const [name, good, bad] of TABLE) {
    const check = formats[name] as formats.Format;
    for (const text of good) assert.deepEqual(check(text), [], `${name} ${JSON.stringify(text)}`);
    for (const text of bad) assert.notEqual(check(text).length, 0, `${name} ${JSON.stringify(text)}`);
  }
});

Deno.test("formats: each fault is told by itself", () => {
  assert.deepEqual(formats.configKey(".."), ["must not be '..'"]);
  assert.deepEqual(formats.pathSegment("a/b%"), ["must not contain '/'", "must not contain '%'"]);
  assert.deepEqual(formats.pathSegment(".."), ["must not be '..'"]);
  assert.deepEqual(formats.portName("1"), ["must contain at least one letter"]);
  assert.deepEqual(formats.portNumber(0), ["must be between 1 and 65535"]);
  assert.deepEqual(formats.portNumber(65535), []);
  assert.equal(formats.isHttpPath("/a/b~"), true);
  for (const text of ["", "a b", "a?b", "a#b", "é"]) assert.equal(formats.isHttpPath(text), false, text);
});
