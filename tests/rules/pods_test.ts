import assert from "node:assert/strict";
import type { Json, JsonMap, Obj } from "../../schema/model/types.ts";
import { validateCreate } from "../../schema/rules/mod.ts";
import type { Loose } from "../fixture/loose.ts";
import { Bench, NOW, type Row, table } from "./_table.ts";

const container = { name: "c", image: "i" };
const good = { spec: { containers: [container] } };
const kind = { kind: "/v1/Pod", resource: "pods", good };
const c = "spec.containers.0";
const noKey = { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "" }] };
const rows: readonly Row[] = [
  { set: { "metadata.name": "A" }, causes: ["metadata.name Invalid"] },
  { set: { "spec.containers": [] }, causes: ["spec.containers Required"] },
  { set: { "spec.containers.1": container }, causes: ["spec.containers[1].name Duplicate"] },
  { set: { [`${c}.name`]: "A_b" }, causes: ["spec.containers[0].name Invalid"] },
  { set: { [`${c}.image`]: "" }, causes: ["spec.containers[0].image Required"] },
  { set: { [`${c}.image`]: " i" }, causes: ["spec.containers[0].image Invalid"] },
  ...[
    ["é".repeat(52), []],
    ["é".repeat(53), ["Invalid"]],
    [`${"é".repeat(128)}\\u`, ["Invalid", "Invalid"]],
    [`${"\u{1d49c}".repeat(15)}\\u`, []],
    [`${"\u{1d49c}".repeat(16)}\\u`, ["Invalid"]],
  ].map(([runAsUserName, causes]): Row => ({
    set: { "spec.securityContext": { windowsOptions: { runAsUserName: runAsUserName as string } } },
    causes: (causes as string[]).map((reason) => `spec.securityContext.windowsOptions.runAsUserName ${reason}`),
  })),
  { set: { [`${c}.imagePullPolicy`]: "x" }, causes: ["spec.containers[0].imagePullPolicy NotSupported"] },
  { set: { [`${c}.ports`]: [{ containerPort: 0 }] }, causes: ["spec.containers[0].ports[0].containerPort Required"] },
  {
    set: { [`${c}.ports`]: [{ containerPort: 70000 }] },
    causes: ["spec.containers[0].ports[0].containerPort Invalid"],
  },
  { set: { [`${c}.env`]: [{ name: "" }] }, causes: ["spec.containers[0].env[0].name Required"] },
  {
    set: { [`${c}.env`]: [{ name: "A", value: "x", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }] },
    causes: ["spec.containers[0].env[0].valueFrom Invalid"],
  },
  {
    set: { [`${c}.volumeMounts`]: [{ name: "v", mountPath: "/v" }] },
    causes: ["spec.containers[0].volumeMounts[0].name NotFound"],
  },
  {
    set: { [`${c}.resources`]: { requests: { cpu: "2" }, limits: { cpu: "1" } } },
    causes: ["spec.containers[0].resources.requests Invalid"],
  },
  {
    set: { [`${c}.resources`]: { requests: { constructor: "1" } } },
    causes: Array(2).fill("spec.containers[0].resources.requests[constructor] Invalid"),
  },
  {
    set: { [`${c}.resources`]: { limits: { toString: "1" } } },
    causes: ["limits", "requests"].flatMap((list) =>
      Array(2).fill(`spec.containers[0].resources.${list}[toString] Invalid`)
    ),
  },
  {
    set: { [`${c}.livenessProbe`]: { httpGet: { port: 80 }, exec: { command: ["a"] } } },
    causes: ["spec.containers[0].livenessProbe.httpGet Forbidden"],
  },
  { set: { [`${c}.livenessProbe`]: {} }, causes: ["spec.containers[0].livenessProbe Required"] },
  { set: { [`${c}.lifecycle`]: { preStop: {} } }, causes: ["spec.containers[0].lifecycle.preStop Required"] },
  {
    set: { [`${c}.securityContext`]: { privileged: true } },
    causes: ["spec.containers[0].securityContext.privileged Forbidden"],
  },
  {
    // Of a volume in several places only the last is compared, and each pair is told of once.
    set: {
      "spec.volumes": ["v", "w"].map((name) => ({ name, persistentVolumeClaim: { claimName: name } })),
      [`${c}.volumeMounts`]: [{ name: "v", mountPath: "/a" }, { name: "v", mountPath: "/b" }],
      [`${c}.volumeDevices`]: [{ name: "w", devicePath: "/a" }, { name: "w", devicePath: "/b" }],
    },
    causes: [
      "spec.containers[0].volumeDevices[1].devicePath Invalid",
      "spec.containers[0].volumeDevices[1].name Invalid",
      "spec.containers[0].volumeMounts[1].mountPath Invalid",
    ],
  },
  {
    // Bundles stand in the causes under their first name, and two without a path have the same one.
    gates: ["ClusterTrustBundleProjection"],
    set: {
      "spec.volumes": [{
        name: "v",
        projected: { sources: [{ clusterTrustBundle: { name: "a" } }, { clusterTrustBundle: { path: "" } }] },
      }],
    },
    causes: [
      "spec.volumes[0].projected Invalid",
      "spec.volumes[0].projected.sources[0].clusterTrustBundle.path Required",
      "spec.volumes[0].projected.sources[1].clusterTrustBundle Required",
      "spec.volumes[0].projected.sources[1].clusterTrustBundle.path Required",
    ],
  },
  { set: { "spec.volumes": [{ name: "v" }] }, causes: [] },
  { set: { "spec.volumes": [{ name: "v" }, { name: "v" }] }, causes: ["spec.volumes[1].name Duplicate"] },
  {
    set: { "spec.volumes": [{ name: "v", hostPath: { path: "a/../b" } }] },
    causes: ["spec.volumes[0].hostPath.path Invalid"],
  },
  ...["iqn.2001-04.com.example:a", "iqn.x iqn.2001-04.a:b:c", "eui.0123456789abcdef", `naa.${"0".repeat(32)}`].map((
    iqn,
  ) => ({ set: { "spec.volumes": [{ name: "v", iscsi: { targetPortal: "p", iqn, lun: 0 } }] }, causes: [] })),
  ...["iqn.2001-04.a", "iqn.2001-04.a:b c", "iqn.2001-04.:b", "eui.0", "x", "iqn.2001-04.".repeat(1 << 17)].map((
    iqn,
  ) => ({
    set: { "spec.volumes": [{ name: "v", iscsi: { targetPortal: "p", iqn, lun: 0 } }] },
    causes: ["spec.volumes[0].iscsi.iqn Invalid"],
  })),
  {
    set: { "spec.volumes": [{ name: "v", emptyDir: {}, configMap: { name: "c" } }] },
    causes: ["spec.volumes[0].configMap Forbidden"],
  },
  { set: { "spec.restartPolicy": "x" }, causes: ["spec.restartPolicy NotSupported"] },
  { set: { "spec.dnsPolicy": "None" }, causes: ["spec.dnsConfig Required"] },
  { set: { "spec.nodeSelector": { "a b": "c" } }, causes: ["spec.nodeSelector Invalid"] },
  { set: { "spec.activeDeadlineSeconds": 0 }, causes: ["spec.activeDeadlineSeconds Invalid"] },
  { set: { "spec.hostAliases": [{ ip: "x" }] }, causes: ["spec.hostAliases[0].ip Invalid"] },
  { set: { "spec.os": { name: "x" } }, causes: ["spec.os NotSupported"] },
  {
    set: { "spec.tolerations": [{ operator: "Exists", value: "v", key: "k" }] },
    causes: ["spec.tolerations[0].operator Invalid"],
  },
  {
    set: { "spec.affinity": { podAffinity: noKey } },
    causes: [
      "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey Invalid",
      "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey Invalid",
      "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey Required",
    ],
  },
  {
    set: { "spec.topologySpreadConstraints": [{ maxSkew: 0, topologyKey: "k", whenUnsatisfiable: "DoNotSchedule" }] },
    causes: ["spec.topologySpreadConstraints[0].maxSkew Invalid"],
  },
  { set: { "spec.ephemeralContainers": [{ name: "e", image: "i" }] }, causes: ["spec.ephemeralContainers Forbidden"] },
  { on: "update", set: { [`${c}.image`]: "j" }, causes: [] },
  { on: "update", set: { "metadata.labels": { a: "b" } }, causes: [] },
  { on: "update", set: { [`${c}.command`]: ["x"] }, causes: ["spec Forbidden"] },
  { on: "update", set: { "spec.containers.1": { name: "d", image: "i" } }, causes: ["spec.containers Forbidden"] },
  { on: "update", set: { "spec.activeDeadlineSeconds": 5 }, causes: [] },
  {
    on: "update",
    from: { "spec.activeDeadlineSeconds": 5 },
    set: { "spec.activeDeadlineSeconds": 6 },
    causes: ["spec.activeDeadlineSeconds Invalid"],
  },
  { on: "ephemeralcontainers", set: { "spec.ephemeralContainers": [{ name: "e", image: "i" }] }, causes: [] },
  {
    on: "ephemeralcontainers",
    set: { "spec.ephemeralContainers": [{ name: "c", image: "i" }] },
    causes: ["spec.ephemeralContainers[0].name Duplicate"],
  },
  { on: "resize", set: { [`${c}.resources`]: { limits: { memory: "1Gi" } } }, causes: ["spec Invalid"] },
  {
    on: "resize",
    set: { [`${c}.resources`]: { requests: { "a.b/c": "1" }, limits: { "a.b/c": "1" } } },
    causes: ["spec Forbidden"],
  },
  {
    on: "resize",
    set: { "metadata.deletionGracePeriodSeconds": 5 },
    causes: Array(2).fill("metadata.deletionGracePeriodSeconds Invalid"),
  },
  {
    on: "resize",
    from: { "spec.os": { name: "windows" } },
    set: {},
    causes: ["[] Forbidden"],
  },
  {
    on: "resize",
    gates: ["PodLevelResources", "InPlacePodLevelResourcesVerticalScaling"],
    from: { "spec.resources": { limits: { cpu: "1" } } },
    set: { "spec.resources": { limits: { memory: "1Gi" } } },
    causes: ["spec.resources.limits Forbidden", "spec.resources.requests Forbidden"],
  },
  {
    on: "resize",
    gates: ["InPlacePodVerticalScalingInitContainers"],
    from: { "spec.initContainers": [{ name: "i", image: "i", resources: { limits: { cpu: "1" } } }] },
    set: { "spec.initContainers.0.resources.limits": { cpu: "1", "a.b/c": "1" } },
    causes: ["spec.initContainers[0] Forbidden"],
  },
  {
    set: { [`${c}.restartPolicyRules`]: [{}] },
    gates: ["ContainerRestartRules"],
    causes: [
      "spec.containers[0].restartPolicy Required",
      "spec.containers[0].restartPolicyRules[0].action NotSupported",
      "spec.containers[0].restartPolicyRules[0].exitCodes Required",
    ],
  },
  {
    set: {
      "spec.initContainers": [{
        name: "i",
        image: "i",
        resizePolicy: [{ resourceName: "cpu", restartPolicy: "RestartContainer" }],
      }],
    },
    causes: ["spec.initContainers[0].resizePolicy[0].restartPolicy Invalid"],
  },
  {
    on: "status",
    set: { "status.resourceClaimStatuses": [{ name: "x", resourceClaimName: "A_" }] },
    causes: [
      "status.resourceClaimStatuses[0].name Invalid",
      "status.resourceClaimStatuses[0].resourceClaimName Invalid",
    ],
  },
  {
    on: "update",
    set: { "metadata.annotations": { "controller.kubernetes.io/pod-deletion-cost": "x" } },
    gates: ["PodDeletionCost"],
    causes: Array(2).fill("metadata.annotations[controller.kubernetes.io/pod-deletion-cost] Invalid"),
  },
  {
    set: { "metadata.annotations": { "controller.kubernetes.io/pod-deletion-cost": "-01" } },
    gates: ["PodDeletionCost"],
    causes: [],
  },
  {
    set: {
      "spec.nodeName": "n",
      "spec.resourceClaims": [{ name: "r", resourceClaimName: "c" }],
      "metadata.annotations": { "kubernetes.io/config.mirror": "x" },
    },
    causes: ["[] Forbidden"],
  },
  {
    set: { "spec.securityContext": { seLinuxChangePolicy: "MountOption" } },
    causes: ["spec.securityContext.seLinuxChangePolicy NotSupported"],
  },
  { set: { "spec.securityContext": { seLinuxChangePolicy: "MountOption" } }, gates: ["SELinuxMount"], causes: [] },
  {
    set: { "spec.schedulingGroup": {} },
    gates: ["GenericWorkload"],
    causes: ["spec.schedulingGroup.podGroupName Invalid"],
  },
  {
    set: { "spec.tolerations": [{ key: "a", operator: "Lt" }] },
    gates: ["TaintTolerationComparisonOperators"],
    causes: Array(2).fill("spec.tolerations[0].value Invalid"),
  },
  { on: "status", set: { "status.nodeAllocatableResourceClaimStatuses": [{ resourceClaimName: "x" }] }, causes: [] },
  { on: "status", set: { "status.phase": "Running" }, causes: [] },
  {
    on: "status",
    set: { "status.podIP": "10.0.0.1", "status.podIPs": [{ ip: "10.0.0.1" }, {}] },
    causes: ["status.podIPs InternalError", "status.podIPs Invalid", "status.podIPs[1] Invalid"],
  },
  {
    on: "status",
    set: { "status.podIPs": [{}] },
    causes: ["status.podIPs Invalid", "status.podIPs[0] Invalid"],
  },
  { on: "status", set: { "status.nominatedNodeName": "A_b" }, causes: ["status.nominatedNodeName Invalid"] },
];
table({ ...kind, rows });

