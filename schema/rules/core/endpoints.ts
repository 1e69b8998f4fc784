/** Rules of endpoints, and of addresses that traffic may be sent to. */
import { endpointsWarnings } from "./service_warnings.ts";
import { format, requiredOneOf } from "../checks/basic.ts";
import { dnsLabel, dnsSubdomain, portNumber, qualifiedName } from "../checks/formats.ts";
import { legacyAddress } from "../checks/ip.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { count, isSet, items, same, type Tree } from "../tree.ts";
import { inRange, tryParseIp } from "../../values/ip.ts";
import type { KindRules, ValidateContext } from "../types.ts";

/** Protocols of ports. */
export const PROTOCOLS: readonly string[] = ["SCTP", "TCP", "UDP"];

const NOT_ENDPOINTS = {
  unspecified: "must not be unspecified",
  loopback: "must not be in the loopback range",
  linkLocalUnicast: "must not be in the link-local range",
  linkLocalMulticast: "must not be in the link-local multicast range",
} as const;

/** An address that is neither the machine's own nor of a link: what traffic may be sent to. */
export function endpointAddress(text: string, path: Path, errors: ErrorList): void {
  const ip = tryParseIp(text, { legacy: true });
  if (!ip) return errors.invalid(path, text, "must be a valid IP address");
  for (const range of RANGES) if (inRange(ip, range)) errors.invalid(path, text, NOT_ENDPOINTS[range]);
}

const RANGES = Object.keys(NOT_ENDPOINTS) as (keyof typeof NOT_ENDPOINTS)[];

function address(a: Tree, path: Path, errors: ErrorList, ctx: ValidateContext): void {
  legacyAddress(a["ip"] ?? "", path.child("ip"), errors, ctx.gate("StrictIPCIDRValidation"));
  if (a["hostname"]) format(a["hostname"], path.child("hostname"), errors, dnsLabel);
  if (isSet(a["nodeName"])) format(a["nodeName"], path.child("nodeName"), errors, dnsSubdomain);
  endpointAddress(a["ip"] ?? "", path.child("ip"), errors);
}

function port(p: Tree, named: boolean, path: Path, errors: ErrorList): void {
  if (p["name"]) format(p["name"], path.child("name"), errors, dnsLabel);
  else if (named) errors.required(path.child("name"));
  for (const f of portNumber(p["port"] ?? 0)) errors.invalid(path.child("port"), p["port"] ?? 0, f);
  requiredOneOf(p["protocol"] ?? "", PROTOCOLS, path.child("protocol"), errors);
  if (isSet(p["appProtocol"])) format(p["appProtocol"], path.child("appProtocol"), errors, qualifiedName);
}

function subsets(list: readonly Tree[] | undefined, errors: ErrorList, ctx: ValidateContext): void {
  for (const [i, s] of items(list).entries()) {
    const at = Path.of("subsets").index(i), ports = items(s["ports"]);
    if (!count(s["addresses"]) && !count(s["notReadyAddresses"])) {
      errors.required(at, "must specify `addresses` or `notReadyAddresses`");
    }
    for (const m of ["addresses", "notReadyAddresses"]) {
      for (const [j, a] of items(s[m]).entries()) address(a, at.child(m).index(j), errors, ctx);
    }
    for (const [j, p] of ports.entries()) port(p, ports.length > 1, at.child("ports").index(j), errors);
  }
}

/** Rules of `endpoints`. Subsets that an update leaves as they were are not looked at. */
export const ENDPOINTS: KindRules = {
  createOnUpdate: true,
  warnings: endpointsWarnings,
  validate(obj, errors, ctx, old) {
    if (old && same(old["subsets"], obj["subsets"])) return;
    subsets(obj["subsets"], errors, ctx);
  },
};
