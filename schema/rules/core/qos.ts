/** Quality of service of a pod, from what its containers ask for. */
import { parseQuantity } from "../../values/quantity.ts";
import { emptyMap, items, type Tree } from "../tree.ts";

/** The three classes. */
export type QosClass = "Guaranteed" | "Burstable" | "BestEffort";

const COMPUTE = ["cpu", "memory"];
const asked = (list: Tree | undefined, name: string) =>
  list?.[name] !== undefined && parseQuantity(list[name]).sign() > 0;

/**
 * Guaranteed: cpu and memory limited everywhere, with requests equal to limits. Best effort: nothing asked for. Resources of
 * the pod as a whole, when given, decide alone.
 */
export function qosClass(spec: Tree): QosClass {
  const whole = spec["resources"];
  const parts: Tree[] = whole && !(emptyMap(whole.requests) && emptyMap(whole.limits))
    ? [whole]
    : [...items(spec["containers"]), ...items(spec["initContainers"])].map((c) => c["resources"] ?? {});
  const any = parts.some((r) => COMPUTE.some((n) => asked(r["requests"], n) || asked(r["limits"], n)));
  if (!any) return "BestEffort";
  const fixed = parts.every((r) =>
    COMPUTE.every((n) =>
      asked(r["limits"], n) &&
      (!asked(r["requests"], n) || parseQuantity(r["requests"][n]).cmp(parseQuantity(r["limits"][n])) === 0)
    )
  );
  return fixed ? "Guaranteed" : "Burstable";
}
