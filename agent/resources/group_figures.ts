/** What the kernel tells of a control group of a container. */
import { type Hierarchy, textAt } from "./hierarchy.ts";

/** Figures by name: s, us, bytes or counts. What the kernel does not tell is absent. */
export interface GroupFigures {
  readonly userSeconds?: number;
  readonly systemSeconds?: number;
  readonly periods?: number;
  readonly throttledPeriods?: number;
  readonly throttledSeconds?: number;
  readonly cpuPeriod?: number;
  /** Absent: none. */
  readonly cpuQuota?: number;
  readonly cpuShares?: number;
  /** 0: none. */
  readonly memoryLimit?: number;
  readonly cache?: number;
  readonly swap?: number;
  readonly mostMemory?: number;
  readonly memoryFailures?: number;
  readonly threads?: number;
}

/** Hundredths of a second, which the kernel tells processor times of v1 in. */
const TICKS = 100;
/** Limits of memory from here on are none. */
const NO_LIMIT = 2 ** 62;

/** Reads them. */
export async function groupFigures(hierarchy: Hierarchy, group: string): Promise<GroupFigures> {
  const read = groupReader(hierarchy, group);
  const [told, limit, threads] = await Promise.all([
    hierarchy.version === 1 ? figuresOfV1(read) : figuresOfV2(read),
    hierarchy.memoryLimit(group),
    hierarchy.tasks(group),
  ]);
  return known({ ...told, memoryLimit: limit < NO_LIMIT ? limit : 0, threads });
}

/** The text of a file of a group; undefined where there is none, or it cannot be read. */
export type Read = (controller: string, file: string) => Promise<string | undefined>;

/** Reads files of a group. */
export const groupReader = (hierarchy: Hierarchy, group: string): Read => async (controller, file) => {
  const directory = hierarchy.directory(controller, group);
  return directory === undefined ? undefined : await textAt(`${directory}/${file}`).catch(() => undefined);
};

type Told = { readonly [K in keyof GroupFigures]: number | undefined };

async function figuresOfV1(read: Read): Promise<Told> {
  const [stat, quota, period, shares, times, memory, most, failures] = await Promise.all([
    read("cpu", "cpu.stat"),
    read("cpu", "cpu.cfs_quota_us"),
    read("cpu", "cpu.cfs_period_us"),
    read("cpu", "cpu.shares"),
    read("cpuacct", "cpuacct.stat"),
    read("memory", "memory.stat"),
    read("memory", "memory.max_usage_in_bytes"),
    read("memory", "memory.failcnt"),
  ]);
  return {
    userSeconds: scaled(row(times, "user"), TICKS),
    systemSeconds: scaled(row(times, "system"), TICKS),
    periods: row(stat, "nr_periods"),
    throttledPeriods: row(stat, "nr_throttled"),
    throttledSeconds: scaled(row(stat, "throttled_time"), 1e9),
    cpuPeriod: number(period),
    cpuQuota: quota?.startsWith("-") ? undefined : number(quota),
    cpuShares: number(shares),
    cache: row(memory, "total_cache"),
    swap: row(memory, "total_swap"),
    mostMemory: number(most),
    memoryFailures: number(failures),
  };
}

async function figuresOfV2(read: Read): Promise<Told> {
  const [stat, most, weight, memory, swap, peak, events] = await Promise.all([
    read("cpu", "cpu.stat"),
    read("cpu", "cpu.max"),
    read("cpu", "cpu.weight"),
    read("memory", "memory.stat"),
    read("memory", "memory.swap.current"),
    read("memory", "memory.peak"),
    read("memory", "memory.events"),
  ]);
  const [quota, period] = most?.split(" ") ?? [], share = number(weight);
  return {
    userSeconds: scaled(row(stat, "user_usec"), 1e6),
    systemSeconds: scaled(row(stat, "system_usec"), 1e6),
    periods: row(stat, "nr_periods"),
    throttledPeriods: row(stat, "nr_throttled"),
    throttledSeconds: scaled(row(stat, "throttled_usec"), 1e6),
    cpuPeriod: number(period),
    cpuQuota: number(quota),
    // From 1 to 10000 as from 2 to 262144.
    cpuShares: share === undefined ? undefined : Math.trunc(2 + (share - 1) * 262_142 / 9_999),
    cache: row(memory, "file"),
    swap: number(swap),
    mostMemory: number(peak),
    memoryFailures: row(events, "max"),
  };
}

/** Of a text that is nothing else. */
export const number = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;

/** A number behind its name. */
export const row = (text: string | undefined, name: string): number | undefined =>
  number(text && new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1]);

const scaled = (value: number | undefined, unit: number): number | undefined =>
  value === undefined ? undefined : value / unit;

const known = (told: Told): GroupFigures =>
  Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
