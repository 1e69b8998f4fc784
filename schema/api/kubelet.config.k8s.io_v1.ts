// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type * as meta_v1 from "./meta_v1.ts";
/** Descriptors of `kubelet.v1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "kubelet.config.k8s.io",
  version: "v1",
  short: "kubelet.v1",
  protobuf: false,
  kinds: String.raw`{
"CredentialProviderConfig":{"protobuf":false}
}`,
  messages: String.raw`{
"CredentialProvider":{"f":["name 0 string R","matchImages 0 string rR","defaultCacheDuration 0 meta.v1.Duration p","apiVersion 0 string R","args 0 string rOe","env 0 .ExecEnvVar rOe","tokenAttributes 0 .ServiceAccountTokenAttributes pOe"]},
"CredentialProviderConfig":{"t":1,"f":["providers 0 .CredentialProvider rR"]},
"ExecEnvVar":{"f":["name 0 string R","value 0 string R"]},
"ServiceAccountTokenAttributes":{"f":["serviceAccountTokenAudience 0 string R",["cacheType 0 string R",{"alias":"ServiceAccountTokenCacheType"}],"requireServiceAccount 0 bool pR",["requiredServiceAccountAnnotationKeys 0 string rOe",{"listType":"set"}],["optionalServiceAccountAnnotationKeys 0 string rOe",{"listType":"set"}]]}
}`,
};

export interface CredentialProvider {
  name: string;
  matchImages: string[] | null;
  defaultCacheDuration?: meta_v1.Duration | null;
  apiVersion: string;
  args?: string[];
  env?: ExecEnvVar[];
  tokenAttributes?: ServiceAccountTokenAttributes;
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
export interface ServiceAccountTokenAttributes {
  serviceAccountTokenAudience: string;
  cacheType: string;
  requireServiceAccount?: boolean | null;
  requiredServiceAccountAnnotationKeys?: string[];
  optionalServiceAccountAnnotationKeys?: string[];
}
