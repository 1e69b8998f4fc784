/** What is promised of metrics, as their pages say it. */

/** Others are `ALPHA`; those of the process are nobody's promise. */
const PROMISED: Readonly<Record<string, readonly string[]>> = {
  STABLE: [
    "container_cpu_usage_seconds_total",
    "container_memory_working_set_bytes",
    "container_start_time_seconds",
    "kubernetes_healthcheck",
    "kubernetes_healthchecks_total",
    "node_cpu_usage_seconds_total",
    "node_memory_working_set_bytes",
    "pod_cpu_usage_seconds_total",
    "pod_memory_working_set_bytes",
    "resource_scrape_error",
  ],
  BETA: [
    "kubernetes_build_info",
    "kubernetes_feature_enabled",
    "prober_probe_total",
    "storage_operation_duration_seconds",
    "volume_operation_total_seconds",
  ],
  INTERNAL: ["kubelet_first_network_pod_start_sli_duration_seconds"],
};
const BY_NAME = new Map(Object.entries(PROMISED).flatMap(([of, names]) => names.map((name) => [name, of] as const)));

/** A page of metrics: by name, with what is promised of each; those without a figure are left out. */
export const promised = (text: string): string =>
  text.split(/^(?=# HELP )/m).filter((family) => /^[^#\s]/m.test(family)).map(annotated).sort().join("")
    .replace(/le="(\d{7,9})"/g, (_, bound) => `le="${publicForm(bound)}"`);

/** A whole number from a million on as public programs write it: series are told apart by the text. */
const publicForm = (number: string): string => Number(number).toExponential().replace("e+", "e+0");

const annotated = (family: string): string =>
  `${family.trimEnd()}\n`.replace(
    /^# HELP (\S+) /,
    (help, name) => name.startsWith("process_") ? help : `${help}[${BY_NAME.get(name) ?? "ALPHA"}] `,
  );
