/** The node's room, as a pod finds it that is to be given more or less of it while it runs. */
import type { Pod } from "../../schema/api/core_v1.ts";
import type { Gate } from "../resources/amounts.ts";
import { qosOf } from "../resources/qos.ts";
import type { Admit } from "../types.ts";

/** What a pod asks for. */
export interface Claim {
  /** As it is to be. */
  readonly pod: Pod;
  /** Since when it waits, ticks; infinite: it has just come. */
  readonly since: number;
}

/** A pod that the node has given something. */
export interface Holder {
  readonly uid: string;
  /** With what it was given. */
  readonly allotted: Pod;
  /** What it waits for besides; undefined: for nothing. */
  readonly claim: Claim | undefined;
}

/** What one pod's resizer sees of it. */
export interface Room {
  /** Pods as they stand against a claim. */
  taken(claim: Claim): readonly Pod[];
  /** Somebody was given more or less than before. */
  changed(): void;
}

/**
 * The other pods as they stand against a pod's claim: with what they were given, and those that go before it with what they wait for,
 * where it fits now. Of higher priority goes first, then who is guaranteed, then who waits longer.
 */
export function takenFrom(holders: readonly Holder[], uid: string, claim: Claim, admit: Admit, gate: Gate): Pod[] {
  const counted = new Map(holders.map((h) => [h.uid, h.allotted]));
  const besides = (one: string) => [...counted].flatMap(([other, pod]) => (other === one ? [] : [pod]));
  const order = orderOf(gate), isFirst = (other: Claim | undefined) => other !== undefined && order(other, claim) < 0;
  const first = holders.filter((h) => h.uid !== uid && isFirst(h.claim)).sort((a, b) => order(a.claim!, b.claim!));
  for (const other of first) {
    const { pod } = other.claim!;
    if (!admit(pod, besides(other.uid))) counted.set(other.uid, pod);
  }
  return besides(uid);
}

function orderOf(gate: Gate): (a: Claim, b: Claim) => number {
  const priority = ({ pod }: Claim) => pod.spec?.priority ?? 0;
  const rank = ({ pod }: Claim) => (qosOf(pod, gate) === "Guaranteed" ? 0 : 1);
  return (a, b) =>
    priority(b) - priority(a) || rank(a) - rank(b) || (a.since < b.since ? -1 : Number(a.since > b.since));
}
