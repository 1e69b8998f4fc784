/** Formats of text in schemas (`format:`). Names are compared without dashes; what is not here says nothing. */
import { durationToNanos } from "../values/duration.ts";
import { parseCidr, parseIp } from "../values/ip.ts";
import { dnsLabel, dnsSubdomain } from "../values/names.ts";
import { parseUrl } from "../values/uri.ts";
import { withoutEnd } from "../values/ends.ts";

type Test = (text: string) => boolean;

const like = (pattern: RegExp): Test => (text) => pattern.test(text);
const parses = (parse: (text: string) => unknown): Test => (text) => {
  try {
    return parse(text) !== undefined;
  } catch {
    return false;
  }
};

const uuid = (third: string, fourth: string): Test =>
  like(new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${third}-?${fourth}-?[0-9a-f]{12}$`, "i"));
const ANY4 = "[0-9a-f]{4}";
const VARIANT = "[89ab][0-9a-f]{3}";

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^(\d\d):(\d\d):(\d\d)(?:.\d+)?(?:z|[+-]\d\d:\d\d)$/i;

function isDate(text: string): boolean {
  const found = DATE.exec(text);
  if (!found) return false;
  const [year, month, day] = found.slice(1).map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return month >= 1 && month <= 12 && day >= 1 && day <= last;
}

function isDateTime(text: string): boolean {
  if (text.length < 4) return false;
  const [date, time] = text.split(/[tT]/);
  if (time === undefined || !isDate(date!)) return false;
  const found = TIME.exec(time);
  return !!found && Number(found[1]) < 24 && Number(found[2]) < 60 && Number(found[3]) < 60;
}

const digits = (text: string): number[] => [...text.replace(/[\s-]/g, "")].map((c) => c === "X" ? 10 : Number(c));

function isIsbn10(text: string): boolean {
  if (!/^\d{9}[\dX]$/.test(text.replace(/[\s-]/g, ""))) return false;
  return digits(text).reduce((sum, d, i) => sum + d * (10 - i), 0) % 11 === 0;
}

function isIsbn13(text: string): boolean {
  if (!/^\d{13}$/.test(text.replace(/[\s-]/g, ""))) return false;
  return digits(text).reduce((sum, d, i) => sum + d * (i % 2 ? 3 : 1), 0) % 10 === 0;
}

const CARD = new RegExp(
  "^(?:4\\d{12}(?:\\d{3})?|5[1-5]\\d{14}|6(?:011|5\\d\\d)\\d{12}|3[47]\\d{13}|3(?:0[0-5]|[68]\\d)\\d{11}|" +
    "(?:2131|1800|35\\d{3})\\d{11})$",
);

function isCard(text: string): boolean {
  const plain = text.replace(/\D/g, "");
  if (!CARD.test(plain)) return false;
  const sum = [...plain].reverse().map(Number).reduce(
    (n, d, i) => n + (i % 2 ? (d * 2 > 9 ? d * 2 - 9 : d * 2) : d),
    0,
  );
  return sum % 10 === 0;
}

/** One label of at most 63 letters and digits, or labels and a last one of letters only, at least two. */
const HOST_ALONE = /^[a-z0-9\p{S}\p{L}]-?[a-z0-9\p{S}\p{L}]{0,62}$/iu;
const HOST_LABEL = /^[a-z0-9\p{S}\p{L}](?:[a-z0-9\-\p{S}\p{L}]{0,61}[a-z0-9\p{S}\p{L}])?$/iu;
const HOST_TOP = /^\p{L}{2,63}$/u;
const isHostname: Test = (text) => {
  if (text.length > 255) return false;
  const labels = text.split("."), top = labels.pop()!;
  return labels.length === 0
    ? HOST_ALONE.test(text) || HOST_TOP.test(text)
    : HOST_TOP.test(top) && labels.every((l) => HOST_LABEL.test(l));
};

/** What follows the scheme and is no path is not looked at, but for control characters. */
const OPAQUE = /^[a-z][a-z0-9+.-]*:[ -.0-~\u0080-\uffff][ -~\u0080-\uffff]*$/i;
const isUri: Test = (text) => text.startsWith("/") || OPAQUE.test(text) || !!parseUrl(text)?.scheme;
const ATOM = "[\\w!#$%&'*+/=?^`{|}~\\u0080-\\uffff-]+", QUOTED = '"(?:[^"\\\\\\r\\n]|\\\\.)*"';
const DOTTED = `${ATOM}(?:\\.${ATOM})*`, WORD = `(?:${DOTTED}|${QUOTED})`;
const ADDRESS = `${WORD}@(?:${DOTTED}|\\[[0-9A-Fa-f.:]+\\])`;
const BARE = new RegExp(`^${ADDRESS}$`, "u");
const NAME = /^(?:[\w!#$%&'*+/=?^`{|}~\u0080-\uffff. \t-]|"(?:[^"\\\r\n]|\\.)*")*$/u;
/** An address, or one in brackets behind a name. */
const isEmail: Test = (text) => {
  const plain = withoutEnd(text.replace(/^[ \t]+/, ""), " \t"),
    open = plain.endsWith(">") ? plain.lastIndexOf("<") : -1;
  return open < 0 ? BARE.test(plain) : NAME.test(plain.slice(0, open)) && BARE.test(plain.slice(open + 1, -1));
};
const LEGACY = { legacy: true };
const isV4: Test = (text) => text.includes(".") && parses((t) => parseIp(t, LEGACY))(text);
const isV6: Test = (text) => text.includes(":") && parses(parseIp)(text);
/** Pairs of digits between colons or dashes, fours between dots, or nothing between them: 6, 8 or 20 bytes. */
const MAC = /^(?:[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1)*[0-9a-f]{2}|[0-9a-f]{4}(?:\.[0-9a-f]{4})+|[0-9a-f]+)$/i;
const MAC_DIGITS: ReadonlySet<number> = new Set([12, 16, 40]);
const isMac: Test = (text) => MAC.test(text) && MAC_DIGITS.has(text.replace(/[:.-]/g, "").length);
/** Numbers with words for units may stand anywhere in a text. */
const COUNTED = /(?<!\d)(\d+)\s*([A-Za-z\u00b5]+)/g,
  UNIT = /^(?:ns|us|\u00b5s|ms|s|m|hr?|d|wk?|(?:nano|micro|milli|sec|min|hour|day|week).*)$/i;
const isSpan = parses(durationToNanos);
function isDuration(text: string): boolean {
  if (isSpan(text)) return true;
  const counted = [...text.matchAll(COUNTED)];
  return counted.every(([, n]) => BigInt(n!) < 2n ** 63n) && counted.some(([, , unit]) => UNIT.test(unit!));
}

/** By name. */
const FORMATS: Readonly<Record<string, Test>> = {
  bsonobjectid: like(/^[0-9a-f]{24}$/i),
  uri: isUri,
  email: isEmail,
  hostname: isHostname,
  ipv4: isV4,
  ipv6: isV6,
  cidr: parses((t) => parseCidr(t, LEGACY)),
  mac: isMac,
  uuid: uuid(ANY4, ANY4),
  uuid3: uuid("3[0-9a-f]{3}", ANY4),
  uuid4: uuid("4[0-9a-f]{3}", VARIANT),
  uuid5: uuid("5[0-9a-f]{3}", VARIANT),
  isbn: (t) => isIsbn10(t) || isIsbn13(t),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCard,
  ssn: like(/^\d{3}[- ]\d{2}[- ]\d{4}$/),
  hexcolor: like(/^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i),
  rgbcolor: like(/^rgb\(\s*(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\s*,\s*(?:25[0-5]|2[0-4]\d|1?\d?\d)){2}\s*\)$/),
  byte: like(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/),
  password: () => true,
  date: isDate,
  duration: isDuration,
  datetime: isDateTime,
  k8sshortname: (t) => dnsLabel(t).length === 0,
  k8slongname: (t) => dnsSubdomain(t).length === 0,
};

const NUMERIC: Readonly<Record<string, readonly string[]>> = {
  integer: ["int32", "int64"],
  number: ["float", "double"],
};

/** Whether a format means anything for a type. */
export function isKnownFormat(type: string, format: string): boolean {
  if (type === "" || type === "string") return Object.hasOwn(FORMATS, plain(format));
  return NUMERIC[type]?.includes(format) ?? false;
}

/** Whether a text has a format. One that is not known says nothing. */
export function hasFormat(text: string, format: string): boolean {
  const name = plain(format);
  return !Object.hasOwn(FORMATS, name) || FORMATS[name]!(text);
}

const plain = (format: string): string => format.replaceAll("-", "");
