/** Rules of endpoints, and of addresses that traffic may be sent to. */
import { format, requiredOneOf } from "../checks/basic.ts";
import { dnsLabel, dnsSubdomain, portNumber, qualifiedName } from "../checks/formats.ts";
import { legacyAddress, parseAddress, toIPv4 } from "../checks/ip.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { count, isSet, items, same, type Tree } from "../tree.ts";
import type { KindRules, ValidateContext } from "../types.ts";

/** Protocols of ports. */
export const PROTOCOLS: readonly string[] = ["SCTP", "TCP", "UDP"];

/** An address that is neither the machine's own nor of a link: what traffic may be sent to. */
export function endpointAddress(text: string, path: Path, errors: ErrorList): void {
  const a = parseAddress(text);
  if (!a) return errors.invalid(path, text, "must be a valid IP address");
  const v4 = toIPv4(a);
  const fault = (is: boolean, why: string) => {
    if (is) errors.invalid(path, text, `must not be ${why}`);
  };
  const zeros = a.every((b, i) => b === 0 || (!v4 && i === 15 && b === 1));
  fault(v4 ? v4.every((b) => b === 0) : a.every((b) => b === 0), "unspecified");
  fault(v4 ? v4[0] === 127 : zeros && a[15] === 1, "in the loopback range");
  fault(v4 ? v4[0] === 169 && v4[1] === 254 : a[0] === 0xfe && (a[1]! & 0xc0) === 0x80, "in the link-local range");
  fault(
    v4 ? v4[0] === 224 && v4[1] === 0 && v4[2] === 0 : a[0] === 0xff && (a[1]! & 0x0f) === 2,
    "in the link-local multicast range",
  );
}

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
  validate(obj, errors, ctx, old) {
    if (old && same(old["subsets"], obj["subsets"])) return;
    subsets(obj["subsets"], errors, ctx);
  },
};
