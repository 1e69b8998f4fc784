/** How well a pod is served when there is not enough, and which pods must not suffer. */
import type { Pod } from "../../schema/api/core_v1.ts";
import type { Product } from "../../schema/product.ts";
import { QOS_FIX, type QosClass, qosClass } from "../../schema/rules/core/qos.ts";
import type { Tree } from "../../schema/rules/tree.ts";
import type { Gate } from "./amounts.ts";

export type { QosClass };

const SYSTEM_CRITICAL = 2_000_000_000;
const NODE_CRITICAL = "system-node-critical";
const SOURCE = "kubernetes.io/config.source";
const MIRROR = "kubernetes.io/config.mirror";

/** The class that the status says, or else that follows from the spec. */
export function qosOf(pod: Pod, gate: Gate): QosClass {
  return (pod.status?.qosClass as QosClass | undefined) || qosClass(pod.spec as Tree ?? {}, gate(QOS_FIX));
}

const annotation = (pod: Pod, product: Product, name: string): string | undefined =>
  pod.metadata?.annotations?.[product.local(name)];

/** Whether a pod comes from a file or a URL. */
export const isStatic = (pod: Pod, product: Product): boolean => (annotation(pod, product, SOURCE) ?? "api") !== "api";

/** Whether the node cannot do without the pod: a static one, its mirror, or one of a system priority. */
export const isCritical = (pod: Pod, product: Product): boolean =>
  isStatic(pod, product) || annotation(pod, product, MIRROR) !== undefined ||
  (pod.spec?.priority ?? 0) >= SYSTEM_CRITICAL;

/** Whether it is the last to be killed. */
export const isNodeCritical = (pod: Pod, product: Product): boolean =>
  isCritical(pod, product) && pod.spec?.priorityClassName === NODE_CRITICAL;
