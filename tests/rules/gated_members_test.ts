/** Members whose gates can be off: dropped then, unless what is stored has them. */
import assert from "node:assert/strict";
import type { Json, Obj } from "../../schema/model/types.ts";
import type { Loose } from "../fixture/loose.ts";
import { Bench } from "./_table.ts";

const labels = { a: "b" };
const container = { name: "c", image: "i" };
const pod = (spec: object) => ({ metadata: { labels }, spec: { containers: [container], ...spec } });
const spread = {
  maxSkew: 1,
  topologyKey: "k",
  whenUnsatisfiable: "DoNotSchedule",
  labelSelector: { matchLabels: labels },
};
const template = pod({});
const deployment = (status: object) => ({ spec: { selector: { matchLabels: labels }, template }, status });
const attachment = (status: object) => ({
  spec: { attacher: "x.io", nodeName: "n", source: { persistentVolumeName: "v" } },
  status: { attached: false, ...status },
});
const node = (count: number) => ({
  spec: { drivers: [{ name: "x.io", nodeID: "n", topologyKeys: null, allocatable: { count } }] },
});

const claim = (exactly: Loose) => ({
  spec: {
    devices: {
      requests: [{ name: "r", exactly: { deviceClassName: "d", ...exactly } }],
      constraints: [{ matchAttribute: "x.io/numa" }],
    },
  },
});
const slice = (consumption: Loose) => ({
  spec: {
    driver: "x.io",
    nodeName: "n",
    pool: { name: "p", generation: 1, resourceSliceCount: 1 },
    devices: [{
      name: "d",
      consumesCounters: [{ counterSet: "s", counters: { c: { value: "1" } }, ...consumption }],
    }],
  },
});

/** What holds a member, how it is read from an object, and what is left of it with the gate off. */
interface Row {
  readonly gate: string;
  readonly kind: string;
  readonly resource: string;
  readonly namespaced?: boolean;
  readonly with: Loose;
  readonly read: (o: Loose) => Json | undefined;
  readonly left?: Json;
  /** Gates that must be put on for it to be kept. */
  readonly on?: readonly string[];
  /** Where it is written. Default: the object itself, when it is made. */
  readonly door?: "status";
}
const POD = { kind: "/v1/Pod", resource: "pods" };
const DRIVER = { kind: "storage.k8s.io/v1/CSIDriver", resource: "csidrivers", namespaced: false };
const ROWS: readonly Row[] = [
  { ...POD, gate: "UserNamespacesSupport", with: pod({ hostUsers: false }), read: (o) => o.spec.hostUsers },
  {
    ...POD,
    gate: "SupplementalGroupsPolicy",
    with: pod({ securityContext: { supplementalGroupsPolicy: "Strict" } }),
    read: (o) => o.spec.securityContext.supplementalGroupsPolicy,
  },
  {
    ...POD,
    gate: "SELinuxChangePolicy",
    with: pod({ securityContext: { seLinuxChangePolicy: "Recursive" } }),
    read: (o) => o.spec.securityContext.seLinuxChangePolicy,
  },
  {
    ...POD,
    gate: "MatchLabelKeysInPodTopologySpread",
    with: pod({ topologySpreadConstraints: [{ ...spread, matchLabelKeys: ["x"] }] }),
    read: (o) => o.spec.topologySpreadConstraints[0].matchLabelKeys,
  },
  {
    ...POD,
    gate: "ImageVolume",
    with: pod({
      volumes: [{ name: "v", image: { reference: "r", pullPolicy: "Always" } }, { name: "w", emptyDir: {} }],
      containers: [{ ...container, volumeMounts: [{ name: "v", mountPath: "/v" }, { name: "w", mountPath: "/w" }] }],
    }),
    read: (o) => [...o.spec.volumes, ...o.spec.containers[0].volumeMounts].map((x: Loose) => x.name),
    left: ["w", "w"],
  },
  {
    ...POD,
    gate: "ProcMountType",
    with: pod({ hostUsers: false, containers: [{ ...container, securityContext: { procMount: "Unmasked" } }] }),
    read: (o) => o.spec.containers[0].securityContext.procMount,
    left: "Default",
  },
  {
    kind: "batch/v1/Job",
    resource: "jobs",
    gate: "JobManagedBy",
    with: { spec: { managedBy: "x.io/y", template: pod({ restartPolicy: "Never" }) } },
    read: (o) => o.spec.managedBy,
  },
  {
    ...DRIVER,
    gate: "MutableCSINodeAllocatableCount",
    with: { spec: { nodeAllocatableUpdatePeriodSeconds: 60 } },
    read: (o) => o.spec.nodeAllocatableUpdatePeriodSeconds,
  },
  {
    ...DRIVER,
    gate: "SELinuxMountReadWriteOncePod",
    with: { spec: { seLinuxMount: true } },
    read: (o) => o.spec.seLinuxMount,
  },
  {
    kind: "resource.k8s.io/v1/ResourceClaim",
    resource: "resourceclaims",
    gate: "DRADerivedAttributes",
    on: ["DRADerivedAttributes"],
    with: claim({ derivedAttributes: [{ name: "x.io/numa", expression: "1" }] }),
    read: (o) => o.spec.devices.requests[0].exactly.derivedAttributes?.[0].name,
  },
  {
    kind: "resource.k8s.io/v1/ResourceSlice",
    resource: "resourceslices",
    namespaced: false,
    gate: "DRADeviceCompatibilityGroups",
    on: ["DRADeviceCompatibilityGroups", "DRAPartitionableDevices"],
    with: slice({ compatibilityGroups: ["a"] }),
    read: (o) => o.spec.devices[0].consumesCounters[0].compatibilityGroups,
  },
  {
    kind: "apps/v1/Deployment",
    resource: "deployments",
    door: "status",
    gate: "DeploymentReplicaSetTerminatingReplicas",
    with: deployment({ terminatingReplicas: 1 }),
    read: (o) => o.status.terminatingReplicas,
  },
  {
    kind: "apps/v1/ReplicaSet",
    resource: "replicasets",
    door: "status",
    gate: "DeploymentReplicaSetTerminatingReplicas",
    with: deployment({ replicas: 1, terminatingReplicas: 1 }),
    read: (o) => o.status.terminatingReplicas,
  },
  {
    kind: "storage.k8s.io/v1/VolumeAttachment",
    resource: "volumeattachments",
    namespaced: false,
    door: "status",
    gate: "MutableCSINodeAllocatableCount",
    with: attachment({ attachError: { message: "m", errorCode: 8 } }),
    read: (o) => o.status.attachError.errorCode,
  },
];
for (const row of ROWS) {
  Deno.test(`${row.resource}: ${row.gate} off`, () => {
    const { kind, resource, namespaced = true, on = [] } = row;
    const bench = new Bench({ kind, resource, namespaced, good: {}, rows: [] });
    const made = (gates: readonly string[]): Obj => {
      const { object } = bench.create(row.with, gates);
      return row.door ? bench.update(object, row.with, row.door, gates).object : object;
    };
    const kept = row.read(made(on)), off = [...on.filter((g) => g !== row.gate), `-${row.gate}`];
    assert.notDeepEqual(kept, row.left);
    assert.deepEqual(row.read(made(off)), row.left);
    assert.deepEqual(
      row.read(bench.update(made(on), row.with, row.door ?? "", off).object),
      kept,
      "what was there stays",
    );
  });
}

