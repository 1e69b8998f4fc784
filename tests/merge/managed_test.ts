/** The field manager's own rules: entries, times, caps, subresources, versions, names, the client's annotation. */
import assert from "node:assert/strict";
import { FieldSet } from "../../schema/merge/fieldset.ts";
import { ApplyConflict, applyManaged, type ManagedKind, updateManaged } from "../../schema/merge/managed.ts";
import { managerName } from "../../schema/merge/manager_name.ts";
import { capUpdaters, decodeOwners, encodeOwners, keepTimestamps } from "../../schema/merge/owners.ts";
import { resetFieldsOf } from "../../schema/merge/reset_fields.ts";
import { parentOwners, scaleOwners } from "../../schema/merge/scale_owners.ts";
import type { Json, JsonMap, ManagedFieldsEntry } from "../../schema/model/types.ts";
import { builtin, field, map, message } from "./_schema.ts";
import { ownersOf, play, stored, tell, timeOf } from "./_story.ts";
import { KIND } from "./_widget.ts";

const entries = (object: JsonMap | undefined) =>
  ((object?.metadata as JsonMap | undefined)?.managedFields ?? []) as ManagedFieldsEntry[];
const times = (object: JsonMap | undefined) =>
  Object.fromEntries(entries(object).map((e) => [`${e.manager} ${e.operation}`, e.time]));
const refused = (code: number, more: object = {}) => ({ code, ...more });

const CONFIG_MAP: ManagedKind = { apiVersion: "v1", kind: "ConfigMap", message: builtin("core.v1.ConfigMap") };
const DEPLOYMENT: ManagedKind = { apiVersion: "apps/v1", kind: "Deployment", message: builtin("apps.v1.Deployment") };

function apply(kind: ManagedKind, live: JsonMap | undefined, manager: string, object: JsonMap, force = false): JsonMap {
  const applied = { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name: "o" }, ...object };
  return applyManaged(kind, { live, applied, manager, force, time: timeOf(1) }).object;
}

Deno.test("managed: an entry in full, in declared order", () => {
  const object = apply(CONFIG_MAP, undefined, "m", { data: { k: "v" } });
  assert.equal(
    JSON.stringify(entries(object)),
    '[{"manager":"m","operation":"Apply","apiVersion":"v1","time":"2026-01-01T00:00:01Z",' +
      '"fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:k":{}}}}]',
  );
  const status = apply({ ...DEPLOYMENT, subresource: "status" }, stored(apply(DEPLOYMENT, undefined, "m", {})), "s", {
    status: { replicas: 1 },
  });
  assert.equal(Object.keys(entries(status)[0]!).at(-1), "subresource");
});

Deno.test("managed: a new object owns nothing that its empty form has", () => {
  const object = updateManaged(DEPLOYMENT, {
    live: undefined,
    object: {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "d", uid: "u", creationTimestamp: timeOf(0), generation: 1, labels: { a: "1" } },
      spec: {
        selector: { matchLabels: { a: "1" } },
        strategy: {},
        template: { metadata: {}, spec: { containers: [{ name: "c", resources: {} }] } },
      },
      status: {},
    },
    manager: "m",
    time: timeOf(0),
  });
  assert.deepEqual(entries(object)[0]!.fieldsV1, {
    "f:metadata": { "f:labels": { ".": {}, "f:a": {} } },
    "f:spec": {
      "f:selector": {},
      "f:template": {
        "f:spec": { "f:containers": { 'k:{"name":"c"}': { ".": {}, "f:name": {}, "f:resources": {} } } },
      },
    },
  });
});

Deno.test("managed: a time moves only when the object does", () => {
  const steps = [
    { apply: "a", spec: { size: 1 } },
    { apply: "b", spec: { size: 1 } },
    { apply: "a", spec: { size: 1 } },
    { update: "u", spec: { size: 1 } },
    { apply: "a", spec: { size: 1, color: "x" } },
    { apply: "a", spec: { color: "x" } },
    { update: "u", spec: { size: 2, color: "x" } },
    { update: "u", spec: { size: 2, color: "x" } },
  ];
  assert.deepEqual(times(play(steps.slice(0, 4))), { "b Apply": undefined, "a Apply": timeOf(0) });
  assert.deepEqual(times(play(steps.slice(0, 6))), { "b Apply": undefined, "a Apply": timeOf(4) });
  assert.deepEqual(times(play(steps)), { "a Apply": timeOf(4), "u Update": timeOf(6) });
});

