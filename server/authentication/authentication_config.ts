/** The AuthenticationConfiguration file (`--authentication-config`): issuers of JWTs, and when requests may be anonymous. */
import type { AnonymousConfig } from "./anonymous.ts";
import { CelError, type Program } from "../../schema/cel/mod.ts";
import {
  claimCondition,
  claimExpression,
  type ClaimExpressions,
  type ClaimRule,
  userCondition,
} from "./claim_expressions.ts";
import { SUBDOMAIN } from "../../schema/values/name_patterns.ts";
import type { ClaimMapping, JwtIssuer } from "./jwt.ts";
import { type ConfigMap, ConfigReader } from "../config_reader.ts";
import type { Network } from "../network.ts";
import { certificateFacts, fromPem } from "../../pki/mod.ts";

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
/** Before the domain of the dialect. */
const OWN_GROUP = "apiserver.config.";
const ISSUER_NETWORKS: readonly string[] = ["controlplane", "cluster"] satisfies Network[];

/** Reads what this file has of its own. */
class Reader extends ConfigReader {
  /** @param reserved domains whose keys, and those of their subdomains, are the project's own */
  constructor(readonly reserved: readonly string[]) {
    super();
  }
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
  texts(map: ConfigMap, key: string, path: string): string[] {
    return this.list(map, key, path).map((item, i) => {
      if (typeof item === "string") return item;
      this.fault(`${path}.${key}[${i}]`, "should be a string");
      return "";
    });
  }
  /** An expression, compiled; undefined where there is none, or it is wrong. */
  expression(map: ConfigMap, path: string, compile: (text: string) => Program, key = "expression", needed = false) {
    const text = this.text(map, key, path, needed);
    if (text === "") return undefined;
    try {
      return compile(text);
    } catch (e) {
      if (!(e instanceof CelError)) throw e;
      this.fault(`${path}.${key}`, `${JSON.stringify(text)}: ${e.message}`);
      return undefined;
    }
  }
  /** Of a claim and an expression one at most. */
  oneWay(map: ConfigMap, path: string, ...others: string[]): void {
    if (!map.expression) return;
    for (const key of ["claim", ...others]) {
      if (map[key] !== undefined && map[key] !== "") this.fault(`${path}.${key}`, "not together with an expression");
    }
  }
}

const mentions = (text: string, claim: string): boolean =>
  new RegExp(`\\bclaims\\s*(?:\\.\\s*\\??\\s*${claim}\\b|\\[\\s*\\??\\s*["']${claim}["'])`).test(text);

function mapping(r: Reader, value: unknown, path: string, needed: boolean): ClaimMapping | undefined {
  const map = r.map(value, path, ["claim", "prefix", "expression"]);
  r.oneWay(map, path, "prefix");
  const claim = r.text(map, "claim", path, !map.expression && (needed || map.prefix !== undefined));
  if (claim && typeof map.prefix !== "string") r.fault(`${path}.prefix`, "is required with a claim; it may be empty");
  return claim ? { claim, prefix: typeof map.prefix === "string" ? map.prefix : "" } : undefined;
}

const bare = (url: string): string => url.replace(/\/+$/, "");

/** Whether a text has a certificate; what else stands there is passed over. */
function holdsAuthority(pem: string): boolean {
  return fromPem("CERTIFICATE", pem).some((der) => {
    try {
      return certificateFacts(der) !== undefined;
    } catch {
      return false;
    }
  });
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
  if (discoveryUrl && bare(discoveryUrl) === bare(url)) r.fault(`${from}.discoveryURL`, "should differ from the URL");
  const audiences = r.texts(issuer, "audiences", from);
  if (audiences.length === 0) r.fault(`${from}.audiences`, "at least one is required");
  audiences.forEach((audience, i) => {
    if (audience === "") r.fault(`${from}.audiences[${i}]`, "is required");
    if (audiences.indexOf(audience) !== i) {
      r.fault(`${from}.audiences[${i}]`, `${JSON.stringify(audience)} is there twice`);
    }
  });
  const policy = r.text(issuer, "audienceMatchPolicy", from);
  if (policy !== "MatchAny" && (policy !== "" || audiences.length > 1)) {
    r.fault(
      `${from}.audienceMatchPolicy`,
      audiences.length > 1 ? "should be MatchAny with several audiences" : "should be MatchAny, or nothing",
    );
  }
  const ca = r.text(issuer, "certificateAuthority", from);
  if (ca !== "" && !holdsAuthority(ca)) r.fault(`${from}.certificateAuthority`, "should hold certificates in PEM");
  const network = r.text(issuer, "egressSelectorType", from);
  if (network !== "" && !ISSUER_NETWORKS.includes(network)) {
    r.fault(`${from}.egressSelectorType`, `should be ${ISSUER_NETWORKS.join(" or ")}`);
  }
  const claims = `${path}.claimMappings`;
  const maps = r.map(top.claimMappings, claims, ["username", "groups", "uid", "extra"]);
  const username = mapping(r, maps.username, `${claims}.username`, true) ?? { claim: "", prefix: "" };
  const groups = mapping(r, maps.groups, `${claims}.groups`, false);
  const uid = r.map(maps.uid, `${claims}.uid`, ["claim", "expression"]);
  r.oneWay(uid, `${claims}.uid`);
  const uidClaim = r.text(uid, "claim", `${claims}.uid`);
  const expressions = expressionsOf(r, top, maps, path);
  return {
    url,
    audiences,
    algorithms: ALGORITHMS,
    username,
    requiredClaims: requiredClaims(r, top, path),
    ...(discoveryUrl ? { discoveryUrl } : {}),
    ...(expressions ? { expressions } : {}),
    ...(groups ? { groups } : {}),
    ...(uidClaim ? { uidClaim } : {}),
    ...(ca ? { ca } : {}),
    ...(network ? { network: network as Network } : {}),
  };
}

