import assert from "node:assert/strict";
import type { Obj } from "../../schema/model/types.ts";
import { productOf } from "../../schema/product.ts";
import { NodeAuthorizer } from "../../server/authorization/node.ts";
import type { AuthorizationAttributes, Decision } from "../../server/authorization/types.ts";
import { nodeRules } from "../../server/bootstrap/objects.ts";

const product = productOf("kubernetes");

class World {
  readonly objects = new Map<string, Obj>();
  readonly node: NodeAuthorizer;

  constructor(...gates: string[]) {
    const gate = (g: string) => gates.includes(g);
    this.node = new NodeAuthorizer({ product, lister: this, rules: nodeRules(product, gate), gate });
  }

  get(id: string, namespace: string, name: string): Obj | undefined {
    return this.objects.get(`${id}/${namespace}/${name}`);
  }
  list(id: string): Obj[] {
    return [...this.objects].filter(([k]) => k.startsWith(`${id}/`)).map(([, o]) => o);
  }
  put(id: string, namespace: string, name: string, fields: Record<string, unknown>): void {
    const metadata = { name, ...(namespace ? { namespace } : {}), ...(fields.metadata as object ?? {}) };
    const object = { apiVersion: "v1", kind: "", ...fields, metadata } as Obj;
    this.objects.set(`${id}/${namespace}/${name}`, object);
    this.node.changed(id, { namespace, name, object });
  }
  remove(id: string, namespace: string, name: string): void {
    this.objects.delete(`${id}/${namespace}/${name}`);
    this.node.changed(id, { namespace, name, object: undefined });
  }
  may(text: string, more: Partial<AuthorizationAttributes> = {}, node = "n1"): boolean {
    return this.decide(text, more, node).decision === "allow";
  }
  decide(text: string, more: Partial<AuthorizationAttributes> = {}, node = "n1"): Decision {
    const [verb, what, where = "/"] = text.split(" ") as [string, string, string?];
    const [resource, subresource = ""] = what.split(".")[0]!.split("/") as [string, string?];
    const [namespace, name] = where.split("/") as [string, string];
    return this.node.authorize({
      user: { name: `system:node:${node}`, groups: ["system:nodes"] },
      verb,
      isResource: true,
      group: what.split(".").slice(1).join("."),
      version: "v1",
      resource,
      subresource,
      namespace,
      name,
      path: "",
      ...more,
    });
  }
}

function table(w: World, yes: string[], no: string[]): void {
  for (const text of yes) assert.ok(w.may(text), text);
  for (const text of no) assert.equal(w.may(text), false, text);
}

Deno.test("a node reads its pods' accounts where images are pulled or certificates asked for by them", () => {
  for (const gates of [["KubeletServiceAccountTokenForCredentialProviders"], ["PodCertificateRequest"], []]) {
    const w = new World(...gates);
    w.put("pods", "a", "p", { spec: { nodeName: "n1", serviceAccountName: "bot", containers: [] } });
    assert.equal(w.may("get serviceaccounts a/bot"), gates.length > 0);
    table(w, ["create serviceaccounts/token a/bot"], ["get serviceaccounts a/root", "list serviceaccounts a/bot"]);
  }
});

