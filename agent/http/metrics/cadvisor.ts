/** `/metrics/cadvisor`: figures of containers and of the machine, by the names that collectors know, as far as they are told. */
import type { HostIdentity } from "../../node/identity.ts";
import { LABEL } from "../../pods/names.ts";
import type { GroupFigures } from "../../resources/group_figures.ts";
import type { ContainerStats, PodSandbox } from "../../runtime/types.ts";
import type { Measured } from "../stats/pods.ts";
import type { Traffic } from "../stats/proc.ts";
import type { NodeFigures } from "../stats/types.ts";
import type { Family, Sample } from "./text.ts";

/** A container with its group. */
export interface Grouped extends Measured {
  /** The group's path; absent: nobody tells. */
  readonly group?: string;
  readonly figures: GroupFigures;
}

/** A sandbox, or the host itself, and what goes over its network. */
export interface Networked {
  readonly sandbox: PodSandbox | undefined;
  readonly traffic: readonly Traffic[];
}

/** All that is told. */
export interface Told {
  readonly containers: readonly Grouped[];
  readonly networks: readonly Networked[];
  readonly node: NodeFigures | undefined;
  readonly machine: { readonly cpus: readonly number[]; readonly memory: number; readonly swap: number };
  readonly identity: Pick<HostIdentity, "bootID" | "machineID" | "systemUUID">;
}

/** How a family is read from what was measured of a container. */
interface Row {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge";
  readonly labels?: Readonly<Record<string, string>>;
  value(stats: ContainerStats, of: Grouped): number | undefined;
  /** The same of the host. */
  host?(node: NodeFigures): number | undefined;
}

const number = (value: { readonly value: bigint } | undefined): number | undefined => value && Number(value.value);
const count = (value: bigint | undefined): number | undefined => value === undefined ? undefined : Number(value);
const seconds = (nanos: bigint | number): number => Number(nanos) / 1e9;

/** Of its group. @param limited only where processor time is limited */
const ofGroup = (
  name: string,
  help: string,
  type: Row["type"],
  figure: keyof GroupFigures,
  limited = false,
): Row => ({
  name: `container_${name}`,
  help,
  type,
  value: (_, { figures }) => limited && figures.cpuQuota === undefined ? undefined : figures[figure],
});

const ROWS: readonly Row[] = [
  ofGroup("cpu_cfs_periods_total", "Periods in which processor time was limited.", "counter", "periods", true),
  ofGroup(
    "cpu_cfs_throttled_periods_total",
    "Those of them in which it had to wait.",
    "counter",
    "throttledPeriods",
    true,
  ),
  ofGroup(
    "cpu_cfs_throttled_seconds_total",
    "How long it waited for that, s.",
    "counter",
    "throttledSeconds",
    true,
  ),
  ofGroup(
    "cpu_system_seconds_total",
    "Processor time spent in the kernel, s.",
    "counter",
    "systemSeconds",
  ),
  {
    name: "container_cpu_usage_seconds_total",
    help: "Processor time, s.",
    type: "counter",
    labels: { cpu: "total" },
    value: ({ cpu }) => cpu?.usageCoreNanoSeconds && seconds(cpu.usageCoreNanoSeconds.value),
    host: ({ cpu }) => cpu.usageCoreNanoSeconds === undefined ? undefined : seconds(cpu.usageCoreNanoSeconds),
  },
  ofGroup("cpu_user_seconds_total", "Processor time spent in programs, s.", "counter", "userSeconds"),
  {
    name: "container_fs_usage_bytes",
    help: "What the container has on this file system, bytes.",
    type: "gauge",
    value: ({ writableLayer }) => number(writableLayer?.usedBytes),
  },
  {
    name: "container_last_seen",
    help: "Last time a container was seen by the exporter",
    type: "gauge",
    value: ({ cpu }) => cpu && Math.trunc(seconds(cpu.timestamp)),
    host: ({ cpu }) => Math.trunc(Date.parse(cpu.time) / 1000),
  },
  ofGroup("memory_cache", "Memory that holds pages of files, bytes.", "gauge", "cache"),
  ofGroup("memory_failcnt", "How often its memory came to the limit", "counter", "memoryFailures"),
  ofGroup("memory_max_usage_bytes", "The most memory that it ever had, bytes", "gauge", "mostMemory"),
  {
    name: "container_memory_rss",
    help: "Size of RSS in bytes.",
    type: "gauge",
    value: ({ memory }) => number(memory?.rssBytes),
    host: ({ memory }) => count(memory.rssBytes),
  },
  ofGroup("memory_swap", "Memory that is swapped out, bytes.", "gauge", "swap"),
  {
    name: "container_memory_usage_bytes",
    help: "Current memory usage in bytes, including all memory regardless of when it was accessed",
    type: "gauge",
    value: ({ memory }) => number(memory?.usageBytes),
    host: ({ memory }) => count(memory.usageBytes),
  },
  {
    name: "container_memory_working_set_bytes",
    help: "Current working set in bytes.",
    type: "gauge",
    value: ({ memory }) => number(memory?.workingSetBytes),
    host: ({ memory }) => count(memory.workingSetBytes),
  },
  ofGroup("spec_cpu_period", "The period that its processor time is limited in.", "gauge", "cpuPeriod"),
  ofGroup("spec_cpu_quota", "Its processor time in a period.", "gauge", "cpuQuota"),
  ofGroup("spec_cpu_shares", "Its weight for processor time.", "gauge", "cpuShares"),
  ofGroup("spec_memory_limit_bytes", "Its most memory, bytes.", "gauge", "memoryLimit"),
  {
    name: "container_start_time_seconds",
    help: "Start time of the container since unix epoch in seconds.",
    type: "gauge",
    value: (_, { container }) => seconds(container.createdAt),
    host: ({ startTime }) => Date.parse(startTime) / 1000,
  },
  ofGroup("threads", "Its threads", "gauge", "threads"),
];

