/**
 * Syntaxes of names and other texts. Each returns the faults it finds, none for a good value; a list that holds several
 * becomes as many causes. Lengths are in bytes.
 */
import { SUBDOMAIN } from "../../values/name_patterns.ts";
import { type Format, GOOD, pattern, qualifiedName } from "../../values/names.ts";
import { longer } from "../../values/utf8.ts";

export {
  dns1035Label,
  dnsLabel,
  dnsSubdomain,
  type Format,
  labelValue,
  qualifiedName,
  uuid,
} from "../../values/names.ts";

const UNDER = "_?[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?";
const DNS_SUBDOMAIN_UNDERSCORE = new RegExp(`^${UNDER}(?:\\.${UNDER})*$`);
const WILDCARD = new RegExp(`^\\*\\.${SUBDOMAIN}$`);
const CASELESS = /^[A-Za-z0-9](?:[-A-Za-z0-9]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[-A-Za-z0-9]*[A-Za-z0-9])?)*$/;
const CONFIG_KEY = /^[-._a-zA-Z0-9]+$/;
const C_IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

const PRINTABLE_ENV = /^[ -<>-~]*$/;
const HEADER = /^[-A-Za-z0-9]+$/;
const HTTP_PATH = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;
const PERCENT = /^[0-9]+%$/;

/** A DNS subdomain where `_` is allowed too. */
export const dnsSubdomainUnderscore: Format = pattern(
  253,
  DNS_SUBDOMAIN_UNDERSCORE,
  "must be a DNS subdomain: lower case letters, digits, '_', '-' and '.', starting and ending with a letter or digit",
);
/** A DNS subdomain in any case. */
export const dnsSubdomainCaseless: Format = pattern(253, CASELESS, "must be a DNS subdomain");
/** `*.` and a DNS subdomain. */
export const wildcardSubdomain: Format = pattern(253, WILDCARD, "must be '*.' followed by a DNS subdomain");
/** A C identifier. */
export const cIdentifier: Format = (s) =>
  C_IDENTIFIER.test(s) ? GOOD : ["must start with a letter or '_', followed by letters, digits and '_'"];
/** A name of an HTTP header. */
export const headerName: Format = (s) => HEADER.test(s) ? GOOD : ["must consist of letters, digits and '-'"];
/** A number and `%`. */
export const percent: Format = (s) => PERCENT.test(s) ? GOOD : ["must be a number followed by '%'"];
/** A label key that has a prefix. */
export const prefixedKey: Format = (s) => {
  const faults = qualifiedName(s);
  return faults.length || s.includes("/") ? faults : ["must have a prefix, such as example.com/key"];
};

/** A segment of a path, whole or its start. */
export const pathPrefix: Format = (s) => {
  const slash = s.includes("/"), percentSign = s.includes("%");
  if (!slash && !percentSign) return GOOD;
  return [...(slash ? ["must not contain '/'"] : []), ...(percentSign ? ["must not contain '%'"] : [])];
};
/** A segment of a path. */
export const pathSegment: Format = (s) => s === "." || s === ".." ? [`must not be '${s}'`] : pathPrefix(s);

const upwards = (s: string): string[] =>
  !s.startsWith("..")
    ? (s === "." ? ["must not be '.'"] : [])
    : [s === ".." ? "must not be '..'" : "must not start with '..'"];

/** A key of a config map or secret. */
export const configKey: Format = (s) => {
  const bad = !CONFIG_KEY.test(s);
  if (!bad && s.charCodeAt(0) !== 46 && s.length <= 253) return GOOD;
  return [
    ...(longer(s, 253) ? ["must be no more than 253 bytes"] : []),
    ...(bad ? ["must consist of letters, digits, '-', '_' and '.'"] : []),
    ...upwards(s),
  ];
};

/** Name of an environment variable: printable ASCII but `=`. */
export const envName: Format = (s) => {
  if (!s) return ["must not be empty"];
  return PRINTABLE_ENV.test(s) ? GOOD : ["must consist of printable ASCII characters other than '='"];
};
/** Name of a port: at most 15 of lower case letters, digits and single `-`. */
export const portName: Format = (s) => {
  const faults: string[] = [];
  if (longer(s, 15)) faults.push("must be no more than 15 bytes");
  if (!/^[-a-z0-9]+$/.test(s)) faults.push("must consist of lower case letters, digits and '-'");
  if (!/[a-z]/.test(s)) faults.push("must contain at least one letter");
  if (s.includes("--")) faults.push("must not contain consecutive '-'");
  if (s.startsWith("-") || s.endsWith("-")) faults.push("must not start or end with '-'");
  return faults;
};
/** Whether the text may stand in the path of a URL. */
export const isHttpPath = (s: string): boolean => HTTP_PATH.test(s);

/** A number of a port that can be connected to. */
export const portNumber = (n: number): readonly string[] =>
  n >= 1 && n <= 65535 ? GOOD : ["must be between 1 and 65535"];
/** A user or group id. */
export const posixId = (n: number | bigint): readonly string[] =>
  n >= 0 && n <= 0x7fffffff ? GOOD : ["must be between 0 and 2147483647"];