type Statuses = Pick<Row, "gates"> & { readonly spec?: NonNullable<Row["from"]> };
/** What a status was, what it is to be, and what is wrong with that. */
const through = (was: Json, now: Json, causes: readonly string[], { gates = [], spec = {} }: Statuses = {}): Row => ({
  on: "status",
  gates,
  from: { ...spec, status: was },
  set: { ...spec, status: now },
  causes: causes.map((cause) => `status.${cause}`),
});
const state = (now: Json, list = "containerStatuses", name = "c"): Json => ({ [list]: [{ name, state: now }] });
const ended = (exitCode: number, list?: string, name?: string) => state({ terminated: { exitCode } }, list, name);
const started = state({ running: {} }), back = ["containerStatuses[0].state Forbidden"];
const restart = (restartPolicy: string, more: NonNullable<Row["from"]> = {}) => ({
  spec: { "spec.restartPolicy": restartPolicy, ...more },
});
const sidecar = { ...container, name: "i", restartPolicy: "Always" };
const rule = (operator: string, action = "Restart") => ({
  spec: {
    "spec.restartPolicy": "Always",
    "spec.containers": [{
      ...container,
      restartPolicy: "Never",
      restartPolicyRules: [{ action, exitCodes: { operator, values: [3] } }],
    }],
  },
  gates: ["ContainerRestartRules", "RestartAllContainersOnContainerExits"],
});
const claims = { spec: { "spec.resourceClaims": [{ name: "a", resourceClaimName: "x" }] } };
const ips = (...list: string[]): Json => ({ podIP: list[0] ?? null, podIPs: list.map((ip) => ({ ip })) });
const ofHost = (...list: string[]): Json => ({ hostIP: "10.0.0.1", hostIPs: list.map((ip) => ({ ip })) });
const user = (linux: Json): Json => ({ containerStatuses: [{ name: "c", user: { linux } }] });
const asked = {
  gates: ["DRAExtendedResource"],
  spec: { [`${c}.resources`]: { limits: { "x.io/gpu": "1" }, requests: { "x.io/gpu": "1" } } },
};
const mapping = (containerName: string, resourceName: string, requestName: string): Json => ({
  containerName,
  resourceName,
  requestName,
});
const extended = (resourceClaimName: string, ...requestMappings: Json[]): Json => ({
  extendedResourceClaimStatus: { resourceClaimName, requestMappings },
});
const allocated = {
  gates: ["DRANodeAllocatableResources"],
  spec: { "spec.resourceClaims": [{ name: "a", resourceClaimName: "x" }] },
};
const taken = (resourceClaimName: string, more: object = {}): Json => ({
  nodeAllocatableResourceClaimStatuses: [{ resourceClaimName, ...more } as JsonMap],
});
const TAKEN = "nodeAllocatableResourceClaimStatuses[0]";
const healthy = {
  gates: ["ResourceHealthStatus", "DRAExtendedResource"],
  spec: {
    "spec.resourceClaims": [{ name: "a", resourceClaimName: "x" }],
    [`${c}.resources`]: { claims: [{ name: "a", request: "r" }], limits: { "x.io/gpu": "0" } },
  },
};
const health = (name: string, resources: Json[] = [], of = "c"): Json => ({
  containerStatuses: [{ name: of, allocatedResourcesStatus: [{ name, resources }] }],
});
const RESOURCE = "containerStatuses[0].allocatedResourcesStatus[0]";
const OF_CLAIM = "extendedResourceClaimStatus", FIRST = `${OF_CLAIM}.requestMappings[0]`;

