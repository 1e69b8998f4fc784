/** LimitRanger: defaults, least and most, and ratios of resources, by container, pod and claim. */
import type { Obj } from "../../../schema/model/types.ts";
import { parseQuantity, type Quantity } from "../../../schema/values/quantity.ts";
import { items, type Tree } from "../../../schema/rules/tree.ts";
import { type Amounts, amountsOf, podTotals } from "../../../schema/rules/core/pod_resources.ts";
import { isSteeper, ratioOf } from "../../../schema/rules/core/ratios.ts";
import { byNamespace } from "../facts.ts";
import { either, on } from "../handles.ts";
import { refusals } from "../refuse.ts";
import type { Attributes, Plugin, PluginContext } from "../types.ts";

/** One item of `spec.limits`. */
interface Limit {
  readonly type: string;
  readonly min: readonly [string, Quantity][];
  readonly max: readonly [string, Quantity][];
  readonly ratio: readonly [string, Quantity][];
}

/** A LimitRange, read. */
interface Range {
  readonly limits: readonly Limit[];
  /** Of containers; texts as they are put into pods. */
  readonly defaultLimits: Readonly<Record<string, string>>;
  readonly defaultRequests: Readonly<Record<string, string>>;
}

const pairs = (list: Tree | undefined): [string, Quantity][] =>
  Object.entries(list ?? {}).sort(([a], [b]) => a < b ? -1 : 1).map(([k, v]) => [k, parseQuantity(v)]);

function readRange(obj: Obj): Range {
  const limits: readonly Tree[] = items((obj as Tree)["spec"]?.limits);
  const ofContainers = limits.filter((l) => l["type"] === "Container");
  return {
    limits: limits.map((l) => ({
      type: l["type"],
      min: pairs(l["min"]),
      max: pairs(l["max"]),
      ratio: pairs(l["maxLimitRequestRatio"]),
    })),
    defaultLimits: Object.assign({}, ...ofContainers.map((l) => l["default"])),
    defaultRequests: Object.assign({}, ...ofContainers.map((l) => l["defaultRequest"])),
  };
}

/** See the top of the file. */
export function limitRanger(ctx: PluginContext): Plugin {
  const ranges = byNamespace(ctx.lister, "limitranges", (all) => all.map(readRange));
  const annotation = ctx.product.local("kubernetes.io/limit-ranger");
  const podLevel = ctx.gate("PodLevelResources");
  return {
    name: "LimitRanger",
    handles: either(
      on(["CREATE"], ["pods"]),
      on(["UPDATE"], ["pods"], ["resize"]),
      on(["CREATE", "UPDATE"], ["persistentvolumeclaims"]),
    ),
    admit(a) {
      if (a.resource.id !== "pods" || a.oldObject?.metadata.deletionTimestamp) return;
      for (const range of ranges(a.namespace)) fillPod(a.object as Tree, range, annotation);
    },
    validate(a) {
      if (a.oldObject?.metadata.deletionTimestamp) return;
      for (const range of ranges(a.namespace)) {
        const faults = a.resource.id === "pods" ? podFaults(a, range, podLevel) : claimFaults(a, range);
        if (faults.length > 0) throw refusals(a, faults);
      }
    },
  };
}

/** Fills requests and limits of every container, and notes on the pod what it has filled. */
function fillPod(pod: Tree, range: Range, annotation: string): void {
  const said: string[] = [];
  const { spec, metadata } = pod;
  for (const c of items<Tree>(spec.containers)) fillContainer(c, range, "container", said);
  for (const c of items<Tree>(spec.initContainers)) fillContainer(c, range, "init container", said);
  if (said.length > 0) (metadata.annotations ??= {})[annotation] = `LimitRanger plugin set: ${said.join("; ")}`;
}