Deno.test("managed: appliers first, then by time and name", () => {
  const object = play([
    { update: "z", spec: { size: 1 } },
    { apply: "y", spec: { color: "x" } },
    { apply: "x", spec: { color: "x" } },
    { update: "a", spec: { size: 1, color: "x", on: true } },
    { apply: "w", spec: { color: "x", labels: { a: "1" } } },
  ]);
  assert.deepEqual(entries(object).map((e) => `${e.manager} ${e.operation}`), [
    "x Apply",
    "y Apply",
    "w Apply",
    "z Update",
    "a Update",
  ]);
});

Deno.test("managed: entries of one manager are in the order of times, then of versions, then of parts", () => {
  const entry = (time: number, apiVersion: string, subresource?: string) => ({
    manager: "m",
    operation: "Update",
    apiVersion,
    time: timeOf(time),
    fieldsType: "FieldsV1",
    fieldsV1: {},
    ...(subresource ? { subresource } : {}),
  });
  const list = [entry(1, "v2"), entry(2, "v1"), entry(2, "v1", "scale"), entry(2, "v1", "status"), entry(2, "v2", "a")];
  assert.deepEqual(encodeOwners(decodeOwners(list.toReversed())), list);
});

Deno.test("managed: an apply that changes nothing leaves the object as it is", () => {
  const live = stored(apply(CONFIG_MAP, undefined, "m", { data: { k: "v" } }));
  const result = applyManaged(CONFIG_MAP, {
    live,
    applied: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "o" }, data: { k: "v" } },
    manager: "m",
    force: false,
    time: timeOf(9),
  });
  assert.equal(result.changed, false);
  assert.deepEqual(result.object, live);
});

Deno.test("managed: an apply is refused for another kind or version, and with managed fields", () => {
  const configuration = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "o" } };
  const send = (more: JsonMap) => () =>
    applyManaged(CONFIG_MAP, {
      live: undefined,
      applied: { ...configuration, ...more },
      manager: "m",
      force: false,
      time: "",
    });
  assert.throws(send({ kind: "Secret" }), refused(400));
  assert.throws(send({ apiVersion: "v2" }), refused(400));
  assert.throws(send({ kind: null }), refused(400));
  assert.throws(send({ metadata: { managedFields: [] } }), refused(400));
  assert.throws(send({ metadata: { managedFields: [{ manager: "x" }] } }), refused(400));
  assert.doesNotThrow(send({ metadata: { managedFields: null } }));
});

Deno.test("managed: a conflict tells each field and its owner", () => {
  const live = stored(
    updateManaged({ ...DEPLOYMENT, subresource: "scale" }, {
      live: undefined,
      object: { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "d" }, spec: { replicas: 2 } },
      manager: "scaler",
      time: timeOf(0),
    }),
  );
  try {
    apply(DEPLOYMENT, live, "m", { spec: { replicas: 3 } });
    assert.fail("no conflict");
  } catch (e) {
    assert.ok(e instanceof ApplyConflict);
    assert.deepEqual({ code: e.code, reason: e.reason, details: e.details }, {
      code: 409,
      reason: "Conflict",
      details: {
        causes: [{
          reason: "FieldManagerConflict",
          message: 'conflict with "scaler" with subresource "scale" using apps/v1',
          field: ".spec.replicas",
        }],
      },
    });
    assert.ok(e.message.startsWith("Apply failed with 1 conflict: "));
  }
});

Deno.test("managed: several conflicts are a list by owner", () => {
  const fields = (...names: string[]) => FieldSet.ofFields(...names.map((name) => name.split("/")));
  const owner = (manager: string) => ({ manager, operation: "Apply" as const, apiVersion: "v1" });
  const conflicts = [{ owner: owner("z"), fields: fields("b") }, {
    owner: owner("a"),
    fields: fields("d", "c/y", "c/x/z"),
  }];
  assert.equal(
    new ApplyConflict(conflicts as never).message,
    'Apply failed with 4 conflicts: conflicts with "a":\n- .d\n- .c.y\n- .c.x.z\nconflicts with "z":\n- .b',
  );
});