table({
  ...kind,
  rows: [
    through({}, { observedGeneration: -1, conditions: [{ type: "a b", observedGeneration: -1 }, { type: "Ready" }] }, [
      "observedGeneration Invalid",
      "conditions[0].observedGeneration Invalid",
      "conditions[0].Type Invalid",
    ]),
    through({ qosClass: "BestEffort" }, { qosClass: "Burstable" }, ["qosClass Invalid"]),
    through({}, { nominatedNodeName: "n" }, [], { gates: ["ClearingNominatedNodeNameAfterBinding"] }),
    through({}, { nominatedNodeName: "n" }, ["nominatedNodeName Forbidden"], {
      gates: ["ClearingNominatedNodeNameAfterBinding"],
      spec: { "spec.nodeName": "m" },
    }),
    through({ nominatedNodeName: "n" }, { nominatedNodeName: "n" }, [], {
      gates: ["ClearingNominatedNodeNameAfterBinding"],
      spec: { "spec.nodeName": "m" },
    }),
    through(ended(1), started, [], restart("Always")),
    through(ended(1), started, [], restart("OnFailure")),
    through(ended(0), started, back, restart("OnFailure")),
    through(ended(1), started, back, restart("Never")),
    through(ended(1), ended(2), [], restart("Never")),
    through(state({ waiting: {} }), started, [], restart("Never")),
    through(ended(1), state({ running: {} }, "containerStatuses", "d"), [], restart("Never")),
    through(ended(3), started, [], rule("In")),
    through(ended(4), started, back, rule("In")),
    through(ended(3), started, back, rule("NotIn")),
    through(ended(4), started, [], rule("NotIn")),
    through(ended(0), started, [], {
      ...restart("Never", { [`${c}.restartPolicy`]: "Always" }),
      gates: ["ContainerRestartRules"],
    }),
    through(
      ended(1, "ephemeralContainerStatuses", "e"),
      state({ running: {} }, "ephemeralContainerStatuses", "e"),
      ["ephemeralContainerStatuses[0].state Forbidden"],
      restart("Always"),
    ),
    through(
      ended(3, "ephemeralContainerStatuses", "e"),
      state({ running: {} }, "ephemeralContainerStatuses", "e"),
      ["ephemeralContainerStatuses[0].state Forbidden"],
      rule("In", "RestartAllContainers"),
    ),
    through(ended(0, "initContainerStatuses", "i"), state({ running: {} }, "initContainerStatuses", "i"), [], {
      ...restart("Never", { "spec.initContainers": [sidecar] }),
    }),
    through({}, { resourceClaimStatuses: [{ name: "a" }, { name: "a" }] }, [
      "resourceClaimStatuses[1].name Duplicate",
    ], claims),
    through({}, { resourceClaimStatuses: [{ name: "b" }] }, ["resourceClaimStatuses[0].name Invalid"], claims),
    through({}, ips("10.0.0.1", "fd00::1"), []),
    through({}, ips("10.0.0.1", "10.0.0.2"), ["podIPs Invalid"]),
    through({}, ips("10.0.0.1", "fd00::1", "10.0.0.2"), ["podIPs Invalid"]),
    through({}, ofHost("10.0.0.1", "fd00::1"), []),
    through({}, ofHost("10.0.0.2"), ["hostIPs[0].ip Invalid"]),
    through({}, ofHost("10.0.0.1", "10.0.0.2"), ["hostIPs Invalid"]),
    through({}, user({ uid: -1, gid: -1, supplementalGroups: [0, -1] }), [
      "containerStatuses[0].user.linux.uid Invalid",
      "containerStatuses[0].user.linux.gid Invalid",
      "containerStatuses[0].user.linux.supplementalGroups[1] Invalid",
    ]),
    through({}, user({ uid: 1, gid: 1 }), ["containerStatuses[0].user.linux Forbidden"], {
      spec: { "spec.os": { name: "windows" } },
    }),
    through({}, extended("made", mapping("c", "x.io/gpu", "r")), [], asked),
    through({}, extended("", mapping("d", "x.io/gpu", "r")), [
      `${FIRST}.containerName Invalid`,
      `${OF_CLAIM}.resourceClaimName Required`,
    ], asked),
    through({}, extended("A_", mapping("c", "x.io/other", "R")), [
      `${FIRST}.resourceName Invalid`,
      `${OF_CLAIM}.requestName Invalid`,
      `${OF_CLAIM}.resourceClaimName Invalid`,
    ], asked),
    through({}, extended("made"), [`${OF_CLAIM}.requestMappings Required`], asked),
    through({}, extended("made", mapping("c", "x.io/gpu", "r"), mapping("c", "x.io/gpu", "r")), [
      ...["containerName", "requestName", "resourceName"].map((m) => `${OF_CLAIM}.requestMappings[1].${m} Duplicate`),
    ], asked),
  ],
});

