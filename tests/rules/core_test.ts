import assert from "node:assert/strict";
import { Bench, table } from "./_table.ts";

table({
  kind: "/v1/ConfigMap",
  resource: "configmaps",
  good: { data: { a: "b" } },
  rows: [
    { set: { "metadata.labels": { "a b": "c" } }, causes: ["metadata.labels Invalid"] },
    { set: { "metadata.generateName": "A_" }, causes: ["metadata.generateName Invalid"] },
    { set: { data: { "a/b": "c" } }, causes: ["data[a/b] Invalid"] },
    { set: { binaryData: { a: "Yg==" } }, causes: ["data[a] Invalid"] },
    { set: { data: { constructor: "c", toString: "d" } }, causes: [] },
    { set: { data: { a: "x".repeat(2 ** 20 + 1) } }, causes: ["[] TooLong"] },
    { on: "update", set: { "data.a": "c" }, causes: [] },
    { on: "update", from: { immutable: true }, set: { "data.a": "c" }, causes: ["data Forbidden"] },
    { on: "update", from: { immutable: true }, set: { immutable: false }, causes: ["immutable Forbidden"] },
  ],
});

table({
  kind: "/v1/Secret",
  resource: "secrets",
  good: { data: { a: "Yg==" } },
  rows: [
    { set: { data: { "a b": "" } }, causes: ["data[a b] Invalid"] },
    { set: { type: "kubernetes.io/tls" }, causes: ["data[tls.crt] Required", "data[tls.key] Required"] },
    { set: { type: "kubernetes.io/ssh-auth" }, causes: ["data[ssh-privatekey] Required"] },
    { set: { type: "kubernetes.io/dockerconfigjson" }, causes: ["data[.dockerconfigjson] Required"] },
    {
      // A byte order mark before the object.
      set: { type: "kubernetes.io/dockerconfigjson", data: { ".dockerconfigjson": "77u/e30=" } },
      causes: ["data[.dockerconfigjson] Invalid"],
    },
    { on: "update", set: { type: "x" }, causes: ["type Invalid"] },
    { on: "update", set: { stringData: { c: "d" } }, causes: [] },
  ],
});

const subset = { addresses: [{ ip: "10.0.0.1" }], ports: [{ port: 80 }] };
table({
  kind: "/v1/Endpoints",
  resource: "endpoints",
  good: { subsets: [subset] },
  rows: [
    { set: { "subsets.0.addresses": [] }, causes: ["subsets[0] Required"] },
    { set: { "subsets.0.addresses.0.ip": "127.0.0.1" }, causes: ["subsets[0].addresses[0].ip Invalid"] },
    { set: { "subsets.0.addresses.0.ip": "fe80::1" }, causes: ["subsets[0].addresses[0].ip Invalid"] },
    { set: { "subsets.0.ports.0.protocol": "x" }, causes: ["subsets[0].ports[0].protocol NotSupported"] },
    {
      set: { "subsets.0.ports.1": { port: 81 } },
      causes: ["subsets[0].ports[0].name Required", "subsets[0].ports[1].name Required"],
    },
  ],
});

table({
  kind: "/v1/LimitRange",
  resource: "limitranges",
  good: { spec: { limits: [{ type: "Container", max: { cpu: "2" }, min: { cpu: "1" } }] } },
  rows: [
    {
      set: { "spec.limits.0.min.cpu": "3" },
      causes: [
        "spec.limits[0].default[cpu] Invalid",
        "spec.limits[0].defaultRequest[cpu] Invalid",
        "spec.limits[0].min[cpu] Invalid",
      ],
    },
    { set: { "spec.limits.0.type": "a b" }, causes: ["spec.limits[0].type Invalid"] },
    {
      set: { "spec.limits.0.maxLimitRequestRatio": { constructor: "3" } },
      causes: [
        "spec.limits[0].maxLimitRequestRatio[constructor] Invalid",
        "spec.limits[0].maxLimitRequestRatio[constructor] Invalid",
      ],
    },
    {
      set: {
        "spec.limits.0.max.cpu": "9m",
        "spec.limits.0.min.cpu": "3m",
        "spec.limits.0.maxLimitRequestRatio": { cpu: "3" },
      },
      causes: [],
    },
    {
      set: { "spec.limits.0.maxLimitRequestRatio": { cpu: "2001m" } },
      causes: ["spec.limits[0].maxLimitRequestRatio[cpu] Invalid"],
    },
    { set: { "spec.limits.1": { type: "Container" } }, causes: ["spec.limits[1].type Duplicate"] },
  ],
});