Deno.test("managed: of many conflicts the first are named, of long ones fewer", () => {
  const owner = { manager: "a", operation: "Apply", apiVersion: "v1" };
  const refusal = (...paths: string[][]) =>
    new ApplyConflict([{ owner, fields: FieldSet.ofFields(...paths) }] as never);
  const many = refusal(...Array.from({ length: 5_000 }, (_, i) => ["x", `${1000 + i}`]));
  assert.deepEqual([many.details!.causes!.length, many.details!.causes![999]!.field], [1000, ".x.1999"]);
  assert.match(many.message, /^Apply failed with 5000 conflicts: conflicts with "a":\n- \.x\.1000\n/);
  assert.match(many.message, /\n- \.x\.1999\nand 4000 more$/);
  const long = "y".repeat(500_000);
  const deep = refusal(...Array.from({ length: 10_000 }, (_, i) => [long, `${i}`]));
  assert.equal(deep.details!.causes!.length, 3);
  assert.equal(refusal([long.repeat(5)]).details!.causes!.length, 1);
});

Deno.test("managed: updaters are capped, the oldest become one of their version", () => {
  const steps = Array.from({ length: 13 }, (_, i) => ({
    update: `u${String(i).padStart(2, "0")}`,
    spec: { labels: Object.fromEntries(Array.from({ length: i + 1 }, (_, j) => [`l${j}`, "1"])) },
  }));
  const object = play(steps);
  assert.deepEqual(Object.keys(ownersOf(object)), [
    "ancient-changes!",
    ...["04", "05", "06", "07", "08", "09", "10", "11", "12"].map((n) => `u${n}!`),
  ]);
  assert.deepEqual(ownersOf(object)["ancient-changes!"], [
    ".labels",
    ".labels.l0",
    ".labels.l1",
    ".labels.l2",
    ".labels.l3",
    ".spec",
  ]);
  assert.equal(times(object)["ancient-changes Update"], timeOf(3));
  assert.equal(Object.keys(ownersOf(play(steps.slice(0, 10)))).length, 10);
});

Deno.test("managed: of updaters those of the oldest time become one, whatever their names, and one of each version stays", () => {
  const entry = (manager: string, apiVersion: string, time: number, ...fields: string[]) => ({
    manager,
    operation: "Update",
    apiVersion,
    time: timeOf(time),
    fieldsType: "FieldsV1",
    fieldsV1: Object.fromEntries(fields.map((name) => [`f:${name}`, {}])),
  });
  const capped = (entries: Json, most: number) => {
    const owners = decodeOwners(entries);
    capUpdaters(owners, most);
    return encodeOwners(owners) as Json;
  };
  const [x, v, u] = [entry("x", "v2", 2, "c"), entry("v", "v1", 4, "e"), entry("u", "v2", 5, "f")];
  const many = [entry("z", "v1", 1, "a"), entry("y", "v1", 2, "b"), x, entry("w", "v1", 3, "d"), v, u];
  const four = capped(many, 4);
  assert.deepEqual(four, [x, entry("ancient-changes", "v1", 3, "a", "b", "d"), v, u]);
  assert.deepEqual(capped(four, 3), [x, entry("ancient-changes", "v1", 4, "a", "b", "d", "e"), u]);
  assert.deepEqual(capped(four, 1), [
    entry("ancient-changes", "v1", 4, "a", "b", "d", "e"),
    entry("ancient-changes", "v2", 5, "c", "f"),
  ]);
});

Deno.test("managed: appliers are not capped", () => {
  const steps = Array.from({ length: 15 }, (_, i) => ({ apply: `a${i}`, spec: { labels: { [`l${i}`]: "1" } } }));
  assert.equal(entries(play(steps)).length, 15);
});

