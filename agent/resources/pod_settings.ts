/** The settings of a pod's control group. */
import type { Pod } from "../../schema/api/core_v1.ts";
import {
  amount,
  amountIn,
  type Amounts,
  containersOf,
  type Gate,
  hasPodLevel,
  podLimits,
  podRequests,
} from "./amounts.ts";
import { MIN_SHARES, quotaOf, sharesOf } from "./cpu.ts";
import { everyPageSize, hugePagesIn } from "./huge_pages.ts";
import { memoryHigh, type MemoryQos, protection } from "./memory_qos.ts";
import { qosOf } from "./qos.ts";
import type { GroupSettings } from "./settings.ts";

/** What the settings follow besides the pod. */
export interface PodTerms {
  readonly gate: Gate;
  /** cgroup v2 can do more. */
  readonly version: 1 | 2;
  readonly cpuCfsQuota: boolean;
  /** ms */
  readonly cpuCfsQuotaPeriod: number;
  /** Not above 0: no limit. */
  readonly podMaxPids: number;
  readonly memoryQos: MemoryQos;
  /** `2MB` */
  readonly pageSizes: readonly string[];
}

const milli = (amounts: Amounts, name: string) => Number(amount(amounts, name).milliValue());
const whole = (amounts: Amounts, name: string) => Number(amount(amounts, name).value());

/** Whether a limit of the pod holds: only where every part of it has one. */
export function isLimited(pod: Pod, name: string, gate: Gate): boolean {
  const qos = qosOf(pod, gate);
  return qos !== "BestEffort" && (
    qos === "Guaranteed" || containersOf(pod).every((c) => !amountIn(c.resources?.limits, name).isZero()) ||
    (hasPodLevel(pod, gate) && !amountIn(pod.spec?.resources?.limits, name).isZero())
  );
}

/** See the top of the file. @param unlimitedCpu its processors are its own. @throws ValueError */
export function podSettings(pod: Pod, terms: PodTerms, unlimitedCpu = false): GroupSettings {
  const { gate } = terms, qos = qosOf(pod, gate);
  const requests = podRequests(pod, gate), limits = podLimits(pod, gate);
  const period = terms.cpuCfsQuotaPeriod * 1000;
  const limited = (name: string) => isLimited(pod, name, gate);
  const quota = terms.cpuCfsQuota && !unlimitedCpu ? quotaOf(milli(limits, "cpu"), period) : -1;
  const unified = terms.version === 2 && gate("MemoryQoS")
    ? {
      ...protection(terms.memoryQos, qos, whole(requests, "memory")),
      ...hasPodLevel(pod, gate) && limited("memory")
        ? memoryHigh(terms.memoryQos, whole(requests, "memory"), whole(limits, "memory"))
        : {},
    }
    : {};
  return {
    cpuShares: qos === "BestEffort" ? MIN_SHARES : sharesOf(milli(requests, "cpu")),
    ...limited("cpu") ? { cpuQuota: quota, cpuPeriod: period } : {},
    ...limited("memory") ? { memory: whole(limits, "memory") } : {},
    ...terms.podMaxPids > 0 ? { pids: terms.podMaxPids } : {},
    hugePages: everyPageSize(hugePagesIn(requests), terms.pageSizes, 0),
    unified,
  };
}