table({
  ...kind,
  rows: [
    through(
      {},
      taken("x", { mapping: [{ name: "cpu", quantity: "1" }], overhead: [{ name: "cpu", perPod: "1" }] }),
      [],
      {
        ...allocated,
      },
    ),
    through({}, taken("y"), [`${TAKEN}.resourceClaimName Invalid`], allocated),
    through(
      {},
      { ...taken("made") as JsonMap, resourceClaimStatuses: [{ name: "a", resourceClaimName: "made" }] },
      [],
      {
        ...allocated,
      },
    ),
    through({}, taken("x", { mapping: [{ name: "x.io/gpu", quantity: "-1" }], overhead: [{ name: "cpu" }] }), [
      `${TAKEN}.mapping[0].name Invalid`,
      `${TAKEN}.mapping[0].quantity Invalid`,
      `${TAKEN}.overhead[0] Invalid`,
    ], allocated),
    through({}, health("claim:a/r", [{ resourceID: "d", health: "Healthy" }]), [], healthy),
    through({}, health("claim:a"), [`${RESOURCE}.name Invalid`], healthy),
    through({}, health("claim:none", [], "d"), [], healthy),
    through({}, health("claim:a/r", [{ resourceID: "d", health: "x" }, { resourceID: "d", health: "Unknown" }]), [
      `${RESOURCE}.resources[0].health NotSupported`,
      `${RESOURCE}.resources[1].resourceID Duplicate`,
    ], healthy),
    through(
      {},
      { ...extended("made", mapping("c", "x.io/gpu", "r")) as JsonMap, ...health("claim:made/r") as JsonMap },
      [
        `${RESOURCE}.name Invalid`,
      ],
      healthy,
    ),
    {
      on: "resize",
      from: { "spec.initContainers": [{ ...container, name: "i", resources: { requests: { cpu: "1" } } }] },
      set: { "spec.initContainers.0.resources.requests.cpu": "2" },
      causes: ["spec Forbidden"],
    },
    {
      on: "resize",
      from: { "spec.initContainers": [{ ...sidecar, resources: { requests: { cpu: "1" } } }] },
      set: { "spec.initContainers.0.resources.requests.cpu": "2" },
      causes: [],
    },
    {
      on: "resize",
      from: { "spec.initContainers": [{ ...sidecar, resources: { requests: { cpu: "1", memory: "1" } } }] },
      set: { "spec.initContainers.0.resources.requests.memory": undefined },
      causes: ["spec.initContainers[0].resources.requests Forbidden"],
    },
    {
      on: "resize",
      from: { [`${c}.resources`]: { requests: { cpu: "1", memory: "1" } } },
      set: { [`${c}.resources`]: undefined },
      causes: ["spec Invalid", "spec.containers[0].resources.requests Forbidden"],
    },
    { on: "update", from: { "spec.activeDeadlineSeconds": 5 }, set: { [`${c}.image`]: "j" }, causes: [] },
    {
      on: "update",
      from: { "spec.activeDeadlineSeconds": 5 },
      set: { "spec.activeDeadlineSeconds": undefined },
      causes: ["spec.activeDeadlineSeconds Invalid"],
    },
  ],
});

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const on = (...keys: string[]) => ({ matchExpressions: keys.map((key) => ({ key, operator: "Exists" })) });
const affinity = (...nodeSelectorTerms: Json[]) => ({
  "spec.affinity": { nodeAffinity: { [REQUIRED]: { nodeSelectorTerms } } },
});
const gated = { "spec.schedulingGates": [{ name: "g" }] };
const TERMS = `spec.affinity.nodeAffinity.${REQUIRED}.nodeSelectorTerms`;
/** Where a pod runs, before and after an update, and what is wrong with that. */
const PLACES: readonly [from: NonNullable<Row["from"]>, set: Row["set"], causes: readonly string[]][] = [
  [{}, { "spec.nodeSelector": { a: "b" } }, ["spec Forbidden"]],
  [{}, affinity(on("a")), ["spec Forbidden"]],
  [affinity(on("a")), affinity(on("a", "b")), ["spec Forbidden"]],
  [gated, { "spec.nodeSelector": { a: "b" } }, []],
  [gated, affinity(on("a")), []],
  [{ ...gated, ...affinity(on("a")) }, affinity(on("a", "b")), []],
  [{ ...gated, ...affinity(on("a")) }, affinity(on("b", "a")), [`${TERMS}[0] Invalid`]],
  [{ ...gated, ...affinity(on("a")) }, affinity(on("a"), on("b")), [`${TERMS} Invalid`]],
  [{ ...gated, ...affinity(on("a"), {}) }, affinity(on("a"), on("b")), [`${TERMS}[1] Invalid`]],
  [{ ...gated, ...affinity(on("a"), {}) }, affinity(on("a", "b"), {}), []],
  [gated, { "spec.nodeName": "n" }, ["spec Forbidden"]],
];
table({ ...kind, rows: PLACES.map(([from, set, causes]): Row => ({ on: "update", from, set, causes })) });

