/** Strategic merge: a table by directive on a Deployment's model, and diffs that patch one object into another. */
import assert from "node:assert/strict";
import { jsonEqual } from "../../schema/merge/equal.ts";
import { PatchError } from "../../schema/merge/errors.ts";
import { createStrategicMerge } from "./_strategic_diff.ts";
import { applyStrategicMerge } from "../../schema/merge/strategic.ts";
import type { Json, JsonMap } from "../../schema/model/types.ts";
import { builtin } from "./_schema.ts";
import { Random } from "../fixture/random.ts";

const DEPLOYMENT = builtin("apps.v1.Deployment");
const pod = (spec: JsonMap): JsonMap => ({ spec: { template: { spec } } });
const deployment = (spec: JsonMap): JsonMap => ({ spec });
const meta = (metadata: JsonMap): JsonMap => ({ metadata });

type Row = [name: string, live: JsonMap, patch: JsonMap, result: JsonMap | { fails: string }];

const two = () => [{ name: "a", image: "i:1", args: ["x"] }, { name: "b", image: "j:1" }];

const ROWS: Row[] = [
  ["an empty patch", pod({ containers: two() }), {}, pod({ containers: two() })],
  [
    "an item is merged by key",
    pod({ containers: two() }),
    pod({ containers: [{ name: "b", image: "j:2" }] }),
    pod({ containers: [two()[0]!, { name: "b", image: "j:2" }] }),
  ],
  [
    "a list without strategy is replaced",
    pod({ containers: two(), tolerations: [{ key: "t" }] }),
    pod({ tolerations: [{ key: "u" }], containers: [{ name: "a", args: ["y", "z"] }] }),
    pod({
      containers: [{ name: "a", image: "i:1", args: ["y", "z"] }, { name: "b", image: "j:1" }],
      tolerations: [{ key: "u" }],
    }),
  ],
  [
    "new items come where the patch and the live order allow",
    pod({ imagePullSecrets: [{ name: "s1" }] }),
    pod({ imagePullSecrets: [{ name: "s2" }] }),
    pod({ imagePullSecrets: [{ name: "s2" }, { name: "s1" }] }),
  ],
  [
    "items keep the patch's order",
    pod({ containers: two() }),
    pod({ containers: [{ name: "c" }, { name: "b" }] }),
    pod({ containers: [{ name: "c" }, two()[0]!, two()[1]!] }),
  ],
  [
    "$patch delete of an item",
    pod({ containers: two() }),
    pod({ containers: [{ name: "a", $patch: "delete" }] }),
    pod({ containers: [two()[1]!] }),
  ],
  [
    "$patch delete of a missing item",
    pod({ containers: two() }),
    pod({ containers: [{ name: "z", $patch: "delete" }] }),
    pod({ containers: two() }),
  ],
  [
    "$patch replace of a list",
    pod({ containers: two() }),
    pod({ containers: [{ $patch: "replace" }, { name: "z" }] }),
    pod({ containers: [{ name: "z" }] }),
  ],
  [
    "$patch replace of a map",
    pod({ nodeSelector: { a: "1" } }),
    pod({ nodeSelector: { b: "2", $patch: "replace" } }),
    pod({ nodeSelector: { b: "2" } }),
  ],
  [
    "$patch delete of a map",
    pod({ nodeSelector: { a: "1" } }),
    pod({ nodeSelector: { b: "2", $patch: "delete" } }),
    pod({ nodeSelector: {} }),
  ],
  [
    "$patch where nothing is yet drops that part",
    pod({}),
    pod({ nodeSelector: { b: "2", $patch: "replace" }, containers: [{ name: "a", $patch: "delete" }, { name: "b" }] }),
    pod({ containers: [{ name: "b" }] }),
  ],
  ["$patch of another word", pod({ nodeSelector: {} }), pod({ nodeSelector: { $patch: "bogus" } }), {
    fails: "malformed",
  }],
  ["$patch merge is refused", pod({ containers: two() }), pod({ containers: [{ name: "a", $patch: "merge" }] }), {
    fails: "malformed",
  }],
  [
    "$retainKeys on a map",
    deployment({ strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } } }),
    deployment({ strategy: { $retainKeys: ["type"], type: "Recreate" } }),
    deployment({ strategy: { type: "Recreate" } }),
  ],
  [
    "$retainKeys keeps what it names",
    deployment({ strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } } }),
    deployment({ strategy: { $retainKeys: ["rollingUpdate"], type: null } }),
    deployment({ strategy: { rollingUpdate: { maxSurge: 1 } } }),
  ],
  [
    "a member that only looks like a directive",
    meta({}),
    meta({ labels: { $set: "1" } }),
    meta({ labels: { $set: "1" } }),
  ],
  [
    "$retainKeys on an item",
    pod({ volumes: [{ name: "v", emptyDir: {} }, { name: "w", configMap: { name: "m" } }] }),
    pod({ volumes: [{ name: "v", hostPath: { path: "/x" }, $retainKeys: ["name", "hostPath"] }] }),
    pod({ volumes: [{ name: "v", hostPath: { path: "/x" } }, { name: "w", configMap: { name: "m" } }] }),
  ],
  [
    "$retainKeys that leaves out what the patch sets",
    deployment({ strategy: { type: "RollingUpdate" } }),
    deployment({ strategy: { $retainKeys: ["rollingUpdate"], type: "Recreate" } }),
    { fails: "malformed" },
  ],
  [
    "$retainKeys that is no list",
    deployment({ strategy: {} }),
    deployment({ strategy: { $retainKeys: "type" } }),
    { fails: "malformed" },
  ],
  ["null removes a member", deployment({ paused: true, replicas: 1 }), deployment({ paused: null }), {
    spec: { replicas: 1 },
  }],
  ["null removes a list and a map", pod({ containers: two(), nodeSelector: { a: "1" } }), {
    spec: { template: { spec: { containers: null, nodeSelector: null } } },
  }, pod({})],
  [
    "null below what is missing adds nothing",
    pod({}),
    pod({ nodeSelector: { a: null, b: "1" }, tolerations: [{ key: "t", value: null }] }),
    pod({ nodeSelector: { b: "1" }, tolerations: [{ key: "t" }] }),
  ],
  ["another type replaces", deployment({ template: { spec: {} } }), deployment({ template: ["x"] }), {
    spec: { template: ["x"] },
  }],
  [
    "a set of scalars grows, the patch's order wins",
    meta({ finalizers: ["x/a"] }),
    meta({ finalizers: ["x/b", "x/a"] }),
    meta({ finalizers: ["x/b", "x/a"] }),
  ],
  [
    "a set of scalars holds each once",
    meta({ finalizers: ["x/a", "x/c"] }),
    meta({ finalizers: ["x/b", "x/b", "x/c"] }),
    meta({ finalizers: ["x/b", "x/a", "x/c"] }),
  ],
  [
    "$deleteFromPrimitiveList",
    meta({ finalizers: ["x/a", "x/b"] }),
    meta({ "$deleteFromPrimitiveList/finalizers": ["x/a", "x/z"] }),
    meta({ finalizers: ["x/b"] }),
  ],
  [
    "$deleteFromPrimitiveList beside additions",
    meta({ finalizers: ["x/a", "x/b"] }),
    meta({ "$deleteFromPrimitiveList/finalizers": ["x/a"], finalizers: ["x/c"] }),
    meta({ finalizers: ["x/c", "x/b"] }),
  ],
  ["$deleteFromPrimitiveList of nothing", meta({}), meta({ "$deleteFromPrimitiveList/finalizers": ["x/a"] }), meta({})],
  ["$deleteFromPrimitiveList without a name", meta({}), meta({ "$deleteFromPrimitiveList": ["x/a"] }), {
    fails: "malformed",
  }],
  ["$deleteFromPrimitiveList of null removes the list", meta({ name: "a", finalizers: ["x/a"] }), {
    metadata: { "$deleteFromPrimitiveList/finalizers": null },
  }, meta({ name: "a" })],
  ["$deleteFromPrimitiveList of a text and a map", meta({ finalizers: ["a"] }), {
    metadata: { "$deleteFromPrimitiveList/finalizers": ["a", { b: 1 }] },
  }, { fails: "malformed" }],
  [
    "$deleteFromPrimitiveList of maps",
    meta({ finalizers: ["a"] }),
    meta({
      "$deleteFromPrimitiveList/finalizers": [{ a: 1 }],
    }),
    { fails: "malformed" },
  ],
  [
    "$setElementOrder of scalars",
    meta({ finalizers: ["x/a", "x/b"] }),
    meta({ "$setElementOrder/finalizers": ["x/b", "x/c", "x/a"], finalizers: ["x/c"] }),
    meta({ finalizers: ["x/b", "x/c", "x/a"] }),
  ],
  [
    "$setElementOrder alone reorders",
    pod({ containers: two() }),
    pod({ "$setElementOrder/containers": [{ name: "b" }, { name: "a" }] }),
    pod({ containers: [two()[1]!, two()[0]!] }),
  ],
  [
    "$setElementOrder puts others by the live order",
    pod({ containers: [{ name: "a" }, { name: "b" }, { name: "c" }] }),
    pod({ "$setElementOrder/containers": [{ name: "c" }, { name: "d" }], containers: [{ name: "d" }] }),
    pod({ containers: [{ name: "a" }, { name: "b" }, { name: "c" }, { name: "d" }] }),
  ],
  [
    "$setElementOrder with a deletion",
    pod({ containers: two() }),
    pod({ "$setElementOrder/containers": [{ name: "b" }], containers: [{ name: "a", $patch: "delete" }] }),
    pod({ containers: [two()[1]!] }),
  ],
  [
    "$setElementOrder with a deletion: what is new takes its place at the end",
    pod({ containers: [{ name: "c" }, { name: "d" }] }),
    pod({
      "$setElementOrder/containers": [{ name: "b" }],
      containers: [{ name: "c", $patch: "delete" }, { name: "b" }],
    }),
    pod({ containers: [{ name: "d" }, { name: "b" }] }),
  ],
  [
    "$setElementOrder with a deletion of what is not there: what is new comes first",
    pod({ containers: [{ name: "c" }, { name: "d" }] }),
    pod({
      "$setElementOrder/containers": [{ name: "b" }],
      containers: [{ name: "z", $patch: "delete" }, { name: "b" }],
    }),
    pod({ containers: [{ name: "b" }, { name: "c" }, { name: "d" }] }),
  ],
  [
    "$setElementOrder of nothing leaves the live order",
    pod({ containers: two() }),
    pod({ "$setElementOrder/containers": [], containers: [{ name: "c" }, { name: "b" }] }),
    pod({ containers: [...two(), { name: "c" }] }),
  ],
  ["$setElementOrder of items without a key", pod({ containers: two() }), {
    spec: { template: { spec: { "$setElementOrder/containers": [{ image: "z" }] } } },
  }, { fails: "not-mergeable" }],
  [
    "$setElementOrder with an item that changes: it keeps its place before others",
    pod({ containers: two() }),
    pod({ "$setElementOrder/containers": [{ name: "a" }], containers: [{ name: "a", image: "i:2" }] }),
    pod({ containers: [{ ...two()[0]!, image: "i:2" }, two()[1]!] }),
  ],
  ["$setElementOrder of a list that is not there makes none", pod({}), {
    spec: { template: { spec: { "$setElementOrder/containers": [{ name: "a" }] } } },
  }, pod({})],
  [
    "$setElementOrder alone empties no list, whatever its strategy",
    pod({ tolerations: [{ key: "t" }], containers: two() }),
    pod({ "$setElementOrder/tolerations": [], "$setElementOrder/containers": [] }),
    pod({ tolerations: [{ key: "t" }], containers: two() }),
  ],
  ["$setElementOrder without a slash", pod({}), pod({ $setElementOrders: [] }), { fails: "malformed" }],
  [
    "$setElementOrder without a deletion: what is new comes first",
    pod({ containers: [{ name: "c" }, { name: "d" }] }),
    pod({ "$setElementOrder/containers": [{ name: "b" }], containers: [{ name: "b" }] }),
    pod({ containers: [{ name: "b" }, { name: "c" }, { name: "d" }] }),
  ],
  [
    "$setElementOrder on a list that is new",
    pod({}),
    pod({ "$setElementOrder/containers": [{ name: "b" }, { name: "a" }], containers: [{ name: "b" }, { name: "a" }] }),
    pod({ containers: [{ name: "b" }, { name: "a" }] }),
  ],
  [
    "$setElementOrder that leaves out an item",
    pod({ containers: two() }),
    pod({
      "$setElementOrder/containers": [{ name: "a" }],
      containers: [{ name: "c" }],
    }),
    { fails: "malformed" },
  ],
  [
    "$setElementOrder against the patch's order",
    pod({ containers: two() }),
    pod({
      "$setElementOrder/containers": [{ name: "a" }, { name: "c" }],
      containers: [{ name: "c" }, { name: "a" }],
    }),
    { fails: "malformed" },
  ],
  ["$setElementOrder that is no list", pod({ containers: two() }), pod({ "$setElementOrder/containers": {} }), {
    fails: "malformed",
  }],
  ["$setElementOrder of what is no list", meta({}), meta({ "$setElementOrder/labels": ["x"] }), { fails: "malformed" }],
  ["an item without its merge key", pod({ containers: two() }), pod({ containers: [{ image: "z" }] }), {
    fails: "not-mergeable",
  }],
  ["scalars in a list of objects", pod({ containers: two() }), pod({ containers: ["z"] }), { fails: "not-mergeable" }],
  ["objects in a set of scalars", meta({ finalizers: ["a"] }), meta({ finalizers: [{ a: 1 }] }), {
    fails: "not-mergeable",
  }],
  ["lists in a merged list", meta({ finalizers: [] }), meta({ finalizers: [["a"]] }), { fails: "not-mergeable" }],
  [
    "ports with one number are merged by the first",
    pod({
      containers: [{
        name: "a",
        ports: [{ containerPort: 53, protocol: "UDP" }, { containerPort: 80 }, { containerPort: 53, protocol: "TCP" }],
      }],
    }),
    pod({ containers: [{ name: "a", ports: [{ containerPort: 80, name: "http" }] }] }),
    pod({
      containers: [{
        name: "a",
        ports: [{ containerPort: 53, protocol: "UDP" }, { containerPort: 53, protocol: "TCP" }, {
          containerPort: 80,
          name: "http",
        }],
      }],
    }),
  ],
  [
    "annotations and labels are merged, also odd ones",
    meta({ labels: { a: "1" } }),
    meta({ labels: { constructor: "2" }, annotations: { b: "3" } }),
    meta({ labels: { a: "1", constructor: "2" }, annotations: { b: "3" } }),
  ],
];

