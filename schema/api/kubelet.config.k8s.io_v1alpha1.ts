// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type * as meta_v1 from "./meta_v1.ts";
/** Descriptors of `kubelet.v1alpha1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "kubelet.config.k8s.io",
  version: "v1alpha1",
  short: "kubelet.v1alpha1",
  protobuf: false,
  kinds: String.raw`{
"CredentialProviderConfig":{"protobuf":false},
"ImagePullIntent":{"protobuf":false},
"ImagePulledRecord":{"protobuf":false}
}`,
  messages: String.raw`{
"CredentialProvider":{"f":["name 0 string R","matchImages 0 string rR","defaultCacheDuration 0 meta.v1.Duration p","apiVersion 0 string R","args 0 string rOe","env 0 .ExecEnvVar rOe"]},
"CredentialProviderConfig":{"t":1,"f":["providers 0 .CredentialProvider rR"]},
"ExecEnvVar":{"f":["name 0 string R","value 0 string R"]},
"ImagePullCredentials":{"f":[["kubernetesSecrets 0 .ImagePullSecret rOe",{"listType":"set"}],["kubernetesServiceAccounts 0 .ImagePullServiceAccount rOe",{"listType":"set"}],"nodePodsAccessible 0 bool Oe"]},
"ImagePullIntent":{"t":1,"f":["image 0 string R"]},
"ImagePullSecret":{"f":["uid 0 string R","namespace 0 string R","name 0 string R","credentialHash 0 string R"]},
"ImagePullServiceAccount":{"f":["uid 0 string R","namespace 0 string R","name 0 string R"]},
"ImagePulledRecord":{"t":1,"f":["lastUpdatedTime 0 meta.v1.Time R","imageRef 0 string R","credentialMapping 0 .ImagePullCredentials em"]}
}`,
};

export interface CredentialProvider {
  name: string;
  matchImages: string[] | null;
  defaultCacheDuration?: meta_v1.Duration | null;
  apiVersion: string;
  args?: string[];
  env?: ExecEnvVar[];
}
export interface CredentialProviderConfig {
  apiVersion?: string;
  kind?: string;
  providers: CredentialProvider[] | null;
}
export interface ExecEnvVar {
  name: string;
  value: string;
}
export interface ImagePullCredentials {
  kubernetesSecrets?: ImagePullSecret[];
  kubernetesServiceAccounts?: ImagePullServiceAccount[];
  nodePodsAccessible?: boolean;
}
export interface ImagePullIntent {
  apiVersion?: string;
  kind?: string;
  image: string;
}
export interface ImagePullSecret {
  uid: string;
  namespace: string;
  name: string;
  credentialHash: string;
}
export interface ImagePullServiceAccount {
  uid: string;
  namespace: string;
  name: string;
}
export interface ImagePulledRecord {
  apiVersion?: string;
  kind?: string;
  lastUpdatedTime: meta_v1.Time;
  imageRef: string;
  credentialMapping?: Record<string, ImagePullCredentials>;
}
