import { table } from "./_table.ts";

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