Deno.test("pods: a time to end that was below zero may become the least one, no other may change", () => {
  const bench = new Bench({ ...kind, rows: [] });
  const causesOf = (was: number, terminationGracePeriodSeconds: number) => {
    const { object: old } = bench.create(good);
    old["spec"].terminationGracePeriodSeconds = was;
    return bench.update(old, { spec: { ...good.spec, terminationGracePeriodSeconds } }).causes;
  };
  assert.deepEqual([causesOf(-5, 1), causesOf(-5, 2), causesOf(30, 1)], [[], ["spec Forbidden"], ["spec Forbidden"]]);
});

Deno.test("pods: a status changes nothing of what holds and owns the pod, and keeps what its writer does not know of", () => {
  const bench = new Bench({ ...kind, rows: [] });
  const { object: old } = bench.create({
    spec: { ...good.spec, resourceClaims: [{ name: "a", resourceClaimName: "x" }] },
  });
  const owner = { apiVersion: "v1", kind: "Node", name: "n", uid: "u" };
  old.metadata.ownerReferences = [owner];
  old.metadata.deletionTimestamp = NOW;
  Object.assign(old["status"], {
    observedGeneration: 2,
    conditions: [{ type: "Ready", status: "True", observedGeneration: 2 }, { type: "Other", status: "True" }],
    resourceClaimStatuses: [{ name: "a", resourceClaimName: "made" }],
  });
  const sent = { conditions: [{ type: "Other", status: "True" }, { type: "Ready", status: "False" }] };
  const { object, causes } = bench.update(old, { spec: { containers: [] }, status: sent }, "status");
  assert.deepEqual(causes, []);
  assert.deepEqual([object.metadata.ownerReferences, object.metadata.deletionTimestamp], [[owner], NOW]);
  assert.deepEqual(object["spec"], old["spec"]);
  const { observedGeneration, qosClass, resourceClaimStatuses, conditions } = object["status"];
  assert.deepEqual([observedGeneration, qosClass], [2, "BestEffort"]);
  assert.deepEqual(resourceClaimStatuses, [{ name: "a", resourceClaimName: "made" }]);
  assert.deepEqual(conditions.map((x: Loose) => x.observedGeneration), [undefined, 2]);
  const told = { observedGeneration: 3, conditions: [{ type: "Ready", status: "True", observedGeneration: 3 }] };
  const { status } = bench.update(old, { ...good, status: told }, "status").object;
  assert.deepEqual([status.observedGeneration, status.conditions[0].observedGeneration], [3, 3]);
  const { object: alive } = bench.create(good);
  const ending = { ...good, metadata: { deletionTimestamp: NOW } };
  assert.equal(bench.update(alive, ending, "status").object.metadata.deletionTimestamp, undefined);
});

