/** Figures of the node itself. */
import { readFile } from "node:fs/promises";
import { secondsToTime } from "../../../schema/values/time.ts";
import type { Runtime } from "../../runtime/types.ts";
import { filesystemAt, shareOf, usageOf } from "./filesystems.ts";
import { bootTime, counterOf, defaultInterface, interfacesOf, memoryOf, processesOf, workedNanos } from "./proc.ts";
import type { Rates } from "./rates.ts";
import { millisTime, nanosOf } from "./times.ts";
import type { FsStats, MemoryStats, NetworkStats, NodeFigures, SwapStats } from "./types.ts";

/** What they need. */
export interface NodeSources {
  readonly runtime: Pick<Runtime, "imageFilesystems">;
  readonly nodeName: string;
  /** `--root-dir`: whose file system is the node's. */
  readonly rootDir: string;
  readonly rates: Rates;
}

const text = (path: string): Promise<string> => readFile(`/proc/${path}`, "utf8");
const textOrNone = (path: string): Promise<string> => text(path).catch(() => "");

/** Processors and memory. @param now ms. @throws Error when the kernel does not tell */
export async function coreFigures({ nodeName, rates }: NodeSources, now: number): Promise<NodeFigures> {
  const [stat, info, vm] = await Promise.all([text("stat"), text("meminfo"), textOrNone("vmstat")]);
  const time = millisTime(now), usage = workedNanos(stat);
  const rate = rates.of("/", nanosOf(now), usage);
  return {
    nodeName,
    startTime: secondsToTime(bootTime(stat)),
    cpu: { time, ...(rate === undefined ? {} : { usageNanoCores: rate }), usageCoreNanoSeconds: usage },
    memory: memoryFigures(time, info, vm),
    swap: swapFigures(time, info),
  };
}

/** Memory. @param info text of `/proc/meminfo` @param vm text of `/proc/vmstat` */
export function memoryFigures(time: string, info: string, vm: string): MemoryStats {
  const bytes = memoryOf(info), total = bytes("MemTotal");
  // Huge pages were set aside: they are not free, nor used as other memory is.
  const huge = bytes("Hugetlb");
  const usageBytes = total - bytes("MemFree") - huge, inactive = bytes("Inactive(file)");
  const workingSetBytes = usageBytes > inactive ? usageBytes - inactive : 0n;
  const left = total - workingSetBytes - huge;
  return {
    time,
    availableBytes: left > 0n ? left : 0n,
    usageBytes,
    workingSetBytes,
    rssBytes: bytes("AnonPages"),
    pageFaults: counterOf(vm, "pgfault"),
    majorPageFaults: counterOf(vm, "pgmajfault"),
  };
}

function swapFigures(time: string, info: string): SwapStats {
  const bytes = memoryOf(info), free = bytes("SwapFree");
  return { time, swapAvailableBytes: free, swapUsageBytes: bytes("SwapTotal") - free };
}

/** All figures. @throws Error when the kernel or the runtime does not tell */
export async function nodeFigures(sources: NodeSources, now: number): Promise<NodeFigures> {
  const time = millisTime(now);
  const [core, dev, route, load, pids, fs, imageFs] = await Promise.all([
    coreFigures(sources, now),
    textOrNone("net/dev"),
    textOrNone("net/route"),
    textOrNone("loadavg"),
    Promise.all(["pid_max", "threads-max"].map((name) => textOrNone(`sys/kernel/${name}`))),
    filesystemAt(sources.rootDir, time),
    imageFigures(sources, time),
  ]);
  const limits = pids.filter((n) => n !== "").map((n) => BigInt(n.trim())), curproc = processesOf(load);
  return {
    ...core,
    network: networkFigures(time, dev, route),
    ...(fs ? { fs } : {}),
    ...(imageFs ? { runtime: { imageFs, containerFs: imageFs } } : {}),
    rlimit: {
      time,
      ...(limits.length > 0 ? { maxpid: limits.reduce((a, b) => a < b ? a : b) } : {}),
      ...(curproc === undefined ? {} : { curproc }),
    },
  };
}

function networkFigures(time: string, dev: string, route: string): NetworkStats {
  const interfaces = interfacesOf(dev), name = defaultInterface(route);
  return { time, ...interfaces.find((i) => i.name === name), interfaces };
}

/** The file system that images and containers' own layers are on. */
async function imageFigures({ runtime }: NodeSources, time: string): Promise<FsStats | undefined> {
  const [used] = await runtime.imageFilesystems();
  if (!used) return undefined;
  const whole = used.fsId ? await filesystemAt(used.fsId.mountpoint, time) : undefined;
  return shareOf(whole, usageOf(used));
}
