/** What must hold between options. A row per rule. */
import { sizeFault } from "./watch_cache.ts";
import { unknownPlugins } from "../admission/names.ts";
import { camel } from "../../schema/flags/names.ts";
import { TLS_SUITE_NAMES } from "../../schema/tls_names.ts";
import type { OptionName, OptionValues } from "./table.ts";

type Given = ReadonlySet<OptionName>;
type Check = (o: OptionValues, given: Given) => string | false | undefined;

/** Directives of the header Strict-Transport-Security (RFC 6797, 6.1; `preload` by use). */
const HSTS = /^(?:max-age=\d+|includeSubDomains|preload)$/i;
const LOOPBACK = /^(127\.|::1$)/;
const AUTHORIZATION: readonly OptionName[] = [
  "authorization-mode",
  "authorization-policy-file",
  "authorization-webhook-config-file",
  "authorization-webhook-version",
  "authorization-webhook-cache-authorized-ttl",
  "authorization-webhook-cache-unauthorized-ttl",
];

/** Lists that name something in each of their parts. */
const NAMED = [
  "requestheader-username-headers",
  "requestheader-uid-headers",
  "requestheader-group-headers",
  "requestheader-extra-headers-prefix",
  "requestheader-allowed-names",
  "cors-allowed-origins",
] as const;

/** Whether an expression says where the host begins and ends; one that does not would let other hosts in. */
const pinsHost = (origin: string): boolean => /\^|\/\//.test(origin) && /[$:]/.test(origin);

/** Waits of servers for another one's lease are up to so many times longer. */
const LEADERSHIP_JITTER = 1.2;

const together = (a: keyof OptionValues, b: keyof OptionValues, text: string): Check => (o) =>
  (o[a] === "") !== (o[b] === "") && text;

/** Whether a range has less than 8 addresses. */
const isSmall = (cidr: string) => Number(cidr.split("/")[1]) > (cidr.includes(":") ? 125 : 29);

const families = (cidrs: readonly string[]) => new Set(cidrs.map((c) => c.includes(":")));

