import assert from "node:assert/strict";
import type { JsonMap } from "../../schema/model/types.ts";
import { Bench, NOW, table } from "./_table.ts";

const pod = { name: "p", uid: "11111111-2222-3333-4444-555555555555" };

table({
  kind: "lifecycle.k8s.io/v1alpha1/EvictionRequest",
  resource: "evictionrequests",
  good: { spec: { target: { pod }, requester: "example.com/r", intent: "Eviction" } },
  rows: [
    { set: { "spec.target": {} }, causes: ["spec.target Invalid"] },
    { set: { "spec.target.pod.uid": "x" }, causes: ["spec.target.pod.uid Invalid"] },
    { set: { "spec.requester": "sub.kubernetes.io/r" }, causes: ["spec.requester Invalid"] },
    { set: { "spec.intent": "x" }, causes: ["spec.intent NotSupported"] },
    { on: "update", set: { "spec.target.pod.name": "q" }, causes: ["spec.target Invalid"] },
    {
      on: "status",
      set: {
        "status.conditions": [{ type: "A", status: "x", reason: "R", lastTransitionTime: "2026-01-01T00:00:00Z" }],
      },
      causes: ["status.conditions[0].status NotSupported"],
    },
  ],
});

table({
  kind: "lifecycle.k8s.io/v1alpha1/Eviction",
  resource: "evictions",
  good: { metadata: { name: pod.uid }, spec: { target: { pod } } },
  rows: [
    { set: { "spec.target": {} }, causes: ["spec.target Invalid"] },
    { set: { "spec.target.pod.uid": "x" }, causes: ["spec.target.pod.uid Invalid"] },
    { on: "update", set: { "spec.target.pod.name": "q" }, causes: ["spec.target Invalid"] },
  ],
});

const AT = Date.parse(NOW);
/** A time, seconds from now. */
const time = (seconds: number): string => new Date(AT + seconds * 1000).toISOString().replace(".000Z", "Z");
const bench = new Bench({ kind: "lifecycle.k8s.io/v1alpha1/Eviction", resource: "evictions", good: {}, rows: [] });

/** Statuses of one eviction, each written after the one before, and what is wrong with the last. */
function causesOf(...statuses: readonly JsonMap[]): string[] {
  const tree = { metadata: { name: pod.uid }, spec: { target: { pod } } };
  let { object: old, causes } = bench.create(tree);
  for (const [i, status] of statuses.entries()) {
    if (i > 0) assert.deepEqual(causes, [], `status ${i - 1}`);
    ({ object: old, causes } = bench.update(old, { ...tree, status }, "status"));
  }
  return causes;
}

/** Two responders, `a` before `b`: their states and what they report. */
const two = (a: string, b: string, ofA: JsonMap = {}, ofB: JsonMap = {}, more: JsonMap = {}): JsonMap => ({
  targetResponders: [{ name: "r.io/b", priority: 1000, state: b }, { name: "r.io/a", priority: 2000, state: a }],
  responders: [{ name: "r.io/a", ...ofA }, { name: "r.io/b", ...ofB }],
  ...more,
});
const ended = (type: string, status = "True", reason = "R", message = "") => ({
  conditions: [{ type, status, reason, message, lastTransitionTime: time(-60) }],
});
const A = "status.targetResponders[1].state", B = "status.targetResponders[0].state", OF_A = "status.responders[0]";
const startTime = time(-3), long = time(-1500), fresh = { startTime };
const first = two("Active", "Inactive", fresh), done = { ...fresh, completionTime: time(-1) };

/** One responder whose turn it is. */
const alone = (name: string, priority = 1000): JsonMap => ({
  targetResponders: [{ name: `r.io/${name}`, priority, state: "Active" }],
  responders: [{ name: `r.io/${name}`, ...fresh }],
});
const among = (status: string): JsonMap => ({
  conditions: [...ended("TargetEvicted", "Unknown").conditions, ...ended("Failed", status).conditions],
});

