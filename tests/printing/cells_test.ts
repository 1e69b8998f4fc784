/** Cells by example, in the project's own table: a resource, an object in its stored shape, what its row shows. */
import { deepEqual, equal } from "node:assert/strict";
import type { Obj } from "../../schema/model/types.ts";
import { productOf } from "../../schema/product.ts";
import { DEFAULT_PRINTER } from "../../server/printing/default.ts";
import { printersOf } from "../../server/printing/mod.ts";
import { Age, type Cell } from "../../server/printing/types.ts";

const NOW = Date.parse("2026-01-01T02:00:00Z");
const META = { name: "a", creationTimestamp: "2026-01-01T00:00:00Z" };
const PRINTERS = printersOf(productOf("kubernetes"));

interface Case {
  readonly resource: string;
  readonly object: Record<string, unknown>;
  /** Cells by column name. */
  readonly shows: Record<string, Cell>;
}

const running = { running: { startedAt: "2026-01-01T00:00:00Z" } };
const ended = (exitCode: number, reason = "") => ({
  terminated: { exitCode, reason, finishedAt: "2026-01-01T01:55:00Z" },
});
const waiting = (reason: string) => ({ waiting: { reason } });
const container = (name: string, more = {}) => ({ name, image: `${name}:1`, ...more });
const pod = (spec: object, status: object, meta: object = {}) => ({ metadata: { ...META, ...meta }, spec, status });
const two = { containers: [container("a"), container("b")] };
const LATER = "2026-01-01T01:00:00Z";
const endedAt = (finishedAt: string) => ({ terminated: { exitCode: 1, finishedAt } });

