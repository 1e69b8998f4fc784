import { table } from "./_table.ts";

table({
  kind: "coordination.k8s.io/v1/Lease",
  resource: "leases",
  good: { spec: { holderIdentity: "h", leaseDurationSeconds: 10 } },
  rows: [
    { set: { "metadata.finalizers": ["any"] }, causes: [] },
    { set: { "spec.leaseDurationSeconds": 0 }, causes: ["spec.leaseDurationSeconds Invalid"] },
    { on: "update", set: { "spec.leaseTransitions": -1 }, causes: ["spec.leaseTransitions Invalid"] },
    { set: { "spec.preferredHolder": "h" }, causes: [] },
    {
      gates: ["CoordinatedLeaderElection"],
      set: { "spec.preferredHolder": "h" },
      causes: ["spec.preferredHolder Forbidden"],
    },
    {
      gates: ["CoordinatedLeaderElection"],
      set: { "spec.strategy": "x" },
      causes: ["spec.strategy.strategy NotSupported"],
    },
    { gates: ["CoordinatedLeaderElection"], set: { "spec.strategy": "example.com/x" }, causes: [] },
  ],
});

table({
  kind: "coordination.k8s.io/v1beta1/LeaseCandidate",
  resource: "leasecandidates",
  good: {
    metadata: { name: "a_B.c" },
    spec: { leaseName: "l", binaryVersion: "1.37.0", emulationVersion: "1.36.0", strategy: "OldestEmulationVersion" },
  },
  rows: [
    { set: { "metadata.name": ".." }, causes: ["metadata.name Invalid"] },
    { set: { "spec.emulationVersion": "1.38.0" }, causes: ["spec.binaryVersion Invalid"] },
    {
      set: { "spec.emulationVersion": "01.36.0" },
      causes: ["spec.emulationVersion Invalid", "spec.emulationVersion Required"],
    },
    { set: { "spec.strategy": "a b/c" }, causes: ["spec.strategy.strategy Invalid"] },
    { set: { "spec.strategy": "example.com/c", "spec.emulationVersion": undefined }, causes: [] },
    { on: "update", set: { "spec.leaseName": "m" }, causes: ["spec.leaseName Invalid"] },
  ],
});
