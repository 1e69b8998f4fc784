/** Admission plugin ResourceQuota: see _table.ts. */
import { container, obj, pod, table } from "./_table.ts";
import type { Loose } from "../../fixture/loose.ts";

/** A quota with its status as the controller would write it. */
const quota = (hard: Loose, used: Loose, rest: Loose = {}, name = "q") =>
  obj("v1", "ResourceQuota", name, { spec: { hard, ...rest }, status: { hard, used } });
const QUOTA = "/api/v1/namespaces/{ns}/resourcequotas/q";
const used = (members: Loose) => ({ [QUOTA]: { "status.used": members } });
const claim = (name: string, storage: string, spec = {}) =>
  obj("v1", "PersistentVolumeClaim", name, {
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } }, ...spec },
  });
const service = (name: string, type: string, ports = 1) =>
  obj("v1", "Service", name, {
    spec: { type, ports: Array.from({ length: ports }, (_, i) => ({ name: `p${i}`, port: 80 + i })) },
  });
const small = container({ requests: { cpu: "500m" }, limits: { memory: "512Mi" } });
const patch = (path: string, body: Loose, type = "application/merge-patch+json") => ({
  method: "PATCH",
  path: `/api/v1/namespaces/{ns}/${path}`,
  type,
  body,
});
const device = obj("resource.k8s.io/v1", "ResourceClaim", "d", {
  spec: { devices: { requests: [{ name: "r", exactly: { deviceClassName: "gpu", count: 2 } }] } },
});
const affine = (term: Loose, which = "podAffinity") => ({
  affinity: {
    [which]: {
      preferredDuringSchedulingIgnoredDuringExecution: [{
        weight: 1,
        podAffinityTerm: { topologyKey: "k", labelSelector: {}, ...term },
      }],
    },
  },
});
const critical = (name: string) => ({
  matchExpressions: [{ scopeName: "PriorityClass", operator: "In", values: [name] }],
});
const controller = {
  selector: { a: "b" },
  template: { metadata: { labels: { a: "b" } }, spec: pod().spec },
};
const LIMITED = `
- name: ResourceQuota
  configuration:
    apiVersion: apiserver.config.k8s.io/v1
    kind: ResourceQuotaConfiguration
    limitedResources:
    - {resource: persistentvolumeclaims, matchContains: [requests.storage]}
    - {resource: services, matchContains: [loadbalancers, nodeports]}
    - {apiGroup: apps, resource: configmaps, matchContains: [configmaps]}
    - {apiGroup: apps, resource: controllerrevisions, matchContains: [count/]}
    - resource: pods
      matchScopes: [{scopeName: PriorityClass, operator: In, values: [system-node-critical]}]
`;

