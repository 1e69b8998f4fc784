/** What a control group uses, with all below it. */
import { groupReader, number, type Read, row } from "./group_figures.ts";
import type { Hierarchy } from "./hierarchy.ts";

/** Bytes, counts and nanoseconds. What the kernel does not tell is absent. */
export interface GroupUse {
  readonly cpuNanos?: number;
  readonly memory?: number;
  /** Of it: files that nothing has used for a while. */
  readonly inactive?: number;
  readonly anonymous?: number;
  readonly faults?: number;
  readonly majorFaults?: number;
  /** Absent: none. */
  readonly limit?: number;
  /** When the group was made, ms. */
  readonly madeAt?: number;
}

/** Limits of memory from here on are none. */
const NO_LIMIT = 2 ** 62;

type Told = { readonly [K in keyof GroupUse]: number | undefined };

/** Reads it. Undefined: there is no such group. */
export async function groupUse(hierarchy: Hierarchy, group: string): Promise<GroupUse | undefined> {
  const directory = hierarchy.directory("memory", group) ?? hierarchy.directories(group)[0];
  const made = directory === undefined ? undefined : await Deno.stat(directory).catch(() => undefined);
  if (!made) return undefined;
  const read = groupReader(hierarchy, group);
  const [told, limit] = await Promise.all([
    hierarchy.version === 1 ? useOfV1(read) : useOfV2(read),
    hierarchy.memoryLimit(group),
  ]);
  const all: Told = { ...told, limit: limit < NO_LIMIT ? limit : undefined, madeAt: made.mtime?.getTime() };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

async function useOfV1(read: Read): Promise<Told> {
  const [usage, memory, stat] = await Promise.all([
    read("cpuacct", "cpuacct.usage"),
    read("memory", "memory.usage_in_bytes"),
    read("memory", "memory.stat"),
  ]);
  return {
    cpuNanos: number(usage),
    memory: number(memory),
    inactive: row(stat, "total_inactive_file"),
    anonymous: row(stat, "total_rss"),
    faults: row(stat, "total_pgfault"),
    majorFaults: row(stat, "total_pgmajfault"),
  };
}

async function useOfV2(read: Read): Promise<Told> {
  const [cpu, memory, stat] = await Promise.all([
    read("cpu", "cpu.stat"),
    read("memory", "memory.current"),
    read("memory", "memory.stat"),
  ]);
  const micros = row(cpu, "usage_usec");
  return {
    cpuNanos: micros === undefined ? undefined : micros * 1000,
    memory: number(memory),
    inactive: row(stat, "inactive_file"),
    anonymous: row(stat, "anon"),
    faults: row(stat, "pgfault"),
    majorFaults: row(stat, "pgmajfault"),
  };
}
