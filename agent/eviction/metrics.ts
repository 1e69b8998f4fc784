/** How many pods went for want of what. */
import { Counter, type Registry } from "prom-client";

/** Adds the counter to a registry; what it returns counts a pod by the signal or limit that made it go. */
export function evictionCounter(registry: Registry): (eviction_signal: string) => void {
  const counter = new Counter({
    name: "kubelet_evictions",
    help: "Pods that were put out, by the signal that asked for room",
    labelNames: ["eviction_signal"],
    registers: [registry],
  });
  return (eviction_signal) => counter.inc({ eviction_signal });
}