const CHECKS: readonly Check[] = [
  together("tlsCertFile", "tlsPrivateKeyFile", "--tls-cert-file and --tls-private-key-file go together"),
  (o) =>
    o.tlsCipherSuites.filter((name) => !TLS_SUITE_NAMES.includes(name)).map((name) =>
      `--tls-cipher-suites: ${JSON.stringify(name)} should be one of ${TLS_SUITE_NAMES.join(", ")}`
    )[0],
  together("storeCertfile", "storeKeyfile", "--store-certfile and --store-keyfile go together"),
  together(
    "proxyClientCertFile",
    "proxyClientKeyFile",
    "--proxy-client-cert-file and --proxy-client-key-file go together",
  ),
  together(
    "kubeletClientCertificate",
    "kubeletClientKey",
    "--kubelet-client-certificate and --kubelet-client-key go together",
  ),
  (o) =>
    o.plainHttp && !LOOPBACK.test(o.bindAddress) &&
    `--plain-http: only with a loopback --bind-address, not ${o.bindAddress || "all interfaces"}`,
  (o) =>
    o.serviceClusterIpRange.length === 2 && families(o.serviceClusterIpRange).size === 1 &&
    "--service-cluster-ip-range: two ranges should be of different families",
  (o) => o.serviceClusterIpRange.length === 0 && "--service-cluster-ip-range: needed",
  (o) =>
    o.serviceClusterIpRange.filter(isSmall).map((r) =>
      `--service-cluster-ip-range: ${r} should have at least 8 addresses`
    )[0],
  (o) =>
    o.kubernetesServiceNodePort !== 0 &&
    (o.kubernetesServiceNodePort < o.serviceNodePortRange.from ||
      o.kubernetesServiceNodePort > o.serviceNodePortRange.to) &&
    "--kubernetes-service-node-port: should lie in --service-node-port-range",
  (o) =>
    o.storageBackend === "etcd3" && o.storeServers.length === 0 && "--storage-backend=etcd3: needs --store-servers",
  (o) =>
    (o.storageBackend === "denokv" || o.storageBackend === "memory") && o.storeServers.length > 0 &&
    `--storage-backend=${o.storageBackend}: cannot use --store-servers`,
  // A variable that is not set: a store of its own is not what was meant.
  (o, given) =>
    o.storageBackend === "" && given.has("store-servers") && o.storeServers.length === 0 &&
    "--store-servers: names no server",
  (o) =>
    o.storageBackend !== "" && o.storageBackend !== "denokv" && o.storagePath !== "" &&
    "--storage-path: only with --storage-backend=denokv",
  (o) =>
    o.storageBackend === "" && o.storeServers.length > 0 && o.storagePath !== "" &&
    "--storage-path: cannot go with --store-servers",
  (o) =>
    !/^application\/(json|yaml|vnd\.(orch|kubernetes)\.protobuf)$/.test(o.storageMediaType) &&
    `--storage-media-type: ${JSON.stringify(o.storageMediaType)} should be JSON, YAML or Protobuf`,
  (o) => {
    const fault = o.watchCacheSizes.map(sizeFault).find((f) => f !== undefined);
    return fault !== undefined && `--watch-cache-sizes: ${fault}`;
  },
  (o) => o.storePrefix === "/" && "--store-prefix: should not be empty",
  (o) =>
    o.encryptionProviderConfigAutomaticReload && o.encryptionProviderConfig === "" &&
    "--encryption-provider-config-automatic-reload: needs --encryption-provider-config",
  (_o, given) =>
    given.has("admission-control") &&
    (given.has("enable-admission-plugins") || given.has("disable-admission-plugins")) &&
    "--admission-control: cannot go with --enable-admission-plugins or --disable-admission-plugins",
  (o) =>
    both(o.enableAdmissionPlugins, o.disableAdmissionPlugins).map((p) =>
      `--enable-admission-plugins and --disable-admission-plugins: both name ${p}`
    )[0],
  (o, given) =>
    o.authorizationConfig !== "" &&
    AUTHORIZATION.filter((n) => given.has(n)).map((n) => `--authorization-config: cannot go with --${n}`)[0],
  // A variable that is not set: to allow everything is not what was meant.
  (o, given) =>
    given.has("authorization-mode") && o.authorizationMode.length === 0 && "--authorization-mode: names no mode",
  (o) => duplicate(o.authorizationMode) && `--authorization-mode: names ${duplicate(o.authorizationMode)} twice`,
  (o) =>
    o.authorizationMode.includes("ABAC") !== (o.authorizationPolicyFile !== "") &&
    "--authorization-policy-file and the mode ABAC go together",
  (o) =>
    o.authorizationMode.includes("Webhook") !== (o.authorizationWebhookConfigFile !== "") &&
    "--authorization-webhook-config-file and the mode Webhook go together",
  (o) => o.oidcIssuerUrl !== "" && !o.oidcIssuerUrl.startsWith("https://") && "--oidc-issuer-url: should be https",
  (o) => (o.oidcIssuerUrl === "") !== (o.oidcClientId === "") && "--oidc-issuer-url and --oidc-client-id go together",
  (o, given) =>
    o.oidcIssuerUrl === "" && o.oidcClientId === "" &&
    [...given].filter((n) => n.startsWith("oidc-")).map((n) =>
      `--${n}: needs --oidc-issuer-url and --oidc-client-id`
    )[0],
  (o) => NAMED.filter((name) => o[camel(name)].includes("")).map((name) => `--${name}: a part is empty`)[0],
  (o) =>
    o.corsAllowedOrigins.filter((origin) => !pinsHost(origin)).map((origin) =>
      `--cors-allowed-origins: ${JSON.stringify(origin)} should say where the host begins (^ or //) and ends ($ or :)`
    )[0],
  (o) =>
    o.serviceAccountIssuer.some((i) => i.includes(":") && !URL.canParse(i)) &&
    "--service-account-issuer: an issuer with a colon should be a URL",
  (o) => o.serviceAccountIssuer.includes("") && "--service-account-issuer: should not be empty",
  (o) =>
    o.serviceAccountJwksUri !== "" && !o.serviceAccountJwksUri.startsWith("https://") &&
    `--service-account-jwks-uri: ${JSON.stringify(o.serviceAccountJwksUri)} should be an https URL`,
  (o) =>
    duplicate(o.serviceAccountIssuer) && `--service-account-issuer: names ${duplicate(o.serviceAccountIssuer)} twice`,
  (o) =>
    o.serviceAccountMaxTokenExpiration !== 0 &&
    (o.serviceAccountMaxTokenExpiration < 3_600_000 || o.serviceAccountMaxTokenExpiration > 2 ** 32 * 1000) &&
    "--service-account-max-token-expiration: should be between one hour and 2^32 seconds",
  (o) =>
    o.enablePriorityAndFairness && o.maxMutatingRequestsInflight + o.maxRequestsInflight === 0 &&
    "--max-requests-inflight and --max-mutating-requests-inflight: should add up to more than 0 with --enable-priority-and-fairness",
  (o) =>
    o.strictTransportSecurityDirectives.filter((d) => !HSTS.test(d)).map((d) =>
      `--strict-transport-security-directives: ${
        JSON.stringify(d)
      } should be max-age=seconds, includeSubDomains or preload`
    )[0],
  (o) =>
    o.coordinatedLeadershipLeaseDuration <= o.coordinatedLeadershipRenewDeadline &&
    "--coordinated-leadership-lease-duration: should be longer than --coordinated-leadership-renew-deadline",
  (o) =>
    o.coordinatedLeadershipRenewDeadline <= o.coordinatedLeadershipRetryPeriod * LEADERSHIP_JITTER &&
    `--coordinated-leadership-renew-deadline: should be longer than ${LEADERSHIP_JITTER} times --coordinated-leadership-retry-period`,
  (o) => o.coordinatedLeadershipRetryPeriod <= 0 && "--coordinated-leadership-retry-period: should be positive",
  (o) =>
    o.auditLogMode === "batch" && o.auditLogBatchThrottleEnable &&
    (o.auditLogBatchThrottleQps <= 0 || o.auditLogBatchThrottleBurst <= 0) &&
    "--audit-log-batch-throttle-enable: needs positive -qps and -burst",
  (o) =>
    o.auditWebhookConfigFile !== "" && o.auditWebhookMode === "batch" && o.auditWebhookBatchThrottleEnable &&
    (o.auditWebhookBatchThrottleQps <= 0 || o.auditWebhookBatchThrottleBurst <= 0) &&
    "--audit-webhook-batch-throttle-enable: needs positive -qps and -burst",
  (o) =>
    o.auditLogPath !== "" && o.auditLogTruncateMaxBatchSize < o.auditLogTruncateMaxEventSize &&
    "--audit-log-truncate-max-batch-size: should not be less than --audit-log-truncate-max-event-size",
  (o) =>
    o.auditWebhookConfigFile !== "" && o.auditWebhookTruncateMaxBatchSize < o.auditWebhookTruncateMaxEventSize &&
    "--audit-webhook-truncate-max-batch-size: should not be less than --audit-webhook-truncate-max-event-size",
  (o) =>
    o.storeServersOverrides.some((s) => !/^[^/#]*\/[^/#]+#[^#]+$/.test(s)) &&
    "--store-servers-overrides: items should be group/resource#servers",
];

const both = (a: readonly string[], b: readonly string[]) => a.filter((x) => b.includes(x));
const duplicate = (list: readonly string[]) => list.find((x, i) => list.indexOf(x) !== i);

/** Options that are nothing with a gate off. */
const GATED: Readonly<Record<string, readonly OptionName[]>> = {
  UnknownVersionInteroperabilityProxy: ["peer-ca-file", "peer-advertise-ip", "peer-advertise-port"],
  RemoteRequestHeaderUID: ["requestheader-uid-headers"],
};

/** Options that do nothing without another one: what they name, and that. */
const IDLE: readonly (readonly [OptionName, string, (o: OptionValues) => boolean])[] = [
  ["audit-log-path", "without --audit-policy-file", (o) => o.auditPolicyFile === ""],
  ["audit-webhook-config-file", "without --audit-policy-file", (o) => o.auditPolicyFile === ""],
  [
    "audit-policy-file",
    "without --audit-log-path or --audit-webhook-config-file",
    (o) => o.auditLogPath === "" && o.auditWebhookConfigFile === "",
  ],
  ["peer-ca-file", "without --proxy-client-cert-file", (o) => o.proxyClientCertFile === ""],
  ["tls-cert-file", "with --plain-http", (o) => o.plainHttp],
];

/** What is said of options that were given for nothing. */
export function idleOptions(o: OptionValues): string[] {
  return IDLE.filter(([name, , idles]) => o[camel(name)] !== "" && idles(o)).map(([name, why]) =>
    `--${name} has no effect ${why}`
  );
}

/** Every rule that does not hold. */
export function crossChecks(o: OptionValues, given: Given, enabled: (gate: string) => boolean): string[] {
  const faults = CHECKS.map((check) => check(o, given)).filter((text): text is string =>
    typeof text === "string" && text !== ""
  );
  const gated = Object.entries(GATED).filter(([gate]) => !enabled(gate)).flatMap(([gate, names]) =>
    names.filter((n) => given.has(n)).map((n) => `--${n}: needs the feature gate ${gate}`)
  );
  return [...faults, ...gated, ...unknownPlugins(o)];
}