const CASES: readonly Case[] = [
  {
    resource: "pods",
    object: pod(two, {
      phase: "Running",
      podIPs: [{ ip: "10.1.0.1" }, { ip: "fd00::1" }],
      containerStatuses: [
        { name: "a", ready: true, restartCount: 0, state: running },
        { name: "b", ready: false, restartCount: 3, state: waiting("CrashLoopBackOff"), lastState: ended(1, "Error") },
      ],
    }),
    shows: { Ready: "1/2", Status: "CrashLoopBackOff", Restarts: "3 (5m ago)", IP: "10.1.0.1", Node: "<none>" },
  },
  {
    resource: "pods",
    object: pod(two, {
      phase: "Running",
      conditions: [{ type: "Ready", status: "False" }],
      containerStatuses: [
        { name: "a", ready: false, restartCount: 0, state: ended(0, "Completed") },
        { name: "b", ready: true, restartCount: 0, state: running },
      ],
    }),
    shows: { Ready: "1/2", Status: "NotReady", Restarts: "0", Age: "120m" },
  },
  {
    resource: "pods",
    object: pod(
      { ...two, initContainers: [container("i"), container("j")] },
      {
        phase: "Pending",
        initContainerStatuses: [
          { name: "i", restartCount: 2, state: ended(0, "Completed"), lastState: ended(3) },
          { name: "j", restartCount: 0, state: waiting("PodInitializing") },
        ],
      },
    ),
    shows: { Ready: "0/2", Status: "Init:1/2", Restarts: "2 (5m ago)" },
  },
  {
    resource: "pods",
    object: pod(
      { ...two, initContainers: [container("i")] },
      { phase: "Pending", initContainerStatuses: [{ name: "i", restartCount: 1, state: ended(3) }] },
    ),
    shows: { Status: "Init:ExitCode:3", Restarts: "1" },
  },
  {
    resource: "pods",
    object: pod(
      { ...two, initContainers: [container("s", { restartPolicy: "Always" })] },
      {
        phase: "Running",
        initContainerStatuses: [{ name: "s", ready: true, started: true, restartCount: 1, state: running }],
        containerStatuses: [
          { name: "a", ready: true, restartCount: 0, state: running },
          { name: "b", ready: true, restartCount: 1, state: running },
        ],
      },
    ),
    shows: { Ready: "3/3", Status: "Running", Restarts: "2" },
  },
  {
    resource: "pods",
    object: pod(two, { phase: "Running" }, { deletionTimestamp: LATER }),
    shows: { Status: "Terminating" },
  },
  {
    resource: "pods",
    object: pod(two, { phase: "Running", reason: "NodeLost" }, { deletionTimestamp: LATER }),
    shows: { Status: "Unknown" },
  },
  {
    resource: "pods",
    object: pod(two, { phase: "Failed", reason: "Evicted" }, { deletionTimestamp: LATER }),
    shows: { Status: "Evicted" },
  },
  {
    resource: "pods",
    object: pod(
      { ...two, nodeName: "n", readinessGates: [{ conditionType: "x" }, { conditionType: "y" }] },
      { phase: "Pending", conditions: [{ type: "x", status: "True" }], nominatedNodeName: "m" },
    ),
    shows: { Node: "n", "Nominated Node": "m", "Readiness Gates": "1/2" },
  },
  {
    resource: "pods",
    object: pod(
      { ...two, initContainers: [container("i"), container("s", { restartPolicy: "Always" })] },
      {
        phase: "Running",
        conditions: [{ type: "Ready", status: "False" }, { type: "Initialized", status: "True" }],
        initContainerStatuses: [
          { name: "i", restartCount: 4, state: ended(0), lastState: ended(3) },
          { name: "s", started: true, ready: false, restartCount: 2, state: running, lastState: endedAt(LATER) },
        ],
        containerStatuses: [
          { name: "a", ready: false, restartCount: 0, state: running },
          { name: "b", ready: true, restartCount: 0 },
        ],
      },
    ),
    // What went on before the pod was initialized is history, but for containers that stay.
    shows: { Ready: "0/3", Status: "Running", Restarts: "2 (60m ago)" },
  },
  ...[["2026-01-01T01:55:00Z", LATER], [LATER, "2026-01-01T01:55:00Z"]].map(([a, b]) => ({
    resource: "pods",
    object: pod(two, {
      phase: "Running",
      containerStatuses: [
        { name: "a", restartCount: 1, state: running, lastState: endedAt(a!) },
        { name: "b", restartCount: 1, state: running, lastState: endedAt(b!) },
      ],
    }),
    shows: { Restarts: "2 (5m ago)" },
  })),
  {
    resource: "pods",
    object: pod(two, {
      phase: "Pending",
      conditions: [{ type: "Ready" }, { type: "PodScheduled", status: "False", reason: "SchedulingGated" }],
    }),
    shows: { Status: "SchedulingGated" },
  },
  {
    resource: "pods",
    object: pod(two, {
      phase: "Pending",
      conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable" }],
    }),
    shows: { Status: "Pending" },
  },
  {
    resource: "pods",
    object: pod(two, {
      phase: "Running",
      conditions: [{ type: "Initialized", status: "False" }, { type: "Ready", status: "True" }],
      containerStatuses: [
        { name: "a", ready: false, restartCount: 0, state: ended(0, "Completed") },
        { name: "b", ready: true, restartCount: 0, state: running },
      ],
    }),
    shows: { Ready: "1/2", Status: "Running" },
  },
  {
    resource: "pods",
    object: pod(two, {
      phase: "Succeeded",
      containerStatuses: [
        { name: "a", ready: false, restartCount: 0, state: ended(0, "Completed") },
        { name: "b", ready: false, restartCount: 0, state: ended(1, "Error") },
      ],
    }),
    shows: { Ready: "0/2", Status: "Completed" },
  },
  {
    resource: "pods",
    object: pod(two, {
      phase: "Failed",
      containerStatuses: [{ name: "a", restartCount: 0, state: { terminated: { exitCode: 137, signal: 9 } } }],
    }),
    shows: { Status: "Signal:9" },
  },
  ...[
    [running, "Init:0/1"],
    [waiting("ImagePullBackOff"), "Init:ImagePullBackOff"],
    [{ terminated: { exitCode: 137, signal: 9 } }, "Init:Signal:9"],
    [ended(1, "Error"), "Init:Error"],
  ].map(([state, shown]) => ({
    resource: "pods",
    object: pod(
      { ...two, initContainers: [container("i")] },
      { phase: "Pending", initContainerStatuses: [{ name: "i", started: true, ready: true, restartCount: 0, state }] },
    ),
    shows: { Ready: "0/2", Status: shown as string },
  })),
  {
    resource: "services",
    object: {
      spec: { type: "LoadBalancer", externalIPs: ["9.9.9.9"], ports: [{ port: 80, nodePort: 30080, protocol: "TCP" }] },
      status: { loadBalancer: { ingress: [{ ip: "8.8.8.8" }, { hostname: "a.example" }] } },
    },
    shows: { "External-IP": "8.8.8.8,a.example,9.9.9.9", "Port(s)": "80:30080/TCP", "Cluster-IP": "<none>" },
  },
  {
    resource: "endpoints",
    object: {
      subsets: [{ addresses: [{ ip: "1.1.1.1" }, { ip: "fd00::1" }], ports: [{ port: 80 }, { port: 443 }] }, {
        addresses: [{ ip: "2.2.2.2" }],
      }],
    },
    shows: { Endpoints: "1.1.1.1:80,[fd00::1]:80,1.1.1.1:443 + 2 more..." },
  },
  { resource: "endpoints", object: {}, shows: { Endpoints: "<none>" } },
  {
    resource: "nodes",
    object: {
      metadata: {
        ...META,
        labels: {
          "node-role.kubernetes.io/worker": "",
          "node-role.kubernetes.io/control-plane": "",
          "kubernetes.io/role": "x",
        },
      },
      status: { conditions: [{ type: "Ready", status: "Unknown" }], nodeInfo: { kubeletVersion: "v1.37.0" } },
    },
    shows: { Status: "NotReady", Roles: "control-plane,worker,x", Version: "v1.37.0", "Kernel-Version": "<unknown>" },
  },
  {
    resource: "nodes",
    object: { status: { nodeInfo: { kernelVersion: "6.1", architecture: "arm64" } } },
    shows: { "Kernel-Version": "6.1 (arm64)" },
  },
  {
    resource: "persistentvolumeclaims",
    object: {
      spec: { volumeName: "v", storageClassName: "s", volumeMode: "Block" },
      status: { phase: "Bound", capacity: { storage: "3Gi" }, accessModes: ["ReadWriteMany", "ReadWriteOnce"] },
    },
    shows: { Status: "Bound", Capacity: "3Gi", "Access Modes": "RWO,RWX", VolumeMode: "Block" },
  },
  {
    resource: "persistentvolumes",
    object: {
      metadata: {
        ...META,
        deletionTimestamp: LATER,
        annotations: { "volume.beta.kubernetes.io/storage-class": "old" },
      },
      spec: { capacity: { storage: "1Gi" }, claimRef: { namespace: "n", name: "c" }, storageClassName: "new" },
    },
    shows: { Status: "Terminating", Claim: "n/c", StorageClass: "old" },
  },
  {
    resource: "resourcequotas",
    object: {
      status: { hard: { "limits.cpu": "4", pods: "10", "requests.cpu": "2" }, used: { pods: "3", "limits.cpu": "1" } },
    },
    shows: { Request: "pods: 3/10, requests.cpu: 0/2", Limit: "limits.cpu: 1/4" },
  },
  {
    resource: "events",
    object: {
      involvedObject: { kind: "Pod", name: "p" },
      message: " m\n",
      eventTime: "2026-01-01T01:00:00.000000Z",
      series: { count: 7, lastObservedTime: "2026-01-01T01:58:00.000000Z" },
      reportingComponent: "c",
    },
    shows: { "Last Seen": "2m", Object: "pod/p", Source: "c", Message: "m", "First Seen": "60m", Count: 7 },
  },
  { resource: "events", object: {}, shows: { "Last Seen": "<unknown>", Object: "", Count: 1 } },
  {
    resource: "deployments.apps",
    object: {
      spec: {
        replicas: 3,
        selector: { matchLabels: { b: "c" }, matchExpressions: [{ key: "a", operator: "Exists" }] },
      },
      status: { readyReplicas: 2, updatedReplicas: 1 },
    },
    shows: { Ready: "2/3", "Up-to-date": 1, Available: 0, Selector: "a,b=c" },
  },
  {
    resource: "controllerrevisions.apps",
    object: {
      metadata: {
        ...META,
        ownerReferences: [{ apiVersion: "apps/v1", kind: "DaemonSet", name: "d", controller: true }],
      },
      revision: 4,
    },
    shows: { Controller: "daemonset.apps/d", Revision: 4 },
  },
  {
    resource: "daemonsets.apps",
    object: {
      spec: { template: { spec: { nodeSelector: { z: "1", a: "2" }, containers: [container("x"), container("y")] } } },
      status: { desiredNumberScheduled: 5, numberReady: 4 },
    },
    shows: { Desired: 5, Ready: 4, "Node Selector": "a=2,z=1", Containers: "x,y", Images: "x:1,y:1" },
  },
  {
    resource: "jobs.batch",
    object: { spec: { parallelism: 3 }, status: { succeeded: 1, startTime: "2026-01-01T01:59:00Z" } },
    shows: { Status: "Running", Completions: "1/1 of 3", Duration: "60s" },
  },
  {
    resource: "jobs.batch",
    object: {
      metadata: { ...META, deletionTimestamp: LATER },
      spec: { completions: 2 },
      status: {
        succeeded: 2,
        startTime: "2026-01-01T01:00:00Z",
        completionTime: "2026-01-01T01:30:00Z",
        conditions: [{ type: "Complete", status: "True" }],
      },
    },
    shows: { Status: "Complete", Completions: "2/2", Duration: "30m" },
  },
  {
    resource: "jobs.batch",
    object: { spec: {}, status: { conditions: [{ type: "Suspended", status: "True" }] } },
    shows: { Status: "Suspended", Completions: "0/1", Duration: "" },
  },
  {
    resource: "cronjobs.batch",
    object: { spec: { schedule: "@daily" }, status: { lastScheduleTime: LATER, active: [{}, {}] } },
    shows: { Suspend: "<unset>", Active: 2, "Last Schedule": "60m", Timezone: "<none>" },
  },
  {
    resource: "horizontalpodautoscalers.autoscaling",
    object: {
      spec: {
        scaleTargetRef: { kind: "Deployment", name: "d" },
        maxReplicas: 9,
        metrics: [
          { type: "Resource", resource: { name: "memory", target: { type: "AverageValue", averageValue: "1Gi" } } },
          { type: "External", external: { metric: { name: "q" }, target: { type: "Value", value: "30" } } },
        ],
      },
      status: {
        currentReplicas: 4,
        currentMetrics: [
          { type: "Resource", resource: { name: "memory", current: { averageValue: "512Mi" } } },
          { type: "External", external: { metric: { name: "q" }, current: { value: "12" } } },
        ],
      },
    },
    shows: { Targets: "memory: 512Mi/1Gi, 12/30", MinPods: "<unset>", MaxPods: 9, Replicas: 4 },
  },
  { resource: "horizontalpodautoscalers.autoscaling", object: { spec: {} }, shows: { Targets: "<none>" } },
  {
    resource: "ingresses.networking.k8s.io",
    object: { spec: { rules: [{ host: "a" }, { host: "b" }, {}, { host: "c" }, { host: "d" }, {}] } },
    shows: { Hosts: "a,b,c + 3 more...", Ports: "80", Class: "<none>" },
  },
  {
    resource: "endpointslices.discovery.k8s.io",
    object: {
      addressType: "IPv4",
      ports: [{ port: 1 }, { name: "x" }, {}, { port: 4 }],
      endpoints: [{ addresses: ["1.1.1.1", "1.1.1.2"] }],
    },
    shows: { Ports: "1,x,* + 1 more...", Endpoints: "1.1.1.1,1.1.1.2" },
  },
  {
    resource: "certificatesigningrequests.certificates.k8s.io",
    object: {
      spec: { signerName: "x.io/y", expirationSeconds: 86400 },
      status: { conditions: [{ type: "Approved", status: "True" }], certificate: "LS0t" },
    },
    shows: { Condition: "Approved,Issued", RequestedDuration: "24h" },
  },
  {
    resource: "certificatesigningrequests.certificates.k8s.io",
    object: { spec: {}, status: { conditions: [{ type: "Denied" }, { type: "Failed" }] } },
    shows: { Condition: "Denied,Failed", SignerName: "<none>" },
  },
  {
    resource: "ingressclasses.networking.k8s.io",
    object: { metadata: { ...META, annotations: { "ingressclass.kubernetes.io/is-default-class": "true" } } },
    shows: { Name: "a (default)", Parameters: "<none>" },
  },
  {
    resource: "storageclasses.storage.k8s.io",
    object: { metadata: { ...META, annotations: { "storageclass.kubernetes.io/is-default-class": "true" } } },
    shows: { Name: "a (default)", ReclaimPolicy: "Delete", AllowVolumeExpansion: false },
  },
  {
    resource: "apiservices.apiregistration.k8s.io",
    object: {
      spec: { service: { namespace: "n", name: "s" } },
      status: { conditions: [{ type: "Available", status: "False", reason: "NoEndpoints" }] },
    },
    shows: { Service: "n/s", Available: "False (NoEndpoints)" },
  },
  {
    resource: "resourceclaims.resource.k8s.io",
    object: { status: { allocation: {}, reservedFor: [{}] } },
    shows: { State: "allocated,reserved" },
  },
  {
    resource: "resourceclaims.resource.k8s.io",
    object: { metadata: { ...META, deletionTimestamp: LATER } },
    shows: { State: "deleted" },
  },
  {
    resource: "resourcepoolstatusrequests.resource.k8s.io",
    object: {
      spec: { driver: "d" },
      status: {
        poolCount: 2,
        pools: [{ totalDevices: 4, allocatedDevices: 1 }, { validationError: "bad" }],
        conditions: [{ type: "Complete", status: "True", lastTransitionTime: LATER }],
      },
    },
    shows: { Total: "4", Allocated: "1", Errors: "1", Pools: 2, Status: "Complete", Completed: "60m" },
  },
  {
    resource: "storageversionmigrations.storagemigration.k8s.io",
    object: {
      spec: { resource: { group: "apps", resource: "deployments" } },
      status: { conditions: [{ type: "Running", status: "False" }, { type: "Succeeded", status: "True" }] },
    },
    shows: { Resource: "deployments.apps", Status: "Succeeded" },
  },
  {
    resource: "storageversions.internal.apiserver.k8s.io",
    object: { status: { storageVersions: [{ apiServerID: "i", encodingVersion: "v1" }] } },
    shows: { StorageVersions: "i=v1", CommonEncodingVersion: "<unset>" },
  },
  {
    resource: "rolebindings.rbac.authorization.k8s.io",
    object: {
      roleRef: { kind: "Role", name: "r" },
      subjects: [{ kind: "User", name: "u" }, { kind: "User", name: "v" }, {
        kind: "ServiceAccount",
        namespace: "n",
        name: "s",
      }],
    },
    shows: { Role: "Role/r", Users: "u, v", Groups: "", ServiceAccounts: "n/s" },
  },
  {
    resource: "validatingadmissionpolicybindings.admissionregistration.k8s.io",
    object: { spec: { policyName: "p", paramRef: { name: "x" } } },
    shows: { ParamRef: "*/x" },
  },
  {
    resource: "podgroups.scheduling.k8s.io",
    object: {
      spec: { schedulingPolicy: { basic: {} }, workloadRef: { workloadName: "w" } },
      status: { conditions: [{ type: "PodGroupInitiallyScheduled", status: "True" }] },
    },
    shows: { Policy: "Basic", Workload: "w", Status: "Scheduled" },
  },
  {
    resource: "compositepodgroups.scheduling.k8s.io",
    object: { spec: { schedulingPolicy: { gang: { minGroupCount: 2 } }, workloadRef: { workloadName: "w" } } },
    shows: { Policy: "Gang", Workload: "w", Age: "120m" },
  },
  {
    resource: "evictionrequests.lifecycle.k8s.io",
    object: {
      spec: { target: { pod: { name: "p", uid: "u" } }, requester: "a.io/b", intent: "Withdrawn" },
      status: { observedGeneration: 1, conditions: [{ type: "Failed", status: "False", reason: "R" }] },
    },
    shows: { Target: "p", "Target Type": "Pod", Status: "Progressing", Requester: "a.io/b", Intent: "Withdrawn" },
  },
  {
    resource: "evictions.lifecycle.k8s.io",
    object: { spec: { target: { pod: { name: "p", uid: "u" } } }, status: {} },
    shows: {
      Status: "Pending",
      "Active Responder": "<unset> (0/0)",
      "Responder Status": "<unset>",
      "Responder Expected Finish": "<unknown>",
      Requesters: "<none>",
      "Responder Heartbeat": "<unset>",
      "Responder Status Message": "<unset>",
    },
  },
  {
    resource: "evictions.lifecycle.k8s.io",
    object: {
      spec: { target: { pod: { name: "p", uid: "u" } } },
      status: {
        requesters: ["a.io/a", "a.io/b", "a.io/c"].map((name, i) => ({
          name,
          intent: i === 1 ? "Withdrawn" : "Eviction",
        })),
        targetResponders: [
          { name: "r.io/b", priority: 1000, state: "Active" },
          { name: "r.io/a", priority: 2000, state: "Completed" },
        ],
        responders: [{
          name: "r.io/b",
          startTime: LATER,
          heartbeatTime: LATER,
          expectedCompletionTime: "2026-01-01T02:16:00Z",
          message: "working",
        }],
      },
    },
    shows: {
      "Active Responder": "r.io/b (2/2)",
      "Responder Status": "Started (60m ago)",
      "Responder Expected Finish": "in 16m",
      Requesters: "a.io/a + 1 more...",
      "Responder Heartbeat": "60m ago",
      "Responder Status Message": "working",
    },
  },
  {
    resource: "evictions.lifecycle.k8s.io",
    object: {
      spec: { target: { pod: { name: "p", uid: "u" } } },
      status: {
        conditions: [{ type: "Failed", status: "True", reason: "X" }, {
          type: "TargetEvicted",
          status: "True",
          reason: "PodDeleted",
        }],
        targetResponders: [
          { name: "r.io/a", priority: 2000, state: "Completed" },
          { name: "r.io/b", priority: 1000, state: "Inactive" },
        ],
        responders: [{ name: "r.io/a", startTime: LATER, completionTime: LATER, expectedCompletionTime: LATER }],
      },
    },
    shows: {
      Status: "TargetEvicted (PodDeleted)",
      "Active Responder": "r.io/a (1/2)",
      "Responder Status": "Completed (60m ago)",
      "Responder Expected Finish": "-",
    },
  },
  {
    resource: "evictions.lifecycle.k8s.io",
    object: {
      spec: {},
      status: {
        targetResponders: [{ name: "r.io/a", priority: 2000, state: "Active" }],
        responders: [{ name: "r.io/a", startTime: LATER, expectedCompletionTime: LATER }],
      },
    },
    shows: { "Responder Expected Finish": "60m ago" },
  },
  {
    resource: "componentstatuses",
    object: { conditions: [{ type: "Healthy", status: "True", message: "ok" }] },
    shows: { Status: "Healthy", Message: "ok", Error: "" },
  },
  ...[
    ["ClusterIP", {}, "<none>"],
    ["NodePort", { externalIPs: ["9.9.9.9", "9.9.9.8"] }, "9.9.9.9,9.9.9.8"],
    ["LoadBalancer", {}, "<pending>"],
    ["ExternalName", { externalName: "a.example", externalIPs: ["9.9.9.9"] }, "a.example"],
    ["Other", {}, "<unknown>"],
  ].map(([type, more, shown]) => ({
    resource: "services",
    object: { spec: { type, clusterIPs: ["10.0.0.9", "fd00::9"], ports: [{ port: 80 }], ...more as object } },
    shows: { Type: type as string, "Cluster-IP": "10.0.0.9", "External-IP": shown as string, "Port(s)": "80/TCP" },
  })),
  {
    resource: "controllerrevisions.apps",
    object: {
      metadata: {
        ...META,
        ownerReferences: [{ apiVersion: "apps/v1", kind: "DaemonSet", name: "d" }, {
          apiVersion: "v1",
          kind: "ReplicationController",
          name: "r",
          controller: true,
        }],
      },
    },
    shows: { Controller: "replicationcontroller/r", Revision: 0 },
  },
  { resource: "controllerrevisions.apps", object: {}, shows: { Controller: "<none>" } },
  {
    resource: "jobs.batch",
    object: {
      metadata: { ...META, deletionTimestamp: LATER },
      spec: { parallelism: 1 },
      status: { conditions: [{ type: "Suspended", status: "True" }, { type: "Failed", status: "False" }] },
    },
    shows: { Status: "Terminating", Completions: "0/1" },
  },
  ...[
    [
      { object: { target: { value: "7" } } },
      { object: { current: { value: "5" } } },
      "5/7",
    ],
    [{ object: { target: { value: "7" } } }, undefined, "<unknown>/7"],
    [
      { external: { target: { averageValue: "7" } } },
      { external: { current: { averageValue: "5", value: "9" } } },
      "5/7 (avg)",
    ],
    [{ external: { target: { averageValue: "7" } } }, { external: { current: { value: "9" } } }, "<unknown>/7 (avg)"],
    [{ pods: { target: { averageValue: "7" } } }, { pods: { current: { averageValue: "5" } } }, "5/7"],
    [{ pods: { target: { averageValue: "7" } } }, undefined, "<unknown>/7"],
    [
      { resource: { name: "cpu", target: { averageUtilization: 80 } } },
      { resource: { name: "cpu", current: { averageUtilization: 0 } } },
      "cpu: 0%/80%",
    ],
    [{ resource: { name: "cpu", target: {} } }, undefined, "cpu: <unknown>/<auto>"],
    [
      { containerResource: { name: "cpu", container: "c", target: { averageValue: "1" } } },
      { containerResource: { name: "cpu", container: "c", current: { averageValue: "500m" } } },
      "cpu: 500m/1",
    ],
    [{}, undefined, "<unknown type>"],
  ].map(([target, current, shown]) => ({
    resource: "horizontalpodautoscalers.autoscaling",
    object: {
      spec: { minReplicas: 2, metrics: [target] },
      status: { currentMetrics: current ? [current] : [] },
    },
    shows: { Targets: shown as string, MinPods: "2" },
  })),
  {
    resource: "horizontalpodautoscalers.autoscaling",
    object: { spec: { metrics: [1, 2, 3, 4].map((n) => ({ object: { target: { value: `${n}` } } })) } },
    shows: { Targets: "<unknown>/1, <unknown>/2 + 2 more..." },
  },
  {
    resource: "events",
    object: { involvedObject: { kind: "Node" }, lastTimestamp: LATER, count: 3, reportingInstance: "h" },
    shows: { "Last Seen": "60m", Object: "node", Source: ", h", "First Seen": "<unknown>", Count: 3 },
  },
  {
    resource: "events",
    object: { source: { component: "c", host: "h" }, firstTimestamp: LATER, reportingComponent: "d" },
    shows: { "Last Seen": "60m", Source: "c, h", "First Seen": "60m" },
  },
  ...[
    [["a", "b", "c"], "a,b,c"],
    [["a", "b", "c", ""], "a,b,c + 1 more..."],
    [["", "a", "", "b"], "a,b"],
    [["", ""], "*"],
  ].map(([named, shown]) => ({
    resource: "ingresses.networking.k8s.io",
    object: {
      spec: { ingressClassName: "x", rules: (named as string[]).map((host) => host ? { host } : {}), tls: [{}] },
      status: { loadBalancer: { ingress: [{ hostname: "z" }, { ip: "9.9.9.9" }, { hostname: "z" }, {}] } },
    },
    shows: { Hosts: shown as string, Ports: "80, 443", Class: "x", Address: "9.9.9.9,z" },
  })),
  ...[
    [{ kind: "K", name: "n" }, "K/n"],
    [{ apiGroup: "g.io", kind: "K", name: "n" }, "K.g.io/n"],
    [{ apiGroup: "", kind: "K", name: "n" }, "K./n"],
  ].map(([parameters, shown]) => ({
    resource: "ingressclasses.networking.k8s.io",
    object: { spec: { controller: "c", parameters } },
    shows: { Name: "a", Controller: "c", Parameters: shown as string },
  })),
  ...[
    [{ resource: "Services", namespace: "n", name: "s" }, "services/n/s"],
    [{ group: "g.io", resource: "things", name: "t" }, "things.g.io/t"],
    [undefined, "<none>"],
  ].map(([parentRef, shown]) => ({
    resource: "ipaddresses.networking.k8s.io",
    object: { spec: { parentRef } },
    shows: { ParentRef: shown as string },
  })),
  { resource: "endpointslices.discovery.k8s.io", object: {}, shows: { Ports: "<unset>", Endpoints: "<unset>" } },
  {
    resource: "resourceclaims.resource.k8s.io",
    object: { metadata: { ...META, deletionTimestamp: LATER }, status: { allocation: {} } },
    shows: { State: "deleted,allocated" },
  },
  { resource: "resourceclaims.resource.k8s.io", object: {}, shows: { State: "pending" } },
  {
    resource: "resourcepoolstatusrequests.resource.k8s.io",
    object: {
      spec: { driver: "d" },
      status: {
        pools: [{ availableDevices: 2, unavailableDevices: 3 }, { availableDevices: 1, unavailableDevices: 1 }],
        conditions: [{ type: "Seen", status: "True", lastTransitionTime: META.creationTimestamp }, {
          type: "Complete",
          status: "False",
          lastTransitionTime: META.creationTimestamp,
        }, { type: "Failed", status: "True", lastTransitionTime: LATER }],
      },
    },
    shows: { Total: "0", Available: "3", Unavailable: "4", Pools: 0, Status: "Failed", Completed: "60m" },
  },
  {
    resource: "resourcepoolstatusrequests.resource.k8s.io",
    object: { spec: { driver: "d" } },
    shows: { Total: "-", Errors: "-", Status: "Pending", Completed: "<none>" },
  },
  {
    resource: "evictionrequests.lifecycle.k8s.io",
    object: { spec: { target: {} } },
    shows: { Target: "", "Target Type": "", Status: "Pending" },
  },
  {
    resource: "evictions.lifecycle.k8s.io",
    object: {
      spec: {},
      status: {
        targetResponders: [
          { name: "r.io/a", priority: 1000, state: "Canceled" },
          { name: "r.io/b", priority: 3000, state: "Active" },
          { name: "r.io/c", priority: 2000, state: "Completed" },
        ],
      },
    },
    shows: { "Active Responder": "r.io/b (1/3)" },
  },
  {
    resource: "evictions.lifecycle.k8s.io",
    object: {
      spec: {},
      status: {
        targetResponders: [
          { name: "r.io/a", priority: 2000, state: "Interrupted" },
          { name: "r.io/b", priority: 1000, state: "Inactive" },
        ],
      },
    },
    shows: { "Active Responder": "r.io/a (1/2)", "Responder Status": "Interrupted" },
  },
  {
    resource: "componentstatuses",
    object: { conditions: [{ type: "Other", status: "True" }, { type: "Healthy", status: "False", error: "e" }] },
    shows: { Status: "Unhealthy", Message: "", Error: "e" },
  },
  { resource: "componentstatuses", object: {}, shows: { Status: "Unknown", Message: "", Error: "" } },
  {
    resource: "persistentvolumeclaims",
    object: { spec: {}, status: { phase: "Pending", capacity: { storage: "3Gi" }, accessModes: ["ReadWriteOnce"] } },
    shows: { Capacity: "", "Access Modes": "", VolumeMode: "<unset>", VolumeAttributesClass: "<unset>" },
  },
  {
    resource: "csidrivers.storage.k8s.io",
    object: {},
    shows: {
      AttachRequired: true,
      PodInfoOnMount: false,
      StorageCapacity: false,
      TokenRequests: "<unset>",
      RequiresRepublish: false,
      Modes: "<none>",
    },
  },
  {
    resource: "csidrivers.storage.k8s.io",
    object: { spec: { attachRequired: false, tokenRequests: [{ audience: "a" }, { audience: "b" }] } },
    shows: { AttachRequired: false, TokenRequests: "a,b" },
  },
  { resource: "volumeattachments.storage.k8s.io", object: {}, shows: { Attached: false } },
  ...[
    [["Running", "Failed"], "Failed"],
    [["Running"], "Running"],
    [["Other"], "Unknown"],
  ].map(([types, shown]) => ({
    resource: "storageversionmigrations.storagemigration.k8s.io",
    object: {
      spec: { resource: { resource: "pods" } },
      status: { conditions: (types as string[]).map((type) => ({ type, status: "True" })) },
    },
    shows: { Resource: "pods", Status: shown as string },
  })),
  {
    resource: "certificatesigningrequests.certificates.k8s.io",
    object: { spec: {}, status: { conditions: [{ type: "Approved" }, { type: "Denied" }] } },
    shows: { Condition: "Denied", RequestedDuration: "<none>" },
  },
  {
    resource: "certificatesigningrequests.certificates.k8s.io",
    object: { spec: {} },
    shows: { Condition: "Pending" },
  },
];

