/** The AuthenticationConfiguration file (`--authentication-config`): issuers of JWTs, and when requests may be anonymous. */
import { parse } from "yaml";
import type { AnonymousConfig } from "./anonymous.ts";
import type { ClaimMapping, JwtIssuer } from "./jwt.ts";
import { type ConfigMap, ConfigReader } from "../config_reader.ts";
import type { Network } from "../network.ts";

/** An issuer, and how its server is reached. */
export interface ReachedIssuer extends JwtIssuer {
  /** PEM that verifies it. */
  readonly ca?: string;
  /** By whose way; directly without. */
  readonly network?: Network;
}

/** What a file says. */
export interface AuthenticationConfig {
  readonly issuers: readonly ReachedIssuer[];
  /** Undefined: `--anonymous-auth` rules. */
  readonly anonymous?: AnonymousConfig;
}

/** Algorithms accepted of issuers in a file. */
const ALGORITHMS = ["RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "PS256", "PS384", "PS512"];
const MAX_ISSUERS = 64;
const ISSUER_NETWORKS: readonly string[] = ["controlplane", "cluster"] satisfies Network[];

/** Reads what this file has of its own. */
class Reader extends ConfigReader {
  text(map: ConfigMap, key: string, path: string, needed = false): string {
    const value = map[key];
    if (value === undefined || value === null || value === "") {
      if (needed) this.fault(`${path}.${key}`, "is required");
      return "";
    }
    if (typeof value !== "string") {
      this.fault(`${path}.${key}`, "should be a string");
      return "";
    }
    return value;
  }
  list(map: ConfigMap, key: string, path: string): unknown[] {
    const value = map[key];
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value;
    this.fault(`${path}.${key}`, "should be a list");
    return [];
  }
  noCel(map: ConfigMap, key: string, path: string): void {
    const value = map[key];
    if (value === undefined || value === "" || (Array.isArray(value) && value.length === 0)) return;
    this.fault(`${path}.${key}`, "CEL expressions are not supported yet");
  }
}

function mapping(r: Reader, value: unknown, path: string, needed: boolean): ClaimMapping | undefined {
  const map = r.map(value, path, ["claim", "prefix", "expression"]);
  r.noCel(map, "expression", path);
  const claim = r.text(map, "claim", path, needed && !map.expression);
  if (claim && typeof map.prefix !== "string") r.fault(`${path}.prefix`, "is required with a claim; it may be empty");
  return claim ? { claim, prefix: typeof map.prefix === "string" ? map.prefix : "" } : undefined;
}

function httpsUrl(r: Reader, text: string, path: string): void {
  if (text === "") return;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:" || url.username || url.hash || url.search) {
    r.fault(path, `${JSON.stringify(text)} should be an https URL without user, query and fragment`);
  }
}

function issuerOf(r: Reader, value: unknown, path: string): AuthenticationConfig["issuers"][number] {
  const top = r.map(value, path, ["issuer", "claimValidationRules", "claimMappings", "userValidationRules"]);
  const from = `${path}.issuer`;
  const issuer = r.map(top.issuer, from, [
    "url",
    "discoveryURL",
    "certificateAuthority",
    "audiences",
    "audienceMatchPolicy",
    "egressSelectorType",
  ]);
  const url = r.text(issuer, "url", from, true), discoveryUrl = r.text(issuer, "discoveryURL", from);
  httpsUrl(r, url, `${from}.url`);
  httpsUrl(r, discoveryUrl, `${from}.discoveryURL`);
  if (discoveryUrl && discoveryUrl === url) r.fault(`${from}.discoveryURL`, "should differ from the URL");
  const audiences = r.list(issuer, "audiences", from).map(String);
  if (audiences.length === 0) r.fault(`${from}.audiences`, "at least one is required");
  const policy = r.text(issuer, "audienceMatchPolicy", from);
  if (audiences.length > 1 && policy !== "MatchAny") {
    r.fault(`${from}.audienceMatchPolicy`, "should be MatchAny with several audiences");
  }
  const ca = r.text(issuer, "certificateAuthority", from);
  const network = r.text(issuer, "egressSelectorType", from);
  if (network !== "" && !ISSUER_NETWORKS.includes(network)) {
    r.fault(`${from}.egressSelectorType`, `should be ${ISSUER_NETWORKS.join(" or ")}`);
  }
  const claims = `${path}.claimMappings`;
  const maps = r.map(top.claimMappings, claims, ["username", "groups", "uid", "extra"]);
  const username = mapping(r, maps.username, `${claims}.username`, true) ?? { claim: "", prefix: "" };
  const groups = mapping(r, maps.groups, `${claims}.groups`, false);
  const uid = r.map(maps.uid, `${claims}.uid`, ["claim", "expression"]);
  r.noCel(uid, "expression", `${claims}.uid`);
  const uidClaim = r.text(uid, "claim", `${claims}.uid`);
  r.noCel(maps, "extra", claims);
  r.noCel(top, "userValidationRules", path);
  return {
    url,
    audiences,
    algorithms: ALGORITHMS,
    username,
    requiredClaims: requiredClaims(r, top, path),
    ...(discoveryUrl ? { discoveryUrl } : {}),
    ...(groups ? { groups } : {}),
    ...(uidClaim ? { uidClaim } : {}),
    ...(ca ? { ca } : {}),
    ...(network ? { network: network as Network } : {}),
  };
}

