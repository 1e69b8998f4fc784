/** The typed walks, row by row: which fields a value mentions, what differs, how values merge and what is taken out. */
import assert from "node:assert/strict";
import { keyElement, type Path, pathText } from "../../schema/merge/fieldpath.ts";
import { builtInMessage } from "../../schema/messages.ts";
import { FieldSet } from "../../schema/merge/fieldset.ts";
import { compare, merge, removeItems, toFieldSet, validateTyped } from "./_typed.ts";
import { TypedError } from "../../schema/merge/walk.ts";
import type { Json, JsonMap } from "../../schema/model/types.ts";
import { SPEC } from "./_widget.ts";

const texts = (set: FieldSet) => set.paths().map(pathText).sort();

const MENTIONS: [name: string, value: JsonMap, fields: string[] | "error"][] = [
  ["nothing", {}, []],
  ["scalars", { size: 1, color: "" }, [".color", ".size"]],
  ["null", { size: null, labels: null, set: null }, [".labels", ".set", ".size"]],
  ["a struct by its members", { part: { x: 1 } }, [".part.x"]],
  ["an empty struct or map", { part: {}, labels: {} }, [".labels", ".part"]],
  ["an empty list is not mentioned, unless it is owned whole", { set: [], items: [], plain: [] }, [".plain"]],
  ["a map by its entries", { labels: { a: "1", b: "" } }, [".labels.a", ".labels.b"]],
  ["a map of structs", { parts: { a: { x: 1 } } }, [".parts.a", ".parts.a.x"]],
  ["what is owned whole", { whole: { x: 1 }, wholeLabels: { a: "1" }, plain: ["a"], atomicItems: [{ name: "a" }] }, [
    ".atomicItems",
    ".plain",
    ".whole",
    ".wholeLabels",
  ]],
  ["a set by its values", { set: ["a", "b"], numbers: [1] }, [".numbers[=1]", '.set[="a"]', '.set[="b"]']],
  ["items by key", { items: [{ name: "a", value: 1, tags: ["t"] }] }, [
    '.items[name="a"]',
    '.items[name="a"].name',
    '.items[name="a"].tags[="t"]',
    '.items[name="a"].value',
  ]],
  ["two keys, one by default", { ports: [{ port: 80 }, { port: 80, protocol: "UDP" }] }, [
    '.ports[port=80,protocol="TCP"]',
    '.ports[port=80,protocol="TCP"].port',
    '.ports[port=80,protocol="UDP"]',
    '.ports[port=80,protocol="UDP"].port',
    '.ports[port=80,protocol="UDP"].protocol',
  ]],
  ["a required key stands for its zero value", { items: [{ value: 1 }] }, ['.items[name=""]', '.items[name=""].value']],
  ["keys that may be absent", { optionalKeys: [{ port: 1, note: "n" }, { port: 2, zone: "z" }] }, [
    '.optionalKeys[note="n"]',
    '.optionalKeys[note="n"].note',
    '.optionalKeys[note="n"].port',
    '.optionalKeys[zone="z"]',
    '.optionalKeys[zone="z"].port',
    '.optionalKeys[zone="z"].zone',
  ]],
  ["an item without any key", { optionalKeys: [{ port: 1 }] }, "error"],
  ["a list by merge key", { merged: [{ name: "a" }] }, ['.merged[name="a"]', '.merged[name="a"].name']],
  ["items that stand twice are one", { items: [{ name: "a", value: 1 }, { name: "b" }, { name: "a" }] }, [
    '.items[name="a"]',
    '.items[name="b"]',
    '.items[name="b"].name',
  ]],
  ["values that stand twice are one", { set: ["a", "a"] }, ['.set[="a"]']],
  ["an open value by its members", { any: { a: { b: 1 }, c: [1] } }, [".any.a", ".any.a.b", ".any.c"]],
  ["an embedded object is owned whole", { raw: { a: { b: 1 } } }, [".raw"]],
  ["members that nobody declared, kept", { child: { known: "a", other: { x: 1 } } }, [
    ".child.known",
    ".child.other",
    ".child.other.x",
  ]],
  ["a member that nobody declared", { bogus: 1 }, "error"],
];

for (const [name, value, fields] of MENTIONS) {
  Deno.test(`field set: ${name}`, () => {
    if (fields === "error") assert.throws(() => toFieldSet(SPEC, value), TypedError);
    else assert.deepEqual(texts(toFieldSet(SPEC, value)), fields);
  });
}

