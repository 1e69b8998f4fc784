/** Figures of `/stats/summary` (v1alpha1). Times are RFC 3339; numbers of which there may be very many are bigint. */

/** Use of processors. */
export interface CpuStats {
  readonly time: string;
  /** Over the last while. */
  readonly usageNanoCores?: bigint;
  readonly usageCoreNanoSeconds?: bigint;
}

/** Use of memory. */
export interface MemoryStats {
  readonly time: string;
  readonly availableBytes?: bigint;
  readonly usageBytes?: bigint;
  readonly workingSetBytes?: bigint;
  readonly rssBytes?: bigint;
  readonly pageFaults?: bigint;
  readonly majorPageFaults?: bigint;
}

/** Use of swap. */
export interface SwapStats {
  readonly time: string;
  readonly swapAvailableBytes?: bigint;
  readonly swapUsageBytes?: bigint;
}

/** How full a file system is: itself, and what of it is somebody's. */
export interface FsStats {
  readonly time: string;
  readonly availableBytes?: bigint;
  readonly capacityBytes?: bigint;
  readonly usedBytes?: bigint;
  readonly inodesFree?: bigint;
  readonly inodes?: bigint;
  readonly inodesUsed?: bigint;
}

/** What went over one interface. */
export interface InterfaceStats {
  readonly name: string;
  readonly rxBytes: bigint;
  readonly rxErrors: bigint;
  readonly txBytes: bigint;
  readonly txErrors: bigint;
}

/** What went over the network; by the default interface, where there is one, and by each. */
export interface NetworkStats extends Partial<InterfaceStats> {
  readonly time: string;
  readonly interfaces: readonly InterfaceStats[];
}

/** One container. */
export interface ContainerFigures {
  readonly name: string;
  readonly startTime: string;
  readonly cpu?: CpuStats;
  readonly memory?: MemoryStats;
  readonly rootfs?: FsStats;
  readonly logs?: FsStats;
}

/** How full a volume is, with more that is told of it as it is. */
export interface VolumeFigures {
  readonly name: string;
  readonly time: string;
  readonly usedBytes?: number;
  readonly availableBytes?: number;
  readonly capacityBytes?: number;
  readonly inodesUsed?: number;
  readonly inodesFree?: number;
  readonly inodes?: number;
  /** The claim that it is of. */
  readonly pvcRef?: { readonly name: string; readonly namespace: string };
}

/** One pod: its containers that run. */
export interface PodFigures {
  readonly podRef: { readonly name: string; readonly namespace: string; readonly uid: string };
  readonly startTime: string;
  readonly containers: readonly ContainerFigures[];
  readonly cpu?: CpuStats;
  readonly memory?: MemoryStats;
  readonly volume?: readonly VolumeFigures[];
  readonly "ephemeral-storage"?: FsStats;
  readonly process_stats?: { readonly process_count: number };
}

/** The node. */
export interface NodeFigures {
  readonly nodeName: string;
  readonly startTime: string;
  /** Groups that are no pod's. */
  readonly systemContainers?: readonly ContainerFigures[];
  readonly cpu: CpuStats;
  readonly memory: MemoryStats;
  readonly network?: NetworkStats;
  readonly fs?: FsStats;
  readonly runtime?: { readonly imageFs?: FsStats; readonly containerFs?: FsStats };
  readonly rlimit?: { readonly time: string; readonly maxpid?: bigint; readonly curproc?: bigint };
  readonly swap: SwapStats;
}

/** All of it. */
export interface Summary {
  readonly node: NodeFigures;
  readonly pods: readonly PodFigures[];
}
