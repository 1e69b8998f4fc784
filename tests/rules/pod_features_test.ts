/** Rules of pods, and of what is about them, that came with version 1.37. */
import assert from "node:assert/strict";
import type { Json, Obj } from "../../schema/model/types.ts";
import { Bench, type Row, table } from "./_table.ts";

const container = { name: "c", image: "i" };
const kind = {
  kind: "/v1/Pod",
  resource: "pods",
  good: { spec: { containers: [container], volumes: [{ name: "v", emptyDir: {} }] } },
};
const c = "spec.containers.0", at = "spec.containers[0]";
const mount = (bindMountOptions: string[], name = "v") => [{ name, mountPath: "/v", bindMountOptions }];
const BIND = ["VolumeBindMountOptions"], EVICTION = ["EvictionRequestAPI", "GenericWorkload"];
const HEALTH = ["CSIVolumeHealth"], RESOURCES = ["ResourceHealthStatus", "ResourceHealthStatusMessage"];
const responder = (name: string, priority: number) => [{ name, priority }];
const admin = { allowPrivilegeEscalation: false, capabilities: { add: ["CAP_SYS_ADMIN"] } };
const sick = { status: "Degraded", reason: "Slow" };
const status = (more: object) => ({ "status.containerStatuses": [{ name: "c", image: "i", imageID: "", ...more }] });
const told = (name: string, resources: object[] = []) => status({ allocatedResourcesStatus: [{ name, resources }] });
const device = (more: object = {}) => ({ resourceID: "d", health: "Healthy", ...more });
const asked = { [`${c}.resources`]: { requests: { "x.io/gpu": "1" }, limits: { "x.io/gpu": "1" } } };
const mapped = {
  "status.extendedResourceClaimStatus": {
    resourceClaimName: "made",
    requestMappings: [{ containerName: "c", resourceName: "x.io/gpu", requestName: "r" }],
  },
};

/** A pod whose init container has ended, or runs again. */
const began = (state: Json, more: NonNullable<Row["from"]> = {}): NonNullable<Row["from"]> => ({
  "spec.restartPolicy": "Never",
  "spec.initContainers": [{ ...container, name: "first" }],
  "status.initContainerStatuses": [{ name: "first", image: "i", imageID: "", state }],
  ...more,
});
const once = {
  restartPolicy: "Never",
  restartPolicyRules: [{ action: "RestartAllContainers", exitCodes: { operator: "In", values: [3] } }],
};
const anew = { "spec.containers": [{ ...container, ...once }] };
const ANEW = ["ContainerRestartRules", "RestartAllContainersOnContainerExits"];
const ended = { terminated: { exitCode: 0 } };

const limit = "spec.volumes.0.emptyDir.sizeLimit", memory = { medium: "Memory", sizeLimit: "1Gi" };
/** What a volume was, what is asked for, and what is told. */
const resizes: readonly [from: Json, set: Row["set"], ...causes: string[]][] = [
  [memory, { [limit]: "2Gi" }],
  [memory, { [limit]: "1024Mi" }],
  [memory, { [limit]: "0" }, "[0].emptyDir.sizeLimit Forbidden"],
  [{ medium: "Memory" }, { [limit]: "1Gi" }, "[0].emptyDir.sizeLimit Forbidden"],
  [{ sizeLimit: "1Gi" }, { [limit]: "2Gi" }, "[0].emptyDir.sizeLimit Forbidden"],
  [memory, { "spec.volumes.0.emptyDir.medium": "" }, "[0] Forbidden"],
  [memory, { "spec.volumes.0.name": "w" }, "[0].name Forbidden"],
  [memory, { "spec.volumes.1": { name: "w", emptyDir: {} } }, " Forbidden"],
];

