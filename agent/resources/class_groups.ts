/** The groups of all pods and of the classes below it, and what they get as pods come and go. */
import type { Pod } from "../../schema/api/core_v1.ts";
import { amount, type Amounts, type Gate, podRequests } from "./amounts.ts";
import { MIN_SHARES, sharesOf } from "./cpu.ts";
import type { GroupName } from "./group_names.ts";
import { everyPageSize } from "./huge_pages.ts";
import { type MemoryQos, reserves } from "./memory_qos.ts";
import { type QosClass, qosOf } from "./qos.ts";
import type { GroupSettings } from "./settings.ts";

/** Where pods of each class lie: those of the highest beside the groups of the other two. */
export const classGroups = (pods: GroupName): Readonly<Record<QosClass, GroupName>> => ({
  Guaranteed: pods,
  Burstable: [...pods, "burstable"],
  BestEffort: [...pods, "besteffort"],
});

/** Bytes that stand for no limit. */
const UNBOUNDED = 2 ** 62;
const PERCENT = /^(\d{1,3})%$/;

/** The percentage of memory requests that lower classes cannot take; undefined: none is said. @throws Error */
export function parseQosReserved(option: Readonly<Record<string, string>>): number | undefined {
  const other = Object.keys(option).find((name) => name !== "memory");
  if (other !== undefined) throw new Error(`--qos-reserved value failed to parse: cannot reserve "${other}" resource`);
  const { memory } = option;
  if (memory === undefined) return undefined;
  const percent = Number(PERCENT.exec(memory)?.[1] ?? NaN);
  if (percent <= 100) return percent;
  throw new Error(`--qos-reserved value failed to parse: failed to parse percentage "${memory}" for "memory" resource`);
}

/** What settings of classes follow. */
export interface ClassTerms {
  readonly gate: Gate;
  readonly version: 1 | 2;
  readonly pageSizes: readonly string[];
  readonly memoryQos: MemoryQos;
  readonly allocatable: Amounts;
  /** Percent; undefined: nothing is kept. */
  readonly memoryReserved: number | undefined;
}

/** Settings of each class for the pods that there are; of the highest those of all pods' group that change. @throws ValueError */
export function classSettings(pods: readonly Pod[], terms: ClassTerms): Readonly<Record<QosClass, GroupSettings>> {
  const asked = (qos: QosClass, name: string, scale: number) =>
    pods.filter((pod) => qosOf(pod, terms.gate) === qos)
      .reduce((sum, pod) => sum + Number(amount(podRequests(pod, terms.gate), name).scaled(scale)), 0);
  const firm = asked("Guaranteed", "memory", 0), soft = asked("Burstable", "memory", 0);
  const kept = terms.memoryReserved === undefined || !terms.gate("QOSReserved")
    ? undefined
    : terms.memoryReserved / 100;
  const most = Number(amount(terms.allocatable, "memory").value());
  const burstable = most - Math.trunc(firm * (kept ?? 0));
  const memory = (bytes: number) => kept === undefined || most === 0 ? {} : { memory: Math.max(bytes, 1) };
  const tiers = terms.version === 2 && terms.gate("MemoryQoS") && reserves(terms.memoryQos);
  const unified = (files: Record<string, number>) =>
    terms.version === 1
      ? {}
      : { unified: Object.fromEntries(Object.entries(files).map(([file, n]) => [file, `${tiers ? n : 0}`])) };
  const hugePages = everyPageSize(new Map(), terms.pageSizes, UNBOUNDED);
  return {
    Guaranteed: { hugePages, ...unified({ "memory.min": firm + soft, "memory.low": soft }) },
    Burstable: {
      hugePages,
      cpuShares: sharesOf(asked("Burstable", "cpu", -3)),
      ...memory(burstable),
      ...unified({ "memory.low": soft }),
    },
    BestEffort: { hugePages, cpuShares: MIN_SHARES, ...memory(burstable - Math.trunc(soft * (kept ?? 0))) },
  };
}
