import assert from "node:assert/strict";
import { ErrorList } from "../../schema/rules/errors.ts";
import { Bench, table } from "./_table.ts";

const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };
const selector = { matchLabels: { a: "b" } };

table({
  kind: "apps/v1/Deployment",
  resource: "deployments",
  good: { spec: { selector, template } },
  rows: [
    {
      set: { "metadata.annotations": { "deprecated.deployment.rollback.to": "-1" } },
      causes: ["spec.rollback.version Invalid"],
    },
    {
      set: { "spec.selector": undefined },
      causes: ["spec.selector Required", "spec.template.metadata.labels Invalid"],
    },
    { set: { "spec.selector.matchLabels.a": "c" }, causes: ["spec.template.metadata.labels Invalid"] },
    { set: { "spec.replicas": -1 }, causes: ["spec.replicas Invalid"] },
    {
      set: { "spec.strategy": { type: "Recreate", rollingUpdate: {} } },
      causes: ["spec.strategy.rollingUpdate Forbidden"],
    },
    {
      set: { "spec.strategy": { rollingUpdate: { maxUnavailable: 0, maxSurge: 0 } } },
      causes: ["spec.strategy.rollingUpdate.maxUnavailable Invalid"],
    },
    {
      set: { "spec.strategy": { rollingUpdate: { maxUnavailable: "101%" } } },
      causes: ["spec.strategy.rollingUpdate.maxUnavailable Invalid"],
    },
    { set: { "spec.minReadySeconds": 600 }, causes: ["spec.progressDeadlineSeconds Invalid"] },
    { set: { "spec.template.spec.restartPolicy": "Never" }, causes: ["spec.template.spec.restartPolicy NotSupported"] },
    { on: "update", set: { "spec.replicas": 2 }, causes: [] },
    {
      on: "update",
      set: { "spec.selector.matchLabels": { c: "d" }, "spec.template.metadata.labels": { c: "d" } },
      causes: ["spec.selector Invalid"],
    },
    { on: "status", set: { "status.readyReplicas": 1 }, causes: ["status.readyReplicas Invalid"] },
    {
      on: "status",
      set: { "status.replicas": -1 },
      causes: ["", "available", "ready", "updated"].map((m) => `status.${m ? `${m}Replicas` : "replicas"} Invalid`),
    },
  ],
});

table({
  kind: "apps/v1/ReplicaSet",
  resource: "replicasets",
  good: { spec: { selector, template } },
  rows: [
    { set: { "spec.selector": {} }, causes: ["spec.selector Invalid"] },
    { set: { "spec.minReadySeconds": -1 }, causes: ["spec.minReadySeconds Invalid"] },
    {
      set: { "spec.template.spec.activeDeadlineSeconds": 5 },
      causes: ["spec.template.spec.activeDeadlineSeconds Forbidden"],
    },
    {
      on: "status",
      set: { "status.replicas": 1, "status.fullyLabeledReplicas": 2 },
      causes: ["status.fullyLabeledReplicas Invalid"],
    },
  ],
});

table({
  kind: "apps/v1/DaemonSet",
  resource: "daemonsets",
  good: { spec: { selector, template } },
  rows: [
    { set: { "spec.updateStrategy": { type: "x" } }, causes: ["spec.updateStrategy NotSupported"] },
    { set: { "spec.revisionHistoryLimit": -1 }, causes: ["spec.revisionHistoryLimit Invalid"] },
    { set: { "spec.selector.matchLabels.a": "c" }, causes: ["spec.template.metadata.labels Invalid"] },
    { on: "status", set: { "status.numberReady": -1 }, causes: ["status.numberReady Invalid"] },
  ],
});

Deno.test("daemon sets count their templates from what clients say, and keep the count through the status", () => {
  const counter = "deprecated.daemonset.template.generation";
  const bench = new Bench({ kind: "apps/v1/DaemonSet", resource: "daemonsets", good: {}, rows: [] });
  const tree = (annotations?: object) => ({ spec: { selector, template }, metadata: { annotations } });
  const { object } = bench.create(tree({ [counter]: "5" }));
  assert.equal(object.metadata.annotations![counter], "5");
  assert.deepEqual(bench.update(object, tree({ a: "b" }), "status").object.metadata.annotations, {
    a: "b",
    [counter]: "5",
  });
  const onDelete = { ...tree(), spec: { selector, template, updateStrategy: { type: "OnDelete", rollingUpdate: {} } } };
  assert.deepEqual(bench.create(onDelete).object["spec"].updateStrategy.rollingUpdate, {
    maxUnavailable: 0,
    maxSurge: 0,
  });
});