table({
  kind: "/v1/ResourceQuota",
  resource: "resourcequotas",
  good: { spec: { hard: { pods: "1" } } },
  rows: [
    { set: { "spec.hard.pods": "-1" }, causes: ["spec.hard[pods] Invalid"] },
    { set: { "spec.hard.pods": "500m" }, causes: ["spec.hard[pods] Invalid"] },
    { set: { "spec.scopes": ["x"] }, causes: ["spec.scopes Invalid"] },
    { on: "update", set: { "spec.scopes": ["Terminating"] }, causes: ["spec.scopes Invalid"] },
    { on: "status", set: { "status.used": { pods: "-1" } }, causes: ["status.used[pods] Invalid"] },
  ],
});

table({
  kind: "/v1/Namespace",
  resource: "namespaces",
  namespaced: false,
  good: {},
  rows: [
    { set: { "metadata.name": "a.b" }, causes: ["metadata.name Invalid"] },
    {
      set: { "metadata.namespace": "a", "metadata.annotations": { "a b": "c" } },
      causes: ["metadata.annotations Invalid", "metadata.namespace Forbidden"],
    },
    { on: "finalize", set: { "spec.finalizers": ["x"] }, causes: ["spec.finalizers[0] Invalid"] },
    { on: "status", set: { "status.phase": "Terminating" }, causes: ["status.Phase Invalid"] },
  ],
});

table({
  kind: "/v1/Node",
  resource: "nodes",
  namespaced: false,
  good: { spec: { podCIDRs: ["10.0.0.0/24"], providerID: "p" } },
  rows: [
    {
      set: { "spec.taints": [{ key: "", effect: "NoSchedule" }] },
      causes: ["metadata.taints[0].key Invalid", "metadata.taints[0].key Invalid"],
    },
    { set: { "spec.taints": [{ key: "a", effect: "x" }] }, causes: ["metadata.taints[0].effect NotSupported"] },
    { set: { "spec.podCIDRs": ["10.0.0.0/24", "10.0.1.0/24"] }, causes: ["spec.podCIDRs Invalid"] },
    {
      set: { "spec.podCIDRs": ["10.0.0.0/24", "10.0.0.0/24"] },
      causes: ["spec.podCIDRs Invalid"],
    },
    {
      set: { "spec.podCIDRs": ["10.0.0.0/24", "a"] },
      causes: ["spec.podCIDRs InternalError", "spec.podCIDRs Invalid", "spec.podCIDRs[1] Invalid"],
    },
    {
      set: { "spec.podCIDRs": ["10.0.0.0/24", "2001:db8::/64 "] },
      causes: ["spec.podCIDRs InternalError", "spec.podCIDRs Invalid", "spec.podCIDRs[1] Invalid"],
    },
    {
      set: { "metadata.annotations": { "scheduler.alpha.kubernetes.io/preferAvoidPods": '{"preferAvoidPods":[{}]}' } },
      causes: ["metadata.annotations.scheduler.alpha.kubernetes.io/preferAvoidPods[0].PodSignature Required"],
    },
    {
      set: { "metadata.annotations": { "scheduler.alpha.kubernetes.io/taints": "{}" } },
      causes: ["metadata.annotations Invalid"],
    },
    {
      gates: ["NodeDeclaredFeatures"],
      set: { "status.declaredFeatures": ["B", "A", "A", "c"] },
      causes: [
        "status.declaredFeatures[1] Invalid",
        "status.declaredFeatures[2] Duplicate",
        "status.declaredFeatures[3] Invalid",
      ],
    },
    { set: { "status.declaredFeatures": ["c"] }, causes: [] },
    { on: "update", set: { "spec.providerID": "q" }, causes: ["spec.providerID Forbidden"] },
    { on: "update", set: { "spec.unschedulable": true }, causes: [] },
    { on: "update", set: { "spec.podCIDRs": ["10.1.0.0/24"] }, causes: ["spec.podCIDRs Forbidden"] },
  ],
});

