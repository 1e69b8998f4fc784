/** Address families of services: what a service asks for, on a cluster with one or two ranges. */
import { clusterAddresses, isHeadless } from "../../../schema/rules/core/service_addresses.ts";
import type { ErrorList } from "../../../schema/rules/errors.ts";
import { items, same, type Tree } from "../../../schema/rules/tree.ts";
import type { ValidateContext } from "../../../schema/rules/types.ts";
import { tryParseIp } from "../../../schema/values/ip.ts";

/** `IPv4` or `IPv6`. */
export type Family = "IPv4" | "IPv6";

const POLICY = "spec.ipFamilyPolicy";
const ADDRESS_TYPES = new Set(["ClusterIP", "NodePort", "LoadBalancer"]);

/** Family of an address; undefined for what is none. */
export function familyOf(ip: string): Family | undefined {
  const parsed = tryParseIp(ip, { legacy: true });
  return parsed && (parsed.family === 4 ? "IPv4" : "IPv6");
}

/** What settling looks at. */
export interface FamilyQuestion {
  readonly spec: Tree;
  /** The service's spec before an update. */
  readonly old: Tree | undefined;
  /** Families of the cluster's ranges, the primary one first. */
  readonly configured: readonly Family[];
  readonly ctx: ValidateContext;
}

/** Fills `ipFamilies` and `ipFamilyPolicy`, in place; what cannot be had goes to `errors`. */
export function settleFamilies(q: FamilyQuestion, errors: ErrorList): void {
  const { spec, old } = q;
  if (spec["type"] === "ExternalName" || staysPreferDual(spec, old)) return;
  spec["ipFamilyPolicy"] ??= old?.["ipFamilyPolicy"] ?? (freely(spec) ? "RequireDualStack" : "SingleStack");
  clusterAddresses(spec, old, errors, q.ctx);
  if (!errors.empty) return;
  if (old) releaseSecond(spec, old, errors);
  if (spec["ipFamilyPolicy"] === "SingleStack") {
    for (const m of ["clusterIPs", "ipFamilies"]) {
      if (items(spec[m]).length !== 2) continue;
      errors.invalid(POLICY, spec["ipFamilyPolicy"], `must be a dual-stack policy when \`${m}\` has two values`);
    }
  }
  familiesOfAddresses(q, errors);
  if (!errors.empty) return;
  if (freely(spec)) return complete(spec, q.configured[0], true);
  familiesAreServed(q, errors);
  if (errors.empty) complete(spec, q.configured[0], q.configured.length === 2);
}

/**
 * Whether an update leaves a service alone that takes what it can get: a change of the cluster's ranges alone gives it
 * nothing and takes nothing away.
 */
export function staysPreferDual(spec: Tree, old: Tree | undefined): boolean {
  return !!old && spec["ipFamilyPolicy"] === "PreferDualStack" && old["type"] === spec["type"] &&
    ADDRESS_TYPES.has(spec["type"]) && (old["ipFamilyPolicy"] ?? "PreferDualStack") === "PreferDualStack" &&
    same(items(spec["clusterIPs"]), items(old["clusterIPs"])) &&
    same(items(spec["ipFamilies"]), items(old["ipFamilies"]));
}

/** Without addresses and without a selector: all families will do, whatever the cluster has. */
const freely = (spec: Tree): boolean =>
  spec["clusterIP"] === "None" && Object.keys(spec["selector"] ?? {}).length === 0;

/** The policy `SingleStack` lets go the second address and family that a client sends back unchanged. */
function releaseSecond(spec: Tree, old: Tree, errors: ErrorList): void {
  for (const m of ["clusterIPs", "ipFamilies"]) {
    const now = items<string>(spec[m]), was = items<string>(old[m]);
    if (spec["ipFamilyPolicy"] !== "SingleStack") {
      if (now.length && now.length < was.length) {
        errors.invalid(POLICY, spec["ipFamilyPolicy"], "must be 'SingleStack' to release the second value");
      }
    } else if (now.length > 1 && same(now, was)) spec[m] = now.slice(0, 1);
  }
}

function familiesOfAddresses({ spec, configured }: FamilyQuestion, errors: ErrorList): void {
  if (isHeadless(spec)) return;
  const families: Family[] = [...items<Family>(spec["ipFamilies"])];
  for (const [i, ip] of items<string>(spec["clusterIPs"]).entries()) {
    const family = familyOf(ip);
    if (i < families.length || !family) continue;
    if (configured.includes(family)) families.push(family);
    else errors.invalid(`spec.clusterIPs[${i}]`, ip, `not configured on this cluster: ${family}`);
  }
  if (families.length) spec["ipFamilies"] = families;
}

function familiesAreServed({ spec, configured }: FamilyQuestion, errors: ErrorList): void {
  if (spec["ipFamilyPolicy"] === "RequireDualStack" && configured.length < 2) {
    errors.invalid(POLICY, spec["ipFamilyPolicy"], "this cluster is not configured for dual-stack services");
  }
  for (const [i, family] of items<Family>(spec["ipFamilies"]).entries()) {
    if (!configured.includes(family)) errors.invalid(`spec.ipFamilies[${i}]`, family, "not configured on this cluster");
  }
}

function complete(spec: Tree, primary: Family = "IPv4", both: boolean): void {
  const families: Family[] = items(spec["ipFamilies"]).length ? [...items<Family>(spec["ipFamilies"])] : [primary];
  if (both && families.length === 1 && spec["ipFamilyPolicy"] !== "SingleStack") {
    families.push(families[0] === "IPv4" ? "IPv6" : "IPv4");
  }
  spec["ipFamilies"] = families;
}