Deno.test("a node reads what its pods name", () => {
  const w = new World("KubeletServiceAccountTokenForCredentialProviders");
  w.put("pods", "a", "p", {
    spec: {
      nodeName: "n1",
      serviceAccountName: "bot",
      imagePullSecrets: [{ name: "pull" }],
      containers: [{
        env: [{ valueFrom: { secretKeyRef: { name: "env-s" } } }, {
          valueFrom: { configMapKeyRef: { name: "env-c" } },
        }],
        envFrom: [{ secretRef: { name: "all-s" } }, { configMapRef: { name: "all-c" } }],
      }, { name: "plain" }],
      initContainers: [{ envFrom: [{ secretRef: { name: "init-s" } }] }],
      volumes: [
        { name: "v", secret: { secretName: "vol-s" } },
        { name: "w", configMap: { name: "vol-c" } },
        { name: "x", projected: { sources: [{ secret: { name: "pro-s" } }, { configMap: { name: "pro-c" } }] } },
        { name: "y", persistentVolumeClaim: { claimName: "claim" } },
        { name: "z", ephemeral: {} },
        { name: "i", iscsi: { secretRef: { name: "iscsi-s" } } },
      ],
      resourceClaims: [{ name: "r", resourceClaimName: "gpu" }, { name: "t", resourceClaimTemplateName: "tpl" }],
    },
    status: {
      resourceClaimStatuses: [{ name: "s", resourceClaimName: "else" }, { name: "t", resourceClaimName: "made" }],
      extendedResourceClaimStatus: { resourceClaimName: "extended" },
    },
  });
  const secrets = ["pull", "env-s", "all-s", "init-s", "vol-s", "pro-s", "iscsi-s"].map((n) => `get secrets a/${n}`);
  table(w, [
    ...secrets,
    ...["env-c", "all-c", "vol-c", "pro-c"].map((n) => `watch configmaps a/${n}`),
    "get persistentvolumeclaims a/claim",
    "get persistentvolumeclaims a/p-z",
    "patch persistentvolumeclaims/status a/claim",
    "get resourceclaims.resource.k8s.io a/gpu",
    "get resourceclaims.resource.k8s.io a/made",
    "get resourceclaims.resource.k8s.io a/extended",
    "create serviceaccounts/token a/bot",
    "get serviceaccounts a/bot",
    "get pods a/p",
    "list pods a/p",
  ], [
    "get secrets a/other",
    "get secrets b/pull",
    "list secrets a/",
    "update secrets a/pull",
    "get secrets/status a/pull",
    "patch persistentvolumeclaims a/claim",
    "create serviceaccounts/token a/root",
    "list serviceaccounts a/bot",
    "watch serviceaccounts a/bot",
    "get pods a/q",
    "get resourceclaims.resource.k8s.io a/else",
  ]);
  assert.equal(w.may("get secrets a/pull", {}, "n2"), false);
  w.put("pods", "a", "p2", { spec: { nodeName: "n1", imagePullSecrets: [{ name: "pull" }] } });
  w.remove("pods", "a", "p");
  assert.ok(w.may("get secrets a/pull"), "another pod names it too");
  w.remove("pods", "a", "p2");
  assert.equal(w.may("get secrets a/pull"), false);
});

Deno.test("the pods' cache is followed, and nothing is decoded before a node asks", () => {
  const w = new World(), follower = w.node.follower();
  let decoded = 0;
  const pod = (secret: string) => ({
    namespace: "a",
    name: "p",
    peek: () => {
      decoded++;
      const spec = { nodeName: "n1", volumes: [{ secret: { secretName: secret } }] };
      return { apiVersion: "v1", kind: "Pod", metadata: { name: "p", namespace: "a" }, spec } as Obj;
    },
  });
  follower.changed(pod("one"), undefined, false);
  assert.equal(decoded, 0);
  assert.equal(w.may("get secrets a/one"), false, "made from the lister, which has none");
  follower.changed(pod("one"), undefined, false);
  assert.ok(w.may("get secrets a/one"));
  follower.changed(pod("two"), pod("one"), false);
  table(w, ["get secrets a/two"], ["get secrets a/one"]);
  follower.changed(pod("two"), pod("two"), true);
  assert.equal(w.may("get secrets a/two"), false);
  follower.changed(pod("three"), undefined, false);
  follower.reset();
  assert.equal(w.may("get secrets a/three"), false);
});

Deno.test("a mirror pod gives nothing", () => {
  const w = new World();
  const metadata = { annotations: { "kubernetes.io/config.mirror": "x" } };
  w.put("pods", "a", "m", { metadata, spec: { nodeName: "n1", volumes: [{ secret: { secretName: "s" } }] } });
  table(w, ["get pods a/m"], ["get secrets a/s"]);
});

