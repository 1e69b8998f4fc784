/** Plugins that fill in or check pods. */
import { container, obj, pod, table } from "./_cases.ts";

const cls = (name: string, value: number, rest = {}) =>
  obj("scheduling.k8s.io/v1", "PriorityClass", name, { value, ...rest });

table("Priority", true, {
  "a pod gets the value of its class": {
    given: [cls("high", 1000)],
    post: pod({ priorityClassName: "high" }),
    shows: { "spec.priority": 1000, "spec.preemptionPolicy": "PreemptLowerPriority" },
  },
  "a pod without a class has priority 0": { post: pod(), shows: { "spec.priority": 0 } },
  "system classes are there": {
    post: pod({ priorityClassName: "system-node-critical" }),
    shows: { "spec.priority": 2000001000 },
  },
  "an unknown class is refused": {
    post: pod({ priorityClassName: "nope" }),
    says: /^pods "p" is forbidden: no PriorityClass with name nope was found$/,
  },
  "a priority that differs is refused, in a dry run too": {
    given: [cls("high", 1000)],
    post: pod({ priorityClassName: "high", priority: 5 }),
    dry: true,
    says: /the integer value of priority \(5\) must not be provided in pod spec; .* computed 1000/,
  },
  "a policy that differs is refused": {
    given: [cls("calm", 7, { preemptionPolicy: "Never" })],
    post: pod({ priorityClassName: "calm", preemptionPolicy: "PreemptLowerPriority" }),
    says: /string value of PreemptionPolicy \(PreemptLowerPriority\)/,
  },
  "the default class applies, and is the only one": {
    flags: ["--v=0"],
    given: [cls("usual", 42, { globalDefault: true })],
    post: pod(),
    shows: { "spec.priority": 42, "spec.priorityClassName": "usual" },
  },
  "a second default class is refused": {
    flags: ["--v=0"],
    post: cls("other", 1, { globalDefault: true }),
    says: /PriorityClass usual is already marked as default/,
  },
  "off: nothing is filled in": {
    off: true,
    post: pod({ priorityClassName: "nope" }),
    shows: { "spec.priority": undefined },
  },
});

