/** NodeRestriction: one table for each kind of object that a node's agent writes. */
import assert from "node:assert/strict";
import { productOf } from "../../schema/product.ts";
import { certificateRule } from "../../server/admission/noderestriction/pod_certificates.ts";
import { tokenRule } from "../../server/admission/noderestriction/tokens.ts";
import type { Attributes, PluginContext } from "../../server/admission/types.ts";
import { pod } from "./_cases.ts";
import type { Loose } from "../fixture/loose.ts";

Deno.test("NodeRestriction: a node asks for tokens of its own pods alone, for audiences that they use", async () => {
  const running = {
    ...pod({
      nodeName: "n1",
      volumes: [{ name: "t", projected: { sources: [{ serviceAccountToken: { audience: "a" } }] } }],
    }),
  };
  running.metadata = { ...running.metadata, namespace: "x", uid: "u1" };
  const allowed = new Set<string>(), others: Record<string, Loose> = {};
  const rule = tokenRule({
    product: productOf("kubernetes"),
    gate: () => true,
    lister: {
      get: (id: string, _namespace: string, name: string) =>
        id !== "pods" ? others[`${id.split(".")[0]!}/${name}`] : name === "p" ? running : undefined,
      list: () => [],
    },
    authorizer: {
      authorize: ({ resource }: Loose) => ({ decision: allowed.has(resource) ? "allow" : "deny", reason: "" }),
    },
  } as unknown as PluginContext);
  const ask = async (spec: Loose) => {
    const a = {
      operation: "CREATE",
      user: { name: "system:node:n1", groups: [] },
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
  assert.match(await ask({ boundObjectRef: { ...boundObjectRef, name: "gone" } }), /^pod "gone" not found$/);
  assert.match(
    await ask({ boundObjectRef: { ...boundObjectRef, uid: "u2" } }),
    /\(u2\) does not match the UID in record/,
  );
  assert.equal(await ask({ boundObjectRef, audiences: ["a"] }), "taken");
  assert.match(
    await ask({ boundObjectRef, audiences: ["b"] }),
    /: system:node:n1 is not authorized to request tokens for audience "b"$/,
  );
  assert.match(await ask({ boundObjectRef, audiences: ["a", "b"] }), /may only request 0 or 1 audiences/);
  allowed.add("b");
  assert.equal(await ask({ boundObjectRef, audiences: ["b"] }), "taken");
  const driver = { spec: { tokenRequests: [{ audience: "c" }, {}] } }, volume = { spec: { csi: { driver: "d" } } };
  const claim = { spec: { volumeName: "pv" } };
  const objects = {
    "csidrivers/d": driver,
    "csidrivers/file.csi.azure.com": driver,
    "persistentvolumes/pv": volume,
    "persistentvolumeclaims/c": claim,
    "persistentvolumeclaims/p-v": claim,
    "persistentvolumeclaims/former": { spec: { volumeName: "pv-former" } },
    "persistentvolumes/pv-former": { spec: { azureFile: {} } },
  };
  Object.assign(others, objects);
  const volumes = [
    { csi: { driver: "d" } },
    { persistentVolumeClaim: { claimName: "c" } },
    { name: "v", ephemeral: {} },
    { azureFile: {} },
    { persistentVolumeClaim: { claimName: "former" } },
  ];
  for (const volume of volumes) {
    running.spec.volumes = [volume];
    assert.equal(await ask({ boundObjectRef, audiences: ["c"] }), "taken", "a driver of the pod's takes it");
    assert.equal(await ask({ boundObjectRef }), "taken");
    assert.match(await ask({ boundObjectRef, audiences: ["d"] }), /for audience "d"$/);
  }
  allowed.add("e");
  const missing = async (volumes: Loose[], why: RegExp) => {
    running.spec.volumes = volumes;
    assert.match(await ask({ boundObjectRef, audiences: ["e"] }), why);
  };
  const claimed = { persistentVolumeClaim: { claimName: "c" } };
  await missing([{ csi: { driver: "x" } }], /error validating audience "e": csidriver.storage.k8s.io "x" not found$/);
  delete others["csidrivers/d"];
  await missing([claimed], /"e": csidriver.storage.k8s.io "d" not found$/);
  delete others["persistentvolumes/pv"];
  await missing([claimed], /"e": persistentvolume "pv" not found$/);
  delete others["persistentvolumeclaims/c"];
  await missing([claimed, { csi: { driver: "x" } }], /"e": \[persistentvolumeclaim "c" not found, csi.* not found\]$/);
  running.spec.volumes = [{ emptyDir: {} }];
  assert.match(await ask({ boundObjectRef, audiences: ["c"] }), /for audience "c"$/);
  running.spec.nodeName = "n2";
  assert.match(await ask({ boundObjectRef, audiences: ["a"] }), /bound to a pod scheduled on a different node/);
});

Deno.test("NodeRestriction: a node asks for certificates of its own pods as they are", async () => {
  const objects: Record<string, Loose> = {
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
      authorize: ({ resource }: Loose) => ({ decision: allowed.has(resource) ? "allow" : "deny", reason: "" }),
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
  const ask = async (change: Loose = {}, operation = "CREATE", subresource = "") => {
    const resource = { group: "certificates.k8s.io", name: "podcertificaterequests" };
    const a = { operation, resource, subresource, namespace: "x", object: { spec: { ...good, ...change } } };
    try {
      await rule(a as unknown as Attributes, "n1");
      return "taken";
    } catch (e) {
      return (e as Error).message;
    }
  };
  assert.equal(await ask(), "taken");
  assert.match(await ask({}, "UPDATE"), /unexpected operation UPDATE/);
  assert.match(await ask({}, "CREATE", "status"), /unexpected subresource status/);
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
  objects["pods"].spec.nodeName = "n2";
  assert.match(await ask(), /pod "x\/p" is not running on node "n1"/);
  delete objects["pods"];
  assert.match(await ask(), /pods "p" named in the PodCertificateRequest: not found/);
});
