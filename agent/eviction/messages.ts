/** What evicted pods are told, in the public agent's words. */
import type { Pod } from "../../schema/api/core_v1.ts";
import { quantityOf } from "../../schema/values/quantity.ts";
import { amountIn, containersOf, type Gate, hasPodLevel } from "../resources/amounts.ts";
import { type Observations, SIGNALS } from "./signals.ts";
import { boundOf, type Threshold } from "./thresholds.ts";
import type { ContainerUse, PodUse } from "./usage.ts";

const bytes = (n: number) => quantityOf(n, "BinarySI").toString();
/** Bytes are told in powers of two, what is counted in powers of ten. */
const BINARY = new Set(["memory", "ephemeral-storage"]);

function used(resource: string, use: ContainerUse): number | undefined {
  if (resource === "memory") return use.memory?.workingSetBytes;
  if (resource !== "ephemeral-storage") return undefined;
  const root = use.rootfs?.usedBytes, logs = use.logs?.usedBytes;
  return root === undefined || logs === undefined ? undefined : root + logs;
}

/** Why a pod goes. @param due thresholds that are acted on, the one in question first */
export function evictionMessage(
  resource: string,
  pod: Pod,
  use: PodUse | undefined,
  due: readonly Threshold[],
  observations: Observations,
  gate: Gate,
): string {
  const out = [`The node was low on resource: ${resource}. `];
  const met = due.find((t) => SIGNALS[t.signal].resource === resource && observations.has(t.signal));
  if (met) {
    const { available, capacity } = observations.get(met.signal)!;
    const free = quantityOf(available, BINARY.has(resource) ? "BinarySI" : "DecimalSI");
    out.push(`Threshold quantity: ${boundOf(met.bound, capacity)}, available: ${free}. `);
  }
  const whole = pod.spec?.resources?.requests?.[resource], memory = use?.memory?.workingSetBytes;
  const said = (what: string, name: string, usage: number, request: string) =>
    out.push(
      `${what} ${name} was using ${bytes(usage)}, request is ${request}, has larger consumption of ${resource}. `,
    );
  if (resource === "memory" && hasPodLevel(pod, gate) && whole !== undefined && memory !== undefined) {
    said("Pod", pod.metadata?.name ?? "", memory, whole);
  }
  for (const one of use?.containers ?? []) {
    const container = containersOf(pod).find((c) => c.name === one.name), usage = used(resource, one);
    const request = amountIn(container?.resources?.requests, resource);
    if (container && usage !== undefined && usage > request.toNumber()) {
      said("Container", one.name, usage, request.toString());
    }
  }
  return out.join("");
}
