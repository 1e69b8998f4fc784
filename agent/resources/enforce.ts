/** Reservations enforced on groups that the host's owner made (`--enforce-node-allocatable`). */
import type { Events } from "../types.ts";
import { amountSettings, type Reservations, reservedOf } from "./allocatable.ts";
import type { Gate } from "./amounts.ts";
import type { Driver } from "./group_names.ts";
import type { Hierarchy } from "./hierarchy.ts";
import { parseCpuList } from "./machine.ts";

/** Options on what is enforced. */
export interface EnforcementOptions extends Reservations {
  readonly enforceNodeAllocatable: readonly string[];
  readonly systemReservedCgroup: string;
  readonly orchReservedCgroup: string;
}

/** Which reservation each key of the option enforces. Events say who it is in the public agent's words. */
const ENFORCEMENTS = [
  { key: "system-reserved", who: "System Reserved", part: "system", compressible: false },
  { key: "orch-reserved", who: "Kube Reserved", part: "orch", compressible: false },
  { key: "system-reserved-compressible", who: "System Reserved Compressible", part: "system", compressible: true },
  { key: "orch-reserved-compressible", who: "Kube Reserved Compressible", part: "orch", compressible: true },
] as const;

/** See the top of the file. @throws Error: a group is not there, or refuses */
export async function enforceReservations(
  options: EnforcementOptions,
  driver: Driver,
  { hierarchy, gate, events }: { readonly hierarchy: Hierarchy; readonly gate: Gate; readonly events: Events },
): Promise<void> {
  const keys = new Set(options.enforceNodeAllocatable.map((key) => key.replace(/^kube-/, "orch-")));
  const reserved = reservedOf(options, parseCpuList(options.reservedCpus));
  const groups = { system: options.systemReservedCgroup, orch: options.orchReservedCgroup };
  for (const { key, who, part, compressible } of ENFORCEMENTS) {
    if (!keys.has(key)) continue;
    const path = driver.path(driver.parse(groups[part]));
    const settings = amountSettings(reserved[part], compressible);
    const unified = settings.memory !== undefined && gate("MemoryQoS") ? { "memory.min": `${settings.memory}` } : {};
    try {
      const missing = await hierarchy.missing(path);
      if (missing.length > 0) throw new Error(`cgroup ${path} has some missing paths: ${missing.join(", ")}`);
      await hierarchy.set(path, { ...settings, unified });
    } catch (e) {
      const message = `Failed to enforce ${who} Cgroup Limits on "${groups[part]}": ${(e as Error).message}`;
      events.node("Warning", "FailedNodeAllocatableEnforcement", message);
      throw new Error(message, { cause: e });
    }
    const words = part === "orch" ? "kube" : part;
    events.node("Normal", "NodeAllocatableEnforced", `Updated limits on ${words} reserved cgroup ${groups[part]}`);
  }
}
