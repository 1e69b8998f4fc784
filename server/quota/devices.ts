/** What device claims use: their number, and devices at worst, by device class and by the extended resource that a class stands for. */
import type { Obj } from "../../schema/model/types.ts";
import { type Quantity, quantityOf } from "../../schema/values/quantity.ts";
import type { RuleContext } from "../../schema/rules/types.ts";
import { items, type Tree } from "../../schema/rules/tree.ts";
import { derived } from "../admission/facts.ts";
import type { Lister } from "../admission/types.ts";
import { isExtendedName, isExtendedQuotaName } from "./extended.ts";
import { type Amounts, amountsOf, podTotals } from "../../schema/rules/core/pod_resources.ts";
import type { Evaluator } from "./types.ts";

const ID = "resourceclaims.resource.k8s.io";
/** `All` may give as many devices as one claim can hold. */
const ALL = 32;

const devices = (r: Tree): number =>
  r["allocationMode"] === "ExactCount" ? Number(r["count"] ?? 0) : r["allocationMode"] === "All" ? ALL : 0;

/** Devices of one request by class; of alternatives the most of each class. */
function needs(request: Tree): Map<string, number> {
  const out = new Map<string, number>();
  const alternatives = items<Tree>(request["firstAvailable"]);
  const all = alternatives.length > 0 ? alternatives : request["exactly"] ? [request["exactly"] as Tree] : [];
  for (const r of all) {
    const name: string = r["deviceClassName"];
    out.set(name, Math.max(out.get(name) ?? 0, devices(r)));
  }
  return out;
}

/** Something that the pod of a claim asks for itself, and is charged for as a pod. */
interface Asked {
  readonly name: string;
  readonly amount: Quantity;
}

/** Counts device claims. */
export function deviceEvaluator(ctx: RuleContext, lister: Lister): Evaluator {
  const { local } = ctx.product;
  const suffix = local(".deviceclass.resource.k8s.io/devices");
  const count = local(`count/${ID}`);
  const extended = ctx.gate("DRAExtendedResource");
  const implicit = local("requests.deviceclass.resource.kubernetes.io/");
  const marked = local("resource.kubernetes.io/extended-resource-claim");
  const stands = derived(
    lister,
    "deviceclasses.resource.k8s.io",
    (all) =>
      new Map(all.map((c) => [c.metadata.name!, (c as Tree)["spec"]?.extendedResourceName as string | undefined])),
  );
  const add = (out: Amounts, name: string, q: Quantity) => {
    const was = out.get(name);
    out.set(name, was ? was.add(q) : q);
  };
  return {
    id: ID,
    handles: (a) => a.subresource === "" && (a.operation === "CREATE" || a.operation === "UPDATE"),
    counts: (name) => name === count || name.endsWith(suffix) || (extended && isExtendedQuotaName(name, ctx)),
    usage(obj) {
      const out: Amounts = new Map([[count, quantityOf(1)]]);
      const asked = extended && obj.metadata.annotations?.[marked] === "true" ? ofPod(obj, lister, ctx) : [];
      for (const request of items<Tree>((obj as Tree)["spec"]?.devices?.requests)) {
        for (const [name, n] of needs(request)) {
          const q = quantityOf(n);
          add(out, name + suffix, q);
          if (!extended) continue;
          // What the pod has asked for by one of the two names is charged with the pod: the other name is charged here.
          const names = [implicit + name, ...(stands().get(name) ? [`requests.${stands().get(name)}`] : [])];
          const at = asked.findIndex((x) => names.includes(x.name) && x.amount.cmp(q) === 0);
          const own = at < 0 ? undefined : asked.splice(at, 1)[0]!.name;
          for (const n of names) if (n !== own) add(out, n, q);
        }
      }
      return out;
    },
  };
}

/** Extended resources that the pod asks for which a claim was made for: by container, and what init containers need beyond. */
function ofPod(claim: Obj, lister: Lister, ctx: RuleContext): Asked[] {
  const owner = claim.metadata.ownerReferences?.find((o) => o.controller);
  if (owner?.kind !== "Pod" || owner.apiVersion !== "v1") return [];
  const pod = lister.get("pods", claim.metadata.namespace ?? "", owner.name) as Tree | undefined;
  if (!pod || pod["metadata"].uid !== owner.uid) return [];
  const named: string | undefined = pod["status"]?.extendedResourceClaimStatus?.resourceClaimName;
  if (named !== undefined && named !== claim.metadata.name) return [];
  const out: Asked[] = [];
  const sums: Amounts = new Map();
  const first = items<Tree>(pod["spec"].initContainers), others = items<Tree>(pod["spec"].containers);
  for (const c of [...first, ...others]) {
    const once = first.includes(c) && c["restartPolicy"] !== "Always";
    for (const [name, q] of amountsOf(c["resources"]?.requests)) {
      if (!isExtendedName(name, ctx)) continue;
      const was = sums.get(name) ?? quantityOf(0);
      sums.set(name, once ? was : was.add(q));
      if (!once) out.push({ name: `requests.${name}`, amount: q });
    }
  }
  const totals = podTotals(pod, "requests", { podLevel: true, status: false, overhead: true });
  for (const [name, sum] of sums) {
    const most = totals.get(name);
    if (most && most.cmp(sum) > 0) out.push({ name: `requests.${name}`, amount: most.sub(sum) });
  }
  return out;
}
