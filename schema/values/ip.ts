/**
 * IP addresses and CIDR blocks as numbers with a width. Two readings: the strict one (always of new fields, of old ones
 * by gate), and the legacy one that ignores leading zeros.
 */
import { ValueError } from "./error.ts";

/** An address. IPv4 written inside IPv6 (`::ffff:1.2.3.4`) is the IPv4 address, with `mapped` set. */
export interface Ip {
  readonly family: 4 | 6;
  readonly bits: bigint;
  /** It was written as an IPv4-mapped IPv6 address. */
  readonly mapped?: boolean;
}

/** A block: its first address and the length of the prefix; `address` keeps what was written. */
export interface Cidr {
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly prefix: number;
  readonly address: Ip;
}

/** How to read: `legacy` ignores leading zeros in IPv4 octets, prefix lengths and, beyond four digits, IPv6 groups. */
export interface IpOptions {
  legacy?: boolean;
}

const WIDTH = { 4: 32, 6: 128 } as const;
const mask = (width: number, prefix: number) => ((1n << BigInt(prefix)) - 1n) << BigInt(width - prefix);

/** Reads an address, or gives undefined. Zones (`fe80::1%eth0`) are refused. */
export function tryParseIp(text: string, opts?: IpOptions): Ip | undefined {
  if (text.length > 100) return undefined;
  if (!text.includes(":")) {
    const bits = parse4(text, opts?.legacy ?? false);
    return bits === undefined ? undefined : { family: 4, bits };
  }
  const bits = parse6(text, opts?.legacy ?? false);
  if (bits === undefined) return undefined;
  return bits >> 32n === 0xffffn ? { family: 4, bits: bits & 0xffffffffn, mapped: true } : { family: 6, bits };
}

/** Reads an address. Throws {@linkcode ValueError}. */
export function parseIp(text: string, opts?: IpOptions): Ip {
  const ip = tryParseIp(text, opts);
  if (!ip) throw new ValueError(`invalid IP address ${JSON.stringify(text.slice(0, 100))}`);
  return ip;
}

/** Dotted quad, or RFC 5952 text. */
export function formatIp(ip: { readonly family: 4 | 6; readonly bits: bigint }): string {
  return ip.family === 4 ? format4(ip.bits) : format6(ip.bits);
}

/** Reads `address/length`, or gives undefined. Bits after the prefix are dropped from `first`, kept in `address`. */
export function tryParseCidr(text: string, opts?: IpOptions): Cidr | undefined {
  const slash = text.lastIndexOf("/");
  if (slash < 0) return undefined;
  const length = text.slice(slash + 1);
  if (!(opts?.legacy ? /^0*\d{1,3}$/ : /^(?:0|[1-9]\d{0,2})$/).test(length)) return undefined;
  const address = tryParseIp(text.slice(0, slash), opts);
  if (!address) return undefined;
  // The length of a mapped address counts IPv6 bits. Shorter than the mapping itself, the block is one of IPv6.
  const written = Number(length);
  const asSix = address.mapped === true && written < 96;
  const family = asSix ? 6 : address.family;
  const prefix = address.mapped && !asSix ? written - 96 : written;
  if (prefix < 0 || prefix > WIDTH[family]) return undefined;
  const bits = asSix ? 0xffffn << 32n | address.bits : address.bits;
  return { family, first: bits & mask(WIDTH[family], prefix), prefix, address };
}

/** Reads a CIDR block. Throws {@linkcode ValueError}. */
export function parseCidr(text: string, opts?: IpOptions): Cidr {
  const cidr = tryParseCidr(text, opts);
  if (!cidr) throw new ValueError(`invalid CIDR address: ${text.slice(0, 100)}`);
  return cidr;
}

/** `10.0.0.0/8`: the block, bits after the prefix dropped. */
export function formatCidr(cidr: Cidr): string {
  return `${formatIp({ family: cidr.family, bits: cidr.first })}/${cidr.prefix}`;
}

