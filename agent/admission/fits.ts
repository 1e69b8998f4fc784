/** Whether there is room for a pod beside others. */
import type { Node, Pod } from "../../schema/api/core_v1.ts";
import { type Amounts, amountsOf, type Gate, isExtended, podRequests } from "../resources/amounts.ts";

/** A resource that is not enough: thousandths for processors, units for the rest. */
export interface Shortage {
  readonly resource: string;
  readonly requested: number;
  readonly used: number;
  readonly capacity: number;
}

/** An amount as shortages count it. */
export function units(amounts: Amounts, name: string): number {
  const q = amounts.get(name);
  return q === undefined ? 0 : Number(name === "cpu" ? q.milliValue() : q.value());
}

const FIRST = ["cpu", "memory", "ephemeral-storage"];

/** All that is not enough, pods first, then in the order processors, memory, storage, others. @throws ValueError */
export function shortages(pod: Pod, others: readonly Pod[], node: Node, gate: Gate): readonly Shortage[] {
  const free = amountsOf(node.status?.allocatable ?? undefined), wanted = podRequests(pod, gate);
  const used = others.map((other) => podRequests(other, gate));
  // What no node names is the cluster's to count.
  const names = [...FIRST, ...[...wanted.keys()].filter((name) => !FIRST.includes(name))]
    .filter((name) => !isExtended(name) || free.has(name));
  const rows = names.map((resource) => ({
    resource,
    requested: units(wanted, resource),
    used: used.reduce((sum, amounts) => sum + units(amounts, resource), 0),
    capacity: units(free, resource),
  }));
  const pods = { resource: "pods", requested: 1, used: others.length, capacity: units(free, "pods") };
  return [pods, ...rows].filter((s) => s.requested > 0 && s.requested > s.capacity - s.used);
}
