/** Syntaxes of names and texts in objects. */
import assert from "node:assert/strict";
import * as formats from "../../schema/rules/checks/formats.ts";

/** Good and bad texts of each. */
const TABLE: [keyof typeof formats, string[], string[]][] = [
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
