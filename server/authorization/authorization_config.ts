/** The AuthorizationConfiguration file (`--authorization-config`): which authorizers, in which order. */
import { CelError, type Program } from "../../schema/cel/mod.ts";
import { dnsSubdomain } from "../../schema/values/names.ts";
import { type ConfigMap, ConfigReader } from "../config_reader.ts";
import { conditionOf } from "./match_conditions.ts";

/** One webhook of the chain. Times in milliseconds; 0 keeps nothing. */
export interface WebhookSpec {
  readonly type: "Webhook";
  readonly name: string;
  readonly version: "v1" | "v1beta1";
  readonly authorizedTtl: number;
  readonly unauthorizedTtl: number;
  readonly timeout: number;
  readonly onFailure: "no-opinion" | "deny";
  /** Path of the connection file. */
  readonly connectionFile: string;
  /** What requests must meet for the webhook to be asked; undefined: nothing. */
  readonly conditions?: readonly Program[];
}

/** One member of the chain. */
export type AuthorizerSpec =
  | WebhookSpec
  | { readonly type: "AlwaysAllow" | "AlwaysDeny" | "ABAC" | "Node" | "RBAC"; readonly name: string };

const SIMPLE = ["AlwaysAllow", "AlwaysDeny", "Node", "RBAC"] as const;
const WEBHOOK_FIELDS = [
  "authorizedTTL",
  "cacheAuthorizedRequests",
  "unauthorizedTTL",
  "cacheUnauthorizedRequests",
  "timeout",
  "subjectAccessReviewVersion",
  "matchConditionSubjectAccessReviewVersion",
  "failurePolicy",
  "connectionInfo",
  "matchConditions",
];
const MAX_TIMEOUT = 30_000;
const MAX_CONDITIONS = 64;

/** Reads what this file has of its own. */
class Reader extends ConfigReader {
  oneOf<T extends string>(value: unknown, path: string, allowed: readonly T[]): T {
    if (allowed.includes(value as T)) return value as T;
    this.fault(
      path,
      `${value === undefined ? "is required" : JSON.stringify(value)}: should be one of ${allowed.join(", ")}`,
    );
    return allowed[0]!;
  }
  duration(
    value: unknown,
    path: string,
    fallback: number | undefined,
    parseDuration: (t: string) => number | undefined,
  ): number {
    if (value === undefined && fallback !== undefined) return fallback;
    const ms = typeof value === "string" ? parseDuration(value) : undefined;
    if (ms === 0 && fallback !== undefined) return fallback;
    if (ms === undefined || ms <= 0) this.fault(path, "should be a duration above 0, such as 30s");
    return ms ?? 0;
  }
}

function webhook(
  r: Reader,
  value: unknown,
  name: string,
  path: string,
  duration: (t: string) => number | undefined,
): WebhookSpec {
  const map = r.map(value, path, WEBHOOK_FIELDS);
  const info = r.map(map.connectionInfo, `${path}.connectionInfo`, ["type", "kubeConfigFile"]);
  if (info.type === "InClusterConfig") {
    r.fault(`${path}.connectionInfo.type`, "InClusterConfig is not supported: this server runs in no pod");
  } else r.oneOf(info.type, `${path}.connectionInfo.type`, ["KubeConfigFile"]);
  const connectionFile = typeof info.kubeConfigFile === "string" ? info.kubeConfigFile : "";
  if (!connectionFile.startsWith("/")) r.fault(`${path}.connectionInfo.kubeConfigFile`, "should be an absolute path");
  const conditions = matchConditions(r, map, path);
  const timeout = r.duration(map.timeout, `${path}.timeout`, undefined, duration);
  if (timeout > MAX_TIMEOUT) r.fault(`${path}.timeout`, "should be at most 30s");
  const ttl = (key: string, flag: string, fallback: number) =>
    r.flag(map, flag, path) === false ? 0 : r.duration(map[key], `${path}.${key}`, fallback, duration);
  const onFailure = r.oneOf(map.failurePolicy, `${path}.failurePolicy`, ["NoOpinion", "Deny"]);
  return {
    type: "Webhook",
    name,
    version: r.oneOf(map.subjectAccessReviewVersion, `${path}.subjectAccessReviewVersion`, ["v1", "v1beta1"]),
    authorizedTtl: ttl("authorizedTTL", "cacheAuthorizedRequests", 300_000),
    unauthorizedTtl: ttl("unauthorizedTTL", "cacheUnauthorizedRequests", 30_000),
    timeout,
    onFailure: onFailure === "Deny" ? "deny" : "no-opinion",
    connectionFile,
    ...(conditions.length > 0 ? { conditions } : {}),
  };
}

