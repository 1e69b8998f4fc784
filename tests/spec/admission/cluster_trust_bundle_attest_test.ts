/** Admission plugin ClusterTrustBundleAttest: see _table.ts. */
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { ALICE, allow, CERTIFICATES, signers } from "./_rights.ts";
import { obj, table } from "./_table.ts";
import type { Loose } from "../../fixture/loose.ts";

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
const change = (body: Loose) => ({
  method: "PATCH",
  path: "/apis/certificates.k8s.io/v1beta1/clustertrustbundles/u.io:v:a",
  type: "application/merge-patch+json",
  body,
});
const BUNDLES = [
  "--runtime-config=certificates.k8s.io/v1beta1=true",
  "--feature-gates=ClusterTrustBundle=true",
];

table("ClusterTrustBundleAttest", {
  on: {
    "who may not attest for the signer": {
      flags: BUNDLES,
      given: allow("writer", CERTIFICATES),
      as: ALICE,
      post: bundle("x.io:y:a", "x.io/y"),
      says: /user not permitted to attest for signerName "x\.io\/y"/,
    },
  },
  edge: {
    "upkeep of a bundle that is there": {
      flags: BUNDLES,
      given: [...allow("writer", CERTIFICATES), bundle("u.io:v:a", "u.io/v")],
      as: ALICE,
      request: change({ metadata: { finalizers: ["x.io/f"] } }),
    },
    "but no other change": {
      flags: BUNDLES,
      as: ALICE,
      request: change({ metadata: { labels: { a: "b" } } }),
      says: /user not permitted to attest for signerName "u\.io\/v"/,
    },
    "a bundle of no signer": { flags: BUNDLES, as: ALICE, post: bundle("mine") },
    "who may": {
      flags: BUNDLES,
      given: allow("by-name", signers("attest", "x.io/y")),
      as: ALICE,
      post: bundle("x.io:y:a", "x.io/y"),
    },
  },
  dryRun: {
    "refused too": { flags: BUNDLES, as: ALICE, post: bundle("w.io:x:a", "w.io/x"), says: /attest for/ },
  },
  off: {
    "who may write": {
      flags: BUNDLES,
      given: allow("writer", CERTIFICATES),
      as: ALICE,
      post: bundle("x.io:y:a", "x.io/y"),
    },
  },
});
