/**
 * Syntax of names, keys and values of the API. Each check takes a text and tells what is wrong with it, in the words that
 * clients know; an empty list says that all is well. Lengths count bytes. What objects may hold is checked by
 * `rules/checks/formats.ts`; these are what expressions and schemas of custom kinds name.
 */
import { KEY_NAME, LABEL, LABEL_1035, SUBDOMAIN, UUID } from "./name_patterns.ts";

/** Longest DNS label, label value, and name part of a qualified name. */
const MAX_LABEL = 63;
/** Longest DNS subdomain, and key of a ConfigMap or Secret. */
const MAX_SUBDOMAIN = 253;

/** A form: what it is in words, the expression shown with them, examples. */
interface Form {
  readonly words: string;
  readonly shown: string;
  readonly examples: readonly string[];
  readonly test: RegExp;
}
const form = (words: string, shown: string, examples: readonly string[]): Form => ({
  words,
  shown,
  examples,
  test: new RegExp(`^(?:${shown})$`),
});

const FORMS = {
  label: form(
    "must be an RFC 1123 label: lower case letters, digits and '-', with a letter or digit at both ends",
    LABEL,
    ["my-name", "123-abc"],
  ),
  subdomain: form(
    "must be an RFC 1123 subdomain: lower case letters, digits, '-' and '.', with a letter or digit at both ends",
    SUBDOMAIN,
    ["example.com"],
  ),
  label1035: form(
    "must be an RFC 1035 label: lower case letters, digits and '-', with a letter first and a letter or digit last",
    LABEL_1035,
    ["my-name", "abc-123"],
  ),
  key: form(
    "must be letters, digits, '-', '_' and '.', with a letter or digit at both ends",
    KEY_NAME,
    ["MyName", "my.name", "123-abc"],
  ),
  labelValue: form(
    "must be empty, or letters, digits, '-', '_' and '.', with a letter or digit at both ends",
    `(${KEY_NAME})?`,
    ["MyValue", "my_value", "12345"],
  ),
} satisfies Record<string, Form>;

/** A check of a text. */
export type NameCheck = (value: string) => string[];

/** The words of a failed form: what it must be, examples, and the expression. */
function regexError({ words, shown, examples }: Form): string {
  return `${words} (such as ${examples.map((e) => `'${e}'`).join(" or ")}; pattern '${shown}')`;
}

/** `must be no more than 63 characters`; label keys and values say bytes. */
const maxLengthError = (max: number, unit: "characters" | "bytes" = "characters"): string =>
  `must be no more than ${max} ${unit}`;

function byForm(f: Form, max: number, unit: "characters" | "bytes" = "characters"): NameCheck {
  return (value) => {
    const long = tooLong(value, max), fits = f.test.test(value);
    if (!long && fits) return [];
    return [...(long ? [maxLengthError(max, unit)] : []), ...(fits ? [] : [regexError(f)])];
  };
}

const encoder = new TextEncoder();
function tooLong(value: string, max: number): boolean {
  if (value.length > max) return true;
  return value.length * 3 > max && encoder.encode(value).length > max;
}

/** DNS subdomain (RFC 1123), at most 253 bytes: the names of most kinds. */
export const isDns1123Subdomain: NameCheck = byForm(FORMS.subdomain, MAX_SUBDOMAIN);

/** DNS label that starts with a letter (RFC 1035), at most 63 bytes: names of services. */
export const isDns1035Label: NameCheck = byForm(FORMS.label1035, MAX_LABEL);
/** Value of a label: empty, or at most 63 bytes. */
export const isLabelValue: NameCheck = byForm(FORMS.labelValue, MAX_LABEL, "bytes");

/** DNS label (RFC 1123), at most 63 bytes. */
export const isDns1123Label: NameCheck = (value) => {
  const errors = tooLong(value, MAX_LABEL) ? [maxLengthError(MAX_LABEL)] : [];
  if (FORMS.label.test.test(value)) return errors;
  const dots = FORMS.subdomain.test.test(value);
  errors.push(dots ? "must not contain dots" : regexError(FORMS.label));
  return errors;
};

const KEY_ERROR = regexError(FORMS.key);
const KEY_OK = new RegExp(`^(?:${KEY_NAME})$`);

/** Key of a label or annotation, name of a finalizer or resource: `[subdomain/]name`. */
export const isQualifiedName: NameCheck = (value) => {
  if (value.length <= MAX_LABEL && KEY_OK.test(value)) return [];
  const parts = value.split("/");
  if (parts.length > 2) {
    return [`${KEY_ERROR}, after a subdomain and '/' at most ('example.com/MyName')`];
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

/** A UUID in lower case. */
export const isUuid: NameCheck = (value) =>
  UUID_OK.test(value) ? [] : ["must be a lowercase UUID in 8-4-4-4-12 format"];
const UUID_OK = new RegExp(`^${UUID}$`);

/** A check for names to which something is appended (`generateName`): one dash at the end is fine. */
export function asPrefix(check: NameCheck): NameCheck {
  return (value) => check(value.length > 1 && value.endsWith("-") ? value.slice(0, -2) + "a" : value);
}
