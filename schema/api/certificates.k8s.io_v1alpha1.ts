// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type * as meta_v1 from "./meta_v1.ts";
/** Descriptors of `certificates.v1alpha1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "certificates.k8s.io",
  version: "v1alpha1",
  short: "certificates.v1alpha1",
  protobuf: true,
  kinds: String.raw`{
"ClusterTrustBundle":{"list":"ClusterTrustBundleList","introduced":"1.26","deprecated":"1.34","removed":"1.37"}
}`,
  messages: String.raw`{
"ClusterTrustBundle":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .ClusterTrustBundleSpec R"]},
"ClusterTrustBundleList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .ClusterTrustBundle rR"]},
"ClusterTrustBundleSpec":{"f":[["signerName 1 string Oe",{"validate":{"alpha@1.37:optional":true,"alpha@1.37:immutable":true}}],"trustBundle 2 string R"]}
}`,
};

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
