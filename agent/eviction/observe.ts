/** Reads what the node has left. */
import { statfs } from "node:fs/promises";
import type { Gate } from "../resources/amounts.ts";
import type { Hierarchy } from "../resources/hierarchy.ts";
import { textAt } from "../resources/hierarchy.ts";
import type { Machine } from "../resources/machine.ts";
import type { Clock } from "../types.ts";
import type { Observation, Observations, Signal } from "./signals.ts";

/** Where it looks. */
export interface ObserveParts {
  readonly clock: Clock;
  readonly gate: Gate;
  readonly machine: Machine;
  readonly hierarchy: Hierarchy;
  /** The group of all pods; undefined: there is none. */
  readonly pods: string | undefined;
  /** Bytes that pods may have together. */
  readonly allocatableMemory: number;
  /** Usually /proc. */
  readonly proc: string;
  readonly rootDir: string;
  /** A directory on the file system of images; undefined: not known yet. */
  readonly imageDir: () => Promise<string | undefined>;
}

/** What was seen, as far as it could be. Never throws. */
export async function observe(parts: ObserveParts): Promise<Observations> {
  const readers: readonly (() => Promise<readonly (readonly [Signal, number, number])[]>)[] = [
    () => memory(parts),
    () => disk("nodefs", parts.rootDir),
    async () => {
      const directory = await parts.imageDir();
      return directory === undefined ? [] : await disk("imagefs", directory);
    },
    () => processes(parts),
  ];
  const time = parts.clock.ticks();
  const seen = (await Promise.all(readers.map((read) => read().catch(() => [])))).flat();
  return new Map(
    seen.map(([signal, available, capacity]): [Signal, Observation] => [signal, { available, capacity, time }]),
  );
}

/** Whether images have a file system of their own. @throws Error: a directory is not there */
export async function hasImageFs({ rootDir, imageDir }: Pick<ObserveParts, "rootDir" | "imageDir">): Promise<boolean> {
  const directory = await imageDir();
  if (directory === undefined) return false;
  const [root, images] = await Promise.all([rootDir, directory].map((path) => Deno.stat(path)));
  return root!.dev !== images!.dev;
}

async function memory({ machine, hierarchy, pods, allocatableMemory, proc, gate }: ObserveParts) {
  const out: (readonly [Signal, number, number])[] = [];
  const info = await textAt(`${proc}/meminfo`);
  const node = hierarchy.version === 1 ? await workingSet(hierarchy, "") : await workingSetOfMachine(hierarchy, info);
  // Set aside for huge pages: nobody else gets it.
  const huge = gate("HugepageAwareEviction") ? field(info, "Hugetlb") * 1024 : 0;
  if (node !== undefined) out.push(["memory.available", machine.memory - node - huge, machine.memory]);
  const used = pods === undefined ? undefined : await workingSet(hierarchy, pods);
  if (used !== undefined) out.push(["allocatableMemory.available", allocatableMemory - used, allocatableMemory]);
  return out;
}

const field = (text: string | undefined, name: string): number =>
  Number(new RegExp(`^${name}:?\\s+(\\d+)`, "m").exec(text ?? "")?.[1] ?? 0);

/** Bytes that a group uses and that cannot be had back for the asking. */
async function workingSet(hierarchy: Hierarchy, group: string): Promise<number | undefined> {
  const used = await hierarchy.memoryUsed(group);
  if (used === undefined) return undefined;
  const stat = await textAt(`${hierarchy.directory("memory", group)}/memory.stat`);
  return Math.max(used - field(stat, hierarchy.version === 1 ? "total_inactive_file" : "inactive_file"), 0);
}

// The root of v2 does not tell its use.
async function workingSetOfMachine(hierarchy: Hierarchy, info: string | undefined): Promise<number | undefined> {
  if (info === undefined) return undefined;
  const stat = await textAt(`${hierarchy.directory("memory", "")}/memory.stat`);
  const used = (field(info, "MemTotal") - field(info, "MemFree") - field(info, "Hugetlb")) * 1024;
  return Math.max(used - field(stat, "inactive_file"), 0);
}

async function disk(name: "nodefs" | "imagefs", directory: string) {
  const { bsize, blocks, bavail, files, ffree } = await statfs(directory);
  const out: (readonly [Signal, number, number])[] = [[`${name}.available`, bavail * bsize, blocks * bsize]];
  // File systems that make inodes as they are needed tell of none.
  if (files > 0) out.push([`${name}.inodesFree`, ffree, files]);
  return out;
}

async function processes({ machine, proc }: ObserveParts): Promise<readonly (readonly [Signal, number, number])[]> {
  const running = /^\S+ \S+ \S+ \d+\/(\d+)/.exec(await textAt(`${proc}/loadavg`) ?? "")?.[1];
  if (running === undefined || machine.pids === undefined) return [];
  return [["pid.available", machine.pids - Number(running), machine.pids]];
}
