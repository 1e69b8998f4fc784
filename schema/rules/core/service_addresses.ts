/** Addresses of services in the cluster, and their families. */
import { isDualStack, isIPv6, legacyAddress } from "../checks/ip.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { isSet, items, repeats, type Tree } from "../tree.ts";
import type { ValidateContext } from "../types.ts";

const IPS = Path.of("spec", "clusterIPs"),
  FAMILIES = Path.of("spec", "ipFamilies"),
  POLICY = Path.of("spec", "ipFamilyPolicy");
const FAMILY_NAMES = ["IPv4", "IPv6"], POLICIES = ["PreferDualStack", "RequireDualStack", "SingleStack"];

/** Whether the service says that it has no address. */
export const isHeadless = (s: Tree): boolean => {
  const ips = items<string>(s["clusterIPs"]);
  return ips.length === 1 && ips[0] === "None";
};

/** Everything that holds of the four members that tell of addresses. */
export function clusterAddresses(s: Tree, old: Tree | undefined, errors: ErrorList, ctx: ValidateContext): void {
  if (s["type"] === "ExternalName") return;
  const ips = items<string>(s["clusterIPs"]), families = items<string>(s["ipFamilies"]);
  if (s["clusterIP"]) {
    if (!ips.length) errors.required(IPS);
    else if (ips[0] !== s["clusterIP"]) errors.invalid(IPS, ips, "first value must match `clusterIP`");
  } else if (ips.length) errors.invalid(IPS, ips, "must be empty when `clusterIP` is not specified");
  const again = repeats(families);
  for (const [i, f] of families.entries()) {
    if (!FAMILY_NAMES.includes(f)) errors.notSupported(FAMILIES.index(i), f, FAMILY_NAMES);
    if (again.has(i)) errors.duplicate(FAMILIES.index(i), f);
  }
  if (isSet(s["ipFamilyPolicy"]) && !POLICIES.includes(s["ipFamilyPolicy"])) {
    errors.notSupported(POLICY, s["ipFamilyPolicy"], POLICIES);
  }
  if (!goodAddresses(ips, new Set(items<string>(old?.["clusterIPs"])), errors, ctx)) return;
  if (ips.length > 1 && !isDualStack(ips)) errors.invalid(IPS, ips, "must hold at most one address of each family");
  if (isHeadless(s)) return;
  for (const [i, ip] of ips.entries()) {
    if (families[i] === "IPv4" && isIPv6(ip)) {
      errors.invalid(IPS.index(i), ip, `must be IPv4 as \`ipFamilies[${i}]\` says`);
    }
    if (families[i] === "IPv6" && !isIPv6(ip)) {
      errors.invalid(IPS.index(i), ip, `must be IPv6 as \`ipFamilies[${i}]\` says`);
    }
  }
}

function goodAddresses(
  ips: readonly string[],
  old: ReadonlySet<string>,
  errors: ErrorList,
  ctx: ValidateContext,
): boolean {
  const before = errors.causes.length;
  for (const [i, ip] of ips.entries()) {
    if (i === 0 && ip === "None") {
      if (ips.length > 1) errors.invalid(IPS, ips, "'None' must be the first and only value");
    } else legacyAddress(ip, IPS.index(i), errors, ctx.gate("StrictIPCIDRValidation"), old);
  }
  const good = errors.causes.length === before;
  if (ips.length > 2) errors.invalid(IPS, ips, "must hold at most 2 values");
  return good;
}

const FIXED = "may not change once set";

/** The first address and family stay; a second one may come and go with the policy. */
export function clusterAddressesUpdate(now: Tree, was: Tree, errors: ErrorList): void {
  if (now["type"] === "ExternalName" || was["type"] === "ExternalName") return;
  const headless = isHeadless(now), wasHeadless = isHeadless(was);
  if (!headless || !wasHeadless) {
    changes(items<string>(now["clusterIPs"]), items<string>(was["clusterIPs"]), now, IPS, errors, (i) => i);
  }
  if (!headless && !wasHeadless) {
    changes(items<string>(now["ipFamilies"]), items<string>(was["ipFamilies"]), now, FAMILIES, errors, () => 0);
  }
}

function changes(
  now: readonly string[],
  was: readonly string[],
  spec: Tree,
  path: Path,
  errors: ErrorList,
  at: (i: number) => number,
): void {
  if (now.length === was.length) {
    for (const [i, v] of was.entries()) if (v !== now[i]) errors.invalid(path.index(at(i)), now, FIXED);
    return;
  }
  if (now.length < was.length && !items(spec["clusterIPs"]).length) {
    errors.invalid(path.index(0), now, "the first value must not be removed");
  }
  if (was.length && now.length && now[0] !== was[0]) errors.invalid(path.index(0), now, FIXED);
  if (now.length === 1 && now.length < was.length && spec["ipFamilyPolicy"] !== "SingleStack") {
    errors.invalid(POLICY, spec["ipFamilyPolicy"], "must be 'SingleStack' when the second value is released");
  }
}
