/** How well a pod is served when there is not enough, and which pods must not suffer. */
import type { Pod } from "../../schema/api/core_v1.ts";
import type { Product } from "../../schema/product.ts";
import { QOS_FIX, type QosClass, qosClass } from "../../schema/rules/core/qos.ts";
import type { Tree } from "../../schema/rules/tree.ts";
import { isMirror, isStatic } from "../sources/annotations.ts";
import type { Gate } from "./amounts.ts";

export type { QosClass };

/** The priority from which on pods are the system's own. */
export const SYSTEM_CRITICAL = 2_000_000_000;
const NODE_CRITICAL = "system-node-critical";

/** The class that the status says, or else that follows from the spec. */
export function qosOf(pod: Pod, gate: Gate): QosClass {
  return (pod.status?.qosClass as QosClass | undefined) || qosClass(pod.spec as Tree ?? {}, gate(QOS_FIX));
}

/** Whether the node cannot do without the pod: a static one, its mirror, or one of a system priority. */
export const isCritical = (pod: Pod, product: Product): boolean =>
  isStatic(pod, product) || isMirror(pod, product) ||
  (pod.spec?.priority ?? 0) >= SYSTEM_CRITICAL;

/** Whether it is the last to be killed. */
export const isNodeCritical = (pod: Pod, product: Product): boolean =>
  isCritical(pod, product) && pod.spec?.priorityClassName === NODE_CRITICAL;
