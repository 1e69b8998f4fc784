// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type { Int64 } from "../model/types.ts";
import type * as componentbase_logs_v1 from "./componentbase_logs_v1.ts";
import type * as componentbase_tracing_v1 from "./componentbase_tracing_v1.ts";
import type * as core_v1 from "./core_v1.ts";
import type * as meta_v1 from "./meta_v1.ts";
import type * as quantity from "./quantity.ts";
/** Descriptors of `kubelet.v1beta1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "kubelet.config.k8s.io",
  version: "v1beta1",
  short: "kubelet.v1beta1",
  protobuf: false,
  kinds: String.raw`{
"CredentialProviderConfig":{"protobuf":false},
"ImagePullIntent":{"protobuf":false},
"ImagePulledRecord":{"protobuf":false},
"KubeletConfiguration":{"protobuf":false},
"SerializedNodeConfigSource":{"protobuf":false}
}`,
  messages: String.raw`{
"CrashLoopBackOffConfig":{"f":["maxContainerRestartPeriod 0 meta.v1.Duration pOe"]},
"CredentialProvider":{"f":["name 0 string R","matchImages 0 string rR","defaultCacheDuration 0 meta.v1.Duration p","apiVersion 0 string R","args 0 string rOe","env 0 .ExecEnvVar rOe"]},
"CredentialProviderConfig":{"t":1,"f":["providers 0 .CredentialProvider rR"]},
"ExecEnvVar":{"f":["name 0 string R","value 0 string R"]},
"ImagePullCredentials":{"f":[["kubernetesSecrets 0 .ImagePullSecret rOe",{"listType":"set"}],["kubernetesServiceAccounts 0 .ImagePullServiceAccount rOe",{"listType":"set"}],"nodePodsAccessible 0 bool Oe"]},
"ImagePullIntent":{"t":1,"f":["image 0 string R"]},
"ImagePullSecret":{"f":["uid 0 string R","namespace 0 string R","name 0 string R","credentialHash 0 string R"]},
"ImagePullServiceAccount":{"f":["uid 0 string R","namespace 0 string R","name 0 string R"]},
"ImagePulledRecord":{"t":1,"f":["lastUpdatedTime 0 meta.v1.Time R","imageRef 0 string R","credentialMapping 0 .ImagePullCredentials em"]},
"KubeletAnonymousAuthentication":{"f":["enabled 0 bool pOe"]},
"KubeletAuthentication":{"f":["x509 0 .KubeletX509Authentication O","webhook 0 .KubeletWebhookAuthentication O","anonymous 0 .KubeletAnonymousAuthentication O"]},
"KubeletAuthorization":{"f":[["mode 0 string Oe",{"alias":"KubeletAuthorizationMode"}],"webhook 0 .KubeletWebhookAuthorization O"]},
"KubeletConfiguration":{"t":1,"f":["enableServer 0 bool pe","staticPodPath 0 string Oe","podLogsDir 0 string Oe","syncFrequency 0 meta.v1.Duration Oe","fileCheckFrequency 0 meta.v1.Duration Oe","httpCheckFrequency 0 meta.v1.Duration Oe","staticPodURL 0 string Oe","staticPodURLHeader 0 string Oem","address 0 string Oe","port 0 int32 Oe","readOnlyPort 0 int32 Oe","tlsCertFile 0 string Oe","tlsPrivateKeyFile 0 string Oe","tlsCipherSuites 0 string rOe","tlsCurvePreferences 0 int32 rOe","tlsMinVersion 0 string Oe","rotateCertificates 0 bool Oe","serverTLSBootstrap 0 bool Oe","authentication 0 .KubeletAuthentication O","authorization 0 .KubeletAuthorization O","registryPullQPS 0 int32 pOe","registryBurst 0 int32 Oe",["imagePullCredentialsVerificationPolicy 0 string Oe",{"alias":"ImagePullCredentialsVerificationPolicy"}],"systemReserved 0 string Oem","kubeReserved 0 string Oem","reservedSystemCPUs 0 string e","showHiddenMetricsForVersion 0 string Oe","systemReservedCgroup 0 string Oe","kubeReservedCgroup 0 string Oe","enforceNodeAllocatable 0 string rOe","allowedUnsafeSysctls 0 string rOe","defaultPodSysctls 0 string Oem","volumePluginDir 0 string Oe","providerID 0 string Oe","kernelMemcgNotification 0 bool Oe","logging 0 logs.v1.LoggingConfiguration Oe","enableSystemLogHandler 0 bool pOe","enableSystemLogQuery 0 bool pOe","shutdownGracePeriod 0 meta.v1.Duration Oe","shutdownGracePeriodCriticalPods 0 meta.v1.Duration Oe","shutdownGracePeriodByPodPriority 0 .ShutdownGracePeriodByPodPriority rOe","crashLoopBackOff 0 .CrashLoopBackOffConfig Oe","reservedMemory 0 .MemoryReservation rOe","enableProfilingHandler 0 bool pOe","enableDebugFlagsHandler 0 bool pOe","seccompDefault 0 bool pOe","memoryThrottlingFactor 0 double pOe",["memoryReservationPolicy 0 string Oe",{"alias":"MemoryReservationPolicy"}],"registerWithTaints 0 core.v1.Taint rOe","registerNode 0 bool pOe","tracing 0 tracing.v1.TracingConfiguration pOe","localStorageCapacityIsolation 0 bool pOe","containerRuntimeEndpoint 0 string R","imageServiceEndpoint 0 string Oe","failCgroupV1 0 bool pOe","userNamespaces 0 .UserNamespaces pOe"]},
"KubeletWebhookAuthentication":{"f":["enabled 0 bool pOe","cacheTTL 0 meta.v1.Duration Oe"]},
"KubeletWebhookAuthorization":{"f":["cacheAuthorizedTTL 0 meta.v1.Duration Oe","cacheUnauthorizedTTL 0 meta.v1.Duration Oe"]},
"KubeletX509Authentication":{"f":["clientCAFile 0 string Oe"]},
"MemoryReservation":{"f":["numaNode 0 int32 R",["limits 0 quantity.Quantity Rm",{"alias":"core.v1.ResourceList"}]]},
"MemorySwapConfiguration":{"f":["swapBehavior 0 string Oe"]},
"SerializedNodeConfigSource":{"t":1,"f":["source 0 core.v1.NodeConfigSource Oe"]},
"ShutdownGracePeriodByPodPriority":{"f":["priority 0 int32 R","shutdownGracePeriodSeconds 0 int64 R"]},
"UserNamespaces":{"f":["idsPerPod 0 int64 pOe"]}
}`,
};

export interface CrashLoopBackOffConfig {
  maxContainerRestartPeriod?: meta_v1.Duration;
}
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
export interface KubeletAnonymousAuthentication {
  enabled?: boolean;
}
export interface KubeletAuthentication {
  x509?: KubeletX509Authentication;
  webhook?: KubeletWebhookAuthentication;
  anonymous?: KubeletAnonymousAuthentication;
}
export interface KubeletAuthorization {
  mode?: string;
  webhook?: KubeletWebhookAuthorization;
}
export interface KubeletConfiguration {
  apiVersion?: string;
  kind?: string;
  enableServer?: boolean;
  staticPodPath?: string;
  podLogsDir?: string;
  syncFrequency?: meta_v1.Duration;
  fileCheckFrequency?: meta_v1.Duration;
  httpCheckFrequency?: meta_v1.Duration;
  staticPodURL?: string;
  staticPodURLHeader?: Record<string, string>;
  address?: string;
  port?: number;
  readOnlyPort?: number;
  tlsCertFile?: string;
  tlsPrivateKeyFile?: string;
  tlsCipherSuites?: string[];
  tlsCurvePreferences?: number[];
  tlsMinVersion?: string;
  rotateCertificates?: boolean;
  serverTLSBootstrap?: boolean;
  authentication?: KubeletAuthentication;
  authorization?: KubeletAuthorization;
  registryPullQPS?: number;
  registryBurst?: number;
  imagePullCredentialsVerificationPolicy?: string;
  systemReserved?: Record<string, string>;
  kubeReserved?: Record<string, string>;
  reservedSystemCPUs?: string;
  showHiddenMetricsForVersion?: string;
  systemReservedCgroup?: string;
  kubeReservedCgroup?: string;
  enforceNodeAllocatable?: string[];
  allowedUnsafeSysctls?: string[];
  defaultPodSysctls?: Record<string, string>;
  volumePluginDir?: string;
  providerID?: string;
  kernelMemcgNotification?: boolean;
  logging?: componentbase_logs_v1.LoggingConfiguration;
  enableSystemLogHandler?: boolean;
  enableSystemLogQuery?: boolean;
  shutdownGracePeriod?: meta_v1.Duration;
  shutdownGracePeriodCriticalPods?: meta_v1.Duration;
  shutdownGracePeriodByPodPriority?: ShutdownGracePeriodByPodPriority[];
  crashLoopBackOff?: CrashLoopBackOffConfig;
  reservedMemory?: MemoryReservation[];
  enableProfilingHandler?: boolean;
  enableDebugFlagsHandler?: boolean;
  seccompDefault?: boolean;
  memoryThrottlingFactor?: number;
  memoryReservationPolicy?: string;
  registerWithTaints?: core_v1.Taint[];
  registerNode?: boolean;
  tracing?: componentbase_tracing_v1.TracingConfiguration;
  localStorageCapacityIsolation?: boolean;
  containerRuntimeEndpoint: string;
  imageServiceEndpoint?: string;
  failCgroupV1?: boolean;
  userNamespaces?: UserNamespaces;
}
export interface KubeletWebhookAuthentication {
  enabled?: boolean;
  cacheTTL?: meta_v1.Duration;
}
export interface KubeletWebhookAuthorization {
  cacheAuthorizedTTL?: meta_v1.Duration;
  cacheUnauthorizedTTL?: meta_v1.Duration;
}
export interface KubeletX509Authentication {
  clientCAFile?: string;
}
export interface MemoryReservation {
  numaNode: number;
  limits: Record<string, quantity.Quantity> | null;
}
export interface MemorySwapConfiguration {
  swapBehavior?: string;
}
export interface SerializedNodeConfigSource {
  apiVersion?: string;
  kind?: string;
  source?: core_v1.NodeConfigSource;
}
export interface ShutdownGracePeriodByPodPriority {
  priority: number;
  shutdownGracePeriodSeconds: Int64;
}
export interface UserNamespaces {
  idsPerPod?: Int64;
}
