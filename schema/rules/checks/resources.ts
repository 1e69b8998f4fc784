/** Names and amounts of resources. */
import { parseQuantity } from "../../values/quantity.ts";
import type { ErrorList } from "../errors.ts";
import { localSet } from "../local.ts";
import type { Path } from "../path.ts";
import { count, entryOf, items, type Tree } from "../tree.ts";
import type { RuleContext } from "../types.ts";
import { format } from "./basic.ts";
import { dnsLabel, qualifiedName } from "./formats.ts";

/** What is counted, in whole numbers. */
const WHOLE = new Set([
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "services.nodeports",
  "services.loadbalancers",
]);
const STANDARD = new Set([
  ...WHOLE,
  "cpu",
  "memory",
  "ephemeral-storage",
  "requests.cpu",
  "requests.memory",
  "requests.ephemeral-storage",
  "limits.cpu",
  "limits.memory",
  "limits.ephemeral-storage",
  "storage",
  "requests.storage",
]);
const OF_CONTAINERS = new Set(["cpu", "memory", "ephemeral-storage"]);
const HUGE_PAGES = "hugepages-";

/** Whether a name is one of huge pages of some size. */
export const isHugePages = (name: string): boolean => name.startsWith(HUGE_PAGES);
/** The same in quotas, where requests may be named. */
export const isQuotaHugePages = (name: string): boolean =>
  isHugePages(name) || name.startsWith(`requests.${HUGE_PAGES}`);
/** Whether a name without a domain is known. */
const isStandardResource = (name: string): boolean => STANDARD.has(name) || isQuotaHugePages(name);

const native = localSet("kubernetes.io/");
/** Whether a resource is the project's own: no domain, or the project's. */
export function isNativeResource(name: string, ctx: RuleContext): boolean {
  if (!name.includes("/")) return true;
  for (const domain of native(ctx.product)) if (name.includes(domain)) return true;
  return false;
}
/** Whether a resource is someone else's, with a name that fits a quota too. */
export function isExtendedResource(name: string, ctx: RuleContext): boolean {
  return !isNativeResource(name, ctx) && !name.startsWith("requests.") &&
    qualifiedName(`requests.${name}`).length === 0;
}
/** Whether a container may ask for less than it may use. */
export const isOvercommittable = (name: string, ctx: RuleContext): boolean =>
  isNativeResource(name, ctx) && !isHugePages(name);
/** Whether only whole amounts make sense. */
const isWholeResource = (name: string, ctx: RuleContext): boolean => WHOLE.has(name) || isExtendedResource(name, ctx);

/** A name of any resource. Returns whether it is good. */
export function resourceName(name: string, path: Path, errors: ErrorList): boolean {
  const faults = qualifiedName(name);
  if (faults.length) {
    format(name, path, errors, qualifiedName);
    return false;
  }
  if (name.includes("/") || isStandardResource(name)) return true;
  errors.invalid(path, name, "must be a standard resource type or have a domain");
  return false;
}

/** A name of a resource that containers may have. */
export function containerResourceName(name: string, path: Path, errors: ErrorList, ctx: RuleContext): void {
  if (OF_CONTAINERS.has(name)) return;
  resourceName(name, path, errors);
  if (!name.includes("/")) {
    if (!isHugePages(name)) errors.invalid(path, name, "must be a standard resource for containers");
  } else if (!isNativeResource(name, ctx) && !isExtendedResource(name, ctx)) {
    errors.invalid(path, name, "must be a name of an extended resource");
  }
}

const POD_LEVEL = ["cpu", "memory", HUGE_PAGES];

/** A name of a resource that a pod may have as a whole. */
export function podResourceName(name: string, path: Path, errors: ErrorList): void {
  if (!resourceName(name, path, errors)) return;
  if (name !== "cpu" && name !== "memory" && !isHugePages(name)) errors.notSupported(path, name, POD_LEVEL);
}

/** Whole amounts whose thousandths fit into 64 bits, and decimal ones that need not. */
const PLAIN_WHOLE = /^(?:[0-9]{1,15}|[0-9]{1,6}(?:[kMGTPE]|[KMG]i)|[0-9]{1,3}Ti)$/;

/** An amount: not negative, and whole where only whole ones make sense. */
export function resourceAmount(name: string, amount: string, path: Path, errors: ErrorList, ctx: RuleContext): void {
  if (PLAIN_WHOLE.test(amount)) return;
  const q = parseQuantity(amount);
  if (q.sign() < 0) errors.invalid(path, amount, "must be greater than or equal to 0");
  if (isWholeResource(name, ctx) && q.hasFraction()) errors.invalid(path, amount, "must be an integer");
}

