/** What pods use, as statistics tell it (the public summary's names). */
import type { Pod } from "../../schema/api/core_v1.ts";
import { isLocalEphemeral } from "../pods/spec.ts";

/** A file system's use. */
export interface FsUse {
  readonly usedBytes?: number | undefined;
  readonly inodesUsed?: number | undefined;
}

interface MemoryUse {
  readonly workingSetBytes?: number | undefined;
}

/** Of a container. */
export interface ContainerUse {
  readonly name: string;
  readonly memory?: MemoryUse | undefined;
  readonly rootfs?: FsUse | undefined;
  readonly logs?: FsUse | undefined;
}

/** Of a pod. */
export interface PodUse {
  readonly memory?: MemoryUse | undefined;
  readonly process_stats?: { readonly process_count?: number | undefined } | undefined;
  readonly containers?: readonly ContainerUse[] | undefined;
  readonly volume?: readonly (FsUse & { readonly name: string })[] | undefined;
  readonly "ephemeral-storage"?: FsUse | undefined;
}

/** By uid. */
export type Uses = ReadonlyMap<string, PodUse>;

/** What of a pod's files counts. */
export type FsPart = "root" | "logs" | "volumes";

/** Names of volumes that lie on the node's own file system. */
function localVolumes(pod: Pod): ReadonlySet<string> {
  const local = (pod.spec?.volumes ?? []).filter((v) => v.hostPath || isLocalEphemeral(v));
  return new Set(local.map((v) => v.name));
}

/** Bytes or inodes of the parts of a pod's files. */
export function filesUsed(pod: Pod, use: PodUse, parts: readonly FsPart[], what: keyof FsUse): number {
  const containers = use.containers ?? [], local = localVolumes(pod);
  const of: Readonly<Record<FsPart, () => readonly (FsUse | undefined)[]>> = {
    root: () => containers.map((c) => c.rootfs),
    logs: () => containers.map((c) => c.logs),
    volumes: () => (use.volume ?? []).filter((v) => local.has(v.name)),
  };
  return parts.flatMap((part) => of[part]()).reduce((sum, fs) => sum + (fs?.[what] ?? 0), 0);
}
