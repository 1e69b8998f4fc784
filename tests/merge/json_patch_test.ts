/** RFC 6902: appendix A as a table, then what the public server does beyond it. */
import assert from "node:assert/strict";
import { parseJson } from "../../schema/codec/json.ts";
import { PatchError } from "../../schema/merge/errors.ts";
import { applyJsonPatch, unknownJsonPatchFields } from "../../schema/merge/json_patch.ts";
import type { Json } from "../../schema/model/types.ts";

type Row = [name: string, doc: Json, patch: Json, result: Json | { fails: string }];

const APPENDIX: Row[] = [
  ["A.1 add a member", { foo: "bar" }, [{ op: "add", path: "/baz", value: "qux" }], { baz: "qux", foo: "bar" }],
  ["A.2 add an element", { foo: ["bar", "baz"] }, [{ op: "add", path: "/foo/1", value: "qux" }], {
    foo: ["bar", "qux", "baz"],
  }],
  ["A.3 remove a member", { baz: "qux", foo: "bar" }, [{ op: "remove", path: "/baz" }], { foo: "bar" }],
  ["A.4 remove an element", { foo: ["bar", "qux", "baz"] }, [{ op: "remove", path: "/foo/1" }], {
    foo: ["bar", "baz"],
  }],
  ["A.5 replace a value", { baz: "qux", foo: "bar" }, [{ op: "replace", path: "/baz", value: "boo" }], {
    baz: "boo",
    foo: "bar",
  }],
  [
    "A.6 move a value",
    { foo: { bar: "baz", waldo: "fred" }, qux: { corge: "grault" } },
    [{ op: "move", from: "/foo/waldo", path: "/qux/thud" }],
    { foo: { bar: "baz" }, qux: { corge: "grault", thud: "fred" } },
  ],
  ["A.7 move an element", { foo: ["all", "grass", "cows", "eat"] }, [{ op: "move", from: "/foo/1", path: "/foo/3" }], {
    foo: ["all", "cows", "eat", "grass"],
  }],
  [
    "A.8 test that holds",
    { baz: "qux", foo: ["a", 2, "c"] },
    [{ op: "test", path: "/baz", value: "qux" }, { op: "test", path: "/foo/1", value: 2 }],
    { baz: "qux", foo: ["a", 2, "c"] },
  ],
  ["A.9 test that fails", { baz: "qux" }, [{ op: "test", path: "/baz", value: "bar" }], { fails: "test-failed" }],
  ["A.10 add a nested object", { foo: "bar" }, [{ op: "add", path: "/child", value: { grandchild: {} } }], {
    foo: "bar",
    child: { grandchild: {} },
  }],
  ["A.11 unknown members are ignored", { foo: "bar" }, [{ op: "add", path: "/baz", value: "qux", xyz: 123 }], {
    foo: "bar",
    baz: "qux",
  }],
  ["A.12 add below a missing parent", { foo: "bar" }, [{ op: "add", path: "/baz/bat", value: "qux" }], {
    fails: "missing-path",
  }],
  ["A.14 escapes", { "/": 9, "~1": 10 }, [{ op: "test", path: "/~01", value: 10 }], { "/": 9, "~1": 10 }],
  ["A.15 text is not a number", { "/": 9, "~1": 10 }, [{ op: "test", path: "/~01", value: "10" }], {
    fails: "test-failed",
  }],
  ["A.16 add a list as an element", { foo: ["bar"] }, [{ op: "add", path: "/foo/-", value: ["abc", "def"] }], {
    foo: ["bar", ["abc", "def"]],
  }],
];

