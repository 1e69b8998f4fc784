/** Expressions that select devices: what they may say, and what they may cost. */
import assert from "node:assert/strict";
import { deviceExpression } from "../../schema/rules/checks/device_expression.ts";
import { ErrorList } from "../../schema/rules/errors.ts";
import { Path } from "../../schema/rules/path.ts";

const faults = (text: string): unknown[] => {
  const errors = new ErrorList();
  deviceExpression(text, Path.of("expression"), errors);
  return errors.causes.map((c) => c.reason);
};

Deno.test("conditions on devices", () => {
  for (
    const text of [
      "device.driver == 'a' && device.attributes['a'].b == 1",
      "device.attributes['a'].b",
      "cel.bind(a, device.attributes['a'], a.b && a.c == 'x')",
      "device.attributes.exists(k, k.startsWith('x')) && device.attributes['a'].b.matches('^x+$')",
      "device.capacity['a'].b.isGreaterThan(quantity('1Gi'))",
    ]
  ) assert.deepEqual(faults(text), [], text);
});

Deno.test("what is none, or costs too much", () => {
  const invalid = "FieldValueInvalid", forbidden = "FieldValueForbidden";
  for (
    const [text, reason] of [
      ["", invalid],
      ["1", invalid],
      ["dyn(true)", invalid],
      ["device.attributes['a']", invalid],
      ["device.none", invalid],
      ["x".repeat(10_241), "FieldValueTooLong"],
      ["type(1) == int", forbidden],
      ["string(1.0) == string(2.0)", forbidden],
    ] as const
  ) assert.deepEqual(faults(text), [reason], text);
});

Deno.test("what doubles with each level is looked at once, and what is too deep is a fault of the expression", () => {
  const nested = (n: number, before: string, after: string) => before.repeat(n) + "1" + after.repeat(n);
  assert.deepEqual(faults(nested(100, "'%s'.format([", "])") + " == '1'"), []);
  assert.deepEqual(faults("optional.of(true)" + ".optMap(x, x)".repeat(100) + ".hasValue()"), ["FieldValueForbidden"]);
  for (
    const text of [
      "[1]" + ".map(a, {a: a})".repeat(100) + ".size() == 1",
      "device" + ".a".repeat(5000),
      "1" + " + 1".repeat(2000) + " == 1",
      "1" + " < 1".repeat(2000),
    ]
  ) assert.deepEqual(faults(text), ["FieldValueInvalid"], text);
});
