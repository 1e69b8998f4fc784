/** Rules of resource quotas. */
import { compareQuantity } from "../../values/quantity.ts";
import { keep } from "../checks/basic.ts";
import { isQuotaHugePages, resourceAmount, resourceName } from "../checks/resources.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { count, isSet, items, type Tree } from "../tree.ts";
import type { KindRules, RuleContext } from "../types.ts";

const SPEC = Path.of("spec"), STATUS = Path.of("status");
const COMPUTE = ["cpu", "memory", "ephemeral-storage"];
const OBJECTS = [
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "persistentvolumeclaims",
  "configmaps",
  "services.nodeports",
  "services.loadbalancers",
];
const QUOTA = new Set([
  ...COMPUTE,
  ...COMPUTE.map((c) => `requests.${c}`),
  ...COMPUTE.map((c) => `limits.${c}`),
  "requests.storage",
  ...OBJECTS,
]);
const isQuotaName = (name: string) => QUOTA.has(name) || isQuotaHugePages(name);

/** Scopes, and the resources that they can be applied to; undefined is any. */
const OF_PODS = new Set(["pods", "cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory"]);
const SCOPES: Readonly<Record<string, ReadonlySet<string>>> = {
  Terminating: OF_PODS,
  NotTerminating: OF_PODS,
  NotBestEffort: OF_PODS,
  PriorityClass: OF_PODS,
  CrossNamespacePodAffinity: OF_PODS,
  BestEffort: new Set(["pods"]),
  VolumeAttributesClass: new Set(["persistentvolumeclaims", "requests.storage"]),
};
const PAIRS = [["BestEffort", "NotBestEffort"], ["Terminating", "NotTerminating"]] as const;
const EXISTS_ONLY = new Set([
  "BestEffort",
  "NotBestEffort",
  "Terminating",
  "NotTerminating",
  "CrossNamespacePodAffinity",
]);

function amounts(list: Tree | undefined, path: Path, errors: ErrorList, ctx: RuleContext): void {
  for (const k in list ?? {}) {
    const at = path.key(k);
    resourceName(k, at, errors);
    if (!k.includes("/") && !isQuotaName(k)) errors.invalid(at, k, "must be a standard resource for quota");
    resourceAmount(k, list![k], at, errors, ctx);
  }
}

interface Shown {
  readonly path: Path;
  readonly value: unknown;
}

/** What holds of a scope; `unknown` and `unfit` tell what is shown of one that is not known, or not for what is limited. */
function scope(s: string, hard: Tree, unknown: Shown, unfit: Shown, errors: ErrorList): void {
  const fits = Object.hasOwn(SCOPES, s) ? SCOPES[s] : undefined;
  if (!fits) errors.invalid(unknown.path, unknown.value, "unsupported scope");
  if (!fits || errors.full) return; // scopes and resources are as many as a body can hold
  for (const k in hard) {
    if (isQuotaName(k) && !fits.has(k)) errors.invalid(unfit.path, unfit.value, `unsupported scope for ${k}`);
  }
}

function conflicts(list: readonly string[], { path, value }: Shown, errors: ErrorList): void {
  for (const [a, b] of PAIRS) {
    if (list.includes(a) && list.includes(b)) errors.invalid(path, value, "conflicting scopes");
  }
}

function selector(s: Tree, spec: Tree, errors: ErrorList): void {
  const path = SPEC.child("scopeSelector", "matchExpressions"), all = items(s["matchExpressions"]);
  for (const r of all) {
    const name: string = r["scopeName"] ?? "", values = count(r["values"]), place = path.child("operator");
    scope(name, spec["hard"] ?? {}, { path: path.child("scopeName"), value: name }, { path, value: s }, errors);
    if (EXISTS_ONLY.has(name) && r["operator"] !== "Exists") {
      errors.invalid(place, r["operator"] ?? "", "must be 'Exists' for this scope");
    }
    if (r["operator"] === "In" || r["operator"] === "NotIn") {
      if (!values) {
        errors.required(path.child("values"), "at least one value is needed when `operator` is 'In' or 'NotIn'");
      }
    } else if (r["operator"] === "Exists" || r["operator"] === "DoesNotExist") {
      if (values) {
        errors.invalid(
          path.child("values"),
          r["values"],
          "must be empty when `operator` is 'Exists' or 'DoesNotExist'",
        );
      }
    } else errors.invalid(place, r["operator"] ?? "", "not a valid selector operator");
  }
  conflicts(all.map((r) => r["scopeName"]), { path, value: spec["scopes"] ?? null }, errors);
}

function statusAmounts(obj: Tree, errors: ErrorList, ctx: RuleContext): void {
  for (const list of ["hard", "used"]) amounts(obj["status"]?.[list], STATUS.child(list), errors, ctx);
}

const PAIRED = ["cpu", "memory", "storage", "ephemeral-storage"];

/** Requests that may be more than the limits. `cpu` and `memory` alone mean requests. */
function quotaWarnings(hard: Tree): string[] {
  return PAIRED.flatMap((r) => {
    const name = [`requests.${r}`, ...(r === "cpu" || r === "memory" ? [r] : [])].find((n) => isSet(hard[n]));
    const request: string = hard[name ?? ""], limit: string = hard[`limits.${r}`];
    if (!isSet(request) || !isSet(limit) || compareQuantity(request, limit) <= 0) return [];
    return [`ResourceQuota ${name} (${request}) should be less than limits.${r} (${limit})`];
  });
}

/** Rules of `resourcequotas`. */
export const RESOURCE_QUOTA: KindRules = {
  meta: { whole: 0 },
  prepareCreate: (obj) => void (obj["status"] = {}),
  prepareUpdate: (obj, old) => keep(obj, old, "status"),
  validate(obj, errors, ctx, old) {
    const spec: Tree = obj["spec"] ?? {}, list = items<string>(spec["scopes"]), path = SPEC.child("scopes");
    amounts(spec["hard"], SPEC.child("hard"), errors, ctx);
    const shown: Shown = { path, value: list };
    for (const s of list) scope(s, spec["hard"] ?? {}, shown, shown, errors);
    conflicts(list, shown, errors);
    if (spec["scopeSelector"]) selector(spec["scopeSelector"], spec, errors);
    if (!old) statusAmounts(obj, errors, ctx);
  },
  validateUpdate(obj, old, errors) {
    const now = new Set(items<string>(obj["spec"]?.scopes)), was = new Set(items<string>(old["spec"]?.scopes));
    if (now.symmetricDifference(was).size) errors.invalid(SPEC.child("scopes"), [...now], "field is immutable");
  },
  warnings: (obj, old) => old ? [] : quotaWarnings(obj["spec"]?.hard ?? {}),
  subresources: {
    status: {
      prepareUpdate: (obj, old) => keep(obj, old, "spec"),
      validateUpdate: (obj, _old, errors, ctx) => statusAmounts(obj, errors, ctx),
    },
  },
};