const volume = {
  accessModes: ["ReadWriteOnce"],
  capacity: { storage: "1Gi" },
  hostPath: { path: "/a" },
};
table({
  kind: "/v1/PersistentVolume",
  resource: "persistentvolumes",
  namespaced: false,
  good: { spec: volume },
  rows: [
    {
      set: { "metadata.annotations": { "volume.beta.kubernetes.io/mount-options": "x" } },
      causes: ["metadata.annotations.volume.beta.kubernetes.io/mount-options Forbidden"],
    },
    { set: { "spec.accessModes": [] }, causes: ["spec.accessModes Required"] },
    {
      set: { "spec.capacity": { cpu: "1" } },
      causes: ["spec.capacity NotSupported"],
    },
    { set: { "spec.capacity.storage": "9223372036854775808" }, causes: ["spec.capacity[storage] Invalid"] },
    { set: { "spec.hostPath": undefined }, causes: ["spec Required"] },
    { set: { "spec.nfs": { path: "/a", server: "s" } }, causes: ["spec.nfs Forbidden"] },
    { set: { "spec.volumeMode": "x" }, causes: ["spec.volumeMode NotSupported"] },
    { on: "update", set: { "spec.hostPath.path": "/b" }, causes: ["spec.persistentvolumesource Forbidden"] },
    { on: "update", set: { "spec.capacity.storage": "2Gi" }, causes: [] },
  ],
});

const claim = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
const CLASS = "metadata.annotations", CLASS_NOTE = "volume.beta.kubernetes.io/storage-class";
const WRONG = `${CLASS}.${CLASS_NOTE} Invalid`;

table({
  kind: "/v1/PersistentVolumeClaim",
  resource: "persistentvolumeclaims",
  good: { spec: claim },
  rows: [
    { set: { "spec.accessModes": ["x"] }, causes: ["spec.accessModes NotSupported"] },
    { set: { "spec.resources": {} }, causes: ["spec.resources[storage] Required"] },
    { set: { "spec.resources.requests.storage": "-1" }, causes: ["spec.resources[storage] Invalid"] },
    { set: { "spec.storageClassName": "A_b" }, causes: ["spec.storageClassName Invalid"] },
    { on: "update", set: { "spec.volumeName": "v" }, causes: [] },
    { on: "update", from: { "spec.volumeName": "v" }, set: { "spec.volumeName": "w" }, causes: ["spec Forbidden"] },
    {
      on: "update",
      from: { [CLASS]: { [CLASS_NOTE]: "a" } },
      set: { [CLASS]: { [CLASS_NOTE]: "b" } },
      causes: [WRONG],
    },
    { on: "update", from: { [CLASS]: { [CLASS_NOTE]: "a" } }, set: { [CLASS]: {} }, causes: [WRONG] },
    // A class may move from the annotation to the field, and come late where there is none.
    {
      on: "update",
      from: { [CLASS]: { [CLASS_NOTE]: "a" } },
      set: { [CLASS]: {}, "spec.storageClassName": "a" },
      causes: [],
    },
    {
      on: "update",
      from: { [CLASS]: { [CLASS_NOTE]: "a" } },
      set: { [CLASS]: { [CLASS_NOTE]: "b" }, "spec.storageClassName": "a" },
      causes: [WRONG],
    },
    {
      on: "update",
      from: { [CLASS]: { [CLASS_NOTE]: "a" } },
      set: { [CLASS]: { [CLASS_NOTE]: "a" }, "spec.storageClassName": "b" },
      causes: ["spec Forbidden"],
    },
    { on: "update", set: { "spec.storageClassName": "a" }, causes: [] },
    {
      on: "update",
      from: { "spec.storageClassName": "a" },
      set: { "spec.storageClassName": "b" },
      causes: ["spec Forbidden"],
    },
    {
      on: "status",
      set: { "status.allocatedResources": { storage: "-1" } },
      causes: ["status.allocatedResources[storage] Invalid"],
    },
    { on: "status", set: { "status.capacity": { storage: "-1" } }, causes: ["status.capacity[storage] Invalid"] },
    {
      // Its name was in the singular when clients came to know the place.
      on: "status",
      set: { "status.allocatedResourceStatuses": { storage: "x", cpu: "NodeResizePending" } },
      causes: ["status.allocatedResourceStatuses NotSupported", "status.allocatedResourceStatuses NotSupported"],
    },
  ],
});

