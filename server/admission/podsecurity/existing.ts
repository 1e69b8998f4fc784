/** Pods that are there already when a namespace's level is raised: warnings, not refusals. */
import type { Obj } from "../../../schema/model/types.ts";

/** At most so many pods are looked at, for so long. */
const MAX_PODS = 3000, MAX_MS = 1000;

/** How pods are judged. */
export interface Judge {
  /** Whether a runtime class is exempt. */
  exempt(runtimeClass: string): boolean;
  /** Reasons against a pod, as one text; empty: none. */
  reasons(pod: Obj): string;
  now(): number;
}

/** The texts of the warnings. Pods that break the level for the same reasons share one. */
export function podsUnder(pods: readonly Obj[], namespace: string, level: string, judge: Judge): string[] {
  const order = prioritized(pods, judge);
  const deadline = judge.now() + MAX_MS;
  const by = new Map<string, { first: string; count: number }>();
  let checked = 0;
  for (const pod of order.slice(0, MAX_PODS)) {
    checked++;
    const reasons = judge.reasons(pod);
    if (reasons) {
      const seen = by.get(reasons), name = pod.metadata.name!;
      if (!seen) by.set(reasons, { first: name, count: 1 });
      else {
        seen.count++;
        if (name < seen.first) seen.first = name;
      }
    }
    if (judge.now() > deadline) break;
  }
  const out: string[] = [];
  if (checked < order.length) {
    out.push(
      `new PodSecurity enforce level only checked against the first ${checked} of ${order.length} existing pods`,
    );
  }
  if (by.size === 0) return out;
  out.push(`existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${level}"`);
  return [...out, ...[...by].map(([reasons, { first, count }]) => `${first}${others(count - 1)}: ${reasons}`).sort()];
}

const others = (n: number): string => n === 0 ? "" : ` (and ${n} other ${n === 1 ? "pod" : "pods"})`;

/** One pod of each controller comes before the others, which will be alike. */
function prioritized(pods: readonly Obj[], judge: Judge): Obj[] {
  const seen = new Set<string>(), first: Obj[] = [], rest: Obj[] = [];
  for (const pod of pods) {
    const { runtimeClassName = "" } = (pod as unknown as { spec: { runtimeClassName?: string } }).spec;
    if (judge.exempt(runtimeClassName)) continue;
    const owner = pod.metadata.ownerReferences?.find((o) => o.controller)?.uid;
    if (owner !== undefined && seen.has(owner)) rest.push(pod);
    else first.push(pod);
    if (owner !== undefined) seen.add(owner);
  }
  return [...first, ...rest];
}
