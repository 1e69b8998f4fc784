import assert from "node:assert/strict";
import { ValueError } from "../../schema/values/error.ts";
import { intValue, isPercent, percentOf, scaledValue } from "../../schema/values/int_or_string.ts";

Deno.test("int or string: scaled values", () => {
  const table: [number | string, number, number, number][] = [
    [7, 100, 7, 7],
    ["25%", 10, 3, 2],
    ["0%", 10, 0, 0],
    ["100%", 3, 3, 3],
    ["150%", 3, 5, 4],
    ["-10%", 15, -1, -2],
    ["34%", 3, 2, 1],
  ];
  for (const [value, total, up, down] of table) {
    assert.equal(scaledValue(value, total, "up") + 0, up, String(value));
    assert.equal(scaledValue(value, total, "down") + 0, down, String(value));
  }
  for (const text of ["", "%", "25", "1.5%", "x%", "25%%"]) {
    assert.throws(() => scaledValue(text, 1, "up"), ValueError, text);
  }
});

Deno.test("int or string: percentages and numbers", () => {
  assert.equal(isPercent("5%"), true);
  assert.equal(isPercent("-5%"), false);
  assert.equal(isPercent(5), false);
  assert.equal(percentOf("150%"), 150);
  assert.equal(percentOf("http"), undefined);
  assert.equal(intValue("80"), 80);
  assert.equal(intValue("http"), 0);
  assert.equal(intValue(3), 3);
});