const SERVER: Row[] = [
  ["null is an empty patch", { a: 1 }, null, { a: 1 }],
  ["an object is no patch", { a: 1 }, {}, { fails: "malformed" }],
  ["an entry that is no object", { a: 1 }, [1], { fails: "malformed" }],
  ["an entry that is null", { a: 1 }, [null], { fails: "missing-path" }],
  ["an op that is no text", { a: 1 }, [{ op: 1, path: "/a" }], { fails: "mistyped" }],
  ["a path that is no text", { a: 1 }, [{ op: "remove", path: 1 }], { fails: "mistyped" }],
  ["an unknown op", { a: 1 }, [{ op: "merge", path: "/a" }], { fails: "missing-path" }],
  ["no op", { a: 1 }, [{ path: "/a" }], { fails: "missing-path" }],
  ["no path", { a: 1 }, [{ op: "remove" }], { fails: "missing-path" }],
  ["no from", { a: 1 }, [{ op: "move", path: "/a" }], { fails: "missing-path" }],
  ["what is before the first slash is ignored", { a: 1 }, [{ op: "add", path: "x/b", value: 2 }], { a: 1, b: 2 }],
  ["a path without slash", { a: 1 }, [{ op: "add", path: "b", value: 2 }], { fails: "missing-path" }],
  ["remove a missing member", { a: 1 }, [{ op: "remove", path: "/b" }], { fails: "missing-path" }],
  ["replace adds a missing member", { a: 1 }, [{ op: "replace", path: "/b", value: 2 }], { a: 1, b: 2 }],
  [
    "replace without value is null",
    { a: 1, b: [1] },
    [{ op: "replace", path: "/a" }, { op: "replace", path: "/b/0" }],
    {
      a: null,
      b: [null],
    },
  ],
  ["replace a missing element", { a: [] }, [{ op: "replace", path: "/a/0", value: 2 }], { fails: "missing-path" }],
  ["move from a missing member", { a: 1 }, [{ op: "move", from: "/b", path: "/c" }], { fails: "missing-path" }],
  ["copy from a missing member is null", { a: 1 }, [{ op: "copy", from: "/b", path: "/c" }], { a: 1, c: null }],
  ["add without value is null", { a: 1 }, [{ op: "add", path: "/b" }], { a: 1, b: null }],
  ["test of a missing member for null", { a: 1 }, [{ op: "test", path: "/b", value: null }], { a: 1 }],
  ["test of a missing member without value", { a: 1 }, [{ op: "test", path: "/b" }], { a: 1 }],
  ["test of a missing member for a value", { a: 1 }, [{ op: "test", path: "/b", value: 1 }], { fails: "test-failed" }],
  ["test of a present member without value", { a: 1 }, [{ op: "test", path: "/a" }], { fails: "test-failed" }],
  ["test of a missing element", { a: [] }, [{ op: "test", path: "/a/0", value: null }], { fails: "missing-path" }],
  ["test of all", { a: [{ b: null }] }, [{ op: "test", path: "", value: { a: [{ b: null }] } }], { a: [{ b: null }] }],
  ["test in any order", { a: { b: 1, c: 2 } }, [{ op: "test", path: "/a", value: { c: 2, b: 1 } }], {
    a: { b: 1, c: 2 },
  }],
  ["replace all", { a: 1 }, [{ op: "replace", path: "", value: { b: 1 } }], { b: 1 }],
  ["replace all by text", { a: 1 }, [{ op: "replace", path: "", value: "b" }], { fails: "missing-path" }],
  ["add all", { a: 1 }, [{ op: "add", path: "", value: { b: 1 } }], { fails: "missing-path" }],
  ["an index beyond the end", { a: [1] }, [{ op: "add", path: "/a/2", value: 2 }], { fails: "missing-path" }],
  ["index 0 is the first", { a: [1, 2] }, [{ op: "remove", path: "/a/0" }, { op: "add", path: "/a/0", value: 3 }], {
    a: [3, 2],
  }],
  ["a negative index adds from the end", { a: [1, 3] }, [{ op: "add", path: "/a/-2", value: 2 }], { a: [1, 2, 3] }],
  ["index -1 appends", { a: [1] }, [{ op: "add", path: "/a/-1", value: 2 }], { a: [1, 2] }],
  ["a negative index removes", { a: [1, 2] }, [{ op: "remove", path: "/a/-1" }], { a: [1] }],
  ["a too negative index", { a: [1, 2] }, [{ op: "remove", path: "/a/-3" }], { fails: "missing-path" }],
  ["an index that is no number", { a: [1] }, [{ op: "remove", path: "/a/x" }], { fails: "missing-path" }],
  ["an index that is empty", { a: [1] }, [{ op: "remove", path: "/a/" }], { fails: "missing-path" }],
  ["an index with an exponent", { a: [1] }, [{ op: "remove", path: "/a/0e0" }], { fails: "missing-path" }],
  ["a walk through an index", { a: [{ b: 1 }] }, [{ op: "replace", path: "/a/-1/b", value: 2 }], { a: [{ b: 2 }] }],
  ["a walk through text", { a: "x" }, [{ op: "add", path: "/a/b", value: 2 }], { fails: "missing-path" }],
  ["members of Object.prototype are missing", { a: 1 }, [{ op: "remove", path: "/constructor" }], {
    fails: "missing-path",
  }],
  ["~01 is ~1", { "~1": 1 }, [{ op: "remove", path: "/~01" }], {}],
  ["a copy is apart", { a: { b: [1] } }, [
    { op: "add", path: "/a/b/-", value: 2 },
    { op: "copy", from: "/a", path: "/c" },
    { op: "add", path: "/a/b/-", value: 3 },
    { op: "add", path: "/c/b/-", value: 4 },
  ], { a: { b: [1, 2, 3] }, c: { b: [1, 2, 4] } }],
  ["a copy into itself", { a: { b: 1 } }, [
    { op: "add", path: "/a/c", value: [] },
    { op: "copy", from: "/a", path: "/a/d" },
    { op: "add", path: "/a/d/c/-", value: 2 },
  ], { a: { b: 1, c: [], d: { b: 1, c: [2] } } }],
];