for (const [i, c] of CASES.entries()) {
  Deno.test(`${c.resource} cells ${i}`, () => {
    const printer = PRINTERS[c.resource]!;
    const cells = printer.cells({ apiVersion: "", kind: "", metadata: META, ...c.object } as Obj)
      .map((cell) => cell instanceof Age ? cell.text(NOW) : cell);
    const names = printer.columns.map((column) => column.name);
    deepEqual(Object.fromEntries(Object.keys(c.shows).map((n) => [n, cells[names.indexOf(n)]])), c.shows);
  });
}

Deno.test("every printer takes an object that has nothing but a name", () => {
  for (const [id, printer] of Object.entries(PRINTERS)) {
    const cells = printer.cells({ apiVersion: "v1", kind: "X", metadata: { name: "a" } });
    equal(cells.length >= printer.columns.length, true, id);
    equal(cells.every((c) => c !== undefined), true, id);
  }
});

Deno.test("pods that ended say so", () => {
  const of = (phase: string) => PRINTERS["pods"]!.conditions!({ ...pod(two, { phase }) } as unknown as Obj);
  deepEqual(of("Running"), undefined);
  equal((of("Succeeded") as { type: string }[])[0]!.type, "Completed");
});

Deno.test("the default printer shows name and time of creation", () => {
  deepEqual(DEFAULT_PRINTER.cells({ apiVersion: "", kind: "", metadata: META }), ["a", META.creationTimestamp]);
  deepEqual(DEFAULT_PRINTER.columns.map((c) => [c.name, c.type]), [["Name", "string"], ["Created At", "date"]]);
});

Deno.test("labels and annotations follow the dialect", () => {
  const printer = printersOf(productOf("orch"))["nodes"]!;
  const node = { metadata: { ...META, labels: { "node-role.orch.io/worker": "" } } };
  equal(printer.cells(node as unknown as Obj)[2], "worker");
});
