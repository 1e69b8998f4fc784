/** IP addresses and blocks of them, in the forms that older fields accept. */
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";

/** An address as its bytes: 4 of IPv4, 16 of IPv6. */
export type Address = readonly number[];

/** Reads IPv4 and IPv6; leading zeros of IPv4 parts are decimal. Undefined when it is neither. No zone. */
export function parseAddress(text: string): Address | undefined {
  return text.includes(":") ? parse6(text) : parse4(text);
}

function parse4(text: string): Address | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((p) => /^[0-9]+$/.test(p) && Number(p) < 256)) return undefined;
  return parts.map(Number);
}

function parse6(text: string): Address | undefined {
  const dotted = /^(.*:)([0-9.]+)$/.exec(text);
  if (dotted && dotted[2]!.includes(".")) {
    const v4 = parse4(dotted[2]!);
    if (!v4) return undefined;
    const hex = v4.map((b) => b.toString(16).padStart(2, "0"));
    return parse6(`${dotted[1]}${hex[0]}${hex[1]}:${hex[2]}${hex[3]}`);
  }
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const groups = halves.map((h) => h === "" ? [] : h.split(":"));
  const known = groups.flat();
  if (!known.every((g) => /^[0-9a-fA-F]{1,4}$/.test(g))) return undefined;
  if (halves.length === 1 ? known.length !== 8 : known.length > 7) return undefined;
  const zeros = new Array<string>(8 - known.length).fill("0");
  const all = halves.length === 1 ? known : [...groups[0]!, ...zeros, ...groups[1]!];
  return all.flatMap((g) => [parseInt(g, 16) >> 8, parseInt(g, 16) & 255]);
}

/** Whether the text is an IPv6 address; IPv4 in IPv6 form counts as IPv4. */
export function isIPv6(text: string): boolean {
  const a = parseAddress(text);
  return !!a && !toIPv4(a);
}
/** Whether the text is an IPv4 address. */
export function isIPv4(text: string): boolean {
  const a = parseAddress(text);
  return !!a && !!toIPv4(a);
}

const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255];
/** The four bytes of an IPv4 address, also when it is written in IPv6 form. */
export function toIPv4(a: Address): Address | undefined {
  if (a.length === 4) return a;
  return MAPPED.every((b, i) => a[i] === b) ? a.slice(12) : undefined;
}

/** Whether a text is an address that fields of strict form accept: no leading zeros, no IPv4 in IPv6 form. */
export function isStrictAddress(text: string): boolean {
  const a = parseAddress(text);
  if (!a || (a.length === 16 && toIPv4(a))) return false;
  return a.length === 16 || !/(^|\.)0[0-9]/.test(text);
}

/** An address in a field that accepts the older forms; those in `old` pass as they are. */
export function legacyAddress(
  text: string,
  path: Path,
  errors: ErrorList,
  strict: boolean,
  old: readonly string[] = [],
): void {
  if (old.includes(text)) return;
  const good = strict ? isStrictAddress(text) : parseAddress(text) !== undefined;
  if (!good) errors.invalid(path, text, "must be an IP address, such as 10.9.8.7 or 2001:db8::ffff");
}

/** A block of addresses. */
export interface Block {
  readonly address: Address;
  readonly bits: number;
}

/** Reads `address/bits`. */
export function parseBlock(text: string): Block | undefined {
  const [ip, bits, more] = text.split("/");
  if (ip === undefined || bits === undefined || more !== undefined || !/^[0-9]+$/.test(bits)) return undefined;
  const address = parseAddress(ip);
  return address && Number(bits) <= address.length * 8 ? { address, bits: Number(bits) } : undefined;
}

/** Whether no bit of the address stands behind the block's bits. */
export function isMasked(b: Block): boolean {
  return b.address.every((byte, i) => {
    const left = Math.min(8, Math.max(0, b.bits - i * 8));
    return (byte & (0xff >> left)) === 0;
  });
}

/** A block in a field that accepts the older forms; those in `old` pass as they are. */
export function legacyBlock(
  text: string,
  path: Path,
  errors: ErrorList,
  strict: boolean,
  old: readonly string[] = [],
): void {
  if (old.includes(text)) return;
  const b = parseBlock(text);
  if (!b || (strict && (!isStrictAddress(text.split("/")[0]!) || /\/0[0-9]/.test(text)))) {
    return errors.invalid(path, text, "must be a block of addresses, such as 10.9.8.0/24 or 2001:db8::/64");
  }
  if (strict && !isMasked(b)) errors.invalid(path, text, "must not have bits set beyond the prefix length");
}

/** Whether a list of addresses has both families. */
export function isDualStack(addresses: readonly string[]): boolean {
  return addresses.some(isIPv4) && addresses.some(isIPv6);
}
