/** Figures of the agent's own process and of what runs, asked for as they are read. */
import { readdir, readFile } from "node:fs/promises";
import { Gauge, type Registry } from "prom-client";
import type { FeatureGates } from "../../../schema/flags/gates/feature_gates.ts";
import { GATE_METRIC, gateSamples } from "../../../schema/flags/gates/gate_metric.ts";
import type { Runtime } from "../../runtime/types.ts";

/** Hundredths of a second, which the kernel counts in. */
const TICKS = 100;

/** Of `/proc/self`. */
interface ProcessFigures {
  readonly cpuSeconds: number;
  readonly startSeconds: number;
  readonly virtualBytes: number;
  readonly residentBytes: number;
  readonly openFiles: number;
  readonly maxFiles: number;
}

const ROWS: readonly (readonly [name: string, help: string, figure: keyof ProcessFigures, counter?: true])[] = [
  ["process_cpu_seconds_total", "Total user and system CPU time spent in seconds.", "cpuSeconds", true],
  ["process_max_fds", "Maximum number of open file descriptors.", "maxFiles"],
  ["process_open_fds", "Number of open file descriptors.", "openFiles"],
  ["process_resident_memory_bytes", "Resident memory size in bytes.", "residentBytes"],
  ["process_start_time_seconds", "Start time of the process since unix epoch in seconds.", "startSeconds"],
  ["process_virtual_memory_bytes", "Virtual memory size in bytes.", "virtualBytes"],
];

/** Adds them to a registry. */
export function processMetrics(registry: Registry): void {
  for (const [name, help, figure, counter] of ROWS) {
    derived(registry, name, help, counter ? "counter" : "gauge", async () => {
      const figures = await readProcess().catch(() => undefined);
      return figures ? [{ labels: {}, value: figures[figure] }] : [];
    });
  }
}

/** Adds the node's name. */
export function nodeMetrics(registry: Registry, node: string): void {
  const gauge = new Gauge({
    name: "kubelet_node_name",
    help: "The node's name. The count is always 1.",
    labelNames: ["node"],
    registers: [registry],
  });
  gauge.set({ node }, 1);
}

/** Adds which features are on. */
export function featureMetrics(registry: Registry, gates: FeatureGates): void {
  derived(registry, GATE_METRIC.name, GATE_METRIC.help, "gauge", () => Promise.resolve(gateSamples(gates)));
}

/** Adds how many pods and containers the runtime has. */
export function runningMetrics(registry: Registry, runtime: Runtime): void {
  derived(registry, "kubelet_running_pods", "Number of pods that have a running pod sandbox", "gauge", async () => {
    const sandboxes = await runtime.listPodSandboxes().catch(() => undefined);
    return sandboxes ? [{ labels: {}, value: sandboxes.filter((s) => s.state === "READY").length }] : [];
  });
  derived(registry, "kubelet_running_containers", "Number of containers currently running", "gauge", async () => {
    const containers = await runtime.listContainers().catch(() => []);
    return [...Map.groupBy(containers, ({ state }) => state.toLowerCase())].map(([container_state, all]) => ({
      labels: { container_state },
      value: all.length,
    }));
  });
}

interface Value {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric that is asked for when it is read. */
function derived(
  registry: Registry,
  name: string,
  help: string,
  type: "gauge" | "counter",
  values: () => Promise<readonly Value[]>,
): void {
  const get = async () => ({ name, help, type, aggregator: "sum", values: await values() });
  registry.registerMetric({ name, get, reset: () => {} } as unknown as Gauge);
}

async function readProcess(): Promise<ProcessFigures> {
  const [stat, status, system, limits, files] = await Promise.all([
    readFile("/proc/self/stat", "utf8"),
    readFile("/proc/self/status", "utf8"),
    readFile("/proc/stat", "utf8"),
    readFile("/proc/self/limits", "utf8"),
    readdir("/proc/self/fd"),
  ]);
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
    openFiles: files.length,
    maxFiles: Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? 0),
  };
}
