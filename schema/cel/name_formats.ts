/** Named formats of texts (`format.dns1123Label().validate(self)`). */
import {
  dns1035Label,
  dnsLabel,
  dnsSubdomain,
  type Format,
  labelValue,
  maskTrailingDash,
  qualifiedName,
  uuid,
} from "../values/names.ts";
import { readTime } from "./standard.ts";
import type { Rows } from "./table.ts";
import { isUrl } from "./urls.ts";
import { Opaque, Optional, type Value } from "./values.ts";

const says = (holds: (text: string) => boolean, text: string): Format => (v) => holds(v) ? [] : [text];

/** A check of names to which something is appended. */
const asPrefix = (check: Format): Format => (v) => check(maskTrailingDash(v));

function reads(read: (text: string) => unknown): (text: string) => boolean {
  return (text) => {
    try {
      read(text);
      return true;
    } catch {
      return false;
    }
  };
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const FORMATS: Readonly<Record<string, Format>> = {
  dns1123Label: dnsLabel,
  dns1123Subdomain: dnsSubdomain,
  dns1035Label,
  qualifiedName,
  dns1123LabelPrefix: asPrefix(dnsLabel),
  dns1123SubdomainPrefix: asPrefix(dnsSubdomain),
  dns1035LabelPrefix: asPrefix(dns1035Label),
  labelValue,
  uri: says(isUrl, "invalid URI"),
  uuid: says(
    (v) => /^[0-9a-f]{32}$/i.test(v) || uuid(v.toLowerCase()).length === 0,
    "does not match the UUID format",
  ),
  byte: says((v) => v !== "" && BASE64.test(v), "invalid base64"),
  date: says((v) => /^\d{4}-\d\d-\d\d$/.test(v) && reads(readTime)(`${v}T00:00:00Z`), "invalid date"),
  datetime: says(reads(readTime), "invalid datetime"),
};

/** Lengths of the patterns that formats count as, when what they cost is told. */
export const FORMAT_PATTERNS: Readonly<Record<string, number>> = {
  dns1123Label: 30,
  dns1123Subdomain: 60,
  dns1035Label: 30,
  qualifiedName: 60,
  dns1123LabelPrefix: 30,
  dns1123SubdomainPrefix: 60,
  dns1035LabelPrefix: 30,
  labelValue: 40,
  uri: 1103,
  uuid: 70,
  byte: 84,
  date: 71,
  datetime: 71,
};

const format = (name: string): Opaque => new Opaque("format", name);

function validate(o: Opaque, text: string): Value {
  const faults = FORMATS[o.value as string]!(text);
  return new Optional(faults.length > 0 ? faults : undefined);
}

/** The functions. */
export const NAME_FORMATS: Rows = {
  ...Object.fromEntries(Object.keys(FORMATS).map((name) => [`format::${name}() format`, () => format(name)])),
  "format::named(string) optional<format>": (name: string) =>
    new Optional(Object.hasOwn(FORMATS, name) ? format(name) : undefined),
  "format.validate(string) optional<list<string>>": validate,
};
