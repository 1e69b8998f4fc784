/** Warnings of an answer, as headers. */
import assert from "node:assert/strict";
import { warningHeaders } from "../../server/filters/warnings.ts";

Deno.test("warnings are quoted; what no header can hold is left out", () => {
  const cases: [string, string[]][] = [
    ["plain", ['299 - "plain"']],
    ['a "b" \\c', ['299 - "a \\"b\\" \\\\c"']],
    ["", []],
    ["two\nlines", []],
    ["half \ud800", []],
    ["\u00e9", ['299 - "\u00c3\u00a9"']],
    ["\u6f22", ['299 - "\u00e6\u00bc\u00a2"']],
  ];
  for (const [text, headers] of cases) assert.deepEqual(warningHeaders([text]), headers, JSON.stringify(text));
});

Deno.test("long warnings stay whole while all fit, and are cut when they do not", () => {
  assert.deepEqual(warningHeaders(["x".repeat(4096)]).map((h) => h.length), [4096 + 8]);
  const many = Array.from({ length: 30 }, (_, i) => String(i).padEnd(300, "x"));
  const cut = warningHeaders(many);
  assert.equal(cut.length, 16);
  assert.ok(cut.every((h) => h.length === 256 + 8));
});
