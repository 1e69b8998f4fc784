/** Objects with many owners: clients say who owns what, and as many as a body takes. */
import assert from "node:assert/strict";
import { FieldSet } from "../../schema/merge/fieldset.ts";
import { applyManaged, type ManagedKind, updateManaged } from "../../schema/merge/managed.ts";
import type { JsonMap } from "../../schema/model/types.ts";
import { builtin } from "./_schema.ts";
import { ownersOf, timeOf } from "./_story.ts";

const CONFIG_MAP: ManagedKind = { apiVersion: "v1", kind: "ConfigMap", message: builtin("core.v1.ConfigMap") };
const COUNT = 2000;
const numbers = Array.from({ length: COUNT }, (_, i) => i);

/** A config map with that many keys, each of which another manager owns. */
function owned(operation: "Apply" | "Update"): JsonMap {
  const managedFields = numbers.map((i) => ({
    manager: `m${i}`,
    operation,
    apiVersion: "v1",
    time: timeOf(1),
    fieldsType: "FieldsV1",
    fieldsV1: { "f:data": { [`f:k${i}`]: {} } },
  }));
  const data = Object.fromEntries(numbers.map((i) => [`k${i}`, "v"]));
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "o", uid: "u", managedFields }, data };
}

/** How many nodes unions make while something runs. */
function unionsOf(work: () => void): number {
  const { union } = FieldSet.prototype;
  let made = 0;
  FieldSet.prototype.union = function (other) {
    const out = union.call(this, other);
    if (out !== this && out !== other) made += out.nodes.size;
    return out;
  };
  try {
    work();
  } finally {
    FieldSet.prototype.union = union;
  }
  return made;
}

/** As many as each has when all are put together two by two, and some more. */
const FEW = 20 * COUNT;

Deno.test("many owners: updaters past the bound are put together in few steps, and lose nothing", () => {
  let object: JsonMap = {};
  const made = unionsOf(() => {
    const live = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "o", uid: "u" },
      data: owned("Update")["data"]!,
    };
    object = updateManaged(CONFIG_MAP, { live, object: owned("Update"), manager: "last", time: timeOf(2) });
  });
  assert.ok(made < FEW, `${made} nodes`);
  const owners = ownersOf(object), names = Object.keys(owners);
  assert.equal(names.length, 10);
  const keys = names.flatMap((name) => owners[name]!).filter((path) => path.startsWith(".data."));
  assert.equal(new Set(keys).size, COUNT);
});

Deno.test("many owners: what an applier gives up is looked for among the others in few steps", () => {
  const apply = (live: JsonMap, data: JsonMap) =>
    applyManaged(CONFIG_MAP, {
      live,
      applied: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "o" }, data },
      manager: "one",
      force: false,
      time: timeOf(2),
    }).object;
  const live = apply(owned("Apply"), { k0: "v", x: "1", y: "2" });
  let object: JsonMap = {};
  const made = unionsOf(() => void (object = apply(live, { x: "1" })));
  assert.ok(made < FEW, `${made} nodes`);
  const data = object["data"] as JsonMap;
  assert.deepEqual([data["k0"], data["x"], data["y"]], ["v", "1", undefined]);
});