/** Of traffic each figure both ways. */
const TRAFFIC: readonly (readonly [figure: "Bytes" | "Errors" | "Drops" | "Packets", name: string, what: string])[] = [
  ["Bytes", "bytes_total", "Bytes"],
  ["Errors", "errors_total", "Errors while"],
  ["Drops", "packets_dropped_total", "Packets dropped while"],
  ["Packets", "packets_total", "Packets"],
];
const WAYS = [["rx", "receive", "received", "receiving"], ["tx", "transmit", "transmitted", "transmitting"]] as const;

const HOST = { container: "", id: "/", image: "", name: "", namespace: "", pod: "" };

/** The figures. */
export function cadvisorMetrics({ containers, networks, node, machine, identity }: Told): Family[] {
  const ofContainers = ROWS.map(({ name, help, type, labels, value, host }): Family => ({
    name,
    help,
    type,
    samples: [
      ...sample({ ...HOST, ...labels }, node && host?.(node)),
      ...containers.flatMap((of) => sample({ ...labelsOf(of), ...labels }, value(of.stats, of))),
    ],
  }));
  const who = { boot_id: identity.bootID, machine_id: identity.machineID, system_uuid: identity.systemUUID };
  const one = (name: string, help: string, value: number, labels: Record<string, string> = who): Family => ({
    name,
    help,
    type: "gauge",
    samples: [{ labels, value }],
  });
  return [
    ...ofContainers,
    ...WAYS.flatMap((way) => TRAFFIC.map((row) => trafficFamily(networks, way, row))),
    one("container_scrape_error", "1 if there was an error while getting container metrics, 0 otherwise", 0, {}),
    one("machine_cpu_cores", "Logical processors.", machine.cpus.length),
    one("machine_memory_bytes", "Amount of memory installed on the machine.", machine.memory),
    one("machine_scrape_error", "1 if there was an error while getting machine metrics, 0 otherwise.", 0, {}),
    one("machine_swap_bytes", "Amount of swap memory available on the machine.", machine.swap),
  ];
}

function trafficFamily(
  networks: readonly Networked[],
  [way, name, done, doing]: (typeof WAYS)[number],
  [figure, end, what]: (typeof TRAFFIC)[number],
): Family {
  return {
    name: `container_network_${name}_${end}`,
    help: `${what} ${what.endsWith("while") ? doing : done}`,
    type: "counter",
    samples: networks.flatMap(({ sandbox, traffic }) =>
      traffic.map((of) => ({
        labels: { ...sandbox ? sandboxLabels(sandbox) : HOST, interface: of.name },
        value: Number(of[`${way}${figure}`]),
      }))
    ),
  };
}

const sample = (labels: Record<string, string>, value: number | undefined): Sample[] =>
  value === undefined ? [] : [{ labels, value }];

const podLabels = (labels: Readonly<Record<string, string>>) => ({
  namespace: labels[LABEL.namespace] ?? "",
  pod: labels[LABEL.pod] ?? "",
});

const labelsOf = ({ group, container: { id, labels, image, imageRef } }: Grouped): Record<string, string> => ({
  container: labels[LABEL.container] ?? "",
  id: group ?? id,
  image: image?.image || imageRef,
  name: id,
  ...podLabels(labels),
});

const sandboxLabels = ({ id, labels }: PodSandbox): Record<string, string> => ({
  container: "",
  id,
  image: "",
  name: id,
  ...podLabels(labels),
});
