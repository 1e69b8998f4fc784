/** Plugins that fill in or check claims, volumes, ingresses, services, nodes, events and groups. */
import { obj, table } from "./_cases.ts";

const DEFAULT_STORAGE = { "storageclass.kubernetes.io/is-default-class": "true" };
const storage = (name: string, rest = {}) =>
  obj("storage.k8s.io/v1", "StorageClass", name, { provisioner: "p.io/x", ...rest });
const claim = (rest = {}, metadata = {}) =>
  obj("v1", "PersistentVolumeClaim", "c", {
    metadata,
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...rest },
  });

table("DefaultStorageClass", true, {
  "a claim that names none, without a default": { post: claim(), shows: { "spec.storageClassName": undefined } },
  "the default class": {
    flags: ["--v=1"],
    given: [storage("usual", { metadata: { annotations: DEFAULT_STORAGE } })],
    post: claim(),
    shows: { "spec.storageClassName": "usual" },
  },
  "no class by name is a choice": {
    flags: ["--v=1"],
    post: claim({ storageClassName: "" }),
    shows: { "spec.storageClassName": "" },
  },
  "the old annotation is a choice": {
    flags: ["--v=1"],
    post: claim({}, { annotations: { "volume.beta.kubernetes.io/storage-class": "mine" } }),
    shows: { "spec.storageClassName": undefined },
  },
  "a dry run shows it": { flags: ["--v=1"], post: claim(), dry: true, shows: { "spec.storageClassName": "usual" } },
  "of two defaults that are equally old the first by name": {
    flags: ["--v=2"],
    given: ["b", "a"].map((n) => storage(n, { metadata: { annotations: DEFAULT_STORAGE } })),
    post: claim(),
    shows: { "spec.storageClassName": "a" },
  },
  "off: none": {
    off: true,
    given: [storage("usual", { metadata: { annotations: DEFAULT_STORAGE } })],
    post: claim(),
    shows: { "spec.storageClassName": undefined },
  },
});

table("StorageObjectInUseProtection", true, {
  "claims": { post: claim(), shows: { "metadata.finalizers": ["kubernetes.io/pvc-protection"] } },
  "volumes": {
    post: obj("v1", "PersistentVolume", "v", {
      spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/x" } },
    }),
    shows: { "metadata.finalizers": ["kubernetes.io/pv-protection"] },
  },
  "attribute classes": {
    post: obj("storage.k8s.io/v1", "VolumeAttributesClass", "v", { driverName: "d.io", parameters: { a: "b" } }),
    shows: { "metadata.finalizers": ["kubernetes.io/vac-protection"] },
  },
  "once, beside others, in a dry run": {
    post: claim({}, { finalizers: ["kubernetes.io/pvc-protection", "x.io/y"] }),
    dry: true,
    shows: { "metadata.finalizers": ["kubernetes.io/pvc-protection", "x.io/y"] },
  },
  "off: none": { off: true, post: claim(), shows: { "metadata.finalizers": undefined } },
});

const grow = (to: string) => ({
  method: "PATCH",
  path: "/api/v1/namespaces/{ns}/persistentvolumeclaims/c",
  type: "application/merge-patch+json",
  body: { spec: { resources: { requests: { storage: to } } } },
});
const bound = (storageClassName: string) => ({
  ...claim({ storageClassName, volumeName: "v" }),
  status: { phase: "Bound", capacity: { storage: "1Gi" } },
});

table("PersistentVolumeClaimResize", true, {
  "a bound claim of a class that allows it": {
    given: [storage("grows", { allowVolumeExpansion: true }), bound("grows")],
    request: grow("2Gi"),
    shows: { "spec.resources.requests.storage": "2Gi" },
  },
  "a class that does not": {
    given: [storage("fixed"), bound("fixed")],
    request: grow("2Gi"),
    says: /only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support/,
  },
  "an absent class, in a dry run": {
    given: [bound("gone")],
    request: grow("2Gi"),
    dry: true,
    says: /must support resize/,
  },
  "the same size in other words": { given: [storage("fixed"), bound("fixed")], request: grow("1024Mi") },
  "off: the class is not asked": { off: true, given: [storage("fixed"), bound("fixed")], request: grow("2Gi") },
});

const ingress = (spec = {}, metadata = {}) =>
  obj("networking.k8s.io/v1", "Ingress", "i", {
    metadata,
    spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } }, ...spec },
  });
const ingressClass = obj("networking.k8s.io/v1", "IngressClass", "usual", {
  metadata: { annotations: { "ingressclass.kubernetes.io/is-default-class": "true" } },
  spec: { controller: "x.io/c" },
});

table("DefaultIngressClass", true, {
  "without a default": { post: ingress(), shows: { "spec.ingressClassName": undefined } },
  "the default class": {
    flags: ["--v=1"],
    given: [ingressClass],
    post: ingress(),
    shows: { "spec.ingressClassName": "usual" },
  },
  "a name is a choice": {
    flags: ["--v=1"],
    post: ingress({ ingressClassName: "mine" }),
    shows: { "spec.ingressClassName": "mine" },
  },
  "the old annotation is a choice": {
    flags: ["--v=1"],
    post: ingress({}, { annotations: { "kubernetes.io/ingress.class": "mine" } }),
    shows: { "spec.ingressClassName": undefined },
  },
  "a dry run shows it": { flags: ["--v=1"], post: ingress(), dry: true, shows: { "spec.ingressClassName": "usual" } },
  "off: none": { off: true, given: [ingressClass], post: ingress(), shows: { "spec.ingressClassName": undefined } },
});

