/** What device claims use: their number, and devices at worst, by device class. */
import { quantityOf } from "../../schema/values/quantity.ts";
import type { Product } from "../../schema/product.ts";
import { items, type Tree } from "../../schema/rules/tree.ts";
import type { Amounts } from "./pod_resources.ts";
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

/** Counts device claims. */
export function deviceEvaluator(product: Product): Evaluator {
  const suffix = product.local(".deviceclass.resource.k8s.io/devices");
  const count = product.local(`count/${ID}`);
  return {
    id: ID,
    handles: (a) => a.subresource === "" && (a.operation === "CREATE" || a.operation === "UPDATE"),
    counts: (name) => name === count || name.endsWith(suffix),
    usage(obj) {
      const out: Amounts = new Map([[count, quantityOf(1)]]);
      for (const request of items<Tree>((obj as Tree)["spec"]?.devices?.requests)) {
        for (const [name, n] of needs(request)) {
          const was = out.get(name + suffix);
          out.set(name + suffix, was ? was.add(quantityOf(n)) : quantityOf(n));
        }
      }
      return out;
    },
  };
}
