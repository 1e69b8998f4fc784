/**
 * Syntaxes of names, keys and values of the API. Each tells what is wrong with a text, and nothing of a good one; a list
 * that holds several becomes as many causes. Lengths are in bytes. Those that rules of built-in kinds alone name are in
 * `rules/checks/formats.ts`.
 */
import { KEY_NAME, LABEL, LABEL_1035, SUBDOMAIN, UUID } from "./name_patterns.ts";
import { longer } from "./utf8.ts";

/** Faults of a text, empty when it is good. */
export type Format = (value: string) => readonly string[];

/** No faults. */
export const GOOD: readonly string[] = Object.freeze([]);

/** Longest DNS label, label value, and name part of a qualified name. */
const LABEL_BYTES = 63;
/** Longest DNS subdomain. */
const SUBDOMAIN_BYTES = 253;

const whole = (source: string): RegExp => new RegExp(`^(?:${source})$`);

/** A syntax that a length and a pattern tell; the fault of a text that does not fit may depend on it. */
export function pattern(max: number, re: RegExp, fault: string | ((text: string) => string)): Format {
  const tooLong = `must be no more than ${max} bytes`, said = typeof fault === "string" ? () => fault : fault;
  // A long text may stand at many places, as a pod's label in the selectors that it is merged into: it is read once.
  let last = "", found = GOOD;
  return (s) => {
    if (!longer(s, max)) return re.test(s) ? GOOD : [said(s)];
    if (s !== last) {
      found = re.test(s) ? [tooLong] : [tooLong, said(s)];
      last = s;
    }
    return found;
  };
}

/** Words of a text that does not fit, with examples and the expression. */
const shown = (words: string, examples: readonly string[], source: string): string =>
  `${words} (such as ${examples.map((e) => `'${e}'`).join(" or ")}; pattern '${source}')`;

const SUBDOMAIN_OK = whole(SUBDOMAIN), KEY_OK = whole(KEY_NAME), UUID_OK = whole(UUID);

const LABEL_FAULT = shown(
  "must be an RFC 1123 label: lower case letters, digits and '-', with a letter or digit at both ends",
  ["my-name", "123-abc"],
  LABEL,
);
const KEY_FAULT = shown(
  "must be letters, digits, '-', '_' and '.', with a letter or digit at both ends",
  ["MyName", "my.name", "123-abc"],
  KEY_NAME,
);

/** A DNS subdomain (RFC 1123) of at most 253 bytes: most object names. */
export const dnsSubdomain: Format = pattern(
  SUBDOMAIN_BYTES,
  SUBDOMAIN_OK,
  shown(
    "must be an RFC 1123 subdomain: lower case letters, digits, '-' and '.', with a letter or digit at both ends",
    ["example.com"],
    SUBDOMAIN,
  ),
);
/** A DNS label (RFC 1123) of at most 63 bytes. */
export const dnsLabel: Format = pattern(
  LABEL_BYTES,
  whole(LABEL),
  (s) => SUBDOMAIN_OK.test(s) ? "must not contain dots" : LABEL_FAULT,
);
/** A DNS label that starts with a letter (RFC 1035), of at most 63 bytes. */
export const dns1035Label: Format = pattern(
  LABEL_BYTES,
  whole(LABEL_1035),
  shown(
    "must be an RFC 1035 label: lower case letters, digits and '-', with a letter first and a letter or digit last",
    ["my-name", "abc-123"],
    LABEL_1035,
  ),
);
/** A label's value: empty, or at most 63 bytes of a key's characters. */
export const labelValue: Format = pattern(
  LABEL_BYTES,
  whole(`(${KEY_NAME})?`),
  shown(
    "must be empty, or letters, digits, '-', '_' and '.', with a letter or digit at both ends",
    ["MyValue", "my_value", "12345"],
    `(${KEY_NAME})?`,
  ),
);
/** A UUID in lower case. */
export const uuid: Format = (s) =>
  UUID_OK.test(s)
    ? GOOD
    : ["must be a UUID of lower case hexadecimal digits, such as 12345678-9abc-def0-1234-56789abcdef0"];

/**
 * A qualified name, as the key of a label or annotation: a name of at most 63 bytes, with an optional DNS subdomain and
 * `/` before it.
 */
export const qualifiedName: Format = (s) => {
  const slash = s.indexOf("/");
  if (slash < 0) return keyName(s, GOOD);
  if (s.indexOf("/", slash + 1) >= 0) return [`${KEY_FAULT}, after a subdomain and '/' at most ('example.com/MyName')`];
  const prefix = s.slice(0, slash);
  const faults = prefix ? dnsSubdomain(prefix).map((f) => `prefix part ${f}`) : ["prefix part must not be empty"];
  return keyName(s.slice(slash + 1), faults);
};

function keyName(name: string, before: readonly string[]): readonly string[] {
  const good = KEY_OK.test(name);
  if (good && !longer(name, LABEL_BYTES)) return before;
  const faults = [...before];
  if (!name) faults.push("name part must not be empty");
  else if (longer(name, LABEL_BYTES)) faults.push(`name part must be no more than ${LABEL_BYTES} bytes`);
  if (!good) faults.push(`name part ${KEY_FAULT}`);
  return faults;
}

/** The base of a name to which something is appended (`generateName`), as a name: it may end in `-`. */
export function maskTrailingDash(name: string): string {
  if (name.length < 2 || !name.endsWith("-")) return name;
  // What the masked byte is a part of stays as bad as it is.
  const head = name.slice(0, name.charCodeAt(name.length - 2) > 0x7f ? -1 : -2);
  return head + "a";
}