/** What requirements of resources are checked against. */
export interface RequirementOptions {
  readonly ctx: RuleContext;
  readonly name: (name: string, path: Path, errors: ErrorList, ctx: RuleContext) => void;
  /** Names of the pod's resource claims. */
  readonly claims: ReadonlySet<string>;
  readonly allowIndivisibleHugePages: boolean;
}

/** Limits, requests and claims of a container or pod. */
export function requirements(r: Tree | null | undefined, path: Path, errors: ErrorList, o: RequirementOptions): void {
  if (!r) return;
  const limits: Tree = r["limits"] ?? {}, requests: Tree = r["requests"] ?? {};
  let compute = false, huge = false;
  for (const [list, part] of [[limits, "limits"], [requests, "requests"]] as const) {
    for (const name in list) {
      const at = path.child(part).key(name), amount: string = list[name];
      o.name(name, at, errors, o.ctx);
      resourceAmount(name, amount, at, errors, o.ctx);
      if (list === requests) requestAgainstLimit(name, amount, entryOf(limits, name), path, errors, o.ctx);
      if (isHugePages(name)) {
        huge = true;
        if (!o.allowIndivisibleHugePages && !isDivisible(name, amount)) {
          errors.invalid(at, amount, `must be a multiple of ${name.slice(HUGE_PAGES.length)}`);
        }
      }
      if (name === "cpu" || name === "memory") compute = true;
    }
  }
  if (huge && !compute) errors.forbidden(path, "huge pages require cpu or memory");
  if (count(r["claims"])) claims(items(r["claims"]), path.child("claims"), errors, o.claims);
}

function requestAgainstLimit(
  name: string,
  request: string,
  limit: string | undefined,
  path: Path,
  errors: ErrorList,
  ctx: RuleContext,
): void {
  if (limit === undefined) {
    if (!isOvercommittable(name, ctx)) {
      errors.required(path.child("limits"), "must be set for resources that cannot be overcommitted");
    }
    return;
  }
  if (limit === request) return;
  const order = parseQuantity(request).cmp(parseQuantity(limit));
  if (order !== 0 && !isOvercommittable(name, ctx)) {
    errors.invalid(path.child("requests"), request, `must be equal to the ${name} limit of ${limit}`);
  } else if (order > 0) {
    errors.invalid(path.child("requests"), request, `must be less than or equal to the ${name} limit of ${limit}`);
  }
}

/** Whether an amount of huge pages is a whole number of pages. */
export function isDivisible(name: string, amount: string): boolean {
  try {
    const page = parseQuantity(name.slice(HUGE_PAGES.length));
    return page.sign() > 0 && page.milliValue() % 1000n === 0n && parseQuantity(amount).value() % page.value() === 0n;
  } catch {
    return false;
  }
}

function claims(list: readonly Tree[], path: Path, errors: ErrorList, known: ReadonlySet<string>): void {
  const seen = new Set<string>(), requested = new Map<string, number>(); // how many requests there are by their claim
  for (const [i, c] of list.entries()) {
    const at = path.index(i), name: string = c["name"] ?? "", request: string = c["request"] ?? "";
    if (!name) {
      errors.required(at);
      continue;
    }
    if (seen.has(name)) errors.duplicate(at, name);
    else {
      if (request) format(request, at.child("request"), errors, dnsLabel);
      const key = request ? `${name}/${request}` : name, slash = key.indexOf("/"), claim = key.slice(0, slash);
      if (seen.has(key)) errors.duplicate(at, key);
      else {
        for (let n = request ? 0 : requested.get(name) ?? 0; n > 0; n--) errors.duplicate(at, name);
        if (slash >= 0) requested.set(claim, (requested.get(claim) ?? 0) + 1);
      }
      seen.add(key);
    }
    if (!known.has(name)) errors.notFound(at, name);
  }
}

/** An amount that is not negative. */
export function nonNegativeAmount(amount: string, path: Path, errors: ErrorList): void {
  if (!PLAIN_WHOLE.test(amount) && parseQuantity(amount).sign() < 0) {
    errors.invalid(path, amount, "must be greater than or equal to 0");
  }
}
/** An amount greater than nothing. */
export function positiveAmount(amount: string, path: Path, errors: ErrorList): void {
  if (parseQuantity(amount).sign() <= 0) errors.invalid(path, amount, "must be greater than 0");
}
/** An amount whose whole part is not negative. */
export function basicAmount(amount: string, path: Path, errors: ErrorList): void {
  if (parseQuantity(amount).int64() < 0n) errors.invalid(path, amount, "must be a valid resource quantity");
}
