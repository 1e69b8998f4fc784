/** A small valid object of every built-in kind, in its preferred version. A table, therefore longer than other files. */
import { createPrivateKey, sign } from "node:crypto";
import { bitString, explicit, integer, oid, sequence } from "../../pki/der.ts";
import { generateKey, issueAuthority, nameDer, publicKeyDer, toPem } from "../../pki/mod.ts";
import type { JsonMap } from "../../schema/model/types.ts";

/** What a story of one kind is told with. */
export interface Sample {
  /** The object without `apiVersion`, `kind` and, but for the fixed ones, its name. */
  readonly object: JsonMap;
  /** What a write of the status subresource changes. */
  readonly status?: JsonMap;
  /** The name is part of the object's meaning: none can be generated. */
  readonly name?: string;
  /** An object of nothing but a name is valid too. */
  readonly bare?: true;
  /** A change of labels is one of the generation. */
  readonly labelsCount?: true;
  /** Cells that the public server gives beyond its columns. */
  readonly spareCells?: number;
  /** A second one of its name is refused for what it asks for, which the first one has, before its name is looked at. */
  readonly taken?: true;
  /** Nobody comes to own fields by creating it, or by writing this status. */
  readonly unowned?: true;
  /** Reads fill in what a new object is stored without: the first update stores it. */
  readonly filledIn?: true;
}

const key = generateKey();
const base64 = (text: string): string => new TextEncoder().encode(text).toBase64();

/** A signed request for a certificate, DER. */
function certificateRequest(): Uint8Array {
  const info = sequence(integer(Uint8Array.of(0)), nameDer({ commonName: "life" }), publicKeyDer(key), explicit(0));
  const signature = sign("sha256", info, createPrivateKey(key));
  return sequence(info, sequence(oid("1.2.840.10045.4.3.2")), bitString(new Uint8Array(signature)));
}

const REQUEST = certificateRequest();
const TIME = "2026-01-01T00:00:00Z";
const condition = (type: string): JsonMap => ({
  conditions: [{ type, status: "True", reason: "Told", message: "m", lastTransitionTime: TIME }],
});
const labels = { app: "life" };
const podSpec = { containers: [{ name: "main", image: "example.com/main:1", ports: [{ containerPort: 8080 }] }] };
const template = { metadata: { labels }, spec: podSpec };
const once = { spec: { ...podSpec, restartPolicy: "Never" } };
const rule = { apiGroups: ["life.example.com"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["nothings"] };
const webhooks = [{
  name: "hook.life.example.com",
  clientConfig: { url: "https://hook.example.com/x" },
  admissionReviewVersions: ["v1"],
  sideEffects: "None",
  rules: [rule],
}];
const scaling = {
  stabilizationWindowSeconds: 5,
  selectPolicy: "Max",
  policies: [{ type: "Pods", value: 1, periodSeconds: 9 }],
};
const devices = { requests: [{ name: "one", exactly: { deviceClassName: "any" } }] };
const gang = { schedulingPolicy: { gang: { minCount: 2 } } };
const role = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" };
const subjects = [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "ann" }];
const rules = [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }];

