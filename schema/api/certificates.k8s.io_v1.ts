// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type * as meta_v1 from "./meta_v1.ts";
/** Descriptors of `certificates.v1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "certificates.k8s.io",
  version: "v1",
  short: "certificates.v1",
  protobuf: true,
  kinds: String.raw`{
"CertificateSigningRequest":{"list":"CertificateSigningRequestList","introduced":"1.19"},
"ClusterTrustBundle":{"list":"ClusterTrustBundleList","introduced":"1.37"},
"PodCertificateRequest":{"list":"PodCertificateRequestList","introduced":"1.37"}
}`,
  messages: String.raw`{
"CertificateSigningRequest":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .CertificateSigningRequestSpec R","status 3 .CertificateSigningRequestStatus Oe"]},
"CertificateSigningRequestCondition":{"f":[["type 1 string R",{"alias":"RequestConditionType"}],["status 6 string R",{"alias":"core.v1.ConditionStatus"}],"reason 2 string Oe","message 3 string Oe","lastUpdateTime 4 meta.v1.Time Oe","lastTransitionTime 5 meta.v1.Time Oe"]},
"CertificateSigningRequestList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .CertificateSigningRequest rR"]},
"CertificateSigningRequestSpec":{"f":["request 1 bytes R","signerName 7 string R","expirationSeconds 8 int32 pOe",["usages 5 string re",{"listType":"atomic","enum":["signing","digital signature","content commitment","key encipherment","key agreement","data encipherment","cert sign","crl sign","encipher only","decipher only","any","server auth","client auth","code signing","email protection","s/mime","ipsec end system","ipsec tunnel","ipsec user","timestamping","ocsp signing","microsoft sgc","netscape sgc"],"alias":"KeyUsage"}],"username 2 string Oe","uid 3 string Oe",["groups 4 string rOe",{"listType":"atomic"}],"extra 6 .ExtraValue Oem"]},
"CertificateSigningRequestStatus":{"f":[["conditions 1 .CertificateSigningRequestCondition rOe",{"listType":"map","listMapKeys":["type"],"validate":{"beta@1.37:listType":"map","beta@1.37:listMapKey":"type","beta@1.37:customUnique":true,"beta@1.37:optional":true,"beta@1.37:item(type:Approved)>zeroOrOneOfMember":true,"beta@1.37:item(type:Denied)>zeroOrOneOfMember":true}}],"certificate 2 bytes Oe"]},
"ClusterTrustBundle":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .ClusterTrustBundleSpec R"]},
"ClusterTrustBundleList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .ClusterTrustBundle rR"]},
"ClusterTrustBundleSpec":{"f":[["signerName 1 string Oe",{"validate":{"alpha@1.37:optional":true,"alpha@1.37:immutable":true}}],"trustBundle 2 string R"]},
"ExtraValue":{"w":"list","nullable":true,"f":[" 1 string r"]},
"PodCertificateRequest":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .PodCertificateRequestSpec R","status 3 .PodCertificateRequestStatus Oe"]},
"PodCertificateRequestList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .PodCertificateRequest rR"]},
"PodCertificateRequestSpec":{"f":["signerName 1 string R","podName 2 string R",["podUID 3 string R",{"alias":"types.UID"}],"serviceAccountName 4 string R",["serviceAccountUID 5 string R",{"alias":"types.UID"}],["nodeName 6 string R",{"alias":"types.NodeName"}],["nodeUID 7 string R",{"alias":"types.UID"}],["maxExpirationSeconds 8 int32 pOe",{"default":86400}],"stubPKCS10Request 12 bytes R","unverifiedUserAnnotations 11 string Oem"]},
"PodCertificateRequestStatus":{"f":[["conditions 1 meta.v1.Condition rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"],"validate":{"alpha@1.37:listType":"map","alpha@1.37:listMapKey":"type","alpha@1.37:optional":true}}],"certificateChain 2 string Oe","notBefore 4 meta.v1.Time pOe","beginRefreshAt 5 meta.v1.Time pOe","notAfter 6 meta.v1.Time pOe"]}
}`,
};

/** Asks a signer for an X.509 certificate. Somebody approves or denies it, and if approved the signer puts the certificate into the status. */
export interface CertificateSigningRequest {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec: CertificateSigningRequestSpec;
  status?: CertificateSigningRequestStatus;
}
/** One step in the handling of a certificate request. */
export interface CertificateSigningRequestCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastUpdateTime?: meta_v1.Time;
  lastTransitionTime?: meta_v1.Time;
}
/** List of certificate signing requests. */
export interface CertificateSigningRequestList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: CertificateSigningRequest[] | null;
}
/** What certificate is asked for, from which signer and by whom. */
export interface CertificateSigningRequestSpec {
  request: string | null;
  signerName: string;
  expirationSeconds?: number;
  usages?: ("signing" | "digital signature" | "content commitment" | "key encipherment" | "key agreement" | "data encipherment" | "cert sign" | "crl sign" | "encipher only" | "decipher only" | "any" | "server auth" | "client auth" | "code signing" | "email protection" | "s/mime" | "ipsec end system" | "ipsec tunnel" | "ipsec user" | "timestamping" | "ocsp signing" | "microsoft sgc" | "netscape sgc")[];
  username?: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, ExtraValue>;
}
/** How far the request has come, and the certificate. */
export interface CertificateSigningRequestStatus {
  conditions?: CertificateSigningRequestCondition[];
  certificate?: string;
}
/** A set of root certificates that pods can mount through a clusterTrustBundle volume source. Every service account may read it, so treat it as open to everybody who can log in. */
export interface ClusterTrustBundle {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec: ClusterTrustBundleSpec;
}
/** List of cluster trust bundles. */
export interface ClusterTrustBundleList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: ClusterTrustBundle[] | null;
}
/** Root certificates, and the signer to which they belong if any. */
export interface ClusterTrustBundleSpec {
  signerName?: string;
  trustBundle: string;
}
export type ExtraValue = string[];
/** Asks a signer for a certificate for one pod. Made by the node agent for volumes of the source podCertificate; it is not meant to be written by hand. */
export interface PodCertificateRequest {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec: PodCertificateRequestSpec;
  status?: PodCertificateRequestStatus;
}
/** List of pod certificate requests. */
export interface PodCertificateRequestList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: PodCertificateRequest[] | null;
}
/** For which pod, service account and node a certificate is asked, and for which key. Nothing here can be changed later. */
export interface PodCertificateRequestSpec {
  signerName: string;
  podName: string;
  podUID: string;
  serviceAccountName: string;
  serviceAccountUID: string;
  nodeName: string;
  nodeUID: string;
  maxExpirationSeconds?: number;
  stubPKCS10Request: string | null;
  unverifiedUserAnnotations?: Record<string, string>;
}
/** The outcome. Once the request is issued, denied or failed, nothing here can be changed. */
export interface PodCertificateRequestStatus {
  conditions?: meta_v1.Condition[];
  certificateChain?: string;
  notBefore?: meta_v1.Time;
  beginRefreshAt?: meta_v1.Time;
  notAfter?: meta_v1.Time;
}