table("ResourceQuota", {
  on: {
    "pods are counted": {
      given: [quota({ pods: "2" }, { pods: "0" })],
      post: pod(),
      after: used({ pods: "1" }),
    },
    "one too many": {
      given: [quota({ pods: "1" }, { pods: "1" })],
      post: pod(),
      says: /^pods "p" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1$/,
      after: used({ pods: "1" }),
    },
    "a quota that is not counted yet": {
      given: [quota({ pods: "5", "count/pods": "5", secrets: "5" }, { pods: "0" })],
      post: pod(),
      says: /status unknown for quota: q, resources: count\/pods,pods$/,
    },
    "what a quota counts must be said": {
      given: [quota({ "requests.cpu": "1", "limits.memory": "1Gi" }, { "requests.cpu": "0", "limits.memory": "0" })],
      post: pod(),
      says: /failed quota: q: must specify limits\.memory for: c; requests\.cpu for: c/,
    },
    "compute resources": {
      given: [quota({ cpu: "1", "limits.memory": "1Gi" }, { cpu: "0", "limits.memory": "0" })],
      post: pod({ containers: [small, { ...small, name: "d" }] }),
      after: used({ cpu: "1", "limits.memory": "1Gi" }),
    },
    "extended resources": {
      given: [quota({ "requests.x.io/gpu": "1" }, { "requests.x.io/gpu": "0" })],
      post: pod({ containers: [container({ limits: { "x.io/gpu": "2" } })] }),
      says: /exceeded quota: q, requested: requests\.x\.io\/gpu=2, used: requests\.x\.io\/gpu=0/,
    },
    "a scope that holds": {
      given: [quota({ pods: "0" }, { pods: "0" }, { scopes: ["BestEffort"] })],
      post: pod(),
      says: /exceeded quota: q/,
    },
    ...Object.fromEntries(
      ([
        ["In", "system-cluster-critical", true],
        ["In", "system-node-critical", false],
        ["In", undefined, false],
        ["NotIn", "system-cluster-critical", false],
        ["NotIn", "system-node-critical", true],
        ["NotIn", undefined, true],
        ["DoesNotExist", "system-node-critical", false],
        ["DoesNotExist", undefined, true],
      ] as const).map(([operator, priorityClassName, within]) => {
        const values = operator === "DoesNotExist" ? [] : ["system-cluster-critical"];
        const matchExpressions = [{ scopeName: "PriorityClass", operator, values }];
        return [`a selector of priority classes, ${operator}, and ${priorityClassName ?? "none"}`, {
          given: [quota({ pods: "0" }, { pods: "0" }, { scopeSelector: { matchExpressions } })],
          post: pod(priorityClassName ? { priorityClassName } : {}),
          ...(within ? { says: /exceeded quota: q/ } : {}),
        }];
      }),
    ),
    ...Object.fromEntries(
      ([
        ["Terminating", { activeDeadlineSeconds: 5 }, {}],
        ["NotTerminating", {}, { activeDeadlineSeconds: 5 }],
        ["NotBestEffort", { containers: [small] }, {}],
        ["PriorityClass", { priorityClassName: "system-cluster-critical" }, {}],
        ["CrossNamespacePodAffinity", affine({ namespaces: ["x"] }), affine({})],
        ["CrossNamespacePodAffinity", affine({ namespaceSelector: {} }, "podAntiAffinity"), affine({})],
      ] as const).flatMap(([scope, within, without], i) =>
        [[within, /exceeded quota: q/], [without, undefined]].map(([spec, says]) => [
          `the scope ${scope}, ${says ? "within" : "without"} (${i})`,
          {
            given: [quota({ pods: "0" }, { pods: "0" }, { scopes: [scope] })],
            post: pod(spec),
            ...(says ? { says } : {}),
          } as Loose,
        ])
      ),
    ),
    "services, node ports, load balancers": {
      given: [
        quota(
          { services: "2", "services.nodeports": "3", "services.loadbalancers": "0" },
          { services: "0", "services.nodeports": "0", "services.loadbalancers": "0" },
        ),
      ],
      post: service("s", "NodePort", 2),
      after: used({ services: "1", "services.nodeports": "2", "services.loadbalancers": "0" }),
    },
    "an update that needs more": {
      given: [service("s", "ClusterIP"), quota({ "services.nodeports": "0" }, { "services.nodeports": "0" })],
      request: patch("services/s", { spec: { type: "NodePort" } }),
      says: /exceeded quota: q, requested: services\.nodeports=1/,
    },
    "storage, by class": {
      given: [
        quota(
          { "gold.storageclass.storage.k8s.io/requests.storage": "1Gi", "requests.storage": "10Gi" },
          { "gold.storageclass.storage.k8s.io/requests.storage": "0", "requests.storage": "0" },
        ),
      ],
      post: claim("c", "2Gi", { storageClassName: "gold" }),
      says: /requested: gold\.storageclass\.storage\.k8s\.io\/requests\.storage=2Gi/,
    },
    "devices, by class": {
      given: [
        quota(
          { "gpu.deviceclass.resource.k8s.io/devices": "1" },
          { "gpu.deviceclass.resource.k8s.io/devices": "0" },
        ),
      ],
      post: device,
      says: /requested: gpu\.deviceclass\.resource\.k8s\.io\/devices=2/,
    },
    "devices at worst: of alternatives the most, of all as many as there may be": {
      given: [
        quota(
          { "gpu.deviceclass.resource.k8s.io/devices": "1" },
          { "gpu.deviceclass.resource.k8s.io/devices": "0" },
        ),
      ],
      post: obj("resource.k8s.io/v1", "ResourceClaim", "d", {
        spec: {
          devices: {
            requests: [
              {
                name: "r",
                firstAvailable: [1, 3, 2].map((n) => ({ name: `a${n}`, deviceClassName: "gpu", count: n })),
              },
              { name: "s", exactly: { deviceClassName: "gpu", allocationMode: "All" } },
            ],
          },
        },
      }),
      says: /requested: gpu\.deviceclass\.resource\.k8s\.io\/devices=35/,
    },
    "devices, by the extended resource that the class stands for": {
      given: [
        obj("resource.k8s.io/v1", "DeviceClass", "gpu", { spec: { extendedResourceName: "x.io/gpu" } }),
        quota(
          { "requests.x.io/gpu": "3", "requests.deviceclass.resource.kubernetes.io/gpu": "1" },
          { "requests.x.io/gpu": "0", "requests.deviceclass.resource.kubernetes.io/gpu": "0" },
        ),
      ],
      post: device,
      says: /requested: requests\.deviceclass\.resource\.kubernetes\.io\/gpu=2, used: [^,]*=0, limited: [^,]*=1$/,
    },
    "a pod that asks for a device class by name": {
      given: [
        quota(
          { "requests.deviceclass.resource.kubernetes.io/gpu": "1" },
          { "requests.deviceclass.resource.kubernetes.io/gpu": "0" },
        ),
      ],
      post: pod({ containers: [container({ limits: { "deviceclass.resource.kubernetes.io/gpu": "2" } })] }),
      says: /exceeded quota: q, requested: requests\.deviceclass\.resource\.kubernetes\.io\/gpu=2/,
    },
    "objects of any kind": {
      given: [
        quota({ "count/deployments.apps": "0", configmaps: "9" }, { "count/deployments.apps": "0", configmaps: "0" }),
      ],
      post: obj("apps/v1", "Deployment", "d", {
        spec: {
          selector: { matchLabels: { a: "b" } },
          template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } },
        },
      }),
      says: /exceeded quota: q, requested: count\/deployments\.apps=1, used: count\/deployments\.apps=0/,
    },
    "several quotas: refused by one, charged by none": {
      given: [
        quota({ pods: "5" }, { pods: "0" }),
        quota({ "count/pods": "0" }, { "count/pods": "0" }, {}, "z"),
      ],
      post: pod(),
      says: /exceeded quota: z/,
      after: used({ pods: "0" }),
    },
  },
  edge: {
    "a quota without status bounds nothing": {
      given: [obj("v1", "ResourceQuota", "q", { spec: { hard: { pods: "0" } } })],
      post: pod(),
    },
    "an update is charged for what it adds": {
      given: [service("s", "NodePort", 2), quota({ "services.nodeports": "3" }, { "services.nodeports": "2" })],
      request: patch("services/s", { spec: { ports: [80, 81, 82].map((port) => ({ name: `p${port}`, port })) } }),
      after: used({ "services.nodeports": "3" }),
    },
    "what an update takes less is not given back at once": {
      given: [service("s", "NodePort", 2), quota({ "services.nodeports": "3" }, { "services.nodeports": "2" })],
      request: patch("services/s", { spec: { ports: [{ name: "p", port: 80 }] } }),
      after: used({ "services.nodeports": "2" }),
    },
    "an update that brings a pod into a scope is charged for all of it": {
      given: [pod(), quota({ pods: "1" }, { pods: "0" }, { scopes: ["Terminating"] })],
      request: patch("pods/p", { spec: { activeDeadlineSeconds: 60 } }),
      after: used({ pods: "1" }),
    },
    "an update that brings a pod into a scope that is full": {
      given: [pod(), quota({ pods: "0" }, { pods: "0" }, { scopes: ["Terminating"] })],
      request: patch("pods/p", { spec: { activeDeadlineSeconds: 1 } }),
      says: /exceeded quota: q, requested: pods=1/,
    },
    "what a volume was given beyond what its claim asks for is charged, whatever is allowed": {
      given: [claim("c", "1Gi"), quota({ "requests.storage": "1Gi" }, { "requests.storage": "1Gi" })],
      request: patch("persistentvolumeclaims/c/status", { status: { allocatedResources: { storage: "2Gi" } } }),
      after: used({ "requests.storage": "2Gi" }),
    },
    "a claim that comes into a class of attributes": {
      given: [
        claim("c", "1Gi"),
        quota({ "count/persistentvolumeclaims": "1" }, { "count/persistentvolumeclaims": "0" }, {
          scopeSelector: {
            matchExpressions: [{ scopeName: "VolumeAttributesClass", operator: "In", values: ["gold"] }],
          },
        }),
      ],
      request: patch("persistentvolumeclaims/c/status", {
        status: { modifyVolumeStatus: { targetVolumeAttributesClassName: "gold", status: "Pending" } },
      }),
      after: used({ "count/persistentvolumeclaims": "1" }),
    },
    "a claim whose class stands in its annotation, of a size that is not whole": {
      given: [quota(
        {
          "gold.storageclass.storage.k8s.io/requests.storage": "9",
          "gold.storageclass.storage.k8s.io/persistentvolumeclaims": "9",
        },
        {
          "gold.storageclass.storage.k8s.io/requests.storage": "0",
          "gold.storageclass.storage.k8s.io/persistentvolumeclaims": "0",
        },
      )],
      post: {
        ...claim("c", "1500m"),
        metadata: { name: "c", annotations: { "volume.beta.kubernetes.io/storage-class": "gold" } },
      },
      after: used({
        "gold.storageclass.storage.k8s.io/persistentvolumeclaims": "1",
        "gold.storageclass.storage.k8s.io/requests.storage": "2",
      }),
    },
    ...Object.fromEntries(
      ([
        ["secrets", obj("v1", "Secret", "s")],
        ["count/secrets", obj("v1", "Secret", "s")],
        ["resourcequotas", obj("v1", "ResourceQuota", "other")],
        ["replicationcontrollers", obj("v1", "ReplicationController", "r", { spec: controller })],
        ["count/persistentvolumeclaims", claim("c", "1Gi")],
        ["count/services", service("s", "ClusterIP")],
      ] as const).map(([name, post]) => [`the name ${name}`, {
        given: [quota({ [name]: "0" }, { [name]: "0" })],
        post,
        says: new RegExp(`exceeded quota: q, requested: ${name}=1, used: ${name}=0, limited: ${name}=0$`),
      }]),
    ),
    ...Object.fromEntries(
      ([
        ["count/events", obj("v1", "Event", "e", { involvedObject: { namespace: "{ns}" } })],
        ["count/localsubjectaccessreviews.authorization.k8s.io", {
          ...obj("authorization.k8s.io/v1", "LocalSubjectAccessReview", ""),
          spec: { user: "u", resourceAttributes: { namespace: "{ns}", verb: "get", resource: "pods" } },
        }],
      ] as const).map(([name, post]) => [`nobody counts ${name}`, {
        given: [quota({ [name]: "0" }, { [name]: "0" })],
        post,
      }]),
    ),
    "what is there already changes, however many are allowed": {
      given: [obj("v1", "ConfigMap", "c"), quota({ configmaps: "0" }, { configmaps: "1" })],
      request: patch("configmaps/c", { data: { a: "b" } }),
    },
    "a pod that is resized": {
      given: [
        pod({ containers: [container({ requests: { cpu: "500m" } })] }),
        quota({ "requests.cpu": "1" }, { "requests.cpu": "500m" }),
      ],
      request: patch(
        "pods/p/resize",
        { spec: { containers: [{ name: "c", resources: { requests: { cpu: "2" } } }] } },
        "application/strategic-merge-patch+json",
      ),
      says: /exceeded quota: q, requested: requests\.cpu=1500m, used: requests\.cpu=500m, limited: requests\.cpu=1$/,
    },
    "a pod that says what it needs as a whole": {
      given: [quota({ "requests.cpu": "1" }, { "requests.cpu": "0" })],
      post: pod({ resources: { requests: { cpu: "500m" } } }),
      after: used({ "requests.cpu": "500m" }),
    },
    "storage of a node need not be said": {
      given: [quota({ "requests.ephemeral-storage": "1Gi" }, { "requests.ephemeral-storage": "0" })],
      post: pod(),
    },
    "containers that come first must say it, too": {
      given: [quota({ "limits.memory": "1Gi" }, { "limits.memory": "0" })],
      post: pod({ containers: [small], initContainers: [container({}, "first")] }),
      says: /failed quota: q: must specify limits\.memory for: first$/,
    },
    "large pages": {
      given: [
        quota(
          { "hugepages-2Mi": "4Mi", "requests.hugepages-2Mi": "4Mi" },
          { "hugepages-2Mi": "0", "requests.hugepages-2Mi": "0" },
        ),
      ],
      post: pod({ containers: [container({ requests: { cpu: "1" }, limits: { "hugepages-2Mi": "2Mi" } })] }),
      after: used({ "hugepages-2Mi": "2Mi", "requests.hugepages-2Mi": "2Mi" }),
    },
    "an affinity across namespaces that is required": {
      given: [quota({ pods: "0" }, { pods: "0" }, { scopes: ["CrossNamespacePodAffinity"] })],
      post: pod({
        affinity: {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { topologyKey: "k", labelSelector: {} },
              { topologyKey: "k", labelSelector: {}, namespaces: ["x"] },
            ],
          },
        },
      }),
      says: /exceeded quota: q/,
    },
    ...Object.fromEntries(
      ([["all", undefined, "2"], ["those that are named", false, "1"]] as const).map(([what, allocate, ports]) => [
        `node ports of a load balancer: ${what}`,
        {
          given: [
            quota(
              { "services.nodeports": "9", "services.loadbalancers": "9" },
              { "services.nodeports": "0", "services.loadbalancers": "0" },
            ),
          ],
          post: obj("v1", "Service", "s", {
            spec: {
              type: "LoadBalancer",
              ...(allocate === undefined ? {} : { allocateLoadBalancerNodePorts: allocate }),
              ports: [
                { name: "a", port: 80, ...(allocate === undefined ? {} : { nodePort: 30500 }) },
                { name: "b", port: 81 },
              ],
            },
          }),
          after: used({ "services.nodeports": ports, "services.loadbalancers": "1" }),
        },
      ]),
    ),
    "a scope that does not hold": {
      given: [quota({ pods: "0" }, { pods: "0" }, { scopes: ["NotBestEffort"] })],
      post: pod(),
    },
  },
  config: {
    "what is limited needs a quota": {
      config: LIMITED,
      post: claim("c", "1Gi"),
      says: /insufficient quota to consume: requests\.storage/,
    },
    "what is limited has one": {
      config: LIMITED,
      given: [quota({ "requests.storage": "1Gi" }, { "requests.storage": "0" })],
      post: claim("c", "1Gi"),
    },
    "what is limited has one that is used up": {
      config: LIMITED,
      given: [quota({ "requests.storage": "1Gi" }, { "requests.storage": "0" })],
      post: claim("c", "2Gi"),
      says: /exceeded quota: q, requested: requests\.storage=2Gi/,
    },
    "what is limited, of another group": {
      config: LIMITED,
      post: obj("v1", "ConfigMap", "c"),
    },
    "what is limited, of a group": {
      config: LIMITED,
      post: obj("apps/v1", "ControllerRevision", "r", { revision: 1, data: {} }),
      says: /insufficient quota to consume: count\/controllerrevisions\.apps$/,
    },
    "what is limited and not used": {
      config: LIMITED,
      post: service("s", "ClusterIP"),
    },
    "all that is limited and has no quota is told": {
      config: LIMITED,
      given: [quota({ services: "9" }, { services: "0" })],
      post: service("s", "LoadBalancer"),
      says: /insufficient quota to consume: services\.loadbalancers,services\.nodeports$/,
    },
    "a limited scope needs a quota": {
      config: LIMITED,
      post: pod({ priorityClassName: "system-node-critical" }),
      says: /insufficient quota to match these scopes: \[\{PriorityClass In \[system-node-critical\]\}\]/,
    },
    "a limited scope has one": {
      config: LIMITED,
      given: [quota({ pods: "9" }, { pods: "0" }, { scopeSelector: critical("system-node-critical") })],
      post: pod({ priorityClassName: "system-node-critical" }),
      after: used({ pods: "1" }),
    },
    "a limited scope has one for others": {
      config: LIMITED,
      given: [quota({ pods: "9" }, { pods: "0" }, { scopeSelector: critical("system-cluster-critical") })],
      post: pod({ priorityClassName: "system-node-critical" }),
      says: /insufficient quota to match these scopes/,
    },
    "a scope that is not limited": {
      config: LIMITED,
      post: pod({ priorityClassName: "system-cluster-critical" }),
    },
  },
  dryRun: {
    "a dry run is judged and charges nothing": {
      given: [quota({ pods: "1" }, { pods: "0" })],
      post: pod(),
      after: used({ pods: "0" }),
    },
    "a dry run is refused too": {
      given: [quota({ pods: "1" }, { pods: "1" })],
      post: pod(),
      says: /exceeded quota: q/,
    },
  },
  off: {
    "as many as come": { given: [quota({ pods: "0" }, { pods: "0" })], post: pod() },
  },
});
