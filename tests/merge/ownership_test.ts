/** Ownership as stories: writes by several managers, and what comes of them. */
import { type End, type Step, tell } from "./_story.ts";

const apply = (manager: string, spec: Step["spec"], more: Partial<Step> = {}): Step => ({
  apply: manager,
  spec,
  ...more,
});
const update = (manager: string, spec: Step["spec"], more: Partial<Step> = {}): Step => ({
  update: manager,
  spec,
  ...more,
});
const force = { force: true };

const STORIES: Record<string, [Step[], End]> = {
  "an apply owns what it mentions": [[apply("a", { size: 1, labels: { x: "1" } })], {
    spec: { size: 1, labels: { x: "1" } },
    owners: { a: [".labels.x", ".size"] },
  }],
  "an update owns what it changes": [[update("u", { size: 1, labels: { x: "1" } })], {
    owners: { "u!": [".labels", ".labels.x", ".size", ".spec"] },
  }],
  "an update that changes nothing owns nothing more": [[
    apply("a", { size: 1 }),
    update("u", { size: 1 }),
  ], { owners: { a: [".size"] } }],
  "an update takes what it changes": [[apply("a", { size: 1, color: "x" }), update("u", { size: 2, color: "x" })], {
    owners: { a: [".color"], "u!": [".size"] },
  }],
  "an update that removes a field takes it from its owner": [[
    apply("a", { size: 1, color: "x" }),
    update("u", { color: "x" }),
  ], {
    spec: { color: "x" },
    owners: { a: [".color"] },
  }],
  "two updates by one manager are one entry": [[update("u", { size: 1 }), update("u", { size: 1, color: "x" })], {
    owners: { "u!": [".color", ".size", ".spec"] },
  }],
  "one manager applies and updates apart": [[apply("m", { size: 1 }), update("m", { size: 1, color: "x" })], {
    owners: { m: [".size"], "m!": [".color"] },
  }],
  "a second apply of the same owns the same": [[apply("a", { size: 1 }), apply("a", { size: 1 })], {
    owners: { a: [".size"] },
  }],
  "an apply without a field removes it": [[apply("a", { size: 1, color: "x" }), apply("a", { size: 1 })], {
    spec: { size: 1 },
    owners: { a: [".size"] },
  }],
  "an apply of nothing removes all that was applied": [[apply("a", { size: 1, color: "x" }), apply("a", null)], {
    spec: null,
    owners: {},
  }],
  "an equal value is shared": [[apply("a", { size: 1 }), apply("b", { size: 1 })], {
    owners: { a: [".size"], b: [".size"] },
  }],
  "a shared field stays until its last owner gives it up": [[
    apply("a", { size: 1, color: "x" }),
    apply("b", { size: 1 }),
    apply("a", { color: "x" }),
  ], { spec: { size: 1, color: "x" }, owners: { a: [".color"], b: [".size"] } }],
  "and goes with the last one": [[
    apply("a", { size: 1, color: "x" }),
    apply("b", { size: 1 }),
    apply("a", { color: "x" }),
    apply("b", null),
  ], { spec: { color: "x" }, owners: { a: [".color"] } }],
  "another value is a conflict": [[
    apply("a", { size: 1, color: "x" }),
    apply("b", { size: 2, color: "y" }, { conflicts: ["a: .spec.color", "a: .spec.size"] }),
  ], { spec: { size: 1, color: "x" }, owners: { a: [".color", ".size"] } }],
  "conflicts with several owners": [[
    apply("a", { size: 1 }),
    update("u", { size: 1, color: "x" }),
    apply("b", { size: 2, color: "y" }, { conflicts: ["a: .spec.size", "u: .spec.color"] }),
  ], {}],
  "force takes the field": [[apply("a", { size: 1, color: "x" }), apply("b", { size: 2 }, force)], {
    spec: { size: 2, color: "x" },
    owners: { a: [".color"], b: [".size"] },
  }],
  "a taken field comes back by force, and its taker keeps nothing": [[
    apply("a", { size: 1 }),
    apply("b", { size: 2 }, force),
    apply("a", { size: 1 }, force),
  ], { owners: { a: [".size"] } }],
  "what an updater set since stays when its applier gives it up": [[
    apply("a", { size: 1, color: "x" }),
    update("u", { size: 5, color: "x" }),
    apply("a", { color: "x" }),
  ], { spec: { size: 5, color: "x" }, owners: { a: [".color"], "u!": [".size"] } }],
  "what nobody applied is not removed": [[
    update("u", { size: 1, labels: { x: "1" } }),
    apply("a", { labels: { y: "2" } }),
    apply("a", null),
  ], { spec: { size: 1, labels: { x: "1" } }, owners: { "u!": [".labels", ".labels.x", ".size", ".spec"] } }],
  "map entries of several": [
    [apply("a", { labels: { x: "1" } }), apply("b", { labels: { y: "2" } }), apply("a", null)],
    {
      spec: { labels: { y: "2" } },
      owners: { b: [".labels.y"] },
    },
  ],
  "an empty map is owned": [[apply("a", { labels: {} }), apply("b", { labels: { x: "1" } })], {
    spec: { labels: { x: "1" } },
    owners: { a: [".labels"], b: [".labels.x"] },
  }],
  "what is owned whole conflicts whole": [[
    apply("a", { wholeLabels: { x: "1" }, whole: { x: 1 }, plain: ["p"] }),
    apply("b", { wholeLabels: { y: "1" }, whole: { y: 1 }, plain: ["q"] }, {
      conflicts: ["a: .spec.plain", "a: .spec.whole", "a: .spec.wholeLabels"],
    }),
  ], {}],
  "values of a set are owned apart": [[
    apply("a", { set: ["x", "y"] }),
    apply("b", { set: ["z", "y"] }),
    apply("a", { set: ["x"] }),
  ], { spec: { set: ["x", "z", "y"] }, owners: { a: ['.set[="x"]'], b: ['.set[="y"]', '.set[="z"]'] } }],
  "items are owned apart": [[
    apply("a", { items: [{ name: "x", value: 1 }] }),
    apply("b", { items: [{ name: "y", value: 2 }] }),
  ], {
    spec: { items: [{ name: "x", value: 1 }, { name: "y", value: 2 }] },
    owners: {
      a: ['.items[name="x"]', '.items[name="x"].name', '.items[name="x"].value'],
      b: ['.items[name="y"]', '.items[name="y"].name', '.items[name="y"].value'],
    },
  }],
  "fields of one item are owned apart": [[
    apply("a", { items: [{ name: "x", value: 1 }] }),
    apply("b", { items: [{ name: "x", tags: ["t"] }] }),
    apply("a", null),
  ], {
    spec: { items: [{ name: "x", tags: ["t"] }] },
    owners: { b: ['.items[name="x"]', '.items[name="x"].name', '.items[name="x"].tags[="t"]'] },
  }],
  "an item that its only applier drops goes, with what nobody owned of it": [[
    apply("a", { items: [{ name: "x" }, { name: "y" }] }),
    { ...update("u", { items: [{ name: "x" }, { name: "y" }] }) },
    apply("a", { items: [{ name: "y" }] }),
  ], { spec: { items: [{ name: "y" }] } }],
  "an item that its only applier drops goes with what an updater owns in it": [[
    apply("a", { items: [{ name: "x", value: 1 }] }),
    update("u", { items: [{ name: "x", value: 1, tags: ["t"] }] }),
    apply("a", null),
  ], { spec: {}, owners: {} }],
  "an item stays for another that owns it": [[
    apply("a", { items: [{ name: "x", value: 1 }] }),
    update("u", { items: [{ name: "x", value: 1 }, { name: "y" }] }),
    apply("b", { items: [{ name: "y", value: 2 }] }),
    apply("b", null),
  ], { spec: { items: [{ name: "x", value: 1 }, { name: "y" }] } }],
  "a key by its default is the same item": [[
    apply("a", { ports: [{ port: 80, protocol: "TCP" }] }),
    apply("b", { ports: [{ port: 80, note: "n" }] }),
  ], {
    spec: { ports: [{ port: 80, protocol: "TCP", note: "n" }] },
    owners: {
      a: [
        '.ports[port=80,protocol="TCP"]',
        '.ports[port=80,protocol="TCP"].port',
        '.ports[port=80,protocol="TCP"].protocol',
      ],
      b: [
        '.ports[port=80,protocol="TCP"]',
        '.ports[port=80,protocol="TCP"].note',
        '.ports[port=80,protocol="TCP"].port',
      ],
    },
  }],
  "the same port of another protocol is another item": [[
    apply("a", { ports: [{ port: 80 }] }),
    apply("a", { ports: [{ port: 80, protocol: "UDP" }] }),
  ], { spec: { ports: [{ port: 80, protocol: "UDP" }] } }],
  "a list by merge key": [[apply("a", { merged: [{ name: "x" }] }), apply("b", { merged: [{ name: "y" }] })], {
    spec: { merged: [{ name: "x" }, { name: "y" }] },
  }],
  "open values are owned by member": [[
    apply("a", { any: { x: { y: 1 } } }),
    apply("b", { any: { x: { z: 2 } } }),
    apply("a", null),
  ], { spec: { any: { x: { z: 2 } } }, owners: { b: [".any.x", ".any.x.z"] } }],
  "embedded objects are owned whole": [[
    apply("a", { raw: { x: 1 } }),
    apply("b", { raw: { y: 1 } }, { conflicts: ["a: .spec.raw"] }),
  ], {}],
  "an unknown field is refused": [[apply("a", { bogus: 1 }, { refused: 400 })], {}],
  "an item twice is refused": [[apply("a", { items: [{ name: "x" }, { name: "x" }] }, { refused: 400 })], {}],
  "a wrong type is refused": [[apply("a", { size: "1" }, { refused: 400 })], {}],
  "items twice by update are owned as one": [[update("u", { set: ["x", "x", "y"] })], {
    owners: { "u!": [".set", '.set[="x"]', '.set[="y"]', ".spec"] },
  }],
  "owners that an update sends are taken": [[
    apply("a", { size: 1 }),
    update("u", { size: 1 }, {
      sent: [{
        manager: "x",
        operation: "Apply",
        apiVersion: "test/v1",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:spec": { "f:color": {} } },
      }],
    }),
  ], { owners: { x: [".color"] } }],
  "malformed ones are not": [[
    apply("a", { size: 1 }),
    update("u", { size: 1 }, { sent: [{ manager: "x", operation: "Apply", apiVersion: "test/v1" }] }),
  ], { owners: { a: [".size"] } }],
  "none sent leave those that are": [[apply("a", { size: 1 }), update("u", { size: 1 }, { sent: null })], {
    owners: { a: [".size"] },
  }],
  "an empty list clears all": [[apply("a", { size: 1 }), update("u", { size: 2 }, { sent: [] })], { owners: {} }],
  "a list of one empty entry clears all": [[apply("a", { size: 1 }), update("u", { size: 2 }, { sent: [{}] })], {
    owners: {},
  }],
  "what nobody owns stays untracked by updates": [[
    apply("a", { size: 1 }),
    update("u", { size: 2 }, { sent: [] }),
    update("u", { size: 3 }),
  ], { owners: {} }],
  "the first apply to what nobody owns finds it owned": [[
    update("u", { size: 1, color: "x" }, { sent: [] }),
    update("u", { size: 1, color: "x" }, { sent: [] }),
    apply("a", { size: 2 }, { conflicts: ["before-first-apply: .spec.size"] }),
    apply("a", { size: 2 }, force),
  ], { spec: { size: 2, color: "x" }, owners: { a: [".size"], "before-first-apply!": [".color", ".spec"] } }],
};

for (const [name, [steps, end]] of Object.entries(STORIES)) Deno.test(`ownership: ${name}`, () => tell(steps, end));
