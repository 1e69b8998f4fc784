import { table } from "./_table.ts";

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
    { set: { "scheduling.nodeSelector": { a: "b c" } }, causes: ["scheduling.nodeSelector Invalid"] },
    { on: "update", set: { handler: "i" }, causes: ["handler Invalid"] },
  ],
});