const service = {
  clusterIP: "10.0.0.1",
  clusterIPs: ["10.0.0.1"],
  ipFamilies: ["IPv4"],
  ipFamilyPolicy: "SingleStack",
  ports: [{ port: 80 }],
};
Deno.test("claims: a source in another namespace needs its feature, and stays one of that namespace", () => {
  const bench = new Bench({
    kind: "/v1/PersistentVolumeClaim",
    resource: "persistentvolumeclaims",
    good: {},
    rows: [],
  });
  const own = { apiGroup: null, kind: "PersistentVolumeClaim", name: "a" },
    odd = { apiGroup: "x.io", kind: "Thing", name: "a" };
  const foreign = { ...own, namespace: "other" }, FOREIGN = ["CrossNamespaceVolumeDataSource"];
  const sources = (spec: object, gates: string[] = [], old?: object) => {
    const tree = { spec: { ...claim, ...spec } };
    const { object } = old
      ? bench.update(bench.create({ spec: { ...claim, ...old } }, FOREIGN).object, tree, "", gates)
      : bench.create(tree, gates);
    return [object["spec"].dataSource, object["spec"].dataSourceRef];
  };
  assert.deepEqual(sources({ dataSourceRef: foreign }), [undefined, undefined]);
  assert.deepEqual(sources({ dataSourceRef: foreign }, FOREIGN), [undefined, foreign]);
  assert.deepEqual(sources({ dataSourceRef: foreign }, [], { dataSourceRef: foreign }), [undefined, foreign]);
  assert.deepEqual(sources({ dataSourceRef: own }), [own, own]);
  assert.deepEqual(sources({ dataSource: own }), [own, own]);
  assert.deepEqual(sources({ dataSource: odd }), [undefined, undefined]);
  assert.deepEqual(sources({ dataSource: odd, dataSourceRef: odd }), [odd, odd]);
});

table({
  kind: "/v1/Service",
  resource: "services",
  good: { spec: service },
  rows: [
    { set: { "spec.ports": [] }, causes: ["spec.ports Required"] },
    { set: { "spec.ports.0.port": 0 }, causes: ["spec.ports[0].port Invalid", "spec.ports[0].targetPort Invalid"] },
    { set: { "spec.ports.1": { port: 81 } }, causes: ["spec.ports[0].name Required", "spec.ports[1].name Required"] },
    { set: { "spec.sessionAffinity": "x" }, causes: ["spec.sessionAffinity NotSupported"] },
    { set: { "metadata.name": "1a", "spec.trafficDistribution": "PreferSameNode" }, causes: [] },
    { gates: ["-RelaxedServiceNameValidation"], set: { "metadata.name": "1a" }, causes: ["metadata.name Invalid"] },
    { gates: ["-RelaxedServiceNameValidation"], set: { "metadata.name": "A" }, causes: ["metadata.name Invalid"] },
    {
      gates: ["-RelaxedServiceNameValidation"],
      set: { "metadata.generateName": "12-", "metadata.name": "12-a" },
      causes: ["metadata.generateName Invalid", "metadata.name Invalid"],
    },
    {
      gates: ["-PreferSameTrafficDistribution"],
      set: { "spec.trafficDistribution": "PreferSameNode" },
      causes: ["spec.trafficDistribution NotSupported"],
    },
    { set: { "spec.selector": { "a b": "c" } }, causes: ["spec.selector Invalid"] },
    { set: { "spec.type": "x" }, causes: ["spec.type NotSupported"] },
    { set: { "spec.externalIPs": ["127.0.0.1"] }, causes: ["spec.externalIPs[0] Invalid"] },
    { set: { "spec.loadBalancerClass": "a" }, causes: ["spec.loadBalancerClass Forbidden"] },
    {
      on: "update",
      set: { "spec.clusterIP": "10.0.0.2", "spec.clusterIPs": ["10.0.0.2"] },
      causes: ["spec.clusterIPs[0] Invalid"],
    },
    { on: "update", set: { "spec.selector": { a: "b" } }, causes: [] },
  ],
});

const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };
table({
  kind: "/v1/PodTemplate",
  resource: "podtemplates",
  good: { template },
  rows: [
    { set: { "template.spec.containers": [] }, causes: ["template.spec.containers Required"] },
    { set: { "template.metadata.labels.a": "b c" }, causes: ["template.labels Invalid"] },
    {
      on: "update",
      set: { "template.spec.containers.0.image": "" },
      causes: ["template.spec.containers[0].image Required"],
    },
  ],
});

table({
  kind: "/v1/ReplicationController",
  resource: "replicationcontrollers",
  good: { spec: { selector: { a: "b" }, template } },
  rows: [
    { set: { "spec.replicas": -1 }, causes: ["spec.replicas Invalid"] },
    { set: { "spec.selector.a": "c" }, causes: ["spec.template.metadata.labels Invalid"] },
    { set: { "spec.template.spec.restartPolicy": "Never" }, causes: ["spec.template.spec.restartPolicy NotSupported"] },
    {
      on: "status",
      set: { "status.replicas": -1 },
      causes: ["", "available", "fullyLabeled", "ready"].map((m) =>
        `status.${m ? `${m}Replicas` : "replicas"} Invalid`
      ),
    },
  ],
});

