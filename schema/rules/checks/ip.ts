/** IP addresses and blocks of them in fields of old, which accept several forms of one address. */
import { legacyCidrErrors, legacyIpErrors, tryParseIp } from "../../values/ip.ts";
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";

const familyOf = (text: string) => tryParseIp(text, { legacy: true })?.family;

/** Whether the text is an IP address in any form. */
export const isAddress = (text: string): boolean => familyOf(text) !== undefined;
/** Whether the text is an IPv6 address; IPv4 in IPv6 form counts as IPv4. */
export const isIPv6 = (text: string): boolean => familyOf(text) === 6;
/** Whether the text is an IPv4 address. */
export const isIPv4 = (text: string): boolean => familyOf(text) === 4;

type Legacy = (text: string, path: Path, errors: ErrorList, strict: boolean, old?: ReadonlySet<string>) => void;

const NONE: ReadonlySet<string> = new Set();

const legacy = (faultsOf: (text: string, strict: boolean) => readonly string[]): Legacy =>
(
  text,
  path,
  errors,
  strict,
  old = NONE,
) => {
  if (old.has(text)) return;
  for (const fault of faultsOf(text, strict)) errors.invalid(path, text, fault);
};

/** An address; those in `old` pass as they are. */
export const legacyAddress: Legacy = legacy(legacyIpErrors);
/** A block of addresses; those in `old` pass as they are. */
export const legacyBlock: Legacy = legacy(legacyCidrErrors);

/** Whether a list of addresses has both families. */
export function isDualStack(addresses: readonly string[]): boolean {
  return addresses.some(isIPv4) && addresses.some(isIPv6);
}
