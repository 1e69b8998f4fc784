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
  /** By IP since the start of the network that the process is in: others in it share the figure. */
  readonly receivedBytes: number;
  readonly sentBytes: number;
}

/** Files that {@linkcode processFigures} reads, whole, and the names in `/proc/self/fd`. */
export const PROCESS_FILES = {
  stat: "/proc/self/stat",
  status: "/proc/self/status",
  system: "/proc/stat",
  limits: "/proc/self/limits",
  network: "/proc/self/net/netstat",
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
  ["process_cpu_seconds_total", "Processor time that the process has taken, user and system, s", "cpuSeconds", true],
  ["process_max_fds", "File descriptors that the process may have", "maxFiles"],
  ["process_network_receive_bytes_total", "Bytes that came by IP to the network of the process", "receivedBytes", true],
  ["process_network_transmit_bytes_total", "Bytes that left the network of the process by IP", "sentBytes", true],
  ["process_open_fds", "File descriptors that the process has", "openFiles"],
  ["process_resident_memory_bytes", "Resident memory of the process, bytes", "residentBytes"],
  ["process_start_time_seconds", "When the process was started, s since 1970", "startSeconds"],
  ["process_virtual_memory_bytes", "Virtual memory of the process, bytes", "virtualBytes"],
  ["process_virtual_memory_max_bytes", "Virtual memory that the process may have, bytes", "maxVirtualBytes"],
];

/** The figures in the texts of the files. */
export function processFigures(
  { stat, status, system, limits, network }: Readonly<Record<keyof typeof PROCESS_FILES, string>>,
  openFiles: number,
): ProcessFigures {
  // The name before may have spaces and brackets. What follows begins with the third field.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const field = (n: number): number => Number(fields[n - 3]);
  const bytes = (name: string): number =>
    1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0);
  const ip = namedColumns(network, "IpExt");
  const boot = Number(/^btime (\d+)$/m.exec(system)?.[1] ?? 0);
  return {
    cpuSeconds: (field(14) + field(15)) / TICKS,
    startSeconds: boot + field(22) / TICKS,
    virtualBytes: bytes("VmSize"),
    residentBytes: bytes("VmRSS"),
    openFiles,
    maxFiles: Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? 0),
    maxVirtualBytes: Number(/^Max address space +(\d+)/m.exec(limits)?.[1] ?? 2 ** 64),
    receivedBytes: ip.get("InOctets") ?? 0,
    sentBytes: ip.get("OutOctets") ?? 0,
  };
}

/** The columns of two lines that begin with the same word: their names stand in the first, their values in the second. */
function namedColumns(text: string, word: string): ReadonlyMap<string, number> {
  const [names = [], values = []] = text.split("\n").filter((l) => l.startsWith(`${word}: `)).map((l) => l.split(" "));
  return new Map(names.slice(1).map((name, i) => [name, Number(values[i + 1])]));
}
