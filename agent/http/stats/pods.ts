/** Figures of pods and their containers, as the runtime tells them. */
import { join } from "node:path";
import type { Pod } from "../../../schema/api/core_v1.ts";
import { LABEL, ownerOf, podLogDirectory } from "../../pods/names.ts";
import { isLocalEphemeral } from "../../pods/spec.ts";
import type { ContainerStats, PodSandbox, Runtime, RuntimeContainer } from "../../runtime/types.ts";
import type { PodView } from "../../types.ts";
import { bytesIn, shareOf, usageOf } from "./filesystems.ts";
import type { Rates } from "./rates.ts";
import { millisTime, nanosTime } from "./times.ts";
import type { ContainerFigures, CpuStats, FsStats, MemoryStats, PodFigures, VolumeFigures } from "./types.ts";

/** What they need. */
export interface PodSources {
  readonly runtime: Pick<Runtime, "listPodSandboxes" | "listContainers" | "listContainerStats">;
  readonly pods: PodView;
  readonly podLogsDir: string;
  readonly rates: Rates;
  /** How full a pod's volumes are. */
  volumeStats?(pod: Pod): Promise<readonly VolumeFigures[]>;
  /** How many processes and threads a pod has; undefined: nobody knows. */
  tasks?(pod: Pod): Promise<number | undefined>;
}

/** File systems that figures are shares of. */
export interface Wholes {
  readonly root: FsStats | undefined;
  readonly images: FsStats | undefined;
}

/** A container that runs, with what the runtime measured of it. */
export interface Measured {
  readonly sandbox: PodSandbox;
  readonly container: RuntimeContainer;
  readonly stats: ContainerStats;
}

/** All containers that run in sandboxes that are ready. @throws RuntimeError */
export async function measuredContainers(runtime: PodSources["runtime"]): Promise<Measured[]> {
  const [sandboxes, containers, stats] = await Promise.all([
    runtime.listPodSandboxes(),
    runtime.listContainers(),
    runtime.listContainerStats(),
  ]);
  const ready = new Map(sandboxes.filter((s) => s.state === "READY" && ownerOf(s.labels)).map((s) => [s.id, s]));
  const known = new Map(stats.map((s) => [s.attributes?.id ?? "", s]));
  return containers.flatMap((container) => {
    const sandbox = ready.get(container.podSandboxId), measured = known.get(container.id);
    return sandbox && measured && container.state === "RUNNING" ? [{ sandbox, container, stats: measured }] : [];
  });
}

/** Figures by pod. @param wholes absent: of processors and memory only. @throws RuntimeError */
export async function podFigures(sources: PodSources, now: number, wholes?: Wholes): Promise<PodFigures[]> {
  const bySandbox = Map.groupBy(await measuredContainers(sources.runtime), ({ sandbox }) => sandbox);
  return await Promise.all([...bySandbox].map(([sandbox, own]) => figuresOf(sources, sandbox, own, now, wholes)));
}

async function figuresOf(
  sources: PodSources,
  sandbox: PodSandbox,
  measured: readonly Measured[],
  now: number,
  wholes: Wholes | undefined,
): Promise<PodFigures> {
  const podRef = ownerOf(sandbox.labels)!;
  const containers = await Promise.all(measured.map((m) => containerFigures(sources, m, now, wholes)));
  const pod = sources.pods.find(podRef.namespace, podRef.name, podRef.uid);
  const cpu = sum<CpuStats>(containers.map((c) => c.cpu)), memory = memoryOf(containers);
  const volume = wholes && pod ? await sources.volumeStats?.(pod) : undefined;
  const tasks = wholes && pod ? await sources.tasks?.(pod) : undefined;
  const local = new Set((pod?.spec?.volumes ?? []).filter(isLocalEphemeral).map(({ name }) => name));
  const files = (volume ?? []).filter(({ name }) => local.has(name)).map(takenBy);
  const used = sum<FsStats>([...containers.flatMap((c) => [owned(c.rootfs), owned(c.logs)]), ...files]);
  return {
    podRef: { name: podRef.name, namespace: podRef.namespace, uid: podRef.uid },
    startTime: pod?.status?.startTime ?? nanosTime(sandbox.createdAt),
    containers,
    ...(cpu ? { cpu } : {}),
    ...(memory ? { memory } : {}),
    ...(volume?.length ? { volume } : {}),
    ...(tasks === undefined ? {} : { process_stats: { process_count: tasks } }),
    ...(wholes && used ? { "ephemeral-storage": shareOf(wholes.root, used) } : {}),
  };
}