/** The expressions of an issuer; undefined where it has none. */
function expressionsOf(r: Reader, top: ConfigMap, maps: ConfigMap, path: string): ClaimExpressions | undefined {
  const at = `${path}.claimMappings`;
  const texts: string[] = [];
  const noted = (compile: (text: string) => Program) => (text: string) => {
    texts.push(text);
    return compile(text);
  };
  // What is in them has been looked at where claims are read.
  const mapped = (key: string) => r.expression((maps[key] ?? {}) as ConfigMap, `${at}.${key}`, claimExpression);
  const username = mapped("username"), groups = mapped("groups"), uid = mapped("uid");
  const name = String((maps.username as ConfigMap | undefined)?.expression ?? "");
  const keys = new Set<string>();
  const extra = r.list(maps, "extra", at).flatMap((item, i) => {
    const where = `${at}.extra[${i}]`, map = r.map(item, where, ["key", "valueExpression"]);
    const key = r.text(map, "key", where, true);
    if (key && !EXTRA_KEY.test(key)) {
      r.fault(`${where}.key`, `${JSON.stringify(key)} should be a domain, / and a path, in lower case`);
    }
    const domain = key.split("/", 1)[0]!;
    if (r.reserved.some((own) => domain === own || domain.endsWith(`.${own}`))) {
      r.fault(`${where}.key`, `${JSON.stringify(key)} is reserved`);
    }
    if (keys.has(key)) r.fault(`${where}.key`, `${JSON.stringify(key)} is there twice`);
    keys.add(key);
    const program = r.expression(map, where, noted(claimExpression), "valueExpression", true);
    return program ? [{ key, program }] : [];
  });
  const rules = (key: string, known: readonly string[], compile: (text: string) => Program, needed: boolean) => {
    const seen = new Set<unknown>();
    return r.list(top, key, path).flatMap((item, i): ClaimRule[] => {
      const where = `${path}.${key}[${i}]`, map = needed ? r.map(item, where, known) : (item ?? {}) as ConfigMap;
      const { expression } = map;
      if (expression && seen.has(expression)) {
        r.fault(`${where}.expression`, `${JSON.stringify(expression)} is there twice`);
        return [];
      }
      seen.add(expression);
      const program = r.expression(map, where, noted(compile), "expression", needed);
      if (!program) return [];
      return [{ expression: expression as string, message: r.text(map, "message", where), program }];
    });
  };
  const claims = rules("claimValidationRules", [], claimCondition, false);
  if (mentions(name, "email") && ![name, ...texts].some((text) => mentions(text, "email_verified"))) {
    r.fault(
      `${at}.username.expression`,
      "claims.email needs claims.email_verified here, in extra or in claimValidationRules",
    );
  }
  const user = rules("userValidationRules", ["expression", "message"], userCondition, true);
  if (!username && !groups && !uid && extra.length + claims.length + user.length === 0) return undefined;
  return {
    ...(username ? { username } : {}),
    ...(groups ? { groups } : {}),
    ...(uid ? { uid } : {}),
    extra,
    claims,
    user,
  };
}

/** Keys of extra attributes. */
const EXTRA_KEY = new RegExp(`^${SUBDOMAIN}/[a-z0-9/\\-._~%!$&'()*+,;=:]+$`);

function requiredClaims(r: Reader, top: ConfigMap, path: string): Record<string, string> {
  const out: Record<string, string> = {};
  r.list(top, "claimValidationRules", path).forEach((rule, i) => {
    const where = `${path}.claimValidationRules[${i}]`;
    const map = r.map(rule, where, ["claim", "requiredValue", "expression", "message"]);
    r.oneWay(map, where, "requiredValue");
    if (map.claim && map.message) r.fault(`${where}.message`, "only together with an expression");
    const claim = r.text(map, "claim", where, !map.expression);
    if (Object.hasOwn(out, claim)) r.fault(`${where}.claim`, `${JSON.stringify(claim)} is there twice`);
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
  const enabled = r.flag(map, "enabled", "anonymous") ?? false;
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
  const r = new Reader(["kubernetes.io", "k8s.io", group.slice(OWN_GROUP.length)]), { errors } = r;
  const top = r.file(text, ["apiVersion", "kind", "jwt", "anonymous"]);
  const versions = ["v1", "v1beta1", "v1alpha1"].flatMap((v) => [`${group}/${v}`, `apiserver.config.k8s.io/${v}`]);
  if (!versions.includes(String(top.apiVersion)) || top.kind !== "AuthenticationConfiguration") {
    errors.push(`should be an AuthenticationConfiguration of ${versions[0]}`);
  }
  const jwt = r.list(top, "jwt", "");
  if (jwt.length > MAX_ISSUERS) errors.push(`jwt: should have at most ${MAX_ISSUERS} items`);
  const issuers = jwt.map((j, i) => issuerOf(r, j, `jwt[${i}]`));
  issuers.forEach(({ url, discoveryUrl }, i) => {
    if (issuers.findIndex((o) => o.url === url) !== i) errors.push(`jwt[${i}].issuer.url: ${url} is there twice`);
    if (discoveryUrl && issuers.findIndex((o) => o.discoveryUrl === discoveryUrl) !== i) {
      errors.push(`jwt[${i}].issuer.discoveryURL: ${discoveryUrl} is there twice`);
    }
    if (disallowedIssuers.includes(url)) errors.push(`jwt[${i}].issuer.url: ${url} is the issuer of service accounts`);
  });
  const anonymous = top.anonymous === undefined ? undefined : anonymousOf(r, top.anonymous);
  r.end();
  return { issuers, ...(anonymous ? { anonymous } : {}) };
}