Deno.test("managed: reset fields come to no owner", () => {
  const status: ManagedKind = { ...KIND, subresource: "status", resetFields: FieldSet.ofFields(["spec"]) };
  const main: ManagedKind = { ...KIND, resetFields: FieldSet.ofFields(["status"]) };
  const live = stored(apply(main, undefined, "m", { spec: { size: 1 }, status: { ready: true } }));
  assert.deepEqual(ownersOf(live), { m: [".size"] });
  const object = stored(apply(status, live, "s", { spec: { size: 7 }, status: { ready: true, seen: { a: "1" } } }));
  assert.deepEqual(ownersOf(object), { m: [".size"], "s/status": [".status.ready", ".status.seen.a"] });
  const next = updateManaged(status, {
    live: object,
    object: { ...object, spec: { size: 9 }, status: { ready: false } },
    manager: "u",
    time: timeOf(5),
  });
  assert.deepEqual(ownersOf(next), { m: [".size"], "u!/status": [".status.ready"] });
});

Deno.test("managed: a write to a subresource does not set managed fields", () => {
  const live = stored(apply(KIND, undefined, "m", { spec: { size: 1 } }));
  const object = { ...live, metadata: { ...live.metadata as JsonMap, managedFields: [] } };
  const cleared = (kind: ManagedKind) => entries(updateManaged(kind, { live, object, manager: "u", time: timeOf(2) }));
  assert.equal(cleared({ ...KIND, subresource: "status" }).length, 1);
  assert.equal(cleared(KIND).length, 0);
});

Deno.test("managed: an empty list is seen where the decoder dropped it", () => {
  const live = stored(apply(KIND, undefined, "m", { spec: { size: 1 } }));
  const { managedFields: _, ...metadata } = live.metadata as JsonMap;
  const object = { ...live, metadata: metadata as JsonMap };
  const after = (sent: Json | undefined) =>
    entries(updateManaged(KIND, { live, object, sent, manager: "u", time: timeOf(2) })).length;
  assert.deepEqual([after([]), after([{}]), after(undefined), after(null)], [0, 0, 1, 1]);
  assert.deepEqual([after([{ manager: "", time: null }]), after([{}, {}])], [0, 1]);
});

Deno.test("managed: what does not fit its model is owned as what is stored", () => {
  const live = stored(apply(KIND, undefined, "m", { spec: { size: 1 } }));
  const object = { ...live, spec: { size: 2, bogus: 1 } };
  const next = updateManaged(KIND, { live, object, manager: "u", time: timeOf(2) });
  assert.deepEqual(ownersOf(next), { m: [".size"] });
  const created = updateManaged(KIND, { live: undefined, object, manager: "u", time: timeOf(2) });
  assert.deepEqual(entries(created), []);
});

Deno.test("managed: values of other types than the model's change no ownership where they may come", () => {
  const live = stored(apply(KIND, undefined, "m", { spec: { size: 1 } }));
  const object = { ...live, spec: { size: "2" } };
  const owned = (untyped: boolean | "status", status: JsonMap = {}) =>
    ownersOf(updateManaged({ ...KIND, untyped, subresource: "status" }, {
      live,
      object: { ...object, ...status },
      manager: "u",
      time: timeOf(2),
    }));
  const before = { m: [".size"] }, after = { "u!/status": [".size"] };
  assert.deepEqual(owned(true), before);
  assert.deepEqual(owned(false), after);
  assert.deepEqual(owned("status"), after);
  assert.deepEqual(owned("status", { status: "odd" }), before);
});

Deno.test("managed: an object without metadata is left alone", () => {
  const object = { apiVersion: "test/v1", kind: "Widget" };
  assert.equal(updateManaged(KIND, { live: undefined, object, manager: "u", time: "" }), object);
});

const V2 = message("t2.Widget", [
  field("metadata", builtin("meta.v1.ObjectMeta")),
  field("spec", message("t2.WidgetSpec", [field("length", "int32", { pointer: true }), map("labels", "string")]), {
    pointer: true,
  }),
]);

/** Version 2 calls `size` `length`. */
function convert(object: JsonMap, apiVersion: string): JsonMap {
  const spec = object.spec as JsonMap | null | undefined;
  const [from, to] = apiVersion === "test/v2" ? ["size", "length"] : ["length", "size"];
  if (!spec || !Object.hasOwn(spec, from!)) return { ...object, apiVersion };
  const { [from!]: value, ...rest } = spec;
  return { ...object, apiVersion, spec: { ...rest, [to!]: value! } };
}