Deno.test("csinodes: what a node can hold is fixed without its gate", () => {
  const bench = new Bench({
    kind: "storage.k8s.io/v1/CSINode",
    resource: "csinodes",
    namespaced: false,
    good: {},
    rows: [],
  });
  const { object } = bench.create(node(1));
  assert.deepEqual(bench.update(object, node(2)).causes, []);
  assert.deepEqual(bench.update(object, node(2), "", ["-MutableCSINodeAllocatableCount"]).causes, [
    "spec.drivers Invalid",
  ]);
});

Deno.test("servicecidrs: the status may be written with the rest without its gate", () => {
  const bench = new Bench({
    kind: "networking.k8s.io/v1/ServiceCIDR",
    resource: "servicecidrs",
    namespaced: false,
    good: {},
    rows: [],
  });
  const told = {
    conditions: [{
      type: "Ready",
      status: "True",
      reason: "r",
      message: "",
      lastTransitionTime: "2026-01-01T00:00:00Z",
    }],
  };
  const tree = { spec: { cidrs: ["10.1.0.0/16"] }, status: told };
  assert.deepEqual(bench.create(tree).object["status"], {});
  assert.deepEqual(bench.create(tree, ["-ServiceCIDRStatusFieldWiping"]).object["status"], told);
});

Deno.test("pods: empty resources of the whole pod are none with the gate", () => {
  const bench = new Bench({ ...POD, good: {}, rows: [] });
  const tree = pod({ resources: {}, containers: [{ ...container, resources: { requests: { cpu: "1" } } }] });
  const classOf = (gates: readonly string[]) =>
    bench.create(tree, ["PodLevelResources", ...gates]).object["status"].qosClass;
  assert.equal(classOf([]), "BestEffort");
  assert.equal(classOf(["PodLevelResourcesFixKubeletQOSClass"]), "Burstable");
});
