/** Regular expressions of users: matches by tables, and how much is kept of patterns. */
import assert from "node:assert/strict";
import { matches } from "../../schema/customresources/patterns.ts";
import { StatusError } from "../../schema/status.ts";
import { hasMatch, patternOf } from "../../schema/values/pattern.ts";

const DNS = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";

Deno.test("whether a pattern has a match is found by tables, as a search for its place says", () => {
  const rows = [
    [DNS, ["my-name.example.com", "my-", "a".repeat(100_000), `${"a-b.".repeat(20_000)}-`]],
    ["^(a+)+$", ["a".repeat(100_000), `${"a".repeat(100_000)}b`, ""]],
    ["^(.{0,100})*$", ["é".repeat(5_000), "a\nb", "\ud800"]],
    ["(?i)straße|\\bk\\b", ["STRASSE", "STRAßE", "a k b", "\u212a"]],
  ] as const;
  for (const [source, texts] of rows) {
    const pattern = patternOf(source);
    for (const text of texts) {
      assert.equal(hasMatch(pattern, text), pattern.matcher(text).find(), `${source} ${text.slice(0, 20)}`);
    }
    assert.ok(pattern.re2Input.dfa.stateCount > 0, source);
  }
});

Deno.test("patterns are kept while they are small together: few instructions, few tables", () => {
  const first = patternOf("^kept$");
  assert.equal(patternOf("^kept$"), first);
  for (let i = 0; i < 4; i++) patternOf(`${"(a{1000})".repeat(100)}${i}`);
  const second = patternOf("^kept$");
  assert.notEqual(second, first, "their instructions are a hundred thousand each");
  for (let i = 0; i < 6; i++) hasMatch(patternOf(`^(a|b)*a(a|b){${200 + i}}$`), randomish(3_000));
  assert.notEqual(patternOf("^kept$"), second, "their tables are 6 MB each");
});

Deno.test("what would be searched for too long is refused with 413", () => {
  const source = "[a-z]?".repeat(3_000), text = "-".repeat(100_000);
  assert.throws(() => matches(source, text), (e) => e instanceof StatusError && e.code === 413);
  assert.equal(matches(source, text.slice(0, 100)), true);
  assert.equal(matches(DNS, `${"a".repeat(3_000_000)}-`), false, "what is long alone is not");
});

/** Letters without a period. */
function randomish(length: number): string {
  let seed = 1, text = "";
  while (text.length < length) text += (seed = seed * 48271 % 2147483647) % 5 < 2 ? "a" : "b";
  return text;
}