const NUMBERS = {
  Deployment: "deprecated.deployment.rollback.to",
  DaemonSet: "deprecated.daemonset.template.generation",
};
/** What annotations say, and what becomes of it: a text, nothing, or a refusal. */
const SAID: readonly (readonly [kind: keyof typeof NUMBERS, text: string, left: string | undefined | 400])[] = [
  ["Deployment", "7", "7"],
  ["Deployment", "+07", "7"],
  ["Deployment", "0", "0"],
  ["Deployment", "", undefined],
  ["Deployment", "x", 400],
  ["Deployment", "1.0", 400],
  ["Deployment", "9223372036854775808", 400],
  ["DaemonSet", "9223372036854775807", "9223372036854775807"],
  ["DaemonSet", "+07", "7"],
  ["DaemonSet", "-7", "1"],
  ["DaemonSet", "", 400],
  ["DaemonSet", "1e3", 400],
  ["DaemonSet", " 1", 400],
  ["DaemonSet", "9223372036854775808", 400],
];
for (const [kind, text, left] of SAID) {
  Deno.test(`numbers of older versions: ${kind} ${JSON.stringify(text)}`, () => {
    const bench = new Bench({ kind: `apps/v1/${kind}`, resource: `${kind.toLowerCase()}s`, good: {}, rows: [] });
    const tree = (annotations?: object) => ({ spec: { selector, template }, metadata: { annotations } });
    const named = tree({ [NUMBERS[kind]]: text });
    if (left === 400) {
      assert.throws(() => bench.create(named), { code: 400 });
      assert.throws(() => bench.update(bench.create(tree()).object, named), { code: 400 });
      assert.throws(() => bench.update(bench.create(tree()).object, named, "status"), { code: 400 });
    } else {
      const { object } = bench.create(named);
      assert.deepEqual(object.metadata.annotations, left === undefined ? undefined : { [NUMBERS[kind]]: left });
      // Older versions have them in the spec, which is not written with the status.
      const { annotations } = bench.update(object, tree({ [NUMBERS[kind]]: "99" }), "status").object.metadata;
      assert.deepEqual(annotations, object.metadata.annotations);
    }
  });
}

Deno.test("what was stored as such a number before it was looked at stops no update", () => {
  for (const kind of ["Deployment", "DaemonSet"] as const) {
    const bench = new Bench({ kind: `apps/v1/${kind}`, resource: `${kind.toLowerCase()}s`, good: {}, rows: [] });
    const tree = (annotations?: object) => ({ spec: { selector, template }, metadata: { annotations } });
    const { object } = bench.create(tree());
    const was = { ...object, metadata: { ...object.metadata, annotations: { [NUMBERS[kind]]: "x" } } };
    const { annotations } = bench.update(was, tree({ a: "b" })).object.metadata;
    assert.deepEqual(annotations, kind === "Deployment" ? { a: "b" } : { a: "b", [NUMBERS[kind]]: "0" });
    assert.equal(bench.update(was, tree({ a: "b" }), "status").object.metadata.annotations!["a"], "b");
  }
});

table({
  kind: "apps/v1/StatefulSet",
  resource: "statefulsets",
  good: { spec: { selector, template, serviceName: "s" } },
  rows: [
    { set: { "metadata.name": "a.b" }, causes: ["metadata.name Invalid"] },
    {
      set: { "spec.podManagementPolicy": "x" },
      causes: ["spec.podManagementPolicy Invalid"],
    },
    {
      set: { "spec.updateStrategy": { type: "x" } },
      causes: ["spec.updateStrategy Invalid"],
    },
    { set: { "spec.updateStrategy": { type: "Recreate" } }, causes: ["spec.updateStrategy Invalid"] },
    { set: { "spec.updateStrategy": { type: "Recreate" } }, gates: ["StatefulSetRecreateStrategy"], causes: [] },
    {
      set: { "spec.updateStrategy": { type: "Recreate", rollingUpdate: {} } },
      gates: ["StatefulSetRecreateStrategy"],
      causes: ["spec.updateStrategy.rollingUpdate Invalid"],
    },
    // Who has it keeps it without the gate.
    {
      on: "update",
      from: { "spec.updateStrategy": { type: "Recreate" } },
      set: { "spec.replicas": 3 },
      causes: [],
    },
    { set: { "spec.ordinals": { start: -1 } }, causes: ["spec.ordinals.start Invalid"] },
    {
      set: {
        "spec.template.metadata.annotations": { "container.apparmor.security.beta.kubernetes.io/z": "unconfined" },
      },
      causes: Array(2).fill("spec.template.annotations[container.apparmor.security.beta.kubernetes.io/z] Invalid"),
    },
    { set: { "spec.template.spec.hostname": "Bad!", "spec.template.spec.subdomain": "Bad!" }, causes: [] },
    { on: "update", set: { "spec.replicas": 2 }, causes: [] },
    { on: "update", set: { "spec.serviceName": "t" }, causes: ["spec Forbidden"] },
  ],
});

