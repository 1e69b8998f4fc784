/** Who is killed first when memory is out. */
import type { Pod } from "../../schema/api/core_v1.ts";
import type { Product } from "../../schema/product.ts";
import type { AnyContainer } from "../types.ts";
import {
  amount,
  amountIn,
  containerRequests,
  containersOf,
  type Gate,
  hasPodLevel,
  isSidecar,
  resourcesOf,
} from "./amounts.ts";
import { isNodeCritical, qosOf } from "./qos.ts";

const GUARANTEED = -997;
const BEST_EFFORT = 1000;

/** `oom_score_adj` of a container: the more of the machine's memory (bytes) it asks for, the lower. @throws ValueError */
export function oomScoreAdj(pod: Pod, container: AnyContainer, memory: number, gate: Gate, product: Product): number {
  const qos = qosOf(pod, gate);
  if (isNodeCritical(pod, product) || qos === "Guaranteed") return GUARANTEED;
  if (qos === "BestEffort") return BEST_EFFORT;
  const share = hasPodLevel(pod, gate, ["requests"]) ? unclaimed(pod) : 0;
  const score = (request: number) => 1000 - Math.trunc(1000 * (request + share) / memory);
  const own = score(requestOf(container));
  // A sidecar lives as long as the first of the containers that need it.
  const lowest = isSidecar(pod, container) ? score(Math.min(...(pod.spec?.containers ?? []).map(requestOf))) : own;
  const adj = Math.max(Math.min(own, lowest), BEST_EFFORT + GUARANTEED);
  return adj === BEST_EFFORT ? BEST_EFFORT - 1 : adj;
}

const requestOf = (container: AnyContainer): number =>
  Number(amountIn(resourcesOf(container).requests, "memory").value());

/** Each container's part of what the pod asks for beyond its containers, bytes. */
function unclaimed(pod: Pod): number {
  const whole = amountIn(pod.spec?.resources?.requests, "memory");
  const rest = Number(whole.sub(amount(containerRequests(pod), "memory")).value());
  return Math.trunc(Math.max(rest, 0) / containersOf(pod).length);
}
