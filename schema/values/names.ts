/**
 * Syntax of names, keys and values of the API. Each check takes a text and tells what is wrong with it, in the words that
 * clients know; an empty list says that all is well. Lengths count bytes. A table of forms: longer than most files.
 */

/** Longest DNS label, label value, and name part of a qualified name. */
export const MAX_LABEL = 63;
/** Longest DNS subdomain, and key of a ConfigMap or Secret. */
export const MAX_SUBDOMAIN = 253;

const LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const LABEL_UNDERSCORE = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const SUBDOMAIN_UNDERSCORE = `${LABEL_UNDERSCORE}(\\.${LABEL_UNDERSCORE})*`;
const LABEL_1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";
const KEY_NAME = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";

/** A form: what it is in words, the expression shown with them, examples. */
interface Form {
  readonly words: string;
  readonly shown: string;
  readonly examples: readonly string[];
  readonly test: RegExp;
}
const form = (words: string, shown: string, examples: readonly string[] = [], flags = ""): Form => ({
  words,
  shown,
  examples,
  test: new RegExp(`^(?:${shown})$`, flags),
});

const FORMS = {
  label: form(
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
    LABEL,
    ["my-name", "123-abc"],
  ),
  subdomain: form(
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
    SUBDOMAIN,
    ["example.com"],
  ),
  subdomainCaseless: form(
    "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
    SUBDOMAIN,
    ["Example.com"],
    "i",
  ),
  subdomainUnderscore: form(
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
    SUBDOMAIN_UNDERSCORE,
    ["example.com"],
  ),
  wildcard: form(
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
    `\\*\\.${SUBDOMAIN}`,
    ["*.example.com"],
  ),
  label1035: form(
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
    LABEL_1035,
    ["my-name", "abc-123"],
  ),
  key: form(
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    KEY_NAME,
    ["MyName", "my.name", "123-abc"],
  ),
  labelValue: form(
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    `(${KEY_NAME})?`,
    ["MyValue", "my_value", "12345"],
  ),
  cIdentifier: form(
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
    "[A-Za-z_][A-Za-z0-9_]*",
    ["my_name", "MY_NAME", "MyName"],
  ),
  envVar: form(
    "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit",
    "[-._a-zA-Z][-._a-zA-Z0-9]*",
    ["my.env-name", "MY_ENV.NAME", "MyEnvName1"],
  ),
  configKey: form(
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
    "[-._a-zA-Z0-9]+",
    ["key.name", "KEY_NAME", "key-name"],
  ),
  percent: form("a valid percent string must be a numeric string followed by an ending '%'", "[0-9]+%", ["1%", "93%"]),
  httpHeader: form("a valid HTTP header must consist of alphanumeric characters or '-'", "[-A-Za-z0-9]+", [
    "X-Header-Name",
  ]),
  httpPath: form("Invalid path", "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+"),
} satisfies Record<string, Form>;

/** A check of a text. */
export type NameCheck = (value: string) => string[];

/** The words of a failed form: what it must be, examples, and the expression. */
export function regexError(words: string, shown: string, examples: readonly string[] = []): string {
  const such = examples.map((e) => `'${e}', `).join(" or ");
  return such
    ? `${words} (e.g. ${such}regex used for validation is '${shown}')`
    : `${words} (regex used for validation is '${shown}')`;
}

/** `must be no more than 63 characters`; label keys and values say bytes. */
export const maxLengthError = (max: number, unit: "characters" | "bytes" = "characters"): string =>
  `must be no more than ${max} ${unit}`;
/** `must be between 1 and 65535, inclusive`. */
export const rangeError = (min: number, max: number): string => `must be between ${min} and ${max}, inclusive`;

function byForm(f: Form, max = Infinity, unit: "characters" | "bytes" = "characters"): NameCheck {
  return (value) => {
    const long = tooLong(value, max), fits = f.test.test(value);
    if (!long && fits) return [];
    return [...(long ? [maxLengthError(max, unit)] : []), ...(fits ? [] : [regexError(f.words, f.shown, f.examples)])];
  };
}

const encoder = new TextEncoder();
function tooLong(value: string, max: number): boolean {
  if (value.length > max) return true;
  return value.length * 3 > max && encoder.encode(value).length > max;
}

