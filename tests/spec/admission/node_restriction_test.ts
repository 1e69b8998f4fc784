/** Admission plugin NodeRestriction: see _table.ts. */
import { csr } from "./_certificates.ts";
import { node } from "./_nodes.ts";
import { obj, pod, table } from "./_table.ts";
import type { Loose } from "../../fixture/loose.ts";

const NODE = { name: "system:node:n1", groups: ["system:nodes", "system:masters", "system:authenticated"] };
const MIRROR = { "kubernetes.io/config.mirror": "x" };
const patch = (path: string, body: Loose) => ({
  method: "PATCH",
  path,
  type: "application/merge-patch+json",
  body,
});
const SOURCE = { configMap: { namespace: "a", name: "b", kubeletConfigKey: "c" } };
const inNs = (rest: string) => `/api/v1/namespaces/{ns}/${rest}`;
const mirrorPod = (spec: Loose = {}, owners: Loose[] = []) =>
  pod({ nodeName: "n1", ...spec }, { annotations: MIRROR, ownerReferences: owners });
const owner = { apiVersion: "v1", kind: "Node", name: "n1", uid: "wrong", controller: true };

table("NodeRestriction", {
  on: {
    "a user without a node writes nothing": {
      as: { ...NODE, name: "system:node:" },
      post: obj("v1", "ConfigMap", "c"),
      says: /could not determine node from user "system:node:"/,
    },
    "a binding, before it is read": {
      as: NODE,
      request: { method: "POST", path: inNs("pods/p/binding"), body: { target: { name: "n1" } } },
      says: /unexpected pod subresource "binding"/,
    },
    "the eviction of a pod that is not there": {
      as: NODE,
      request: { method: "POST", path: inNs("pods/p/eviction"), body: obj("policy/v1", "Eviction", "p") },
      status: 404,
      shows: { "details.kind": "pod" },
    },
    "several slices, which have no name": {
      given: [
        obj("resource.k8s.io/v1", "ResourceSlice", "other", {
          spec: {
            driver: "d.io",
            nodeName: "n2",
            pool: { name: "p", generation: 1, resourceSliceCount: 1 },
            devices: [],
          },
        }),
      ],
      as: NODE,
      request: { method: "DELETE", path: "/apis/resource.k8s.io/v1/resourceslices" },
      says: /ResourceSlice with the same NodeName/,
      shows: { "details.name": "Unknown" },
    },
    "a user without a node": {
      as: { ...NODE, name: "system:node:" },
      post: node("x"),
      says: /could not determine node from user "system:node:"/,
    },
    "not labels that steer pods": {
      given: [node("n1")],
      as: NODE,
      request: patch("/api/v1/nodes/n1", { metadata: { labels: { "node-restriction.kubernetes.io/a": "b" } } }),
      says: /is not allowed to modify labels: node-restriction\.kubernetes\.io\/a/,
    },
    "no node that is configured from elsewhere": {
      as: NODE,
      post: node("n1", { spec: { configSource: SOURCE } }),
      says: /node "n1" is not allowed to create pods with a non-nil configSource/,
    },
    "nor one that is to be": {
      given: [node("n1")],
      as: NODE,
      request: patch("/api/v1/nodes/n1", { spec: { configSource: SOURCE } }),
      says: /node "n1" is not allowed to update configSource to a new non-nil configSource/,
    },
    "not unknown labels of the product": {
      given: [node("n1")],
      as: NODE,
      request: patch("/api/v1/nodes/n1", { metadata: { labels: { "kubernetes.io/other": "b" } } }),
      says: /is not allowed to modify labels: kubernetes\.io\/other/,
    },
    "not taints": {
      given: [node("n1")],
      as: NODE,
      request: patch("/api/v1/nodes/n1", { spec: { taints: [{ key: "a", effect: "NoSchedule" }] } }),
      says: /node "n1" is not allowed to modify taints/,
    },
    "not owners": {
      given: [node("n1")],
      as: NODE,
      request: patch("/api/v1/nodes/n1", {
        metadata: { ownerReferences: [{ apiVersion: "v1", kind: "Node", name: "a", uid: "u" }] },
      }),
      says: /node "n1" is not allowed to modify ownerReferences/,
    },
    "no pods but mirror pods": {
      as: NODE,
      post: pod({ nodeName: "n1" }),
      says: /pod does not have "kubernetes\.io\/config\.mirror" annotation, node "n1" can only create mirror pods/,
    },
    "on itself": {
      as: NODE,
      post: mirrorPod({ nodeName: "other" }),
      says: /node "n1" can only create pods with spec\.nodeName set to itself/,
    },
    "owned by itself": {
      as: NODE,
      post: mirrorPod(),
      says: /node "n1" can only create pods with an owner reference set to itself/,
    },
    "as it now is": {
      given: [node("n1")],
      as: NODE,
      post: mirrorPod({}, [owner]),
      says: /node n1 UID mismatch: expected wrong got/,
    },
    "by one owner": {
      given: [node("n1")],
      as: NODE,
      post: mirrorPod({}, [owner, { ...owner, name: "n2", controller: false }]),
      says: /a single owner reference set to itself/,
    },
    "of which it is the controller": {
      given: [node("n1")],
      as: NODE,
      post: mirrorPod({}, [{ ...owner, controller: false }]),
      says: /a controller owner reference set to itself/,
    },
    "which does not keep its node": {
      given: [node("n1")],
      as: NODE,
      post: mirrorPod({}, [{ ...owner, blockOwnerDeletion: true }]),
      says: /must not set blockOwnerDeletion on an owner reference/,
    },
    "the eviction of a pod of another node": {
      given: [pod({ nodeName: "n2" })],
      as: NODE,
      request: { method: "POST", path: inNs("pods/p/eviction"), body: obj("policy/v1", "Eviction", "p") },
      says: /node n1 can only evict pods with spec\.nodeName set to itself/,
    },
    "updates of pods": {
      given: [pod({ nodeName: "n1" })],
      as: NODE,
      request: patch(inNs("pods/p"), { metadata: { labels: { a: "b" } } }),
      says: /unexpected operation "UPDATE", node "n1" can only create and delete mirror pods/,
    },
    "not of others": {
      given: [pod({ nodeName: "n2" })],
      as: NODE,
      request: { method: "DELETE", path: inNs("pods/p") },
      says: /node "n1" can only delete pods with spec\.nodeName set to itself/,
    },
    "not of others'": {
      given: [pod({ nodeName: "n2" })],
      as: NODE,
      request: patch(inNs("pods/p/status"), { status: { phase: "Running" } }),
      says: /node "n1" can only update pod status for pods with spec\.nodeName set to itself/,
    },
    "no labels through status": {
      given: [pod({ nodeName: "n1" })],
      as: NODE,
      request: patch(inNs("pods/p/status"), { metadata: { labels: { a: "b" } } }),
      says: /node "n1" cannot update labels through pod status/,
    },
    "no claims through status": {
      given: [pod({ nodeName: "n1", resourceClaims: [{ name: "c", resourceClaimTemplateName: "t" }] })],
      as: NODE,
      request: patch(inNs("pods/p/status"), {
        status: { resourceClaimStatuses: [{ name: "c", resourceClaimName: "another" }] },
      }),
      says: /node "n1" cannot update resource claim statues/,
    },
    "claims through status alone": {
      as: NODE,
      post: obj("v1", "PersistentVolumeClaim", "c", {
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
      }),
      says: /may only update PVC status/,
    },
    "not of another": {
      as: NODE,
      request: {
        method: "POST",
        path: "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases",
        body: obj("coordination.k8s.io/v1", "Lease", "n2"),
      },
      says: /can only access node lease with the same name as the requesting node/,
    },
    "nor elsewhere": {
      as: NODE,
      post: obj("coordination.k8s.io/v1", "Lease", "n1"),
      says: /can only access leases in the "kube-node-lease" system namespace/,
    },
    "CSI nodes of its own name": {
      as: NODE,
      post: obj("storage.k8s.io/v1", "CSINode", "n2", { spec: { drivers: [] } }),
      says: /can only access CSINode with the same name as the requesting node/,
    },
    "no status of its CSI node without the gate": {
      given: [obj("storage.k8s.io/v1", "CSINode", "n1", { spec: { drivers: [] } })],
      as: NODE,
      request: patch("/apis/storage.k8s.io/v1/csinodes/n1/status", { status: {} }),
      says: /CSIVolumeHealth feature gate is disabled/,
    },
    "of its CSI node the status alone, by that": {
      flags: ["--feature-gates=CSIVolumeHealth=true"],
      given: [obj("storage.k8s.io/v1", "CSINode", "n1", { spec: { drivers: [] } })],
      as: NODE,
      request: patch("/apis/storage.k8s.io/v1/csinodes/n1/status", { spec: { drivers: [{ name: "a", nodeID: "b" }] } }),
      says: /node "n1" is not allowed to modify CSINode spec via status/,
    },
    "slices of its own devices": {
      as: NODE,
      post: obj("resource.k8s.io/v1", "ResourceSlice", "s", {
        spec: {
          driver: "d.io",
          nodeName: "n2",
          pool: { name: "p", generation: 1, resourceSliceCount: 1 },
          devices: [],
        },
      }),
      says: /can only create ResourceSlice with the same NodeName as the requesting node/,
    },
    "certificates of its own name": {
      as: NODE,
      post: obj("certificates.k8s.io/v1", "CertificateSigningRequest", "c", {
        spec: {
          request: await csr("O=system:nodes, CN=system:node:n2"),
          signerName: "kubernetes.io/kubelet-serving",
          usages: ["digital signature", "server auth"],
        },
      }),
      says: /can only create a node CSR with CN=system:node:n1/,
    },
  },
  edge: {
    "others are not restricted": { post: node("n2") },
    "a node makes itself": { as: { ...NODE, name: "system:node:n9" }, post: node("n9") },
    "a node unmakes itself": {
      given: [node("n1")],
      as: NODE,
      request: { method: "DELETE", path: "/api/v1/nodes/n1" },
    },
    "certificates by other signers": {
      as: NODE,
      post: obj("certificates.k8s.io/v1", "CertificateSigningRequest", "other", {
        spec: { request: await csr("CN=somebody"), signerName: "x.io/y", usages: ["digital signature"] },
      }),
    },
    "certificates of its own name": {
      as: NODE,
      post: obj("certificates.k8s.io/v1", "CertificateSigningRequest", "own", {
        spec: {
          request: await csr("O=system:nodes, CN=system:node:n1"),
          signerName: "kubernetes.io/kubelet-serving",
          usages: ["digital signature", "server auth"],
        },
      }),
    },
    "labels of its own": {
      given: [node("n1")],
      as: NODE,
      request: patch("/api/v1/nodes/n1", {
        metadata: { labels: { "kubernetes.io/os": "linux", "x.node.kubernetes.io/a": "b", "mine.io/a": "b" } },
      }),
    },
    "deletion of its own pods": {
      given: [pod({ nodeName: "n1" })],
      as: NODE,
      request: { method: "DELETE", path: inNs("pods/p") },
    },
    "a collection of pods, of which none is deleted": {
      given: [pod({ nodeName: "n2" })],
      as: NODE,
      request: { method: "DELETE", path: inNs("pods") },
      shows: { "items[0].metadata.deletionTimestamp": undefined },
    },
    "status of its own pods": {
      given: [pod({ nodeName: "n1" })],
      as: NODE,
      request: patch(inNs("pods/p/status"), { status: { phase: "Running" } }),
    },
    "leases of its own name": {
      as: NODE,
      request: {
        method: "POST",
        path: "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases",
        body: obj("coordination.k8s.io/v1", "Lease", "n1"),
      },
      status: 201,
    },
  },
  dryRun: {
    "not another": { as: NODE, post: node("n3"), says: /node "n1" is not allowed to modify node "n3"/ },
  },
  off: {
    "as asked": { as: NODE, post: pod({ nodeName: "n1" }) },
  },
});
