import assert from "node:assert/strict";
import { BOOL, compile, STRING } from "../../schema/cel/mod.ts";
import { hasFormat } from "../../schema/customresources/formats.ts";
import { withoutEnd } from "../../schema/values/ends.ts";
import { canonicalQuantity } from "../../schema/values/quantity.ts";
import { parseDuration } from "../../schema/flags/duration.ts";
import { startTestServer } from "../fixture/server.ts";

/** As long as a body may nearly be. By going back and forth each of these took hours, in which nothing else was done. */
const LONG = 1_000_000;
const zeros = "0".repeat(LONG);

Deno.test("quantities that are none are refused at once", () => {
  for (let i = 0; i < 100; i++) assert.throws(() => canonicalQuantity(`${"0".repeat(999)}x`));
  assert.throws(() => canonicalQuantity(`${zeros}x`));
});

Deno.test("durations, formats and conversions of long texts take time by their length alone", () => {
  assert.equal(parseDuration(`${zeros}x`), undefined);
  assert.equal(parseDuration("1.5s\n"), undefined);
  assert.equal(parseDuration("1.h.5s"), 3_600_500);
  for (const format of ["duration", "email"]) {
    assert.equal(hasFormat(zeros, format), false);
    assert.equal(hasFormat(`a${" ".repeat(LONG)}b`, format), false);
  }
  assert.equal(hasFormat(" \t a@example.com\t ", "email"), true);
  const double = compile("double(self) > 1.0", new Map([["self", STRING]]), BOOL);
  assert.throws(() => double.run({ self: `${zeros}x` }), /'string' to 'double'/);
  assert.equal(double.run({ self: "1_0.5_0e1" }), true);
});

Deno.test("characters at an end are taken off, wherever else they are", () => {
  const slashes = "/".repeat(LONG);
  assert.equal(withoutEnd(`a${slashes}b${slashes}`, "/"), `a${slashes}b`);
  assert.deepEqual([withoutEnd(slashes, "/"), withoutEnd("", "/"), withoutEnd("a. .", " ."), withoutEnd("a", "/")], [
    "",
    "",
    "a",
    "a",
  ]);
});

Deno.test("a long path or timeout of a request is answered at once", async () => {
  const t = await startTestServer([]);
  try {
    for (const path of ["/api", "/apis", "/version"]) {
      const { status } = await t.fetch(`${path}${"/".repeat(60_000)}x`);
      assert.equal(status, 404, path);
    }
    for (const timeout of [`${"0".repeat(60_000)}x`, "1%0A"]) {
      const { status } = await t.fetch(`/api/v1/namespaces?timeout=${timeout}`);
      assert.equal(status, 400);
    }
  } finally {
    await t.stop();
  }
});
