/** `--cpu-manager-policy-options`. */
import type { Gate } from "../amounts.ts";
import { parseBoolean } from "./hints.ts";
import type { TakeOptions } from "./take.ts";

/** What they say. */
export interface CpuOptions extends TakeOptions {
  /** Only whole cores. */
  readonly fullCores: boolean;
  /** Evenly over NUMA nodes where one is not enough. */
  readonly spreadNodes: boolean;
  /** Sockets rather than NUMA nodes are what must be kept to. */
  readonly bySocket: boolean;
  /** Reserved processors are not in the shared pool. */
  readonly strictReservation: boolean;
}

/** Names, what they turn on, and how mature they are. */
const OPTIONS: Readonly<Record<string, { readonly of: keyof CpuOptions; readonly stage: "" | "Alpha" | "Beta" }>> = {
  "full-pcpus-only": { of: "fullCores", stage: "" },
  "distribute-cpus-across-numa": { of: "spreadNodes", stage: "Beta" },
  "align-by-socket": { of: "bySocket", stage: "Alpha" },
  "distribute-cpus-across-cores": { of: "spreadCores", stage: "Alpha" },
  "strict-cpu-reservation": { of: "strictReservation", stage: "" },
  "prefer-align-cpus-by-uncorecache": { of: "alignCaches", stage: "" },
};

const EXCLUSIVE: readonly (readonly [string, string])[] = [
  ["full-pcpus-only", "distribute-cpus-across-cores"],
  ["distribute-cpus-across-numa", "distribute-cpus-across-cores"],
  ["prefer-align-cpus-by-uncorecache", "distribute-cpus-across-cores"],
  ["prefer-align-cpus-by-uncorecache", "distribute-cpus-across-numa"],
];

/** Reads them. @throws Error */
export function parseCpuOptions(options: Readonly<Record<string, string>>, gate: Gate): CpuOptions {
  const on = new Set<string>();
  for (const [name, text] of Object.entries(options)) {
    const row = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined;
    if (!row) throw new Error(`unknown CPU Manager Policy option: ${JSON.stringify(name)}`);
    if (row.stage !== "" && !gate(`CPUManagerPolicy${row.stage}Options`)) {
      throw new Error(
        `CPU Manager Policy ${row.stage}-level Options not enabled, but option ${JSON.stringify(name)} provided`,
      );
    }
    if (parseBoolean(name, text)) on.add(name);
  }
  const clash = EXCLUSIVE.find((pair) => pair.every((name) => on.has(name)));
  if (clash) throw new Error(`static policy options ${clash[0]} and ${clash[1]} can not be used at the same time`);
  return Object.fromEntries(
    Object.entries(OPTIONS).map(([name, { of }]) => [of, on.has(name)]),
  ) as unknown as CpuOptions;
}
