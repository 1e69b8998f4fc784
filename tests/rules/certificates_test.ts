import assert from "node:assert/strict";
import { createPrivateKey, generateKeyPairSync, sign } from "node:crypto";
import { bitString, explicit, integer, oid, sequence } from "../../pki/der.ts";
import { generateKey, issue, issueAuthority, nameDer, publicKeyDer, toPem } from "../../pki/mod.ts";
import type { JsonMap, Obj } from "../../schema/model/types.ts";
import { Bench, NOW as TIME, type Row, table } from "./_table.ts";

const NOW = Date.parse(TIME), HOUR = 3_600_000;
const base64 = (text: string) => new TextEncoder().encode(text).toBase64();

/** A request for a certificate, DER; `wrong`: its signature is not the key's. `attributes`: none are an empty set. */
function request(key: string, wrong = false, attributes = explicit(0)): Uint8Array {
  const info = sequence(integer(Uint8Array.of(0)), nameDer({ commonName: "u" }), publicKeyDer(key), attributes);
  const signature = sign("sha256", wrong ? publicKeyDer(key) : info, createPrivateKey(key));
  return sequence(info, sequence(oid("1.2.840.10045.4.3.2")), bitString(new Uint8Array(signature)));
}

const key = generateKey(), other = generateKey();
const root = issueAuthority("r", key, NOW), secondRoot = issueAuthority("s", other, NOW);
/** A certificate for the first key. */
const leaf = (hours: number, dnsNames: string[] = [], from = NOW) =>
  issue({
    subject: { commonName: "p" },
    publicKey: publicKeyDer(key),
    notBefore: new Date(from),
    notAfter: new Date(from + hours * HOUR),
    serial: Uint8Array.of(1),
    dnsNames,
  }, { subject: nameDer({ commonName: "r" }), publicKey: publicKeyDer(other), key: other });

const REQUEST = "CERTIFICATE REQUEST";
const approved = { type: "Approved", status: "True" }, denied = { type: "Denied", status: "True" };
const odd = (type: string) => ({ type, status: "Unknown" });
const encoded = (der: Uint8Array, label = REQUEST) => base64(toPem(label, der));

table({
  kind: "certificates.k8s.io/v1/CertificateSigningRequest",
  resource: "certificatesigningrequests",
  namespaced: false,
  good: {
    metadata: { name: "Any:Name" },
    spec: { request: encoded(request(key)), signerName: "x.io/s", usages: ["client auth"] },
  },
  rows: [
    { set: { "spec.request": encoded(request(key), "CERTIFICATE") }, causes: ["spec.request Invalid"] },
    { set: { "spec.request": encoded(request(key, true)) }, causes: ["spec.request Invalid"] },
    { set: { "spec.request": encoded(request(key, false, new Uint8Array())) }, causes: ["spec.request Invalid"] },
    { set: { "spec.request": base64("text") }, causes: ["spec.request Invalid"] },
    { set: { "spec.usages": [] }, causes: ["spec.usages Required"] },
    {
      set: { "spec.usages": ["any", "any", "none"] },
      causes: ["spec.usages[1] Duplicate", "spec.usages[2] NotSupported"],
    },
    { set: { "spec.signerName": "x/s" }, causes: ["spec.signerName Invalid"] },
    { set: { "spec.signerName": "kubernetes.io/legacy-unknown" }, causes: ["spec.signerName Invalid"] },
    { set: { "spec.expirationSeconds": 599 }, causes: ["spec.expirationSeconds Invalid"] },
    { set: { "spec.expirationSeconds": 600 }, causes: [] },
    { set: { "metadata.name": "a/b" }, causes: ["metadata.name Invalid"] },
    { set: { "metadata.name": "a/b", "spec.usages": [] }, causes: ["spec.usages Required"] },
    { on: "update", set: { "spec.usages": [], "status.conditions": [approved] }, causes: [] },
    // What was stored wrong is forgiven.
    { on: "update", from: { "spec.usages": ["any", "any", "none"] }, set: {}, causes: [] },
    { on: "update", from: { "spec.signerName": "kubernetes.io/legacy-unknown" }, set: {}, causes: [] },
    { on: "update", from: { "spec.request": base64("text") }, set: {}, causes: [] },
    {
      on: "approval",
      from: { "status.conditions": [approved, denied] },
      set: { "status.conditions": [approved, denied, { type: "A", status: "True" }] },
      causes: [],
    },
    {
      on: "status",
      from: { "status.conditions": [odd(""), odd("A"), odd("A")] },
      set: { "status.conditions": [odd(""), odd("A"), odd("A"), odd("B")] },
      causes: [],
    },
    {
      on: "status",
      from: { "status.certificate": base64("text") },
      set: { "status.certificate": base64("other") },
      causes: ["status.certificate Forbidden"],
    },
    {
      on: "status",
      set: { "status.conditions": [odd("A"), odd("A")] },
      causes: ["status.conditions[1].type Duplicate"],
    },
    {
      on: "status",
      set: { "status.certificate": base64(root.replace("\n", "\nA: b\n\n")) },
      causes: ["status.certificate Invalid"],
    },
    { on: "approval", set: { "status.conditions": [approved] }, causes: [] },
    { on: "approval", set: { "status.conditions": [approved, denied] }, causes: ["status.conditions Invalid"] },
    {
      on: "approval",
      set: { "status.conditions": [{ type: "Approved", status: "False" }, { type: "" }] },
      causes: [
        "status.conditions[0].status NotSupported",
        "status.conditions[1].status Required",
        "status.conditions[1].type Required",
      ],
    },
    {
      on: "approval",
      from: { "status.conditions": [approved] },
      set: { "status.conditions": [] },
      causes: ["status.conditions Forbidden"],
    },
    { on: "status", set: { "status.conditions": [approved] }, causes: ["status.conditions Forbidden"] },
    {
      on: "status",
      from: { "status.conditions": [{ ...approved, reason: "R" }] },
      set: { "status.conditions": [{ type: "Failed", status: "True" }, { type: "Approved", status: "Bogus" }] },
      causes: [],
    },
    { on: "status", set: { "status.certificate": base64(root) }, causes: [] },
    { on: "status", set: { "status.certificate": base64("text") }, causes: ["status.certificate Invalid"] },
    {
      on: "status",
      from: { "status.certificate": base64(root) },
      set: { "status.certificate": base64(secondRoot) },
      causes: ["status.certificate Forbidden"],
    },
  ],
});

