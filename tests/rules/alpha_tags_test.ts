/** Tags that the definitions mark as alpha are rules too: written by hand, as on the public server. */
import { type Row, table } from "./_table.ts";

const twice = (more: object = {}) => {
  const one = {
    type: "A",
    status: "True",
    reason: "R",
    message: "",
    lastTransitionTime: "2026-01-01T00:00:00Z",
    ...more,
  };
  return [one, one];
};
const repeated: Row = {
  on: "status",
  set: { "status.conditions": twice() },
  causes: ["status.conditions[1].type Duplicate"],
};
const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };

table({
  kind: "apps/v1/StatefulSet",
  resource: "statefulsets",
  good: { spec: { serviceName: "s", selector: { matchLabels: { a: "b" } }, template } },
  rows: [
    {
      set: { "spec.selector": undefined },
      causes: ["spec.selector Required", "spec.template.metadata.labels Invalid"],
    },
    ...["selector.matchLabels.c", "serviceName", "podManagementPolicy"].map((m): Row => ({
      on: "update",
      set: { [`spec.${m}`]: m === "podManagementPolicy" ? "Parallel" : "x" },
      causes: m.startsWith("selector")
        ? ["spec Forbidden", "spec.template.metadata.labels Invalid"]
        : ["spec Forbidden"],
    })),
  ],
});

table({
  kind: "/v1/Node",
  resource: "nodes",
  namespaced: false,
  good: { spec: { providerID: "a://b" } },
  rows: ["a://c", undefined].map((id): Row => ({
    on: "update",
    set: { "spec.providerID": id },
    causes: ["spec.providerID Forbidden"],
  })),
});

table({
  kind: "/v1/Secret",
  resource: "secrets",
  good: { type: "a" },
  rows: [{ on: "update", set: { type: "b" }, causes: ["type Invalid"] }],
});

for (
  const [kind, resource, namespaced, good] of [
    ["policy/v1/PodDisruptionBudget", "poddisruptionbudgets", true, { spec: {} }],
    ["lifecycle.k8s.io/v1alpha1/EvictionRequest", "evictionrequests", true, {
      spec: {
        target: { pod: { name: "p", uid: "11111111-2222-3333-4444-555555555555" } },
        requester: "x.io/r",
        intent: "Eviction",
      },
    }],
    ["scheduling.k8s.io/v1alpha3/PodGroup", "podgroups", true, { spec: { schedulingPolicy: { basic: {} } } }],
    ["storagemigration.k8s.io/v1beta1/StorageVersionMigration", "storageversionmigrations", false, {
      spec: { resource: { group: "", resource: "pods" } },
    }],
    ["admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy", "validatingadmissionpolicies", false, {
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], operations: ["CREATE"] }],
        },
        validations: [{ expression: "true" }],
      },
    }],
    ["resource.k8s.io/v1/DeviceTaintRule", "devicetaintrules", false, {
      spec: { taint: { key: "a.b/c", effect: "NoExecute" } },
    }],
  ] as const
) table({ kind, resource, namespaced, good, rows: [repeated] });

table({
  kind: "scheduling.k8s.io/v1beta1/PodGroup",
  resource: "podgroups",
  good: { spec: { schedulingPolicy: { basic: {} } } },
  rows: [{
    gates: ["CompositePodGroup"],
    set: { "spec.parentCompositePodGroupName": "p" },
    causes: ["spec.workloadRef Required"],
  }],
});

for (const kind of ["RoleBinding", "ClusterRoleBinding"]) {
  table({
    kind: `rbac.authorization.k8s.io/v1/${kind}`,
    resource: `${kind.toLowerCase()}s`,
    namespaced: kind === "RoleBinding",
    good: { roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "a" } },
    rows: [{ on: "update", set: { "roleRef.name": "b" }, causes: ["roleRef Invalid"] }],
  });
}

table({
  kind: "storage.k8s.io/v1/CSIDriver",
  resource: "csidrivers",
  namespaced: false,
  good: { spec: { volumeLifecycleModes: ["Persistent"] } },
  rows: [{
    on: "update",
    set: { "spec.volumeLifecycleModes": ["Ephemeral"] },
    causes: ["spec.volumeLifecycleModes Invalid"],
  }],
});

table({
  kind: "batch/v1/Job",
  resource: "jobs",
  good: {
    spec: {
      completionMode: "Indexed",
      completions: 1,
      template: { spec: { ...template.spec, restartPolicy: "Never" } },
    },
  },
  rows: [{ set: { "spec.maxFailedIndexes": 1 }, causes: ["spec.backoffLimitPerIndex Required"] }],
});

const device = (more: object) => ({ name: "d", ...more });
const mapped = (mapping: object) =>
  device({ capacity: { c: { value: "1" } }, nodeAllocatableResources: { cpu: { mapping } } });
const AT = "spec.devices[0].nodeAllocatableResources[cpu].mapping";

table({
  kind: "resource.k8s.io/v1/ResourceSlice",
  resource: "resourceslices",
  namespaced: false,
  good: {
    spec: { driver: "d.io", nodeName: "n", pool: { name: "p", generation: 1, resourceSliceCount: 1 }, devices: [] },
  },
  rows: [
    {
      gates: ["DRAListTypeAttributes"],
      set: { "spec.devices": [device({ attributes: { a: { strings: ["x".repeat(65)] } } }) as never] },
      causes: ["spec.devices[0].attributes[a].strings[0] TooLong"],
    },
    {
      gates: ["DRANodeAllocatableResources"],
      set: { "spec.devices": [mapped({ capacityKey: "c" }) as never] },
      causes: [`${AT}.capacityMultiplier Required`],
    },
    {
      gates: ["DRANodeAllocatableResources"],
      set: { "spec.devices": [mapped({ capacityMultiplier: "2" }) as never] },
      causes: [`${AT} Invalid`, `${AT}.capacityKey Required`],
    },
    {
      gates: ["DRANodeAllocatableResources"],
      set: { "spec.devices": [device({ nodeAllocatableResources: { "ephemeral-storage": {} } }) as never] },
      causes: ["Invalid", "Required"].map((r) => `spec.devices[0].nodeAllocatableResources[ephemeral-storage] ${r}`),
    },
    {
      gates: ["DRAPartitionableDevicesType"],
      set: { "spec.partitionTypeAttribute": "a" },
      causes: new Array(2).fill("spec.partitionTypeAttribute Invalid"),
    },
  ],
});