const tolerations = (a: number, b: number) => [
  { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute", tolerationSeconds: a },
  { key: "node.kubernetes.io/unreachable", operator: "Exists", effect: "NoExecute", tolerationSeconds: b },
];

table("DefaultTolerationSeconds", true, {
  "both are added": { post: pod(), shows: { "spec.tolerations": tolerations(300, 300) } },
  "what the pod says stays": {
    post: pod({ tolerations: [{ key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute" }] }),
    shows: {
      "spec.tolerations.0.tolerationSeconds": undefined,
      "spec.tolerations.1.key": "node.kubernetes.io/unreachable",
      "spec.tolerations.2": undefined,
    },
  },
  "a toleration of everything is enough": {
    post: pod({ tolerations: [{ operator: "Exists" }] }),
    shows: { "spec.tolerations.1": undefined },
  },
  "two options set the times": {
    flags: ["--default-not-ready-toleration-seconds=20", "--default-unreachable-toleration-seconds=0"],
    post: pod(),
    shows: { "spec.tolerations": tolerations(20, 0) },
  },
  "a dry run shows them": { post: pod(), dry: true, shows: { "spec.tolerations": tolerations(300, 300) } },
  "off: none": { off: true, post: pod(), shows: { "spec.tolerations": undefined } },
});

const runtime = (rest = {}) => obj("node.k8s.io/v1", "RuntimeClass", "r", { handler: "h", ...rest });
const heavy = runtime({
  overhead: { podFixed: { cpu: "100m" } },
  scheduling: { nodeSelector: { a: "b" }, tolerations: [{ key: "t", operator: "Exists" }] },
});

table("RuntimeClass", true, {
  "overhead, selector and tolerations come from the class": {
    given: [heavy],
    post: pod({ runtimeClassName: "r", nodeSelector: { x: "y" } }),
    shows: { "spec.overhead": { cpu: "100m" }, "spec.nodeSelector": { a: "b", x: "y" }, "spec.tolerations.2.key": "t" },
  },
  "an equal overhead is fine": {
    given: [heavy],
    post: pod({ runtimeClassName: "r", overhead: { cpu: "0.1" } }),
    shows: { "spec.overhead": { cpu: "100m" } },
  },
  "another overhead is refused": {
    given: [heavy],
    post: pod({ runtimeClassName: "r", overhead: { cpu: "1" } }),
    says: /Pod's Overhead doesn't match RuntimeClass's defined Overhead/,
  },
  "a conflicting selector is refused": {
    given: [heavy],
    post: pod({ runtimeClassName: "r", nodeSelector: { a: "c" } }),
    dry: true,
    says: /conflict: runtimeClass\.scheduling\.nodeSelector\[a\] = b; pod\.spec\.nodeSelector\[a\] = c/,
  },
  "an absent class is refused": {
    post: pod({ runtimeClassName: "none" }),
    says: /pod rejected: RuntimeClass "none" not found/,
  },
  "overhead without a class is refused": {
    post: pod({ overhead: { cpu: "1" } }),
    says: /Pod Overhead set without corresponding RuntimeClass defined Overhead/,
  },
  "off: the class is not asked": { off: true, post: pod({ runtimeClassName: "none" }) },
});

const account = (rest = {}) => obj("v1", "ServiceAccount", "default", rest);
const mirror = { annotations: { "kubernetes.io/config.mirror": "x" } };

table("ServiceAccount", true, {
  "account, token and pull secrets": {
    given: [account({ imagePullSecrets: [{ name: "a" }] })],
    post: pod(),
    shows: {
      "spec.serviceAccountName": "default",
      "spec.imagePullSecrets": [{ name: "a" }],
      "spec.volumes.0.projected.sources.0.serviceAccountToken": { expirationSeconds: 3607, path: "token" },
      "spec.volumes.0.projected.sources.1.configMap.name": "kube-root-ca.crt",
      "spec.volumes.0.projected.defaultMode": 420,
      "spec.containers.0.volumeMounts.0.mountPath": "/var/run/secrets/kubernetes.io/serviceaccount",
    },
  },
  "a pod may go without a token": {
    given: [account()],
    post: pod({ automountServiceAccountToken: false }),
    shows: { "spec.volumes": undefined },
  },
  "an account may go without a token; the pod's own word counts more": {
    given: [account({ automountServiceAccountToken: false })],
    post: pod({ automountServiceAccountToken: true }),
    shows: { "spec.volumes.0.projected.defaultMode": 420 },
  },
  "an absent account is refused": {
    post: pod({ serviceAccountName: "none" }),
    says: /error looking up service account \{ns\}\/none: serviceaccount "none" not found/,
  },
  "a mirror pod has no account": {
    post: pod({ serviceAccountName: "default", nodeName: "n" }, mirror),
    says: /a mirror pod may not reference service accounts/,
  },
  "a mirror pod is left as it is": { post: pod({ nodeName: "n" }, mirror), shows: { "spec.volumes": undefined } },
  "an account may bound the secrets of its pods": {
    given: [account({ metadata: { annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } } })],
    post: pod({ volumes: [{ name: "v", secret: { secretName: "s" } }] }),
    dry: true,
    says: /volume with secret\.secretName="s" is not allowed because service account default does not reference that/,
  },
  "off: no account": { off: true, post: pod(), shows: { "spec.serviceAccountName": undefined } },
});

table("AlwaysPullImages", false, {
  "every image is pulled": {
    post: pod({ containers: [{ name: "c", image: "img:1", imagePullPolicy: "Never" }] }),
    shows: { "spec.containers.0.imagePullPolicy": "Always" },
  },
  "init containers too": {
    post: pod({ initContainers: [{ name: "i", image: "img:1" }] }),
    shows: { "spec.initContainers.0.imagePullPolicy": "Always" },
  },
  "a dry run shows it": {
    post: pod({ containers: [{ name: "c", image: "img:1" }] }),
    dry: true,
    shows: { "spec.containers.0.imagePullPolicy": "Always" },
  },
  "a new image of an update": {
    given: [pod({ containers: [{ name: "c", image: "img:1" }] })],
    request: {
      method: "PATCH",
      path: "/api/v1/namespaces/{ns}/pods/p",
      type: "application/strategic-merge-patch+json",
      body: { spec: { containers: [{ name: "c", image: "img:2" }] } },
    },
    shows: { "spec.containers.0.imagePullPolicy": "Always" },
  },
  "off: as the pod says": {
    off: true,
    post: pod({ containers: [{ name: "c", image: "img:1", imagePullPolicy: "Never" }] }),
    shows: { "spec.containers.0.imagePullPolicy": "Never" },
  },
});

const gpu = container({ limits: { "x.io/gpu": "1" } });
const tolerated = { key: "x.io/gpu", operator: "Exists", effect: "NoSchedule" };

table("ExtendedResourceToleration", false, {
  "a toleration for each resource": {
    post: pod({ containers: [gpu] }),
    shows: { "spec.tolerations.2": tolerated },
  },
  "once for several containers": {
    post: pod({ containers: [gpu, { ...gpu, name: "d" }] }),
    shows: { "spec.tolerations.3": undefined },
  },
  "own resources are none": {
    post: pod({ containers: [container({ requests: { cpu: "1" } })] }),
    shows: { "spec.tolerations.2": undefined },
  },
  "a toleration that is there is enough": {
    post: pod({ containers: [gpu], tolerations: [tolerated] }),
    shows: { "spec.tolerations.0": tolerated, "spec.tolerations.3": undefined },
  },
  "a dry run shows it": { post: pod({ containers: [gpu] }), dry: true, shows: { "spec.tolerations.2": tolerated } },
  "off: none": { off: true, post: pod({ containers: [gpu] }), shows: { "spec.tolerations.2": undefined } },
});

const away = (topologyKey: string) => ({
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: { matchLabels: { a: "b" } } }],
    },
  },
});

