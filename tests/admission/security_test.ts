/** Plugins that say who may do what: PodSecurity, certificates, owners. */
import "reflect-metadata";
import assert from "node:assert/strict";
import * as x509 from "@peculiar/x509";
import { startTestServer } from "../fixture/server.ts";
import { type Body, create, namespace, obj, pod, table } from "./_cases.ts";

const LEVEL = (level: string, more = {}) => ({ "pod-security.kubernetes.io/enforce": level, ...more });
const hostNetwork = pod({ hostNetwork: true });
const good = pod({
  securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
  containers: [{
    name: "c",
    image: "i",
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
  }],
});
const workload = obj("apps/v1", "Deployment", "d", {
  spec: { selector: { matchLabels: { a: "b" } }, template: { metadata: { labels: { a: "b" } }, spec: good.spec } },
});
const bareWorkload = {
  ...workload,
  spec: { ...workload.spec, template: { ...workload.spec.template, spec: pod().spec } },
};
const relabel = (labels: Body) => ({
  method: "PATCH",
  path: "/api/v1/namespaces/{ns}",
  type: "application/merge-patch+json",
  body: { metadata: { labels } },
});
const CONFIG = `
- name: PodSecurity
  configuration:
    apiVersion: pod-security.admission.config.k8s.io/v1
    kind: PodSecurityConfiguration
    defaults: {enforce: baseline, warn: restricted, warn-version: v1.30}
    exemptions: {usernames: [root], namespaces: [default], runtimeClasses: [sandbox]}
`;

table("PodSecurity", true, {
  "without labels everything goes": { post: hostNetwork, warns: [] },
  "baseline refuses power over the node": {
    labels: LEVEL("baseline"),
    post: hostNetwork,
    says: /^pods "p" is forbidden: violates PodSecurity "baseline:latest": host namespaces \(hostNetwork=true\)$/,
  },
  "several findings, in order": {
    flags: ["--allow-privileged"],
    labels: LEVEL("baseline"),
    post: pod({
      hostPID: true,
      containers: [{ name: "c", image: "i", securityContext: { privileged: true } }],
      volumes: [{ name: "v", hostPath: { path: "/" } }],
    }),
    dry: true,
    says:
      /host namespaces \(hostPID=true\), hostPath volumes \(volume "v"\), privileged \(container "c" must not set securityContext\.privileged=true\)/,
  },
  "restricted says what is missing": {
    labels: LEVEL("restricted"),
    post: pod(),
    says:
      /violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false \(container "c" must set securityContext\.allowPrivilegeEscalation=false\), unrestricted capabilities \(container "c" must set securityContext\.capabilities\.drop=\["ALL"\]\), runAsNonRoot != true \(pod or container "c" must set securityContext\.runAsNonRoot=true\), seccompProfile \(pod or container "c" must set securityContext\.seccompProfile\.type to "RuntimeDefault" or "Localhost"\)/,
  },
  "restricted takes a pod that does it right": { labels: LEVEL("restricted"), post: good, warns: [] },
  "warnings, by version": {
    labels: { "pod-security.kubernetes.io/warn": "restricted", "pod-security.kubernetes.io/warn-version": "v1.20" },
    post: pod(),
    warns: [/would violate PodSecurity "restricted:v1\.20": allowPrivilegeEscalation/],
  },
  "an old version asks for less": {
    labels: LEVEL("baseline", { "pod-security.kubernetes.io/enforce-version": "v1.30" }),
    post: pod({ securityContext: { sysctls: [{ name: "net.ipv4.tcp_rmem", value: "1" }] } }),
    says: /violates PodSecurity "baseline:v1\.30": forbidden sysctls \(net\.ipv4\.tcp_rmem\)/,
  },
  "a workload is made, with a warning": {
    labels: LEVEL("restricted"),
    post: bareWorkload,
    warns: [/would violate PodSecurity "restricted:latest"/],
  },
  "a good workload without": { labels: LEVEL("restricted"), post: workload, warns: [] },
  "a bad label is refused": {
    request: relabel(LEVEL("bogus")),
    status: 422,
    says:
      /metadata\.labels\[pod-security\.kubernetes\.io\/enforce\]: Invalid value: "bogus": must be one of privileged/,
  },
  "raising the level tells of pods that are there": {
    given: [hostNetwork, pod({ hostNetwork: true }, {}, "q")],
    request: relabel(LEVEL("baseline")),
    warns: [
      /existing pods in namespace "\w+" violate the new PodSecurity enforce level "baseline:latest"/,
      /p \(and 1 other pod\): host namespaces/,
    ],
  },
  "user namespaces relax what they make harmless": {
    labels: LEVEL("baseline"),
    post: pod({
      hostUsers: false,
      containers: [{ name: "c", image: "i", securityContext: { procMount: "Unmasked" } }],
    }),
  },
  "configured defaults": { config: CONFIG, post: hostNetwork, says: /violates PodSecurity "baseline:latest"/ },
  "configured warnings": { config: CONFIG, post: pod(), warns: [/would violate PodSecurity "restricted:v1\.30"/] },
  "an exempt runtime class": {
    config: CONFIG,
    given: [obj("node.k8s.io/v1", "RuntimeClass", "sandbox", { handler: "h" })],
    post: pod({ hostNetwork: true, runtimeClassName: "sandbox" }),
    warns: [],
  },
  "an exempt user": {
    config: CONFIG,
    as: { name: "root", groups: ["system:masters"] },
    post: hostNetwork,
    warns: [],
  },
  "off: everything goes": { off: true, labels: LEVEL("restricted"), post: hostNetwork, warns: [] },
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
const request = (name: string, pem: string, signerName = "kubernetes.io/kube-apiserver-client") =>
  obj("certificates.k8s.io/v1", "CertificateSigningRequest", name, {
    spec: { request: pem, signerName, usages: ["client auth"] },
  });
const plain = await csr("CN=bob");
const master = await csr("O=system:masters, CN=bob");

table("CertificateSubjectRestriction", true, {
  "a subject like any other": { post: request("a", plain) },
  "an administrator's is refused": {
    post: request("b", master),
    says: /use of kubernetes\.io\/kube-apiserver-client signer with system:masters group is not allowed/,
  },
  "in a dry run too": { post: request("b", master), dry: true, says: /system:masters group is not allowed/ },
  "another signer decides itself": { post: request("c", master, "x.io/y") },
  "off: as asked": { off: true, post: request("b", master) },
});

const ALICE = { name: "alice", groups: ["system:authenticated"] };
const role = (name: string, rules: Body) => obj("rbac.authorization.k8s.io/v1", "ClusterRole", name, { rules });
const binding = (name: string) =>
  obj("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", name, {
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "alice" }],
  });
