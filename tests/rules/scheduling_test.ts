import assert from "node:assert/strict";
import type { JsonMap } from "../../schema/model/types.ts";
import { Bench, table } from "./_table.ts";

table({
  kind: "scheduling.k8s.io/v1/PriorityClass",
  resource: "priorityclasses",
  namespaced: false,
  good: { value: 10 },
  rows: [
    { set: { value: 1_000_000_001 }, causes: ["value Forbidden"] },
    { set: { "metadata.name": "system-node-critical", value: 2_000_001_000 }, causes: [] },
    { set: { "metadata.name": "system-mine" }, causes: ["metadata.name Forbidden"] },
    { set: { preemptionPolicy: "x" }, causes: ["preemptionPolicy NotSupported"] },
    { on: "update", set: { value: 11 }, causes: ["value Forbidden"] },
    { on: "update", set: { preemptionPolicy: "Never" }, causes: ["preemptionPolicy Invalid"] },
  ],
});

const gang = { gang: { minCount: 2 } };
const group = { name: "g", schedulingPolicy: gang };

const groups = (...names: string[]): JsonMap => ({ podGroupTemplates: names.map((name) => ({ ...group, name })) });
const composites = (all: Record<string, JsonMap>): JsonMap => ({
  compositePodGroupTemplates: Object.entries(all).map(([name, below]) => ({
    name,
    schedulingPolicy: { basic: {} },
    ...below,
  })),
});
const C = "spec.compositePodGroupTemplates";
/** Trees of templates, and what is wrong with them: names are unique over all of it, and nothing is empty. */
const TREES: readonly [tree: JsonMap, ...causes: string[]][] = [
  [composites({ c: groups("g") })],
  [composites({ c: composites({ d: groups("g") }) })],
  [composites({ c: {} }), `${C}[0] Invalid`],
  [composites({ c: composites({ d: {} }) }), `${C}[0].compositePodGroupTemplates[0] Invalid`],
  [composites({ c: groups("c") }), `${C}[0].podGroupTemplates[0].name Duplicate`],
  [composites({ c: groups("d"), d: groups("g") }), `${C}[0].podGroupTemplates[0].name Duplicate`],
  [
    { ...groups("g"), ...composites({ c: groups("g") }) },
    "spec Invalid",
    `${C}[0].podGroupTemplates[0].name Duplicate`,
  ],
];

table({
  kind: "scheduling.k8s.io/v1alpha3/Workload",
  resource: "workloads",
  good: { spec: { podGroupTemplates: [group] } },
  rows: [
    {
      set: { "spec.podGroupTemplates.0.schedulingPolicy.gang.minCount": -1 },
      causes: [
        "spec.podGroupTemplates[0].schedulingPolicy.gang.minCount Invalid",
      ],
    },
    { set: { "spec.podGroupTemplates.1": { ...group, name: "h", priority: 5 } }, causes: ["spec Invalid"] },
    {
      set: { "spec.podGroupTemplates.0.priority": 1_000_000_001 },
      causes: ["spec.podGroupTemplates[0].priority Invalid"],
    },
    ...TREES.map(([tree, ...causes]) => ({ gates: ["CompositePodGroup"], set: { spec: tree }, causes })),
    {
      on: "update",
      set: { "spec.podGroupTemplates.1": { ...group, name: "h" } },
      causes: [
        "spec.podGroupTemplates[1] Forbidden",
      ],
    },
  ],
});

table({
  kind: "scheduling.k8s.io/v1alpha3/PodGroup",
  resource: "podgroups",
  good: { spec: { schedulingPolicy: gang, resourceClaims: [{ name: "c", resourceClaimName: "r" }] } },
  rows: [
    { set: { "spec.schedulingPolicy": {} }, causes: ["spec.schedulingPolicy Invalid"] },
    { set: { "spec.schedulingPolicy.basic": {} }, causes: ["spec.schedulingPolicy Invalid"] },
    {
      on: "status",
      gates: ["DRAWorkloadResourceClaims"],
      set: { "status.resourceClaimStatuses": [{ name: "c" }, { name: "d" }] },
      causes: ["status.resourceClaimStatuses[1].name Invalid"],
    },
    {
      on: "status",
      set: { "status.resourceClaimStatuses": [{ name: "d" }], "status.conditions": [{ type: "A", status: "x" }] },
      causes: [
        "status.conditions[0].lastTransitionTime Required",
        "status.conditions[0].reason Required",
        "status.conditions[0].status NotSupported",
      ],
    },
  ],
});

