/** What pods use: their number, and what their containers ask for. */
import type { Obj } from "../../schema/model/types.ts";
import { graceMs } from "../../schema/values/grace.ts";
import { type Quantity, quantityOf } from "../../schema/values/quantity.ts";
import { isHugePages } from "../../schema/rules/checks/resources.ts";
import { qosClass } from "../../schema/rules/core/qos.ts";
import type { RuleContext } from "../../schema/rules/types.ts";
import { items, type Tree } from "../../schema/rules/tree.ts";
import { isExtendedName, isExtendedQuotaName } from "./extended.ts";
import { type Amounts, amountsOf, hasPodLevel, podTotals } from "../../schema/rules/core/pod_resources.ts";
import { namesFit } from "./scopes.ts";
import type { Evaluator, ScopeRequirement } from "./types.ts";

const ONE = quantityOf(1);
const COMPUTE = new Set(["cpu", "memory", "ephemeral-storage"]);
const NAMES = new Set([
  "count/pods",
  "pods",
  ...[...COMPUTE].flatMap((n) => [n, `requests.${n}`, `limits.${n}`]),
]);
/** When a quota counts these, every container must say them: an old rule that later resources do not share. */
const REQUIRED = new Set(["cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"]);

/** Counts pods. */
export function podEvaluator(ctx: RuleContext): Evaluator {
  const podLevel = ctx.gate("PodLevelResources");
  const how = { podLevel, status: ctx.gate("InPlacePodVerticalScaling"), overhead: true };
  return {
    id: "pods",
    handles(a) {
      if (a.subresource === "resize") return a.operation === "UPDATE";
      if (a.subresource !== "") return false;
      return a.operation === "CREATE" ||
        (a.operation === "UPDATE" && hasDeadline(a.object!) !== hasDeadline(a.oldObject!));
    },
    counts: (name) =>
      NAMES.has(name) || isHugePages(name) || name.startsWith("requests.hugepages-") ||
      isExtendedQuotaName(name, ctx),
    missing: (names, obj) =>
      podLevel && hasPodLevel((obj as Tree)["spec"])
        ? undefined
        : missing(names.filter((n) => REQUIRED.has(n)), obj, ctx),
    inScope,
    scopeFacts: (obj) => String(hasDeadline(obj)),
    usage(obj) {
      const out: Amounts = new Map([["count/pods", ONE]]);
      if (!isCharged(obj, ctx.now())) return out;
      const pod = obj as Tree;
      named(out, podTotals(pod, "requests", how), podTotals(pod, "limits", how), ctx);
      return out;
    },
  };
}

/** Whether a pod holds resources: not when it has ended, nor when its deletion is overdue. */
function isCharged(obj: Obj, now: number): boolean {
  const { phase } = (obj as Tree)["status"] ?? {};
  if (phase === "Failed" || phase === "Succeeded") return false;
  const { deletionTimestamp: at, deletionGracePeriodSeconds: grace } = obj.metadata;
  return !(at && grace !== undefined && now > Date.parse(at) + graceMs(grace));
}

/** Requests and limits under the names of quotas. */
function named(out: Amounts, requests: Amounts, limits: Amounts, ctx: RuleContext): void {
  out.set("pods", ONE);
  const both = (name: string, q: Quantity) => {
    out.set(name, q);
    out.set(`requests.${name}`, q);
  };
  for (const [name, q] of requests) {
    if (COMPUTE.has(name) || isHugePages(name)) both(name, q);
    else if (isExtendedName(name, ctx)) out.set(`requests.${name}`, q);
  }
  for (const [name, q] of limits) if (COMPUTE.has(name)) out.set(`limits.${name}`, q);
}

function missing(names: readonly string[], obj: Obj, ctx: RuleContext): string | undefined {
  if (names.length === 0) return undefined;
  const { spec } = obj as Tree;
  const lacking = new Map<string, string[]>([...names].sort().map((n) => [n, []]));
  for (const c of [...items<Tree>(spec.containers), ...items<Tree>(spec.initContainers)]) {
    const said: Amounts = new Map();
    named(said, amountsOf(c["resources"]?.requests), amountsOf(c["resources"]?.limits), ctx);
    for (const n of names) if (!said.has(n)) lacking.get(n)!.push(c["name"]);
  }
  const parts = [...lacking].filter(([, cs]) => cs.length > 0).map(([n, cs]) => `${n} for: ${cs.sort().join(",")}`);
  return parts.length > 0 ? `must specify ${parts.join("; ")}` : undefined;
}

const hasDeadline = (obj: Obj): boolean => ((obj as Tree)["spec"].activeDeadlineSeconds ?? -1) >= 0;
const bestEffort = (obj: Obj): boolean => qosClass((obj as Tree)["spec"]) === "BestEffort";

const SCOPES: Readonly<Record<string, (obj: Obj, scope: ScopeRequirement) => boolean>> = {
  Terminating: hasDeadline,
  NotTerminating: (obj) => !hasDeadline(obj),
  BestEffort: bestEffort,
  NotBestEffort: (obj) => !bestEffort(obj),
  PriorityClass: (obj, scope) => {
    const name: string | undefined = (obj as Tree)["spec"].priorityClassName;
    return namesFit(scope, name ? [name] : []);
  },
  CrossNamespacePodAffinity: crossesNamespaces,
};

function inScope(scope: ScopeRequirement, obj: Obj): boolean {
  return Object.hasOwn(SCOPES, scope.scopeName) && SCOPES[scope.scopeName]!(obj, scope);
}

function crossesNamespaces(obj: Obj): boolean {
  const { podAffinity, podAntiAffinity } = (obj as Tree)["spec"].affinity ?? {};
  return [podAffinity, podAntiAffinity].some((affinity) =>
    [
      ...items<Tree>(affinity?.requiredDuringSchedulingIgnoredDuringExecution),
      ...items<Tree>(affinity?.preferredDuringSchedulingIgnoredDuringExecution).map((w) => w["podAffinityTerm"] ?? {}),
    ].some((term) => items(term.namespaces).length > 0 || !!term.namespaceSelector)
  );
}