const allow = (name: string, ...rules: Body[]) => [role(name, rules), binding(name)];
const CERTIFICATES = {
  apiGroups: ["certificates.k8s.io"],
  resources: ["*"],
  verbs: ["create", "get", "list", "update", "patch", "delete"],
};
const signers = (verb: string, name: string) => ({
  apiGroups: ["certificates.k8s.io"],
  resources: ["signers"],
  verbs: [verb],
  resourceNames: [name],
});
const approve = (csrName: string) => ({
  method: "PATCH",
  path: `/apis/certificates.k8s.io/v1/certificatesigningrequests/${csrName}/approval`,
  type: "application/merge-patch+json",
  body: { status: { conditions: [{ type: "Approved", status: "True", reason: "r", message: "m" }] } },
});

table("CertificateApproval", true, {
  "who may not approve for the signer": {
    given: [...allow("writer", CERTIFICATES), request("a", plain, "x.io/y")],
    as: ALICE,
    request: approve("a"),
    says: /user not permitted to approve requests with signerName "x\.io\/y"/,
  },
  "in a dry run": { as: ALICE, request: approve("a"), dry: true, says: /user not permitted to approve/ },
  "who may by name": {
    given: [...allow("by-name", signers("approve", "x.io/y"))],
    as: ALICE,
    request: approve("a"),
    shows: { "status.conditions.0.type": "Approved" },
  },
  "who may for the whole domain": {
    given: [...allow("by-domain", signers("approve", "z.io/*")), request("b", plain, "z.io/any")],
    as: ALICE,
    request: approve("b"),
  },
  "off: who may write": {
    off: true,
    given: [...allow("writer", CERTIFICATES), request("a", plain, "x.io/y")],
    as: ALICE,
    request: approve("a"),
  },
});

const fail = (csrName: string, body: Body = { conditions: [{ type: "Failed", status: "True", reason: "r" }] }) => ({
  method: "PATCH",
  path: `/apis/certificates.k8s.io/v1/certificatesigningrequests/${csrName}/status`,
  type: "application/merge-patch+json",
  body: { status: body },
});

table("CertificateSigning", true, {
  "who may not sign for the signer": {
    given: [...allow("writer", CERTIFICATES), request("a", plain, "x.io/y")],
    as: ALICE,
    request: fail("a"),
    says: /user not permitted to sign requests with signerName "x\.io\/y"/,
  },
  "in a dry run": { as: ALICE, request: fail("a"), dry: true, says: /user not permitted to sign/ },
  "a write that changes nothing of it": { as: ALICE, request: fail("a", {}) },
  "who may": { given: [...allow("by-name", signers("sign", "x.io/y"))], as: ALICE, request: fail("a") },
  "off: who may write": {
    off: true,
    given: [...allow("writer", CERTIFICATES), request("a", plain, "x.io/y")],
    as: ALICE,
    request: fail("a"),
  },
});