const PREEMPTION = ["WorkloadAwarePreemption"];

table({
  kind: "scheduling.k8s.io/v1alpha2/PodGroup",
  resource: "podgroups",
  good: { spec: { schedulingPolicy: gang } },
  rows: [
    { set: { "spec.schedulingPolicy": {} }, causes: ["spec.schedulingPolicy Invalid"] },
    { gates: PREEMPTION, set: { "spec.disruptionMode": "x" }, causes: ["spec.disruptionMode NotSupported"] },
    { gates: PREEMPTION, set: { "spec.priority": 1_000_000_001 }, causes: ["spec.priority Invalid"] },
    { set: { "spec.disruptionMode": "x", "spec.priority": 1_000_000_001 }, causes: [] }, // dropped without the gate
    {
      set: { "spec.podGroupTemplateRef": { workload: { workloadName: "a.b" } } },
      causes: ["spec.podGroupTemplateRef.workload.podGroupTemplateName Required"],
    },
    { on: "update", gates: PREEMPTION, set: { "spec.priority": 1 }, causes: ["spec.priority Invalid"] },
    { on: "update", set: { "spec.schedulingPolicy.gang.minCount": 3 }, causes: ["spec.schedulingPolicy Invalid"] },
  ],
});

table({
  kind: "scheduling.k8s.io/v1alpha2/Workload",
  resource: "workloads",
  good: { spec: { podGroupTemplates: [group] } },
  rows: [
    { set: { "spec.podGroupTemplates": [] }, causes: ["spec.podGroupTemplates Required"] },
    {
      gates: PREEMPTION,
      set: { "spec.podGroupTemplates.1": { ...group, name: "h", priority: 5 } },
      causes: [], // templates may differ in priority
    },
    {
      gates: PREEMPTION,
      set: { "spec.podGroupTemplates.0.priorityClassName": "A_" },
      causes: ["spec.podGroupTemplates[0].priorityClassName Invalid"],
    },
    {
      on: "update",
      set: { "spec.podGroupTemplates.0.schedulingPolicy.gang.minCount": 3 },
      causes: ["spec.podGroupTemplates Invalid"],
    },
  ],
});

table({
  kind: "scheduling.k8s.io/v1alpha3/CompositePodGroup",
  resource: "compositepodgroups",
  good: {
    spec: { schedulingPolicy: { gang: { minGroupCount: 2 } }, workloadRef: { workloadName: "w", templateName: "g" } },
  },
  rows: [
    { set: { "spec.schedulingPolicy": {} }, causes: ["spec.schedulingPolicy Invalid"] },
    { set: { "spec.schedulingPolicy.basic": {} }, causes: ["spec.schedulingPolicy Invalid"] },
    {
      set: { "spec.schedulingPolicy.gang.minGroupCount": 0 },
      causes: ["spec.schedulingPolicy.gang.minGroupCount Required"],
    },
    { on: "update", set: { "spec.workloadRef.templateName": "h" }, causes: ["spec.workloadRef Invalid"] },
  ],
});

for (const kind of ["v1beta1/PodGroup", "v1alpha3/CompositePodGroup"]) {
  const policyOf = (...gates: string[]): unknown => {
    const resource = kind.endsWith("/PodGroup") ? "podgroups" : "compositepodgroups";
    const bench = new Bench({ kind: `scheduling.k8s.io/${kind}`, resource, good: {}, rows: [] });
    return bench.decode({ spec: { schedulingPolicy: { basic: {} } } }, bench.context(gates))["spec"].preemptionPolicy;
  };
  Deno.test(`${kind}: who may be preempted is a default, where it is known`, () => {
    assert.equal(policyOf("PodGroupPreemptionPolicy"), "PreemptLowerPriority");
    assert.equal(policyOf(), undefined);
  });
}