const notReady = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };

table("TaintNodesByCondition", true, {
  "a new node": { post: obj("v1", "Node", "a"), shows: { "spec.taints": [notReady] } },
  "beside its own taints": {
    post: obj("v1", "Node", "b", { spec: { taints: [{ key: "k", effect: "NoExecute" }] } }),
    shows: { "spec.taints": [{ key: "k", effect: "NoExecute" }, notReady] },
  },
  "once": {
    post: obj("v1", "Node", "c", { spec: { taints: [notReady] } }),
    shows: { "spec.taints": [notReady] },
  },
  "a dry run shows it": { post: obj("v1", "Node", "d"), dry: true, shows: { "spec.taints": [notReady] } },
  "not on updates": {
    given: [obj("v1", "Node", "e")],
    request: {
      method: "PATCH",
      path: "/api/v1/nodes/e",
      type: "application/merge-patch+json",
      body: { spec: { taints: null } },
    },
    shows: { "spec.taints": undefined },
  },
  "off: none": { off: true, post: obj("v1", "Node", "a"), shows: { "spec.taints": undefined } },
});

const service = (spec = {}) => obj("v1", "Service", "s", { spec: { ports: [{ port: 80 }], ...spec } });
const external = service({ externalIPs: ["1.2.3.4"] });
const changeIps = (externalIPs: string[]) => ({
  method: "PATCH",
  path: "/api/v1/namespaces/{ns}/services/s",
  type: "application/merge-patch+json",
  body: { spec: { externalIPs } },
});

table("DenyServiceExternalIPs", false, {
  "a new service": { post: external, says: /Use of external IPs is denied by admission control\./ },
  "in a dry run": { post: external, dry: true, says: /Use of external IPs is denied/ },
  "an update that adds one": { given: [service()], request: changeIps(["1.2.3.4"]), says: /Use of external IPs/ },
  "an update that takes them away": { given: [service()], request: changeIps([]) },
  "a service without": { post: service() },
  "off: as you like": { off: true, post: external },
});

const event = (name: string) =>
  obj("v1", "Event", name, {
    involvedObject: { kind: "Pod", name: "p", namespace: "{ns}" },
    source: { component: "c" },
  });
const limit = (type: string, rest = "") => `
- name: EventRateLimit
  configuration:
    apiVersion: eventratelimit.admission.k8s.io/v1alpha1
    kind: Configuration
    limits: [{type: ${type}, qps: 1, burst: 1${rest}}]
`;

table("EventRateLimit", false, {
  "one by namespace": { config: limit("Namespace"), post: event("a") },
  "another namespace has its own": { config: limit("Namespace"), post: event("a") },
  "one too many": {
    config: limit("Namespace", ", cacheSize: 9"),
    given: [event("a")],
    post: event("b"),
    status: 429,
    says: /^Too many requests: limit reached on type Namespace for key \{ns\}$/,
  },
  "the server's limit": {
    config: limit("Server"),
    given: [event("a")],
    post: event("b"),
    status: 429,
    says: /limit reached on type Server for key /,
  },
  "the user's": {
    config: limit("User"),
    given: [event("a")],
    post: event("b"),
    status: 429,
    says: /limit reached on type User for key admin/,
  },
  "source and object": {
    config: limit("SourceAndObject"),
    given: [event("a")],
    post: event("b"),
    status: 429,
    says: /limit reached on type SourceAndObject for key cPod/,
  },
  "a dry run costs nothing": {
    config: limit("Namespace", ", cacheSize: 8"),
    given: [event("a")],
    post: event("b"),
    dry: true,
  },
  "off: as many as come": { off: true, given: [event("a")], post: event("b") },
});

const group = (name: string, rest = {}) =>
  obj("scheduling.k8s.io/v1beta1", "PodGroup", name, {
    spec: { schedulingPolicy: { basic: {} } },
    ...rest,
  });
const GROUPS = ["--feature-gates=GenericWorkload=true", "--runtime-config=scheduling.k8s.io/v1beta1=true"];
const remove = { method: "DELETE", path: "/apis/scheduling.k8s.io/v1beta1/namespaces/{ns}/podgroups/g" };
const member = (name: string) =>
  obj("v1", "Pod", "p", {
    spec: { containers: [{ name: "c", image: "i" }], schedulingGroup: { podGroupName: name } },
  });

table("PodGroupProtection", true, {
  "a new group": {
    flags: GROUPS,
    post: group("g"),
    shows: { "metadata.finalizers": ["scheduling.k8s.io/podgroup-protection"] },
  },
  "a dry run shows it": {
    flags: GROUPS,
    post: group("g"),
    dry: true,
    shows: { "metadata.finalizers": ["scheduling.k8s.io/podgroup-protection"] },
  },
  "a deleted group waits": {
    flags: GROUPS,
    given: [group("g")],
    request: remove,
    after: {
      "/apis/scheduling.k8s.io/v1beta1/namespaces/{ns}/podgroups/g": { "metadata.deletionGracePeriodSeconds": 0 },
    },
  },
  "a pod of a group": { flags: GROUPS, given: [group("g")], post: member("g") },
  "a pod of no group": { flags: GROUPS, post: member("none") },
  "off: no finalizer": { flags: GROUPS, off: true, post: group("g"), shows: { "metadata.finalizers": undefined } },
});
