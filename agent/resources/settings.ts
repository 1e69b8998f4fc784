/** Settings of a control group, as files of each version. */
import type { Strings } from "../runtime/types.ts";
import { weightOf } from "./cpu.ts";

/** What is left out stays as it is. */
export interface GroupSettings {
  readonly cpuShares?: number;
  /** µs */
  readonly cpuPeriod?: number;
  /** µs; -1 without limit */
  readonly cpuQuota?: number;
  /** Bytes. */
  readonly memory?: number;
  readonly pids?: number;
  readonly cpus?: string;
  /** Bytes by page size, `2MB`. */
  readonly hugePages?: ReadonlyMap<string, number>;
  /** Files of cgroup v2. */
  readonly unified?: Strings;
}

/** A file to be written, of a controller. */
export interface GroupFile {
  readonly controller: string;
  readonly file: string;
  readonly value: string;
}

/** The files of settings, in the order in which they are written. */
export function filesOf(version: 1 | 2, s: GroupSettings): readonly GroupFile[] {
  const rows = version === 1 ? v1(s) : v2(s);
  const pages = [...s.hugePages ?? []].map(([size, bytes]): Row => [
    `hugetlb.${size}.${version === 1 ? "limit_in_bytes" : "max"}`,
    bytes,
  ]);
  return [...rows, ["cpuset.cpus", s.cpus || undefined] as Row, ["pids.max", s.pids] as Row, ...pages]
    .filter(([, value]) => value !== undefined)
    .map(([file, value]) => ({ controller: file.split(".", 1)[0]!, file, value: String(value) }));
}

type Row = readonly [file: string, value: number | string | undefined];

// As in the public agent 0 says nothing of memory and quota.
const some = (n: number | undefined) => n || undefined;

const v1 = (s: GroupSettings): readonly Row[] => [
  ["cpu.shares", some(s.cpuShares)],
  ["cpu.cfs_period_us", some(s.cpuPeriod)],
  ["cpu.cfs_quota_us", some(s.cpuQuota)],
  ["memory.limit_in_bytes", some(s.memory)],
];

const v2 = (s: GroupSettings): readonly Row[] => [
  ["cpu.weight", s.cpuShares ? weightOf(s.cpuShares) : undefined],
  ["cpu.max", s.cpuQuota ? `${s.cpuQuota < 0 ? "max" : s.cpuQuota} ${s.cpuPeriod}` : undefined],
  ["memory.max", some(s.memory)],
  ...Object.entries(s.unified ?? {}),
];