table("LimitPodHardAntiAffinityTopology", false, {
  "a node is fine": { post: pod(away("kubernetes.io/hostname")) },
  "a zone is refused": {
    post: pod(away("zone")),
    says:
      /affinity\.PodAntiAffinity\.RequiredDuringScheduling has TopologyKey zone but only key kubernetes\.io\/hostname/,
  },
  "in a dry run too": { post: pod(away("zone")), dry: true, says: /has TopologyKey zone/ },
  "no affinity is fine": { post: pod() },
  "a wish is fine": {
    post: pod({
      affinity: {
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: { topologyKey: "zone" } }],
        },
      },
    }),
  },
  "off: a zone is fine": { off: true, post: pod(away("zone")) },
});

const SELECTOR = "scheduler.alpha.kubernetes.io/node-selector";
const SELECTORS = `
- name: PodNodeSelector
  configuration:
    podNodeSelectorPluginConfig: {clusterDefaultNodeSelector: "env=dev"}
`;

table("PodNodeSelector", false, {
  "the namespace's selector is added": {
    annotations: { [SELECTOR]: "env=prod" },
    post: pod({ nodeSelector: { a: "b" } }),
    shows: { "spec.nodeSelector": { a: "b", env: "prod" } },
  },
  "a conflict is refused": {
    annotations: { [SELECTOR]: "env=prod" },
    post: pod({ nodeSelector: { env: "dev" } }),
    says: /pod node label selector conflicts with its namespace node label selector/,
  },
  "the cluster's selector where the namespace has none": {
    config: SELECTORS,
    post: pod(),
    shows: { "spec.nodeSelector": { env: "dev" } },
  },
  "the namespace's counts more": {
    config: SELECTORS,
    annotations: { [SELECTOR]: "" },
    post: pod(),
    shows: { "spec.nodeSelector": undefined },
  },
  "a dry run shows it": {
    annotations: { [SELECTOR]: "env=prod" },
    post: pod(),
    dry: true,
    shows: { "spec.nodeSelector": { env: "prod" } },
  },
  "off: nothing is added": {
    off: true,
    annotations: { [SELECTOR]: "env=prod" },
    post: pod(),
    shows: { "spec.nodeSelector": undefined },
  },
});

const DEFAULTS = "scheduler.alpha.kubernetes.io/defaultTolerations";
const ALLOWED = "scheduler.alpha.kubernetes.io/tolerationsWhitelist";
const dedicated = { key: "dedicated", operator: "Exists" };
const TOLERATIONS = `
- name: PodTolerationRestriction
  configuration:
    apiVersion: podtolerationrestriction.admission.k8s.io/v1alpha1
    kind: Configuration
    default: [{key: cluster, operator: Exists}]
    whitelist: [{key: cluster, operator: Exists}, {key: node.kubernetes.io/not-ready, operator: Exists},
      {key: node.kubernetes.io/unreachable, operator: Exists}]
`;

table("PodTolerationRestriction", false, {
  "the namespace's tolerations are added behind the pod's": {
    annotations: { [DEFAULTS]: JSON.stringify([dedicated]) },
    post: pod({ tolerations: [{ key: "own", operator: "Exists" }] }),
    shows: { "spec.tolerations.0.key": "own", "spec.tolerations.3": dedicated },
  },
  "what is not allowed is refused": {
    annotations: { [ALLOWED]: JSON.stringify([dedicated]) },
    post: pod({ tolerations: [{ key: "other", operator: "Exists" }] }),
    dry: true,
    says: /conflict with its namespace whitelist/,
  },
  "the cluster's defaults": { config: TOLERATIONS, post: pod(), shows: { "spec.tolerations.2.key": "cluster" } },
  "the cluster's bounds": {
    config: TOLERATIONS,
    post: pod({ tolerations: [dedicated] }),
    says: /conflict with its cluster whitelist/,
  },
  "memory pressure is tolerated by pods that ask for something": {
    post: pod({ containers: [container({ requests: { cpu: "1" } })] }),
    shows: {
      "spec.tolerations.2": { key: "node.kubernetes.io/memory-pressure", operator: "Exists", effect: "NoSchedule" },
    },
  },
  "off: nothing is added": {
    off: true,
    annotations: { [DEFAULTS]: JSON.stringify([dedicated]) },
    post: pod(),
    shows: { "spec.tolerations.0.key": "node.kubernetes.io/not-ready" },
  },
});