Deno.test("pods: a write through one door leaves what belongs to the others", () => {
  const bench = new Bench({ ...kind, rows: [] }), old = bench.create(good).object;
  assert.equal(old["status"].phase, "Pending");
  assert.equal(old["status"].qosClass, "BestEffort");
  const status = bench.update(
    old,
    { spec: { containers: [{ name: "x", image: "y" }] }, status: { phase: "Running" } },
    "status",
  );
  assert.deepEqual(status.causes, []);
  assert.equal(status.object["spec"].containers[0].name, "c");
  assert.equal(status.object["status"].phase, "Running");
  const spec = bench.update(old, { ...good, status: { phase: "Running" } });
  assert.equal(spec.object["status"].phase, "Pending");
});

Deno.test("pods: a resize changes what containers may use, and nothing else", () => {
  const bench = new Bench({ ...kind, rows: [] });
  const using = (cpu: string) => ({ requests: { cpu, memory: "1Gi" }, limits: { cpu: "4" } });
  const pod = (cpu: string, more: object = {}) => ({
    spec: {
      initContainers: [{ ...container, name: "i", resources: using("1"), ...more }],
      containers: [{ ...container, resources: using(cpu), ...more }, { ...container, name: "d", ...more }],
    },
  });
  const { object: old } = bench.create(pod("1"));
  const tree = {
    ...pod("2", { image: "j", command: ["x"] }),
    metadata: { labels: { a: "b" } },
    status: { phase: "x" },
  };
  Object.assign(tree.spec, { nodeSelector: { a: "b" }, activeDeadlineSeconds: 5, resources: using("1"), volumes: [] });
  const resizePolicy = [{ resourceName: "cpu", restartPolicy: "RestartContainer" }];
  Object.assign(tree.spec.containers[0]!, { resizePolicy });
  const { object, causes } = bench.update(old, tree, "resize");
  assert.deepEqual(causes, ["spec Forbidden"], "the policy");
  const [first, ...others] = old["spec"].containers;
  assert.deepEqual(object["spec"], {
    ...old["spec"],
    containers: [{ ...first, resources: using("2"), resizePolicy }, ...others],
  });
  assert.deepEqual([object.metadata.labels, object["status"]], [undefined, old["status"]]);
  assert.deepEqual(bench.update(old, pod("2", { image: "j" }), "resize").causes, []);
});

