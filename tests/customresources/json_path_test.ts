import assert from "node:assert/strict";
import { Age, type Cell } from "../../server/printing/types.ts";
import { customPrinter } from "../../server/customresources/printer.ts";
import type { Json } from "../../schema/model/types.ts";
import { jsonPath } from "../../server/customresources/json_path.ts";

const OBJECT = {
  spec: { a: 1, "b.c": "dotted", list: [{ n: "x", v: 1 }, { n: "y", v: 2, w: 2 }], deep: { a: 2 } },
  lists: [[], null, [3, 4]],
  flags: [{ on: true, q: "it's", r: "')" }],
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
  [".", []],
  [".spec.a}.b", [1]],
  [".spec.a b", []],
  [".spec.list[0]['n','v']", ["x", 1]],
  [".spec.list[0][ 'n' ,  'v' ]", ["x", 1]],
  [".spec.list[].n", ["x"]],
  [".spec.list[-1:].n", ["y"]],
  [".spec.list[:].n", ["x", "y"]],
  [".spec.list[0:2:2].n", ["x"]],
  [".spec.list[1:1].n", []],
  // A slice that is not within the list finds nothing, nor does a step that goes nowhere.
  [".spec.list[0:5].n", []],
  [".spec.list[2].n", []],
  [".spec.list[-3].n", []],
  [".spec.list[1:0].n", []],
  [".spec.list[0:2:0].n", []],
  [".spec.deep[0]", []],
  // Lists alone are filtered, by values of one type.
  [".spec.deep[?(@.a)].a", []],
  [".spec.list[?(@.v==1)].n", ["x"]],
  [".spec.list[?(@.v=='1')].n", []],
  [".spec.list[?(@.v!='1')].n", []],
  [".spec.list[?(@.n!='x')].v", [2]],
  [".spec.list[?(@.n==x)].v", []],
  [".spec.list[?(@.v==@.v)].n", ["x", "y"]],
  [".spec.list[?(@.n=='x')]['v']", [1]],
  [".spec.list[?(@.v=1)].n", []],
  [".spec.list[?('x'==@.n)].v", [1]],
  ['.spec.list[?(@.n=="a)b")].v', []],
  [".spec.list[?(@.v==@.w)].n", ["y"]],
  [".spec.list[?(@.n[0])].v", [1, 2]],
  [".spec.list[0:2:-1].n", []],
  [".spec.deep..", [{ a: 2 }]],
  [".lists[*][0:]", [3, 4]],
  [".lists[?(@[*]>0)]", []],
  [".flags[?(@.on>false)].on", []],
  [".flags[?(@.on!=false)].on", [true]],
  [".flags[?(@.q=='it\\'s')].q", ["it's"]],
  [".flags[?(@.r=='\\')')].r", ["')"]],
];

/** What is no path. */
const UNREADABLE = [
  ".spec.list[",
  "{.spec.a}",
  ".spec.list[x]",
  ".spec.list[-]",
  '.spec["a"]',
  ".spec['a\\'b']",
  "....v",
  ".spec.list[?(@.v>1].n",
  ".spec.list[?(@.v>1 && @.v<3)].n",
  ".spec.list[?(@.n=='x)].v",
  ".spec.list[?(@.v=~1)].n",
  ".spec.a !",
  `.spec.list['n','a${" ".repeat(1 << 20)}b]`,
  ".spec\n.a",
  ".spec['a\nb']",
  ".spec.list[0\n]",
  ".spec.list[0,\n1]",
];

Deno.test("paths find what they lead to", () => {
  for (const [path, found] of ROWS) assert.deepEqual(jsonPath(path)?.(OBJECT), found, path);
});

Deno.test("a path that finds more at each step than at the one before is not followed to its end", () => {
  let nested: Json = 1;
  for (let i = 0; i < 60; i++) nested = { a: nested };
  assert.equal(jsonPath("..a")?.(nested).length, 60);
  assert.deepEqual(jsonPath("..a".repeat(20))?.(nested), []);
  const list = Array.from({ length: 60_000 }, (_, i) => i);
  assert.equal(jsonPath(".a[0:]")?.({ a: list }).length, 60_000);
  assert.equal(jsonPath(".a[0:,0:]")?.({ a: list }).length, 0);
});

Deno.test("what is no path is told from one that finds nothing", () => {
  for (const path of UNREADABLE) assert.equal(jsonPath(path), undefined, path);
});

Deno.test("a column whose path cannot be read is the end of a Table's columns", () => {
  const column = (name: string, path: string) => ({ name, type: "string", jsonPath: path });
  const printer = customPrinter([column("A", ".spec.a"), column("B", ".spec["), column("C", ".spec.a")]);
  assert.deepEqual(printer.columns.map((c) => c.name), ["Name", "A"]);
  assert.deepEqual(printer.cells({ metadata: { name: "o" }, ...OBJECT } as never), ["o", "1"]);
});

Deno.test("a column tells of itself what its definition says of it, and otherwise where it looks", () => {
  const told = { name: "V", type: "integer", format: "int32", priority: 1, description: "how many" };
  const { columns } = customPrinter([{ ...told, jsonPath: ".v" }, { name: "W", type: "date", jsonPath: ".w" }]);
  const description = "Custom resource definition column (in JSONPath format): .w";
  assert.deepEqual(columns.slice(1), [told, { name: "W", type: "date", format: "", priority: 0, description }]);
});

/** Values in columns of a type, and what is shown of them. */
const SHOWN: readonly (readonly [type: string, value: Json, cell: Cell])[] = [
  ["integer", -2.5, -2],
  ["integer", "2", null],
  ["number", 2.5, 2.5],
  ["number", "2", null],
  ["boolean", false, false],
  ["boolean", "true", null],
  ["string", null, "<no value>"],
  ["string", true, "true"],
  ["date", 5, null],
  ["date", "null", new Age(undefined)],
  ["date", "2026-01-01", "<invalid>"],
  ["date", "2026-13-01T00:00:00Z", "<invalid>"],
  ["date", "2026-01-01T00:00:00+01:00", new Age("2026-01-01T00:00:00+01:00")],
];

Deno.test("a column shows what is of its type", () => {
  for (const [type, v, cell] of SHOWN) {
    const { cells } = customPrinter([{ name: "V", type, jsonPath: ".v" }]);
    assert.deepEqual(cells({ metadata: { name: "o" }, v } as never), ["o", cell], `${type} ${JSON.stringify(v)}`);
  }
});

Deno.test("a column of text shows an object as JSON: numbers whole, members in the order of their bytes, no odd characters", () => {
  const printer = customPrinter([{ name: "O", type: "string", jsonPath: ".spec.o" }]);
  const o = { b: 9007199254740993n, a: [{ "2": 1, "10": "<\u2028&>" }], "\u{1f600}": 1, "\uffee": 2 };
  assert.deepEqual(printer.cells({ metadata: { name: "o" }, spec: { o } } as never), [
    "o",
    '{"a":[{"10":"\\u003c\\u2028\\u0026\\u003e","2":1}],"b":9007199254740993,"\uffee":2,"\u{1f600}":1}',
  ]);
});