type Diff = { added?: string[]; modified?: string[]; removed?: string[] };
const DIFFERENCES: [name: string, a: JsonMap, b: JsonMap, diff: Diff][] = [
  ["nothing", { size: 1, items: [{ name: "a" }] }, { items: [{ name: "a" }], size: 1 }, {}],
  ["a scalar", { size: 1 }, { size: 2 }, { modified: [".size"] }],
  ["members that come and go", { size: 1 }, { color: "x" }, { added: [".color"], removed: [".size"] }],
  ["what comes, with all on the way", {}, { part: { x: 1 } }, { added: [".part", ".part.x"] }],
  ["null and a value", { size: null }, { size: 1 }, { modified: [".size"] }],
  ["null and empty", { set: null, labels: null }, { set: [], labels: {} }, { modified: [".labels", ".set"] }],
  ["empty and not", { labels: {} }, { labels: { a: "1" } }, { added: [".labels.a"] }],
  ["an entry of a map", { labels: { a: "1", b: "1" } }, { labels: { a: "2", c: "1" } }, {
    added: [".labels.c"],
    modified: [".labels.a"],
    removed: [".labels.b"],
  }],
  ["what is owned whole", { whole: { x: 1 }, plain: ["a"] }, { whole: { x: 1, y: 2 }, plain: ["b"] }, {
    modified: [".plain", ".whole"],
  }],
  ["values of a set, whatever their order", { set: ["a", "b"] }, { set: ["c", "b"] }, {
    added: ['.set[="c"]'],
    removed: ['.set[="a"]'],
  }],
  ["items, whatever their order", { items: [{ name: "a", value: 1 }, { name: "b" }] }, {
    items: [{ name: "b", value: 2 }, { name: "a", value: 3 }],
  }, { added: ['.items[name="b"].value'], modified: ['.items[name="a"].value'] }],
  ["an item that goes", { items: [{ name: "a", value: 1 }, { name: "b" }] }, { items: [{ name: "b" }] }, {
    removed: ['.items[name="a"]', '.items[name="a"].name', '.items[name="a"].value'],
  }],
  ["an item that comes to stand twice", { items: [{ name: "a", value: 1 }] }, {
    items: [{ name: "a", value: 1 }, { name: "a", value: 2 }],
  }, { added: ['.items[name="a"]'], removed: ['.items[name="a"]', '.items[name="a"].name', '.items[name="a"].value'] }],
  ["an item that no longer stands twice", { items: [{ name: "a" }, { name: "a" }] }, {
    items: [{ name: "a", value: 1 }],
  }, {
    added: ['.items[name="a"]', '.items[name="a"].name', '.items[name="a"].value'],
    removed: ['.items[name="a"]'],
  }],
  ["items that stand twice and change", { items: [{ name: "a" }, { name: "a" }] }, {
    items: [{ name: "a" }, { name: "a", value: 1 }],
  }, { modified: ['.items[name="a"]'] }],
  ["an item that stands twice and goes", { set: ["a", "a"] }, { set: [] }, { removed: ['.set[="a"]'] }],
  ["an open value of another shape", { any: "x" }, { any: { a: 1 } }, { added: [".any.a"], modified: [".any"] }],
  ["numbers by value", { any: 1, quantity: "1" }, { any: 1.0, quantity: "1000m" }, { modified: [".quantity"] }],
];

for (const [name, a, b, want] of DIFFERENCES) {
  Deno.test(`difference: ${name}`, () => {
    const got = compare(SPEC, a, b);
    const all = { added: texts(got.added), modified: texts(got.modified), removed: texts(got.removed) };
    assert.deepEqual(all, { added: [], modified: [], removed: [], ...want });
  });
}

const MERGES: [name: string, live: JsonMap, applied: JsonMap, result: JsonMap | "error"][] = [
  ["nothing", { size: 1 }, {}, { size: 1 }],
  ["what is applied wins, the rest stays", { size: 1, color: "x" }, { size: 2, on: true }, {
    size: 2,
    color: "x",
    on: true,
  }],
  [
    "maps and structs by member",
    { labels: { a: "1", b: "2" }, part: { x: 1 } },
    { labels: { b: "3" }, part: { y: 2 } },
    {
      labels: { a: "1", b: "3" },
      part: { x: 1, y: 2 },
    },
  ],
  ["what is owned whole is replaced", { whole: { x: 1 }, plain: ["a"] }, { whole: { y: 1 }, plain: ["b"] }, {
    whole: { y: 1 },
    plain: ["b"],
  }],
  ["null empties a scalar, and leaves a map", { size: 1, labels: { a: "1" } }, { size: null, labels: null }, {
    size: null,
    labels: { a: "1" },
  }],
  ["a set grows at its end", { set: ["a", "b"] }, { set: ["c"] }, { set: ["a", "b", "c"] }],
  ["a set in the applied order", { set: ["a", "b", "c"] }, { set: ["c", "a"] }, { set: ["b", "c", "a"] }],
  ["live items between", { set: ["a", "x", "b"] }, { set: ["a", "b", "c"] }, { set: ["a", "x", "b", "c"] }],
  ["new items before", { set: ["a", "b"] }, { set: ["c", "a", "b"] }, { set: ["c", "a", "b"] }],
  ["items by key", { items: [{ name: "a", value: 1 }, { name: "b" }] }, { items: [{ name: "a", tags: ["t"] }] }, {
    items: [{ name: "a", value: 1, tags: ["t"] }, { name: "b" }],
  }],
  ["items by defaulted key", { ports: [{ port: 80, protocol: "TCP" }] }, { ports: [{ port: 80, note: "n" }] }, {
    ports: [{ port: 80, protocol: "TCP", note: "n" }],
  }],
  ["an item that stands twice in the live list is replaced", {
    items: [{ name: "a", value: 1 }, { name: "a", value: 2 }],
  }, {
    items: [{ name: "a", value: 3 }],
  }, { items: [{ name: "a", value: 3 }] }],
  ["other items that stand twice stay", { items: [{ name: "a", value: 1 }, { name: "a", value: 2 }] }, {
    items: [{ name: "b" }],
  }, { items: [{ name: "a", value: 1 }, { name: "a", value: 2 }, { name: "b" }] }],
  ["an item applied twice", { items: [] }, { items: [{ name: "a" }, { name: "a" }] }, "error"],
  ["an open value of another shape", { any: { a: 1 } }, { any: "x" }, { any: "x" }],
  ["open objects by member", { any: { a: 1, b: [1, 2] } }, { any: { b: [3], c: {} } }, {
    any: { a: 1, b: [3], c: {} },
  }],
];