Deno.test("signing requests: approval takes conditions alone, and conditions that stay as they were keep their times", () => {
  const kind = { kind: "certificates.k8s.io/v1/CertificateSigningRequest", resource: "certificatesigningrequests" };
  const bench = new Bench({ ...kind, namespaced: false, good: {}, rows: [] });
  const spec = { request: encoded(request(key)), signerName: "x.io/s", usages: ["client auth"] };
  const write = (old: Obj, door: string, status: JsonMap) => {
    const { object, causes } = bench.update(old, { spec: { ...spec, usages: ["any"] }, status }, door);
    assert.deepEqual([causes, object["spec"].usages], [[], spec.usages]);
    return object;
  };
  const old = bench.create({ spec }).object;
  const made = write(old, "approval", { conditions: [approved], certificate: base64(root) });
  const now = { lastUpdateTime: TIME, lastTransitionTime: TIME }, before = "2025-01-01T00:00:00Z";
  assert.deepEqual(made["status"], { conditions: [{ ...approved, ...now }] });
  Object.assign(made["status"].conditions[0]!, { lastUpdateTime: before, lastTransitionTime: before });
  const { conditions } = write(made, "approval", {
    conditions: [approved, { type: "A", status: "True", lastUpdateTime: before }],
  })["status"];
  assert.deepEqual(conditions, [
    { ...approved, lastUpdateTime: TIME, lastTransitionTime: before },
    { type: "A", status: "True", lastUpdateTime: before, lastTransitionTime: TIME },
  ]);
});

table({
  kind: "certificates.k8s.io/v1beta1/ClusterTrustBundle",
  resource: "clustertrustbundles",
  namespaced: false,
  good: { spec: { trustBundle: root } },
  rows: [
    { set: { "spec.trustBundle": "" }, causes: ["spec.trustBundle Invalid"] },
    { set: { "spec.trustBundle": leaf(2) }, causes: ["spec.trustBundle Invalid"] },
    { set: { "spec.trustBundle": root + secondRoot + root }, causes: ["spec.trustBundle Invalid"] },
    {
      set: { "spec.trustBundle": toPem("KEY", Uint8Array.of(1)) + toPem("CERTIFICATE", Uint8Array.of(1)) },
      causes: ["spec.trustBundle Invalid", "spec.trustBundle Invalid"],
    },
    { set: { "spec.signerName": "x.io/s" }, causes: ["metadata.name Invalid"] },
    { set: { "metadata.generateName": ".." }, causes: ["metadata.generateName Invalid"] },
    { set: { "spec.signerName": "x.io/s", "metadata.name": "x.io:s:n" }, causes: [] },
    {
      on: "update",
      set: { "spec.signerName": "x.io/s" },
      causes: ["metadata.name Invalid", "spec.signerName Invalid"],
    },
  ],
});

const edwards = generateKeyPairSync("ed25519");
const spki = new Uint8Array(edwards.publicKey.export({ type: "spki", format: "der" })).toBase64();
const proof = new Uint8Array(sign(null, new TextEncoder().encode("u"), edwards.privateKey)).toBase64();
const asked = {
  signerName: "x.io/s",
  podName: "p",
  podUID: "u",
  serviceAccountName: "a",
  serviceAccountUID: "v",
  nodeName: "n",
  nodeUID: "w",
};
const issued = { type: "Issued", status: "True", reason: "R", message: "", lastTransitionTime: "2026-01-01T00:00:00Z" };
const answer = (certificateChain: string, more = {}) => ({
  status: {
    conditions: [issued],
    certificateChain,
    notBefore: "2026-01-01T00:00:00Z",
    notAfter: "2026-01-01T02:00:00Z",
    beginRefreshAt: "2026-01-01T01:00:00Z",
    ...more,
  },
});

