/** What the machine has. */
import { quantityOf } from "../../schema/values/quantity.ts";
import type { Amounts } from "./amounts.ts";
import { textAt } from "./hierarchy.ts";
import { pageSizeName } from "./huge_pages.ts";

/** Pages of one size. */
export interface HugePages {
  /** Bytes of a page. */
  readonly size: number;
  readonly count: number;
}

/** See the top of the file. */
export interface Machine {
  /** Processors that are on. */
  readonly cpus: readonly number[];
  /** Bytes. */
  readonly memory: number;
  /** Bytes. */
  readonly swap: number;
  /** Processes and threads that there can be; undefined: the kernel does not say. */
  readonly pids: number | undefined;
  readonly hugePages: readonly HugePages[];
}

/** Where the kernel tells of itself. */
export interface KernelRoots {
  /** Usually /proc. */
  readonly proc: string;
  /** Usually /sys. */
  readonly sys: string;
}

/** Reads it. @throws Error when what must be there is not */
export async function readMachine({ proc, sys }: KernelRoots): Promise<Machine> {
  const info = await Deno.readTextFile(`${proc}/meminfo`);
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(info)?.[1] ?? 0);
  const limits = await Promise.all(["pid_max", "threads-max"].map((name) => textAt(`${proc}/sys/kernel/${name}`)));
  const known = limits.filter((text) => text !== undefined).map(Number);
  return {
    cpus: parseCpuList(await textAt(`${sys}/devices/system/cpu/online`) ?? "0"),
    memory: kilobytes("MemTotal") * 1024,
    swap: kilobytes("SwapTotal") * 1024,
    pids: known.length > 0 ? Math.min(...known) : undefined,
    hugePages: await readHugePages(`${sys}/kernel/mm/hugepages`),
  };
}

/** Reads pages by size. @param directory of the whole machine, or of a NUMA node */
export async function readHugePages(directory: string): Promise<HugePages[]> {
  const out: HugePages[] = [];
  try {
    for await (const { name } of Deno.readDir(directory)) {
      const kilobytes = /^hugepages-(\d+)kB$/.exec(name)?.[1];
      if (kilobytes === undefined) continue;
      out.push({
        size: Number(kilobytes) * 1024,
        count: Number(await textAt(`${directory}/${name}/nr_hugepages`) ?? 0),
      });
    }
  } catch (e) {
    if (!(e instanceof Deno.errors.NotFound)) throw e;
  }
  return out.sort((a, b) => a.size - b.size);
}

/** `0-3,8` as numbers, in order. @throws RangeError when it is no such list */
export function parseCpuList(text: string): readonly number[] {
  const out = new Set<number>();
  for (const part of text.split(",").filter((p) => p !== "")) {
    const m = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(part.trim());
    const from = Number(m?.[1]), to = Number(m?.[2] ?? m?.[1]);
    if (!m || to < from) throw new RangeError(`${JSON.stringify(text)} is no list of processors`);
    for (let cpu = from; cpu <= to; cpu++) out.add(cpu);
  }
  return [...out].sort((a, b) => a - b);
}

/** Numbers as `0-3,8`. */
export function cpuListText(cpus: Iterable<number>): string {
  const runs: [number, number][] = [];
  for (const cpu of [...cpus].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && cpu === last[1] + 1) last[1] = cpu;
    else runs.push([cpu, cpu]);
  }
  return runs.map(([from, to]) => from === to ? `${from}` : `${from}-${to}`).join(",");
}

/** Sizes of huge pages, `2MB`. */
export const pageSizes = (machine: Machine): readonly string[] =>
  machine.hugePages.map(({ size }) => pageSizeName(size));

/** What limits of all pods are made from. Storage and the number of pods are not in it. */
export function capacityOf(machine: Machine): Amounts {
  return new Map([
    ["cpu", quantityOf(machine.cpus.length)],
    ["memory", quantityOf(machine.memory, "BinarySI")],
    ...machine.pids === undefined ? [] : [["pid", quantityOf(machine.pids)] as const],
    ...machine.hugePages.map(({ size, count }) =>
      [`hugepages-${quantityOf(size, "BinarySI")}`, quantityOf(size * count, "BinarySI")] as const
    ),
  ]);
}