const messageOf = (v: string) => (v === "test/v1" ? KIND.message : v === "test/v2" ? V2 : undefined);
const ONE: ManagedKind = { ...KIND, messageOf, convert };
const TWO: ManagedKind = { ...ONE, apiVersion: "test/v2", message: V2 };
const inTwo = (live: JsonMap) => convert(live, "test/v2");

Deno.test("managed: owners of another version conflict by the field's name there", () => {
  const live = inTwo(stored(apply(ONE, undefined, "a", { spec: { size: 1, labels: { x: "1" } } })));
  assert.throws(
    () => apply(TWO, live, "b", { spec: { length: 2 } }),
    (e) => e instanceof ApplyConflict && e.details!.causes![0]!.field === ".spec.size",
  );
  const forced = apply(TWO, live, "b", { spec: { length: 2 } }, true);
  assert.deepEqual(ownersOf(forced), { a: [".labels.x"], b: [".length"] });
  const updated = updateManaged(TWO, { live, object: { ...live, spec: { length: 3 } }, manager: "u", time: timeOf(3) });
  assert.deepEqual(ownersOf(updated), { "u!": [".length"] });
});

Deno.test("managed: what was applied in another version is removed when it is given up", () => {
  const live = inTwo(stored(apply(ONE, undefined, "a", { spec: { size: 1, labels: { x: "1", y: "2" } } })));
  const next = stored(apply(TWO, live, "a", { spec: { labels: { y: "2" } } }));
  assert.deepEqual(next.spec, { labels: { y: "2" } });
  assert.deepEqual(ownersOf(next), { a: [".labels.y"] });
  assert.equal(entries(next)[0]!.apiVersion, "test/v2");
});

Deno.test("managed: an object that does not fit in the version of an owner is owned as what is stored", () => {
  const live = inTwo(stored(apply(ONE, undefined, "a", { spec: { size: 1 } })));
  const odd = { ...TWO, convert: (object: JsonMap, version: string) => ({ ...convert(object, version), bogus: 1 }) };
  const next = updateManaged(odd, { live, object: { ...live, spec: { length: 3 } }, manager: "u", time: timeOf(3) });
  assert.deepEqual(ownersOf(next), { a: [".size"] });
});

Deno.test("managed: what somebody owns though it is not there is a conflict, too, and is lost to who sets it", () => {
  const { spec: _, ...live } = stored(apply(KIND, undefined, "a", { spec: { size: 1 } }));
  assert.throws(() => apply(KIND, live, "b", { spec: { size: 2 } }), ApplyConflict);
  const next = updateManaged(KIND, { live, object: { ...live, spec: { size: 2 } }, manager: "u", time: timeOf(2) });
  assert.deepEqual(ownersOf(next), { "u!": [".size", ".spec"] });
});

Deno.test("managed: owners of a version that is gone are dropped", () => {
  const live = stored(apply(ONE, undefined, "a", { spec: { size: 1 } }));
  const gone = { ...TWO, messageOf: (v: string) => (v === "test/v2" ? V2 : undefined) };
  const next = apply(gone, inTwo(live), "b", { spec: { length: 2 } });
  assert.deepEqual(ownersOf(next), { b: [".length"] });
});

Deno.test("managed: a set written when a field was owned by parts is brought in order", () => {
  const live = stored({
    apiVersion: "test/v1",
    kind: "Widget",
    metadata: {
      name: "w",
      managedFields: [{
        manager: "a",
        operation: "Apply",
        apiVersion: "test/v1",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:spec": { "f:whole": { "f:x": {} }, "f:plain": { "i:0": {} }, "f:labels": {} } },
      }],
    },
    spec: { whole: { x: 1 }, plain: ["a"], labels: { a: "1" } },
  });
  assert.throws(() => apply(KIND, live, "b", { spec: { whole: { x: 2 } } }), ApplyConflict);
  const next = apply(KIND, live, "b", { spec: { color: "x" } });
  assert.deepEqual(ownersOf(next).a, [".labels", ".plain", ".whole"]);
  const object = { ...live, spec: { ...live.spec as JsonMap, whole: { x: 1, y: 1 } } };
  const updated = updateManaged(KIND, { live, object, manager: "u", time: timeOf(2) });
  assert.deepEqual(ownersOf(updated), { a: [".labels", ".plain"], "u!": [".whole"] });
});