Deno.test("volumes of claims, when the volume agrees", () => {
  const w = new World();
  w.put("pods", "a", "p", { spec: { nodeName: "n1", volumes: [{ persistentVolumeClaim: { claimName: "c" } }] } });
  w.put("persistentvolumeclaims", "a", "c", { spec: { volumeName: "pv" } });
  const csi = {
    nodeStageSecretRef: { name: "stage", namespace: "s" },
    controllerPublishSecretRef: { name: "ctl", namespace: "s" },
    nodePublishSecretRef: { name: "publish" },
  };
  w.put("persistentvolumes", "", "pv", { spec: { claimRef: { namespace: "a", name: "other" }, csi } });
  table(w, [], ["get persistentvolumes /pv", "get secrets s/stage"]);
  w.put("persistentvolumes", "", "pv", { spec: { claimRef: { namespace: "a", name: "c" }, csi } });
  table(w, ["get persistentvolumes /pv", "get secrets s/stage", "get secrets a/publish"], [
    "get secrets s/ctl",
    "get configmaps s/stage",
    "get persistentvolumes /pv2",
  ]);
  // A volume that is for a claim which does not name it yet.
  w.put("persistentvolumeclaims", "a", "c", { spec: {} });
  table(w, ["get persistentvolumes /pv", "get secrets s/stage"], ["get secrets s/ctl"]);
  w.put("persistentvolumes", "", "pv", { spec: { claimRef: { namespace: "b", name: "c" }, csi } });
  table(w, [], ["get persistentvolumes /pv", "get secrets s/stage"]);
});

Deno.test("objects that bear the node's name or name it", () => {
  const w = new World();
  w.put("volumeattachments.storage.k8s.io", "", "mine", { spec: { nodeName: "n1" } });
  w.put("volumeattachments.storage.k8s.io", "", "theirs", { spec: { nodeName: "n2" } });
  w.put("resourceslices.resource.k8s.io", "", "slice", { spec: { nodeName: "n1" } });
  table(w, [
    "get volumeattachments.storage.k8s.io /mine",
    "get leases.coordination.k8s.io kube-node-lease/n1",
    "create leases.coordination.k8s.io kube-node-lease/",
    "update csinodes.storage.k8s.io /n1",
    ...["get", "update", "patch", "delete"].map((verb) => `${verb} resourceslices.resource.k8s.io /slice`),
    "create resourceslices.resource.k8s.io",
    "get nodes /n1",
    "patch nodes/status /n1",
    "create nodes",
    "create events a/",
    "create pods a/m",
    "create pods/eviction a/p",
  ], [
    "get volumeattachments.storage.k8s.io /theirs",
    "get leases.coordination.k8s.io kube-node-lease/n2",
    "get leases.coordination.k8s.io kube-system/n1",
    "list leases.coordination.k8s.io kube-node-lease/",
    "update csinodes.storage.k8s.io /n2",
    "delete resourceslices.resource.k8s.io /other",
    "list resourceslices.resource.k8s.io",
    "get nodes /n2",
    "list nodes",
    "delete nodes /n1",
    "list pods",
    "update pods a/p",
    "create deployments.apps a/",
  ]);
  assert.ok(w.may("list pods", { fieldSelector: "spec.nodeName=n1" }));
  assert.ok(w.may("list resourceslices.resource.k8s.io", { fieldSelector: "spec.nodeName=n1" }));
  assert.equal(w.may("list pods", { fieldSelector: "spec.nodeName=n2" }), false);
  assert.equal(w.may("list pods", { fieldSelector: "spec.nodeName!=n1" }), false);
});

