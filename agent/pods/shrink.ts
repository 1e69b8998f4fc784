/** Memory that is to be taken from a pod that runs: not where it is in use. */
import type { ResourceRequirements } from "../../schema/api/core_v1.ts";
import { aggregateText } from "../../schema/values/aggregate_text.ts";
import { parseQuantity } from "../../schema/values/quantity.ts";
import type { Decision } from "./decision.ts";
import type { PodMemory } from "./memory.ts";
import { describe, LABEL } from "./names.ts";
import type { PodParts } from "./parts.ts";
import { effective } from "./resize.ts";
import { newestOf } from "./state.ts";

/** Bytes; 0: no limit. */
const limitIn = ({ limits }: ResourceRequirements) => Number(parseQuantity(limits?.["memory"] ?? "0").value());

const below = (what: string, limit: number, used: number) =>
  `attempting to set ${what} memory limit (${limit}) below current usage (${used})`;

/** Why its limits cannot be lowered now; undefined: they can, or are not. */
export async function shrinkFault(parts: PodParts, memory: PodMemory, decision: Decision): Promise<string | undefined> {
  const { pod, state, ref } = memory;
  const limits = new Map(decision.update.flatMap(({ container }) => {
    const { resources, whole } = newestOf(state, container.name) ?? {};
    const was = limitIn(effective(resources, whole)),
      limit = limitIn(effective(container.resources, pod.spec?.resources));
    return limit > 0 && (was === 0 || limit < was) ? [[container.name, limit] as const] : [];
  }));
  const faults: string[] = [];
  try {
    const group = await parts.resources.memory(pod);
    // A container that is to be started anew gives back what it has first.
    if (group?.wanted !== undefined && group.wanted < group.limit && decision.kill.length === 0) {
      if (group.used >= group.wanted) faults.push(below("pod", group.wanted, group.used));
    }
    const stats = limits.size > 0 ? await parts.runtime.listContainerStats({ [LABEL.uid]: ref.uid }) : [];
    for (const [name, limit] of limits) {
      const quoted = `container "${name}"`;
      const id = newestOf(state, name)?.id;
      const used = stats.find((s) => s.attributes?.id === id)?.memory?.usageBytes;
      if (!used) faults.push(`missing ${quoted} memory usage`);
      else if (used.value >= BigInt(limit)) faults.push(below(quoted, limit, Number(used.value)));
    }
  } catch {
    return `unable to read memory usage for pod "${describe(ref)}"`;
  }
  if (faults.length === 0) return undefined;
  return `cannot decrease memory limits: ${aggregateText(faults)}`;
}
