import assert from "node:assert/strict";
import { ErrorList } from "../../schema/rules/errors.ts";
import { validateUpdate } from "../../schema/rules/mod.ts";
import type { Cause } from "../../schema/status.ts";
import { Bench, table } from "./_table.ts";

const template = { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } };
const job = { kind: "batch/v1/Job", resource: "jobs", good: { spec: { template } } };

table({
  ...job,
  rows: [
    { set: { "spec.parallelism": -1 }, causes: ["spec.parallelism Invalid"] },
    { set: { "spec.completionMode": "x" }, causes: ["spec.completionMode NotSupported"] },
    { set: { "spec.completionMode": "Indexed", "spec.completions": undefined }, causes: [] },
    { set: { "spec.backoffLimitPerIndex": 1 }, causes: ["spec.backoffLimitPerIndex Invalid"] },
    {
      set: { "spec.template.spec.restartPolicy": "Always" },
      causes: ["spec.template.spec.restartPolicy Required"],
    },
    {
      set: { "spec.selector": { matchLabels: { a: "b" } } },
      causes: ["spec.selector Invalid", "spec.template.metadata.labels Invalid"],
    },
  ],
});

table({
  ...job,
  good: {
    spec: {
      manualSelector: true,
      selector: { matchLabels: { a: "b" } },
      template: { ...template, metadata: { labels: { a: "b" } } },
    },
  },
  rows: [
    { set: { "spec.selector.matchLabels.a": "c" }, causes: ["spec.template.metadata.labels Invalid"] },
    { on: "update", set: { "spec.suspend": true }, causes: [] },
    { on: "update", set: { "spec.completions": 3 }, causes: ["spec.completions Invalid"] },
  ],
});

const START = "2026-01-01T00:00:00Z", SOON = "2026-01-01T00:01:00Z";
const is = (type: string, status = "True") => ({ type, status, lastProbeTime: START, lastTransitionTime: START });
const INDEXED = { "spec.completionMode": "Indexed", "spec.completions": 5, "spec.backoffLimitPerIndex": 1 };
const DONE = { startTime: START, completionTime: SOON, conditions: [is("SuccessCriteriaMet"), is("Complete")] };

table({
  ...job,
  rows: [
    { on: "status", from: { status: { startTime: START } }, set: { status: {} }, causes: ["status.startTime Invalid"] },
    {
      on: "status",
      from: { "spec.suspend": true, status: { startTime: START } },
      set: { status: {} },
      causes: [],
    },
    {
      on: "status",
      from: { status: { startTime: START, conditions: [is("Suspended")] } },
      set: { status: { startTime: SOON, conditions: [is("Suspended", "False")] } },
      causes: [],
    },
    {
      on: "status",
      from: { status: DONE },
      set: { "status.active": 1, "status.terminating": 1, "status.uncountedTerminatedPods": { failed: ["u"] } },
      causes: ["status.active Invalid", "status.terminating Invalid", "status.uncountedTerminatedPods Invalid"],
    },
    {
      on: "status",
      from: { status: DONE },
      set: { "status.completionTime": undefined },
      causes: ["status.completionTime Required"],
    },
    {
      on: "status",
      from: { status: DONE },
      set: { "status.conditions": [is("Complete")] },
      causes: ["status.conditions Invalid", "status.conditions Invalid"],
    },
    {
      on: "status",
      from: { status: { succeeded: 2 } },
      set: { "status.succeeded": 1 },
      causes: ["status.succeeded Invalid"],
    },
    {
      on: "status",
      from: {
        "spec.completionMode": "Indexed",
        "spec.completions": 2,
        "spec.parallelism": 2,
        status: { succeeded: 2 },
      },
      set: { "status.succeeded": 1 },
      causes: [],
    },
    {
      on: "status",
      from: INDEXED,
      set: { status: { completedIndexes: "0,x,2", failedIndexes: "2-3" } },
      causes: ["status.completedIndexes Invalid", "status.failedIndexes Invalid"],
    },
    {
      on: "status",
      from: INDEXED,
      set: { status: { completedIndexes: "4,0", failedIndexes: "2,4" } },
      causes: ["status.completedIndexes Invalid", "status.failedIndexes Invalid"],
    },
    { on: "status", from: INDEXED, set: { status: { completedIndexes: "0-1,4", failedIndexes: "2" } }, causes: [] },
    { on: "status", from: INDEXED, set: { status: { failedIndexes: "" } }, causes: [] },
  ],
});

