import assert from "node:assert/strict";
import { Bench, table } from "./_table.ts";

table({
  kind: "node.k8s.io/v1/RuntimeClass",
  resource: "runtimeclasses",
  namespaced: false,
  good: { handler: "h", overhead: { podFixed: { cpu: "10m" } }, scheduling: { tolerations: [{ operator: "Exists" }] } },
  rows: [
    { set: { handler: "Bad!" }, causes: ["handler Invalid"] },
    { set: { "overhead.podFixed.cpu": "-1" }, causes: ["overhead.limits[cpu] Invalid"] },
    { set: { "overhead.podFixed": { other: "1" } }, causes: new Array(2).fill("overhead.limits[other] Invalid") },
    {
      set: { "scheduling.tolerations.1": { operator: "Exists" } },
      causes: ["scheduling.tolerations[1] Duplicate"],
    },
    {
      set: {
        "scheduling.tolerations": [1, 2].map((tolerationSeconds) => ({
          key: "k",
          operator: "Exists",
          effect: "NoExecute",
          tolerationSeconds,
        })),
      },
      causes: ["scheduling.tolerations[1] Duplicate"],
    },
    {
      gates: ["TaintTolerationComparisonOperators"],
      set: { "scheduling.tolerations": [{ key: "k", operator: "Gt", value: "1" }] },
      causes: ["scheduling.tolerations[0].operator NotSupported"],
    },
    { set: { "scheduling.nodeSelector": { a: "b c" } }, causes: ["scheduling.nodeSelector Invalid"] },
    { on: "update", set: { handler: "i" }, causes: ["handler Invalid"] },
    { on: "update", set: { handler: "I" }, causes: ["handler Invalid", "handler Invalid"] },
  ],
});

Deno.test("labels of nodes that gave way to others bring warnings", () => {
  const old = { "beta.kubernetes.io/os": "linux", a: "b" };
  const warnings = (kind: string, resource: string, tree: object) => {
    const bench = new Bench({ kind, resource, namespaced: false, good: {}, rows: [] }), ctx = bench.context();
    return bench.ruled.rules.warnings!(bench.read({ ...tree }, ctx), undefined, ctx).length;
  };
  assert.equal(warnings("node.k8s.io/v1/RuntimeClass", "runtimeclasses", { scheduling: { nodeSelector: old } }), 1);
  const matchLabelExpressions = [{ key: "beta.kubernetes.io/arch", values: ["a"] }];
  assert.equal(
    warnings("storage.k8s.io/v1/StorageClass", "storageclasses", { allowedTopologies: [{ matchLabelExpressions }] }),
    1,
  );
  const nodeTopology = { matchLabels: old, matchExpressions: [{ key: "beta.kubernetes.io/arch", operator: "Exists" }] };
  assert.equal(warnings("storage.k8s.io/v1/CSIStorageCapacity", "csistoragecapacities", { nodeTopology }), 2);
});
