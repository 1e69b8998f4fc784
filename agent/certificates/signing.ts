/** Certificates that the API server's signers issue. */
import type { CertificateSigningRequest } from "../../schema/api/certificates.k8s.io_v1.ts";
import type { Product } from "../../schema/product.ts";
import { within } from "../client/mod.ts";
import { type Api, type Clock, hasCode } from "../types.ts";
import { lifeOf } from "./pair.ts";
import { isRequestOf, requestOf, type Template } from "./x509.ts";

/** What is asked for. */
export interface Wanted {
  readonly template: Template;
  /** PEM, of P-256. */
  readonly key: string;
  /** Public name of the signer. */
  readonly signer: keyof typeof USAGES;
  /** Of the request, so that one asked for before is found again; undefined: a new one. */
  readonly name?: string;
  /** How long approval may take, ms. */
  readonly waitMs: number;
}

const USAGES = {
  "kubernetes.io/kube-apiserver-client-kubelet": ["digital signature", "client auth"],
  "kubernetes.io/kubelet-serving": ["digital signature", "server auth"],
} as const;

/** Usages of a signer's certificates. */
export const usagesOf = (signer: keyof typeof USAGES): readonly string[] => USAGES[signer];

/** Asks, and waits until it is approved and issued. @throws Error when it is denied, fails, or does not come in time */
export async function askForCertificate(
  api: Api,
  product: Product,
  clock: Clock,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<string> {
  const path = `/apis/${product.local("certificates.k8s.io")}/v1/certificatesigningrequests`;
  const request = await made(api, product, clock, path, wanted, signal);
  const late = `certificate signing request ${request.metadata?.name} was not signed in time`;
  return await within(clock, wanted.waitMs, late, [signal], (limit) => issued(api, path, request, limit));
}

async function made(
  api: Api,
  product: Product,
  clock: Clock,
  path: string,
  { template, key, signer, name }: Wanted,
  signal: AbortSignal,
): Promise<CertificateSigningRequest> {
  const pem = await requestOf(template, key);
  const body: CertificateSigningRequest = {
    apiVersion: product.local("certificates.k8s.io/v1"),
    kind: "CertificateSigningRequest",
    metadata: name === undefined ? { generateName: "csr-" } : { name },
    spec: { request: btoa(pem), signerName: product.local(signer), usages: [...USAGES[signer]] },
  };
  try {
    return await api.request("POST", path, { body, signal });
  } catch (e) {
    if (name === undefined || !hasCode(e, 409)) throw e;
  }
  const found = await api.request<CertificateSigningRequest>("GET", `${path}/${name}`, { signal });
  if (found.spec.signerName !== body.spec.signerName || !await isRequestOf(atob(found.spec.request!), template, key)) {
    throw new Error(`certificate signing request ${name} is there, and not this node's`);
  }
  const cert = found.status?.certificate;
  if (cert && lifeOf(atob(cert)).to <= clock.now()) {
    throw new Error(`the certificate of certificate signing request ${name} has expired`);
  }
  return found;
}

/** Follows a request to its end. */
async function issued(
  api: Api,
  path: string,
  { metadata }: CertificateSigningRequest,
  limit: AbortSignal,
): Promise<string> {
  const { name, uid } = metadata!;
  const stop = new AbortController(), { promise, resolve, reject } = Promise.withResolvers<string>();
  const end = () => stop.abort(limit.reason);
  limit.addEventListener("abort", end);
  if (limit.aborted) end();
  const look = (request: CertificateSigningRequest | undefined) => {
    if (request?.metadata?.uid !== uid) return reject(new Error(`certificate signing request ${name} was deleted`));
    const { conditions = [], certificate } = request?.status ?? {};
    const bad = conditions.find(({ type }) => type === "Denied" || type === "Failed");
    if (bad) {
      const what = bad.type === "Denied" ? "is denied" : "failed";
      reject(
        new Error(`certificate signing request ${what}, reason: ${bad.reason ?? ""}, message: ${bad.message ?? ""}`),
      );
    } else if (certificate && conditions.some(({ type }) => type === "Approved")) resolve(atob(certificate));
  };
  try {
    const following = api.follow<CertificateSigningRequest>(path, { fieldSelector: `metadata.name=${name}` }, {
      // A list may be from before the request was made.
      replace: ([request]) => request && look(request),
      changed: (type, request) => look(type === "DELETED" ? undefined : request),
    }, stop.signal);
    following.then(() => reject(limit.reason), reject);
    return await promise;
  } finally {
    limit.removeEventListener("abort", end);
    stop.abort();
  }
}
