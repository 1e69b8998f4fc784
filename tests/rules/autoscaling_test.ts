import assert from "node:assert/strict";
import { Bench, table } from "./_table.ts";

const cpu = { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } } };
const policy = { type: "Pods", value: 1, periodSeconds: 15 };

table({
  kind: "autoscaling/v2/HorizontalPodAutoscaler",
  resource: "horizontalpodautoscalers",
  good: {
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" },
      minReplicas: 1,
      maxReplicas: 3,
      metrics: [cpu],
    },
  },
  rows: [
    { set: { "spec.maxReplicas": 0 }, causes: ["spec.maxReplicas Invalid", "spec.maxReplicas Required"] },
    { set: { "spec.maxReplicas": -1 }, causes: ["spec.maxReplicas Invalid", "spec.maxReplicas Invalid"] },
    { set: { "spec.minReplicas": 0 }, causes: ["spec.metrics Forbidden", "spec.minReplicas Invalid"] },
    { set: { "spec.minReplicas": 0 }, gates: ["HPAScaleToZero"], causes: ["spec.metrics Forbidden"] },
    { set: { "spec.scaleTargetRef.apiVersion": "v1" }, causes: ["spec.scaleTargetRef.apiVersion Invalid"] },
    { set: { "spec.scaleTargetRef": { apiVersion: "v1", kind: "ReplicationController", name: "r" } }, causes: [] },
    { set: { "spec.scaleTargetRef.apiVersion": "a/b/c" }, causes: ["spec.scaleTargetRef.apiVersion Invalid"] },
    {
      set: { "spec.metrics.0.type": "Other" },
      causes: ["spec.metrics[0].type NotSupported", "spec.metrics[0].type NotSupported"],
    },
    { set: { "spec.metrics.0.type": "Pods" }, causes: ["spec.metrics[0].pods Required"] },
    {
      set: { "spec.metrics.0.external": { metric: { name: "m" }, target: { type: "Value", value: "1" } } },
      causes: ["spec.metrics[0].external Forbidden"],
    },
    {
      set: { "spec.metrics.0.resource.target": { type: "Utilization" } },
      causes: ["spec.metrics[0].resource.target.averageUtilization Required"],
    },
    {
      set: {
        "spec.metrics.0": {
          type: "External",
          external: { metric: { name: "m" }, target: { type: "Value", value: "1", averageValue: "1" } },
        },
      },
      causes: ["spec.metrics[0].external.target.value Forbidden"],
    },
    {
      set: {
        "spec.metrics.0": {
          type: "ContainerResource",
          containerResource: { name: "cpu", container: "C", target: { type: "AverageValue", averageValue: "0" } },
        },
      },
      causes: [
        "spec.metrics[0].containerResource.container Invalid",
        "spec.metrics[0].containerResource.target.averageValue Invalid",
      ],
    },
    {
      set: { "spec.behavior.scaleUp": { stabilizationWindowSeconds: 3601, selectPolicy: "x", policies: [policy] } },
      causes: [
        "spec.behavior.scaleUp.selectPolicy NotSupported",
        "spec.behavior.scaleUp.stabilizationWindowSeconds Invalid",
      ],
    },
    {
      set: { "spec.behavior.scaleDown": { policies: [{ type: "x", value: 0, periodSeconds: 1801 }] } },
      causes: ["periodSeconds Invalid", "type NotSupported", "value Invalid"].map((c) =>
        `spec.behavior.scaleDown.policies[0].${c}`
      ),
    },
    {
      set: { "spec.behavior.scaleUp": { policies: [policy], tolerance: "-1" } },
      causes: ["spec.behavior.scaleUp.tolerance Invalid"],
    },
    { on: "status", set: { "status.desiredReplicas": -1 }, causes: ["status.desiredReplicas Invalid"] },
  ],
});

Deno.test("generations of autoscalers are counted with their gate alone", () => {
  const kind = "autoscaling/v2/HorizontalPodAutoscaler";
  const bench = new Bench({ kind, resource: "horizontalpodautoscalers", good: {}, rows: [] });
  const good = (maxReplicas: number) => ({
    spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" }, maxReplicas, metrics: [cpu] },
  });
  const gates = ["HPAGeneration"];
  assert.equal(bench.create(good(2)).object.metadata.generation, undefined);
  const { object } = bench.create(good(2), gates);
  assert.equal(object.metadata.generation, 1);
  assert.equal(bench.update(object, good(2), "", gates).object.metadata.generation, 1);
  assert.equal(bench.update(object, good(3), "", gates).object.metadata.generation, 2);
  assert.equal(bench.update(object, good(3)).object.metadata.generation, 1);
  assert.equal(bench.update(object, good(3), "status", gates).object.metadata.generation, 1);
});
