/** In what order pods end when the host shuts down, and how long each may take. */
import type { Pod } from "../../schema/api/core_v1.ts";
import { SYSTEM_CRITICAL } from "../resources/qos.ts";

/** Pods from a priority on, up to that of the next. */
export interface Period {
  readonly priority: number;
  /** s */
  readonly seconds: number;
}

/** Pods that end together. */
export interface Group extends Period {
  readonly pods: readonly Pod[];
}

/** What the configuration says; times in ms unless they say seconds. */
export interface ShutdownOptions {
  readonly shutdownGracePeriod: number;
  readonly shutdownGracePeriodCriticalPods: number;
  readonly shutdownGracePeriodByPodPriority:
    | readonly { readonly priority?: number; readonly shutdownGracePeriodSeconds?: number | bigint }[]
    | undefined;
}

/** From the lowest priority on; none: the host does not wait. */
export function periodsOf(o: ShutdownOptions, gate: (name: string) => boolean): readonly Period[] {
  if (!gate("GracefulNodeShutdown")) return [];
  const given = gate("GracefulNodeShutdownBasedOnPodPriority") ? o.shutdownGracePeriodByPodPriority ?? [] : [];
  if (given.length > 0) {
    return given
      .map(({ priority = 0, shutdownGracePeriodSeconds = 0 }) => ({
        priority,
        seconds: Number(shutdownGracePeriodSeconds),
      }))
      .sort((a, b) => a.priority - b.priority);
  }
  const whole = o.shutdownGracePeriod, critical = o.shutdownGracePeriodCriticalPods;
  if (whole === 0) return [];
  const seconds = (ms: number): number => Math.floor(ms / 1000);
  return [
    { priority: 0, seconds: seconds(whole - critical) },
    { priority: SYSTEM_CRITICAL, seconds: seconds(critical) },
  ];
}

/** Each pod goes with the highest priority that is not above its own; those below all with the lowest. */
export function groupsOf(periods: readonly Period[], pods: readonly Pod[]): readonly Group[] {
  const groups = periods.map((period) => ({ ...period, pods: [] as Pod[] }));
  for (const pod of pods) {
    const priority = pod.spec?.priority ?? 0;
    (groups.findLast((group) => group.priority <= priority) ?? groups[0])?.pods.push(pod);
  }
  return groups;
}
