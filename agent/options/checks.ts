/** What must hold between options. A row per rule. */
import type { Product } from "../../schema/product.ts";
import { TLS_SUITE_NAMES } from "../../schema/tls_names.ts";
import { tryParseCidr, tryParseIp } from "../../schema/values/ip.ts";
import { BINARY_VERSION } from "../../schema/version.ts";
import { evictionFaults } from "./eviction_faults.ts";
import { imagePatternFaults } from "./image_patterns.ts";
import { labelFaults, nodeIpFault, taintFaults } from "./node_faults.ts";
import { policyFaults } from "./policy_faults.ts";
import { resourceFaults, signOf } from "./resource_faults.ts";
import { shutdownFaults } from "./shutdown_faults.ts";
import { defaultSysctlFaults, sysctlPatternFaults } from "./sysctls.ts";
import type { SettingValues } from "./table.ts";

/** What the rules look at beside the values. */
export interface CheckContext {
  readonly given: ReadonlySet<string>;
  readonly product: Product;
  enabled(gate: string): boolean;
}

type Check = (o: SettingValues, ctx: CheckContext) => string | false | undefined;

const PREVIOUS = `${BINARY_VERSION.major}.${BINARY_VERSION.minor - 1}`;
const HIGHEST_SAMPLING = 1_000_000;

/** `/a/b`: absolute, without parts that mean others, ASCII. */
const PLAIN_PATH = /^(?:\/|(?:\/(?!\.{1,2}(?:\/|$))[\x21-\x2e\x30-\x7e ]+)+)$/;

/** Fields that may only say nothing with a gate off. */
const GATED: Readonly<Record<string, string>> = {
  imageMaximumGCAge: "ImageMaximumGCAge",
  defaultPodSysctls: "DefaultPodSysctls",
  swapBehavior: "NodeSwap",
  maxContainerRestartPeriod: "KubeletCrashLoopBackOffMax",
  imagePullCredentialsVerificationPolicy: "KubeletEnsureSecretPulledImages",
  preloadedImagesVerificationAllowlist: "KubeletEnsureSecretPulledImages",
  memoryThrottlingFactor: "MemoryQoS",
};

