/** Shapes of the configurations of plugins: which members there are, of which type, and what they must say. */
import type { JsonMap } from "../../schema/model/types.ts";
import { dnsLabel, dnsSubdomain, type Format } from "../../schema/values/names.ts";
import { LEVEL_RULE, parseLevel, parseMinor, VERSION_RULE } from "./podsecurity/policy.ts";

/** Type of a member: a plain one, a list of plain ones, a map to texts, an object, or a list of objects. */
export type Shape = "string" | "integer" | "boolean" | "strings" | "texts" | Fields | readonly [Fields];
/** Members of an object. */
export interface Fields {
  readonly [name: string]: Shape;
}

/** Tells of a fault at a path. */
export type Fault = (path: string, text: string) => void;

/** What an object states of itself. */
interface Stated {
  readonly apiVersions: readonly string[];
  readonly name: string;
}

/** The configuration of a plugin. */
export interface ConfigShape {
  /** Absent: the object states nothing. */
  readonly kind?: Stated;
  readonly fields: Fields;
  /** What the types do not say. */
  readonly check?: (config: JsonMap, fault: Fault) => void;
}

const TOLERATION: Fields = {
  key: "string",
  operator: "string",
  value: "string",
  effect: "string",
  tolerationSeconds: "integer",
};
const MAX_INT32 = 2 ** 31 - 1;
const LIMITS = ["Server", "Namespace", "User", "SourceAndObject"];
/** Rules of the names that may be exempt; users are called what they like. */
const EXEMPT_NAMES: Readonly<Record<string, Format>> = {
  namespaces: dnsLabel,
  runtimeClasses: dnsSubdomain,
};
const MODE_FIELDS = ["enforce", "audit", "warn"].flatMap((m) => [m, `${m}-version`]);

function checkPodSecurity(config: JsonMap, fault: Fault): void {
  const defaults = (config["defaults"] ?? {}) as Record<string, string>;
  for (const name of MODE_FIELDS) {
    const text = defaults[name];
    if (!text) continue;
    const version = name.endsWith("-version");
    const good = version ? parseMinor(text) !== undefined : parseLevel(text) !== undefined;
    if (!good) fault(`defaults.${name}`, `${JSON.stringify(text)}: ${version ? VERSION_RULE : LEVEL_RULE}`);
  }
  const exemptions = (config["exemptions"] ?? {}) as Record<string, string[]>;
  for (const [name, list] of Object.entries(exemptions)) {
    list.forEach((item, i) => {
      const at = `exemptions.${name}[${i}]`;
      if (item === "") fault(at, "should not be empty");
      else if (list.indexOf(item) !== i) fault(at, `${JSON.stringify(item)} is there twice`);
      else for (const why of EXEMPT_NAMES[name]?.(item) ?? []) fault(at, `${JSON.stringify(item)}: ${why}`);
    });
  }
}

function checkEventLimits(config: JsonMap, fault: Fault): void {
  const limits = (config["limits"] ?? []) as Record<string, unknown>[];
  if (limits.length === 0) fault("limits", "is required");
  limits.forEach((limit, i) => {
    const path = `limits[${i}]`, { type, qps, burst, cacheSize } = limit;
    if (!LIMITS.includes(type as string)) {
      fault(`${path}.type`, `${JSON.stringify(type ?? "")}: should be one of ${LIMITS.join(", ")}`);
    }
    for (const [name, n] of [["qps", qps], ["burst", burst]] as const) {
      if (!((n as number) > 0)) fault(`${path}.${name}`, "must be positive");
    }
    if ((cacheSize as number ?? 0) < 0) fault(`${path}.cacheSize`, "must not be negative");
    for (const [name, n] of Object.entries({ qps, burst, cacheSize })) {
      if ((n as number) > MAX_INT32) fault(`${path}.${name}`, `must be at most ${MAX_INT32}`);
    }
  });
}

function checkLimited(config: JsonMap, fault: Fault): void {
  ((config["limitedResources"] ?? []) as Record<string, unknown>[]).forEach((limited, i) => {
    if (!limited["resource"]) fault(`limitedResources[${i}].resource`, "is required");
  });
}