/** By public resource id. */
export const SAMPLES: Readonly<Record<string, Sample>> = {
  // core
  "configmaps": { object: { data: { a: "1" }, binaryData: { b: "AAEC" } }, bare: true },
  "endpoints": {
    object: { subsets: [{ addresses: [{ ip: "192.0.2.1" }], ports: [{ name: "web", port: 80 }] }] },
    bare: true,
  },
  "events": {
    object: { involvedObject: { kind: "Pod", namespace: "life", name: "p" }, reason: "Seen", message: "m", count: 1 },
  },
  "limitranges": {
    object: { spec: { limits: [{ type: "PersistentVolumeClaim", max: { storage: "9Gi" } }] } },
    bare: true,
  },
  "namespaces": { object: {}, status: condition("Odd"), bare: true },
  "nodes": { object: { spec: { podCIDR: "10.9.0.0/24" } }, status: { capacity: { cpu: "4" } }, bare: true },
  "persistentvolumeclaims": {
    object: { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
    status: { phase: "Bound", capacity: { storage: "1Gi" } },
    filledIn: true,
  },
  "persistentvolumes": {
    object: {
      spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/volumes/one" } },
    },
    status: { phase: "Available", message: "m" },
  },
  "pods": {
    object: { metadata: { labels }, spec: { ...podSpec, automountServiceAccountToken: false } },
    status: { message: "m", podIP: "192.0.2.8" },
  },
  "podtemplates": { object: { template } },
  "replicationcontrollers": {
    object: { spec: { selector: labels, template } },
    status: { replicas: 1 },
  },
  "resourcequotas": {
    object: { spec: { hard: { "count/widgets.example.com": "3" } } },
    status: { hard: { "count/widgets.example.com": "3" } },
    bare: true,
  },
  "secrets": { object: { data: { k: base64("v") } }, bare: true },
  "serviceaccounts": { object: { automountServiceAccountToken: false }, bare: true },
  "services": {
    object: { spec: { clusterIP: "10.0.0.77", selector: labels, ports: [{ port: 80, targetPort: "web" }] } },
    status: condition("Odd"),
    taken: true,
  },
  // apiregistration
  "apiservices.apiregistration.k8s.io": {
    name: "v1.life.example.com",
    object: {
      spec: {
        group: "life.example.com",
        version: "v1",
        groupPriorityMinimum: 100,
        versionPriority: 10,
        insecureSkipTLSVerify: true,
        service: { name: "s", namespace: "life" },
      },
    },
    status: condition("Odd"),
  },
  // apps
  "controllerrevisions.apps": { object: { revision: 1, data: { x: [1, { y: "z" }] } } },
  "daemonsets.apps": {
    object: { spec: { selector: { matchLabels: labels }, template } },
    status: { currentNumberScheduled: 1, numberMisscheduled: 0, desiredNumberScheduled: 1, numberReady: 1 },
  },
  "deployments.apps": {
    object: { spec: { replicas: 2, selector: { matchLabels: labels }, template } },
    status: { replicas: 2, updatedReplicas: 1 },
  },
  "replicasets.apps": {
    object: { spec: { selector: { matchLabels: labels }, template } },
    status: { replicas: 1 },
  },
  "statefulsets.apps": {
    object: { spec: { serviceName: "s", selector: { matchLabels: labels }, template } },
    status: { replicas: 1 },
  },
  "events.events.k8s.io": {
    object: {
      eventTime: "2026-01-01T00:00:00.000001Z",
      reportingController: "example.com/c",
      reportingInstance: "i",
      action: "Look",
      reason: "Seen",
      type: "Normal",
      note: "n",
      regarding: { kind: "Pod", namespace: "life", name: "p" },
    },
  },
  "horizontalpodautoscalers.autoscaling": {
    object: {
      spec: {
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" },
        maxReplicas: 4,
        metrics: [
          { type: "Pods", pods: { metric: { name: "hits" }, target: { type: "AverageValue", averageValue: "10" } } },
          { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 60 } } },
        ],
        behavior: { scaleDown: scaling, scaleUp: scaling },
      },
    },
    status: { currentReplicas: 1, desiredReplicas: 2 },
  },
  "cronjobs.batch": {
    object: { spec: { schedule: "*/5 * * * *", jobTemplate: { spec: { template: once } } } },
    status: { lastScheduleTime: TIME },
  },
  "jobs.batch": { object: { spec: { template: once } }, status: { active: 1 }, filledIn: true },
  // certificates
  "certificatesigningrequests.certificates.k8s.io": {
    unowned: true,
    object: {
      spec: {
        request: base64(toPem("CERTIFICATE REQUEST", REQUEST)),
        signerName: "example.com/signer",
        usages: ["client auth"],
      },
    },
    status: { conditions: [{ type: "Failed", status: "True", reason: "Told", message: "m" }] },
  },
  "clustertrustbundles.certificates.k8s.io": {
    object: { spec: { trustBundle: issueAuthority("life", key, Date.parse(TIME)) } },
  },
  "podcertificaterequests.certificates.k8s.io": {
    object: {
      spec: {
        signerName: "example.com/signer",
        podName: "p",
        podUID: "u",
        serviceAccountName: "a",
        serviceAccountUID: "v",
        nodeName: "n",
        nodeUID: "w",
        stubPKCS10Request: REQUEST.toBase64(),
      },
    },
    status: condition("Failed"),
  },
  // networking
  "ingressclasses.networking.k8s.io": { object: { spec: { controller: "example.com/c" } } },
  "ingresses.networking.k8s.io": {
    object: { spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } } },
    status: { loadBalancer: { ingress: [{ ip: "192.0.2.9" }] } },
  },
  "ipaddresses.networking.k8s.io": {
    name: "192.0.2.44",
    spareCells: 1,
    object: { spec: { parentRef: { resource: "services", namespace: "life", name: "s" } } },
  },
  "networkpolicies.networking.k8s.io": { object: { spec: { podSelector: {}, policyTypes: ["Ingress"] } }, bare: true },
  "servicecidrs.networking.k8s.io": {
    object: { spec: { cidrs: ["10.88.0.0/24"] } },
    status: condition("Odd"),
  },
  "poddisruptionbudgets.policy": {
    object: { spec: { maxUnavailable: 1, selector: { matchLabels: labels } } },
    status: { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 },
    bare: true,
  },
  // rbac
  "clusterrolebindings.rbac.authorization.k8s.io": { object: { roleRef: role, subjects } },
  "clusterroles.rbac.authorization.k8s.io": { object: { rules }, bare: true },
  "rolebindings.rbac.authorization.k8s.io": { object: { roleRef: role, subjects } },
  "roles.rbac.authorization.k8s.io": { object: { rules }, bare: true },
  // storage
  "csidrivers.storage.k8s.io": { object: { spec: { attachRequired: false } }, bare: true },
  "csinodes.storage.k8s.io": {
    object: { spec: { drivers: [{ name: "d.example.com", nodeID: "n", topologyKeys: ["zone"] }] } },
    bare: true,
  },
  "csistoragecapacities.storage.k8s.io": { object: { storageClassName: "fast", capacity: "1Gi" } },
  "storageclasses.storage.k8s.io": { object: { provisioner: "example.com/p", parameters: { a: "b" } } },
  "volumeattachments.storage.k8s.io": {
    object: { spec: { attacher: "d.example.com", nodeName: "n", source: { persistentVolumeName: "pv" } } },
    status: { attached: true },
  },
  "volumeattributesclasses.storage.k8s.io": { object: { driverName: "d.example.com", parameters: { a: "b" } } },
  // admissionregistration
  "mutatingadmissionpolicies.admissionregistration.k8s.io": {
    object: {
      spec: {
        matchConstraints: { resourceRules: [rule] },
        reinvocationPolicy: "Never",
        mutations: [{
          patchType: "ApplyConfiguration",
          applyConfiguration: { expression: 'Object{metadata: Object.metadata{labels: {"a": "b"}}}' },
        }],
      },
    },
  },
  "mutatingadmissionpolicybindings.admissionregistration.k8s.io": { object: { spec: { policyName: "none" } } },
  "mutatingwebhookconfigurations.admissionregistration.k8s.io": { object: { webhooks }, bare: true },
  "validatingadmissionpolicies.admissionregistration.k8s.io": {
    object: { spec: { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: "true" }] } },
    status: condition("Odd"),
  },
  "validatingadmissionpolicybindings.admissionregistration.k8s.io": {
    object: { spec: { policyName: "none", validationActions: ["Deny"] } },
  },
  "validatingwebhookconfigurations.admissionregistration.k8s.io": { object: { webhooks }, bare: true },
  "customresourcedefinitions.apiextensions.k8s.io": {
    name: "things.life.example.com",
    object: {
      spec: {
        group: "life.example.com",
        scope: "Namespaced",
        names: { plural: "things", kind: "Thing" },
        versions: [{
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties: { n: { type: "integer", default: 1 } } } },
        }],
      },
    },
    status: { storedVersions: ["v1"] },
  },
  // scheduling
  "priorityclasses.scheduling.k8s.io": { object: { value: 10 }, bare: true },
  "podgroups.scheduling.k8s.io": { object: { spec: gang }, status: condition("Odd") },
  "workloads.scheduling.k8s.io": { object: { spec: { podGroupTemplates: [{ name: "g", ...gang }] } } },
  "compositepodgroups.scheduling.k8s.io": {
    object: {
      spec: { schedulingPolicy: { gang: { minGroupCount: 2 } }, workloadRef: { workloadName: "w", templateName: "g" } },
    },
    status: condition("Odd"),
  },
  "leases.coordination.k8s.io": {
    object: { spec: { holderIdentity: "h", leaseDurationSeconds: 10, renewTime: "2026-01-01T00:00:00.000001Z" } },
    bare: true,
  },
  "leasecandidates.coordination.k8s.io": {
    object: {
      spec: { leaseName: "l", binaryVersion: "1.37.0", emulationVersion: "1.37.0", strategy: "OldestEmulationVersion" },
    },
  },
  "runtimeclasses.node.k8s.io": { object: { handler: "runc" } },
  "endpointslices.discovery.k8s.io": {
    labelsCount: true,
    object: {
      addressType: "IPv4",
      endpoints: [{ addresses: ["192.0.2.1"], conditions: { ready: true } }],
      ports: [{ name: "web", port: 80 }],
    },
  },
  // resource
  "deviceclasses.resource.k8s.io": {
    object: { spec: { selectors: [{ cel: { expression: 'device.driver == "d.example.com"' } }] } },
    bare: true,
  },
  "devicetaintrules.resource.k8s.io": {
    object: {
      spec: {
        deviceSelector: { driver: "d.example.com", pool: "p", device: "one" },
        taint: { key: "k", value: "v", effect: "NoSchedule", timeAdded: TIME },
      },
    },
    status: condition("Odd"),
  },
  "resourceclaims.resource.k8s.io": { object: { spec: { devices } }, status: {}, bare: true },
  "resourceclaimtemplates.resource.k8s.io": { object: { spec: { spec: { devices } } }, bare: true },
  "resourceslices.resource.k8s.io": {
    object: {
      spec: {
        driver: "d.example.com",
        nodeName: "n",
        pool: { name: "p", generation: 1, resourceSliceCount: 1 },
        devices: [{ name: "one", attributes: { model: { string: "x" } }, capacity: { memory: { value: "1Gi" } } }],
      },
    },
  },
  "resourcepoolstatusrequests.resource.k8s.io": { object: { spec: { driver: "d.example.com" } } },
  // flowcontrol
  "flowschemas.flowcontrol.apiserver.k8s.io": {
    object: {
      spec: {
        priorityLevelConfiguration: { name: "global-default" },
        matchingPrecedence: 500,
        rules: [{
          subjects: [{ kind: "User", user: { name: "ann" } }],
          resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"], namespaces: ["*"] }],
        }],
      },
    },
    status: condition("Odd"),
  },
  "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io": {
    object: {
      spec: { type: "Limited", limited: { nominalConcurrencyShares: 5, limitResponse: { type: "Reject" } } },
    },
    status: condition("Odd"),
  },
  "storageversions.internal.apiserver.k8s.io": {
    name: "life.example.com.things",
    bare: true,
    unowned: true,
    object: { spec: {} },
    status: {
      storageVersions: [{ apiServerID: "a", encodingVersion: "v1", decodableVersions: ["v1"], servedVersions: ["v1"] }],
      commonEncodingVersion: "v1",
    },
  },
  "storageversionmigrations.storagemigration.k8s.io": {
    object: { spec: { resource: { group: "", resource: "secrets" } } },
    status: condition("Odd"),
  },
  "evictionrequests.lifecycle.k8s.io": {
    object: {
      spec: {
        target: { pod: { name: "p", uid: "11111111-2222-3333-4444-555555555555" } },
        requester: "example.com/r",
        intent: "Eviction",
      },
    },
    status: condition("Odd"),
  },
  "evictions.lifecycle.k8s.io": {
    name: "11111111-2222-3333-4444-555555555555",
    object: { spec: { target: { pod: { name: "p", uid: "11111111-2222-3333-4444-555555555555" } } } },
    status: condition("Odd"),
  },
};
