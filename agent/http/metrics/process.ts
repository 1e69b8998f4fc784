/** Figures of the agent's own process and of what runs, asked for as they are read. */
import { readdir, readFile } from "node:fs/promises";
import { Gauge, type Registry } from "prom-client";
import type { FeatureGates } from "../../../schema/flags/gates/feature_gates.ts";
import { GATE_METRIC, gateSamples } from "../../../schema/flags/gates/gate_metric.ts";
import {
  PROCESS_FILES,
  PROCESS_METRICS,
  PROCESS_OPEN_FILES,
  type ProcessFigures,
  processFigures,
} from "../../../schema/values/process_figures.ts";
import type { Runtime } from "../../runtime/types.ts";

/** Adds them to a registry. */
export function processMetrics(registry: Registry): void {
  for (const [name, help, figure, counter] of PROCESS_METRICS) {
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
  const read = (name: keyof typeof PROCESS_FILES): Promise<string> => readFile(PROCESS_FILES[name], "utf8");
  const [stat, status, system, limits, files] = await Promise.all([
    read("stat"),
    read("status"),
    read("system"),
    read("limits"),
    readdir(PROCESS_OPEN_FILES),
  ]);
  return processFigures({ stat, status, system, limits }, files.length);
}
