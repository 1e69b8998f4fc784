/** Quality of service of a pod, from what its containers ask for. */
import { parseQuantity, type Quantity } from "../../values/quantity.ts";
import { items, type Tree } from "../tree.ts";
import { isPodLevelResource } from "./pod_resources.ts";

/** The three classes. */
export type QosClass = "Guaranteed" | "Burstable" | "BestEffort";

/** Gate with which empty resources of a pod as a whole are none. */
export const QOS_FIX = "PodLevelResourcesFixKubeletQOSClass";

const COMPUTE = ["cpu", "memory"];
const asked = (list: Tree | undefined, name: string) =>
  list?.[name] !== undefined && parseQuantity(list[name]).sign() > 0;

/**
 * Guaranteed: cpu and memory limited everywhere, and asked for together as much as limited together. Best effort: nothing
 * asked for. Resources of the pod as a whole, when given, decide alone: empty ones too, but where `emptyIsNone`.
 */
export function qosClass(spec: Tree, emptyIsNone = false): QosClass {
  const parts: Tree[] = spec["resources"] && (!emptyIsNone || saysSomething(spec["resources"]))
    ? [spec["resources"]]
    : [...items(spec["containers"]), ...items(spec["initContainers"])].map((c) => c["resources"] ?? {});
  const requests = sums(parts, "requests"), limits = sums(parts, "limits");
  if (!requests.size && !limits.size) return "BestEffort";
  const limited = parts.every((r) => COMPUTE.every((n) => asked(r["limits"], n)));
  const equal = requests.size === limits.size && [...requests].every(([n, q]) => limits.get(n)?.cmp(q) === 0);
  return limited && equal ? "Guaranteed" : "Burstable";
}

const saysSomething = (r: Tree): boolean =>
  [r["requests"], r["limits"]].some((list) => Object.keys(list ?? {}).some(isPodLevelResource));

function sums(parts: readonly Tree[], list: string): Map<string, Quantity> {
  const out = new Map<string, Quantity>();
  for (const r of parts) {
    for (const n of COMPUTE) {
      if (!asked(r[list], n)) continue;
      const q = parseQuantity(r[list][n]);
      out.set(n, out.get(n)?.add(q) ?? q);
    }
  }
  return out;
}