function matchConditions(r: Reader, webhook: ConfigMap, path: string): Program[] {
  const given = webhook.matchConditions ?? [], list = Array.isArray(given) ? given : [];
  const version = webhook.matchConditionSubjectAccessReviewVersion || undefined;
  const at = `${path}.matchConditions`;
  if (list !== given) r.fault(at, "should be a list");
  if (version !== undefined || list.length > 0) {
    r.oneOf(version, `${path}.matchConditionSubjectAccessReviewVersion`, ["v1"]);
  }
  if (list.length > MAX_CONDITIONS) r.fault(at, `has ${list.length} items: should have at most ${MAX_CONDITIONS}`);
  const seen = new Set<unknown>();
  const out: Program[] = [];
  list.forEach((value, i) => {
    const { expression } = r.map(value, `${at}[${i}]`, ["expression"]);
    const fault = (why: string) => r.fault(`${at}[${i}].expression`, why);
    if (typeof expression !== "string" || expression.trim() === "") return fault("is required");
    if (seen.has(expression)) fault("is there twice");
    seen.add(expression);
    try {
      out.push(conditionOf(expression));
    } catch (e) {
      if (!(e instanceof CelError)) throw e;
      fault(`${JSON.stringify(expression)}: ${e.message}`);
    }
  });
  return out;
}

function member(r: Reader, value: unknown, i: number, duration: (t: string) => number | undefined): AuthorizerSpec {
  const path = `authorizers[${i}]`;
  const map = r.map(value, path, ["type", "name", "webhook"]);
  const type = r.oneOf(map.type, `${path}.type`, ["Webhook", ...SIMPLE]);
  const name = typeof map.name === "string" ? map.name : "";
  if (dnsSubdomain(name).length > 0) r.fault(`${path}.name`, `${JSON.stringify(name)} should be a DNS name`);
  else if (type !== "Webhook" && name !== type.toLowerCase()) {
    r.fault(`${path}.name`, `${JSON.stringify(name)} should be ${type.toLowerCase()}`);
  }
  if (type === "Webhook") return webhook(r, map.webhook, name, `${path}.webhook`, duration);
  if (map.webhook !== undefined) r.fault(`${path}.webhook`, "only with type Webhook");
  return { type, name };
}

/**
 * Reads the file's text (YAML or JSON). `group` is `apiserver.config.k8s.io` in the dialect; its public name is taken too.
 * `parseDuration` reads Go durations as milliseconds.
 * @throws Error that lists every fault
 */
export function parseAuthorizationConfig(
  text: string,
  group: string,
  parseDuration: (text: string) => number | undefined,
): AuthorizerSpec[] {
  const r = new Reader();
  const top = r.file(text, ["apiVersion", "kind", "authorizers"]);
  const versions = ["v1", "v1beta1", "v1alpha1"].flatMap((v) => [`${group}/${v}`, `apiserver.config.k8s.io/${v}`]);
  if (!versions.includes(String(top.apiVersion)) || top.kind !== "AuthorizationConfiguration") {
    r.fault("apiVersion", `should be an AuthorizationConfiguration of ${versions[0]}`);
  }
  const list = Array.isArray(top.authorizers) ? top.authorizers : [];
  if (list.length === 0) r.fault("authorizers", "at least one is required");
  const specs = list.map((a, i) => member(r, a, i, parseDuration));
  const names = list.map((a) => (a as ConfigMap)?.name);
  names.forEach((n, i) => {
    if (names.indexOf(n) !== i) r.fault(`authorizers[${i}].name`, `${JSON.stringify(n)} is there twice`);
  });
  specs.forEach(({ type }, i) => {
    if (type !== "Webhook" && specs.findIndex((s) => s.type === type) !== i) {
      r.fault(`authorizers[${i}].type`, `${type} is there twice`);
    }
  });
  r.end();
  return specs;
}