const all = (...types: string[]) => ({ startTime: START, completionTime: SOON, conditions: types.map((t) => is(t)) });
const MET = "SuccessCriteriaMet", LOST = "FailureTarget";
/** What a status was, what it is to be, and what is wrong with that; changes to the spec. */
const STATUSES: readonly [was: object, now: object, causes: string, spec?: object][] = [
  [{}, { active: -1, ready: -1, terminating: -1 }, "active Invalid, ready Invalid, terminating Invalid"],
  [{}, { failed: -1 }, "failed Invalid, failed Invalid"],
  [
    {},
    { uncountedTerminatedPods: { succeeded: ["a", ""], failed: ["a"] } },
    [
      "uncountedTerminatedPods.failed[0] Duplicate",
      "uncountedTerminatedPods.succeeded[1] Invalid",
    ].join(", "),
  ],
  [{}, { startTime: START }, ""],
  [{}, DONE, ""],
  [{ active: 1 }, { ...DONE, active: 1 }, "active Invalid"],
  [{ terminating: 1 }, { ...DONE, terminating: 1 }, "terminating Invalid"],
  [DONE, { ...DONE, startTime: undefined }, "startTime Invalid, startTime Required"],
  [{}, { ...DONE, startTime: undefined }, "startTime Required"],
  [{}, { ...DONE, startTime: undefined }, "", { suspend: true, completions: 0 }],
  [{}, { ...DONE, startTime: undefined }, "startTime Required", { suspend: true, completions: 1 }],
  [{}, { completionTime: SOON }, "completionTime Invalid"],
  [{ startTime: SOON }, { ...DONE, startTime: SOON, completionTime: START }, "completionTime Invalid"],
  [{ startTime: SOON }, { ...DONE, startTime: SOON }, ""],
  [DONE, { ...DONE, completionTime: "2026-01-01T00:02:00Z" }, "completionTime Invalid"],
  [{}, all(MET), "completionTime Invalid"],
  [{}, { startTime: START, conditions: [is(LOST), is("Failed")] }, ""],
  [{}, { startTime: START, conditions: [is("Failed")] }, "conditions Invalid"],
  [{}, all("Complete"), "conditions Invalid"],
  [{}, all("Complete"), "conditions Invalid, conditions Invalid", {
    successPolicy: { rules: [{ succeededCount: 1 }] },
  }],
  [{}, all("Complete", "Failed", LOST, MET), Array(4).fill("conditions Invalid").join(", ")],
  [DONE, all("Complete", MET, LOST), "conditions Invalid, conditions Invalid"],
  [all("Complete", "Failed"), { ...all("Complete", "Failed"), succeeded: 1 }, ""],
  [{ conditions: [is(LOST)] }, {}, "conditions Invalid"],
  [{ conditions: [is(MET)] }, {}, "conditions Invalid"],
  [{ conditions: [is(MET)] }, { conditions: [is(MET, "False")] }, "conditions Invalid"],
  [all("Complete"), all("Complete", MET), "conditions Invalid"],
  [{ failed: 2 }, { failed: 1 }, "failed Invalid"],
  [{ active: 1 }, { active: 1, ready: 2 }, "ready Invalid"],
  [{ active: 1, ready: 2 }, { active: 1, ready: 2, failed: 1 }, ""],
  [{}, { completedIndexes: "0" }, "completedIndexes Invalid", { completionMode: "NonIndexed" }],
  [{}, { failedIndexes: "0" }, "failedIndexes Invalid", { backoffLimitPerIndex: undefined }],
  [{ completedIndexes: "9" }, { completedIndexes: "9", failedIndexes: "1" }, ""],
];

Deno.test("jobs: a status contradicts neither itself nor the one before", () => {
  const spec = { template, completionMode: "Indexed", completions: 5, parallelism: 1, backoffLimitPerIndex: 1 };
  for (const [was, now, causes, more] of STATUSES) {
    const tree = { spec: { ...spec, ...more } };
    const found = faultsOf({ ...tree, status: was }, { ...tree, status: now }, "status");
    const told = found.map((c) => `${c.field!.replace("status.", "")} ${c.reason!.replace("FieldValue", "")}`);
    assert.equal(told.sort().join(", "), causes, JSON.stringify([was, now]));
  }
});

Deno.test("jobs: what is wrong with generated labels comes before the rest, and what an update finds anew after it", () => {
  const bench = new Bench({ ...job, rows: [] }), ctx = { ...bench.context(), verb: "update" as const, subresource: "" };
  const old = bench.create(job.good).object, next = bench.read(JSON.parse(JSON.stringify(old)), ctx);
  next["spec"].template.metadata.labels["job-name"] = "y";
  next["spec"].parallelism = -1;
  const errors = new ErrorList();
  bench.ruled.rules.validate!(next, errors, ctx, old);
  assert.deepEqual(errors.causes.map((c) => c.field), [
    "spec.template.metadata.labels[job-name]",
    "spec.parallelism",
    "spec.parallelism",
  ]);
});

