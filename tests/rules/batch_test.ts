import assert from "node:assert/strict";
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

Deno.test("jobs: selector and labels come from the uid", () => {
  const { object, causes } = new Bench({ ...job, rows: [] }).create(job.good);
  assert.deepEqual(causes, []);
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
    { set: { "spec.concurrencyPolicy": "x" }, causes: ["spec.concurrencyPolicy NotSupported"] },
    { set: { "metadata.name": "x".repeat(53) }, causes: ["metadata.name Invalid"] },
    { set: { "spec.failedJobsHistoryLimit": -1 }, causes: ["spec.failedJobsHistoryLimit Invalid"] },
    { on: "update", set: { "spec.suspend": true }, causes: [] },
  ],
});