const TTL_S = 30 * 60;
const BACKOFF_MS = 5 * 60 * 1000;

/** Times are positive, 0 for the usual one, -1 for none. */
function checkImagePolicy(config: JsonMap, fault: Fault): void {
  const policy = (config["imagePolicy"] ?? {}) as Record<string, unknown>;
  if (!policy["kubeConfigFile"]) fault("imagePolicy.kubeConfigFile", "is required");
  for (const [name, most] of [["allowTTL", TTL_S], ["denyTTL", TTL_S], ["retryBackoff", BACKOFF_MS]] as const) {
    const value = (policy[name] ?? 0) as number;
    if (value < -1 || value > most) fault(`imagePolicy.${name}`, `${value}: should be from -1 to ${most}`);
  }
}

function checkPaths(config: JsonMap, fault: Fault): void {
  for (const field of ["kubeConfigFile", "staticManifestsDir"]) {
    const path = (config[field] ?? "") as string;
    if (path && !path.startsWith("/")) fault(field, `${JSON.stringify(path)}: should be an absolute path`);
  }
}

const apiserver = (name: string): Stated => ({
  apiVersions: ["v1", "v1beta1", "v1alpha1"].map((v) => `apiserver.config.k8s.io/${v}`),
  name,
});
const WEBHOOK: ConfigShape = {
  kind: apiserver("WebhookAdmissionConfiguration"),
  fields: { kubeConfigFile: "string", staticManifestsDir: "string" },
  check: checkPaths,
};

/** Shapes by plugin; a plugin without one takes no configuration. Names of groups are public ones. */
export const CONFIG_SHAPES: Readonly<Record<string, ConfigShape>> = {
  PodSecurity: {
    kind: {
      apiVersions: ["v1", "v1beta1", "v1alpha1"].map((v) => `pod-security.admission.config.k8s.io/${v}`),
      name: "PodSecurityConfiguration",
    },
    fields: {
      defaults: Object.fromEntries(MODE_FIELDS.map((f) => [f, "string" as const])),
      exemptions: { usernames: "strings", namespaces: "strings", runtimeClasses: "strings" },
    },
    check: checkPodSecurity,
  },
  EventRateLimit: {
    kind: { apiVersions: ["eventratelimit.admission.k8s.io/v1alpha1"], name: "Configuration" },
    fields: { limits: [{ type: "string", qps: "integer", burst: "integer", cacheSize: "integer" }] },
    check: checkEventLimits,
  },
  ResourceQuota: {
    kind: {
      apiVersions: [
        "apiserver.config.k8s.io/v1",
        ...["v1beta1", "v1alpha1"].map((v) => `resourcequota.admission.k8s.io/${v}`),
      ],
      name: "ResourceQuotaConfiguration",
    },
    fields: {
      limitedResources: [{
        apiGroup: "string",
        resource: "string",
        matchContains: "strings",
        matchScopes: [{ scopeName: "string", operator: "string", values: "strings" }],
      }],
    },
    check: checkLimited,
  },
  PodTolerationRestriction: {
    kind: { apiVersions: ["podtolerationrestriction.admission.k8s.io/v1alpha1"], name: "Configuration" },
    fields: { default: [TOLERATION], whitelist: [TOLERATION] },
  },
  PodNodeSelector: { fields: { podNodeSelectorPluginConfig: "texts" } },
  ImagePolicyWebhook: {
    fields: {
      imagePolicy: {
        kubeConfigFile: "string",
        allowTTL: "integer",
        denyTTL: "integer",
        retryBackoff: "integer",
        defaultAllow: "boolean",
      },
    },
    check: checkImagePolicy,
  },
  MutatingAdmissionWebhook: WEBHOOK,
  ValidatingAdmissionWebhook: WEBHOOK,
  MutatingAdmissionPolicy: {
    kind: apiserver("MutatingAdmissionPolicyConfiguration"),
    fields: { staticManifestsDir: "string" },
    check: checkPaths,
  },
  ValidatingAdmissionPolicy: {
    kind: apiserver("ValidatingAdmissionPolicyConfiguration"),
    fields: { staticManifestsDir: "string" },
    check: checkPaths,
  },
};