table({
  kind: "apps/v1/ControllerRevision",
  resource: "controllerrevisions",
  good: { data: { a: 1 }, revision: 1 },
  rows: [
    { set: { revision: -1 }, causes: ["revision Invalid"] },
    { set: { data: undefined }, causes: ["data Required"] },
    { set: { data: [1] }, causes: ["data Required"] },
    { on: "update", set: { data: undefined }, causes: ["data Invalid"] },
    { on: "update", set: { data: { a: 2 } }, causes: ["data Invalid"] },
    { on: "update", set: { revision: 2 }, causes: [] },
  ],
});

Deno.test("deployments: annotations count as generations, but not through the status", () => {
  const bench = new Bench({ kind: "apps/v1/Deployment", resource: "deployments", good: {}, rows: [] });
  const tree = { spec: { selector, template } }, old = bench.create(tree).object;
  const annotated = { ...tree, metadata: { annotations: { a: "b" } } };
  assert.equal(bench.update(old, annotated).object.metadata.generation, 2);
  assert.equal(bench.update(old, annotated, "status").object.metadata.generation, 1);
});

Deno.test("an update of a daemon set warns of the template when it changes that", () => {
  const bench = new Bench({ kind: "apps/v1/DaemonSet", resource: "daemonsets", good: {}, rows: [] });
  const spec = (image: string, minReadySeconds: number) => ({
    selector: { matchLabels: { a: "b" } },
    minReadySeconds,
    template: {
      metadata: { labels: { a: "b" } },
      spec: { containers: [{ name: "c", image, env: [{ name: "A" }, { name: "A" }] }] },
    },
  });
  const ctx = bench.context(), { warnings } = bench.ruled.rules;
  const told = (image: string, minReadySeconds: number) => {
    const old = bench.create({ spec: spec("one", 0) }).object;
    return warnings!(bench.update(old, { spec: spec(image, minReadySeconds) }).object, old, ctx).length;
  };
  assert.equal(warnings!(bench.create({ spec: spec("one", 0) }).object, undefined, ctx).length, 1);
  assert.equal(told("one", 5), 0);
  assert.equal(told("two", 0), 1);
});

/** Counts of each kind's status in the order of their causes. */
const COUNTS = [
  [
    "Deployment",
    "observedGeneration replicas updatedReplicas readyReplicas availableReplicas unavailableReplicas " +
    "terminatingReplicas collisionCount",
  ],
  [
    "ReplicaSet",
    "replicas fullyLabeledReplicas readyReplicas availableReplicas terminatingReplicas observedGeneration",
  ],
  [
    "StatefulSet",
    "replicas readyReplicas currentReplicas updatedReplicas availableReplicas observedGeneration collisionCount",
  ],
] as const;

Deno.test("workloads: counts of a status are looked at in the public order", () => {
  for (const [kind, text] of COUNTS) {
    const bench = new Bench({ kind: `apps/v1/${kind}`, resource: `${kind.toLowerCase()}s`, good: {}, rows: [] });
    const ctx = bench.context(), members = text.split(" "), errors = new ErrorList();
    const obj = bench.read({ status: Object.fromEntries(members.toReversed().map((m) => [m, -1])) }, ctx);
    const { validateUpdate } = bench.ruled.rules.subresources!["status"]!;
    validateUpdate!(obj, bench.read({}, ctx), errors, { ...ctx, verb: "update", subresource: "status" });
    assert.deepEqual(errors.causes.map((c) => c.field), members.map((m) => `status.${m}`));
  }
});