Deno.test("managed: what nobody owns in an item that another keeps stays when an applier gives the item up", () => {
  const entry = (manager: string, more: JsonMap = {}) => ({
    manager,
    operation: "Apply",
    apiVersion: "test/v1",
    fieldsType: "FieldsV1",
    fieldsV1: { "f:spec": { "f:items": { 'k:{"name":"x"}': { ".": {}, "f:name": {}, ...more } } } },
  });
  const live = stored({
    apiVersion: "test/v1",
    kind: "Widget",
    metadata: { name: "w", managedFields: [entry("a", { "f:value": {} }), entry("b")] },
    spec: { items: [{ name: "x", value: 1, tags: ["t"] }] },
  });
  assert.deepEqual(apply(KIND, live, "a", {}).spec, { items: [{ name: "x", tags: ["t"] }] });
});

const ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";

function clientApplied(spec: JsonMap, live: JsonMap = spec): JsonMap {
  const applied = { apiVersion: "test/v1", kind: "Widget", metadata: { name: "o" }, spec };
  return stored(
    updateManaged(KIND, {
      live: undefined,
      object: {
        ...applied,
        metadata: { name: "o", annotations: { [ANNOTATION]: JSON.stringify(applied) } },
        spec: live,
      },
      manager: "kubectl-client-side-apply",
      time: timeOf(0),
    }),
  );
}

Deno.test("managed: a client that applied on its side takes over what it set", () => {
  const live = clientApplied({ size: 1, color: "x" });
  const next = stored(apply(KIND, live, "kubectl", { spec: { size: 2, color: "y" } }));
  assert.deepEqual(next.spec, { size: 2, color: "y" });
  assert.deepEqual(ownersOf(next).kubectl, [".color", ".size"]);
  const annotations = (next.metadata as JsonMap).annotations as JsonMap;
  assert.deepEqual(JSON.parse(annotations[ANNOTATION] as string).spec, { size: 2, color: "y" });
});

Deno.test("managed: only kubectl writes the annotation of the last configuration, and only where there is one", () => {
  const live = clientApplied({ size: 1 });
  const textIn = (object: JsonMap) => ((object.metadata as JsonMap).annotations as JsonMap | undefined)?.[ANNOTATION];
  assert.equal(textIn(apply(KIND, live, "other", { spec: { color: "x" } })), textIn(live));
  assert.equal(textIn(apply(KIND, undefined, "kubectl", { spec: { color: "x" } })), undefined);
  const applied = { apiVersion: "test/v1", kind: "Widget", metadata: { name: "o", labels: {} }, spec: { size: 1 } };
  const again = applyManaged(KIND, { live, applied, manager: "kubectl", force: false, time: timeOf(1) });
  assert.deepEqual([again.changed, JSON.parse(textIn(again.object) as string)], [true, applied]);
  const large = { metadata: { name: "o", annotations: { a: "x".repeat(256 * 1024 - 100) } }, spec: { size: 1 } };
  assert.equal(textIn(apply(KIND, live, "kubectl", large)), undefined);
});

Deno.test("managed: the annotation of the last configuration is sorted, and escaped as the public server's JSON", () => {
  const live = clientApplied({ size: 1, color: "x" });
  const next = stored(apply(KIND, live, "kubectl", { spec: { size: 2, color: "<&>" } }));
  const annotations = (next.metadata as JsonMap).annotations as JsonMap;
  assert.equal(
    annotations[ANNOTATION],
    '{"apiVersion":"test/v1","kind":"Widget","metadata":{"name":"o"},"spec":{"color":"\\u003c\\u0026\\u003e","size":2}}\n',
  );
});