Deno.test("pods: a resize of other containers, of static pods and where it is not known is refused", () => {
  const bench = new Bench({ ...kind, rows: [] });
  const named = (...names: string[]) => names.map((name) => ({ ...container, name }));
  const spec = { initContainers: named("i", "j"), containers: named("c", "d") };
  const at = (list: string, ...indexes: number[]) => indexes.map((i) => `spec.${list}[${i}].name Forbidden`);
  const rows: [spec: object, ...causes: string[]][] = [
    [{ containers: named("c", "e") }, ...at("containers", 1)],
    [{ containers: named("d", "c") }, ...at("containers", 0, 1)],
    [{ containers: named("c", "d", "e") }, "spec.containers Forbidden"],
    [{ containers: named("c") }, "spec.containers Forbidden"],
    [{ initContainers: named("j", "i") }, ...at("initContainers", 0, 1)],
    [{ initContainers: named("i") }, "spec.initContainers Forbidden"],
    [{ initContainers: undefined }, "spec.initContainers Forbidden"],
  ];
  for (const [change, ...causes] of rows) {
    const { object: old } = bench.create({ spec });
    assert.deepEqual(bench.update(old, { spec: { ...spec, ...change } }, "resize").causes, causes);
  }
  const refused = (change: (old: Obj) => void) => {
    const { object: old } = bench.create({ spec });
    change(old);
    return bench.update(old, { spec }, "resize").causes;
  };
  const running = (resources?: object) => [{ name: "c", state: { running: {} }, ...(resources ? { resources } : {}) }];
  assert.deepEqual(refused((old) => old["status"].containerStatuses = running()), ["spec Forbidden"]);
  assert.deepEqual(refused((old) => old["status"].containerStatuses = running({})), []);
  assert.deepEqual(refused((old) => old.metadata.annotations = { "kubernetes.io/config.mirror": "m" }), [
    "[] Forbidden",
  ]);
  assert.deepEqual(refused((old) => old["status"].nodeAllocatableResourceClaimStatuses = [{}]), ["spec Forbidden"]);
  assert.deepEqual(refused((old) => old["status"].qosClass = "Burstable"), ["spec Invalid"]);
});

