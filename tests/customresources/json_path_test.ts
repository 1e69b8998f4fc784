import assert from "node:assert/strict";
import { jsonPath } from "../../server/customresources/json_path.ts";

const OBJECT = {
  spec: { a: 1, "b.c": "dotted", list: [{ n: "x", v: 1 }, { n: "y", v: 2 }], deep: { a: 2 } },
  status: { conditions: [{ type: "Ready", status: "True" }, { type: "Other", status: "False" }] },
};

const ROWS: readonly (readonly [string, unknown[]])[] = [
  [".spec.a", [1]],
  [".spec.none", []],
  [".spec['b.c']", []],
  [".spec['b\\.c']", ["dotted"]],
  [".spec.b\\.c", ["dotted"]],
  [".spec.list[0].n", ["x"]],
  [".spec.list[-1].n", ["y"]],
  [".spec.list[*].n", ["x", "y"]],
  [".spec.list[0:1].v", [1]],
  ['.status.conditions[?(@.type=="Ready")].status', ["True"]],
  [".status.conditions[?(@.type=='None')].status", []],
  [".spec.list[?(@.v>1)].n", ["y"]],
  [".spec.list[?(@.n)].v", [1, 2]],
  ["..v", [1, 2]],
  ["{.spec.a}", [1]],
  [".spec.list[", []],
];

Deno.test("paths find what they lead to", () => {
  for (const [path, found] of ROWS) assert.deepEqual(jsonPath(path)(OBJECT), found, path);
});