Deno.test("managed: but not what changed since, nor under another name", () => {
  const live = clientApplied({ size: 1, color: "x" }, { size: 5, color: "x" });
  assert.throws(
    () => apply(KIND, live, "kubectl", { spec: { size: 2, color: "y" } }),
    (e) => e instanceof ApplyConflict && e.details!.causes!.map((c) => c.field).join() === ".spec.size",
  );
  assert.throws(() => apply(KIND, clientApplied({ size: 1 }), "other", { spec: { size: 2 } }), ApplyConflict);
  const deep = `{"size":1,"any":${'{"a":'.repeat(30_000)}1${"}".repeat(30_000)}}`;
  const metadata = live.metadata as JsonMap, annotations = metadata.annotations as JsonMap;
  const text = (annotations[ANNOTATION] as string).replace(/"spec":.*\}/, `"spec":${deep}}`);
  const damaged = { ...live, metadata: { ...metadata, annotations: { ...annotations, [ANNOTATION]: text } } };
  assert.throws(() => apply(KIND, damaged, "kubectl", { spec: { size: 2 } }), ApplyConflict);
});

Deno.test("managed: names of managers", () => {
  assert.equal(managerName("m", "agent/1.0"), "m");
  assert.equal(managerName(undefined, "agent/1.0 (x)"), "agent");
  assert.equal(managerName("", "a\tgent"), "agent");
  assert.equal(managerName("", "x".repeat(300)).length, 128);
  assert.equal(managerName("", ""), "");
  assert.equal(entries(play([{ update: "", spec: { size: 1 } }]))[0]!.manager, "unknown");
});

Deno.test("managed: timestamps alone are no change", () => {
  const entry = (time: string, manager = "m"): ManagedFieldsEntry => ({
    manager,
    operation: "Apply",
    apiVersion: "v1",
    time,
  });
  const object = (time: string, data: string, rv = "1", manager = "m") => ({
    metadata: { name: "o", resourceVersion: rv, managedFields: [entry(time, manager)] },
    data,
  });
  const old = object(timeOf(1), "x");
  assert.equal(keepTimestamps(object(timeOf(2), "x", "2"), old).metadata.managedFields[0]!.time, timeOf(1));
  assert.equal(keepTimestamps(object(timeOf(2), "y"), old).metadata.managedFields[0]!.time, timeOf(2));
  assert.equal(keepTimestamps(object(timeOf(2), "x", "1", "n"), old).metadata.managedFields[0]!.time, timeOf(2));
  const next = object(timeOf(2), "x");
  const two = { ...old, metadata: { ...old.metadata, managedFields: [entry(timeOf(1)), entry(timeOf(1), "n")] } };
  assert.equal(keepTimestamps(next, two), next);
  assert.equal(keepTimestamps(two, next), two);
});

Deno.test("managed: ownership goes through a Scale and back", () => {
  const paths = new Map([["apps/v1", ["f:spec", "f:replicas"]]]);
  const entry = (manager: string, operation: "Apply" | "Update", fields: JsonMap, more: object = {}) => ({
    manager,
    operation,
    apiVersion: "apps/v1",
    time: timeOf(1),
    fieldsType: "FieldsV1",
    fieldsV1: { "f:spec": fields },
    ...more,
  });
  const parent = [entry("a", "Apply", { "f:replicas": {}, "f:paused": {} }), entry("b", "Update", { "f:paused": {} })];
  const scale = scaleOwners(parent as Json, paths)!;
  assert.deepEqual(scale, [{ ...entry("a", "Apply", { "f:replicas": {} }), apiVersion: "autoscaling/v1" }]);
  assert.deepEqual(parentOwners(parent as Json, scale as Json, paths, "apps/v1"), parent);
  // An updater of the Scale is another than that of the object: what it holds stands apart after a write.
  const updated = [entry("b", "Update", { "f:paused": {}, "f:replicas": {} })] as Json;
  const { time: _t, ...apart } = entry("b", "Update", { "f:replicas": {} });
  assert.deepEqual(parentOwners(updated, scaleOwners(updated, paths) as Json, paths, "apps/v1"), [
    apart,
    entry("b", "Update", { "f:paused": {} }),
  ]);
  const taken = [{ ...entry("s", "Update", { "f:replicas": {} }), apiVersion: "autoscaling/v1", subresource: "scale" }];
  const { time: _, ...owned } = entry("s", "Update", { "f:replicas": {} }, { subresource: "scale" });
  assert.deepEqual(parentOwners(parent as Json, taken as Json, paths, "apps/v1"), [
    entry("a", "Apply", { "f:paused": {} }),
    owned,
    entry("b", "Update", { "f:paused": {} }),
  ]);
});

