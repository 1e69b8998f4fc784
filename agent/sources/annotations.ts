/** What the agent writes on the pods that it runs. */
import type { Pod } from "../../schema/api/core_v1.ts";
import type { Product } from "../../schema/product.ts";

/** Annotations, by public name. This one: where the pod came from. */
export const SOURCE = "kubernetes.io/config.source";
/** When a pod was first seen. */
export const SEEN = "kubernetes.io/config.seen";
/** What a static pod was made of. */
export const HASH = "kubernetes.io/config.hash";
/** The same in its mirror. */
export const MIRROR = "kubernetes.io/config.mirror";

/** Whether a pod comes from elsewhere than the API server. */
export function isStatic(pod: Pod, product: Product): boolean {
  return (pod.metadata?.annotations?.[product.local(SOURCE)] ?? "api") !== "api";
}

/** Whether a pod only stands for a static one. */
export function isMirror(pod: Pod, product: Product): boolean {
  return pod.metadata?.annotations?.[product.local(MIRROR)] !== undefined;
}
