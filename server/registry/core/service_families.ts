/** Address families of services: what a service asks for, on a cluster with one or two ranges. */
import type { ErrorList } from "../../../schema/rules/errors.ts";
import type { Obj } from "../../../schema/model/types.ts";
import { isSet } from "../../../schema/rules/tree.ts";
import { tryParseIp } from "../../../schema/values/ip.ts";

/** `IPv4` or `IPv6`. */
export type Family = "IPv4" | "IPv6";

/** Family of an address; undefined for what is none. */
export function familyOf(ip: string): Family | undefined {
  const parsed = tryParseIp(ip);
  return parsed && (parsed.family === 4 ? "IPv4" : "IPv6");
}

/** The service says that it has no address. */
export const isHeadless = (service: Obj): boolean => service["spec"]?.clusterIP === "None";

/** Whether an update leaves a service that takes what it gets (`PreferDualStack`) as it was: then nothing is settled anew. */
function staysPreferred(spec: Obj["spec"], was: Obj["spec"] | undefined): boolean {
  const prefer = "PreferDualStack";
  return was !== undefined && was.type === spec.type && spec.ipFamilyPolicy === prefer &&
    (was.ipFamilyPolicy ?? prefer) === prefer && same(spec.clusterIPs, was.clusterIPs) &&
    same(spec.ipFamilies, was.ipFamilies);
}

/**
 * Fills `ipFamilyPolicy` where the service has none: that of the service before the update; a headless service without
 * selector takes every family.
 */
export function settlePolicy(spec: Obj["spec"], was: Obj["spec"] | undefined): void {
  if (isSet(spec.ipFamilyPolicy)) return;
  spec.ipFamilyPolicy = was?.ipFamilyPolicy ?? (isFree(spec) ? "RequireDualStack" : "SingleStack");
}

/**
 * Fills `ipFamilies`, in place; what cannot be had goes to `errors`. The policy is settled, and what the members say
 * together is checked.
 * @param was spec of the service before an update
 * @param configured families of the cluster's ranges, the primary one first
 */
export function settleFamilies(
  spec: Obj["spec"],
  was: Obj["spec"] | undefined,
  configured: readonly Family[],
  errors: ErrorList,
): void {
  if (staysPreferred(spec, was)) return;
  const single = spec.ipFamilyPolicy === "SingleStack";
  if (was) release(spec, was, single, errors);
  const policy = (why: string) => errors.invalid("spec.ipFamilyPolicy", spec.ipFamilyPolicy, why);
  if (single && spec.clusterIPs?.length === 2) policy("must be a dual-stack policy when two addresses are specified");
  if (single && spec.ipFamilies?.length === 2) policy("must be a dual-stack policy when two families are specified");
  const families = inferred(spec, configured, errors);
  if (!errors.empty) return;
  if (isFree(spec)) {
    const first = families[0] ?? configured[0] ?? "IPv4";
    spec.ipFamilies = families.length > 1 ? families : single ? [first] : [first, other(first)];
    return;
  }
  if (spec.ipFamilyPolicy === "RequireDualStack" && configured.length < 2) {
    policy("this cluster is not configured for dual-stack services");
  }
  for (const [i, family] of families.entries()) {
    if (!configured.includes(family)) errors.invalid(`spec.ipFamilies[${i}]`, family, "not configured on this cluster");
  }
  if (!errors.empty) return;
  const first = families[0] ?? configured[0] ?? "IPv4";
  const second = families[1] ?? (!single && configured.length === 2 ? other(first) : undefined);
  spec.ipFamilies = second ? [first, second] : [first];
}

const other = (family: Family): Family => family === "IPv4" ? "IPv6" : "IPv4";

/** A headless service without selector: it may name any family, whatever the cluster has. */
const isFree = (spec: Obj["spec"]): boolean =>
  spec.clusterIP === "None" && Object.keys(spec.selector ?? {}).length === 0;

const same = (a: readonly string[] = [], b: readonly string[] = []): boolean =>
  a.length === b.length && a.every((v, i) => v === b[i]);

/** To go to one family is to say so: then the second address and family go, without it they must stay. */
function release(spec: Obj["spec"], was: Obj["spec"], single: boolean, errors: ErrorList): void {
  for (const [member, what] of [["clusterIPs", "address"], ["ipFamilies", "family"]] as const) {
    const now: string[] = spec[member] ?? [], before: string[] = was[member] ?? [];
    if (single && now.length > 1 && same(now, before)) spec[member] = now.slice(0, 1);
    if (single || now.length === 0 || now.length >= before.length) continue;
    errors.invalid("spec.ipFamilyPolicy", spec.ipFamilyPolicy, `must be SingleStack to release the second ${what}`);
  }
}

/** The families named, and those of addresses beyond them. */
function inferred(spec: Obj["spec"], configured: readonly Family[], errors: ErrorList): Family[] {
  const families: Family[] = [...(spec.ipFamilies ?? [])];
  const ips: string[] = spec.clusterIP === "None" ? [] : spec.clusterIPs ?? [];
  for (const [i, ip] of ips.entries()) {
    const family = familyOf(ip);
    if (i < families.length || !family) continue;
    if (configured.includes(family)) families.push(family);
    else errors.invalid(`spec.clusterIPs[${i}]`, ips, `${family} is not configured on this cluster`);
  }
  return families;
}