table({
  kind: "/v1/ServiceAccount",
  resource: "serviceaccounts",
  good: {},
  rows: [
    { set: { "metadata.name": "A" }, causes: ["metadata.name Invalid"] },
    {
      set: { "metadata.finalizers": ["x"] },
      causes: ["metadata.finalizers[0] Invalid"],
    },
    {
      set: { "metadata.ownerReferences": [{ apiVersion: "v1", kind: "Event", name: "", uid: "u" }] },
      causes: ["metadata.ownerReferences Invalid", "metadata.ownerReferences.name Invalid"],
    },
  ],
});

table({
  kind: "/v1/Binding",
  resource: "bindings",
  good: { target: { kind: "Node", name: "n" } },
  rows: [
    { set: { "target.name": "" }, causes: ["target.name Required"] },
    { set: { "target.kind": "x" }, causes: ["target.kind NotSupported"] },
    { set: { "target.kind": "" }, causes: [] },
  ],
});

table({
  kind: "/v1/Event",
  resource: "events",
  good: { involvedObject: { namespace: "default", kind: "Pod", apiVersion: "v1" } },
  rows: [
    { set: { "involvedObject.namespace": "other" }, causes: ["involvedObject.namespace Invalid"] },
    {
      set: { eventTime: "2026-01-01T00:00:00.000000Z" },
      causes: [
        "action Required",
        "reason Required",
        "reportingComponent Invalid",
        "reportingComponent Invalid",
        "reportingComponent Required",
        "reportingInstance Required",
      ],
    },
    { on: "update", set: { count: 2 }, causes: [] },
  ],
});

Deno.test("core: generations rise with what rules name", () => {
  const bench = new Bench({
    kind: "/v1/ReplicationController",
    resource: "replicationcontrollers",
    good: {},
    rows: [],
  });
  const tree = { spec: { selector: { a: "b" }, template } }, old = bench.create(tree).object;
  assert.equal(old.metadata.generation, 1);
  assert.equal(bench.update(old, tree).object.metadata.generation, 1);
  const more = { spec: { ...tree.spec, replicas: 3 } };
  assert.equal(bench.update(old, more).object.metadata.generation, 2);
  assert.equal(bench.update(old, more, "status").object.metadata.generation, 1);
});

Deno.test("core: authors of quotas and services are warned", () => {
  const quota = new Bench({ kind: "/v1/ResourceQuota", resource: "resourcequotas", good: {}, rows: [] });
  const hard = { cpu: "2", "limits.cpu": "1", "requests.memory": "1Gi", "limits.memory": "1Gi" };
  assert.deepEqual(quota.ruled.rules.warnings!(quota.create({ spec: { hard } }).object, undefined, quota.context()), [
    "ResourceQuota cpu (2) should be less than limits.cpu (1)",
  ]);
  const bench = new Bench({ kind: "/v1/Service", resource: "services", good: {}, rows: [] });
  const made = bench.create({ spec: { ...service, externalIPs: ["010.0.0.2"], externalName: "x" } }).object;
  const found = bench.ruled.rules.warnings!(made, undefined, bench.context()).join("\n");
  assert.match(found, /^spec\.externalIPs\[0\]: .*\nspec\.externalIPs is deprecated.*\nspec\.externalName is ignored/);
});

Deno.test("core: a volume's phase takes its time with it", () => {
  const bench = new Bench({
    kind: "/v1/PersistentVolume",
    resource: "persistentvolumes",
    namespaced: false,
    good: { spec: volume },
    rows: [],
  });
  const old = bench.create({ spec: volume }).object;
  const of = (status: object) =>
    bench.update(structuredClone(old), { spec: volume, status }, "status").object["status"];
  assert.equal(of({ phase: "Bound" }).lastPhaseTransitionTime, old["status"].lastPhaseTransitionTime);
  assert.equal(of({ phase: "Pending" }).lastPhaseTransitionTime, old["status"].lastPhaseTransitionTime);
  assert.equal(
    of({ phase: "Bound", lastPhaseTransitionTime: "2020-01-01T00:00:00Z" }).lastPhaseTransitionTime,
    "2020-01-01T00:00:00Z",
  );
});