/** What is wrong with an update, in the order in which clients see it. */
function faultsOf(old: object, next: object, subresource = ""): readonly Cause[] {
  const bench = new Bench({ ...job, rows: [] }), ctx = { ...bench.context(), verb: "update" as const, subresource };
  const [was, now] = [old, next].map((tree) => bench.read(JSON.parse(JSON.stringify(tree)), ctx));
  was!.metadata.resourceVersion = now!.metadata.resourceVersion = "1";
  return validateUpdate(bench.ruled, now!, was!, ctx).causes;
}

Deno.test("jobs: what is wrong is told in the public server's order", () => {
  const spec = { manualSelector: true, selector: { matchLabels: { a: "b" } } };
  const tree = (labels: object, more: object = {}) => ({
    spec: { ...spec, template: { ...template, metadata: { labels } }, ...more },
  });
  const changed = tree({ a: "b", c: "d" }, { completions: 2, managedBy: "a.b/c" });
  assert.deepEqual(faultsOf(tree({ a: "b" }), changed).map((c) => c.field), [
    "spec.completions",
    "spec.template",
    "spec.managedBy",
  ]);
  const indexed = tree({ a: "b" }, { completionMode: "Indexed", completions: 5 });
  const status = {
    ...{ active: 1, terminating: 1, ready: 2, completionTime: START, completedIndexes: "x", failedIndexes: "1" },
    conditions: [is("Failed")],
  };
  const found = faultsOf({ ...indexed, status: { failed: 1 } }, { ...indexed, status }, "status");
  assert.deepEqual(found.map((c) => c.field?.replace("status.", "")), [
    "completionTime",
    "conditions",
    "active",
    "startTime",
    "completedIndexes",
    "failedIndexes",
    "terminating",
    "ready",
    "failed",
  ]);
  assert.equal(found[1]!.message, "Invalid value: Failed needs FailureTarget");
});

Deno.test("a job that takes its template's labels gets the made ones too", () => {
  const bench = new Bench({ ...job, rows: [] }), ctx = bench.context();
  const object = bench.decode({ spec: { template: { ...template, metadata: { labels: { a: "b" } } } } }, ctx);
  bench.ruled.rules.prepareCreate!(object, ctx);
  assert.deepEqual(object.metadata.labels, object["spec"].template.metadata.labels);
  assert.equal(object.metadata.labels!["job-name"], "x");
});

Deno.test("jobs: selector and labels come from the uid", () => {
  const bench = new Bench({ ...job, rows: [] }), { object, causes } = bench.create(job.good);
  assert.deepEqual(causes, []);
  assert.equal(object.metadata.labels, undefined);
  bench.ruled.rules.fillCreated!(object, bench.context());
  assert.deepEqual(object["spec"].selector, {
    matchLabels: { "batch.kubernetes.io/controller-uid": object.metadata.uid },
  });
  assert.equal(object["spec"].template.metadata.labels["batch.kubernetes.io/job-name"], "x");
  assert.deepEqual(object.metadata.labels, object["spec"].template.metadata.labels);
});

table({
  kind: "batch/v1/CronJob",
  resource: "cronjobs",
  good: { spec: { schedule: "*/5 * * * *", jobTemplate: { spec: { template } } } },
  rows: [
    { set: { "spec.schedule": "" }, causes: ["spec.schedule Required"] },
    { set: { "spec.schedule": "61 * * * *" }, causes: ["spec.schedule Invalid"] },
    { set: { "spec.schedule": "@hourly" }, causes: [] },
    { set: { "spec.timeZone": "Nowhere/City" }, causes: ["spec.timeZone Invalid"] },
    { set: { "spec.timeZone": "Europe/Berlin" }, causes: [] },
    { set: { "spec.timeZone": "Local" }, causes: ["spec.timeZone Invalid"] },
    { set: { "spec.timeZone": "local" }, causes: ["spec.timeZone Invalid", "spec.timeZone Invalid"] },
    { set: { "spec.concurrencyPolicy": "x" }, causes: ["spec.concurrencyPolicy NotSupported"] },
    { set: { "metadata.name": "x".repeat(53) }, causes: ["metadata.name Invalid"] },
    { set: { "spec.failedJobsHistoryLimit": -1 }, causes: ["spec.failedJobsHistoryLimit Invalid"] },
    { on: "update", set: { "spec.suspend": true }, causes: [] },
  ],
});