table({
  kind: "certificates.k8s.io/v1beta1/PodCertificateRequest",
  resource: "podcertificaterequests",
  good: { spec: { ...asked, stubPKCS10Request: request(key).toBase64() } },
  rows: [
    { set: { "spec.stubPKCS10Request": undefined }, causes: ["spec Invalid"] },
    { set: { "spec.stubPKCS10Request": request(key, true).toBase64() }, causes: ["spec.stubPKCS10Request Invalid"] },
    { set: { "spec.pkixPublicKey": spki }, causes: ["spec Invalid"] },
    { set: { spec: { ...asked, pkixPublicKey: spki, proofOfPossession: proof } }, causes: [] },
    {
      set: { spec: { ...asked, podUID: "w", pkixPublicKey: spki, proofOfPossession: proof } },
      causes: ["spec.proofOfPossession Invalid"],
    },
    { set: { "spec.podUID": "", "spec.nodeName": "N" }, causes: ["spec.nodeName Invalid", "spec.podUID Invalid"] },
    { set: { "spec.maxExpirationSeconds": 60 }, causes: ["spec.maxExpirationSeconds Invalid"] },
    {
      set: { "spec.signerName": "kubernetes.io/s", "spec.maxExpirationSeconds": 86401 },
      causes: ["spec.maxExpirationSeconds Invalid"],
    },
    { set: { "spec.unverifiedUserAnnotations": { a: "b" } }, causes: ["spec.unverifiedUserAnnotations Invalid"] },
    { on: "update", set: { "spec.podName": "q" }, causes: ["spec Invalid"] },
    { on: "status", set: answer(leaf(2)), causes: [] },
    { on: "status", set: answer(secondRoot), causes: ["status.certificateChain Invalid"] },
    { on: "status", set: answer("text"), causes: ["status.certificateChain Invalid"] },
    { on: "status", set: answer(leaf(2, ["a..b"])), causes: ["status.certificateChain Invalid"] },
    { on: "status", set: answer(leaf(3)), causes: ["status.notAfter Invalid"] },
    {
      on: "status",
      set: answer(leaf(2), { beginRefreshAt: "2026-01-01T01:55:00Z" }),
      causes: ["status.beginRefreshAt Invalid"],
    },
    { on: "status", set: answer(leaf(2), { notBefore: "2026-01-01T00:00:01Z" }), causes: ["status.notBefore Invalid"] },
    {
      on: "status",
      set: answer(leaf(2, [], NOW + HOUR / 10), { notBefore: "2026-01-01T00:06:00Z" }),
      causes: ["status.notBefore Invalid"],
    },
    {
      on: "status",
      set: answer(leaf(0.5), { notAfter: "2026-01-01T00:30:00Z", beginRefreshAt: "2026-01-01T00:15:00Z" }),
      causes: ["status.certificateChain Invalid"],
    },
    {
      on: "status",
      set: answer(leaf(25), { notAfter: "2026-01-02T01:00:00Z" }),
      causes: ["status.certificateChain Invalid"],
    },
    {
      on: "status",
      set: answer(leaf(2), { beginRefreshAt: "2026-01-01T00:05:00Z" }),
      causes: ["status.beginRefreshAt Invalid"],
    },
    ...[
      leaf(2).replaceAll("CERTIFICATE", "KEY"),
      leaf(2) + toPem("KEY", Uint8Array.of(1)),
      leaf(2) + toPem("CERTIFICATE", Uint8Array.of(1)),
    ].map((chain): Row => ({ on: "status", set: answer(chain), causes: ["status.certificateChain Invalid"] })),
    {
      on: "status",
      set: { "status.conditions": [{ ...issued, type: "Denied" }, { ...issued, type: "Failed" }] },
      causes: ["status.conditions.[1].type Invalid"],
    },
    {
      on: "status",
      set: { "status.conditions": [{ ...issued, type: "Denied", status: "False" }] },
      causes: ["status.conditions.[0].status NotSupported"],
    },
    { on: "status", set: { "status.certificateChain": "c" }, causes: ["status Invalid"] },
    {
      on: "status",
      set: { "status.conditions": [{ ...issued, type: "Denied" }], "status.certificateChain": "c" },
      causes: ["status Invalid"],
    },
    {
      on: "status",
      from: { "status.conditions": [{ ...issued, type: "Denied" }] },
      set: { "status.conditions": [{ ...issued, type: "Failed" }] },
      causes: ["status Invalid"],
    },
  ],
});