Deno.test("pods: a divisor that does not go with its resource is refused with those that do", () => {
  const bench = new Bench({ ...kind, rows: [] });
  const refused = (resource: string, divisor: string) => {
    const env = [{ name: "A", valueFrom: { resourceFieldRef: { resource, divisor } } }];
    const ctx = { ...bench.context(), verb: "create", subresource: "" } as const;
    const pod = bench.create({ spec: { containers: [{ ...container, env }] } }).object;
    return validateCreate(bench.ruled, pod, ctx).causes.map((c) => c.message);
  };
  for (const divisor of ["0", "1m", "1000m"]) assert.deepEqual(refused("limits.cpu", divisor), []);
  for (const divisor of ["0", "1", "1k", "1024Mi"]) assert.deepEqual(refused("limits.memory", divisor), []);
  assert.match(refused("requests.cpu", "2").join(), /: divisor must be one of 1m, 1$/);
  assert.match(refused("requests.hugepages-2Mi", "2Mi").join(), /: divisor must be one of 1, 1k, .*, 1Mi, .*$/);
});

Deno.test("pods: authors are warned", () => {
  const bench = new Bench({ ...kind, rows: [] });
  const ctx = bench.context();
  const warn = (spec: object) =>
    bench.ruled.rules.warnings!(bench.create({ spec: { ...good.spec, ...spec } }).object, undefined, ctx);
  assert.deepEqual(warn({}), []);
  assert.match(
    warn({ nodeSelector: { "beta.kubernetes.io/os": "linux" } })[0]!,
    /^spec\.nodeSelector\[beta\.kubernetes\.io\/os\]: /,
  );
  assert.match(warn({ volumes: [{ name: "v", gitRepo: { repository: "r" } }] })[0]!, /^spec\.volumes\[0\]\.gitRepo: /);
  const env = [{ name: "A", value: "1" }, { name: "A", value: "2" }, { name: "B", value: "1" }, {
    name: "B",
    value: "$(B)2",
  }];
  assert.match(warn({ containers: [{ ...container, env }] }).join("\n"), /^spec\.containers\[0\]\.env\[1\]: [^\n]*$/);
  const list = [{ key: "a", path: "x" }, { key: "b", path: "x/y" }, { key: "c", path: "xy" }];
  assert.match(
    warn({ volumes: [{ name: "v", configMap: { name: "m", items: list } }] }).join("\n"),
    /^volume "v" \(ConfigMap "m"\): overlapping paths: "x\/y" with "x"$/,
  );
});

Deno.test("pods: what is asked for together tells the quality of service", () => {
  const bench = new Bench({ ...kind, rows });
  const of = (spec: object) =>
    bench.create({ ...good, spec: { ...good.spec, ...spec } }, ["PodLevelResources"]).object["status"].qosClass;
  const limits = { cpu: "1", memory: "1Gi" };
  assert.equal(of({ containers: [{ ...container, resources: { limits } }] }), "Guaranteed");
  assert.equal(of({ containers: [{ ...container, resources: { limits, requests: { cpu: "0" } } }] }), "Burstable");
  assert.equal(of({ containers: [{ ...container, resources: { limits } }], resources: {} }), "BestEffort");
  assert.equal(of({ terminationGracePeriodSeconds: -5 }), "BestEffort");
  const grace = bench.create({ ...good, spec: { ...good.spec, terminationGracePeriodSeconds: -5 } }).object["spec"];
  assert.equal(grace.terminationGracePeriodSeconds, 1);
});

Deno.test("pods: profiles by annotation become fields, and are warned of at once", () => {
  const { ruled, context } = new Bench({ ...kind, rows });
  const name = "container.apparmor.security.beta.kubernetes.io/c";
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", annotations: { [name]: "unconfined" } },
    spec: { containers: [{ ...container }] },
  };
  const warned = ruled.rules.prepareCreate!(pod as never, context()) as string[];
  assert.equal(warned.length, 1);
  assert.deepEqual((pod.spec.containers[0] as { securityContext?: unknown }).securityContext, {
    appArmorProfile: { type: "Unconfined" },
  });
});