/** Whether a block holds an address. */
export function contains(cidr: Cidr, ip: Ip): boolean {
  return cidr.family === ip.family && (ip.bits & mask(WIDTH[cidr.family], cidr.prefix)) === cidr.first;
}

/** How many addresses a block has. */
export function sizeOf(cidr: Cidr): bigint {
  return 1n << BigInt(WIDTH[cidr.family] - cidr.prefix);
}

/** The address at an offset from the first one. Throws {@linkcode ValueError} outside of the block. */
export function addressAt(cidr: Cidr, offset: bigint | number): Ip {
  const at = BigInt(offset);
  if (at < 0n || at >= sizeOf(cidr)) throw new ValueError(`offset ${at} is outside of ${formatCidr(cidr)}`);
  return { family: cidr.family, bits: cidr.first + at };
}

/** The ranges with a meaning of their own. */
export type IpRange = "unspecified" | "loopback" | "linkLocalUnicast" | "linkLocalMulticast" | "multicast" | "private";
const RANGES: Readonly<Record<IpRange, readonly Cidr[]>> = {
  unspecified: ["0.0.0.0/32", "::/128"].map((t) => parseCidr(t)),
  loopback: ["127.0.0.0/8", "::1/128"].map((t) => parseCidr(t)),
  linkLocalUnicast: ["169.254.0.0/16", "fe80::/10"].map((t) => parseCidr(t)),
  linkLocalMulticast: ["224.0.0.0/24", "ff02::/16"].map((t) => parseCidr(t)),
  multicast: ["224.0.0.0/4", "ff00::/8"].map((t) => parseCidr(t)),
  private: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"].map((t) => parseCidr(t)),
};

/** Whether an address is in a special range. */
export function inRange(ip: Ip, range: IpRange): boolean {
  return RANGES[range].some((c) => contains(c, ip));
}

/** What is wrong with an address in a field of old (it may be written in several ways). Gate `StrictIPCIDRValidation` says `strict`. */
export function legacyIpErrors(text: string, strict: boolean): string[] {
  const ip = tryParseIp(text, { legacy: true });
  if (!ip) return ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"];
  if (!strict) return [];
  if (!tryParseIp(text)) return ["must not have leading 0s"];
  return ip.mapped ? ["must not be an IPv4-mapped IPv6 address"] : [];
}

/** What is wrong with an address in a new field: only the canonical text is right. */
export function ipErrors(text: string): string[] {
  const errors = legacyIpErrors(text, true);
  if (errors.length) return errors;
  return canonicalError(text, formatIp(parseIp(text)));
}

/** What is wrong with a CIDR block in a field of old. */
export function legacyCidrErrors(text: string, strict: boolean): string[] {
  const cidr = tryParseCidr(text, { legacy: true });
  if (!cidr) return ["must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"];
  if (!strict) return [];
  if (!tryParseCidr(text)) return ["must not have leading 0s in IP or prefix length"];
  if (cidr.address.mapped) return ["must not have an IPv4-mapped IPv6 address"];
  return cidr.address.bits === cidr.first ? [] : ["must not have bits set beyond the prefix length"];
}

/** What is wrong with a CIDR block in a new field. */
export function cidrErrors(text: string): string[] {
  const errors = legacyCidrErrors(text, true);
  return errors.length ? errors : canonicalError(text, formatCidr(parseCidr(text)));
}

/** What is wrong with an interface's address (`192.168.1.5/24`) in a new field. */
export function interfaceAddressErrors(text: string): string[] {
  const cidr = tryParseCidr(text, { legacy: true });
  if (!cidr) return ["must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)"];
  return canonicalError(text, `${formatIp(cidr.address)}/${cidr.prefix}`);
}

/** Warnings on an address that is valid in a field of old, `path` first. */
export function ipWarnings(path: string, text: string): string[] {
  const ip = tryParseIp(text, { legacy: true });
  if (!ip) return [];
  const best = formatIp(ip), quoted = JSON.stringify(text);
  if (ip.mapped || !tryParseIp(text)) {
    return [`${path}: non-standard IP address ${quoted} is invalid: use ${JSON.stringify(best)}`];
  }
  if (ip.family === 4 || best === text) return [];
  return [`${path}: IPv6 address ${quoted} should be in RFC 5952 canonical format (${JSON.stringify(best)})`];
}

