/** What a node that is short of something still takes. */
import type { Pod } from "../../schema/api/core_v1.ts";
import type { Product } from "../../schema/product.ts";
import type { Gate } from "../resources/amounts.ts";
import { isCritical, qosOf } from "../resources/qos.ts";
import type { Refusal } from "../types.ts";
import { tolerates } from "./matches.ts";

const TAINT = "node.kubernetes.io/memory-pressure";

/** @param conditions `MemoryPressure` and so on, those that hold */
export function pressureRefusal(
  pod: Pod,
  conditions: readonly string[],
  gate: Gate,
  product: Product,
): Refusal | undefined {
  if (conditions.length === 0 || isCritical(pod, product)) return undefined;
  if (conditions.length === 1 && conditions[0] === "MemoryPressure") {
    if (qosOf(pod, gate) !== "BestEffort") return undefined;
    const taint = { key: product.local(TAINT), effect: "NoSchedule" } as const;
    if (tolerates(pod.spec?.tolerations ?? [], taint, gate("TaintTolerationComparisonOperators"))) return undefined;
  }
  return { reason: "Evicted", message: `The node had condition: [${conditions.join(" ")}]. ` };
}