async function containerFigures(
  { rates, podLogsDir }: PodSources,
  { sandbox, container, stats }: Measured,
  now: number,
  wholes: Wholes | undefined,
): Promise<ContainerFigures> {
  const name = container.labels[LABEL.container] ?? container.metadata.name;
  const cpu = cpuFigures(container.id, stats, rates), memory = memoryFigures(stats);
  const core = {
    name,
    startTime: nanosTime(container.createdAt),
    ...(cpu ? { cpu } : {}),
    ...(memory ? { memory } : {}),
  };
  if (!wholes) return core;
  const logs = await bytesIn(join(podLogDirectory(podLogsDir, ownerOf(sandbox.labels)!), name));
  return {
    ...core,
    ...(stats.writableLayer ? { rootfs: shareOf(wholes.images, usageOf(stats.writableLayer)) } : {}),
    logs: shareOf(wholes.root, { time: millisTime(now), ...logs }),
  };
}

function cpuFigures(id: string, { cpu }: ContainerStats, rates: Rates): CpuStats | undefined {
  if (!cpu) return undefined;
  const { timestamp, usageCoreNanoSeconds: total, usageNanoCores } = cpu;
  const rate = usageNanoCores?.value ?? (total ? rates.of(id, timestamp, total.value) : undefined);
  return {
    time: nanosTime(timestamp),
    ...(rate === undefined ? {} : { usageNanoCores: rate }),
    ...(total ? { usageCoreNanoSeconds: total.value } : {}),
  };
}

const MEMORY = [
  "availableBytes",
  "usageBytes",
  "workingSetBytes",
  "rssBytes",
  "pageFaults",
  "majorPageFaults",
] as const;

function memoryFigures({ memory }: ContainerStats): MemoryStats | undefined {
  if (!memory) return undefined;
  const told = MEMORY.flatMap((name) => {
    const value = memory[name]?.value;
    // So runtimes tell of a container without a limit.
    return value === undefined || name === "availableBytes" && value === 0n ? [] : [[name, value] as const];
  });
  return { time: nanosTime(memory.timestamp), ...Object.fromEntries(told) };
}

/** Of all together; what is left of their limits is not told where one has none. */
function memoryOf(containers: readonly ContainerFigures[]): MemoryStats | undefined {
  const whole = sum<MemoryStats>(containers.map((c) => c.memory));
  if (!whole || containers.every((c) => c.memory?.availableBytes !== undefined)) return whole;
  const { availableBytes: _, ...rest } = whole;
  return rest;
}

/** What is a container's own of a file system. */
const owned = (fs: FsStats | undefined): Pick<FsStats, "time" | "usedBytes" | "inodesUsed"> | undefined =>
  fs && {
    time: fs.time,
    ...(fs.usedBytes === undefined ? {} : { usedBytes: fs.usedBytes }),
    ...(fs.inodesUsed === undefined ? {} : { inodesUsed: fs.inodesUsed }),
  };

/** The same of a volume. */
const takenBy = ({ time, usedBytes = 0, inodesUsed = 0 }: VolumeFigures) => ({
  time,
  usedBytes: BigInt(usedBytes),
  inodesUsed: BigInt(inodesUsed),
});

/** Figures of several together: at the time of the latest. */
function sum<T extends { readonly time: string }>(all: readonly (T | undefined)[]): T | undefined {
  const total: Record<string, string | bigint> = {};
  for (const figures of all) {
    for (const [name, value] of Object.entries<string | bigint>(figures ?? {})) {
      const before = total[name];
      if (typeof value === "bigint") total[name] = (before as bigint ?? 0n) + value;
      else if (before === undefined || value > before) total[name] = value;
    }
  }
  return "time" in total ? total as T : undefined;
}
