/** What must hold of options that keep resources from pods. */
import { NUMA_MEMORY } from "../../schema/flags/node_values.ts";
import type { NumaMemory } from "../../schema/flags/types.ts";
import { parseQuantity } from "../../schema/values/quantity.ts";
import type { SettingValues } from "./table.ts";

const RESERVABLE = ["cpu", "memory", "pid", "ephemeral-storage"];

/** The sign of a quantity; undefined when the text is none. */
export function signOf(text: string): number | undefined {
  try {
    return parseQuantity(text).sign();
  } catch {
    return undefined;
  }
}

function reservedFaults(option: string, reserved: Readonly<Record<string, string>>): string[] {
  return Object.entries(reserved).flatMap(([name, text]) => {
    if (!RESERVABLE.includes(name)) return [`--${option}: ${name}: should be one of ${RESERVABLE.join(", ")}`];
    return (signOf(text) ?? -1) < 0
      ? [`--${option}: ${name}: ${JSON.stringify(text)} should be a quantity that is not negative`]
      : [];
  });
}

function enforcedFaults(o: SettingValues): string[] {
  const list = o.enforceNodeAllocatable, faults: string[] = [];
  const option = "--enforce-node-allocatable";
  if (list.includes("none")) return list.length > 1 ? [`${option}: none stands alone`] : [];
  if (new Set(list).size < list.length) faults.push(`${option}: names one twice`);
  for (const [of, cgroup] of [["system", o.systemReservedCgroup], ["orch", o.orchReservedCgroup]] as const) {
    const named = list.filter((l) => l.startsWith(`${of}-reserved`));
    if (new Set(named).size > 1) {
      faults.push(`${option}: ${of}-reserved and ${of}-reserved-compressible exclude each other`);
    }
    if (named.length > 0 && cgroup === "") faults.push(`${option}: ${named[0]} needs --${of}-reserved-cgroup`);
  }
  if (list.length > 0 && !o.cgroupsPerQos) faults.push(`${option}: ${list[0]} needs --cgroups-per-qos`);
  return faults;
}

function memoryFaults(memory: readonly NumaMemory[]): string[] {
  const seen = new Set<string>();
  return memory.flatMap(({ numaNode, limits }) =>
    Object.entries(limits).flatMap(([type, text]) => {
      const name = `${numaNode}:${type}`, twice = seen.has(name);
      seen.add(name);
      const why = !NUMA_MEMORY.test(type)
        ? "should be memory or hugepages-<size>"
        : (signOf(text) ?? 0) <= 0
        ? `${JSON.stringify(text)} should be more than 0`
        : twice
        ? "stands there twice"
        : undefined;
      return why === undefined ? [] : [`--reserved-memory: ${name}: ${why}`];
    })
  );
}

/** Whether a text names cores: numbers and ranges, parted by commas. */
const isCpuList = (text: string): boolean =>
  text.split(",").every((part) => {
    const m = /^(\d+)(?:-(\d+))?$/.exec(part);
    return m !== null && Number(m[1]) <= Number(m[2] ?? m[1]);
  });

function cpuFaults(o: SettingValues): string[] {
  if (o.reservedCpus === "") return [];
  const faults: string[] = [];
  if (!isCpuList(o.reservedCpus)) {
    faults.push(`--reserved-cpus: ${JSON.stringify(o.reservedCpus)} should be cores and ranges of them, such as 0-2,7`);
  }
  if (o.systemReservedCgroup !== "" || o.orchReservedCgroup !== "") {
    faults.push("--reserved-cpus: cannot go with --system-reserved-cgroup or --orch-reserved-cgroup");
  }
  return faults;
}

function qosFaults(o: SettingValues, enabled: (gate: string) => boolean): string[] {
  const entries = Object.entries(o.qosReserved);
  if (entries.length > 0 && !enabled("QOSReserved")) return ["--qos-reserved: needs the feature gate QOSReserved"];
  return entries.flatMap(([name, text]) => {
    if (name !== "memory") return [`--qos-reserved: ${name}: only memory can be reserved`];
    const percent = /^(\d+)%$/.exec(text)?.[1];
    return Number(percent ?? 101) <= 100 ? [] : [`--qos-reserved: ${JSON.stringify(text)} should be from 0% to 100%`];
  });
}

/** Everything that does not hold. */
export function resourceFaults(o: SettingValues, enabled: (gate: string) => boolean): string[] {
  return [
    ...reservedFaults("orch-reserved", o.orchReserved),
    ...reservedFaults("system-reserved", o.systemReserved),
    ...enforcedFaults(o),
    ...memoryFaults(o.reservedMemory),
    ...cpuFaults(o),
    ...qosFaults(o, enabled),
  ];
}
