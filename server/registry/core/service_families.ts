/** Address families of services: what a service asks for, on a cluster with one or two ranges. */
import type { ErrorList } from "../../../schema/rules/errors.ts";
import type { Obj } from "../../../schema/model/types.ts";
import { tryParseIp } from "../../../schema/values/ip.ts";

/** `IPv4` or `IPv6`. */
export type Family = "IPv4" | "IPv6";

const POLICIES = new Set(["SingleStack", "PreferDualStack", "RequireDualStack"]);

/** Family of an address; undefined for what is none. */
export function familyOf(ip: string): Family | undefined {
  const parsed = tryParseIp(ip);
  return parsed && (parsed.family === 4 ? "IPv4" : "IPv6");
}

/** The service says that it has no address. */
export const isHeadless = (service: Obj): boolean => service["spec"]?.clusterIP === "None";

/**
 * Fills `ipFamilies` and `ipFamilyPolicy`, in place; what cannot be had goes to `errors`.
 * @param configured families of the cluster's ranges, the primary one first
 */
export function settleFamilies(service: Obj, configured: readonly Family[], errors: ErrorList): void {
  const spec = service["spec"];
  const ips: string[] = isHeadless(service) ? [] : spec.clusterIPs ?? [];
  const given: Family[] = spec.ipFamilies ?? [];
  const free = isHeadless(service) && !hasSelector(spec);
  if (given.some((f) => f !== "IPv4" && f !== "IPv6")) return; // validation says why
  checkConfigured(ips, given, configured, free, errors);
  if (!errors.empty || (spec.ipFamilyPolicy !== undefined && !POLICIES.has(spec.ipFamilyPolicy))) return; // validation says why
  if (spec.ipFamilyPolicy === undefined) {
    spec.ipFamilyPolicy = (free && given.length === 0) || ips.length > 1 || given.length > 1
      ? "RequireDualStack"
      : "SingleStack";
  }
  const dual = spec.ipFamilyPolicy !== "SingleStack";
  if (spec.ipFamilyPolicy === "RequireDualStack" && configured.length < 2 && !free) {
    errors.invalid(
      "spec.ipFamilyPolicy",
      spec.ipFamilyPolicy,
      "this cluster is not configured for dual-stack services",
    );
    return;
  }
  if (!dual && (given.length > 1 || ips.length > 1)) {
    errors.invalid(
      "spec.ipFamilyPolicy",
      spec.ipFamilyPolicy,
      "must be RequireDualStack or PreferDualStack when multiple families are specified",
    );
    return;
  }
  const first = given[0] ?? familyOf(ips[0] ?? "") ?? configured[0] ?? "IPv4";
  const other: Family = first === "IPv4" ? "IPv6" : "IPv4";
  const both = dual && (free || configured.includes(other));
  spec.ipFamilies = both ? [first, other] : [first];
}

const hasSelector = (spec: Obj["spec"]): boolean => Object.keys(spec.selector ?? {}).length > 0;

function checkConfigured(
  ips: readonly string[],
  given: readonly Family[],
  configured: readonly Family[],
  free: boolean,
  errors: ErrorList,
): void {
  for (const [i, ip] of ips.entries()) {
    const family = familyOf(ip);
    if (!family) errors.invalid(`spec.clusterIPs[${i}]`, ip, "must be a valid IP address");
    else if (!configured.includes(family)) {
      errors.invalid(`spec.clusterIPs[${i}]`, ip, `not configured on this cluster: ${family}`);
    } else if (given[i] && given[i] !== family) {
      errors.invalid(`spec.ipFamilies[${i}]`, given[i], `does not fit the address ${ip}`);
    }
  }
  if (free) return;
  for (const [i, family] of given.entries()) {
    if ((family === "IPv4" || family === "IPv6") && !configured.includes(family)) {
      errors.invalid(`spec.ipFamilies[${i}]`, family, "not configured on this cluster");
    }
  }
}
