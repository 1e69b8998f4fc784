import { table } from "./_table.ts";

const condition = {
  type: "Ready",
  status: "True",
  reason: "R",
  message: "",
  lastTransitionTime: "2026-01-01T00:00:00Z",
};

table({
  kind: "policy/v1/PodDisruptionBudget",
  resource: "poddisruptionbudgets",
  good: { spec: { minAvailable: 1, selector: { matchLabels: { a: "b" } } } },
  rows: [
    { set: { "metadata.name": "Any_Name!" }, causes: [] },
    { set: { "metadata.name": "a/b" }, causes: ["metadata.name Invalid"] },
    { set: { "spec.maxUnavailable": 1 }, causes: ["spec Invalid"] },
    { set: { "spec.minAvailable": -1 }, causes: ["spec.minAvailable Invalid"] },
    { set: { "spec.minAvailable": "50" }, causes: ["spec.minAvailable Invalid"] },
    { set: { "spec.minAvailable": "101%" }, causes: ["spec.minAvailable Invalid"] },
    { set: { "spec.selector.matchLabels.a": "bad value" }, causes: ["spec.selector.matchLabels Invalid"] },
    { set: { "spec.unhealthyPodEvictionPolicy": "x" }, causes: ["spec.unhealthyPodEvictionPolicy NotSupported"] },
    { on: "update", set: { "spec.minAvailable": 2 }, causes: [] },
    {
      on: "status",
      set: { "status.currentHealthy": -1, "status.conditions": [condition, condition] },
      causes: ["status.conditions[1].type Duplicate", "status.currentHealthy Invalid"],
    },
    {
      on: "status",
      set: { "status.conditions": [{ ...condition, type: "", status: "x", reason: "1", lastTransitionTime: null }] },
      causes: [
        "status.conditions[0].lastTransitionTime Required",
        "status.conditions[0].reason Invalid",
        "status.conditions[0].status NotSupported",
        "status.conditions[0].type Invalid",
        "status.conditions[0].type Invalid",
      ],
    },
  ],
});
