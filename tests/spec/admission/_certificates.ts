/** Certificate signing requests that tests send. */
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { obj } from "./_table.ts";

/** A request for a subject with a new key, as `spec.request` holds it. */
export async function csr(subject: string): Promise<string> {
  const keys = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);
  const made = await x509.Pkcs10CertificateRequestGenerator.create({
    name: subject,
    keys,
    signingAlgorithm: { name: "ECDSA", hash: "SHA-256" },
  });
  return btoa(made.toString("pem"));
}

/** An object of a request to a signer. */
export const request = (name: string, pem: string, signerName = "kubernetes.io/kube-apiserver-client") =>
  obj("certificates.k8s.io/v1", "CertificateSigningRequest", name, {
    spec: { request: pem, signerName, usages: ["client auth"] },
  });

/** A request of a subject like any other. */
export const plain = await csr("CN=bob");