const issuer = await x509.X509CertificateGenerator.createSelfSigned({
  name: "CN=root",
  keys: await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]),
  signingAlgorithm: { name: "ECDSA", hash: "SHA-256" },
  extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
});
const bundle = (name: string, signerName?: string) =>
  obj("certificates.k8s.io/v1beta1", "ClusterTrustBundle", name, {
    spec: { trustBundle: issuer.toString("pem") + "\n", ...(signerName ? { signerName } : {}) },
  });
const BUNDLES = [
  "--runtime-config=certificates.k8s.io/v1beta1=true",
  "--feature-gates=ClusterTrustBundle=true",
];

table("ClusterTrustBundleAttest", true, {
  "who may not attest for the signer": {
    flags: BUNDLES,
    given: allow("writer", CERTIFICATES),
    as: ALICE,
    post: bundle("x.io:y:a", "x.io/y"),
    says: /user not permitted to attest for signerName "x\.io\/y"/,
  },
  "in a dry run": { flags: BUNDLES, as: ALICE, post: bundle("x.io:y:a", "x.io/y"), dry: true, says: /attest for/ },
  "a bundle of no signer": { flags: BUNDLES, as: ALICE, post: bundle("mine") },
  "who may": {
    flags: BUNDLES,
    given: allow("by-name", signers("attest", "x.io/y")),
    as: ALICE,
    post: bundle("x.io:y:a", "x.io/y"),
  },
  "off: who may write": {
    flags: BUNDLES,
    off: true,
    given: allow("writer", CERTIFICATES),
    as: ALICE,
    post: bundle("x.io:y:a", "x.io/y"),
  },
});

const owned = (blockOwnerDeletion: boolean, kind = "ConfigMap") =>
  obj("v1", "ConfigMap", "m", {
    metadata: { ownerReferences: [{ apiVersion: "v1", kind, name: "o", uid: "u", blockOwnerDeletion }] },
  });
const MAPS = { apiGroups: [""], resources: ["configmaps"], verbs: ["create", "get", "update", "patch"] };
const own = (ownerReferences: Body) => ({
  method: "PATCH",
  path: "/api/v1/namespaces/{ns}/configmaps/m",
  type: "application/merge-patch+json",
  body: { metadata: { ownerReferences } },
});
const reference = { apiVersion: "v1", kind: "ConfigMap", name: "o", uid: "u" };

table("OwnerReferencesPermissionEnforcement", false, {
  "who creates may name an owner": { given: allow("maps", MAPS), as: ALICE, post: owned(false) },
  "not one that is blocked": {
    given: allow("maps", MAPS),
    as: ALICE,
    post: owned(true),
    says: /cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on/,
  },
  "nor of an unknown kind, in a dry run": {
    given: allow("maps", MAPS),
    as: ALICE,
    post: owned(true, "Unknown"),
    dry: true,
    says: /cannot find RESTMapping for APIVersion v1 Kind Unknown/,
  },
  "who may not delete may not change owners": {
    given: [...allow("maps", MAPS), obj("v1", "ConfigMap", "m")],
    as: ALICE,
    request: own([reference]),
    says: /cannot set an ownerRef on a resource you can't delete/,
  },
  "who may finalize the owner may block it": {
    given: allow("finalizers", { apiGroups: [""], resources: ["configmaps/finalizers"], verbs: ["update"] }),
    as: ALICE,
    post: owned(true),
  },
  "off: as asked": { off: true, given: allow("maps", MAPS), as: ALICE, post: owned(true) },
});

Deno.test("an update that changes no image of a pod that breaks the level is taken", async () => {
  const s = await startTestServer(["--disable-admission-plugins=ServiceAccount"]);
  try {
    const ns = await namespace(s);
    await create(s, ns, hostNetwork);
    const patch = (path: string, body: Body, type: string) =>
      s.fetch(`/api/v1/namespaces/${ns}${path}`, { method: "PATCH", headers: { "content-type": type }, body });
    await patch("", { metadata: { labels: LEVEL("baseline") } }, "application/merge-patch+json");
    const label = await patch("/pods/p", { metadata: { labels: { a: "b" } } }, "application/merge-patch+json");
    assert.equal(label.status, 200);
    const image = await patch(
      "/pods/p",
      { spec: { containers: [{ name: "c", image: "z" }] } },
      "application/strategic-merge-patch+json",
    );
    assert.equal(image.status, 403, image.text);
  } finally {
    await s.stop();
  }
});
