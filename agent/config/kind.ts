/**
 * What the configuration file may hold: all of the public agent's `KubeletConfiguration`. The descriptors in schema/api lack some
 * of its fields, so it is described here, by their messages where they have them.
 */
import { MessageTable } from "../../schema/model/table.ts";
import type { Field, Kind } from "../../schema/model/types.ts";
import { MODULES } from "../../schema/modules.ts";
import type { Product } from "../../schema/product.ts";

/** The group and version by public names. */
export const PUBLIC_VERSION = "kubelet.config.k8s.io/v1beta1";
/** The kind by its public name. */
export const PUBLIC_KIND = "KubeletConfiguration";

/** Messages by the words that stand for them below. */
const MESSAGES: Readonly<Record<string, string>> = {
  duration: "meta.v1.Duration",
  taint: "core.v1.Taint",
  texts: "authentication.v1.ExtraValue",
  tracing: "tracing.v1.TracingConfiguration",
  logging: ".LoggingConfiguration",
  authentication: "kubelet.v1beta1.KubeletAuthentication",
  authorization: "kubelet.v1beta1.KubeletAuthorization",
  swap: "kubelet.v1beta1.MemorySwapConfiguration",
  priority: "kubelet.v1beta1.ShutdownGracePeriodByPodPriority",
  crashes: "kubelet.v1beta1.CrashLoopBackOffConfig",
  memory: "kubelet.v1beta1.MemoryReservation",
  userNamespaces: "kubelet.v1beta1.UserNamespaces",
};

/** In declared order. `[]`: a list, `{}`: a map of it, `*`: absent and zero differ, `!`: written though it is zero. */
const FIELDS = `
  enableServer:bool* staticPodPath:string podLogsDir:string syncFrequency:duration fileCheckFrequency:duration
  httpCheckFrequency:duration staticPodURL:string staticPodURLHeader:texts{} address:string port:int32
  readOnlyPort:int32 tlsCertFile:string tlsPrivateKeyFile:string tlsCipherSuites:string[]
  tlsCurvePreferences:int32[] tlsMinVersion:string rotateCertificates:bool serverTLSBootstrap:bool
  authentication:authentication! authorization:authorization! registryPullQPS:int32* registryBurst:int32
  imagePullCredentialsVerificationPolicy:string preloadedImagesVerificationAllowlist:string[]
  eventRecordQPS:int32* eventBurst:int32 enableDebuggingHandlers:bool* enableContentionProfiling:bool
  healthzPort:int32* healthzBindAddress:string oomScoreAdj:int32* clusterDomain:string clusterDNS:string[]
  streamingConnectionIdleTimeout:duration nodeStatusUpdateFrequency:duration nodeStatusReportFrequency:duration
  nodeLeaseDurationSeconds:int32 imageMinimumGCAge:duration imageMaximumGCAge:duration
  imageGCHighThresholdPercent:int32* imageGCLowThresholdPercent:int32* volumeStatsAggPeriod:duration
  kubeletCgroups:string systemCgroups:string cgroupRoot:string cgroupsPerQOS:bool* cgroupDriver:string
  cpuManagerPolicy:string singleProcessOOMKill:bool* cpuManagerPolicyOptions:string{}
  cpuManagerReconcilePeriod:duration memoryManagerPolicy:string topologyManagerPolicy:string
  topologyManagerScope:string topologyManagerPolicyOptions:string{} qosReserved:string{}
  runtimeRequestTimeout:duration hairpinMode:string maxPods:int32 podCIDR:string podPidsLimit:int64*
  resolvConf:string* runOnce:bool cpuCFSQuota:bool* cpuCFSQuotaPeriod:duration* nodeStatusMaxImages:int32*
  maxOpenFiles:int64 contentType:string kubeAPIQPS:int32* kubeAPIBurst:int32 serializeImagePulls:bool*
  maxParallelImagePulls:int32* evictionHard:string{} evictionSoft:string{} evictionSoftGracePeriod:string{}
  evictionPressureTransitionPeriod:duration evictionMaxPodGracePeriod:int32 evictionMinimumReclaim:string{}
  mergeDefaultEvictionSettings:bool* podsPerCore:int32 enableControllerAttachDetach:bool*
  protectKernelDefaults:bool makeIPTablesUtilChains:bool* iptablesMasqueradeBit:int32* iptablesDropBit:int32*
  featureGates:bool{} failSwapOn:bool* memorySwap:swap containerLogMaxSize:string containerLogMaxFiles:int32*
  containerLogMaxWorkers:int32* containerLogMonitorInterval:duration*
  configMapAndSecretChangeDetectionStrategy:string systemReserved:string{} kubeReserved:string{}
  reservedSystemCPUs:string showHiddenMetricsForVersion:string systemReservedCgroup:string
  kubeReservedCgroup:string enforceNodeAllocatable:string[] allowedUnsafeSysctls:string[]
  defaultPodSysctls:string{} volumePluginDir:string providerID:string kernelMemcgNotification:bool
  logging:logging enableSystemLogHandler:bool* enableSystemLogQuery:bool* shutdownGracePeriod:duration
  shutdownGracePeriodCriticalPods:duration shutdownGracePeriodByPodPriority:priority[] crashLoopBackOff:crashes
  reservedMemory:memory[] enableProfilingHandler:bool* enableDebugFlagsHandler:bool* seccompDefault:bool*
  memoryThrottlingFactor:double* memoryReservationPolicy:string registerWithTaints:taint[] registerNode:bool*
  tracing:tracing* localStorageCapacityIsolation:bool* containerRuntimeEndpoint:string!
  imageServiceEndpoint:string failCgroupV1:bool* userNamespaces:userNamespaces*
`;

