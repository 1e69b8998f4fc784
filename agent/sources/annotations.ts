/** What the agent writes on the pods that it runs. */
import type { Pod } from "../../schema/api/core_v1.ts";
import type { Product } from "../../schema/product.ts";

/** Annotations, by public name: the source, when it was first seen, what a static pod was made of, and that in its mirror. */
export const SOURCE = "kubernetes.io/config.source";
export const SEEN = "kubernetes.io/config.seen";
export const HASH = "kubernetes.io/config.hash";
export const MIRROR = "kubernetes.io/config.mirror";

/** Whether a pod comes from elsewhere than the API server. */
export function isStatic(pod: Pod, product: Product): boolean {
  return (pod.metadata?.annotations?.[product.local(SOURCE)] ?? "api") !== "api";
}

/** Whether a pod only stands for a static one. */
export function isMirror(pod: Pod, product: Product): boolean {
  return pod.metadata?.annotations?.[product.local(MIRROR)] !== undefined;
}