/** DNS subdomain (RFC 1123), at most 253 bytes: the names of most kinds. */
export const isDns1123Subdomain: NameCheck = byForm(FORMS.subdomain, MAX_SUBDOMAIN);
/** DNS subdomain in either case. */
export const isDns1123SubdomainCaseless: NameCheck = byForm(FORMS.subdomainCaseless, MAX_SUBDOMAIN, "bytes");
/** DNS subdomain whose labels may hold underscores. */
export const isDns1123SubdomainWithUnderscore: NameCheck = byForm(FORMS.subdomainUnderscore, MAX_SUBDOMAIN);
/** `*.` and a DNS subdomain. */
export const isWildcardDns1123Subdomain: NameCheck = byForm(FORMS.wildcard, MAX_SUBDOMAIN);
/** DNS label that starts with a letter (RFC 1035), at most 63 bytes: names of services. */
export const isDns1035Label: NameCheck = byForm(FORMS.label1035, MAX_LABEL);
/** Value of a label: empty, or at most 63 bytes. */
export const isLabelValue: NameCheck = byForm(FORMS.labelValue, MAX_LABEL, "bytes");
/** Identifier of C, of any length. */
export const isCIdentifier: NameCheck = byForm(FORMS.cIdentifier);
/** Name of an HTTP header. */
export const isHttpHeaderName: NameCheck = byForm(FORMS.httpHeader);
/** Characters of an HTTP path. */
export const isHttpPath: NameCheck = byForm(FORMS.httpPath);
/** `12%`. */
export const isPercentText: NameCheck = byForm(FORMS.percent);

/** DNS label (RFC 1123), at most 63 bytes. */
export const isDns1123Label: NameCheck = (value) => {
  const errors = tooLong(value, MAX_LABEL) ? [maxLengthError(MAX_LABEL)] : [];
  if (FORMS.label.test.test(value)) return errors;
  const dots = FORMS.subdomain.test.test(value);
  errors.push(dots ? "must not contain dots" : regexError(FORMS.label.words, LABEL, FORMS.label.examples));
  return errors;
};

const KEY_ERROR = regexError(FORMS.key.words, FORMS.key.shown, FORMS.key.examples);
const KEY_OK = new RegExp(`^(?:${KEY_NAME})$`);

