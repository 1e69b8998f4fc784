/** What a process takes of its host, out of the files that the kernel tells it in (`proc(5)`), and what each figure is called in metrics. */

/** Hundredths of a second, which the kernel counts in. */
const TICKS = 100;

/** See the top of the file. */
export interface ProcessFigures {
  readonly cpuSeconds: number;
  /** Since 1970. */
  readonly startSeconds: number;
  readonly virtualBytes: number;
  readonly residentBytes: number;
  readonly openFiles: number;
  readonly maxFiles: number;
  /** Without a limit the largest number of the kernel's. */
  readonly maxVirtualBytes: number;
}

/** Files that {@linkcode processFigures} reads, whole, and the names in `/proc/self/fd`. */
export const PROCESS_FILES = {
  stat: "/proc/self/stat",
  status: "/proc/self/status",
  system: "/proc/stat",
  limits: "/proc/self/limits",
} as const;
/** The directory with an entry for each open file. */
export const PROCESS_OPEN_FILES = "/proc/self/fd";

/** Each metric: its name, its text, its figure, and whether it only ever grows. */
export const PROCESS_METRICS: readonly (readonly [
  name: string,
  help: string,
  figure: keyof ProcessFigures,
  counter?: true,
])[] = [
  ["process_cpu_seconds_total", "Total user and system CPU time spent in seconds.", "cpuSeconds", true],
  ["process_max_fds", "Maximum number of open file descriptors.", "maxFiles"],
  ["process_open_fds", "Number of open file descriptors.", "openFiles"],
  ["process_resident_memory_bytes", "Resident memory size in bytes.", "residentBytes"],
  ["process_start_time_seconds", "Start time of the process since unix epoch in seconds.", "startSeconds"],
  ["process_virtual_memory_bytes", "Virtual memory size in bytes.", "virtualBytes"],
  [
    "process_virtual_memory_max_bytes",
    "Maximum amount of virtual memory available in bytes.",
    "maxVirtualBytes",
  ],
];

/** The figures in the texts of the files. */
export function processFigures(
  { stat, status, system, limits }: Readonly<Record<keyof typeof PROCESS_FILES, string>>,
  openFiles: number,
): ProcessFigures {
  // The name before may have spaces and brackets. What follows begins with the third field.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const field = (n: number): number => Number(fields[n - 3]);
  const bytes = (name: string): number =>
    1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0);
  const boot = Number(/^btime (\d+)$/m.exec(system)?.[1] ?? 0);
  return {
    cpuSeconds: (field(14) + field(15)) / TICKS,
    startSeconds: boot + field(22) / TICKS,
    virtualBytes: bytes("VmSize"),
    residentBytes: bytes("VmRSS"),
    openFiles,
    maxFiles: Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? 0),
    maxVirtualBytes: Number(/^Max address space +(\d+)/m.exec(limits)?.[1] ?? 2 ** 64),
  };
}
