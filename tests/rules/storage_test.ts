import { table } from "./_table.ts";

table({
  kind: "storage.k8s.io/v1/StorageClass",
  resource: "storageclasses",
  namespaced: false,
  good: {
    provisioner: "Example.com/p",
    allowedTopologies: [{ matchLabelExpressions: [{ key: "k", values: ["a", "b"] }] }],
  },
  rows: [
    { set: { provisioner: "" }, causes: ["provisioner Required"] },
    { set: { provisioner: "a b" }, causes: ["provisioner Invalid"] },
    { set: { parameters: { "": "a" } }, causes: ["parameters Invalid"] },
    { set: { parameters: { a: "x".repeat(256 * 1024) } }, causes: ["parameters TooLong"] },
    { set: { reclaimPolicy: "Recycle" }, causes: ["reclaimPolicy NotSupported"] },
    {
      set: { "allowedTopologies.1": { matchLabelExpressions: [{ key: "k", values: ["b", "a"] }] } },
      causes: ["allowedTopologies[1].matchLabelExpressions Duplicate"],
    },
    {
      set: { "allowedTopologies.1": {} },
      causes: new Array(2).fill("allowedTopologies[1].matchLabelExpressions Duplicate"),
    },
    {
      set: { "allowedTopologies.0.matchLabelExpressions.1": { key: "k", values: ["c", "c"] } },
      causes: [
        "allowedTopologies[0].matchLabelExpressions[1].key Duplicate",
        "allowedTopologies[0].matchLabelExpressions[1].values[1] Duplicate",
      ],
    },
    { on: "update", set: { parameters: { a: "b" } }, causes: ["parameters Invalid"] },
    { on: "update", set: { allowVolumeExpansion: true }, causes: [] },
  ],
});

table({
  kind: "storage.k8s.io/v1/VolumeAttributesClass",
  resource: "volumeattributesclasses",
  namespaced: false,
  good: { driverName: "d", parameters: { a: "b" } },
  rows: [
    { set: { parameters: {} }, causes: ["parameters Required"] },
    { set: { driverName: "a b" }, causes: ["driverName Invalid"] },
    {
      on: "update",
      set: { driverName: "e", "parameters.a": "c" },
      causes: ["driverName Forbidden", "parameters Forbidden"],
    },
  ],
});

table({
  kind: "storage.k8s.io/v1/CSIDriver",
  resource: "csidrivers",
  namespaced: false,
  good: { spec: { tokenRequests: [{ audience: "a", expirationSeconds: 600 }] } },
  rows: [
    { set: { "spec.fsGroupPolicy": "x" }, causes: ["spec.fsGroupPolicy NotSupported"] },
    { set: { "spec.volumeLifecycleModes": ["x"] }, causes: ["spec.volumeLifecycleModes NotSupported"] },
    { set: { "spec.tokenRequests.1": { audience: "a" } }, causes: ["spec.tokenRequests[1].audience Duplicate"] },
    {
      set: { "spec.tokenRequests.0.expirationSeconds": 599 },
      causes: ["spec.tokenRequests[0].expirationSeconds Invalid"],
    },
    {
      set: { "spec.nodeAllocatableUpdatePeriodSeconds": 9 },
      causes: ["spec.nodeAllocatableUpdatePeriodSeconds Invalid"],
    },
    {
      set: { "spec.tokenRequests": [], "spec.serviceAccountTokenInSecrets": true },
      causes: ["spec.serviceAccountTokenInSecrets Invalid"],
    },
    { on: "update", set: { "spec.attachRequired": false }, causes: ["spec.attachedRequired Invalid"] },
    {
      on: "update",
      set: { "spec.volumeLifecycleModes": ["Ephemeral"] },
      causes: ["spec.volumeLifecycleModes Invalid"],
    },
  ],
});

table({
  kind: "storage.k8s.io/v1/CSINode",
  resource: "csinodes",
  namespaced: false,
  good: { spec: { drivers: [{ name: "d", nodeID: "n", topologyKeys: ["z"], allocatable: { count: 1 } }] } },
  rows: [
    { set: { "spec.drivers.1": { name: "d", nodeID: "n" } }, causes: ["spec.drivers[1].name Duplicate"] },
    { set: { "spec.drivers.0.nodeID": "x".repeat(257) }, causes: ["spec.drivers[0].nodeID Invalid"] },
    { set: { "spec.drivers.0.topologyKeys": ["z", "z"] }, causes: ["spec.drivers[0] Duplicate"] },
    { set: { "spec.drivers.0.allocatable.count": -1 }, causes: ["spec.drivers[0].allocatable.count Invalid"] },
    { on: "update", set: { "spec.drivers.0.allocatable.count": 2 }, causes: [] },
    { on: "update", set: { "spec.drivers.0.nodeID": "m" }, causes: ["spec.drivers Invalid"] },
    { on: "update", set: { "spec.drivers.0": { name: "e", nodeID: "m" } }, causes: [] },
  ],
});

table({
  kind: "storage.k8s.io/v1/CSIStorageCapacity",
  resource: "csistoragecapacities",
  good: { storageClassName: "c", nodeTopology: { matchLabels: { a: "b" } }, capacity: "1Gi" },
  rows: [
    { set: { storageClassName: "Bad!" }, causes: ["storageClassName Invalid"] },
    { set: { capacity: "-1" }, causes: ["capacity Invalid"] },
    { set: { "nodeTopology.matchLabels.a": "b c" }, causes: ["nodeTopology.matchLabels Invalid"] },
    { on: "update", set: { capacity: "2Gi" }, causes: [] },
    {
      on: "update",
      set: { storageClassName: "d", "nodeTopology.matchLabels.a": "c" },
      causes: ["nodeTopology Invalid", "storageClassName Invalid"],
    },
  ],
});

table({
  kind: "storage.k8s.io/v1/VolumeAttachment",
  resource: "volumeattachments",
  namespaced: false,
  good: { spec: { attacher: "d", nodeName: "n", source: { persistentVolumeName: "v" } } },
  rows: [
    { set: { "spec.source": {} }, causes: ["spec.source Required"] },
    { set: { "spec.source.persistentVolumeName": "Bad!" }, causes: ["spec.source.persistentVolumeName Invalid"] },
    {
      set: {
        "spec.source.inlineVolumeSpec": { csi: { driver: "d", volumeHandle: "h" }, accessModes: ["ReadWriteOnce"] },
      },
      causes: ["spec.source Forbidden"],
    },
    {
      set: {
        "spec.source.inlineVolumeSpec": { csi: { driver: "d", volumeHandle: "h" }, accessModes: ["ReadWriteOnce"] },
        "spec.source.persistentVolumeName": "Bad!",
        "spec.nodeName": "A!",
      },
      causes: ["spec.source Forbidden", "spec.nodeName Invalid", "spec.source.persistentVolumeName Invalid"],
    },
    {
      set: {
        "spec.source": {
          inlineVolumeSpec: { csi: { driver: "d", volumeHandle: "h" }, accessModes: ["ReadWriteOnce"] },
        },
      },
      causes: [],
    },
    { set: { "spec.nodeName": "" }, causes: ["spec.nodeName Invalid"] },
    { on: "update", set: { "spec.nodeName": "m" }, causes: ["spec Invalid"] },
    { on: "update", set: { "spec.attacher": "Bad!" }, causes: ["spec Invalid", "spec.attacher Invalid"] },
    {
      on: "status",
      set: { "status.attachError": { message: "x".repeat(1025), errorCode: -1 } },
      causes: ["status.attachError.errorCode Invalid", "status.attachError.message TooLong"],
    },
  ],
});