function run(row: Row): void {
  const [, doc, patch, result] = row;
  const before = JSON.stringify([doc, patch]);
  if (typeof result === "object" && result && "fails" in result) {
    assert.throws(() => applyJsonPatch(doc, patch), (e) => e instanceof PatchError && e.kind === result.fails);
  } else assert.deepEqual(applyJsonPatch(doc, patch), result);
  assert.equal(JSON.stringify([doc, patch]), before, "inputs are not changed");
}

for (const row of APPENDIX) Deno.test(`RFC 6902 ${row[0]}`, () => run(row));
for (const row of SERVER) Deno.test(`JSON patch: ${row[0]}`, () => run(row));

Deno.test("RFC 6902 A.13 a member that is there twice: the last one counts", () => {
  const patch = parseJson('[{ "op": "add", "path": "/baz", "value": "qux", "op": "remove" }]').tree;
  assert.throws(() => applyJsonPatch({ foo: "bar" }, patch), { kind: "missing-path" });
  assert.deepEqual(applyJsonPatch({ baz: "bar" }, patch), {});
});

Deno.test("JSON patch: 10,000 operations pass, 10,001 are too large", () => {
  const ops = (n: number) => Array.from({ length: n }, () => ({ op: "add", path: "/a", value: 1 }));
  assert.deepEqual(applyJsonPatch({}, ops(10_000)), { a: 1 });
  assert.throws(() => applyJsonPatch({}, ops(10_001)), { kind: "too-large" });
});

Deno.test("JSON patch: copies are bounded in sum", () => {
  const doc = { a: "x".repeat(1000) };
  const ops = (n: number) => Array.from({ length: n }, (_, i) => ({ op: "copy", from: "/a", path: `/b${i}` }));
  const limits = { operations: 100, copyBytes: 5010 };
  assert.equal(Object.keys(applyJsonPatch(doc, ops(5), limits) as object).length, 6);
  assert.throws(() => applyJsonPatch(doc, ops(6), limits), { kind: "copy-limit" });
});

Deno.test("JSON patch: a member called __proto__ is data", () => {
  const out = applyJsonPatch({}, [{ op: "add", path: "/__proto__", value: { x: 1 } }]) as Record<string, Json>;
  assert.deepEqual(Object.keys(out), ["__proto__"]);
  assert.equal(out.x, undefined);
});

Deno.test("JSON patch: members that the RFC does not know are listed", () => {
  assert.deepEqual(unknownJsonPatchFields([{ op: "add", path: "/a", value: 1 }, { op: "test", foo: 1 }]), ["[1].foo"]);
  for (const patch of [null, {}, "x", [null, "x", ["x"]]]) assert.deepEqual(unknownJsonPatchFields(patch), []);
});

Deno.test("JSON patch: a document nested deeper and deeper is refused or done, never more", () => {
  const moves = Array.from({ length: 4990 }, (_, i) => [
    { op: "add", path: i % 2 ? "/a" : "/b", value: {} },
    { op: "move", from: i % 2 ? "/b" : "/a", path: i % 2 ? "/a/x" : "/b/x" },
  ]).flat();
  const ends = [{ op: "copy", from: "/a", path: "/c" }, { op: "test", path: "/a", value: {} }];
  for (const end of ends) {
    assert.throws(() => applyJsonPatch({ a: {} }, [...moves, end]), { name: "PatchError" });
    assert.ok(applyJsonPatch({ a: {} }, moves));
  }
});