const rows: readonly Row[] = [
  { gates: BIND, set: { [`${c}.volumeMounts`]: mount(["noexec", "nodev", "nosuid"]) }, causes: [] },
  { set: { [`${c}.volumeMounts`]: mount(["sync"]) }, causes: [] }, // dropped without the gate
  {
    gates: BIND,
    set: { [`${c}.volumeMounts`]: mount(["noexec", "sync", "noexec"]) },
    causes: [
      `${at}.volumeMounts[0].bindMountOptions[1] NotSupported`,
      `${at}.volumeMounts[0].bindMountOptions[2] Duplicate`,
    ],
  },
  {
    gates: BIND,
    set: {
      "spec.volumes": [{ name: "v", image: { reference: "r", pullPolicy: "Always" } }],
      [`${c}.volumeMounts`]: mount(["nodev"]),
    },
    causes: [`${at}.volumeMounts[0].bindMountOptions Invalid`],
  },
  { set: { [`${c}.securityContext`]: admin }, causes: [`${at}.securityContext Invalid`] },
  { on: "update", from: { [`${c}.securityContext`]: admin }, set: { [`${c}.image`]: "j" }, causes: [] },
  { set: { "spec.shareProcessNamespace": true, "spec.hostPID": true }, causes: ["spec.shareProcessNamespace Invalid"] },
  { gates: EVICTION, set: { "spec.evictionResponders": responder("acme.io/r", 1000) }, causes: [] },
  {
    gates: EVICTION,
    set: { "spec.evictionResponders": responder("a.K8s.io/r", 999) },
    causes: ["spec.evictionResponders[0].name Invalid", "spec.evictionResponders[0].priority Invalid"],
  },
  {
    gates: EVICTION,
    set: {
      "spec.evictionResponders": responder("acme.io/r", 1000),
      "spec.schedulingGroup": { podGroupName: "g" },
    },
    causes: ["spec.schedulingGroup Forbidden"],
  },
  ...resizes.map(([from, set, ...causes]): Row => ({
    on: "resize",
    gates: ["InPlacePodVerticalScalingMemoryBackedVolumes"],
    from: { "spec.volumes.0.emptyDir": from },
    set,
    causes: causes.map((cause) => `spec.volumes${cause}`),
  })),
  { on: "resize", set: { "spec.volumes.0.name": "w" }, causes: [] }, // left as it was without the gate
  { on: "status", set: status({ user: { linux: { uid: 4294967295, gid: 0 } } }), causes: [] },
  {
    on: "status",
    from: began(ended),
    set: began({ running: {} }),
    causes: ["status.initContainerStatuses[0].state Forbidden"],
  },
  { on: "status", gates: ANEW, from: began(ended, anew), set: began({ running: {} }, anew), causes: [] },
  {
    on: "status",
    set: status({ user: { linux: { uid: 4294967296, gid: 2147483648 } } }),
    causes: [
      "status.containerStatuses[0].user.linux.uid Invalid",
      "status.containerStatuses[0].user.linux.gid Invalid",
    ],
  },
  {
    on: "status",
    gates: HEALTH,
    set: { "status.volumeHealth": [{ name: "v", healthConditions: [sick] }] },
    causes: [],
  },
  {
    on: "status",
    gates: HEALTH,
    set: { "status.volumeHealth": [{ name: "w", healthConditions: [{ ...sick, reason: "too slow" }] }] },
    causes: [
      "status.volumeHealth[0].name NotFound",
      "status.volumeHealth[0].healthConditions[0].reason Invalid",
    ],
  },
  { on: "status", gates: RESOURCES, from: asked, set: { ...asked, ...told("x.io/gpu", [device()]) }, causes: [] },
  {
    on: "status",
    gates: RESOURCES,
    from: asked,
    set: { ...asked, ...told("x.io/gpu", [device({ message: "" })]) },
    causes: ["status.containerStatuses[0].allocatedResourcesStatus[0].resources[0].message Required"],
  },
  {
    on: "status",
    gates: RESOURCES,
    from: asked,
    set: { ...asked, ...told("x.io/gpu", [device({ message: "x".repeat(1025) })]) },
    causes: ["status.containerStatuses[0].allocatedResourcesStatus[0].resources[0].message TooLong"],
  },
  {
    on: "status",
    gates: RESOURCES,
    from: asked,
    set: { ...asked, ...told("claim:made/r") },
    causes: ["status.containerStatuses[0].allocatedResourcesStatus[0].name Invalid"],
  },
  {
    on: "status",
    gates: [...RESOURCES, "DRAExtendedResource"],
    from: asked,
    set: { ...asked, ...mapped, ...told("claim:made/r") },
    causes: [],
  },
];
table({ ...kind, rows });