function fillContainer(container: Tree, range: Range, what: string, said: string[]): void {
  const parts = [["requests", "request", range.defaultRequests], ["limits", "limit", range.defaultLimits]] as const;
  for (const [member, word, defaults] of parts) {
    const resources: Tree = container["resources"] ?? {};
    const given: Tree = resources[member] ?? {};
    const missing = Object.keys(defaults).filter((k) => given[k] === undefined).sort();
    if (missing.length === 0) continue;
    container["resources"] = resources;
    resources[member] = { ...given, ...Object.fromEntries(missing.map((k) => [k, defaults[k]!])) };
    said.push(`${missing.join(", ")} ${word} for ${what} ${container["name"]}`);
  }
}

function podFaults(a: Attributes, range: Range, podLevel: boolean): string[] {
  const pod = a.object as Tree;
  const { spec } = pod;
  const out: string[] = [];
  for (const limit of range.limits) {
    if (limit.type === "Container") {
      for (const c of [...items<Tree>(spec.containers), ...items<Tree>(spec.initContainers)]) {
        faultsOf(limit, amountsOf(c["resources"]?.requests), amountsOf(c["resources"]?.limits), out);
      }
    } else if (limit.type === "Pod") {
      const how = { podLevel, status: false, overhead: false };
      faultsOf(limit, podTotals(pod, "requests", how), podTotals(pod, "limits", how), out);
    }
  }
  return out;
}

function faultsOf(limit: Limit, requests: Amounts, limits: Amounts, out: string[]): void {
  for (const [k, q] of limit.min) add(out, tooLittle(limit.type, k, q, requests, limits));
  for (const [k, q] of limit.max) add(out, tooMuch(limit.type, k, q, requests, limits));
  for (const [k, q] of limit.ratio) add(out, tooSteep(limit.type, k, q, requests, limits));
}

function claimFaults(a: Attributes, range: Range): string[] {
  const requests = amountsOf((a.object as Tree)["spec"]?.resources?.requests);
  const out: string[] = [];
  for (const { type, min, max } of range.limits) {
    if (type !== "PersistentVolumeClaim") continue;
    for (const [k, q] of min) add(out, tooLittle(type, k, q, requests, new Map()));
    for (const [k, q] of max) {
      const asked = requests.get(k);
      if (!asked) out.push(`maximum ${k} usage per ${type} is ${q}.  No request is specified`);
      else if (asked.cmp(q) > 0) out.push(`maximum ${k} usage per ${type} is ${q}, but request is ${asked}`);
    }
  }
  return out;
}

const add = (out: string[], fault: string | undefined): void => {
  if (fault !== undefined) out.push(fault);
};

function tooLittle(type: string, name: string, least: Quantity, requests: Amounts, limits: Amounts) {
  const request = requests.get(name), limit = limits.get(name);
  const rule = `minimum ${name} usage per ${type} is ${least}`;
  if (!request) return `${rule}.  No request is specified`;
  if (request.cmp(least) < 0) return `${rule}, but request is ${request}`;
  return limit && limit.cmp(least) < 0 ? `${rule}, but limit is ${limit}` : undefined;
}

function tooMuch(type: string, name: string, most: Quantity, requests: Amounts, limits: Amounts) {
  const request = requests.get(name), limit = limits.get(name);
  const rule = `maximum ${name} usage per ${type} is ${most}`;
  if (!limit) return `${rule}.  No limit is specified`;
  if (limit.cmp(most) > 0) return `${rule}, but limit is ${limit}`;
  return request && request.cmp(most) > 0 ? `${rule}, but request is ${request}` : undefined;
}

function tooSteep(type: string, name: string, most: Quantity, requests: Amounts, limits: Amounts) {
  const request = requests.get(name), limit = limits.get(name);
  const rule = `${name} max limit to request ratio per ${type} is ${most}`;
  if (!request || request.isZero()) return `${rule}, but no request is specified or request is 0`;
  if (!limit || limit.isZero()) return `${rule}, but no limit is specified or limit is 0`;
  const ratio = ratioOf(limit, request, most);
  return isSteeper(ratio, most) ? `${rule}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}