Deno.test("managed: malformed entries are refused", () => {
  const good = { manager: "m", operation: "Apply", apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1: {} };
  assert.equal(decodeOwners([good]).size, 1);
  assert.equal(decodeOwners([{ ...good, fieldsV1: null }]).size, 1);
  const bad: Json[] = [
    { ...good, operation: "Patch" },
    { ...good, apiVersion: "" },
    { ...good, fieldsType: "" },
    { ...good, fieldsType: "FieldsV2" },
    { ...good, fieldsV1: { x: {} } },
    "m",
  ];
  for (const entry of bad) assert.throws(() => decodeOwners([entry]), { name: "FieldSetError" });
});

Deno.test("managed: stories on a built-in kind", () => {
  tell([
    { apply: "a", spec: { containers: [{ name: "c", image: "i" }], nodeSelector: { a: "1" } } },
    { apply: "b", spec: { containers: [{ name: "c", command: ["sh"] }], tolerations: [{ key: "t" }] } },
    { apply: "b", spec: { nodeSelector: { b: "2" } }, conflicts: ["a: .spec.nodeSelector"] },
    { apply: "a", spec: { containers: [{ name: "d", image: "j" }] } },
  ], {
    spec: {
      containers: [{ name: "c", command: ["sh"] }, { name: "d", image: "j" }],
      tolerations: [{ key: "t" }],
    },
  }, { apiVersion: "v1", kind: "Pod", message: builtin("core.v1.Pod") });
});

Deno.test("managed: what built-in resources take from a write", () => {
  const target = (group: string, name: string, subresource: string, hasStatus = true) =>
    resetFieldsOf({ group, kind: name, subresource, hasStatus });
  const all = FieldSet.of(
    ["f:metadata", "f:labels", "f:a"],
    ["f:metadata", "f:annotations", "f:a"],
    ["f:metadata", "f:ownerReferences", 'k:{"uid":"u"}'],
    ["f:spec", "f:replicas"],
    ["f:spec", "f:containers", 'k:{"name":"c"}'],
    ["f:spec", "f:containers", 'k:{"name":"c"}', "f:image"],
    ["f:spec", "f:containers", 'k:{"name":"c"}', "f:resources", "f:limits", "f:cpu"],
    ["f:spec", "f:ephemeralContainers", 'k:{"name":"e"}', "f:image"],
    ["f:status", "f:conditions"],
    ["f:status", "f:certificate"],
  );
  const left = (group: string, name: string, subresource: string, hasStatus?: boolean) =>
    (target(group, name, subresource, hasStatus)?.apply(all) ?? all).paths().map((p) =>
      p.map((e) => e.slice(2)).join(".")
    );
  const metadata = ["metadata.labels.a", "metadata.annotations.a", 'metadata.ownerReferences.{"uid":"u"}'];
  const status = ["status.conditions", "status.certificate"];
  assert.deepEqual(left("apps", "StatefulSet", "status"), [...metadata, ...status]);
  assert.deepEqual(left("apiextensions.k8s.io", "CustomResourceDefinition", "status"), [...metadata, ...status]);
  assert.deepEqual(left("apps", "Deployment", "status"), [...metadata.slice(1), ...status]);
  assert.deepEqual(left("", "Pod", "status"), [...metadata.slice(0, 2), ...status]);
  assert.deepEqual(left("storage.k8s.io", "VolumeAttachment", "status"), status);
  assert.deepEqual(left("certificates.k8s.io", "CertificateSigningRequest", "approval"), [...metadata, status[0]]);
  assert.deepEqual(left("certificates.k8s.io", "CertificateSigningRequest", "status"), [...metadata, status[1]]);
  assert.deepEqual(left("certificates.k8s.io", "CertificateSigningRequest", ""), metadata);
  assert.deepEqual(["resize", "ephemeralcontainers"].map((s) => left("", "Pod", s).length), [all.size, all.size]);
  assert.equal(left("apps", "Deployment", "").length, all.size - 2);
  assert.equal(target("", "ConfigMap", "", false), undefined);
});