/** Key of a label or annotation, name of a finalizer or resource: `[subdomain/]name`. */
export const isQualifiedName: NameCheck = (value) => {
  if (value.length <= MAX_LABEL && KEY_OK.test(value)) return [];
  const parts = value.split("/");
  if (parts.length > 2) {
    return [`a valid label key ${KEY_ERROR} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const errors: string[] = [];
  const name = parts.pop()!;
  const prefix = parts[0];
  if (prefix === "") errors.push("prefix part must be non-empty");
  else if (prefix !== undefined) errors.push(...isLabelKeyPrefix(prefix).map((e) => `prefix part ${e}`));
  if (name === "") errors.push("name part must be non-empty");
  else if (tooLong(name, MAX_LABEL)) errors.push(`name part ${maxLengthError(MAX_LABEL, "bytes")}`);
  if (!KEY_OK.test(name)) errors.push(`name part ${KEY_ERROR}`);
  return errors;
};
const isLabelKeyPrefix = byForm(FORMS.subdomain, MAX_SUBDOMAIN, "bytes");

/** The same with a prefix that may not be missing. */
export const isPrefixedLabelKey: NameCheck = (value) => {
  const errors = isQualifiedName(value);
  if (errors.length || value.includes("/")) return errors;
  return ["must include a prefix (e.g. 'example.com/key')"];
};

/** Name of an environment variable, the strict form. */
export const isEnvVarName: NameCheck = (value) => [...envVarForm(value), ...dotDot(value)];
const envVarForm = byForm(FORMS.envVar);

/** Name of an environment variable: all printable ASCII but `=`. */
export const isRelaxedEnvVarName: NameCheck = (value) => {
  if (value === "") return ["environment variable name must be non-empty"];
  if (/^[ -<>-~]*$/.test(value)) return [];
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
};

/** Key of a ConfigMap or a Secret, at most 253 bytes. */
export const isConfigMapKey: NameCheck = (value) => [...configKeyForm(value), ...dotDot(value)];
const configKeyForm = byForm(FORMS.configKey, MAX_SUBDOMAIN);

function dotDot(value: string): string[] {
  if (value === ".") return ["must not be '.'"];
  if (value === "..") return ["must not be '..'"];
  return value.startsWith("..") ? ["must not start with '..'"] : [];
}

const MAX_PORT_NAME = 15;
/** Name of a port: an IANA service name (RFC 6335), at most 15 bytes. */
export const isPortName: NameCheck = (value) => {
  const errors: string[] = [];
  if (tooLong(value, MAX_PORT_NAME)) errors.push(maxLengthError(MAX_PORT_NAME));
  if (!/^[-a-z0-9]+$/.test(value)) {
    errors.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  }
  if (!/[a-z]/.test(value)) errors.push("must contain at least one letter (a-z)");
  if (value.includes("--")) errors.push("must not contain consecutive hyphens");
  if (/^-|-$/.test(value)) errors.push("must not begin or end with a hyphen");
  return errors;
};

/** Number of a port: 1 to 65535. */
export const isPortNumber = (port: number): string[] =>
  Number.isInteger(port) && port >= 1 && port <= 65535 ? [] : [rangeError(1, 65535)];

/** Name that stands as one segment of a path: no `/`, no `%`, neither `.` nor `..`. Empty passes. */
export const isPathSegmentName: NameCheck = (value) =>
  value === "." || value === ".." ? [`may not be '${value}'`] : isPathSegmentPrefix(value);
/** Beginning of such a name. */
export const isPathSegmentPrefix: NameCheck = (value) =>
  ["/", "%"].filter((c) => value.includes(c)).map((c) => `may not contain '${c}'`);

/** `example.com` or `example.com.`: a domain of two labels or more. An empty text gives an empty message: it is required. */
export const isFullyQualifiedDomainName: NameCheck = (value) => {
  const name = value.endsWith(".") ? value.slice(0, -1) : value;
  const errors = isDns1123Subdomain(name);
  if (errors.length) return [errors.join(",")];
  if (!name.includes(".")) return ["should be a domain with at least two segments separated by dots"];
  const label = name.split(".").map(isDns1123Label).find((e) => e.length);
  return label ? [label.join(",")] : [];
};

/** A domain of three labels or more, as signers and conditions of classes ask for. */
export const isFullyQualifiedName: NameCheck = (value) => {
  const errors = isDns1123Subdomain(value);
  if (errors.length) return [errors.join(",")];
  return value.split(".").length < 3 ? ["should be a domain with at least three segments separated by dots"] : [];
};

/** `acme.io/foo/bar`: a domain and a path. */
export const isDomainPrefixedPath: NameCheck = (value) => {
  const at = value.indexOf("/");
  const host = value.slice(0, at), path = value.slice(at + 1);
  if (at <= 0 || path === "") return ['must be a domain-prefixed path (such as "acme.io/foo")'];
  return [...isDns1123Subdomain(host), ...isHttpPath(path)];
};

/** `acme.io/foo`: a qualified name with its prefix. */
export const isDomainPrefixedKey: NameCheck = (value) => {
  const errors = isQualifiedName(value);
  if (errors.length || value.includes("/")) return errors;
  return ['must be a domain-prefixed key (such as "acme.io/foo")'];
};

/** A UUID in lower case. */
export const isUuid: NameCheck = (value) =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(value)
    ? []
    : ["must be a lowercase UUID in 8-4-4-4-12 format"];

/** A whole number as one writes it: no plus, no leading zeros. */
export const isDecimalInteger: NameCheck = (value) => {
  if (value === "") return ["must be non-empty"];
  return /^(?:0|-?[1-9][0-9]*)$/.test(value) ? [] : ["must be a valid decimal integer in canonical form"];
};

/** A check for names to which something is appended (`generateName`): one dash at the end is fine. */
export function asPrefix(check: NameCheck): NameCheck {
  return (value) => check(value.length > 1 && value.endsWith("-") ? value.slice(0, -2) + "a" : value);
}