function field(text: string): string {
  const [, name, word, shape = "", pointer, always] = /^(\w+):(\w+)(\[\]|\{\})?(\*)?(!)?$/.exec(text)!;
  const flags = `O${shape === "[]" ? "r" : shape === "{}" ? "m" : ""}${pointer ? "p" : ""}${always ? "" : "e"}`;
  return `${name} 0 ${MESSAGES[word!] ?? word} ${flags}`;
}

// How often lines are flushed is a text or a number of nanoseconds.
const LOGGING = [
  "format 0 string Oe",
  "flushFrequency 0 any O",
  "verbosity 0 uint32 O",
  "vmodule 0 logs.v1.VModuleItem Ore",
  "options 0 logs.v1.FormatOptions O",
];

const TABLE = new MessageTable([...MODULES, {
  group: "",
  version: "",
  short: "agent",
  protobuf: false,
  kinds: "{}",
  messages: JSON.stringify({
    [PUBLIC_KIND]: { t: 1, f: FIELDS.trim().split(/\s+/).map(field) },
    LoggingConfiguration: { f: LOGGING },
  }),
}]);

const MESSAGE = TABLE.get(`agent.${PUBLIC_KIND}`)!;

/** The kind in a dialect: `KubeletConfiguration`, or `OrchletConfiguration`. */
export function configKind(product: Product): Kind {
  const apiVersion = product.local(PUBLIC_VERSION), [group = "", version = ""] = apiVersion.split("/");
  const kind = product.dialect === "orch" ? "OrchletConfiguration" : PUBLIC_KIND;
  return {
    group,
    publicGroup: PUBLIC_VERSION.split("/")[0]!,
    version,
    kind,
    apiVersion,
    message: MESSAGE,
    protobuf: false,
  };
}

/** The field at a path of names joined by dots. */
export function fieldAt(path: string): Field {
  const names = path.split("."), last = names.pop()!;
  const owner = names.reduce((m, name) => {
    const { type } = m.byName.get(name)!;
    return type as typeof MESSAGE;
  }, MESSAGE);
  return owner.byName.get(last)!;
}
