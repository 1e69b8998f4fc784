/** Which pods are ended first. */
import type { Pod } from "../../schema/api/core_v1.ts";
import { amount, type Gate, podRequests } from "../resources/amounts.ts";
import { type Signal, SIGNALS } from "./signals.ts";
import { filesUsed, type FsPart, type PodUse, type Uses } from "./usage.ts";

type Compare = (a: Pod, b: Pod) => number;

const ALL: readonly FsPart[] = ["root", "logs", "volumes"];

/** What counts on a file system: with one of their own for images, containers lie there. */
const partsOn = (signal: Signal, imageFs: boolean): readonly FsPart[] =>
  !imageFs ? ALL : signal.startsWith("nodefs.") ? ["logs", "volumes"] : ["root"];

const priority = (pod: Pod) => pod.spec?.priority ?? 0;

/** Pods in the order in which they go: those beyond what they ask for, the less important, those far beyond. */
export function ranked(
  pods: readonly Pod[],
  signal: Signal,
  uses: Uses,
  imageFs: boolean,
  gate: Gate,
): readonly Pod[] {
  const { resource } = SIGNALS[signal], parts = partsOn(signal, imageFs);
  const asked = (pod: Pod, name: string) => Number(amount(podRequests(pod, gate), name).value());
  const used: Readonly<Record<string, (pod: Pod, use: PodUse) => number>> = {
    memory: (_, use) => use.memory?.workingSetBytes ?? 0,
    "ephemeral-storage": (pod, use) => filesUsed(pod, use, parts, "usedBytes"),
    inodes: (pod, use) => filesUsed(pod, use, parts, "inodesUsed"),
    pids: (_, use) => use.process_stats?.process_count ?? 0,
  };
  /** The larger first; what nothing is known of before all. */
  const byUse = (measure: (pod: Pod, use: PodUse) => number): Compare => (a, b) => {
    const of = (pod: Pod) => {
      const use = uses.get(pod.metadata?.uid ?? "");
      return use ? measure(pod, use) : Infinity;
    };
    const x = of(a), y = of(b);
    return x === y ? 0 : y - x;
  };
  const use = used[resource]!;
  const beyond = byUse((pod, u) => use(pod, u) > asked(pod, resource) ? 1 : 0);
  // Inodes cannot be asked for: the public agent takes off what is asked of storage.
  const request = resource === "inodes" ? "ephemeral-storage" : resource;
  const excess = byUse((pod, u) => use(pod, u) - asked(pod, request));
  const order: readonly Compare[] = resource === "pids"
    ? [(a, b) => priority(a) - priority(b), byUse(use)]
    : [beyond, (a, b) => priority(a) - priority(b), excess];
  return pods.toSorted((a, b) => order.reduce((sum, compare) => sum || compare(a, b), 0));
}