const CHECKS: readonly Check[] = [
  (o) =>
    (o.tlsCertFile === "") !== (o.tlsPrivateKeyFile === "") && "--tls-cert-file and --tls-private-key-file go together",
  (o) =>
    o.tlsCipherSuites.filter((name) => !TLS_SUITE_NAMES.includes(name)).map((name) =>
      `--tls-cipher-suites: ${JSON.stringify(name)} should be one of ${TLS_SUITE_NAMES.join(", ")}`
    )[0],
  (o, { enabled }) =>
    o.rotateServerCertificates && !enabled("RotateKubeletServerCertificate") &&
    "--rotate-server-certificates: needs the feature gate RotateKubeletServerCertificate",
  (o, { given }) =>
    o.runonce && o.enableServer && given.has("enable-server") && "--runonce: cannot go with --enable-server",
  (o) => o.exitOnLockContention && o.lockFile === "" && "--exit-on-lock-contention: needs --lock-file",
  (o) => o.bootstrapOrchconfig !== "" && o.orchconfig === "" && "--bootstrap-orchconfig: needs --orchconfig",
  (o) => nodeIpFault(o.nodeIp),
  (o, { product }) =>
    !["application/json", product.protobuf].includes(o.orchApiContentType) &&
    `--orch-api-content-type: ${
      JSON.stringify(o.orchApiContentType)
    } should be application/json or ${product.protobuf}`,
  (o) =>
    o.imageGcLowThreshold >= o.imageGcHighThreshold &&
    `--image-gc-low-threshold: ${o.imageGcLowThreshold} should be less than --image-gc-high-threshold ${o.imageGcHighThreshold}`,
  (o) =>
    o.imageMaximumGCAge > 0 && o.imageMaximumGCAge <= o.minimumImageTtlDuration &&
    "imageMaximumGCAge: should be more than imageMinimumGCAge (--minimum-image-ttl-duration)",
  (o) =>
    signOf(o.containerLogMaxSize) === undefined &&
    `--container-log-max-size: ${JSON.stringify(o.containerLogMaxSize)} should be a quantity`,
  (o) =>
    o.serializeImagePulls && o.maxParallelImagePulls > 1 &&
    "maxParallelImagePulls: more than 1 needs --serialize-image-pulls=false",
  (o) =>
    o.preloadedImagesVerificationAllowlist.length > 0 &&
    o.imagePullCredentialsVerificationPolicy !== "NeverVerifyAllowlistedImages" &&
    "preloadedImagesVerificationAllowlist: only with the policy NeverVerifyAllowlistedImages",
  (o) =>
    (o.imageCredentialProviderBinDir === "") !== (o.imageCredentialProviderConfig === "") &&
    "--image-credential-provider-bin-dir and --image-credential-provider-config go together",
  (o) =>
    !/^unix:\/\/\/.|^\/./.test(o.containerRuntimeEndpoint) &&
    `--container-runtime-endpoint: ${JSON.stringify(o.containerRuntimeEndpoint)} should be a socket, unix:///path`,
  (o) =>
    o.imageServiceEndpoint !== "" && !/^unix:\/\/\/.|^\/./.test(o.imageServiceEndpoint) &&
    `--image-service-endpoint: ${JSON.stringify(o.imageServiceEndpoint)} should be a socket, unix:///path`,
  (o) => o.systemCgroups !== "" && o.cgroupRoot === "" && "--system-cgroups: needs --cgroup-root",
  (o, { enabled }) =>
    o.cpuCfsQuotaPeriod !== 100 && !enabled("CustomCPUCFSQuotaPeriod") &&
    "--cpu-cfs-quota-period: needs the feature gate CustomCPUCFSQuotaPeriod",
  (o) =>
    o.clusterDns.filter((ip) => !tryParseIp(ip)).map((ip) =>
      `--cluster-dns: ${JSON.stringify(ip)} should be an IP address`
    )[0],
  (o) =>
    o.podCidr !== "" && !tryParseCidr(o.podCidr) &&
    `--pod-cidr: ${JSON.stringify(o.podCidr)} should be a range in CIDR notation, such as 10.0.0.0/24`,
  (o) =>
    !PLAIN_PATH.test(o.podLogsDir) &&
    `podLogsDir: ${JSON.stringify(o.podLogsDir)} should be absolute, without . and .. and in ASCII`,
  (o) => o.idsPerPod % 65536 !== 0 && "userNamespaces.idsPerPod: should be a multiple of 65536",
  (o) => o.memoryThrottlingFactor === 0 && "memoryThrottlingFactor: should be more than 0",
  (o, { enabled }) =>
    o.memoryReservationPolicy !== "None" && !enabled("MemoryQoS") &&
    "memoryReservationPolicy: needs the feature gate MemoryQoS",
  (o, { enabled }) =>
    o.enableSystemLogQuery && !enabled("NodeLogQuery") && "enableSystemLogQuery: needs the feature gate NodeLogQuery",
  (o) => o.enableSystemLogQuery && !o.enableSystemLogHandler && "enableSystemLogQuery: needs enableSystemLogHandler",
  (o) =>
    !["", PREVIOUS].includes(o.showHiddenMetricsForVersion) &&
    `showHiddenMetricsForVersion: ${JSON.stringify(o.showHiddenMetricsForVersion)} should be ${PREVIOUS}`,
  (o) => {
    const rate = o.tracing?.samplingRatePerMillion ?? 0;
    return (rate < 0 || rate > HIGHEST_SAMPLING) &&
      `tracing.samplingRatePerMillion: ${rate} should be from 0 to ${HIGHEST_SAMPLING}`;
  },
  (o) =>
    !/^(?:(?!.*\/\/)|dns:\/\/|unix:\/\/|unix-abstract:\/\/)/.test(o.tracing?.endpoint ?? "") &&
    "tracing.endpoint: should be of the scheme dns, unix or unix-abstract, or of none",
];

/** What files of older agents say, whose default it was. */
const FORMER_FACTOR = 0.9;

const saysNothing = (name: string, value: unknown): boolean =>
  typeof value === "object"
    ? Object.keys(value ?? {}).length === 0
    : name === "memoryThrottlingFactor" && value === FORMER_FACTOR;

/** Every rule that does not hold. */
export function crossChecks(o: SettingValues, ctx: CheckContext): string[] {
  const { given, enabled } = ctx;
  const closed = Object.entries(GATED).filter(([name, gate]) =>
    given.has(name) && !enabled(gate) && !saysNothing(name, o[name as keyof SettingValues])
  );
  return [
    ...CHECKS.map((check) => check(o, ctx)).filter((text): text is string => typeof text === "string" && text !== ""),
    ...closed.map(([name, gate]) => `${name}: needs the feature gate ${gate}`),
    ...labelFaults(o.nodeLabels, ctx.product),
    ...taintFaults(o.registerWithTaints),
    ...imagePatternFaults(o.preloadedImagesVerificationAllowlist),
    ...evictionFaults(o),
    ...resourceFaults(o, enabled),
    ...policyFaults(o, enabled),
    ...shutdownFaults(o, enabled),
    ...sysctlPatternFaults(o.allowedUnsafeSysctls),
    ...defaultSysctlFaults(o.defaultPodSysctls),
  ];
}
