/** Figures of the agent's own process and of what runs, asked for as they are read. */
import { readdir, readFile } from "node:fs/promises";
import type { Registry } from "prom-client";
import type { FeatureGates } from "../../../schema/flags/gates/feature_gates.ts";
import { GATE_METRIC, gateSamples } from "../../../schema/flags/gates/gate_metric.ts";
import {
  PROCESS_FILES,
  PROCESS_METRICS,
  PROCESS_OPEN_FILES,
  type ProcessFigures,
  processFigures,
} from "../../../schema/values/process_figures.ts";
import { Metrics } from "../../metrics.ts";
import { PLATFORM } from "../../node/identity.ts";
import type { Hierarchy } from "../../resources/hierarchy.ts";
import type { Runtime } from "../../runtime/types.ts";

/** Adds them to a registry. */
export function processMetrics(registry: Registry): void {
  const m = new Metrics(registry);
  // One reading of the files tells all figures, and all that ask meanwhile.
  let reading: Promise<ProcessFigures | undefined> | undefined;
  const read = () => reading ??= readProcess().catch(() => undefined).finally(() => reading = undefined);
  for (const [name, help, figure, counter] of PROCESS_METRICS) {
    m.derived(name, help, counter ? "counter" : "gauge", async () => {
      const figures = await read();
      return figures ? [{ labels: {}, value: figures[figure] }] : [];
    });
  }
}

/** Adds the node's name, the version that runs, and what of the host and the runtime figures come from. */
export function nodeMetrics(
  registry: Registry,
  node: string,
  version: string,
  hierarchy: Pick<Hierarchy, "version"> | undefined,
): void {
  const m = new Metrics(registry);
  if (hierarchy) {
    m.gauge("kubelet_cgroup_version", "Version of the control groups that the host has").set(hierarchy.version);
  }
  const providers = "Who tells the figures of containers: cadvisor or cri";
  m.gauge("kubelet_metrics_provider", providers, "provider").set({ provider: "cri" }, 1);
  m.gauge("kubelet_node_name", "The node's name. The count is always 1.", "node").set({ node }, 1);
  const [, major = "", minor = ""] = /^v(\d+)\.(\d+)/.exec(version) ?? [];
  const build = { git_version: version, major, minor, platform: `${PLATFORM.os}/${PLATFORM.arch}` };
  const help = "Always 1, with the version that runs and the platform below it.";
  m.gauge("kubernetes_build_info", help, "git_version", "major", "minor", "platform").set(build, 1);
}

/** Adds which features are on. */
export function featureMetrics(registry: Registry, gates: FeatureGates): void {
  new Metrics(registry).derived(GATE_METRIC.name, GATE_METRIC.help, "gauge", () => gateSamples(gates));
}

/** Adds how many pods and containers the runtime has. */
export function runningMetrics(registry: Registry, runtime: Runtime): void {
  const m = new Metrics(registry);
  m.derived("kubelet_running_pods", "Pods whose sandbox runs", "gauge", async () => {
    const sandboxes = await runtime.listPodSandboxes().catch(() => undefined);
    return sandboxes ? [{ labels: {}, value: sandboxes.filter((s) => s.state === "READY").length }] : [];
  });
  m.derived("kubelet_running_containers", "Containers, by their state", "gauge", async () => {
    const containers = await runtime.listContainers().catch(() => []);
    return [...Map.groupBy(containers, ({ state }) => state.toLowerCase())].map(([container_state, all]) => ({
      labels: { container_state },
      value: all.length,
    }));
  });
}

async function readProcess(): Promise<ProcessFigures> {
  const read = (name: keyof typeof PROCESS_FILES): Promise<string> => readFile(PROCESS_FILES[name], "utf8");
  const [stat, status, system, limits, network, files] = await Promise.all([
    read("stat"),
    read("status"),
    read("system"),
    read("limits"),
    read("network"),
    readdir(PROCESS_OPEN_FILES),
  ]);
  return processFigures({ stat, status, system, limits, network }, files.length);
}