const node = (name: string, rest = {}) => obj("v1", "Node", name, rest);
const zoned = node("z", {
  metadata: { labels: { "topology.kubernetes.io/zone": "z1", "topology.kubernetes.io/region": "r1", other: "x" } },
});

table("PodTopologyLabels", true, {
  "zone and region come from the node": {
    given: [zoned],
    post: pod({ nodeName: "z" }),
    shows: { "metadata.labels": { "topology.kubernetes.io/zone": "z1", "topology.kubernetes.io/region": "r1" } },
  },
  "what the pod says stays": {
    given: [zoned],
    post: pod({ nodeName: "z" }, { labels: { "topology.kubernetes.io/zone": "mine" } }),
    shows: { "metadata.labels.topology\\.kubernetes\\.io/zone": "mine" },
  },
  "an absent node gives nothing": { post: pod({ nodeName: "none" }), shows: { "metadata.labels": undefined } },
  "a pod without a node gets nothing": { given: [zoned], post: pod(), shows: { "metadata.labels": undefined } },
  "a dry run shows them": {
    given: [zoned],
    post: pod({ nodeName: "z" }),
    dry: true,
    shows: { "metadata.labels.topology\\.kubernetes\\.io/zone": "z1" },
  },
  "off: nothing": { off: true, given: [zoned], post: pod({ nodeName: "z" }), shows: { "metadata.labels": undefined } },
});

const resize = (cpu: string) => ({
  method: "PATCH",
  path: "/api/v1/namespaces/{ns}/pods/p/resize",
  type: "application/strategic-merge-patch+json",
  body: { spec: { containers: [{ name: "c", resources: { requests: { cpu } } }] } },
});
const big = (name: string, os = "linux", more = {}) =>
  node(name, {
    metadata: { labels: { "kubernetes.io/os": os } },
    status: { allocatable: { cpu: "2", memory: "4Gi" }, capacity: { cpu: "2", memory: "4Gi" }, ...more },
  });
const running = (nodeName: string, resources = { requests: { cpu: "1" } }) =>
  pod({ nodeName, containers: [container(resources)] });

table("PodResizeValidator", true, {
  "a resize that fits": { given: [big("big"), running("big")], request: resize("2") },
  "more than the node has": {
    given: [big("big"), running("big")],
    request: resize("3"),
    says: /Node didn't have enough allocatable resources: cpu, requested: 3000, allocatable: 2000/,
  },
  "another system": {
    given: [big("win", "windows"), running("win")],
    request: resize("2"),
    dry: true,
    says: /pod resize is only supported on linux nodes, node "win" is "windows"/,
  },
  "an absent node": { given: [running("none")], request: resize("2"), says: /node "none" not found/ },
  "a pod without a node": {
    given: [pod({ containers: [container({ requests: { cpu: "1" } })] })],
    request: resize("9"),
  },
  "off: anything": { off: true, given: [big("big"), running("big")], request: resize("3") },
});

const guaranteed = { requests: { cpu: "1", memory: "1Gi" }, limits: { cpu: "1", memory: "1Gi" } };
const resizeBoth = {
  ...resize(""),
  body: { spec: { containers: [{ name: "c", resources: { requests: { cpu: "2" }, limits: { cpu: "2" } } }] } },
};
const declaring = big("able", "linux", { declaredFeatures: ["GuaranteedQoSPodCPUResize"] });

table("NodeDeclaredFeatureValidator", true, {
  "a node that declares the feature": { given: [declaring, running("able", guaranteed)], request: resizeBoth },
  "a node that does not": {
    given: [big("plain"), running("plain", guaranteed)],
    request: resizeBoth,
    says: /pod update requires features GuaranteedQoSPodCPUResize which are not available on node "plain"/,
  },
  "a dry run is refused too": {
    given: [big("plain"), running("plain", guaranteed)],
    request: resizeBoth,
    dry: true,
    says: /requires features GuaranteedQoSPodCPUResize/,
  },
  "other pods need nothing": { given: [big("plain"), running("plain")], request: resize("2") },
  "an update that resizes nothing": {
    given: [big("plain"), running("plain", guaranteed)],
    request: {
      method: "PATCH",
      path: "/api/v1/namespaces/{ns}/pods/p",
      type: "application/merge-patch+json",
      body: { metadata: { labels: { a: "b" } } },
    },
  },
  "off: anything": { off: true, given: [big("plain"), running("plain", guaranteed)], request: resizeBoth },
});
