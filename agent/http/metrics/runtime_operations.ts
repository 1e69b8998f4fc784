/** Counts what the runtime is asked, and how long it takes. */
import { Counter, Histogram, type Registry } from "prom-client";
import { growingBounds } from "../../metrics.ts";
import { throughCalls } from "../../runtime/through.ts";
import type { Runtime } from "../../runtime/types.ts";

/** Public names of operations, by calls. Closing is none. */
const OPERATIONS: Readonly<Record<Exclude<keyof Runtime, "close">, string>> = {
  version: "version",
  status: "status",
  runPodSandbox: "run_podsandbox",
  stopPodSandbox: "stop_podsandbox",
  removePodSandbox: "remove_podsandbox",
  podSandboxStatus: "podsandbox_status",
  sandboxPid: "podsandbox_status",
  listPodSandboxes: "list_podsandbox",
  createContainer: "create_container",
  startContainer: "start_container",
  stopContainer: "stop_container",
  removeContainer: "remove_container",
  listContainers: "list_containers",
  containerStatus: "container_status",
  checkpointContainer: "checkpoint_container",
  updateContainerResources: "update_container",
  reopenContainerLog: "reopen_container_log",
  execSync: "exec_sync",
  exec: "exec",
  attach: "attach",
  portForward: "port_forward",
  listContainerStats: "list_container_stats",
  updateRuntimeConfig: "update_runtime_config",
  listImages: "list_images",
  imageStatus: "image_status",
  pullImage: "pull_image",
  removeImage: "remove_image",
  imageFilesystems: "image_fs_info",
};
const LABELS = ["operation_type"] as const;
const BUCKETS = growingBounds(0.005, 2.5, 14);

/** The same runtime; a registry is told of each call. */
export function countedRuntime(runtime: Runtime, registry: Registry): Runtime {
  const of = (name: string, help: string) => ({ name, help, labelNames: LABELS, registers: [registry] });
  const total = new Counter(
    of("kubelet_runtime_operations_total", "Calls to the runtime, by operation."),
  );
  const errors = new Counter(
    of("kubelet_runtime_operations_errors_total", "Calls to the runtime that failed, by operation."),
  );
  const duration = new Histogram({
    ...of(
      "kubelet_runtime_operations_duration_seconds",
      "How long calls to the runtime take, by operation, s.",
    ),
    buckets: BUCKETS,
  });
  return throughCalls(runtime, (name, call) => async (...given) => {
    const labels = { operation_type: OPERATIONS[name] }, end = duration.startTimer(labels);
    total.inc(labels);
    try {
      return await call(...given);
    } catch (e) {
      errors.inc(labels);
      throw e;
    } finally {
      end();
    }
  });
}
