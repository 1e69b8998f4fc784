/** RFC 7386: appendix A as a table; the diff of two values patches the one into the other. */
import assert from "node:assert/strict";
import { applyMergePatch } from "../../schema/merge/merge_patch.ts";
import { createMergePatch } from "./_merge_diff.ts";
import type { Json } from "../../schema/model/types.ts";
import { randomJson } from "./_random.ts";
import { Random } from "../fixture/random.ts";

const APPENDIX: [Json, Json, Json][] = [
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [["a", "b"], ["c", "d"], ["c", "d"]],
  [{ a: "b" }, ["c"], ["c"]],
  [{ a: "foo" }, null, null],
  [{ a: "foo" }, "bar", "bar"],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

for (const [i, [doc, patch, result]] of APPENDIX.entries()) {
  Deno.test(`RFC 7386 appendix A, row ${i + 1}`, () => {
    const before = JSON.stringify([doc, patch]);
    assert.deepEqual(applyMergePatch(doc, patch), result);
    assert.equal(JSON.stringify([doc, patch]), before, "inputs are not changed");
  });
}

/** What the RFC leaves to its prose: nulls within lists, by what they come in the place of. */
const IN_LISTS: [name: string, doc: Json, patch: Json, result: Json][] = [
  ["of a list", { a: [1] }, { a: [{ x: null, y: 1 }, null] }, { a: [{ y: 1 }, null] }],
  ["of nothing", {}, { a: [[{ x: null }], [null]] }, { a: [[{}], [null]] }],
  ["of a scalar", { a: "s" }, { a: [{ x: { y: null, z: [{ w: null }] } }] }, { a: [{ x: { z: [{}] } }] }],
  ["of an object", { a: { b: 1 } }, { a: [{ x: null }] }, { a: [{ x: null }] }],
];

for (const [name, doc, patch, result] of IN_LISTS) {
  Deno.test(`merge patch: null members of a list's items in the place ${name}`, () => {
    const before = JSON.stringify([doc, patch]);
    assert.deepEqual(applyMergePatch(doc, patch), result);
    assert.equal(JSON.stringify([doc, patch]), before, "inputs are not changed");
  });
}

Deno.test("merge patch: a member called __proto__ is data", () => {
  const out = applyMergePatch({}, JSON.parse('{"__proto__": {"x": 1}}')) as Record<string, Json>;
  assert.deepEqual(Object.keys(out), ["__proto__"]);
  assert.equal(out.x, undefined);
});

Deno.test("merge patch: patch(a, diff(a, b)) is b, 5,000 seeded pairs", () => {
  for (let seed = 1; seed <= 5000; seed++) {
    const r = new Random(seed);
    const a = randomJson(r, 4, { nulls: false });
    const b = randomJson(r, 4, { nulls: false });
    assert.deepEqual(applyMergePatch(a, createMergePatch(a, b)), b, `seed ${seed}`);
  }
});
