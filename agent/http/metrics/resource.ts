/** `/metrics/resource`: processors and memory of the node, its pods and their containers. */
import type { ContainerFigures, PodFigures, Summary } from "../stats/types.ts";
import type { Family, Sample } from "./text.ts";

/** Something with figures, and the labels that it has. */
interface Row {
  readonly labels: Readonly<Record<string, string>>;
  readonly figures: Pick<ContainerFigures, "cpu" | "memory">;
}

/** The figures; a summary that could not be had is said to be one. */
export function resourceMetrics(summary: Summary | undefined): Family[] {
  const { node, pods = [] } = summary ?? {};
  const nodes: Row[] = node ? [{ labels: {}, figures: node }] : [];
  const podRows = pods.map((pod): Row => ({ labels: labelsOf(pod), figures: pod }));
  const containers = pods.flatMap((pod) => pod.containers.map((container) => ({ pod, container })));
  const containerRows = containers.map(({ pod, container }): Row => ({
    labels: { container: container.name, ...labelsOf(pod) },
    figures: container,
  }));
  return [
    {
      name: "container_start_time_seconds",
      help: "Start time of the container since unix epoch in seconds",
      type: "gauge",
      samples: containers.map(({ pod, container }) => ({
        labels: { container: container.name, ...labelsOf(pod) },
        value: Date.parse(container.startTime) / 1000,
      })),
    },
    ...resources("container", containerRows),
    ...resources("node", nodes),
    {
      name: "node_swap_usage_bytes",
      help: "Current swap usage of the node in bytes. Reported only on non-windows systems",
      type: "gauge",
      samples: node?.swap.swapUsageBytes === undefined
        ? []
        : [{ value: Number(node.swap.swapUsageBytes), at: Date.parse(node.swap.time) }],
    },
    ...resources("pod", podRows),
    {
      name: "resource_scrape_error",
      help: "1 if there was an error while getting container metrics, 0 otherwise",
      type: "gauge",
      samples: [{ value: summary ? 0 : 1 }],
    },
  ];
}

const labelsOf = ({ podRef }: PodFigures) => ({ pod: podRef.name, namespace: podRef.namespace });

function resources(of: string, rows: readonly Row[]): Family[] {
  return [
    {
      name: `${of}_cpu_usage_seconds_total`,
      help: `Cumulative cpu time consumed by the ${of} in core-seconds`,
      type: "counter",
      samples: rows.flatMap(({ labels, figures: { cpu } }) =>
        sample(labels, cpu?.usageCoreNanoSeconds, cpu?.time, 1e9)
      ),
    },
    {
      name: `${of}_memory_working_set_bytes`,
      help: `Current working set of the ${of} in bytes`,
      type: "gauge",
      samples: rows.flatMap(({ labels, figures: { memory } }) =>
        sample(labels, memory?.workingSetBytes, memory?.time, 1)
      ),
    },
  ];
}

const sample = (
  labels: Row["labels"],
  value: bigint | undefined,
  time: string | undefined,
  unit: number,
): Sample[] => value === undefined || !time ? [] : [{ labels, value: Number(value) / unit, at: Date.parse(time) }];