const TURNS: readonly [what: string, statuses: readonly JsonMap[], causes: readonly string[]][] = [
  ["the first turn is that of the highest priority", [first], []],
  ["nobody waits for nobody", [two("Inactive", "Inactive")], [`${A} Invalid`]],
  ["one at a time", [two("Inactive", "Active", {}, fresh)], [`${A} Invalid`, `${B} Invalid`]],
  ["who is active has begun", [two("Active", "Inactive")], [`${OF_A}.startTime Required`]],
  ["what begins begins now", [two("Active", "Inactive", { startTime: long })], [`${OF_A}.startTime Invalid`]],
  ["who is not active reports nothing", [two("Active", "Inactive", fresh, { message: "m" })], [
    "status.responders[1] Invalid",
  ]],
  ["a heartbeat is of now", [first, two("Active", "Inactive", { ...fresh, heartbeatTime: time(600) })], [
    `${OF_A}.heartbeatTime Invalid`,
  ]],
  ["and after the beginning", [first, two("Active", "Inactive", { ...fresh, heartbeatTime: time(-5) })], [
    `${OF_A}.heartbeatTime Invalid`,
  ]],
  ["heartbeats go on", [two("Active", "Inactive", { ...fresh, heartbeatTime: time(-1) }), first], [
    `${OF_A}.heartbeatTime Required`,
  ]],
  ["what is expected comes after the beginning", [
    two("Active", "Inactive", { ...fresh, expectedCompletionTime: time(-60) }),
  ], [`${OF_A}.expectedCompletionTime Invalid`]],
  ["who is at work stays active", [first, two("Canceled", "Active", fresh, fresh)], [`${A} Forbidden`]],
  ["completed is who reported it", [first, two("Completed", "Active", fresh, fresh)], [
    `${A} Forbidden`,
    `${A} Invalid`,
  ]],
  ["turns do not go back", [first, two("Inactive", "Inactive", fresh)], [
    `${A} Invalid`,
    `${B} Invalid`,
  ]],
  ["the next is active at once", [two("Active", "Inactive", done), two("Completed", "Inactive", done)], [
    `${B} Invalid`,
  ]],
  ["and so it is", [two("Active", "Inactive", done), two("Completed", "Active", done, fresh)], []],
  ["what came to its end stays there", [
    two("Active", "Inactive", done),
    two("Completed", "Active", done, fresh),
    two("Interrupted", "Active", done, fresh),
  ], [`${A} Invalid`]],
  ["while others are at work", [
    two("Active", "Inactive", done),
    two("Completed", "Active", done, fresh),
    two("Completed", "Active", done, { ...fresh, heartbeatTime: time(0) }),
  ], []],
  ["an eviction that ended has no more turns", [two("Active", "Inactive", fresh, {}, ended("Failed"))], [
    `${A} Invalid`,
  ]],
  ["and ends those that are", [first, two("Canceled", "Inactive", fresh, {}, ended("Failed"))], []],
  ["ends stay", [ended("Failed"), ended("Failed", "False")], ["status.conditions Invalid"]],
  ["and their reasons", [ended("Failed"), ended("Failed", "True", "S")], ["status.conditions Invalid"]],
  ["their texts may change", [ended("Failed"), ended("Failed", "True", "R", "m")], []],
  ["what has not happened may be taken back", [ended("TargetEvicted", "Unknown"), {}], []],
  ["everybody has a report", [{ ...first, responders: [] }], [
    "status.responders Invalid",
    "status.targetResponders[0] Invalid",
    "status.targetResponders[1] Invalid",
  ]],
  ["nobody else has one", [{ responders: [{ name: "r.io/a" }] }], ["status.responders Invalid"]],
  ["also where others have one", [{ ...first, responders: [{ name: "r.io/b" }] }], [
    "status.responders Invalid",
    "status.targetResponders[1] Invalid",
  ]],
  ["also who ends", [first, { ...two("Canceled", "Active"), responders: [{ name: "r.io/b", ...fresh }] }], [
    "status.responders Invalid",
    "status.targetResponders[1] Invalid",
  ]],
  ["nobody is replaced", [alone("a"), alone("b")], ["status.targetResponders Invalid"]],
  ["nobody leaves", [first, { targetResponders: [], responders: [] }], ["status.targetResponders Invalid"]],
  ["low priorities are the system's", [alone("a", 999)], ["status.targetResponders[0].priority Invalid"]],
  ["ends stay among other conditions", [among("True"), among("False")], ["status.conditions Invalid"]],
];
for (const [what, statuses, causes] of TURNS) {
  Deno.test(`evictions: ${what}`, () => assert.deepEqual(causesOf(...statuses), [...causes].sort()));
}

Deno.test("evictions: who falls silent loses the turn", () => {
  const at = new Bench({ kind: "lifecycle.k8s.io/v1alpha1/Eviction", resource: "evictions", good: {}, rows: [] });
  const tree = { metadata: { name: pod.uid }, spec: { target: { pod } } };
  const old = at.create(tree).object;
  old["status"] = two("Active", "Inactive", { startTime: long });
  const next = two("Interrupted", "Active", { startTime: long }, fresh);
  assert.deepEqual(at.update(old, { ...tree, status: next }, "status").causes, []);
});