for (const [name, live, applied, result] of MERGES) {
  Deno.test(`merge: ${name}`, () => {
    const before = JSON.stringify([live, applied]);
    if (result === "error") assert.throws(() => merge(SPEC, live, applied), TypedError);
    else assert.deepEqual(merge(SPEC, live, applied), result);
    assert.equal(JSON.stringify([live, applied]), before, "inputs are not changed");
  });
}

Deno.test("merge: what does not change is the same object in memory", () => {
  const live: JsonMap = { size: 1, items: [{ name: "a", part: { x: 1 } }, { name: "b" }], labels: { a: "1" } };
  assert.equal(merge(SPEC, live, { size: 1, items: [{ name: "b" }], labels: { a: "1" } }), live);
  const next = merge(SPEC, live, { items: [{ name: "b", value: 1 }] }) as JsonMap;
  assert.equal((next.items as Json[])[0], (live.items as Json[])[0]);
  assert.equal(next.labels, live.labels);
});

const A = keyElement({ name: "a" });
const REMOVALS: [name: string, value: JsonMap, fields: Path[], result: Json][] = [
  ["nothing", { size: 1 }, [], { size: 1 }],
  ["what is not there", { size: 1 }, [["f:color"], ["f:part", "f:x"]], { size: 1 }],
  ["a member", { size: 1, color: "x" }, [["f:size"]], { color: "x" }],
  ["with all below it", { part: { x: 1, y: 2 }, size: 1 }, [["f:part"]], { size: 1 }],
  ["a map that becomes empty is null", { labels: { a: "1" }, size: 1 }, [["f:labels", "f:a"]], {
    labels: null,
    size: 1,
  }],
  ["an item", { items: [{ name: "a" }, { name: "b" }] }, [["f:items", A]], { items: [{ name: "b" }] }],
  ["the last item", { items: [{ name: "a" }], size: 1 }, [["f:items", A]], { items: null, size: 1 }],
  ["a field of an item", { items: [{ name: "a", value: 1 }] }, [["f:items", A, "f:value"]], { items: [{ name: "a" }] }],
  ["a value of a set", { set: ["a", "b"] }, [["f:set", 'v:"a"']], { set: ["b"] }],
  ["all", { size: 1 }, [["f:size"]], null],
];

for (const [name, value, fields, result] of REMOVALS) {
  Deno.test(`removal: ${name}`, () => {
    assert.deepEqual(removeItems(SPEC, value, FieldSet.of(...fields)), result);
  });
}

Deno.test("a number or text takes any shape: what it must be is said when it is read, after conflicts", () => {
  const budget = builtInMessage("policy.v1.PodDisruptionBudgetSpec")!;
  for (const minAvailable of [1, "50%", ["a"], { a: 1 }]) {
    assert.deepEqual(validateTyped(budget, { minAvailable }), [], JSON.stringify(minAvailable));
  }
});

Deno.test("validation names all that does not fit", () => {
  assert.deepEqual(validateTyped(SPEC, { size: 1, set: ["a"], items: [{ name: "a" }], any: [{}], labels: null }), []);
  assert.deepEqual(
    validateTyped(SPEC, {
      size: "1",
      color: 1,
      on: {},
      bogus: 1,
      labels: [],
      plain: {},
      set: [{}],
      items: [{ name: "a" }, { name: "a" }],
      part: { z: 1 },
    }),
    [
      ".size: expected number, got string",
      ".color: expected string, got number",
      ".on: expected boolean, got map",
      ".bogus: field not declared in schema",
      ".labels: expected map, got list",
      ".plain: expected list, got map",
      ".set: items of a set must be scalars",
      '.items[name="a"]: duplicate entries for this key',
      ".part.z: field not declared in schema",
    ],
  );
});
