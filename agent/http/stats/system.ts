/** Figures of control groups that are no pod's: the agent's own, the runtime's, the system's, and that of all pods. */
import type { Hierarchy } from "../../resources/hierarchy.ts";
import { type GroupUse, groupUse } from "../../resources/group_use.ts";
import type { Rates } from "./rates.ts";
import { millisTime, nanosOf } from "./times.ts";
import type { ContainerFigures, MemoryStats } from "./types.ts";

/** Their groups; undefined or empty: nobody knows of one. */
export interface SystemGroups {
  readonly kubelet: string | undefined;
  readonly runtime: string;
  readonly misc: string;
  readonly pods: string;
}

/** What they need. */
export interface SystemSources {
  readonly rates: Rates;
  /** Absent: nobody asks for them. */
  readonly hierarchy?: Hierarchy | undefined;
  systemGroups?(): Promise<SystemGroups>;
}

/** Figures of those that are there. @param now ms */
export async function systemFigures(sources: SystemSources, now: number): Promise<ContainerFigures[]> {
  const { hierarchy, rates } = sources;
  const groups = await sources.systemGroups?.();
  if (!hierarchy || !groups) return [];
  const all = Object.entries(groups).map(async ([name, group]): Promise<ContainerFigures[]> => {
    const use = group ? await groupUse(hierarchy, group) : undefined;
    return use ? [figuresOf(name, use, rates, now)] : [];
  });
  return (await Promise.all(all)).flat();
}

function figuresOf(name: string, use: GroupUse, rates: Rates, now: number): ContainerFigures {
  const time = millisTime(now), total = use.cpuNanos === undefined ? undefined : BigInt(use.cpuNanos);
  const rate = total === undefined ? undefined : rates.of(`system ${name}`, nanosOf(now), total);
  return {
    name,
    startTime: millisTime(use.madeAt ?? now),
    ...(total === undefined ? {} : {
      cpu: { time, ...(rate === undefined ? {} : { usageNanoCores: rate }), usageCoreNanoSeconds: total },
    }),
    ...(use.memory === undefined ? {} : { memory: memoryFigures(time, use.memory, use) }),
  };
}

function memoryFigures(time: string, used: number, use: GroupUse): MemoryStats {
  const working = Math.max(0, used - (use.inactive ?? 0));
  const told: Readonly<Record<keyof Omit<MemoryStats, "time">, number | undefined>> = {
    availableBytes: use.limit === undefined ? undefined : Math.max(0, use.limit - working),
    usageBytes: used,
    workingSetBytes: working,
    rssBytes: use.anonymous,
    pageFaults: use.faults,
    majorPageFaults: use.majorFaults,
  };
  const known = Object.entries(told).flatMap(([name, n]) => n === undefined ? [] : [[name, BigInt(n)] as const]);
  return { time, ...Object.fromEntries(known) };
}