function requiredClaims(r: Reader, top: ConfigMap, path: string): Record<string, string> {
  const out: Record<string, string> = {};
  r.list(top, "claimValidationRules", path).forEach((rule, i) => {
    const where = `${path}.claimValidationRules[${i}]`;
    const map = r.map(rule, where, ["claim", "requiredValue", "expression", "message"]);
    r.noCel(map, "expression", where);
    const claim = r.text(map, "claim", where, !map.expression);
    if (out[claim] !== undefined) r.fault(`${where}.claim`, `${JSON.stringify(claim)} is there twice`);
    if (claim) out[claim] = r.text(map, "requiredValue", where);
  });
  return out;
}

function anonymousOf(r: Reader, value: unknown): AnonymousConfig {
  const map = r.map(value, "anonymous", ["enabled", "conditions"]);
  const conditions = r.list(map, "conditions", "anonymous");
  const paths = conditions.map((c, i) => {
    const where = `anonymous.conditions[${i}]`;
    return r.text(r.map(c, where, ["path"]), "path", where, true);
  });
  const enabled = map.enabled === true;
  if (!enabled && paths.length) r.fault("anonymous.conditions", "only when anonymous requests are enabled");
  return { enabled, ...(paths.length ? { paths } : {}) };
}

/**
 * Reads the file's text (YAML or JSON). `group` is `apiserver.config.k8s.io` in the dialect; its public name is taken too.
 * @throws Error that lists every fault
 */
export function parseAuthenticationConfig(
  text: string,
  group: string,
  disallowedIssuers: readonly string[] = [],
): AuthenticationConfig {
  const r = new Reader(), { errors } = r;
  const top = r.map(parse(text), "", ["apiVersion", "kind", "jwt", "anonymous"]);
  const versions = ["v1", "v1beta1", "v1alpha1"].flatMap((v) => [`${group}/${v}`, `apiserver.config.k8s.io/${v}`]);
  if (!versions.includes(String(top.apiVersion)) || top.kind !== "AuthenticationConfiguration") {
    errors.push(`should be an AuthenticationConfiguration of ${versions[0]}`);
  }
  const jwt = r.list(top, "jwt", "");
  if (jwt.length > MAX_ISSUERS) errors.push(`jwt: should have at most ${MAX_ISSUERS} items`);
  const issuers = jwt.map((j, i) => issuerOf(r, j, `jwt[${i}]`));
  issuers.forEach(({ url }, i) => {
    if (issuers.findIndex((o) => o.url === url) !== i) errors.push(`jwt[${i}].issuer.url: ${url} is there twice`);
    if (disallowedIssuers.includes(url)) errors.push(`jwt[${i}].issuer.url: ${url} is the issuer of service accounts`);
  });
  const anonymous = top.anonymous === undefined ? undefined : anonymousOf(r, top.anonymous);
  r.end();
  return { issuers, ...(anonymous ? { anonymous } : {}) };
}