table({
  kind: "/v1/PersistentVolumeClaim",
  resource: "persistentvolumeclaims",
  good: { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
  rows: [
    {
      on: "status",
      gates: HEALTH,
      set: { "status.healthStatus": { healthConditions: [{ ...sick, reason: "9" }] } },
      causes: ["status.healthStatus.healthConditions[0].reason Invalid"],
    },
  ],
});

const health = (more: object = {}) => ({
  name: "d.io",
  healthConditions: [{ status: "StorageDegraded", reason: "R", ...more }],
});

table({
  kind: "storage.k8s.io/v1/CSINode",
  resource: "csinodes",
  namespaced: false,
  good: { spec: { drivers: [] } },
  rows: [
    { on: "status", gates: HEALTH, set: { "status.storageHealth": [health()] }, causes: [] },
    { on: "status", set: { "status.storageHealth": [health({ status: "x" })] }, causes: [] }, // dropped without the gate
    {
      on: "status",
      gates: HEALTH,
      set: {
        "status.storageHealth": [health({ status: "x", reason: "", accessMode: "All" }), health({ reason: "a b" })],
      },
      causes: [
        "status.storageHealth[0].healthConditions[0].accessMode NotSupported",
        "status.storageHealth[0].healthConditions[0].reason Required",
        "status.storageHealth[0].healthConditions[0].status NotSupported",
        "status.storageHealth[1] Duplicate",
        "status.storageHealth[1].healthConditions[0].reason Invalid",
      ],
    },
  ],
});

const JOBS = ["WorkloadWithJob"];
const policyOf = (schedulingPolicy: Json, disruptionMode: Json = { single: {} }) => ({
  "spec.scheduling": { schedulingPolicy, disruptionMode },
});

table({
  kind: "batch/v1/Job",
  resource: "jobs",
  good: {
    spec: {
      manualSelector: true,
      selector: { matchLabels: { a: "b" } },
      template: { metadata: { labels: { a: "b" } }, spec: { restartPolicy: "Never", containers: [container] } },
    },
  },
  rows: [
    { gates: JOBS, set: { ...policyOf({ gang: { minCount: 2 } }), "spec.parallelism": 2 }, causes: [] },
    {
      gates: JOBS,
      set: policyOf({ gang: { minCount: 2 } }),
      causes: ["spec.scheduling.schedulingPolicy.gang.minCount Invalid"],
    },
    { gates: JOBS, set: policyOf({ gang: { minCount: 1 } }, { all: {} }), causes: [] },
    {
      gates: JOBS,
      set: policyOf({ basic: {} }, { all: {} }),
      causes: ["spec.scheduling.disruptionMode Invalid"],
    },
    {
      on: "update",
      gates: JOBS,
      from: policyOf({ gang: { minCount: 1 } }),
      set: policyOf({ basic: {} }),
      causes: ["spec.scheduling.schedulingPolicy Invalid"],
    },
  ],
});

Deno.test("probes and hooks of pods speak HTTP/1 unless they say otherwise", () => {
  const bench = new Bench({ ...kind, rows: [] });
  const httpGet = { port: 80 }, livenessProbe = { httpGet };
  const startupProbe = { httpGet: { ...httpGet, protocol: "HTTP2" } };
  const containers = [{ ...container, livenessProbe, startupProbe, lifecycle: { preStop: { httpGet } } }];
  const of = (gates: string[]) => bench.create({ spec: { containers } }, gates).object["spec"].containers[0];
  const found = of(["H2CContainerProbe"]);
  assert.equal(found.livenessProbe.httpGet.protocol, "HTTP1");
  assert.equal(found.lifecycle.preStop.httpGet.protocol, "HTTP1");
  assert.equal(found.startupProbe.httpGet.protocol, "HTTP2");
  assert.equal(of([]).livenessProbe.httpGet.protocol, undefined);
});

Deno.test("the old key of budgets that match nothing stands alone", () => {
  const bench = new Bench({
    kind: "policy/v1/PodDisruptionBudget",
    resource: "poddisruptionbudgets",
    good: {},
    rows: [],
  });
  const old = { key: "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match", operator: "Exists" };
  const other = { key: "a", operator: "Exists" };
  const of = (selector: Json) => bench.create({ spec: { selector } }).object["spec"].selector;
  assert.deepEqual(of({ matchExpressions: [old] }), { matchExpressions: [old] });
  assert.deepEqual(of({ matchExpressions: [{ ...old, operator: "DoesNotExist" }] }), {});
  assert.deepEqual(of({ matchExpressions: [old, other] }), { matchExpressions: [other] });
  assert.deepEqual(of({ matchLabels: { a: "b" }, matchExpressions: [old] }), { matchLabels: { a: "b" } });
});

Deno.test("rules of webhooks about what is never stored are told", () => {
  const bench = new Bench({
    kind: "admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration",
    resource: "validatingwebhookconfigurations",
    namespaced: false,
    good: {},
    rows: [],
  });
  const told = (gates: string[], apiGroups: string[], resources: string[]) =>
    bench.ruled.rules.warnings!(
      { metadata: {}, webhooks: [{ rules: [{ apiGroups, resources }] }] } as unknown as Obj,
      undefined,
      bench.context(gates),
    );
  const on = ["ExcludeAdmissionWebhookVirtualResources"], group = "authorization.k8s.io";
  assert.deepEqual(told(on, [group], ["subjectaccessreviews", "subjectaccessreviews"]), [
    `webhooks[0].rules[0]: subjectaccessreviews.${group} is excluded from admission webhooks; this rule will have no effect`,
  ]);
  assert.deepEqual(told(on, ["*"], ["subjectaccessreviews"]), []);
  assert.deepEqual(told([], [group], ["subjectaccessreviews"]), []);
});

Deno.test("lists that are always shown are null when they are empty", () => {
  const pods = new Bench({ ...kind, rows: [] });
  const volumes = [{ name: "v", projected: { sources: [] } }];
  assert.equal(pods.create({ spec: { ...kind.good.spec, volumes } }).object["spec"].volumes[0].projected.sources, null);
  const nodes = new Bench({ kind: "/v1/Node", resource: "nodes", namespaced: false, good: {}, rows: [] });
  assert.equal(nodes.create({ status: { images: [{ names: [] }] } }).object["status"].images[0].names, null);
});

Deno.test("a claim says what its node leaves out only where the gate is on", () => {
  const devices = { requests: [{ name: "r", exactly: { deviceClassName: "c" } }] };
  const bench = new Bench({ kind: "resource.k8s.io/v1/ResourceClaim", resource: "resourceclaims", good: {}, rows: [] });
  const result = { request: "r", driver: "d.io", pool: "p", device: "d", skipNodeOperations: ["All"] };
  const tree = { spec: { devices }, status: { allocation: { devices: { results: [result] } } } };
  const of = (gates: string[]) => {
    const { object } = bench.update(bench.create({ spec: { devices } }, gates).object, tree, "status", gates);
    return object["status"].allocation.devices.results[0].skipNodeOperations;
  };
  assert.deepEqual([of([]), of(["DRAOptionalNodeOperations"])], [undefined, ["All"]]);
});
