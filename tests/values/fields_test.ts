import assert from "node:assert/strict";
import { ValueError } from "../../schema/values/error.ts";
import { formatFieldSelector, parseFieldSelector } from "../../schema/values/fields.ts";

Deno.test("field selector: terms", () => {
  const table: [string, [string, "=" | "!=", string][]][] = [
    ["", []],
    [",", []],
    ["a=b", [["a", "=", "b"]]],
    ["a==b", [["a", "=", "b"]]],
    ["a!=b", [["a", "!=", "b"]]],
    ["a=", [["a", "=", ""]]],
    ["=b", [["", "=", "b"]]],
    ["b=2,a=1", [["a", "=", "1"], ["b", "=", "2"]]],
    ["metadata.name=x,spec.nodeName!=n", [["metadata.name", "=", "x"], ["spec.nodeName", "!=", "n"]]],
    ["a=x\\,y", [["a", "=", "x,y"]]],
    ["a=x\\=y", [["a", "=", "x=y"]]],
    ["a=x\\\\", [["a", "=", "x\\"]]],
    ["a=x!y", [["a", "=", "x!y"]]],
    ["a!b=c", [["a!b", "=", "c"]]],
  ];
  for (const [text, want] of table) {
    assert.deepEqual(parseFieldSelector(text), want.map(([field, op, value]) => ({ field, op, value })), text);
  }
});

Deno.test("field selector: what is none", () => {
  for (const text of ["a", "a,b=c", "a=b=c", "a===b", "a=\\x", "a=\\", "a=b\\"]) {
    assert.throws(() => parseFieldSelector(text), ValueError, text);
  }
});

Deno.test("field selector: text reads back", () => {
  for (const value of ["", "x", "a,b", "a=b", "\\", ",=\\,=", "é", "!"]) {
    const terms = [{ field: "f", op: "!=" as const, value }];
    assert.deepEqual(parseFieldSelector(formatFieldSelector(terms)), terms);
  }
});
