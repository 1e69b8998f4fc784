import assert from "node:assert/strict";
import { ValueError } from "../../schema/values/error.ts";
import { compareSemanticVersions, parseSemanticVersion } from "../../schema/values/version.ts";

Deno.test("version: semantic versions in the order of their standard", () => {
  const rising = [
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.1",
    "1.0.0",
    "1.0.1",
    "1.2.0",
    "1.10.0",
    "2.0.0",
  ];
  const read = rising.map(parseSemanticVersion);
  read.forEach((a, i) =>
    read.forEach((b, j) => assert.equal(Math.sign(compareSemanticVersions(a, b)), Math.sign(i - j)))
  );
  assert.equal(compareSemanticVersions(parseSemanticVersion("1.0.0+a"), parseSemanticVersion("1.0.0+b")), 0);
  for (const text of ["", "1", "1.2", "01.2.3", "1.2.3-01", "1.2.3-", "v1.2.3", "1.2.3.4", "1.2.3+"]) {
    assert.throws(() => parseSemanticVersion(text), ValueError, text);
  }
});
