/** NodeRestriction: one table for each kind of object that a node's agent writes. */
import "reflect-metadata";
import assert from "node:assert/strict";
import * as x509 from "@peculiar/x509";
import { certificateRule } from "../../server/admission/noderestriction/pod_certificates.ts";
import { tokenRule } from "../../server/admission/noderestriction/tokens.ts";
import type { Attributes, PluginContext } from "../../server/admission/types.ts";
import { type Body, obj, pod, table } from "./_cases.ts";

const NODE = { name: "system:node:n1", groups: ["system:nodes", "system:masters", "system:authenticated"] };
const node = (name: string, rest = {}) => obj("v1", "Node", name, rest);
const MIRROR = { "kubernetes.io/config.mirror": "x" };
const patch = (path: string, body: Body) => ({
  method: "PATCH",
  path,
  type: "application/merge-patch+json",
  body,
});
const inNs = (rest: string) => `/api/v1/namespaces/{ns}/${rest}`;
const mirrorPod = (spec: Body = {}, owners: Body[] = []) =>
  pod({ nodeName: "n1", ...spec }, { annotations: MIRROR, ownerReferences: owners });
const owner = { apiVersion: "v1", kind: "Node", name: "n1", uid: "wrong", controller: true };

table("NodeRestriction", false, {
  "others are not restricted": { post: node("n2") },
  "a user without a node": {
    as: { ...NODE, name: "system:node:" },
    post: node("x"),
    says: /could not determine node from user "system:node:"/,
  },
  "a node makes itself": { as: NODE, post: node("n1") },
  "not another": { as: NODE, post: node("n3"), dry: true, says: /node "n1" is not allowed to modify node "n3"/ },
  "labels of its own": {
    as: NODE,
    request: patch("/api/v1/nodes/n1", {
      metadata: { labels: { "kubernetes.io/os": "linux", "x.node.kubernetes.io/a": "b", "mine.io/a": "b" } },
    }),
  },
  "not labels that steer pods": {
    as: NODE,
    request: patch("/api/v1/nodes/n1", { metadata: { labels: { "node-restriction.kubernetes.io/a": "b" } } }),
    says: /is not allowed to modify labels: node-restriction\.kubernetes\.io\/a/,
  },
  "not unknown labels of the product": {
    as: NODE,
    request: patch("/api/v1/nodes/n1", { metadata: { labels: { "kubernetes.io/other": "b" } } }),
    says: /is not allowed to modify labels: kubernetes\.io\/other/,
  },
  "not taints": {
    as: NODE,
    request: patch("/api/v1/nodes/n1", { spec: { taints: [{ key: "a", effect: "NoSchedule" }] } }),
    says: /node "n1" is not allowed to modify taints/,
  },
  "not owners": {
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
  "as it now is": { as: NODE, post: mirrorPod({}, [owner]), says: /node n1 UID mismatch: expected wrong got/ },
  "updates of pods": {
    given: [pod({ nodeName: "n1" })],
    as: NODE,
    request: patch(inNs("pods/p"), { metadata: { labels: { a: "b" } } }),
    says: /unexpected operation "UPDATE", node "n1" can only create and delete mirror pods/,
  },
  "deletion of its own pods": {
    given: [pod({ nodeName: "n1" })],
    as: NODE,
    request: { method: "DELETE", path: inNs("pods/p") },
  },
  "not of others": {
    given: [pod({ nodeName: "n2" })],
    as: NODE,
    request: { method: "DELETE", path: inNs("pods/p") },
    says: /node "n1" can only delete pods with spec\.nodeName set to itself/,
  },
  "status of its own pods": {
    given: [pod({ nodeName: "n1" })],
    as: NODE,
    request: patch(inNs("pods/p/status"), { status: { phase: "Running" } }),
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
  "claims through status alone": {
    as: NODE,
    post: obj("v1", "PersistentVolumeClaim", "c", {
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    }),
    says: /may only update PVC status/,
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
  "slices of its own devices": {
    as: NODE,
    post: obj("resource.k8s.io/v1", "ResourceSlice", "s", {
      spec: { driver: "d.io", nodeName: "n2", pool: { name: "p", generation: 1, resourceSliceCount: 1 }, devices: [] },
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
  "off: as asked": { off: true, as: NODE, post: pod({ nodeName: "n1" }) },
});

Deno.test("NodeRestriction: a node asks for tokens of its own pods alone, for audiences that they use", async () => {
  const running = {
    ...pod({
      nodeName: "n1",
      volumes: [{ name: "t", projected: { sources: [{ serviceAccountToken: { audience: "a" } }] } }],
    }),
  };
  running.metadata = { ...running.metadata, namespace: "x", uid: "u1" };
  const allowed = new Set<string>();
  const rule = tokenRule({
    gate: () => true,
    lister: { get: (id: string) => id === "pods" ? running : undefined, list: () => [] },
    authorizer: {
      authorize: ({ resource }: Body) => ({ decision: allowed.has(resource) ? "allow" : "deny", reason: "" }),
    },
  } as unknown as PluginContext);
  const ask = async (spec: Body) => {
    const a = {
      operation: "CREATE",
      resource: { group: "", name: "serviceaccounts" },
      subresource: "token",
      namespace: "x",
      name: "sa",
      object: { spec },
    } as unknown as Attributes;
    try {
      await rule(a, "n1");
      return "taken";
    } catch (e) {
      return (e as Error).message;
    }
  };
  const boundObjectRef = { apiVersion: "v1", kind: "Pod", name: "p", uid: "u1" };
  assert.match(await ask({}), /node requested token not bound to a pod/);
  assert.match(await ask({ boundObjectRef: { ...boundObjectRef, uid: "" } }), /without a uid/);
  assert.match(
    await ask({ boundObjectRef: { ...boundObjectRef, uid: "u2" } }),
    /\(u2\) does not match the UID in record/,
  );
  assert.equal(await ask({ boundObjectRef, audiences: ["a"] }), "taken");
  assert.match(await ask({ boundObjectRef, audiences: ["b"] }), /audience "b" not found in pod spec volume/);
  assert.match(await ask({ boundObjectRef, audiences: ["a", "b"] }), /may only request 0 or 1 audiences/);
  allowed.add("b");
  assert.equal(await ask({ boundObjectRef, audiences: ["b"] }), "taken");
  running.spec.nodeName = "n2";
  assert.match(await ask({ boundObjectRef, audiences: ["a"] }), /bound to a pod scheduled on a different node/);
});

Deno.test("NodeRestriction: a node asks for certificates of its own pods as they are", async () => {
  const objects: Record<string, Body> = {
    nodes: { metadata: { uid: "n" } },
    pods: {
      metadata: { uid: "p" },
      spec: {
        nodeName: "n1",
        serviceAccountName: "sa",
        volumes: [{ projected: { sources: [{ podCertificate: { signerName: "x.io/y" } }] } }],
      },
    },
    serviceaccounts: { metadata: { uid: "s" } },
  };
  const allowed = new Set<string>();
  const rule = certificateRule({
    product: { local: (text: string) => text },
    lister: { get: (id: string) => objects[id], list: () => [] },
    authorizer: {
      authorize: ({ resource }: Body) => ({ decision: allowed.has(resource) ? "allow" : "deny", reason: "" }),
    },
  } as unknown as PluginContext);
  const good = {
    nodeName: "n1",
    nodeUID: "n",
    podName: "p",
    podUID: "p",
    serviceAccountName: "sa",
    serviceAccountUID: "s",
    signerName: "x.io/y",
  };
  const ask = async (change: Body = {}, operation = "CREATE") => {
    const resource = { group: "certificates.k8s.io", name: "podcertificaterequests" };
    const a = { operation, resource, subresource: "", namespace: "x", object: { spec: { ...good, ...change } } };
    try {
      await rule(a as unknown as Attributes, "n1");
      return "taken";
    } catch (e) {
      return (e as Error).message;
    }
  };
  assert.equal(await ask(), "taken");
  assert.match(await ask({}, "UPDATE"), /unexpected operation UPDATE/);
  assert.match(await ask({ nodeName: "n2" }), /Spec\.NodeName="n2", which is not the requesting node "n1"/);
  for (const uid of ["nodeUID", "podUID", "serviceAccountUID"]) assert.match(await ask({ [uid]: "z" }), /UID "z"/);
  assert.match(await ask({ serviceAccountName: "other" }), /contains serviceAccountName \("other"\) that differs/);
  assert.match(
    await ask({ signerName: "x.io/z" }),
    /does not mount a podCertificate projected volume for signer "x\.io\/z"/,
  );
  allowed.add("x.io:z");
  assert.equal(await ask({ signerName: "x.io/z" }), "taken");
  objects["pods"].metadata.annotations = { "kubernetes.io/config.mirror": "x" };
  assert.match(await ask(), /is a mirror pod/);
});

async function csr(subject: string): Promise<string> {
  const keys = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);
  const made = await x509.Pkcs10CertificateRequestGenerator.create({
    name: subject,
    keys,
    signingAlgorithm: { name: "ECDSA", hash: "SHA-256" },
  });
  return btoa(made.toString("pem"));
}
