import assert from "node:assert/strict";
import { ValueError } from "../../schema/values/error.ts";
import { compareResourceVersions, isOrderedVersion } from "../../schema/values/resource_version.ts";
import {
  compareApiVersions,
  compareReleases,
  compareSemanticVersions,
  formatRelease,
  parseRelease,
  parseSemanticVersion,
} from "../../schema/values/version.ts";

Deno.test("version: API versions in the order of preference", () => {
  const falling = [
    "v10",
    "v2",
    "v1",
    "v11beta2",
    "v10beta3",
    "v3beta1",
    "v2beta10",
    "v2beta2",
    "v1beta1",
    "v12alpha1",
    "v11alpha2",
    "foo1",
    "foo10",
  ];
  const shuffled = [
    "v1",
    "foo10",
    "v11beta2",
    "v10",
    "v12alpha1",
    "v2",
    "foo1",
    "v2beta2",
    "v3beta1",
    "v11alpha2",
    "v10beta3",
    "v1beta1",
    "v2beta10",
  ];
  assert.deepEqual(shuffled.sort((a, b) => compareApiVersions(b, a)), falling);
  assert.equal(compareApiVersions("v1", "v1"), 0);
});

Deno.test("version: releases of the product", () => {
  const order = ["v1.9", "v1.30", "v1.31", "latest"].map(parseRelease);
  order.forEach((a, i) => order.forEach((b, j) => assert.equal(Math.sign(compareReleases(a, b)), Math.sign(i - j))));
  assert.equal(formatRelease(parseRelease("v1.30")), "v1.30");
  assert.equal(formatRelease("latest"), "latest");
  for (const text of ["", "1.30", "v1", "v2.0", "v1.030", "v1.-1", "v1.30.1", "Latest", "v1.x"]) {
    assert.throws(() => parseRelease(text), ValueError, text);
  }
});

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

Deno.test("resource version: order of decimal texts of any size", () => {
  const rising = [
    "1",
    "2",
    "9",
    "10",
    "99",
    "100",
    "9007199254740993",
    "9007199254740994",
    "9".repeat(40),
    "1" + "0".repeat(40),
  ];
  rising.forEach((a, i) => rising.forEach((b, j) => assert.equal(compareResourceVersions(a, b), Math.sign(i - j))));
});

Deno.test("resource version: others can only be told equal", () => {
  for (const text of ["", "0", "01", "-1", "1a", "a", "1.0", "1 ", "１"]) {
    assert.equal(isOrderedVersion(text), false, text);
    assert.equal(compareResourceVersions(text, text), 0);
    assert.equal(compareResourceVersions(text, "5"), undefined, text);
    assert.equal(compareResourceVersions("5", text), undefined, text);
  }
});