/** Warnings on a CIDR block that is valid in a field of old, `path` first. */
export function cidrWarnings(path: string, text: string): string[] {
  const cidr = tryParseCidr(text, { legacy: true });
  if (!cidr) return [];
  const best = formatCidr(cidr), quoted = JSON.stringify(text), out: string[] = [];
  if (cidr.address.family === cidr.family && cidr.address.bits !== cidr.first) {
    const single = JSON.stringify(`${formatIp(cidr.address)}/${WIDTH[cidr.family]}`);
    out.push(
      `${path}: CIDR value ${quoted} is ambiguous in this context (should be ${JSON.stringify(best)} or ${single}?)`,
    );
  }
  if (cidr.address.mapped || !tryParseCidr(text)) {
    out.push(`${path}: non-standard CIDR value ${quoted} is invalid: use ${JSON.stringify(best)}`);
  }
  if (!out.length && cidr.family === 6 && best !== text) {
    out.push(`${path}: IPv6 CIDR value ${quoted} should be in RFC 5952 canonical format (${JSON.stringify(best)})`);
  }
  return out;
}

const canonicalError = (text: string, best: string) =>
  text === best ? [] : [`must be in canonical form (${JSON.stringify(best)})`];

function parse4(text: string, legacy: boolean): bigint | undefined {
  const octet = legacy ? /^0*\d{1,3}$/ : /^(?:0|[1-9]\d{0,2})$/;
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((p) => octet.test(p) && Number(p) <= 255)) return undefined;
  return parts.reduce((n, p) => n << 8n | BigInt(Number(p)), 0n);
}

function parse6(text: string, legacy: boolean): bigint | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const groups = halves.map((half, i) => groupsOf(half, i === halves.length - 1, legacy));
  const [head, tail] = groups;
  if (!head || (groups.length === 2 && !tail)) return undefined;
  const given = head.length + (tail?.length ?? 0);
  if (tail ? given > 7 : given !== 8) return undefined;
  const all = [...head, ...new Array<number>(8 - given).fill(0), ...(tail ?? [])];
  return all.reduce((n, g) => n << 16n | BigInt(g), 0n);
}

/** The 16-bit groups of one side of `::`. A dotted quad may end the last side. */
function groupsOf(half: string, last: boolean, legacy: boolean): number[] | undefined {
  if (half === "") return [];
  const out: number[] = [];
  const parts = half.split(":");
  for (const [i, part] of parts.entries()) {
    if (last && i === parts.length - 1 && part.includes(".")) {
      const quad = parse4(part, legacy);
      if (quad === undefined) return undefined;
      out.push(Number(quad >> 16n), Number(quad & 0xffffn));
    } else {
      if (!(legacy ? /^0*[0-9a-fA-F]{1,4}$/ : /^[0-9a-fA-F]{1,4}$/).test(part)) return undefined;
      out.push(parseInt(part, 16));
    }
  }
  return out;
}

function format4(bits: bigint): string {
  const n = Number(bits);
  return [n >>> 24, n >>> 16 & 255, n >>> 8 & 255, n & 255].join(".");
}

/** Lower case, no leading zeros, the longest (then first) run of two zero groups or more as `::`. */
function format6(bits: bigint): string {
  const groups = Array.from({ length: 8 }, (_, i) => Number(bits >> BigInt(112 - 16 * i) & 0xffffn));
  let start = -1, length = 1;
  for (let i = 0; i < 8; i++) {
    let n = 0;
    while (i + n < 8 && groups[i + n] === 0) n++;
    if (n > length) [start, length] = [i, n];
  }
  const hex = (part: number[]) => part.map((g) => g.toString(16)).join(":");
  return start < 0 ? hex(groups) : `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
}
