import assert from "node:assert/strict";
import * as names from "../../schema/values/names.ts";

/** Good and bad texts of each check. */
const TABLE: [keyof typeof names, string[], string[]][] = [
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
];

Deno.test("names: what each check takes and refuses", () => {
  for (const [name, good, bad] of TABLE) {
    const check = names[name] as names.Format;
    for (const text of good) assert.deepEqual(check(text), [], `${name} ${JSON.stringify(text)}`);
    for (const text of bad) assert.notEqual(check(text).length, 0, `${name} ${JSON.stringify(text)}`);
  }
});

Deno.test("names: words of what is wrong", () => {
  const table: [readonly string[], string[]][] = [
    [names.dnsLabel("a.b"), ["must not contain dots"]],
    [names.dnsLabel("A"), [
      "must be an RFC 1123 label: lower case letters, digits and '-', with a letter or digit at both ends (such as 'my-name' or '123-abc'; pattern '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    ]],
    [names.dnsSubdomain("a".repeat(254)), ["must be no more than 253 bytes"]],
    [names.labelValue("a".repeat(64)), ["must be no more than 63 bytes"]],
    [names.qualifiedName(""), [
      "name part must not be empty",
      "name part must be letters, digits, '-', '_' and '.', with a letter or digit at both ends (such as 'MyName' or 'my.name' or '123-abc'; pattern '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ]],
    [names.qualifiedName("/x"), ["prefix part must not be empty"]],
  ];
  for (const [got, want] of table) assert.deepEqual(got, want);
});

Deno.test("names: lengths count bytes", () => {
  assert.ok(names.labelValue("é".repeat(32)).includes("must be no more than 63 bytes"));
  assert.ok(!names.labelValue("é".repeat(31)).includes("must be no more than 63 bytes"));
});

Deno.test("names: a base to which a suffix comes may end with a dash", () => {
  const label = (base: string) => names.dnsLabel(names.maskTrailingDash(base));
  assert.deepEqual(label("my-"), []);
  assert.deepEqual(label("my"), []);
  assert.notEqual(label("-").length, 0);
  assert.notEqual(label("My-").length, 0);
});