for (const [name, live, patch, result] of ROWS) {
  Deno.test(`strategic merge: ${name}`, () => {
    const before = JSON.stringify([live, patch]);
    if ("fails" in result) {
      assert.throws(
        () => applyStrategicMerge(DEPLOYMENT, live, patch),
        (e) => e instanceof PatchError && e.kind === result.fails,
      );
    } else assert.deepEqual(applyStrategicMerge(DEPLOYMENT, live, patch), result);
    assert.equal(JSON.stringify([live, patch]), before, "inputs are not changed");
  });
}

function some<T>(r: Random, make: (name: string) => T): T[] {
  const names = ["a", "b", "c", "d", "e"];
  const out: T[] = [];
  while (names.length && !r.once(4)) out.push(make(names.splice(r.below(names.length), 1)[0]!));
  return out;
}

function randomPod(r: Random): JsonMap {
  const maybe = (v: () => Json): JsonMap[string] | undefined => (r.once(3) ? undefined : v());
  const env = () => some(r, (name) => ({ name, value: r.pick(["1", "2"]) }));
  const source = () => r.pick<JsonMap>([{ emptyDir: {} }, { hostPath: { path: "/x" } }, { configMap: { name: "m" } }]);
  const members: Record<string, Json | undefined> = {
    containers: maybe(() =>
      some(r, (name) => ({
        name,
        image: r.pick(["i", "j"]),
        env: env(),
        args: r.pick([["x"], ["y", "x"]]),
      }))
    ),
    volumes: maybe(() => some(r, (name) => ({ name, ...source() }))),
    nodeSelector: maybe(() => Object.fromEntries(some(r, (name) => [name, r.pick(["1", "2"])]))),
    tolerations: maybe(() => some(r, (name) => ({ key: name }))),
    replicas: maybe(() => r.below(3)),
  };
  return Object.fromEntries(Object.entries(members).filter(([, v]) => v !== undefined)) as JsonMap;
}

function randomDeployment(r: Random): JsonMap {
  const strategy = r.pick<JsonMap>([{ type: "Recreate" }, { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } }]);
  return {
    metadata: { finalizers: some(r, (name) => `x/${name}`), labels: Object.fromEntries(some(r, (n) => [n, "1"])) },
    spec: { strategy, template: { spec: randomPod(r) } },
  };
}

Deno.test("strategic merge: patch(a, diff(a, b)) is b, 3,000 seeded pairs", () => {
  for (let seed = 1; seed <= 3000; seed++) {
    const r = new Random(seed);
    const a = randomDeployment(r);
    const b = randomDeployment(r);
    const patch = createStrategicMerge(DEPLOYMENT, a, b);
    const got = applyStrategicMerge(DEPLOYMENT, a, patch);
    assert.ok(jsonEqual(got, b), `seed ${seed}: ${JSON.stringify({ a, b, patch, got })}`);
  }
});