Deno.test("a node asks for certificates of its pods, and sees its own requests alone", () => {
  const w = new World(), requests = "podcertificaterequests.certificates.k8s.io";
  w.put(requests, "a", "mine", { spec: { nodeName: "n1" } });
  w.put(requests, "a", "theirs", { spec: { nodeName: "n2" } });
  table(w, [`create ${requests} a/`, `get ${requests} a/mine`], [
    `get ${requests} a/theirs`,
    `list ${requests} a/`,
    `update ${requests} a/mine`,
    `delete ${requests} a/mine`,
    "get podcertificaterequests/status.certificates.k8s.io a/mine",
    "update podcertificaterequests/status.certificates.k8s.io a/mine",
  ]);
  for (
    const [verb, node, ok] of [
      ["list", "n1", true],
      ["watch", "n1", true],
      ["list", "n2", false],
      ["deletecollection", "n1", false],
    ] as const
  ) assert.equal(w.may(`${verb} ${requests} a/`, { fieldSelector: `spec.nodeName=${node}` }), ok, `${verb} ${node}`);
});

Deno.test("a node writes the status of its own CSINode, where volumes tell their health", () => {
  const status = ["get", "update", "patch"].map((verb) => `${verb} csinodes/status.storage.k8s.io /n1`);
  table(new World(), [], status);
  table(new World("CSIVolumeHealth"), status, [
    "update csinodes/status.storage.k8s.io /n2",
    "delete csinodes/status.storage.k8s.io /n1",
    "create csinodes/status.storage.k8s.io /n1",
    "get csinodes/other.storage.k8s.io /n1",
  ]);
});

Deno.test("who is no node is not judged", () => {
  const w = new World();
  const ask = (name: string, groups: string[]) =>
    w.node.authorize({
      user: { name, groups },
      verb: "create",
      isResource: true,
      group: "",
      version: "v1",
      resource: "nodes",
      subresource: "",
      namespace: "",
      name: "",
      path: "",
    });
  assert.equal(ask("system:node:x", []).decision, "no-opinion");
  assert.equal(ask("ann", ["system:nodes"]).decision, "no-opinion");
  assert.match(ask("system:node:", ["system:nodes"]).reason, /unknown node/);
  assert.equal(w.may("get nodes", { isResource: false, path: "/metrics" }), false, "nor is a path");
});

const WHY: Readonly<Record<string, string>> = {
  "get nodes /m": "node 'n1' cannot read 'm', only its own Node object",
  "list nodes": "node 'n1' cannot read all nodes, only its own Node object",
  "list pods a/": "can only list/watch pods with spec.nodeName field selector",
  "list secrets a/": "No Object name found",
  "get secrets a/x": "no relationship found between node 'n1' and this object",
  "get secrets/x a/x": "cannot read subresource",
  "get secrets /x": "can only read namespaced object of this type",
  "create secrets a/x": "can only read resources of this type",
  "list persistentvolumes /": "can only get individual resources of this type",
  "get persistentvolumes/status /x": "cannot get subresource",
  "get persistentvolumeclaims/status a/x": "can only get/update/patch this type",
  "get serviceaccounts a/x": "not allowed to get service accounts",
  "list serviceaccounts a/": "can only create tokens for individual service accounts",
  "create serviceaccounts/x a/x": "can only create token subresource of serviceaccount",
  "list leases.coordination.k8s.io a/": "can only get, create, update, patch, or delete a node lease",
  "get leases.coordination.k8s.io a/n1": 'can only access leases in the "kube-node-lease" system namespace',
  "get leases.coordination.k8s.io kube-node-lease/m":
    "can only access node lease with the same name as the requesting node",
  "get csinodes.storage.k8s.io /m": "can only access CSINode with the same name as the requesting node",
  "list resourceslices.resource.k8s.io /":
    "can only list/watch/deletecollection resourceslices with nodeName field selector",
  "proxy resourceslices.resource.k8s.io /":
    "only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection",
  "update podcertificaterequests.certificates.k8s.io a/x": "nodes may not update podcertificaterequests",
  "list podcertificaterequests.certificates.k8s.io a/":
    "can only list/watch podcertificaterequests with nodeName field selector",
};
Deno.test("a node is told why not in the public words", () => {
  const w = new World();
  for (const [text, why] of Object.entries(WHY)) assert.equal(w.decide(text).reason, why, text);
});
