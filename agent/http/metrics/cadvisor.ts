/** `/metrics/cadvisor`: figures of containers and of the machine, by the names that collectors know, as far as the runtime tells. */
import { LABEL } from "../../pods/names.ts";
import type { ContainerStats } from "../../runtime/types.ts";
import type { Measured } from "../stats/pods.ts";
import type { Family } from "./text.ts";

/** How a family is read from what was measured of a container. */
interface Row {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge";
  value(stats: ContainerStats, measured: Measured): number | undefined;
}

const number = (value: { readonly value: bigint } | undefined): number | undefined => value && Number(value.value);
const seconds = (nanos: bigint | number): number => Number(nanos) / 1e9;

const ROWS: readonly Row[] = [
  {
    name: "container_cpu_usage_seconds_total",
    help: "Cumulative cpu time consumed in seconds.",
    type: "counter",
    value: ({ cpu }) => cpu?.usageCoreNanoSeconds && seconds(cpu.usageCoreNanoSeconds.value),
  },
  {
    name: "container_fs_usage_bytes",
    help: "Number of bytes that are consumed by the container on this filesystem.",
    type: "gauge",
    value: ({ writableLayer }) => number(writableLayer?.usedBytes),
  },
  {
    name: "container_last_seen",
    help: "Last time a container was seen by the exporter",
    type: "gauge",
    value: ({ cpu }) => cpu && Math.trunc(seconds(cpu.timestamp)),
  },
  {
    name: "container_memory_rss",
    help: "Size of RSS in bytes.",
    type: "gauge",
    value: ({ memory }) => number(memory?.rssBytes),
  },
  {
    name: "container_memory_usage_bytes",
    help: "Current memory usage in bytes, including all memory regardless of when it was accessed",
    type: "gauge",
    value: ({ memory }) => number(memory?.usageBytes),
  },
  {
    name: "container_memory_working_set_bytes",
    help: "Current working set in bytes.",
    type: "gauge",
    value: ({ memory }) => number(memory?.workingSetBytes),
  },
  {
    name: "container_start_time_seconds",
    help: "Start time of the container since unix epoch in seconds.",
    type: "gauge",
    value: (_, { container }) => seconds(container.createdAt),
  },
];

/** The figures. @param machine processors and bytes of memory */
export function cadvisorMetrics(
  measured: readonly Measured[],
  machine: { readonly cpus: readonly number[]; readonly memory: number; readonly swap: number },
): Family[] {
  const containers = ROWS.map(({ name, help, type, value }): Family => ({
    name,
    help,
    type,
    samples: measured.flatMap((m) => {
      const figure = value(m.stats, m);
      return figure === undefined ? [] : [{ labels: labelsOf(m), value: figure }];
    }),
  }));
  const one = (name: string, help: string, value: number): Family => ({
    name,
    help,
    type: "gauge",
    samples: [{ value }],
  });
  return [
    ...containers,
    one("machine_cpu_cores", "Number of logical CPU cores.", machine.cpus.length),
    one("machine_memory_bytes", "Amount of memory installed on the machine.", machine.memory),
    one("machine_swap_bytes", "Amount of swap memory available on the machine.", machine.swap),
  ];
}

const labelsOf = ({ container: { id, labels, image, imageRef } }: Measured): Record<string, string> => ({
  container: labels[LABEL.container] ?? "",
  id,
  image: image?.image || imageRef,
  name: id,
  namespace: labels[LABEL.namespace] ?? "",
  pod: labels[LABEL.pod] ?? "",
});
