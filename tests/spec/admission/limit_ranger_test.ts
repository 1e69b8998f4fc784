/** Admission plugin LimitRanger: see _table.ts. */
import { container, obj, pod, table } from "./_table.ts";

const range = (...limits: unknown[]) => obj("v1", "LimitRange", "l", { spec: { limits } });
const defaults = range({
  type: "Container",
  default: { cpu: "2", memory: "1Gi" },
  defaultRequest: { cpu: "1" },
});
const bounds = range({ type: "Container", min: { cpu: "100m" }, max: { cpu: "1" } });
const asks = (requests: unknown, limits: unknown = {}) => pod({ containers: [container({ requests, limits })] });

table("LimitRanger", {
  on: {
    "what the pod asks for as a whole follows its containers' defaults": {
      given: [defaults],
      post: pod({ resources: { limits: { cpu: "2" } } }),
      shows: { "spec.resources": { limits: { cpu: "2" }, requests: { cpu: "2", memory: "1Gi" } } },
    },
    "a pod's own bounds hold for what it asks for as a whole": {
      given: [range({ type: "Pod", max: { cpu: "1" } })],
      post: pod({ resources: { limits: { cpu: "2" } } }),
      says: /maximum cpu usage per Pod is 1, but limit is 2/,
    },
    "defaults are filled in, and said": {
      given: [defaults],
      post: pod(),
      shows: {
        "spec.containers.0.resources.limits": { cpu: "2", memory: "1Gi" },
        "spec.containers.0.resources.requests": { cpu: "1", memory: "1Gi" },
        "metadata.annotations.kubernetes\\.io/limit-ranger":
          "LimitRanger plugin set: cpu, memory request for container c; cpu, memory limit for container c",
      },
    },
    "too little": {
      given: [bounds],
      post: asks({ cpu: "50m" }, { cpu: "1" }),
      says: /^pods "p" is forbidden: minimum cpu usage per Container is 100m, but request is 50m$/,
    },
    "too much": {
      given: [bounds],
      post: asks({ cpu: "200m" }, { cpu: "2" }),
      says: /maximum cpu usage per Container is 1, but limit is 2/,
    },
    "several faults stand in brackets": {
      given: [range({ type: "Container", min: { cpu: "1", memory: "1Gi" } })],
      post: asks({ cpu: "500m", memory: "1Mi" }),
      says: /is forbidden: \[minimum cpu usage per Container is 1, but request is 500m, minimum memory usage per/,
    },
    "a ratio": {
      given: [range({ type: "Container", maxLimitRequestRatio: { cpu: "2" } })],
      post: asks({ cpu: "1" }, { cpu: "3" }),
      says: /cpu max limit to request ratio per Container is 2, but provided ratio is 3\.000000/,
    },
    "a pod as a whole": {
      given: [range({ type: "Pod", max: { cpu: "1" } })],
      post: pod({ containers: [container({ limits: { cpu: "600m" } }), container({ limits: { cpu: "600m" } }, "d")] }),
      says: /maximum cpu usage per Pod is 1, but limit is 1200m/,
    },
    "claims": {
      given: [range({ type: "PersistentVolumeClaim", max: { storage: "1Gi" }, min: { storage: "1Mi" } })],
      post: obj("v1", "PersistentVolumeClaim", "c", {
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "2Gi" } } },
      }),
      says: /maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 2Gi/,
    },
  },
  edge: {
    "a ratio that is just what it may be": {
      given: [range({ type: "Container", maxLimitRequestRatio: { cpu: "7" } })],
      post: asks({ cpu: "9m" }, { cpu: "63m" }),
    },
    "a ratio of amounts whose thousandths are too large to count": {
      given: [range({ type: "Container", maxLimitRequestRatio: { memory: "2" } })],
      post: asks({ memory: "4Ei" }, { memory: "7Ei" }),
    },
    "containers that come first get defaults, too": {
      given: [defaults],
      post: pod({ initContainers: [container({}, "first")] }),
      shows: {
        "spec.initContainers.0.resources.limits": { cpu: "2", memory: "1Gi" },
        "metadata.annotations.kubernetes\\.io/limit-ranger":
          "LimitRanger plugin set: cpu, memory request for container c; " +
          "cpu, memory limit for container c; cpu, memory request for init container first; " +
          "cpu, memory limit for init container first",
      },
    },
    "and are held to the bounds": {
      given: [bounds],
      post: pod({
        initContainers: [container({ limits: { cpu: "2" } }, "first")],
        containers: [container({ limits: { cpu: "1" } })],
      }),
      says: /maximum cpu usage per Container is 1, but limit is 2/,
    },
    "a limit of some containers that is less than the least of all": {
      given: [range({ type: "Pod", min: { cpu: "100m" } })],
      post: pod({
        containers: [container({ requests: { cpu: "200m" } }), container({ limits: { cpu: "50m" } }, "d")],
      }),
      says: /minimum cpu usage per Pod is 100m, but limit is 50m/,
    },
    "requests of some containers that are more than the most of all": {
      given: [range({ type: "Pod", max: { cpu: "1" } })],
      post: pod({ containers: [container({ requests: { cpu: "2" } }), container({ limits: { cpu: "500m" } }, "d")] }),
      says: /maximum cpu usage per Pod is 1, but request is 2500m/,
    },
    "no limit where a most is said": {
      given: [range({ type: "Pod", max: { cpu: "1" } })],
      post: pod(),
      says: /maximum cpu usage per Pod is 1\. {2}No limit is specified/,
    },
    "a claim is not held to the bounds of containers": {
      given: [bounds],
      post: obj("v1", "PersistentVolumeClaim", "c", {
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "2Gi" } } },
      }),
    },
    "a pod that is resized": {
      given: [asks({ cpu: "500m" }, { cpu: "500m" }), bounds],
      request: {
        method: "PATCH",
        path: "/api/v1/namespaces/{ns}/pods/p/resize",
        type: "application/strategic-merge-patch+json",
        body: { spec: { containers: [{ name: "c", resources: { requests: { cpu: "2" }, limits: { cpu: "2" } } }] } },
      },
      status: 403,
      says: /maximum cpu usage per Container is 1, but limit is 2/,
    },
    "exactly at the bounds": { given: [bounds], post: asks({ cpu: "100m" }, { cpu: "1" }) },
    "no request where a least is asked for": {
      given: [range({ type: "Pod", min: { cpu: "100m" } })],
      post: pod(),
      says: /minimum cpu usage per Pod is 100m\. {2}No request is specified/,
    },
  },
  dryRun: {
    "what the pod says stays, in a dry run": {
      given: [defaults],
      post: asks({ cpu: "1500m" }, { cpu: "3", memory: "2Gi" }),
      shows: { "spec.containers.0.resources.limits.cpu": "3", "spec.containers.0.resources.requests.cpu": "1500m" },
    },
  },
  off: {
    "nothing is filled in or refused": {
      given: [bounds],
      post: asks({ cpu: "50m" }),
      shows: { "spec.containers.0.resources.limits": undefined },
    },
  },
});
